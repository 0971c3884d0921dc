"""Approvals: a person's signed word for exactly one result group.

The record names the group's manifest digest and the folder of every version, so that it speaks for no other
content. Paper: 5.4, Approval modes. Not here: signing and checking (lifecycle.approvals), merge records of a forge
(core.trace.verification).
"""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from skillc.core.compile.history import RunVersion
from skillc.core.record import Moment, Record

APPROVAL_FORMAT = "skillc.approval/1"
GROUP_PATTERN = r"^sha256:[0-9a-f]{64}$"
GroupDigest = Annotated[str, Field(pattern=GROUP_PATTERN)]


class ApprovalRecord(Record):
    """The payload that an approver signs. `group` is the manifest digest of the result group."""

    format: Literal["skillc.approval/1"] = "skillc.approval/1"
    namespace: str
    group: GroupDigest
    run: str
    task_family: str
    versions: tuple[RunVersion, ...]
    by: str
    reason: str = ""
    at: Moment
    previous: tuple[str, ...] = ()

    def speaks_for(self, *, namespace: str, group: str, versions: Iterable[RunVersion]) -> bool:
        """Says whether this is the approval of exactly this content: group, Skills and folders."""
        wanted = {(v.skill_id, v.change, v.tree) for v in versions}
        own = {(v.skill_id, v.change, v.tree) for v in self.versions}
        return (self.namespace, self.group) == (namespace, group) and own == wanted


def ledger_folder(kind: Literal["approvals", "evaluations"], group: str) -> str:
    """Returns where the signed records of a group lie on the ledger."""
    return f"{kind}/{group.removeprefix('sha256:')}"
