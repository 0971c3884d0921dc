"""The text of a model's answer: strict JSON or nothing, and strings in which nothing is hidden.

First thing that trusted code does with an answer: size, depth, doubled keys, numbers and unseen characters are
refused before any field is looked at. What is wrong is told in our own words, never with the answer's text.
Paper: 5.3, Validation. Not here: what the fields mean (core.compile.answer_items and its users).
"""

import json
import math
import unicodedata
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, ValidationError

from skillc.core.record import Record, first_problem

MAX_ANSWER_CHARS = 400_000
MAX_DEPTH = 20
MAX_NUMBER_CHARS = 40
_MAX_COMBINING = 2
_FENCE = "```"
# Controls, formats (bidirectional, zero width), lone surrogates, private and unassigned characters.
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class AnswerProblem(Record):
    """Why an answer as a whole cannot be used. `reason` is ours and may be sent back to the model."""

    reason: str


class Dropped(Record):
    """One item of an answer that was left out. `place` is counted by us; no word of the answer is in it."""

    place: str
    reason: str


class _Refused(ValueError):
    """Ends the reading of an answer."""


def parse_answer(text: str) -> dict[str, Any] | AnswerProblem:
    """Returns the JSON object that an answer is, or why it is none.

    At most one code fence around the whole answer is taken off. Prose around the object, a second object, doubled
    keys, NaN, huge numbers, more than 20 levels and lone surrogates make the answer invalid; nothing is mended.
    """
    if len(text) > MAX_ANSWER_CHARS:
        return AnswerProblem(reason=f"the answer has more than {MAX_ANSWER_CHARS} characters")
    bare = _without_fence(text.strip())
    if _depth(bare) > MAX_DEPTH:
        return AnswerProblem(reason=f"the answer is nested more than {MAX_DEPTH} levels deep")
    try:
        value = json.loads(
            bare, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except _Refused as error:
        return AnswerProblem(reason=str(error))
    except UnicodeEncodeError:
        return AnswerProblem(reason="the answer holds a lone surrogate")
    except (ValueError, RecursionError):
        return AnswerProblem(reason="the answer is not one JSON object and nothing else")
    if not isinstance(value, dict):
        return AnswerProblem(reason="the answer is JSON, but not an object")
    return value


def _without_fence(text: str) -> str:
    """Takes one fence off: its first line and its last three signs."""
    if not (text.startswith(_FENCE) and text.endswith(_FENCE) and "\n" in text):
        return text
    first, _, rest = text.partition("\n")
    name = first[len(_FENCE) :].strip()
    return rest[: -len(_FENCE)].strip() if name in ("", "json", "JSON") else text


def _depth(text: str) -> int:
    """Returns the deepest nesting, strings left out; one pass, so hostile text costs no more than its length."""
    deepest = level = 0
    in_string = escaped = False
    for sign in text:
        if in_string:
            if escaped:
                escaped = False
            elif sign == "\\":
                escaped = True
            elif sign == '"':
                in_string = False
        elif sign == '"':
            in_string = True
        elif sign in "[{":
            level += 1
            deepest = max(deepest, level)
        elif sign in "]}":
            level -= 1
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused("an object of the answer has the same key twice")
    return found


def _constant(name: str) -> Any:
    raise _Refused("the answer holds a number that JSON does not know")


def _float(text: str) -> float:
    value = float(text) if len(text) <= MAX_NUMBER_CHARS else math.inf
    if not math.isfinite(value):
        raise _Refused("the answer holds a number that is too large")
    return value


def _int(text: str) -> int:
    if len(text) > MAX_NUMBER_CHARS:
        raise _Refused("the answer holds a number that is too large")
    return int(text)


def plain(text: str) -> str:
    """Returns a text on one line; raises ValueError where it holds what a reader does not see.

    Line ends and tabs become blanks. Controls, bidirectional and zero-width signs, private and unassigned
    characters and piled combining marks are refused, not taken out: a hidden text is no slip.
    """
    text = " ".join(text.replace("\n", " ").replace("\r", " ").replace("\t", " ").split(" "))
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    combining = 0
    for sign in text:
        category = unicodedata.category(sign)
        if category in _UNSEEN_CATEGORIES:
            raise ValueError("holds a character that a reader does not see")
        combining = combining + 1 if category in ("Mn", "Me") else 0
        if combining > _MAX_COMBINING:
            raise ValueError("piles combining marks")
    return " ".join(text.split())


PlainText = Annotated[str, AfterValidator(plain)]

_R = TypeVar("_R", bound=Record)


def item_of(model: type[_R], value: Any, place: str) -> _R | Dropped:
    """Returns one item of an answer as a record, or why it was left out.

    Types are taken strictly: no number becomes a text, and a field that the record does not have refuses it.
    """
    try:
        return model.model_validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        return Dropped(place=place, reason=_field_words(error))


def items_of(model: type[_R], value: Any, place: str, limit: int) -> tuple[list[_R], list[Dropped]]:
    """Returns the items of a list that are records of one kind, and what was left out; a bad one costs itself only."""
    if not isinstance(value, list):
        return [], [Dropped(place=place, reason="is not a list")]
    found: list[_R] = []
    dropped: list[Dropped] = []
    for number, entry in enumerate(value[:limit]):
        item = item_of(model, entry, f"{place}[{number}]")
        if isinstance(item, Dropped):
            dropped.append(item)
        else:
            found.append(item)
    if len(value) > limit:
        dropped.append(Dropped(place=place, reason=f"has {len(value) - limit} items over the limit of {limit}"))
    return found, dropped


def missing_keys(value: dict[str, Any], keys: tuple[str, ...]) -> str:
    """Returns what is wrong with the fields of an answer; empty when it has exactly these."""
    missing = [key for key in keys if key not in value]
    if missing:
        return f"the answer has no field {missing[0]!r}"
    if len(value) > len(keys):
        return f"the answer has fields other than {', '.join(keys)}"
    return ""


def _field_words(error: ValidationError) -> str:
    """Says which field is wrong; a name that we do not know is the model's text and is not repeated."""
    return first_problem(error, "item").replace("Value error, ", "")
