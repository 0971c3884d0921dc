"""The evidence of a run: every source has one role, and is found by its id."""

from skillc.core.compile.evidence import SourceRole
from skillc.core.trace.records import Outcome
from tests.makers import make_evidence, make_source, user


def test_a_source_supports_or_is_contrast_and_never_both():
    good = make_source(user("a"), trace_id="t-00000001")
    bad = make_source(user("b"), trace_id="t-00000002", outcome=Outcome.FAILURE)
    evidence = make_evidence(good, bad)
    assert (evidence.supports, evidence.contrasts) == ((good,), (bad,))
    assert [r.value for r in SourceRole] == ["support", "contrast"]


def test_a_source_is_found_by_the_id_of_its_trace():
    source = make_source(user("a"))
    assert make_evidence(source).source("t-00000001") == source
    assert make_evidence(source).source("t-00000002") is None
    assert source.trace_id == "t-00000001"
