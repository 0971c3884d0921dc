"""What `skillc evaluate` prints: one table a family, then what the engine loses."""

from collections.abc import Iterable

from skillc.cli import view
from skillc.core.compare import Measure
from skillc.core.skill.render import plural
from skillc.lifecycle.evaluate_induction import MIN_JUDGED_GROUPS, FamilyInduction, InductionReport

_HEADER = ("measure", "cases", "ours", "best baseline", "difference, 95 %", "")


def show_induction(report: InductionReport) -> None:
    """Prints the measures of every family, and of all together where there are several."""
    for family in report.families:
        _show_family(family)
    if len(report.families) > 1 and report.total:
        view.say(view.styled("all families", "bold"))
        view.table(_rows(report.total), header=_HEADER)
        view.say()
    for line in report.loses:
        view.say(f"{view.styled('loses', 'red')}  {view.literal(line)}")
    if report.ok:
        view.say("no baseline is better")
    elif not report.total:
        view.say("nothing could be measured")


def _show_family(family: FamilyInduction) -> None:
    groups = f"{family.groups} {plural('group', family.groups)}"
    left = f", {family.ungrouped} without the field left out" if family.ungrouped else ""
    title = view.styled(view.literal(family.task_family), "bold")
    view.say(
        f"{title}: {family.attempts} verified {'success' if family.attempts == 1 else 'successes'} in {groups}{left}"
    )
    if family.note:
        view.say(f"  {family.note}")
    if family.measures:
        view.table(_rows(family.measures), header=_HEADER)
    for item in family.not_measured:
        view.say(f"{item.name}: not measured, {item.reason}")
    view.say()


def _rows(measures: Iterable[Measure]) -> Iterable[tuple[str, ...]]:
    for measure in measures:
        best = max(measure.baselines, key=lambda b: (measure.baselines[b], b), default="")
        beside = f"{best} {measure.baselines[best]:.3f}" if best else "none"
        low, high = measure.interval
        mark = ("below" if measure.groups >= MIN_JUDGED_GROUPS else "too few groups to judge") if measure.loses else ""
        yield measure.name, str(measure.n), f"{measure.ours:.3f}", beside, f"{low:+.3f} to {high:+.3f}", mark
