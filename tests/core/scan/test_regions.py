"""The end of a finding is where an editor would put it."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.regions import at_line, with_ends


def finding(text: str, start: int, end: int) -> Finding:
    line = text.count("\n", 0, start) + 1
    column = start - (text.rfind("\n", 0, start) + 1) + 1
    return Finding(
        path="a.md", line=line, column=column, span=(start, end), rule="r", severity=Severity.WARN, title="t",
        excerpt="e", fingerprint="f",
    )  # fmt: skip


def test_an_end_stands_after_the_last_character():
    text = "ab\ncdé f\nx"
    (one,) = with_ends([finding(text, 3, 6)], text)
    assert (one.line, one.column, one.end_line, one.end_column) == (2, 1, 2, 4)


def test_a_span_that_takes_its_line_end_along_ends_on_that_line():
    text = "ab\ncd\n"
    (one,) = with_ends([finding(text, 0, 3)], text)
    assert (one.end_line, one.end_column) == (1, 4)


def test_a_part_of_a_record_stands_at_its_line_and_keeps_its_name():
    text = "abc"
    (one,) = with_ends([finding(text, 1, 2)], text)
    moved = at_line(one.model_copy(update={"path": "t.jsonl#e4"}), 6, "e4")
    assert (moved.line, moved.column, moved.end_line, moved.file) == (6, 1, None, "t.jsonl")


@given(st.text(alphabet="ab\n\ré\U0001f600", max_size=60), st.data())
def test_an_end_is_never_before_its_start(text: str, data: st.DataObject):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text) + 3))
    (one,) = with_ends([finding(text, start, end)], text)
    assert (one.end_line, one.end_column) >= (one.line, one.column)
    assert one.end_line <= text.count("\n") + 1
