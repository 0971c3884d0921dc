"""How approvals, policies and evaluations look on a terminal."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from skillc.cli import view
from skillc.cli.view import literal, say, styled

if TYPE_CHECKING:
    from skillc.core.admit.gates import GateVerdict
    from skillc.lifecycle.approve import ApproveReport
    from skillc.lifecycle.evaluation import EvaluationReport
    from skillc.lifecycle.policy_explain import PolicyReport

_COLOURS = {"pass": "green", "hold": "yellow", "reject": "red"}
_STATES = {"passed": "green", "failed": "red", "missing": "yellow", "requested": "yellow"}


def say_gates(gates: "Iterable[GateVerdict]", *, only_open: bool = False) -> None:
    """Prints every gate with its verdict, its reason, and what to do where it does not pass.

    `only_open` leaves those out that pass, and counts them.
    """
    found = list(gates)
    passed = [g for g in found if g.result.value == "pass"]
    if only_open and passed:
        say(f"  {styled('pass  ', 'green')}  {', '.join(g.gate for g in passed)}")
    for gate in found:
        if only_open and gate in passed:
            continue
        word = styled(gate.result.value.ljust(6), _COLOURS[gate.result.value])
        say(f"  {word}  {gate.gate.ljust(13)}  {literal(gate.reason)}")
        if gate.result.value != "pass" and gate.next:
            say(styled(f"          next: {literal(gate.next)}", "dim"))


def show_approved(report: "ApproveReport", *, dry_run: bool) -> None:
    """Prints what an approval did, and what comes next."""
    say_gates(report.gates, only_open=True)
    if dry_run:
        say(f"would sign for {literal(report.branch)}, group {report.group[:19]}")
        return
    if report.state == "known":
        say(f"{literal(report.by)} signed for exactly this group already")
    elif report.state == "admitted":
        say(f"{styled('admitted', 'green')}  {literal(report.task_family)}  by {literal(report.by)}")
    else:
        say(f"{styled('approved', 'green')}  {literal(report.branch)}  by {literal(report.by)}")
    if report.undo:
        say(f"undo: {report.undo}")
    if report.next:
        view.hint("merge it:\n      " + "\n      ".join(report.next))


def show_policy(report: "PolicyReport") -> None:
    """Prints the decision first, then every rule, then the gates."""
    where = f"policy of {report.policy_commit[:12]}" if report.policy_commit else "policy of the work tree, a draft"
    say(f"{styled(literal(report.skill), 'bold')}  {report.state}, family {literal(report.task_family)}, {where}")
    result, by = report.decision.result.value, report.decision.decided_by
    say(f"{styled(result, _COLOURS[result])}  decided by {by}: {literal(report.decision.reason)}")
    if report.decision.next:
        say(styled(f"next: {literal(report.decision.next)}", "dim"))
    if report.admission is not None:
        by = f" by {literal(report.admission.by)}" if report.admission.by else ""
        say(f"on base: {report.admission.proof}{by}, {literal(report.admission.reason)}")
    say("")
    rows = [
        (rule.setting, literal(rule.value, width=32), "applies" if rule.applies else "-", literal(rule.because))
        for rule in report.rules
    ]
    view.table(rows, header=("setting", "value", "here", "because"))
    say("")
    say_gates(report.gates)


def show_evaluations(report: "EvaluationReport") -> None:
    """Prints one line for each evaluator and candidate."""
    rows = []
    for line in report.evaluations:
        kind = "required" if line.is_required else "asked"
        known = kind if line.is_registered else f"{kind}, not registered"
        what = " ".join(
            literal(part) for part in (line.evaluator_version, line.environment, line.evidence) if part is not None
        )
        state = styled(line.state, _STATES[line.state])
        rows.append((literal(line.task_family), line.run, literal(line.evaluator), known, state, what or "-"))
    if rows:
        view.table(rows, header=("family", "run", "evaluator", "", "state", "by what, where, evidence"))
    else:
        say("no evaluation is required or asked for")
    if report.dropped_branch:
        say(f"{styled('rejected', 'red')}  {literal(report.dropped_branch)} is gone; new evidence opens it again")
    if report.undo:
        say(f"undo: {report.undo}")
