"""The result group: related changes of one run, under one manifest digest, admitted together or not at all.

Paper: 5.3 Curator, 5.4 Group admission. Not here: gates (core.admit.gates), commits (lifecycle.candidates).
"""

from collections.abc import Iterable

from skillc.core.compile.withdrawal import WithdrawnNote
from skillc.core.record import Record, digest_of, pretty_json
from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE, ChangeKind, Contract, Replaced
from skillc.core.skill.render import render_agent_view


class LostLine(Record):
    """A line of a current Skill that the new version does not have. Without a reason, a person looks."""

    skill: str
    field: str
    claim_id: str
    text: str
    reason: str = ""


class Change(Record):
    """One Skill version of a group.

    `base_tree` is what its folder holds before; `removes` are the other folders that go with it. A withdrawal
    carries the contract that goes out of service, and removes its own folder.
    """

    kind: ChangeKind
    contract: Contract
    base_tree: str | None = None
    proposal_id: str
    fields: tuple[str, ...] = ()
    removes: tuple[Replaced, ...] = ()
    lost: tuple[LostLine, ...] = ()
    reason: str = ""
    withdrawn: WithdrawnNote | None = None

    @property
    def has_folder(self) -> bool:
        """Says whether the Skill's folder is there after the change."""
        return self.kind is not ChangeKind.WITHDRAW


class ResultGroup(Record):
    """The changes of one run. `manifest` names every change by Skill and content."""

    run: str
    task_family: str
    manifest: str
    changes: tuple[Change, ...]


def make_group(run: str, task_family: str, changes: tuple[Change, ...]) -> ResultGroup:
    """Returns the group with its manifest digest written into the origin of every contract that is made.

    A withdrawal keeps the contract that goes as it is. The manifest names what is made; where nothing is, what goes.
    """
    ordered = tuple(_with_origin(c, run=run, group="") for c in sorted(changes, key=lambda c: c.contract.name))
    manifest = manifest_digest(ordered)
    named = tuple(_with_origin(change, run=run, group=manifest) for change in ordered)
    return ResultGroup(run=run, task_family=task_family, manifest=manifest, changes=named)


def _with_origin(change: Change, *, run: str, group: str) -> Change:
    if not change.has_folder:
        return change
    origin = change.contract.origin.model_copy(update={"run": run, "group": group})
    return change.model_copy(update={"contract": change.contract.model_copy(update={"origin": origin})})


def manifest_digest(changes: tuple[Change, ...]) -> str:
    """Returns the digest over (Skill, content) of every change; the same before and after it is named.

    It needs contracts alone, so that `check` can compute it from folders after a squash merge.
    """
    made = [c.contract for c in changes if c.has_folder]
    return manifest_of(made or (c.contract for c in changes))


def manifest_of(contracts: Iterable[Contract]) -> str:
    """Returns the manifest digest of contracts that belong together."""
    return digest_of(sorted([c.skill_id, c.content_digest()] for c in contracts))


def skill_files(contract: Contract) -> dict[str, bytes]:
    """Returns the files of a Skill version's folder: the agent view and the contract with its citations."""
    return {
        SKILL_FILE: render_agent_view(contract).encode("utf-8"),
        CONTRACT_FILE: pretty_json(contract),
    }


def trailers(change: Change, group: ResultGroup) -> dict[str, str]:
    """Returns the trailers of a version's commit, in their fixed order."""
    return {
        "Skillc-Skill": change.contract.name,
        "Skillc-Id": change.contract.skill_id,
        "Skillc-Change": change.kind.value,
        "Skillc-Run": group.run,
        "Skillc-Group": group.manifest,
        "Skillc-Contract": digest_of(change.contract),
    }
