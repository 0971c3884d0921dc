"""A use is an act in a Trace: the host's Skill tool, or a look into the Skill's folder."""

from typing import Any

import pytest

from skillc.core.trace.records import EventKind
from skillc.lifecycle.skill_uses import is_used
from tests.makers import EventDraft, bash, call, make_trace, says, user


def skill_tool(**arguments: Any) -> EventDraft:
    return call("Skill", arguments) | {"kind": EventKind.SKILL_USE}


@pytest.mark.parametrize(
    "event",
    [
        skill_tool(skill="add-route"),
        skill_tool(command="shop:add-route"),
        call("Read", {"file_path": ".claude/skills/add-route/SKILL.md"}),
        bash("cat ~/.claude/skills/add-route/SKILL.md"),
    ],
)
def test_these_acts_are_uses(event: EventDraft):
    trace = make_trace(user("go"), event)
    assert is_used(trace, "add-route")
    assert not is_used(trace, "add")
    assert not is_used(trace, "route")


@pytest.mark.parametrize(
    "event",
    [
        says("I used the Skill add-route: .claude/skills/add-route/SKILL.md"),
        skill_tool(skill="add-route-2"),
        call("Read", {"file_path": ".claude/skills/add-route-2/SKILL.md"}),
        call("Search", {"query": "add-route"}),
    ],
)
def test_words_and_other_skills_are_no_use(event: EventDraft):
    assert not is_used(make_trace(user("go"), event), "add-route")
