"""What `evaluate` prints."""

from skillc.cli.show_evaluate import show_induction
from skillc.core.compare import Measure
from skillc.lifecycle.evaluate_induction import FamilyInduction, InductionReport, NotMeasured


def family(**changes):
    measure = Measure(
        name="next_action", ours=0.5, baselines={"bigram": 0.75, "a": 0.1}, interval=(-0.4, 0.1), n=8, groups=4
    )
    fields = {"task_family": "f\x1b[2J", "attempts": 1, "groups": 2, "ungrouped": 3, "measures": (measure,)}
    return FamilyInduction(**(fields | changes))


def report(*families, **changes):
    fields = {"group_by": "who", "families": families, "total": (), "loses": (), "ok": True}
    return InductionReport(**(fields | changes))


def test_each_figure_stands_beside_the_best_baseline(capsys):
    show_induction(report(family(), loses=("next_action is below bigram",), ok=False))
    shown = capsys.readouterr().out
    assert "1 verified success in 2 groups, 3 without the field left out" in shown
    assert "next_action  8      0.500  bigram 0.750   -0.400 to +0.100  below" in shown
    assert "loses  next_action is below bigram" in shown
    assert "\x1b" not in shown


def test_figure_of_few_groups_is_shown_and_not_judged(capsys):
    few = Measure(name="recovery_hit", ours=0.0, baselines={"retry": 1.0}, interval=(-1.0, -1.0), n=1, groups=1)
    show_induction(report(family(measures=(few,)), total=(few,)))
    assert "too few groups to judge" in capsys.readouterr().out


def test_what_was_not_measured_says_why(capsys):
    missing = NotMeasured(name="recovery_hit", reason="no held-out success got over an error")
    show_induction(report(family(not_measured=(missing,)), total=family().measures))
    shown = capsys.readouterr().out
    assert "recovery_hit: not measured, no held-out success got over an error" in shown
    assert "no baseline is better" in shown


def test_several_families_have_a_table_of_all(capsys):
    show_induction(report(family(), family(note="few"), total=family().measures))
    assert "all families" in capsys.readouterr().out


def test_nothing_measured_is_said(capsys):
    show_induction(report(family(measures=()), ok=False))
    assert "nothing could be measured" in capsys.readouterr().out
