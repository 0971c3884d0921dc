"""The result group: one digest over all changes, the same for whoever computes it."""

import json

import yaml

from skillc.core.compile.group import Change, make_group, manifest_digest, manifest_of, skill_files, trailers
from skillc.core.record import digest_of
from skillc.core.skill.contract import ChangeKind, parse_contract
from tests.makers import make_claim, make_contract


def change(name: str = "some-family", text: str = "Does it.") -> Change:
    contract = make_contract(
        name=name, skill_id=f"s-{name.replace('-', '')}00000000", description=make_claim(text, id="description")
    )
    return Change(kind=ChangeKind.ADD, contract=contract, proposal_id="p-1")


def test_every_change_carries_run_and_manifest_of_its_group():
    group = make_group("r-9", "some-family", (change("b"), change("a")))
    assert [c.contract.name for c in group.changes] == ["a", "b"]
    assert {c.contract.origin.group for c in group.changes} == {group.manifest}
    assert {c.contract.origin.run for c in group.changes} == {"r-9"}


def test_the_manifest_can_be_computed_from_the_folders_alone():
    """`check` does so after a squash merge; the run that an engine wrote into its contracts does not matter."""
    group = make_group("r-9", "some-family", (change("a"), change("b")))
    assert manifest_digest(group.changes) == group.manifest
    assert manifest_of(c.contract for c in reversed(group.changes)) == group.manifest


def test_a_part_or_another_content_is_another_group():
    group = make_group("r-9", "some-family", (change("a"), change("b")))
    assert manifest_digest(group.changes[:1]) != group.manifest
    assert make_group("r-9", "some-family", (change("a"), change("b", "Else."))).manifest != group.manifest
    assert make_group("r-8", "some-family", (change("a"), change("b"))).manifest != group.manifest


def test_the_order_of_changes_does_not_matter():
    assert make_group("r", "f", (change("a"), change("b"))) == make_group("r", "f", (change("b"), change("a")))


def test_a_skill_folder_holds_the_agent_view_and_the_contract():
    contract = change().contract
    files = skill_files(contract)
    assert sorted(files) == ["SKILL.md", "contract.json"]
    assert parse_contract(files["contract.json"], path="c") == contract
    assert yaml.safe_load(files["SKILL.md"].decode().split("---")[1])["name"] == contract.name
    assert json.loads(files["contract.json"])["origin"]["skill_id"] == contract.origin.skill_id


def test_the_trailers_are_fixed_and_of_one_line_each():
    group = make_group("r-9", "some-family", (change(),))
    found = trailers(group.changes[0], group)
    assert list(found) == [
        "Skillc-Skill", "Skillc-Id", "Skillc-Change", "Skillc-Run", "Skillc-Group", "Skillc-Contract",
    ]  # fmt: skip
    assert found["Skillc-Contract"] == digest_of(group.changes[0].contract)
    assert found["Skillc-Group"] == group.manifest
    assert not any("\n" in value for value in found.values())
