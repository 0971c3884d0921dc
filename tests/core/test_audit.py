"""Audit records: two kinds, told apart by their event, and nothing else is one."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from skillc.core.audit import AdmissionRecord, PublicationRecord, parse_audit_record
from skillc.core.record import canonical_json

AT = datetime(2026, 1, 1, tzinfo=UTC)
ADMISSION = AdmissionRecord(namespace="acme", by="policy", run="r-1", group="g", versions=(), at=AT)
PUBLICATION = PublicationRecord(
    namespace="acme", by="alice", direction="out", skill="refund", skill_id="s-11111111", contract="sha256:0",
    tree="1", commit="2", other="acme-shop", at=AT,
)  # fmt: skip


def test_each_kind_comes_back_as_it_was():
    for record in (ADMISSION, PUBLICATION):
        assert parse_audit_record(canonical_json(record)) == record


@given(st.one_of(st.text(max_size=40), st.sampled_from(['{"event": "admission"}', "null", "[]", '{"event": 3}'])))
def test_anything_else_is_no_audit_record(text: str):
    assert parse_audit_record(text) is None
