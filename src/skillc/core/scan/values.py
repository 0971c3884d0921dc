"""Trace values: ids, names, dates and numbers of the attempts behind a Skill, and where a text repeats them.

A Skill generalises; a value of one attempt in it is leaked instance data. A plain value that occurs in two attempt
families is a constant. Paper: 5.3 and 5.6, instance-data leakage.
Not here: the values of one Trace (core.scan.trace_words), credentials (core.scan.detectors), turning values into
placeholders (core.compile).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.trace_words import words_of
from skillc.core.scan.value_shapes import WORD, compact
from skillc.core.scan.views import View
from skillc.core.trace.codec import Trace

MIN_SPLIT_CHARS = 6
_MAX_PIECES = 24
_PREFIX_CHARS = 3


@dataclass(frozen=True)
class TraceValues:
    """The values of some Traces in compact form: case folded, separators dropped. Maps to what kind each is."""

    kinds: Mapping[str, str]
    multi_word: frozenset[str] = frozenset()

    @cached_property
    def longest(self) -> int:
        """The characters of the longest value."""
        return max(map(len, self.kinds), default=0)

    @cached_property
    def prefixes(self) -> frozenset[str]:
        """How values begin: where none begins, none can stand."""
        return frozenset(key[:_PREFIX_CHARS] for key in self.kinds)


def trace_values(
    traces: Iterable[Trace],
    *,
    attempt_family_of: Callable[[Trace], str] | None = None,
    constants: Iterable[str] = (),
) -> TraceValues:
    """Returns the instance values of the Traces.

    Args:
        attempt_family_of: names a Trace's attempt family; without it each Trace is a family of its own.
        constants: values that the caller knows to be the same in every attempt; they may stand in a Skill.
    """
    loaded = tuple(traces)
    kinds: dict[str, str] = {}
    strong: set[str] = set()
    multi_word: set[str] = set()
    names = {compact(item) for item in constants}
    for trace in reversed(loaded):  # so that the first Trace that holds a value says its kind
        words = words_of(trace)
        kinds.update(words.kinds)
        strong |= words.strong
        multi_word |= words.multi_word
        names |= words.names
    plain = kinds.keys() - strong - names
    dropped = names | _constants(loaded, attempt_family_of or (lambda trace: trace.trace_id), plain)
    kept = {key: kind for key, kind in kinds.items() if key not in dropped}
    return TraceValues(kinds=kept, multi_word=frozenset(multi_word & kept.keys()))


def _constants(traces: tuple[Trace, ...], family_of: Callable[[Trace], str], plain: set[str]) -> set[str]:
    """Returns the plain values of two attempt families, mentions counted: a path of every attempt is a constant."""
    families: dict[str, set[str]] = {}
    for trace in traces:
        for key in plain & words_of(trace).kinds.keys():
            families.setdefault(key, set()).add(family_of(trace))
    if len({family_of(trace) for trace in traces}) > 1:
        for trace in traces:
            for key in plain & words_of(trace).mentions:
                families[key].add(family_of(trace))
    return {key for key, found in families.items() if len(found) > 1}


def value_hits(view: View, values: TraceValues) -> Iterator[Hit]:
    """Yields where a view holds a value, also in other case or with other separators between its parts."""
    if not values.kinds:
        return
    words = [(match.start(), match.end(), match.group().casefold()) for match in WORD.finditer(view.text)]
    end_of_last = -1
    for first in range(len(words)):
        if words[first][0] < end_of_last:
            continue
        found = _longest_match(words, first, values)
        if found is not None:
            last, kind = found
            end_of_last = words[last][1]
            yield Hit(words[first][0], end_of_last, f"<{kind} of a source>")


def _longest_match(words: list[tuple[int, int, str]], first: int, values: TraceValues) -> tuple[int, str] | None:
    joined = ""
    found: tuple[int, str] | None = None
    for last in range(first, min(first + _MAX_PIECES, len(words))):
        if last > first and words[last][0] - words[last - 1][1] > 3:
            break
        joined += words[last][2]
        if len(joined) > values.longest:
            break
        kind = values.kinds.get(joined)
        if kind is not None and (last == first or joined in values.multi_word or len(joined) >= MIN_SPLIT_CHARS):
            found = last, kind
        if len(joined) >= _PREFIX_CHARS and joined[:_PREFIX_CHARS] not in values.prefixes:
            break
    return found


@cache
def value_rule() -> ScanRule:
    """Returns the rule that the scanner reports values under. It needs Traces, so it is not in the table."""
    return ScanRule(
        id="trace-value",
        family="instance data",
        title="Value of a source Trace",
        severity=Severity.BLOCK,
        meaning="The text repeats an id, name, date, path or number of an attempt that it was compiled from.",
        fix="Put a placeholder such as <order_id> in its place and say where the value comes from.",
        find=lambda view: (),
    )
