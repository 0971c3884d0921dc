"""Contradictions: lines of a Skill that verified attempts speak against, found from what the attempts did.

A step's constant against another one that nothing explains; two steps in the other order; a precondition, an
observation or a completion that a verified success does not show; and two lines of one contract that say the
opposite. It is a conflict when neither side has nearly all attempt families. ADR 0017. Paper: 5.3.
Not here: what an attempt did (core.compile.deeds), what follows (core.compile.conflict, lifecycle.upkeep).
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from skillc.core.compile.amendment import persons_digest
from skillc.core.compile.deeds import Deed, by_family, commands_with_values, deeds_of, is_explained, plain_values
from skillc.core.compile.evidence import Evidence, Source
from skillc.core.compile.polarity import opposite_words
from skillc.core.compile.splitting import Split, split_of
from skillc.core.record import Record
from skillc.core.skill.claim import Citation, Claim, InputClaim, InputSource, StepClaim
from skillc.core.skill.contract import Contract, claims_of, event_order, iter_claims
from skillc.core.trace.operation import is_check, is_shell

MIN_SIDE = 2  # families on each side of a conflict about an order or a fact: one attempt alone may differ by chance
_CODE = re.compile(r"`([^`]+)`")
_FACT = re.compile(r"^`(?P<path>[\w.]+)` is `(?P<value>[^`]+)` in the result of `(?P<tool>[^`]+)`")
_SHOWS = re.compile(r"`(?P<path>[\w.]+)` = `(?P<value>[^`]+)`")
MAX_CITED = 4


class Contradiction(Record):
    """One line, and the verified attempts that show the opposite. `says` puts the other side into words.

    `agreeing` and `opposing` are attempt families; `is_conflict` says that neither side clearly prevails.
    `condition` tells the two apart where the evidence shows one.
    """

    field: str
    claim_id: str
    kind: str
    text: str
    says: str
    for_it: tuple[Citation, ...]
    against: tuple[Citation, ...]
    agreeing: tuple[str, ...]
    opposing: tuple[str, ...]
    is_conflict: bool
    condition: str = ""


class _Sides(NamedTuple):
    agreeing: dict[str, list[Deed]]
    opposing: dict[str, list[Deed]]


class _Rule(NamedTuple):
    """What makes one side prevail: the share of families; and what was known when a person wrote a line, by digest."""

    share: float
    known: Mapping[str, frozenset[str]]


def contradictions(contract: Contract, evidence: Evidence, *, share: float) -> tuple[Contradiction, ...]:
    """Returns the lines of a contract that the verified successes of a run contradict, in the contract's order.

    `share` is the part of the attempt families that makes one side prevail. A person's line is one side by itself, and
    only attempts that were not known when it was written speak against it.
    """
    rule = _Rule(share, {line.digest: frozenset(line.traces) for line in evidence.known_to_people})
    by_trace = {s.trace_id: s for s in evidence.supports}
    deeds = [d for s in evidence.supports for d in deeds_of(s)]
    found: list[Contradiction] = []
    steps = contract.steps
    for number, step in enumerate(steps):
        found += _values(step, contract.inputs, evidence, deeds, rule)
        for later in steps[number + 1 :]:
            found += _order(step, later, deeds, rule)
    for field in ("preconditions", "expected_observations", "completion_criteria"):
        for claim in claims_of(contract, field):
            found += _shown(field, claim, deeds, rule)
    found += _words(contract, by_trace, rule)
    return tuple(found)


def _values(
    step: StepClaim,
    inputs: tuple[InputClaim, ...],
    evidence: Evidence,
    deeds: list[Deed],
    rule: _Rule,
) -> Iterator[Contradiction]:
    """A constant of a step stands in its action, or in the input that its placeholder names."""
    action = step.action
    by_trace = {s.trace_id: s for s in evidence.supports}
    if action is None or step.optional:
        return
    if is_shell(action.tool):
        pairs = list(commands_with_values(action.tool, action.arguments))
    else:
        pairs = [("", plain_values(action.arguments))]
    constants = {f"<{c.name}>": (c, value) for c in inputs if (value := _constant_of(c)) is not None}
    for operation, values in pairs:
        same = [d for d in deeds if d.tool == action.tool and d.operation == operation and not d.failed]
        if not any(d.is_change or d.is_check for d in same):
            continue
        for name, value in sorted(values.items()):
            field: str = "steps"
            claim: Claim = step
            if value in constants:
                field, (claim, value) = "inputs", constants[value]
            if "<" not in value:
                sides = _value_sides(name, value, same, by_trace)
                for found in _told(field, claim, "value", _other_value(name, sides), sides, rule):
                    may_split = found.is_conflict and not claim.is_persons
                    split = split_of(action.tool, name, evidence) if may_split else None
                    yield found if split is None else _split(found, split)


def _split(found: Contradiction, split: Split) -> Contradiction:
    """Both hold, each under its condition: that is no conflict, and the line as it stands is too wide."""
    return found.model_copy(update={"is_conflict": False, "condition": split.text})


def _constant_of(claim: InputClaim) -> str | None:
    """Returns the one value that an input names, when its source is a constant."""
    named = _CODE.findall(claim.text) if claim.source is InputSource.CONSTANT else []
    return named[0] if len(named) == 1 else None


def _value_sides(name: str, value: str, deeds: list[Deed], by_trace: dict[str, Source]) -> _Sides:
    agreeing: dict[str, list[Deed]] = {}
    opposing: dict[str, list[Deed]] = {}
    families = by_family(d for d in deeds if name in d.values)
    if all(any(d.values[name] == value for d in own) for own in families.values()):
        return _Sides({}, {})  # nobody does otherwise: what explains the value does not matter
    for family, own in families.items():
        used = {d.values[name] for d in own}
        plain = [d for d in own if not is_explained(by_trace[d.trace_id], d, d.values[name])]
        if used == {value} and plain:
            agreeing[family] = plain
        elif value not in used and len(plain) == len(own):
            opposing[family] = plain
    return _Sides(agreeing, opposing)


def _other_value(name: str, sides: _Sides) -> str:
    others = sorted({d.values[name] for own in sides.opposing.values() for d in own})
    return f"`{name}` is " + " or ".join(f"`{o}`" for o in others[:3])


def _order(first: StepClaim, second: StepClaim, deeds: list[Deed], rule: _Rule) -> Iterator[Contradiction]:
    """Two constant acts in the other order; where values of a case are involved, the case decides the order."""
    one, two = _constant_act(first), _constant_act(second)
    if one is None or two is None or one == two or (is_check(one[1]) and is_check(two[1])):
        return
    agreeing: dict[str, list[Deed]] = {}
    opposing: dict[str, list[Deed]] = {}
    for family, own in by_family(deeds).items():
        before = [d for d in own if (d.tool, d.operation) == one and not d.failed]
        after = [d for d in own if (d.tool, d.operation) == two and not d.failed]
        if not before or not after or not all(d.is_change or d.is_check for d in (*before, *after)):
            continue
        if max(map(_place, before)) < min(map(_place, after)):
            agreeing[family] = [before[-1], after[0]]
        elif max(map(_place, after)) < min(map(_place, before)):
            opposing[family] = [after[-1], before[0]]
    says = f"`{two[1] or two[0]}` comes before `{one[1] or one[0]}`"
    yield from _told("steps", second, "order", says, _Sides(agreeing, opposing), rule, least=MIN_SIDE)


def _constant_act(step: StepClaim) -> tuple[str, str] | None:
    action = step.action
    if action is None or step.optional or step.repeat or "<" in repr(action.arguments):
        return None
    return action.tool, action.operation or ""


def _place(deed: Deed) -> tuple[int, int]:
    return deed.seq, deed.part


def _shown(field: str, claim: Claim, deeds: list[Deed], rule: _Rule) -> Iterator[Contradiction]:
    """A fact of a result, or a check that passes: the last such result of each family says whether it holds."""
    fact = _FACT.search(claim.text)
    tools = _CODE.findall(claim.text)
    if fact is not None:
        wanted = {fact["path"]: fact["value"]}
        yield from _fields_shown(field, claim, fact["tool"], wanted, deeds, rule)
    elif tools and (shows := dict(_SHOWS.findall(claim.text))):
        yield from _fields_shown(field, claim, tools[0], shows, deeds, rule)
    elif tools and field == "completion_criteria":
        operations = {o for o, _ in commands_with_values("bash", {"command": tools[0]}) if is_check(o)}
        runs = [d for d in deeds if d.operation in operations]
        last = {family: own[-1] for family, own in by_family(runs).items()}
        sides = _Sides({f: [d] for f, d in last.items() if not d.failed}, {f: [d] for f, d in last.items() if d.failed})
        yield from _told(field, claim, "completion", f"`{tools[0]}` fails at the end", sides, rule, least=MIN_SIDE)


def _fields_shown(
    field: str, claim: Claim, tool: str, wanted: dict[str, str], deeds: list[Deed], rule: _Rule
) -> Iterator[Contradiction]:
    agreeing: dict[str, list[Deed]] = {}
    opposing: dict[str, list[Deed]] = {}
    others: set[str] = set()
    for family, own in by_family(d for d in deeds if d.tool == tool and d.shows).items():
        for path, value in wanted.items():
            shown = [(d, v) for d in own for p, v in d.shows.items() if p == path or p.endswith("." + path)]
            if any(v == value for _, v in shown):
                agreeing.setdefault(family, []).extend(d for d, v in shown if v == value)
            elif shown:
                opposing.setdefault(family, []).extend(d for d, _ in shown)
                others.update(f"`{path}` is `{v}`" for _, v in shown if re.fullmatch(r"[\w -]{1,30}", v))
    for family in opposing:
        agreeing.pop(family, None)
    says = " or ".join(sorted(others)[:3]) or "other values"
    yield from _told(field, claim, "fact", says, _Sides(agreeing, opposing), rule, least=MIN_SIDE)


def _words(contract: Contract, by_trace: dict[str, Source], rule: _Rule) -> Iterator[Contradiction]:
    """Two lines of one contract that say the opposite, from attempts of different families or of a person."""
    lines = [(f, c) for f, c in iter_claims(contract) if f != "description" and (c.citations or c.is_persons)]
    for number, (field, claim) in enumerate(lines):
        for other_field, other in lines[number + 1 :]:
            if not opposite_words(field, claim.text, other_field, other.text):
                continue
            if claim.is_persons != other.is_persons:
                yield from _against_a_person((field, claim), (other_field, other), by_trace, rule)
                continue
            one, two = _families(claim, by_trace), _families(other, by_trace)
            if one and two and not one & two:
                yield Contradiction(
                    field=field,
                    claim_id=claim.id,
                    kind="words",
                    text=claim.text,
                    says=other.text,
                    for_it=claim.citations,
                    against=other.citations,
                    agreeing=tuple(sorted(one)),
                    opposing=tuple(sorted(two)),
                    is_conflict=True,
                )


def _families(claim: Claim, by_trace: dict[str, Source]) -> set[str]:
    return {by_trace[c.trace_id].attempt_family for c in claim.citations if c.trace_id in by_trace}


def _against_a_person(
    one: tuple[str, Claim], two: tuple[str, Claim], by_trace: dict[str, Source], rule: _Rule
) -> Iterator[Contradiction]:
    """A person's line and the opposite one, where attempts that the person did not know of stand behind that."""
    (field, claim), (_, other) = (one, two) if one[1].is_persons else (two, one)
    known = rule.known.get(persons_digest(field, claim), frozenset())
    against = tuple(c for c in other.citations if c.trace_id in by_trace and c.trace_id not in known)
    families = tuple(sorted({by_trace[c.trace_id].attempt_family for c in against}))
    if families:
        yield Contradiction(
            field=field,
            claim_id=claim.id,
            kind="words",
            text=claim.text,
            says=other.text,
            for_it=(),
            against=against,
            agreeing=(),
            opposing=families,
            is_conflict=len(families) >= MIN_SIDE,
        )


def _told(
    field: str, claim: Claim, kind: str, says: str, sides: _Sides, rule: _Rule, *, least: int = 1
) -> Iterator[Contradiction]:
    """Yields the contradiction, when there is somebody on each side."""
    agreeing, opposing = sides
    if claim.is_persons:
        known = rule.known.get(persons_digest(field, claim), frozenset())
        opposing = {f: new for f, own in opposing.items() if (new := [d for d in own if d.trace_id not in known])}
    if not opposing or not (agreeing or claim.is_persons):
        return
    part = len(agreeing) / (len(agreeing) + len(opposing))
    is_conflict = min(len(agreeing), len(opposing)) >= least and 1 - rule.share < part < rule.share
    if claim.is_persons:
        is_conflict = len(opposing) >= MIN_SIDE and part < rule.share
    yield Contradiction(
        field=field,
        claim_id=claim.id,
        kind=kind,
        text=claim.text,
        says=says,
        for_it=_cite(agreeing),
        against=_cite(opposing),
        agreeing=tuple(sorted(agreeing)),
        opposing=tuple(sorted(opposing)),
        is_conflict=is_conflict,
    )


def _cite(families: dict[str, list[Deed]]) -> tuple[Citation, ...]:
    """Returns citations of one Trace for each of the first families."""
    events: dict[str, set[str]] = {}
    for _, own in sorted(families.items())[:MAX_CITED]:
        for deed in own[:2]:
            if deed.trace_id == own[0].trace_id:
                events.setdefault(deed.trace_id, set()).update(deed.events)
    return tuple(Citation(trace_id=t, events=tuple(sorted(e, key=event_order))) for t, e in sorted(events.items()))
