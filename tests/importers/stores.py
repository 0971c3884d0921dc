"""What the tests of benchmarks and trace stores share: mappings, canaries, and real records mutated at random."""

import contextlib
import copy
import json
import random
from pathlib import Path
from typing import Any

from skillc.errors import DataError
from skillc.importers.base import ImportContext, MessagesOptions, OutcomeMapping
from tests.corpora import corpus
from tests.importers.reading import Reading, read

CANARY = "canary-of-the-answer-key-7Q"
_ODD: tuple[Any, ...] = (
    None, True, 0, -1, 10**30, 1.5, "", "x", "\ud83d", "\u2028\x00\x1b[31m", "{", "[[", '{"role": "user"}', [], {}, [[]],
    [None], {"role": "user"}, {"content": []}, {"type": "tool_use"}, [{"role": "tool", "content": {"a": 1}}], "NaN",
)  # fmt: skip


def mapped(field: str, at: float = 1.0, source_type: str | None = None, **options: Any) -> ImportContext:
    """Returns a context with a registered mapping; `options` go to the messages options."""
    return ImportContext(
        namespace="acme",
        secret=b"s" * 32,
        messages=MessagesOptions(**options),
        mapping=OutcomeMapping("checker", field, at, source_type),
    )


def read_json(kind: str, value: Any, **options: Any) -> Reading:
    return read(kind, json.dumps(value).encode(), path=options.pop("path", "export.json"), **options)


def json_lines(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def outcomes(reading: Reading) -> list[str | None]:
    return [verdict.outcome.value if verdict else None for verdict in reading.verdicts]


def corpus_files(name: str) -> list[Path]:
    return sorted(corpus(name).rglob("*.json*"))


def check_mutations(kind: str, record: Any, seed: int, *, context: ImportContext) -> None:
    """Imports a record with a few random changes: whole Traces, or a DataError; `read` holds every line."""
    chance = random.Random(seed)
    value = copy.deepcopy(record)
    for _ in range(chance.randint(1, 6)):
        _mutate(value, chance)
    data = json.dumps(value).encode()
    if chance.random() < 0.15:
        data = data[: chance.randint(0, len(data))]
    with contextlib.suppress(DataError):
        read(kind, data, context=context)


def _mutate(value: Any, chance: random.Random) -> None:
    while True:
        if not isinstance(value, dict | list) or not value:
            return
        key = chance.choice(list(value)) if isinstance(value, dict) else chance.randrange(len(value))
        if isinstance(value[key], dict | list) and value[key] and chance.random() < 0.8:
            value = value[key]
            continue
        change = chance.randrange(4)
        if change == 0:
            del value[key]
        elif change == 1 and isinstance(value, list):
            value.append(copy.deepcopy(value[key]))
        elif change == 2 and isinstance(value, dict):
            value[chance.choice(("id", "role", "type", "parent", "content", "x"))] = value.pop(key)
        else:
            value[key] = copy.deepcopy(chance.choice(_ODD))
        return
