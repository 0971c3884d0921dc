"""The descriptor: description, use_when, tools and effects, in words that users of the family really used.

Paper: 5.2, 5.5. Not here: which words of a request count (engines.offline.request), conditions that exclude a
use (engines.offline.conditions).
"""

import re
from collections.abc import Sequence

from skillc.core.policy import TARGET_DESCRIPTION_CHARS
from skillc.core.skill.claim import PLACEHOLDER, Claim, Effect, EffectClaim, StepClaim
from skillc.core.trace.operation import is_edit, is_read
from skillc.engines.offline.align import Column
from skillc.engines.offline.calls import Attempt, Call, CallKind, Said
from skillc.engines.offline.cite import Shows, cite, cite_calls, cite_named, cite_parts
from skillc.engines.offline.commands import only_prepares, shown_command
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.places import ROLE_WORDS
from skillc.engines.offline.request import is_order, words_beside
from skillc.engines.offline.wording import claim_id, code, content_words, family_title, joined, sentence

MAX_DESCRIBED = 40  # Traces
MAX_DESCRIBED_EVENTS = 8
MAX_DESCRIBED_CALLS = 4
MAX_ENDS = 2  # what it is for stands in the description, however long the way is
_EFFECT_TEXTS = {
    Effect.READ: "Reads",
    Effect.WRITE: "Changes",
    Effect.MESSAGE: "Sends a message or hands over",
    Effect.MONEY: "Moves money",
    Effect.DELETE: "Removes or ends something",
}
_PAYMENT_ARGUMENT = re.compile(r"payment|amount|price|card|refund", re.IGNORECASE)


def description_of(induction: Induction, words: list[str], rejected: Sequence[StepClaim] = ()) -> Claim:
    """Returns what the Skill does and when to use it, at most 300 characters and without angle brackets.

    `words` are those that users say when they ask for it. What a person `rejected` as a step is not told here either.
    """
    columns = _columns_without(induction, rejected)
    title = family_title(induction.evidence.task_family)
    what = sentence(f"{title[:1].upper()}{title[1:]}: {_main_actions(induction, columns)}")
    asked = f" {_asked(words, title)}"
    text = what + asked
    while len(text) > TARGET_DESCRIPTION_CHARS and len(words) > 2:
        words = words[:-1]
        text = f"{what} {_asked(words, title)}"
    if len(text) > TARGET_DESCRIPTION_CHARS:
        text = sentence(what, TARGET_DESCRIPTION_CHARS - 1)
    text = text.replace("<", "").replace(">", "").replace("`", "")
    said = [(a.family, a.trace_id, (s.event,)) for a in induction.successes for s in _said_with(a, words)]
    done = []
    changing = [c for c in columns if c.is_changing]
    for column in (*_described_columns(induction, columns), *changing[:4]):
        wanted = set(_shown_words(column, induction))
        # The call of each Trace that has most of the words shown, the first of equals.
        ranked = sorted(column.calls, key=lambda c: (-len(wanted & _words_of(c)), c.position), reverse=True)
        first = {c.trace_id: c for c in ranked}
        done += [(c.family, c.trace_id, c.events[:1]) for _, c in sorted(first.items())]
    # The description names every supporting family once, so that the Skill keeps all of its evidence in use.
    citations = cite(said + done, traces=MAX_DESCRIBED, events_each=MAX_DESCRIBED_EVENTS)
    return Claim(id="description", text=text, citations=citations)


def _shown_words(column: Column, induction: Induction) -> list[str]:
    if column.kind not in (CallKind.CHECK, CallKind.COMMAND):
        return []
    return shown_command(column.calls, induction.alphabet).split()


def _words_of(call: Call) -> set[str]:
    return set(call.command.words) if call.command is not None else set()


def _asked(words: list[str], title: str) -> str:
    """Returns when to use the Skill: what is asked for, and what else requests speak of."""
    if not is_order(title):
        return f"Use when a request speaks of {joined(words)}." if words else f"Use when a request is about {title}."
    more = words_beside(title, words)
    return f"Use when asked to {title}{f', or when a request speaks of {joined(more)}' if more else ''}."


def use_when_of(induction: Induction, words: list[str]) -> tuple[Claim, ...]:
    """Returns when to use the Skill, from what the users of several families asked for."""
    title = family_title(induction.evidence.task_family)
    to = "to" if is_order(title) else "about"
    text = f"The request is {to} {title}" if not words else f"The request speaks of {joined(words)}"
    if words and is_order(title):
        more = words_beside(title, words)
        text = f"The request is to {title}{f'; it may speak of {joined(more)}' if more else ''}"
    if not words and title.split(" ")[0] in ("no", "some"):
        text = "The request can be answered without changing anything"
    shows = [
        Shows(word, attempt.family, attempt.trace_id, (said.event,))
        for attempt in induction.successes
        for said in _said_with(attempt, words)
        for word in sorted(set(words) & set(content_words(said.text)) or {""})
    ]
    if not shows:
        return _use_when_without_user(induction, title)
    text = sentence(text)
    claim = Claim(id=claim_id("use_when", text), text=text, citations=cite_parts(shows))
    return (claim, *_failing_check(induction))


def _failing_check(induction: Induction) -> tuple[Claim, ...]:
    """A check that failed at the start in most families is a sign that the Skill is for this."""
    for column in induction.columns:
        failing = [c for c in column.calls if c.kind is CallKind.CHECK and c.failed and not c.after_change]
        if len({c.family for c in failing}) >= max(1, induction.thresholds.mandatory_share * len(induction.families)):
            text = sentence(f"{code(shown_command(column.calls, induction.alphabet))} fails before any change")
            return (Claim(id=claim_id("use_when", text), text=text, citations=cite_calls(failing)),)
    return ()


def _use_when_without_user(induction: Induction, title: str) -> tuple[Claim, ...]:
    text = sentence(f"The task is to {title}")
    calls = induction.columns[0].calls
    return (Claim(id=claim_id("use_when", text), text=text, citations=cite_calls(calls)),)


def _said_with(attempt: Attempt, words: list[str]) -> list[Said]:
    """Returns the first messages that hold the words, at most three."""
    missing = set(words)
    found: list[Said] = []
    for said in attempt.said:
        shown = missing & set(content_words(said.text))
        if shown or not found:
            found.append(said)
            missing -= shown
        if not missing or len(found) == 3:
            break
    return found


def _columns_without(induction: Induction, rejected: Sequence[StepClaim]) -> list[Column]:
    """Returns the columns but for those that rejected steps were made from; all where nothing else is left."""
    gone = {(c.trace_id, event) for step in rejected for c in step.citations for event in c.events}
    left = [c for c in induction.columns if not any((k.trace_id, e) in gone for k in c.calls for e in k.events)]
    return left or list(induction.columns)


def _telling_columns(induction: Induction, columns: list[Column]) -> list[Column]:
    usual = [c for c in columns if not (c.optional or induction.is_in_vain(c))]
    telling = [c for c in usual if c.is_changing or c.kind in (CallKind.CHECK, CallKind.COMMAND)]
    return telling or usual or columns


def _described_columns(induction: Induction, columns: list[Column]) -> list[Column]:
    """Returns the steps that the description names: all usual calls on records, else the telling steps."""
    telling = _telling_columns(induction, columns)
    if all(c.kind is CallKind.RECORD for c in telling):
        usual = [c for c in columns if c.kind is CallKind.RECORD and not c.optional]
        ends = [c for c in usual if c.is_changing][-MAX_ENDS:]
        looks = [c for c in usual if c not in ends][: MAX_DESCRIBED_CALLS - len(ends)]
        return [c for c in usual if c in looks or c in ends] or telling[:MAX_DESCRIBED_CALLS]
    return telling[:6]


def _main_actions(induction: Induction, columns: list[Column]) -> str:
    parts: list[str] = []
    described = _described_columns(induction, columns)
    for column in described:
        if column.kind is CallKind.RECORD:
            part = " ".join(filter(None, (column.tool, column.calls[0].operation)))
        elif column.kind in (CallKind.CHECK, CallKind.COMMAND):
            command = PLACEHOLDER.sub("", shown_command(column.calls, induction.alphabet, bare=True)).strip()
            part = "commit" if column.symbol == "run git commit" else f"run {command}"
        elif column.kind is CallKind.EDIT:
            place = induction.alphabet.place_of(column.calls[0])
            part = f"change {place}" if place and not place.startswith("<") else f"edit {_role_words(place)}"
            if place.startswith("<") and 2 * sum(c.creates for c in column.calls) > len(column.calls):
                part = f"write {_role_words(place).replace('the ', 'a new ', 1)}"
        else:
            part = "read and look around"
        if part not in parts:
            parts.append(part)
    if all(c.kind is CallKind.RECORD for c in described):
        options = [c.tool for c in columns if c.is_changing and c.optional]
        if options and not any(c.is_changing for c in described):
            parts.append(f"as needed {joined(options[:4], 'or')}")
        return f"call {', then '.join(parts)}"
    return joined(parts)


def _role_words(place: str) -> str:
    return ROLE_WORDS.get(place.strip("<>"), "the files")


def tools_of(induction: Induction) -> tuple[Claim, ...]:
    """Returns one claim per tool that the steps use, with what it is used for."""
    tools: dict[str, list[str]] = {}
    for column in induction.columns:
        if induction.is_in_vain(column) or (column.kind is CallKind.COMMAND and only_prepares(column.calls[0])):
            continue
        uses = tools.setdefault(column.tool, [])
        if column.kind in (CallKind.CHECK, CallKind.COMMAND):
            command = shown_command(column.calls, induction.alphabet, bare=True)
            if not _has_placeholder(command) and code(command) not in uses:
                uses.append(code(command))
    claims = []
    if induction.is_coding and any(tools.values()):
        # Every host has tools that read and edit files; what they are for goes without saying.
        tools = {t: uses for t, uses in tools.items() if uses or not (is_edit(t) or is_read(t))}
    for tool in sorted(tools):
        text = sentence(f"{code(tool)}, for {joined(tools[tool][:5])}" if tools[tool] else code(tool))
        text = text.rstrip(".")
        calls = [(column.symbol, c) for column in induction.columns for c in column.calls if c.tool == tool]
        claims.append(Claim(id=claim_id("tools", text), text=text, citations=cite_named(calls)))
    return tuple(claims)


def _has_placeholder(text: str) -> bool:
    return "<" in text


def effects_of(induction: Induction) -> tuple[EffectClaim, ...]:
    """Returns the effects that the cited calls show, from harmless to final."""
    calls: dict[Effect, list[tuple[str, Call]]] = {}
    for column in induction.columns:
        for call in column.calls:
            effect = call.effect
            paying = call.kind is CallKind.RECORD and any(_PAYMENT_ARGUMENT.search(k) for k in call.arguments)
            if effect is Effect.WRITE and paying:
                effect = Effect.MONEY
            name = call.tool if call.operation is None else call.operation
            calls.setdefault(effect, []).append((name, call))
    found = []
    for effect in Effect:
        if effect in calls:
            shown = _most_used(calls[effect])
            names = [code(n) for n in shown]
            text = sentence(f"{_EFFECT_TEXTS[effect]}: {joined(names)}").rstrip(".")
            found.append(
                EffectClaim(
                    id=claim_id("effects", text),
                    text=text,
                    effect=effect,
                    citations=cite_named((n, c) for n, c in calls[effect] if n in shown),
                )
            )
    return tuple(found)


def _most_used(calls: list[tuple[str, Call]]) -> list[str]:
    """Returns the names that most families call, at most five; those of one family alone are left out."""
    users: dict[str, set[str]] = {}
    for name, call in calls:
        users.setdefault(name, set()).add(call.family)
    most = max(len(u) for u in users.values())
    kept = [n for n in users if len(users[n]) > 1 or most == 1]
    return sorted(sorted(kept, key=lambda n: (-len(users[n]), n))[:5])
