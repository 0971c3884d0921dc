"""Left out: what every verified success ran and a failed attempt did not, although its work looked finished.

Paper: 5.3 (failures as contrast). Not here: errors that were met (engines.offline.failures).
"""

from skillc.core.skill.claim import FailureClaim
from skillc.engines.offline.align import Column
from skillc.engines.offline.calls import Attempt, CallKind
from skillc.engines.offline.cite import cite
from skillc.engines.offline.commands import shown_command
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.symbols import AFTER
from skillc.engines.offline.wording import claim_id, code, sentence


def left_out_of(induction: Induction) -> list[tuple[int, FailureClaim]]:
    """Returns what every success ran and a failed attempt left out: it looked finished and was not."""
    missing: dict[str, list[Attempt]] = {}
    columns = {
        c.symbol: c
        for c in induction.columns
        if len(c.families) == len(induction.families)
        and (c.kind is CallKind.COMMAND or (c.kind is CallKind.CHECK and c.symbol.endswith(f" {AFTER}")))
    }
    for attempt in induction.failures:
        done = {induction.alphabet.symbol_of(c) for c in attempt.calls}
        if any(c.is_changing for c in attempt.calls):
            for symbol in columns.keys() - done:
                missing.setdefault(symbol, []).append(attempt)
    return [
        (len({a.family for a in missing[symbol]}), _left_out_claim(columns[symbol], missing[symbol], induction))
        for symbol in sorted(missing)
    ]


def _left_out_claim(column: Column, attempts: list[Attempt], induction: Induction) -> FailureClaim:
    command = code(shown_command(column.calls, induction.alphabet))
    if column.kind is not CallKind.CHECK:
        text = f"The work looks finished although {command} was not run"
        recovery = sentence(f"run {command} before you call it done")
    else:
        part = any(induction.alphabet.is_partial(c) for a in attempts for c in a.calls)
        what = "after only a part of the tests was run" if part else f"although {command} was not run"
        text = f"The work looks finished {what}"
        recovery = sentence(f"run all of {command} after the last change, before you call it done")
    return FailureClaim(
        id=claim_id("failure_modes", f"{text} {recovery}"),
        text=text,
        citations=cite((a.family, a.trace_id, _ending(a, induction)) for a in attempts),
        recovery=recovery,
        recovery_citations=cite((c.family, c.trace_id, c.events) for c in column.calls if not c.failed),
    )


def _ending(attempt: Attempt, induction: Induction) -> tuple[str, ...]:
    """Returns the results of partial checks and the last call of an attempt that ended too early."""
    parts = [c.events[-1] for c in attempt.calls if induction.alphabet.is_partial(c)]
    return (*parts[-1:], *attempt.calls[-1].events)
