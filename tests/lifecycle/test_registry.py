"""A verifier is added as one line, and comments and order of the file stay."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.policy import parse_policy
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.init import init
from skillc.lifecycle.registry import add_verifier, remove_verifier, verifier_line

MAPPING = {"id": "reward", "kind": "external", "mapping": {"field": "reward", "success_at": 1.0}}


def test_a_mapping_is_added_and_every_other_line_stays(root: Path):
    init(root)
    before = (root / "skillc.yaml").read_text("utf-8").splitlines()
    add_verifier(root, MAPPING)
    after = (root / "skillc.yaml").read_text("utf-8").splitlines()

    assert [line for line in after if line in before] == before
    verifier = parse_policy((root / "skillc.yaml").read_bytes()).verifier("reward")
    assert verifier is not None
    assert verifier.mapping is not None
    assert verifier.mapping.field == "reward"


@pytest.mark.parametrize(
    "block",
    [
        "verifiers: []",
        "verifiers: []  # none",
        "verifiers:\n  - {id: a, kind: tool}",
        "verifiers:\n- id: a\n  kind: tool\n",
    ],
)
def test_the_line_finds_its_place_in_every_usual_spelling(root: Path, block: str):
    text = f"format: skillc.namespace/1\nnamespace: a\nsecurity_domain: a\n{block}\n# end\nfamilies: []\n"
    (root / "skillc.yaml").write_text(text, "utf-8")
    add_verifier(root, MAPPING)
    policy = parse_policy((root / "skillc.yaml").read_bytes())
    assert policy.verifiers[-1].id == "reward"
    assert "# end\nfamilies: []" in (root / "skillc.yaml").read_text("utf-8")


def test_a_registered_id_needs_force_to_be_replaced(root: Path):
    init(root)
    add_verifier(root, MAPPING)
    with pytest.raises(UsageError, match="registered already"):
        add_verifier(root, MAPPING)
    changed = {**MAPPING, "mapping": {"field": "score", "success_at": 0.5}}
    assert add_verifier(root, changed, force=True).replaced
    policy = parse_policy((root / "skillc.yaml").read_bytes())
    assert [v.mapping.field for v in policy.verifiers if v.mapping] == ["score"]


def test_a_file_that_cannot_be_extended_is_kept_and_the_line_is_shown(root: Path):
    text = "{format: skillc.namespace/1, namespace: a, security_domain: a, verifiers: []}\n"
    (root / "skillc.yaml").write_text(text, "utf-8")
    with pytest.raises(UsageError) as stop:
        add_verifier(root, MAPPING)
    assert "id: reward" in str(stop.value.hint)
    assert (root / "skillc.yaml").read_text("utf-8") == text


def test_without_a_policy_it_says_init(root: Path):
    with pytest.raises(PolicyError) as stop:
        add_verifier(root, MAPPING)
    assert stop.value.hint == "run: skillc init"


_VALUES = st.recursive(
    st.booleans()
    | st.integers(-5, 5)
    | st.text(st.characters(codec="utf-8", exclude_characters="\x85\u2028\u2029"), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.from_regex(r"k[a-z]{1,5}", fullmatch=True), _VALUES, min_size=1, max_size=4))
def test_a_line_reads_back_as_what_it_was_made_of(entry):
    assert yaml.safe_load(verifier_line(entry)) == entry


HEAD = "format: skillc.namespace/1\nnamespace: a\nsecurity_domain: a\n"


@pytest.mark.parametrize(
    ("block", "left"),
    [
        ("verifiers:\n  # one\n  - {id: a, kind: tool}\n  # two\n  - {id: b, kind: tool}\n# end", "verifiers:\n  # one\n  # two\n  - {id: b, kind: tool}\n# end"),
        ("verifiers:\n  - {id: b, kind: tool}\n  - {id: a, kind: tool}  # why\n", "verifiers:\n  - {id: b, kind: tool}\n"),
        ("verifiers:\n- id: a\n  kind: tool\n  run: [x]\n- id: b\n  kind: tool\n", "verifiers:\n- id: b\n  kind: tool\n"),
        ("verifiers:  # all\n  - {id: a, kind: tool}\n# end", "verifiers: []  # all\n# end"),
        ("people:\n  - {id: a-b, roles: []}\nverifiers:\n  - {kind: tool, id: a}", "people:\n  - {id: a-b, roles: []}\nverifiers: []"),
    ],
)  # fmt: skip
def test_a_verifier_is_taken_out_and_every_other_line_stays(root: Path, block: str, left: str):
    (root / "skillc.yaml").write_text(HEAD + block, "utf-8")
    report = remove_verifier(root, "a")
    assert (report.id, report.removed) == ("a", True)
    assert (root / "skillc.yaml").read_text("utf-8") == HEAD + left


def test_what_was_added_can_be_taken_out_again(root: Path):
    init(root)
    before = (root / "skillc.yaml").read_bytes()
    add_verifier(root, MAPPING)
    remove_verifier(root, "reward")
    assert (root / "skillc.yaml").read_bytes() == before


def test_a_verifier_that_is_not_there_is_named_with_those_that_are(root: Path):
    (root / "skillc.yaml").write_text(HEAD + "verifiers:\n  - {id: a, kind: tool}\n", "utf-8")
    with pytest.raises(UsageError) as stop:
        remove_verifier(root, "b")
    assert stop.value.hint == "verifiers: a"


def test_a_file_that_cannot_be_shortened_is_kept(root: Path):
    text = HEAD + "verifiers: [{id: a, kind: tool}]\n"
    (root / "skillc.yaml").write_text(text, "utf-8")
    with pytest.raises(UsageError, match="cannot shorten"):
        remove_verifier(root, "a")
    assert (root / "skillc.yaml").read_text("utf-8") == text


def test_the_key_of_a_verifier_elsewhere_comes_from_a_file(root: Path, tmp_path: Path):
    init(root)
    (tmp_path / "ci.pub").write_text("ssh-ed25519 AAAA ci\n", "utf-8")
    (tmp_path / "bad.pub").write_text("-----BEGIN OPENSSH PRIVATE KEY-----\nx\n", "utf-8")
    entry = {"id": "ci", "kind": "external", "key_class": "isolated"}
    with pytest.raises(UsageError, match="no OpenSSH public key"):
        add_verifier(root, entry, key_file=tmp_path / "bad.pub")
    add_verifier(root, entry, key_file=tmp_path / "ci")
    verifier = parse_policy((root / "skillc.yaml").read_bytes()).verifier("ci")
    assert verifier is not None
    assert (verifier.key, verifier.key_class.value) == ("ssh-ed25519 AAAA ci", "isolated")
