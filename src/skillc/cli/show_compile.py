"""How runs and what `sync` moved look on a terminal."""

from typing import TYPE_CHECKING

from skillc.cli import view
from skillc.cli.show_upkeep import show_due, show_gone, show_near_duplicates
from skillc.cli.view import literal, printable, say, styled
from skillc.core.compile.calls import ANSWERED
from skillc.core.skill.render import plural

if TYPE_CHECKING:
    from skillc.core.compile.calls import CostEstimate, ModelCall
    from skillc.lifecycle.compile_report import CompileReport, FamilyReport
    from skillc.lifecycle.sync import SyncReport

_COLOURS = {
    "block": "red",
    "warn": "yellow",
    "info": "dim",
    "pass": "green",
    "hold": "yellow",
    "reject": "red",
}


def show_compile(report: "CompileReport", *, minimum: int, base: str) -> None:
    """Prints what each family's run read, left out and made."""
    for family in report.families:
        _show_family(family)
    waiting = [f for f in report.families if f.group.state == "candidate" and f.group.versions]
    large = [g for g in report.groups if g.attempt_families >= minimum and g.operations]
    if large or (report.groups and not report.families):
        say(f"{sum(g.traces for g in report.groups)} Traces belong to no task family; their groups:")
        for group in report.groups[:12]:
            verified = f"{group.verified_families} with a verified success"
            say(f"  {group.slug}  {group.attempt_families} attempt families, {verified}")
        view.hint("accept groups: skillc families accept; one Trace alone: skillc compile --trace ID --family NAME")
    elif not report.families:
        say("no Traces yet")
        view.hint("next: skillc capture --all")
    elif not waiting and any("no strongly verified success" in f.note for f in report.families):
        view.hint("let something other than the agent judge the attempts: skillc verify --run CHECK")
    if waiting:
        name = waiting[0].task_family
        view.hint(
            f"look: skillc review {name}\n      merge: git switch {base} && git merge --no-ff {waiting[0].group.branch}"
        )


def _show_family(family: "FamilyReport") -> None:
    reasons: dict[str, int] = {}
    for left in family.left_out:
        reasons[left.reason] = reasons.get(left.reason, 0) + 1
    left_out = "; left out " + ", ".join(f"{n} {literal(r)}" for r, n in sorted(reasons.items())) if reasons else ""
    read = f"read {len(family.read)} Traces, {family.attempt_families} attempt families"
    say(f"{styled(family.task_family, 'bold')}: {read}{left_out}")
    for proposal in family.proposals:
        if proposal.outcome != "pending":
            say(f"  {styled(proposal.outcome, 'red')}  {proposal.skill or '-'}  {proposal.operation}")
            for reason in proposal.reasons[:8]:
                say(f"      {literal(reason)}")
    show_due(family)
    for version in family.group.versions:
        word = family.group.state if version.commit else "would be a candidate"
        fields = f"  {', '.join(version.fields)}" if version.fields else ""
        single = "  single-source" if version.single_source else ""
        commit = (version.commit or "")[:12]
        say(f"  {styled(word, 'green')}  {version.skill}  {version.change}{fields}{single}  {commit}")
        if version.change == "withdraw":
            show_gone(version)
        show_near_duplicates(version)
    for gate in family.group.gates:
        if gate.result.value != "pass":
            say(f"      {styled(gate.result.value, _COLOURS[gate.result.value])}  {gate.gate}: {literal(gate.reason)}")
    for contract in family.contracts:
        from skillc.core.skill.render import render_agent_view

        say("\n" + printable(render_agent_view(contract)))
    if family.estimate is not None:
        _show_estimate(family.estimate)
    if family.calls:
        _show_calls(family.calls)
    if family.note:
        say(f"  {literal(family.note)}")


def _show_estimate(estimate: "CostEstimate") -> None:
    cost = estimate.cost_usd_at_most
    known = f"at most ${cost:.2f}, retries aside" if cost is not None else "cost unknown: no price of a model"
    say(f"  would ask {estimate.calls} times ({', '.join(literal(m) for m in estimate.models) or 'no model'}): {known}")
    tokens = f"{estimate.input_tokens} input tokens by {estimate.counted_by}"
    say(f"  {tokens}, at most {estimate.output_tokens_at_most} output tokens; {estimate.recorded} answers are kept")


def _show_calls(calls: "tuple[ModelCall, ...]") -> None:
    """Prints what models answered and what it cost, then which questions got no answer and why."""
    fresh = [c for c in calls if not c.is_recorded]
    answered = [c for c in fresh if c.outcome == ANSWERED or _tokens_of(c)]
    if answered or len(fresh) < len(calls):
        again = len(calls) - len(fresh)
        kept = f", {again} {plural('answer', again)} from earlier" if again else ""
        output = sum(c.output_tokens for c in answered)
        used = f"{sum(map(_tokens_of, answered)) - output} input and {output} output tokens"
        cost = sum(c.cost_usd for c in answered)
        say(f"  {len(answered)} {plural('model call', len(answered))}{kept}: {used}, ${cost:.4f}")
    lost = [(c.role.replace("_", " "), c.reason or c.outcome) for c in fresh if c not in answered]
    for role, reason in dict.fromkeys(lost):
        times = f" ({lost.count((role, reason))} times)" if lost.count((role, reason)) > 1 else ""
        say(f"  no answer for the {literal(role)}{times}: {literal(reason)}")


def _tokens_of(call: "ModelCall") -> int:
    return call.input_tokens + call.cache_read_tokens + call.cache_write_tokens + call.output_tokens


def show_sync(report: "SyncReport") -> None:
    """Prints what happened to each branch."""
    for ref in report.refs:
        say(f"{ref.state.ljust(17)}  {ref.branch}" + (f"  {literal(ref.reason)}" if ref.reason else ""))
    if not report.refs:
        say("nothing to move: no ledger, candidate or Trace here or there")
