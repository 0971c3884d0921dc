"""What the offline engine costs beside parsing the same Traces, and whether that stays in line up to 100,000 events.

The engine's part of a run: selection, induction, checks and verdicts. Traces like those of a support agent, with
records as results, one attempt family each.
"""

import gc
import resource
import time
from collections.abc import Callable, Iterable

import pytest

from skillc.core.compile.checks import check_proposal
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.select import Attempt, select_evidence
from skillc.core.policy import Thresholds
from skillc.core.trace.codec import encode_record
from skillc.core.trace.records import Event
from skillc.engines.offline.engine import OfflineEngine
from tests.makers import NAMESPACE, call, fails, gives, make_source, says, user

pytestmark = pytest.mark.benchmark
SIZES = (1_000, 10_000, 100_000)
MAX_RATIO = 5.0  # at the largest size, where selection has its limits
MAX_MEGABYTES = 1024


def attempt(number: int, orders: int = 3) -> Attempt:
    """One attempt: who asks, what was ordered, a look at each order, an error, the change; 17 + 3 events an order."""
    uid, ids = f"user_{number:06d}", [f"#W{number:06d}{n}" for n in range(orders)]
    products = {f"{n}{number:06d}": {"price": n * 10.5, "options": {"color": "red", "size": "m"}} for n in range(4)}
    looks = [
        d
        for o in ids
        for d in (
            call("get_order_details", {"order_id": o}),
            gives({"order_id": o, "status": "pending" if number % 3 else "delivered", "items": [
                {"name": "lamp", "item_id": f"{n}{number:06d}", "price": 10 + n} for n in range(4)
            ]}),
            says("One moment, please."),
        )
    ]  # fmt: skip
    source = make_source(
        user(f"Hello, I am {uid}. Please cancel my order {ids[0]}."),
        says("Let me look that up."),
        call("get_user_details", {"user_id": uid}),
        gives({"user_id": uid, "orders": ids, "address": {"city": "Denver", "zip": f"{number % 90000 + 10000}"}}),
        *looks,
        call("get_product_details", {"product_id": f"p{number:06d}"}),
        gives({"variants": products}),
        says("Shall I cancel it?"),
        user("Yes, please."),
        call("cancel_order", {"order_id": ids[0], "reason": "no"}),
        fails("Error: the reason is not valid"),
        call("cancel_order", {"order_id": ids[0], "reason": "no longer needed"}),
        gives({"order_id": ids[0], "status": "cancelled"}),
        says("It is cancelled."),
        user("Thank you!"),
        says("You are welcome."),
        call("log_note", {"text": "done"}),
        gives("ok"),
        trace_id=f"t-{number:08d}",
    )
    return Attempt(
        trace=source.trace, standing=source.standing, attempt_family=source.attempt_family, task_family="cancel"
    )


def cpu(job: Callable[[], object]) -> float:
    gc.collect()
    begin = time.process_time()
    job()
    return time.process_time() - begin


def parse(lines: Iterable[bytes]) -> None:
    for line in lines:
        Event.model_validate_json(line)


def induce(attempts: list[Attempt]) -> None:
    engine = OfflineEngine(Thresholds())
    selection = select_evidence(attempts, cited=frozenset(), consumed=frozenset())
    evidence = Evidence(namespace=NAMESPACE, task_family="cancel", sources=selection.sources)
    proposals = engine.reflect(evidence, run="r-1")
    assert len(proposals) == 1
    assert check_proposal(proposals[0], evidence) == ()
    assert engine.curate(evidence, proposals)[0].decision == "add"


@pytest.mark.parametrize("orders", [3, 80], ids=["short", "long"])
def test_cost_beside_parsing_stays_in_line_up_to_a_hundred_thousand_events(orders: int):
    events = len(attempt(1, orders).trace.events)
    induce([attempt(n) for n in range(8)])  # imports and caches
    ratios, seconds = [], []
    for size in SIZES:
        attempts = [attempt(n, orders) for n in range(size // events)]
        lines = [encode_record(event) for a in attempts for event in a.trace.events]
        parsing = min(cpu(lambda lines=lines: parse(lines)) for _ in range(2))
        inducing = cpu(lambda attempts=attempts: induce(attempts))
        ratios.append(inducing / parsing)
        seconds.append(inducing)
        print(
            f"\n{size} events in {len(attempts)} Traces: parse {parsing:.2f} s, compile {inducing:.2f} s of CPU,"
            f" ratio {ratios[-1]:.1f}"
        )
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{megabytes:.0f} MB at most, with all Traces in memory")
    assert ratios[-1] <= MAX_RATIO
    assert seconds[1] <= 15 * max(seconds[0], 0.05)
    assert megabytes <= MAX_MEGABYTES
