"""How gates look: all of them, or those that are open with the others named in one line."""

from skillc.cli.show_govern import say_gates
from skillc.core.admit.gates import GateResult, GateVerdict

GATES = (
    GateVerdict(gate="scan", result=GateResult.PASS, reason="no finding"),
    GateVerdict(gate="limits", result=GateResult.REJECT, reason="too large", next="split the family"),
)


def test_every_gate_is_a_line_and_one_that_is_open_has_its_next_step(capsys):
    say_gates(GATES)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [["pass", "scan"], ["reject", "limits"], ["next:", "split"]]


def test_where_only_open_ones_matter_the_others_are_named_in_one_line(capsys):
    say_gates(GATES, only_open=True)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "no finding" not in lines[0]
