"""An approval speaks for exactly one content: other group, folder, change or namespace, and it is silent."""

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from skillc.core.admit.approval import ApprovalRecord, ledger_folder
from skillc.core.compile.history import RunVersion

GROUP = "sha256:" + "a" * 64
VERSION = RunVersion(skill="refund", skill_id="s-11111111", change="add", tree="1" * 40)


def record(**changes: Any) -> ApprovalRecord:
    fields = {
        "namespace": "acme", "group": GROUP, "run": "r-1", "task_family": "refunds", "versions": (VERSION,),
        "by": "alice", "at": datetime(2026, 1, 1, tzinfo=UTC),
    }  # fmt: skip
    return ApprovalRecord(**(fields | changes))


def speaks(made: ApprovalRecord, **changes: Any) -> bool:
    wanted: dict[str, Any] = {"namespace": "acme", "group": GROUP, "versions": [VERSION]}
    return made.speaks_for(**(wanted | changes))


def test_an_approval_speaks_for_exactly_its_content():
    assert speaks(record())


@pytest.mark.parametrize(
    "other",
    [
        {"namespace": "other"},
        {"group": "sha256:" + "b" * 64},
        {"versions": []},
        {"versions": [VERSION.model_copy(update={"tree": "2" * 40})]},
        {"versions": [VERSION.model_copy(update={"change": "withdraw"})]},
        {"versions": [VERSION, VERSION.model_copy(update={"skill_id": "s-22222222"})]},
    ],
)
def test_an_old_approval_is_silent_about_other_content(other: dict[str, Any]):
    assert not speaks(record(), **other)


def test_a_group_is_named_by_its_whole_digest():
    with pytest.raises(ValidationError):
        record(group="aaaa")
    assert ledger_folder("approvals", GROUP) == "approvals/" + "a" * 64
