"""Whether a shell line runs exactly a check, with nothing that hides how it ended; bash itself is asked too."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.core.trace.check_lines import RunKind, leaves_folder, only_looks, read_run, shell_change

RUN = ("python", "-m", "pytest", "-q")
LINE = "python -m pytest -q"


@pytest.mark.parametrize(
    "line",
    [
        LINE, f"  {LINE}  ", f"{LINE}\n", f"{LINE};", f"{LINE} 2>&1", f"{LINE} < /dev/null", f"{LINE} # all of it",
        f"timeout 60 {LINE}", f"timeout -k 5 60s {LINE}", f"timeout --preserve-status 60 {LINE}", f"time {LINE}",
        f"env {LINE}", f"nice -n 5 {LINE}", f"NO_COLOR=1 CI=1 {LINE}", f"env PYTHONDONTWRITEBYTECODE=1 {LINE}",
        f"cd . && {LINE}", f"cd ./; {LINE}", f"bash -c '{LINE}'", f"bash -lc \"{LINE}\"", "python -m 'pytest' \"-q\"",
        "python -m \\\n  pytest -q", f"command {LINE}", f"timeout 5 env CI=1 {LINE}",
    ],
)  # fmt: skip
def test_a_line_that_runs_only_the_check_is_clean(line: str):
    assert read_run(line, RUN).kind is RunKind.CLEAN, read_run(line, RUN).reason


@pytest.mark.parametrize(
    "line",
    [
        f"{LINE} || true", f"{LINE}; true", f"{LINE} | tail -5", f"{LINE} |& tee log", f"{LINE} &", f"{LINE} && echo ok",
        f"set +e; {LINE}", f"set -o pipefail; {LINE} | tail", f"({LINE})", f"( {LINE}; exit 0 )", f"! {LINE}",
        f"if {LINE}; then echo ok; fi", f"trap 'exit 0' EXIT; {LINE}", f"{LINE} > log", f"{LINE} 2> err", f"{LINE} -x",
        f"{LINE} tests/test_one.py", f"PYTEST_ADDOPTS=--collect-only {LINE}", f"PATH=/tmp:$PATH {LINE}",
        f"env PATH=/tmp {LINE}", f"env -i {LINE}", f"env -S '{LINE} x'", f"cd sub && {LINE}", f"cd .. && {LINE}",
        f"alias python=true; {LINE}", f"python() {{ true; }}; {LINE}", f"eval '{LINE}; true'", f"echo $({LINE})",
        f"x=`{LINE}`; true", f"bash -c '{LINE}; true'", f"bash -c '{LINE}' || true", f"{LINE}\necho done",
        f"make build && {LINE}", f"source env.sh && {LINE}", f"{LINE} <<EOF\nx\nEOF", f"{{ {LINE}; }}", f"exec {LINE}",
        f"sudo {LINE}", f"timeout --help {LINE}", f"cat <<EOF | sh\n{LINE}\nEOF", f"coproc {LINE}", f"xargs {LINE}",
        f"timeout $(rm a) {LINE}", f"CI=`rm a` {LINE}", f"{LINE}'", f"CI=$'\\'' ; rm a ; CI=$'\\'' {LINE}",
        f"bash -c 'bash -c \"{LINE}\"'", f"nohup {LINE} &", f"while ! {LINE}; do sleep 1; done",
    ],
)  # fmt: skip
def test_a_line_that_can_hide_how_the_check_ended_is_masked(line: str):
    assert read_run(line, RUN).kind is RunKind.MASKED
    assert read_run(line, RUN).reason


@pytest.mark.parametrize(
    "line",
    [
        "python -m unittest", "ls", "", "pytest -q", f"echo '{LINE}'", f"grep -n '{LINE}' README.md",
        f"git commit -m 'run {LINE}'",
    ],
)  # fmt: skip
def test_a_line_that_does_not_run_it_is_another(line: str):
    assert read_run(line, RUN).kind is RunKind.OTHER


def test_words_that_the_shell_expands_are_not_the_registered_ones():
    run = ("pytest", "tests/*.py")
    assert read_run("pytest 'tests/*.py'", run).kind is RunKind.CLEAN
    assert read_run("pytest tests/*.py", run).kind is RunKind.MASKED
    assert read_run("", ()).kind is RunKind.OTHER


_MASKS = st.sampled_from(
    [
        "{} || true", "{} || :", "{}; true", "{}; echo $?", "{} | cat", "{} |& tail -1", "{} &", "({})", "{{ {}; }}", "! {}",
        "{} && true", "set +e; {}", "{} > /dev/null", "false || {}", "true; {}", "{}\ntrue", "cd sub; {}", "A=1 {}",
        "if {}; then :; fi", "$({})", "`{}`", "trap : EXIT; {}", "{} -k none", "exec {}", "bash -c '{}; true'",
    ]
)  # fmt: skip
_WRAPPERS = st.sampled_from(["{}", "timeout 60 {}", "time {}", " {} ", "{} 2>&1", "CI=1 {}", "cd . && {}"])


@given(st.lists(_MASKS, min_size=1, max_size=3), st.lists(_WRAPPERS, max_size=3))
def test_no_mask_gets_through_whatever_stands_around_it(masks: list[str], wrappers: list[str]):
    line = LINE
    for shape in (*masks, *wrappers):
        line = shape.format(line)
    assert read_run(line, RUN).kind is not RunKind.CLEAN


@given(st.text(max_size=200))
def test_any_text_is_read_and_is_clean_only_when_its_words_are_there(text: str):
    for line in (text, f"{LINE}{text}", f"{text} {LINE}"):
        reading = read_run(line, RUN)
        assert reading.kind is not RunKind.CLEAN or all(word in line for word in RUN)
        assert only_looks(line) in (True, False)
        shell_change(line)
        leaves_folder(line)


@pytest.mark.parametrize(
    "line",
    [
        "ls -la", "cat a | grep b | wc -l", "git status && git diff", "git add -A && git commit -m 'x'", "git push",
        "sed -n 1,20p a.py", "find . -name '*.py'", "grep x a 2>/dev/null", "cd src",
        "git add -A && git commit -m \"$(cat <<'EOF'\nFix `totals`; don't $(round)\n\nEOF\n)\" && git status",
        "cat <<EOF\nplain\nEOF", "git ls-files --exclude-standard", "echo done", "sort a | uniq -c", "",
    ],
)  # fmt: skip
def test_lines_that_only_look(line: str):
    assert only_looks(line)


@pytest.mark.parametrize(
    "line",
    [
        "echo x > a", "cat a >> b", "sed -i s/a/b/ c", "sed -n 'w out' a", "rm a", "python x.py", "find . -delete", "cat $(rm a)",
        "find . -exec rm {} ;", "git checkout -- .", "git stash", "git reset --hard", "sort -o a a", "tee a", "ls `rm a`",
        "git diff --output=a", "uniq a b", "cp a b", "(rm a)", "x=1 rm a", "xargs rm", "rg --pre rm x", "awk '{print > 1}'", "git",
        "sed -n 1p -i a", "sed -n 1p a --in-place", "sed -n 1p -e 'w b' a", "cat <<EOF\n$(rm a)\nEOF", "sort --ou=b a",
        "git fetch --upload-pa=x o", "git push --exe=x", "git diff --ext-d", "git grep --open=x a", "rg --hostname-bin=x a",
        "file -zC", "<`touch p`", "cat < $(touch p)", "echo $'\\'' ; rm a ; echo $'\\''", "cat <<EOF\n EOF\necho '\nEOF\nrm a #'", "echo 'a",
        "echo ' \"$(cat <<'EOF'\n'; rm a\nEOF\n)\"",
    ],
)  # fmt: skip
def test_a_line_that_is_not_known_to_only_look_may_write(line: str):
    assert not only_looks(line)


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("alias pytest=true", True), ("pytest() { true; }", True), ("function pytest { true; }", True), ("trap : EXIT", True),
        ("export PATH=/tmp:$PATH", True), (". ./env", True), ("ls; hash -p /bin/true pytest", True), ("export CI=1", False),
        ("PATH=/tmp:$PATH", True), ("x=1; A=2 PYTEST_ADDOPTS=--co", True), ("PATH=/tmp ls", False), ("x=1", False),
        ("ls", False), ("git commit -m 'alias'", False), ("echo alias", False),
    ],
)  # fmt: skip
def test_what_a_line_leaves_behind_in_the_shell(line: str, changes: bool):
    assert (shell_change(line) is not None) is changes


@pytest.mark.parametrize(
    ("line", "moved"),
    [
        ("cd sub", True),
        ("ls && cd /tmp", True),
        ("cd .", False),
        ("cd sub && cd .", False),
        ("ls", None),
        ("pushd x", True),
        ('echo "$(echo ")")"; cd /tmp', True),
        ("git commit -m \"$(cat <<'EOF'\ncd away\nEOF\n)\"", None),
    ],
)
def test_a_line_that_moves_to_another_folder(line: str, moved: bool | None):
    assert leaves_folder(line) is moved


_PIECES = st.sampled_from(
    [
        "'", '"', "$'", "\\", "\n", ";", " ", "touch p", "echo a", "cat <<EOF", "cat <<'EOF'", "cat <<-EOF", "EOF", " EOF", "\tEOF",
        "$(", ")", "`", "#", "&&", "|", "(", "{", "}", "x=", "<", ">", "&", "$", "CI=1", "chk -q", "cd .", "true", "2>&1", "!",
        'git commit -m "$(cat <<\'EOF\'\nmsg\nEOF\n)"', "bash -c", "time", "timeout 5",
    ]
)  # fmt: skip
_LINES = st.lists(_PIECES, max_size=9).map("".join)
_SHELL = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=800, deadline=None)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the only programs that a tried line can start; `chk` is the check, and it fails with 7."""
    folder = tmp_path_factory.mktemp("programs")
    for name in ("cat", "touch", "bash", "timeout"):
        (folder / name).symlink_to(str(shutil.which(name)))
    for name, text in {"chk": '[ "$*" = -q ] && exit 7\nexit 8', "git": "exit 0"}.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        (folder / name).chmod(0o755)
    return folder


def bash(line: str, programs: Path, folder: Path) -> int:
    """Runs a line as a host does, in an empty folder, and returns how it ended."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    command = [str(programs / "bash"), "-c", line]
    environment = {"PATH": str(programs), "HOME": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=20
    )
    return done.returncode


@_SHELL
@given(_LINES)
def test_bash_writes_nothing_on_a_line_that_only_looks(programs: Path, tmp_path: Path, line: str):
    if only_looks(line):
        bash(line, programs, tmp_path / "w")
        assert os.listdir(tmp_path / "w") == []


@_SHELL
@given(_LINES, _LINES, st.booleans())
def test_bash_ends_a_clean_line_as_the_check_ends_and_does_nothing_else(
    programs: Path, tmp_path: Path, before: str, after: str, blank: bool
):
    line = f"{before}{' ' * blank}chk -q{' ' * blank}{after}"
    if read_run(line, ("chk", "-q")).kind is RunKind.CLEAN:
        assert bash(line, programs, tmp_path / "w") in (
            7,
            124,
            125,
            126,
            127,
        )  # those of programs that could not start it
        assert os.listdir(tmp_path / "w") == []
