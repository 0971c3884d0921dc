"""Canaries: claims known to be false that are put among the claims of every Curator call.

A Curator that calls one of them supported says yes to anything, and its whole call has failed. One kind keeps a real
line and cites an event that shows nothing of it, the other names a call that nobody made. They are made from the
digest of the question: the same question has the same canaries. Paper: 5.3, Curator.
Not here: reading the answer (core.compile.curator_answer).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skillc.core.compile.evidence import Evidence
from skillc.core.compile.grounding import shown_text
from skillc.core.record import digest_of
from skillc.core.skill.claim import Action, Citation, Claim, StepClaim
from skillc.core.trace.operation import is_shell
from skillc.core.trace.records import EventKind

MIN_CANARIES = 2
MAX_CANARIES = 5
CLAIMS_PER_CANARY = 20
_VERBS = ("archive", "freeze", "rotate", "escalate", "translate", "reindex", "notarise", "quarantine")
_NOUNS = ("ledger", "mailbox", "region", "voucher", "roster", "beacon", "parcel", "warrant")
_TEXTS = (
    "Call `{name}` with the same values and wait for its answer",
    "Call `{name}` before anything else",
    "Confirm with `{name}` that nothing is left open",
)
_SHELL_TEXTS = ("Run `{name}` and see it pass", "Run `{name}` before the change", "Run `{name}` once more at the end")


class Canary(NamedTuple):
    """A claim that its cited events do not show."""

    field: str
    text: str
    citations: tuple[Citation, ...]
    action: Action | None = None


def canaries_for(claims: Sequence[tuple[str, Claim]], evidence: Evidence) -> tuple[Canary, ...]:
    """Returns between two and five canaries for the (field, claim) pairs of a question; none without a claim."""
    if not claims:
        return ()
    seed = int(digest_of([[field, claim.id] for field, claim in claims])[7:23], 16)
    wanted = min(MAX_CANARIES, MIN_CANARIES + len(claims) // CLAIMS_PER_CANARY)
    moved = list(_moved(claims, evidence, seed))[: wanted // 2]
    return (*moved, *_invented(claims, evidence, seed, wanted - len(moved)))


def _moved(claims: Sequence[tuple[str, Claim]], evidence: Evidence, seed: int) -> Iterator[Canary]:
    """Real steps with a citation of an event that shows neither their tool nor their operation."""
    spots = [
        Citation(trace_id=source.trace_id, events=(event.id,))
        for source in evidence.supports
        for event in source.trace.events
        if event.restricted is None and event.kind in (EventKind.USER_MESSAGE, EventKind.TOOL_CALL)
    ]
    steps = [(field, claim) for field, claim in claims if isinstance(claim, StepClaim) and claim.action is not None]
    for turn, (field, claim) in enumerate(steps):
        assert claim.action is not None
        words = [w.casefold() for w in (claim.action.tool, claim.action.operation or "") if w]
        telling = words[-1]
        for number in range(min(len(spots), 40)):
            citation = spots[(seed + turn * 7 + number) % len(spots)]
            if citation not in claim.citations and telling not in shown_text((citation,), evidence):
                yield Canary(field, claim.text, (citation,), claim.action)
                break


def _invented(claims: Sequence[tuple[str, Claim]], evidence: Evidence, seed: int, count: int) -> Iterator[Canary]:
    """Calls of tools that are in no event, with the citation of a real step."""
    citing = [(f, c) for f, c in claims if c.citations]
    steps = [(f, c) for f, c in citing if isinstance(c, StepClaim)] or citing
    if not steps:
        return
    known = "\n".join(e.tool or "" for s in evidence.sources for e in s.trace.events).casefold()
    for number in range(count):
        field, claim = steps[(seed + number) % len(steps)]
        turn = seed + 13 * number
        verb, noun = _VERBS[turn % len(_VERBS)], _NOUNS[(turn // 8) % len(_NOUNS)]
        action = claim.action if isinstance(claim, StepClaim) else None
        shell = action is not None and is_shell(action.tool)
        name = f"{verb}-{noun}" if shell else f"{verb}_{noun}"
        name += "s" if name in known else ""
        texts = _SHELL_TEXTS if shell else _TEXTS
        if action is not None:
            action = action.model_copy(update={"operation" if shell else "tool": name})
        yield Canary(field, texts[turn % len(texts)].format(name=name), claim.citations[:1], action)
