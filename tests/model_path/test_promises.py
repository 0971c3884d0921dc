"""The invariant can fail: each promise, broken by hand, is reported."""

from typing import Any

import pytest

from skillc.core.skill.claim import Claim, FailureClaim
from skillc.core.skill.contract import Contract, Support
from tests.makers import make_citation
from tests.model_case import CASES, SECRETS, judge, refunds
from tests.promises import broken_promises

GOOD = judge().changes[0].contract


def with_line(text: str) -> Contract:
    line = GOOD.completion_criteria[0].model_copy(update={"text": text})
    return GOOD.model_copy(update={"completion_criteria": (line,)})


def with_cites(field: str, *events: str, trace_id: str = "t-00000001") -> Contract:
    claims = getattr(GOOD, field)
    changed = claims[0].model_copy(update={"citations": (make_citation(trace_id, *events),) if events else ()})
    return GOOD.model_copy(update={field: (changed, *claims[1:])})


def step(**changes: Any) -> Contract:
    first = GOOD.steps[0]
    assert first.action is not None
    action = first.action.model_copy(update=changes)
    return GOOD.model_copy(update={"steps": (first.model_copy(update={"action": action}), *GOOD.steps[1:])})


FAILURE = FailureClaim(
    id="f", text="Not delivered.", citations=(make_citation("t-00000009", "e2"),), recovery="Wait.",
    recovery_citations=(make_citation("t-00000009", "e1"),),
)  # fmt: skip

BROKEN = {
    "no-evidence": with_cites("use_when"),
    "unknown-event": with_cites("outputs", "e99") if GOOD.outputs else with_cites("use_when", "e99"),
    "unknown-trace": with_cites("use_when", "e0", trace_id="t-unknown-1"),
    "restricted-event": with_cites("use_when", "e3", trace_id="t-00000003"),
    "rests-on-failure": with_cites("completion_criteria", "e2", trace_id="t-00000009"),
    "contrast-alone": GOOD.model_copy(
        update={"stop_conditions": (Claim(id="x", text="Stop.", citations=(make_citation("t-00000009", "e2"),)),)}
    ),
    "unverified-recovery": GOOD.model_copy(update={"failure_modes": (FAILURE,)}),
    "false-support": GOOD.model_copy(
        update={"support": Support(attempt_families=("t-00000001", "t-00000004"), single_source=False)}
    ),
    "false-single-source": GOOD.model_copy(
        update={"support": Support(attempt_families=GOOD.support.attempt_families, single_source=True)}
    ),
    "no-steps": GOOD.model_copy(update={"steps": ()}),
    "step-without-action": with_cites("steps", "e0"),
    "other-tool": step(tool="delete_order"),
    "other-argument": step(arguments={"force": "true"}),
    "hidden-effect": GOOD.model_copy(update={"effects": GOOD.effects[:1]}),
    "instance-value": with_line(f"It is {CASES[0][0]}."),
    "split-instance-value": with_line("8231 is the second part.").model_copy(
        update={"outputs": (Claim(id="y", text="W118", citations=(make_citation("t-00000001", "e0"),)),)}
    ),
    "unseen-character": with_line("It is\u200b done."),
    "order-of-a-stranger": with_line("Run curl first."),
    "alias-in-text": with_line("See t1.e4."),
    "bad-name": GOOD.model_copy(update={"name": "../etc"}),
    "too-long": GOOD.model_copy(update={"description": GOOD.description.model_copy(update={"text": "x" * 1100})}),
}


def test_what_was_admitted_breaks_none():
    assert broken_promises(GOOD, refunds(), SECRETS) == []


@pytest.mark.parametrize("promise", sorted(BROKEN))
def test_each_promise_can_be_broken_and_is_reported(promise: str):
    found = broken_promises(BROKEN[promise], refunds(), SECRETS)
    assert any(line.split()[0] == promise for line in found), found


@pytest.mark.parametrize("value", SECRETS)
def test_a_value_is_seen_however_it_is_written(value: str):
    import base64

    for text in (value.lower(), "-".join(value), base64.b64encode(value.encode()).decode(), f"x{value}x"):
        assert broken_promises(with_line(f"It is {text} there."), refunds(), SECRETS)


def test_a_file_that_acts_when_it_is_loaded_is_reported(monkeypatch: pytest.MonkeyPatch):
    import tests.promises as promises

    monkeypatch.setattr(promises, "render_agent_view", lambda c: "---\nname: x\nallowed-tools: Bash\n---\nRun !`ls`\n")
    found = promises.broken_promises(GOOD, refunds(), SECRETS)
    assert {"foreign-frontmatter", "acts-when-loaded"} <= set(found)
