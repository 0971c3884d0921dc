"""Rules of observations and of the end of the work."""

from skillc.core.policy import Thresholds
from skillc.engines.offline.induction import induce
from skillc.engines.offline.observe import completion_of, observations_of, outputs_of
from tests.makers import bash, call, gives, make_evidence, make_source


def induction(*lists, **changes):
    sources = [make_source(*d, trace_id=f"t-0000000{n}", **changes) for n, d in enumerate(lists)]
    return induce(make_evidence(*sources), Thresholds())


def texts(claims):
    return [c.text for c in claims]


def cancelled(number, before="pending"):
    oid = f"ord-{number}"
    return [
        call("get_order", {"order_id": oid}), gives({"order_id": oid, "status": before, "country": "usa", "gift": "no"}),
        call("cancel_order", {"order_id": oid}), gives({"order_id": oid, "status": "cancelled", "country": "usa", "gift": "no"}),
    ]  # fmt: skip


def test_field_that_the_change_set_is_expected_and_others_are_not():
    found = induction(cancelled(1), cancelled(2))

    assert texts(observations_of(found)) == ["The result of `cancel_order` shows `status` = `cancelled`."]
    assert texts(completion_of(found)) == ["`cancel_order` was called and its result shows `status` = `cancelled`."]


def test_only_family_expects_no_values():
    found = induction(cancelled(1))

    assert observations_of(found) == ()
    assert texts(completion_of(found)) == ["`cancel_order` was called without an error."]


def test_work_on_code_is_done_when_its_check_passes():
    drafts = [call("Edit", {"file_path": "a.py"}), gives("updated"), bash("pytest -q"), gives("1 passed")]
    found = induction(drafts, drafts, check="pytest -q")

    assert texts(completion_of(found)) == ["`pytest -q` passes after the last change."]
    assert texts(outputs_of(found)) == ["The changed `a.py`."]


def test_line_that_families_share_is_what_a_command_prints():
    def attempt(n):
        return [
            call("Edit", {"file_path": "a.py"}),
            gives("ok"),
            bash("npm run build"),
            gives(f"built {n} modules in {n}4 ms\nx"),
        ]

    found = induction(attempt(1), attempt(2))

    assert texts(observations_of(found)) == ["`npm run build` prints “built … modules in … ms”."]


def test_reading_alone_ends_with_an_answer():
    found = induction([call("get_order", {"order_id": "1"}), gives({})])

    assert texts(completion_of(found)) == ["The user has the answer and nothing was changed."]
