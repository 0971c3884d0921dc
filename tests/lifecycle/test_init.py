"""A namespace is made once, never overwritten, and nothing is committed."""

from pathlib import Path

import pytest

from skillc.core.policy import parse_policy
from skillc.errors import PolicyError, RepoError
from skillc.lifecycle.init import init
from skillc.repo.keys import tool_key
from tests.repositories import commit_files, run_git


def test_init_writes_policy_and_attributes_and_commits_nothing(root: Path):
    head = run_git(root, "rev-parse", "HEAD")
    report = init(root)

    assert report.written == ("skillc.yaml", ".gitattributes")
    assert run_git(root, "rev-parse", "HEAD") == head
    assert run_git(root, "status", "--porcelain").splitlines() == ["?? .gitattributes", "?? skillc.yaml"]


def test_every_setting_of_the_policy_is_in_the_file_with_its_default(root: Path):
    init(root, namespace="acme")
    text = (root / "skillc.yaml").read_text("utf-8")
    found = parse_policy(text.encode())
    plain = parse_policy(b"format: skillc.namespace/1\nnamespace: acme\nsecurity_domain: acme\n")

    assert found.model_copy(update={"verifiers": (), "traces": plain.traces}) == plain
    for model in (type(plain), type(plain.traces), type(plain.approval), type(plain.thresholds), type(plain.scan)):
        for name in model.model_fields:
            assert f"{name}:" in text, name


def test_the_tool_key_is_registered_and_lies_outside_the_repository(root: Path, home: Path):
    init(root)
    policy = parse_policy((root / "skillc.yaml").read_bytes())
    assert policy.verifiers[0].key == tool_key()
    private = home / ".config" / "skillc" / "keys" / "tool"
    assert private.stat().st_mode & 0o077 == 0


def test_another_machine_is_told_that_its_key_is_not_registered(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert init(root).is_key_registered
    assert init(root).is_key_registered
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "elsewhere"))
    assert not init(root).is_key_registered


def test_init_again_changes_nothing(root: Path, snapshot):
    init(root)
    before = snapshot(root)
    report = init(root)
    assert report.written == ()
    assert snapshot(root) == before


def test_a_file_that_a_person_changed_is_kept(root: Path):
    init(root)
    text = (root / "skillc.yaml").read_text("utf-8") + "# mine\n"
    (root / "skillc.yaml").write_text(text, "utf-8")
    (root / ".gitattributes").write_text("*.png binary\n", "utf-8")
    init(root)

    assert (root / "skillc.yaml").read_text("utf-8") == text
    assert (root / ".gitattributes").read_text("utf-8").startswith("*.png binary\n.claude/skills/** -text\n")


def test_a_broken_policy_is_named_with_its_line_and_kept(root: Path):
    (root / "skillc.yaml").write_text("format: skillc.namespace/1\nnamespace: [\n", "utf-8")
    with pytest.raises(PolicyError, match=r"skillc.yaml:\d+:"):
        init(root)
    assert (root / "skillc.yaml").read_text("utf-8").endswith("[\n")


def test_a_repository_with_content_keeps_traces_on_a_branch(root: Path):
    commit_files(root, {"src/app.py": "print()\n"})
    assert init(root).traces == "branch"


def test_a_new_repository_keeps_traces_in_its_tree(new_repository):
    assert init(new_repository("new")).traces == "tree"


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"tests/test_a.py": "class A(unittest.TestCase): ...\n"}, "python3 -m unittest -q"),
        ({"tests/test_a.py": "def test_a():\n    assert True\n"}, "python3 -m pytest -q"),
        ({"tests/test_a.py": ""}, ""),
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, "python3 -m pytest -q"),
        ({"package.json": "{}"}, "npm test --silent"),
        ({"go.mod": "module x\n"}, "go test ./..."),
        ({"Cargo.toml": ""}, "cargo test --quiet"),
        ({"README.md": ""}, ""),
    ],
)
def test_the_projects_own_test_command_is_proposed(new_repository, files: dict[str, str], command: str):
    assert " ".join(init(new_repository("p", files=files)).check) == command


def test_a_namespace_is_made_from_the_folders_name(new_repository):
    assert init(new_repository("My App (v2)")).namespace == "my-app-v2"


def test_init_runs_in_a_folder_below_the_root(root: Path):
    (root / "deep" / "er").mkdir(parents=True)
    init(root / "deep" / "er")
    assert (root / "skillc.yaml").is_file()


def test_outside_a_repository_it_says_what_to_do(tmp_path: Path):
    with pytest.raises(RepoError) as stop:
        init(tmp_path)
    assert "git init" in str(stop.value.hint)


def test_a_link_in_place_of_the_policy_is_not_followed(root: Path, tmp_path: Path):
    (tmp_path / "elsewhere").write_text("secret", "utf-8")
    (root / "skillc.yaml").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RepoError, match="link"):
        init(root)
    assert (tmp_path / "elsewhere").read_text("utf-8") == "secret"
