"""Rules of the last look for instance values."""

import pytest

from skillc.engines.offline.guard import InstanceGuard
from tests.makers import bash, call, gives, make_claim, make_evidence, make_source, user


def guard():
    return InstanceGuard(
        make_evidence(
            make_source(user("cancel ord-771 for ann@example.com"), call("cancel_order", {"order_id": "ord-771"}), gives({"payment_history": [{"id": "p_1"}]}), trace_id="t-00000001"),
            make_source(bash("python tools/gen.py --all"), gives("wrote out/schema_v2.json"), trace_id="t-00000002"),
            make_source(bash("python tools/gen.py"), gives("wrote out/other.json"), trace_id="t-00000003"),
        )
    )  # fmt: skip


@pytest.mark.parametrize("text", ["Cancel ord-771.", "Write to ann@example.com.", "It prints out/schema_v2.json."])
def test_value_of_one_family_is_found(text):
    assert guard().keeps_instance_value(make_claim(text))


@pytest.mark.parametrize(
    "text",
    [
        "Call `cancel_order` with `<order_id>`.",
        "Run `python tools/gen.py --all`.",
        "`id` of the `payment_history`.",
        "Read what fails and where.",
    ],
)
def test_names_flags_fields_and_shared_values_are_clean(text):
    assert not guard().keeps_instance_value(make_claim(text))
