"""Paths and refs: each made and recognised in one place, and nothing else is taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.repo import layout


@given(st.from_regex(r"[a-z0-9-]{8,64}", fullmatch=True), st.datetimes().map(lambda d: d.isoformat()) | st.none())
def test_the_path_of_a_trace_gives_its_id_back(trace_id: str, started_at: str | None):
    assert layout.trace_id_of_path(layout.trace_path(trace_id, started_at)) == trace_id


def test_a_trace_lies_by_year_and_month_of_its_start():
    assert layout.trace_path("t-00000001", "2026-03-04T05:06:07Z") == "traces/2026/03/t-00000001.jsonl"
    assert layout.trace_path("t-00000001", None) == "traces/undated/t-00000001.jsonl"


@pytest.mark.parametrize(
    "path",
    [
        "traces/2026/03/T-00000001.jsonl", "traces/2026/03/short.jsonl", "traces/2026/3/t-00000001.jsonl",
        "x/traces/2026/03/t-00000001.jsonl", "traces/2026/03/t-00000001.jsonl\n", "traces/2026/03/t-00000001.json",
        "traces/２０２６/03/t-00000001.jsonl", "traces/../2026/03/t-00000001.jsonl", "", "traces",
    ],
)  # fmt: skip
def test_any_other_path_is_no_trace(path: str):
    assert layout.trace_id_of_path(path) is None


def test_refs_and_folders_are_spelt_once():
    assert layout.candidate_ref("refunds") == "refs/heads/skillc/candidate/refunds"
    assert layout.LOCAL_REFS + layout.candidate_branch("refunds") == layout.candidate_ref("refunds")
    assert layout.skill_folder(".claude/skills", "refunds") == ".claude/skills/refunds"
    assert layout.withdrawn_path("refunds") == ".skillc/withdrawn/refunds.json"
    assert layout.TRACES_REF == "refs/heads/skillc/traces"
    assert layout.LEDGER_REF == "refs/heads/skillc/ledger"


def test_a_session_is_pinned_by_its_trace_id():
    assert layout.session_ref("t-00000001") == "refs/skillc/sessions/t-00000001"
