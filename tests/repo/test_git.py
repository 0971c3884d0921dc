"""One git, hardened: nothing that a repository says runs, redirects or changes what is read."""

import os
import shutil
from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo.git import Answer, Git, clean_environment, failure
from skillc.repo.objects import open_reader
from skillc.repo.repository import Repository
from tests.repositories import commit_files, run_git


def trap(folder: Path, name: str = "trap") -> tuple[Path, Path]:
    """A program that leaves a mark when it runs: (program, mark)."""
    program, mark = folder / name, folder / f"{name}.ran"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\nexit 0\n", "utf-8")
    program.chmod(0o755)
    return program, mark


def append_config(root: Path, text: str) -> None:
    with (root / ".git" / "config").open("a", encoding="utf-8") as file:
        file.write(text)


def test_variables_of_a_surrounding_hook_do_not_redirect_us(root: Path, new_repository, monkeypatch):
    other = new_repository("other", files={"x": "other\n"})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.bare=true'")

    assert Git(root).line("rev-parse", "--show-toplevel") == str(root)
    assert Git(root).line("ls-files") == "README.md"


def test_the_environment_of_a_child_has_no_git_variable_but_the_users_own(monkeypatch):
    monkeypatch.setenv("GIT_WORK_TREE", "/elsewhere")
    monkeypatch.setenv("GIT_SSH_COMMAND", "ssh -i key")
    env = clean_environment({"EXTRA": "1"})

    assert "GIT_WORK_TREE" not in env
    assert env["GIT_SSH_COMMAND"] == "ssh -i key"
    assert env["EXTRA"] == "1"
    assert env["LC_ALL"] == "C"


def test_hooks_and_fsmonitor_of_a_repository_do_not_run(root: Path, tmp_path: Path):
    program, mark = trap(tmp_path)
    for hook in ("reference-transaction", "post-index-change", "post-checkout"):
        shutil.copy(program, root / ".git" / "hooks" / hook)
    append_config(root, f"[core]\n\tfsmonitor = {program}\n\tpager = {program}\n\thooksPath = {root}/.git/hooks\n")

    Git(root).run("status", "--porcelain")
    Git(root).run("update-index", "--refresh")
    Git(root).run("update-ref", "refs/heads/x", "HEAD")

    assert not mark.exists()


def test_aliases_external_diffs_and_textconv_do_not_run(root: Path, tmp_path: Path):
    program, mark = trap(tmp_path)
    commit_files(root, {".gitattributes": "*.md diff=evil\n", "README.md": "hello again\n"})
    append_config(
        root,
        f'[alias]\n\tlog = "!{program}"\n[diff]\n\texternal = {program}\n'
        f'[diff "evil"]\n\ttextconv = {program}\n\tcommand = {program}\n',
    )

    Git(root).run("log", "--raw", "-1")
    Git(root).run("diff-tree", "-r", "-p", "HEAD^", "HEAD")

    assert not mark.exists()


def test_showing_signatures_is_off_so_no_signing_program_runs(root: Path, tmp_path: Path):
    program, mark = trap(tmp_path)
    append_config(root, f"[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {program}\n")

    Git(root).run("log", "-1", "--format=%H")

    assert not mark.exists()


@pytest.mark.parametrize("where", ["local", "included", "worktree", "with an equals sign"])
def test_filters_of_the_repository_itself_do_not_run(root: Path, tmp_path: Path, where: str):
    program, mark = trap(tmp_path)
    name = "a=b" if where == "with an equals sign" else "evil"
    section = f'[filter "{name}"]\n\tclean = {program}\n\tsmudge = {program}\n\trequired = true\n'
    commit_files(root, {".gitattributes": f"*.md filter={name}\n"})
    if where == "included":
        (root / ".git" / "more").write_text(section, "utf-8")
        append_config(root, "[include]\n\tpath = more\n")
    elif where == "worktree":
        run_git(root, "config", "extensions.worktreeConfig", "true")
        (root / ".git" / "config.worktree").write_text(section, "utf-8")
    else:
        append_config(root, section)

    Git(root).without_local_filters().run("hash-object", "--", "README.md")

    assert not mark.exists()


def test_filters_that_the_user_installed_stay_on(root: Path, home: Path, tmp_path: Path):
    program, mark = trap(tmp_path)
    run_git(root, "config", "--global", "filter.lfs.clean", str(program))
    commit_files(root, {".gitattributes": "*.bin filter=lfs\n"})
    (root / "a.bin").write_text("x", "utf-8")

    Git(root).without_local_filters().run("hash-object", "--", "a.bin")

    assert mark.exists()


def test_signing_programs_come_from_the_user_and_not_from_the_repository(root: Path, tmp_path: Path):
    theirs, their_mark = trap(tmp_path, "theirs")
    mine, my_mark = trap(tmp_path, "mine")
    run_git(root, "config", "--global", "gpg.program", str(mine))
    append_config(root, f"[gpg]\n\tprogram = {theirs}\n")

    Git(root).with_users_programs().ask("commit-tree", "-S", "HEAD^{tree}", "-m", "x")

    assert my_mark.exists()
    assert not their_mark.exists()


def test_a_missing_object_is_not_fetched_behind_our_back(root: Path, tmp_path: Path):
    """A partial clone fetches missing objects by a program that its own configuration names."""
    program, mark = trap(tmp_path)
    run_git(root, "config", "uploadpack.allowFilter", "true")
    run_git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{root}", "partial")
    run_git(tmp_path / "partial", "config", "remote.origin.uploadpack", str(program))
    repository = Repository.open(tmp_path / "partial")

    with open_reader(repository) as reader, pytest.raises(RepoError, match="partial clone"):
        reader.read("HEAD:README.md")

    assert not mark.exists()


def test_replaced_objects_are_read_as_what_their_id_says(root: Path, repository: Repository):
    blob = run_git(root, "rev-parse", "HEAD:README.md")
    evil = run_git(root, "hash-object", "-w", "--stdin", stdin=b"evil\n")
    run_git(root, "replace", blob, evil)

    assert repository.git.run("cat-file", "blob", blob) == b"hello\n"


def test_a_grafted_history_is_read_as_it_is(root: Path, repository: Repository):
    commit_files(root, {"b": "b\n"})
    (root / ".git" / "info" / "grafts").write_text(run_git(root, "rev-parse", "HEAD") + "\n", "utf-8")

    assert len(repository.git.line("rev-list", "HEAD").split()) == 2


@pytest.mark.parametrize(
    "setting",
    [("log.showRoot", "false"), ("log.follow", "true"), ("color.ui", "always"), ("trailer.separators", "="),
     ("core.commentChar", "S"), ("i18n.logOutputEncoding", "UTF-16"), ("core.quotePath", "true")],
)  # fmt: skip
def test_a_setting_of_the_user_does_not_change_what_is_read(root: Path, setting: tuple[str, str]):
    run_git(root, "commit", "-q", "--allow-empty", "-m", "grün\n\nSkillc-Run: r-1")
    arguments = ("log", "--raw", "--format=%s %(trailers:key=Skillc-Run,valueonly)", "--", "README.md")
    body = ("log", "-1", "--format=%s|%(trailers:key=Skillc-Run,valueonly)")
    before = Git(root).run(*arguments), Git(root).run(*body)
    run_git(root, "config", "--global", *setting)

    assert (Git(root).run(*arguments), Git(root).run(*body)) == before
    assert before[1] == "grün|r-1\n\n".encode()


def test_paths_are_literal(root: Path):
    commit_files(root, {"a[b]*.txt": "x\n", "ab.txt": "y\n"})
    assert Git(root).line("ls-files", "--", "a[b]*.txt") == "a[b]*.txt"


def test_a_folder_that_is_gone_or_a_file_is_said_so(tmp_path: Path):
    (tmp_path / "file").write_text("x", "utf-8")
    for folder in (tmp_path / "gone", tmp_path / "file"):
        with pytest.raises(RepoError, match="does not exist"):
            Git(folder).ask("status")
        with pytest.raises(RepoError, match="does not exist"):
            Git(folder).start("status")


def test_without_git_the_next_step_is_named(root: Path, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RepoError, match="git is not installed") as caught:
        Git(root).run("status")
    assert caught.value.hint is not None


@pytest.mark.parametrize(
    ("stderr", "message"),
    [
        ("fatal: detected dubious ownership in repository at '/x'", "belongs to another user"),
        ("fatal: not a git repository (or any of the parent directories): .git", "not inside a git repository"),
        ("error: unable to write file x: No space left on device", "the disk is full"),
        ("error: cannot open .git/x: Permission denied", "git may not write here"),
        ("fatal: Unable to create '/r/.git/x.lock': Read-only file system", "read-only"),
        ("fatal: Unable to create '/r/.git/index.lock': File exists.", "'/r/.git/index.lock'|/r/.git/index.lock"),
        ("fatal: cannot lock ref 'a/b': 'a' exists; cannot create 'a/b'", "a branch stands where"),
        ("hint: noise\nfatal: what it was", "git log failed: fatal: what it was"),
        ("", "git log failed: exit code 128"),
    ],
)  # fmt: skip
def test_a_known_failure_is_told_in_our_words(stderr: str, message: str):
    error = failure("log", Answer(128, b"", stderr))
    assert any(part in error.message for part in message.split("|"))


def test_a_branch_in_the_way_of_ours_is_named(root: Path):
    run_git(root, "branch", "skillc")
    answer = Git(root).ask("update-ref", "refs/heads/skillc/ledger", "HEAD")
    assert failure("update-ref", answer).hint == "rename it: git branch -m OLD NEW"


def test_dubious_ownership_is_explained(root: Path):
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    for path in (root, root / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(RepoError, match="belongs to another user") as caught:
        Repository.open(root)
    assert "safe.directory" in str(caught.value.hint)


def test_a_git_that_was_killed_gave_no_answer(root: Path, tmp_path: Path, monkeypatch):
    """A question whose `no` is an exit code must not take a killed git for a no."""
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nkill -9 $$\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(RepoError, match="was killed by signal 9"):
        Git(root).ask("config", "--get", "user.name")


def test_ignore_rules_are_asked_for_a_path_that_need_not_exist(root: Path):
    (root / ".gitignore").write_text("out/\n*.log\n")
    git = Git(root)
    assert git.is_ignored("out/x/SKILL.md")
    assert git.is_ignored("a.log")
    assert not git.is_ignored("README.md")
    assert not git.is_ignored("src/out.py")
