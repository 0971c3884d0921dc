"""Which calls a policy wants stored as references."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.policy import RestrictedPattern
from skillc.core.trace.restriction import Restriction


def matches(
    pattern: dict[str, str], tool: str, arguments: dict[str, object], labels: frozenset[str] = frozenset()
) -> bool:
    return Restriction([RestrictedPattern(**pattern)]).matches(tool, arguments, labels)


@pytest.mark.parametrize(
    ("pattern", "tool", "arguments"),
    [
        ({"tool": "mcp__hr__*"}, "mcp__hr__read", {}),
        ({"path": "secrets/**"}, "Read", {"file_path": "/srv/shop/secrets/db.yaml"}),
        ({"path": "secrets/**"}, "Bash", {"command": "cat ./a/../secrets/db.yaml | head"}),
        ({"path": "secrets/**"}, "Bash", {"command": "cd secrets && cat db.yaml"}),
        ({"path": "secrets/**"}, "Bash", {"command": "cat sec'ret's/db.yaml"}),
        ({"path": "secrets/**"}, "Bash", {"command": "cat secre*/db.yaml"}),
        ({"path": "secrets/**"}, "Bash", {"command": "cat Secrets/DB.yaml"}),
        ({"path": "secrets/**"}, "Grep", {"pattern": "x", "path": "secrets"}),
        ({"path": "secrets/**"}, "Bash", {"command": "ls secrets"}),
        ({"tool": "mcp__hr__*"}, "mcp__HR__read", {}),
        ({"path": "secrets/**"}, "Bash", {"command": "echo x > secrets/new"}),
        ({"path": "secrets/**"}, "Bash", {"command": "bash -c 'cat secrets/db.yaml'"}),
        ({"path": "*.pem"}, "Read", {"file_path": "certs/a.pem"}),
        (
            {"path": "secrets/**"},
            "apply_patch",
            {"input": "*** Begin Patch\n*** Update File: secrets/a\n+x\n*** End Patch"},
        ),
        ({"host": "*.corp.example"}, "WebFetch", {"url": "https://git.corp.example:8443/x"}),
        ({"host": "*.corp.example"}, "Bash", {"command": "ssh ann@git.corp.example ls"}),
        ({"tool": "Bash", "host": "db*"}, "Bash", {"command": "psql -h db1 shop"}),
    ],
)
def test_a_call_that_touches_what_is_restricted_matches(
    pattern: dict[str, str], tool: str, arguments: dict[str, object]
):
    assert matches(pattern, tool, arguments)


@pytest.mark.parametrize(
    ("pattern", "tool", "arguments"),
    [
        ({"tool": "mcp__hr__*"}, "mcp__crm__read", {}),
        ({"path": "secrets/**"}, "Read", {"file_path": "src/secrets.py"}),
        ({"path": "secrets/**"}, "Bash", {"command": "git commit -m 'move secrets out'"}),
        ({"path": "secrets/**"}, "Bash", {"command": "python -c 'import secrets; print(secrets.token_hex())'"}),
        ({"path": "secrets/**"}, "Bash", {"command": "kubectl get secrets"}),
        ({"path": "secrets/**"}, "Grep", {"pattern": "secrets/"}),
        ({"path": "secrets/**"}, "Write", {"file_path": "docs/a.md", "content": "keep it in secrets/db.yaml"}),
        ({"host": "*.corp.example"}, "WebFetch", {"url": "https://corp.example.org/"}),
        ({"tool": "Read", "path": "secrets/**"}, "Bash", {"command": "cat secrets/a"}),
    ],
)
def test_other_calls_do_not(pattern: dict[str, str], tool: str, arguments: dict[str, object]):
    assert not matches(pattern, tool, arguments)


def test_all_that_an_entry_names_must_match():
    pattern = {"tool": "Read", "label": "hr-*"}

    assert matches(pattern, "Read", {}, frozenset(("hr-payroll",)))
    assert not matches(pattern, "Read", {}, frozenset(("billing",)))
    assert not matches(pattern, "Write", {}, frozenset(("hr-payroll",)))


def test_an_entry_that_names_nothing_is_refused():
    with pytest.raises(ValueError, match="none of tool, path, host and label"):
        RestrictedPattern()


@pytest.mark.parametrize(
    "text",
    [
        "secrets/db.yaml:3:password: x",
        "src/a.py-2-x\nsecrets/db.yaml-4-y",
        "secrets/db.yaml:password: x",
        "\x1b[35msecrets/db.yaml\x1b[m:\x1b[32m3\x1b[m:password: x",
        "diff --git a/secrets/db.yaml b/secrets/db.yaml\n--- a/secrets/db.yaml\n+++ b/secrets/db.yaml\n+x",
        "--- /dev/null\n+++ b/secrets/new\n",
        "==> secrets/db.yaml <==\nx",
    ],
)
def test_a_result_that_shows_a_restricted_file_matches(text: str):
    rule = Restriction([RestrictedPattern(path="secrets/**")])

    assert rule.matches_text("Bash", text)
    assert not Restriction([RestrictedPattern(path="secrets/**", tool="Read")]).matches_text("Bash", text)
    assert not Restriction([RestrictedPattern(tool="hr")]).matches_text("Bash", text)


@pytest.mark.parametrize(
    "text", ["secrets\nsrc", "see secrets/db.yaml", "secrets: 3", "src/secrets.py:3:x", "", "+++", "12:30:10 done"]
)
def test_a_result_that_only_names_it_does_not(text: str):
    assert not Restriction([RestrictedPattern(path="secrets/**")]).matches_text("Bash", text)


@given(
    st.text(max_size=200), st.dictionaries(st.text(max_size=5), st.text(max_size=40) | st.lists(st.text(max_size=9)))
)
def test_any_call_is_answered(line: str, arguments: dict[str, object]):
    rule = Restriction([RestrictedPattern(path="a/**"), RestrictedPattern(host="*.b", tool="x*")])

    assert rule.matches("Bash", {"command": line}) in (True, False)
    assert rule.matches("x", arguments) in (True, False)
    assert rule.matches_text(None, line) in (True, False)
