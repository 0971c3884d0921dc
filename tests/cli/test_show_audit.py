"""How the audit looks: nothing yet is said, and a problem comes with its next step."""

from skillc.cli.show_audit import show_audit, show_verified
from skillc.lifecycle.audit import AuditReport
from skillc.lifecycle.audit_verify import AuditProblem, AuditVerifyReport


def test_an_empty_audit_says_so(capsys):
    show_audit(AuditReport(ledger=None, base=None, events=()))
    assert capsys.readouterr().out == "nothing happened yet\n"


def test_a_problem_is_told_with_its_code_and_its_next_step(capsys):
    problem = AuditProblem(code="removed-record", where="skillc/ledger:x", message="is gone", next="skillc sync")
    show_verified(AuditVerifyReport(ok=False, ledger="a" * 40, base=None, records=3, admissions=0, problems=(problem,)))
    said = capsys.readouterr().out
    assert "[removed-record] is gone" in said
    assert "next: skillc sync" in said
    assert "3 records" in said
