"""Whether a shell line runs exactly a check, with nothing that hides how it ended."""

import pytest
from hypothesis import given
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
        "sed -n 1,20p a.py", "find . -name '*.py'", "grep x a 2>/dev/null", "cd src", "echo done", "sort a | uniq -c", "",
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
    ],
)  # fmt: skip
def test_a_line_that_is_not_known_to_only_look_may_write(line: str):
    assert not only_looks(line)


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("alias pytest=true", True), ("pytest() { true; }", True), ("function pytest { true; }", True), ("trap : EXIT", True),
        ("export PATH=/tmp:$PATH", True), (". ./env", True), ("ls; hash -p /bin/true pytest", True), ("export CI=1", False),
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
    ],
)
def test_a_line_that_moves_to_another_folder(line: str, moved: bool | None):
    assert leaves_folder(line) is moved
