"""What a code host shows of a check: annotations beside the files, and a summary in Markdown.

A runner obeys what a log line says and a forge acts on what a summary says, so every foreign word is escaped for the
one (core.scan.annotations) or the other (lifecycle.forge_text). Not here: the check (lifecycle.check).
"""

from collections.abc import Iterable, Iterator

from skillc.core.admit.gates import GateVerdict
from skillc.core.scan.annotations import escaped, escaped_property
from skillc.core.skill.render import plural
from skillc.lifecycle.check import CheckReport
from skillc.lifecycle.check_problem import Problem
from skillc.lifecycle.forge_text import code, cut, neutral

MAX_TOLD = 200  # of each list in the summary; a forge takes 1 MiB
_MAX_BYTES = 600


def check_annotations(report: CheckReport) -> Iterator[str]:
    """Yields one line for each problem, then for what a person should see and what stops nothing."""
    for problem in sorted(report.problems, key=lambda p: p.hold):
        yield _annotation("warning" if problem.hold else "error", problem)
    for gone in report.removed:
        yield f"::warning title=removed Skill::{escaped(f'this takes {gone.skill} out of service')}"
    for found in report.unmanaged:
        place = f"file={escaped_property(found.path)},line={found.line}"
        title = escaped_property(f"unmanaged {found.rule} ({found.severity.value})")
        yield f"::warning {place},title={title}::{escaped(f'{found.title}, and skillc did not compile this Skill')}"
    for admission in report.unproven:
        message = f"{admission.skill} in {admission.commit[:12]}: {admission.reason}"
        yield f"::warning title=unproven admission::{escaped(message)}"


def _annotation(command: str, problem: Problem) -> str:
    """A path with a colon is a place on another branch: the host has no such file, so the message names it."""
    title = f"title={escaped_property(f'skillc check: {problem.code}')}"
    message = f"{problem.message}; next: {problem.next}"
    if ":" in problem.path:
        return f"::{command} {title}::{escaped(f'{problem.path}: {message}')}"
    return f"::{command} file={escaped_property(problem.path)},line={problem.line or 1},{title}::{escaped(message)}"


def check_summary(report: CheckReport) -> str:
    """Returns the whole answer as Markdown, at most a few hundred lines."""
    count = f"{len(report.problems)} {plural('problem', len(report.problems))}"
    skills = f"{report.checked} compiled {plural('Skill', report.checked)}"
    verdict = "passed" if report.ok else "did not pass"
    lines = [f"## skillc check {verdict}", "", f"{skills} at {code(report.revision[:12])}, {count}.", ""]
    if report.problems:
        lines += ["### What is not right", "", "| | where | what | next |", "| --- | --- | --- | --- |"]
        lines += [_row(p) for p in sorted(report.problems[:MAX_TOLD], key=lambda p: p.hold)]
        lines += [*_more(len(report.problems) - MAX_TOLD), ""]
    lines += ["### Gates", "", *_gates(report.gates), ""]
    for group in report.groups[:MAX_TOLD]:
        named = ", ".join(code(cut(s, 80)) for s in group.skills[:MAX_TOLD])
        lines += [f"### Admission of {named}", "", *_gates(group.gates), ""]
    told = [
        *(f"removed: this takes {r.skill} out of service, version {r.tree[:12]}" for r in report.removed),
        *(f"unproven: {a.skill} in {a.commit[:12]}: {a.reason}" for a in report.unproven),
        *(f"unmanaged: {f.path}:{f.line}: {f.rule}: {f.title}" for f in report.unmanaged),
        *(f"suppressed: {s.path}: {s.rule}: {s.reason}" for s in report.suppressed),
    ]
    if told:
        lines += ["### Also seen", "", *(f"- {neutral(item, _MAX_BYTES)}" for item in told[:MAX_TOLD])]
        lines += [*_more(len(told) - MAX_TOLD), ""]
    return "\n".join(lines) + "\n"


def _row(problem: Problem) -> str:
    where = problem.path + (f":{problem.line}" if problem.line else "")
    cells = (f"{problem.code}: {problem.message}", problem.next)
    kind = "hold" if problem.hold else "problem"
    return f"| {kind} | {neutral(where, _MAX_BYTES)} | " + " | ".join(neutral(c, _MAX_BYTES) for c in cells) + " |"


def _gates(gates: Iterable[GateVerdict]) -> list[str]:
    rows = [
        f"| {neutral(g.gate)} | {g.result.value} | {neutral(g.reason, _MAX_BYTES)} | "
        f"{neutral(g.next, _MAX_BYTES) if g.result.value != 'pass' else ''} |"
        for g in gates
    ]
    return ["| gate | verdict | why | next |", "| --- | --- | --- | --- |", *rows]


def _more(count: int) -> list[str]:
    return ["", f"and {count} more: `skillc check --json`"] if count > 0 else []
