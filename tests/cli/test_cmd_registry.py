"""`verifier add` and `verifier list` on the command line."""

import json

import pytest

from tests.world import CHECK, World

pytestmark = pytest.mark.slow  # a process or a repository for each case


def test_a_mapping_is_added_and_counts_once_it_is_on_base(fresh: World):
    done = fresh.run("verifier", "add", "reward", "--kind", "external", "--field", "reward", "--success-at", "1")
    assert done.returncode == 0
    assert "counts once it is on base" in done.stderr
    assert fresh.context().policy.verifier("reward") is None
    fresh.git("commit", "--quiet", "-am", "verifier")
    assert fresh.context().policy.verifier("reward") is not None


def test_a_mapping_may_name_whose_scores_count(fresh: World):
    mapping = ("--kind", "external", "--field", "correct", "--success-at", "0.5", "--source-type", "annotation")
    assert fresh.run("verifier", "add", "checked", *mapping).returncode == 0
    fresh.git("commit", "--quiet", "-am", "verifier")
    registered = fresh.context().policy.verifier("checked").mapping

    assert (registered.source_type, registered.ref) == ("annotation", "correct >= 0.5 of annotation")
    assert "field correct >= 0.5 of annotation" in fresh.run("verifier", "list").stdout


def test_a_check_is_added_from_one_quoted_line(fresh: World):
    done = fresh.run("verifier", "add", "lint", "--run", "ruff check 'my src'", "--protects", "src/**", "--json")
    assert done.returncode == 0
    assert 'run: [ruff, check, "my src"]' in json.loads(done.stdout)["line"]


def test_what_makes_no_sense_is_exit_2(fresh: World):
    for arguments in (
        ("x",),
        ("x", "--kind", "human"),
        ("x", "--field", "reward"),
        ("x", "--field", "reward", "--success-at", "1"),
        ("x", "--run", "unclosed 'quote"),
        ("x", "--run", "true", "--source-type", "api"),
        ("x", "--kind", "external", "--field", "f", "--success-at", "1", "--source-type", "two words"),
        ("Bad Name", "--run", "true"),
        (CHECK, "--run", "true"),
    ):
        done = fresh.run("verifier", "add", *arguments)
        assert done.returncode == 2, arguments
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("a | b", "|"), ("a && b", "&&"), ("a; b", ";"), ("a > out", ">"), ("a 2>&1", ">"), ("a&", "&"), ("a < in", "<"),
        ("a `b`", "`"), ("a $(b)", "$("), ("a $HOME", "$H"), ("CI=1 a", "CI="), ("a || b", "||"), ("a\nb", "\\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("option", ["--run", "--setup"])
def test_what_only_a_shell_understands_is_refused(fresh: World, option: str, line: str, word: str):
    other = () if option == "--run" else ("--run", "true")
    done = fresh.run("verifier", "add", "lint", *other, option, line)
    assert done.returncode == 2
    assert f"{option} holds '{word}'" in done.stderr
    assert "sh -c" in done.stderr


@pytest.mark.parametrize(
    "line",
    ["sh -c 'a | b && c > d'", "grep '>' a.txt", 'grep "a;b" x', r"find . -exec true {} \;", "x --a=b", "x 100%"],
)
def test_what_is_quoted_is_a_word(fresh: World, line: str):
    done = fresh.run("verifier", "add", "lint", "--run", line)
    assert done.returncode == 0, done.stderr


def test_list_says_what_is_trusted_here(fresh: World):
    line = next(x for x in fresh.run("verifier", "list").stdout.splitlines() if x.startswith(CHECK))
    assert line.split()[:5] == [CHECK, "tool", "local", "yes", "python3"]


def test_remove_takes_the_line_out_and_says_when_it_counts(fresh: World):
    done = fresh.run("verifier", "remove", CHECK)
    assert done.returncode == 0
    assert "counts until that is on base" in done.stderr
    assert fresh.context().policy.verifier(CHECK) is not None
    fresh.git("commit", "--quiet", "-am", "remove")
    assert fresh.context().policy.verifier(CHECK) is None
    assert fresh.run("verifier", "remove", CHECK).returncode == 2


def test_git_and_a_ci_are_registered_without_a_command(fresh: World):
    assert fresh.run("verifier", "add", "git").returncode == 0
    (fresh.home / "ci.pub").write_text("ssh-ed25519 AAAA ci\n", "utf-8")
    arguments = ("verifier", "add", "ci", "--kind", "external", "--key-file", str(fresh.home / "ci.pub"), "--key-class")
    assert fresh.run(*arguments, "sometimes").returncode == 2
    assert fresh.run(*arguments, "isolated").returncode == 0
    assert fresh.run("verifier", "add", "x", "--run", "true", "--key-class", "isolated").returncode == 2


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_a_bound_that_is_no_number_is_refused(fresh: World, number: str):
    before = (fresh.root / "skillc.yaml").read_text("utf-8")
    done = fresh.run("verifier", "add", "n", "--kind", "external", "--field", "reward", "--success-at", number)
    assert done.returncode == 2
    assert (fresh.root / "skillc.yaml").read_text("utf-8") == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("Bad Id!", "--run", "true"), "error: 'Bad Id!' cannot be registered: id: "),
        (("x", "--run", ""), "error: --run is empty"),
        (("x", "--run", "''"), "error: --run is empty"),
        (("x", "--run", "true", "--setup", " "), "error: --setup is empty"),
        (
            ("x", "--kind", "external", "--field", "r", "--success-at", "1", "--source-type", ""),
            "error: --source-type is empty",
        ),
    ],
)
def test_what_no_policy_can_hold_is_told_in_its_own_words(fresh: World, arguments: tuple[str, ...], told: str):
    before = (fresh.root / "skillc.yaml").read_bytes()
    done = fresh.run("verifier", "add", *arguments)

    assert done.returncode == 2
    assert told in done.stderr
    assert (fresh.root / "skillc.yaml").read_bytes() == before
