"""A result is a reference when its call is, however the two are ordered."""

from skillc.core.policy import RestrictedPattern
from skillc.importers.restrictor import Restrictor, labels_of

HR = (RestrictedPattern(path="hr/**"),)


def restrictor(*patterns: RestrictedPattern) -> Restrictor:
    return Restrictor(patterns or HR, "k:s")


def call(one: Restrictor, call_id: str | None, path: str) -> str | None:
    return one.reference("tool_call", 0, "Read", call_id, {"path": path}, None)


def result(one: Restrictor, call_id: str | None, text: str = "x", tool: str | None = "Read") -> str | None:
    return one.reference("tool_result", 1, tool, call_id, None, text)


def test_a_call_and_its_result_share_a_reference():
    one = restrictor()

    assert call(one, "c", "hr/a") == "k:s:c"
    assert result(one, "c") == "k:s:c"


def test_another_calls_result_is_stored():
    one = restrictor()

    assert call(one, "d", "src/a") is None
    assert result(one, "d") is None


def test_a_result_before_its_call_is_not_stored():
    assert result(restrictor(), "c") is not None
    assert result(restrictor(RestrictedPattern(tool="hr")), "c", tool=None) is not None


def test_where_only_tools_are_restricted_a_known_tool_decides():
    assert result(restrictor(RestrictedPattern(tool="hr")), "c") is None
    assert result(restrictor(RestrictedPattern(tool="hr")), "c", tool="hr") is not None


def test_a_result_without_an_id_after_a_restricted_call_is_not_stored():
    one = restrictor()
    assert result(one, None) is None
    call(one, None, "hr/a")
    assert result(one, None) is not None
    call(one, None, "src/a")
    assert result(one, None) is None


def test_a_result_that_shows_a_restricted_file_is_not_stored():
    one = restrictor()
    call(one, "g", "src")

    assert result(one, "g", "hr/a.csv:1:Mia 4000") is not None
    assert result(one, "g", "src/a.csv:1:Mia 4000") is None


def test_labels_restrict_whatever_event_has_them():
    one = restrictor(RestrictedPattern(label="hr-*"))
    labels = frozenset(("hr-payroll",))

    assert one.reference("user_message", 0, None, None, None, "hi", labels) is not None
    assert one.reference("tool_call", 1, "Read", "c", {}, None, labels) == "k:s:c"
    assert one.reference("tool_result", 2, "Read", "c", None, "x") == "k:s:c", "the result of a labelled call too"
    assert one.reference("user_message", 3, None, None, None, "hi") is None


def test_labels_are_texts():
    assert labels_of({"labels": ["hr", 1], "tags": ["x"]}) == {"hr", "x"}
    assert labels_of({"labels": "hr"}) == frozenset()


def test_what_stood_elsewhere_before_is_no_secret_of_the_restricted_event():
    one = restrictor()
    one.saw("look up E-44710 for Jane Doe")

    held = set(one.only_here("E-44710 Jane Doe earns 83,500 at mia@corp.example\nand this whole line is long enough"))
    assert {"83,500", "mia@corp.example", "and this whole line is long enough"} <= held
    assert not held & {"E-44710", "Jane Doe"}


def test_a_shell_that_stands_in_a_restricted_folder_shows_restricted_files():
    one = restrictor()

    def run(call_id: str, line: str) -> str | None:
        return one.reference("tool_call", 0, "Bash", call_id, {"command": line}, None)

    assert run("a", "cd hr") is not None
    assert run("b", "cat pay.csv") is not None
    assert one.reference("tool_call", 0, "Read", "r", {"file_path": "src/a"}, None) is None, "another tool"
    assert run("c", "cd ../src && ls") is None
    assert run("d", "cat pay.csv") is None
