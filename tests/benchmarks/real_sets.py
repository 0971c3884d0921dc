"""The shared sets of real attempts as sources: whole sets of support and query attempts, and coding sessions."""

from collections.abc import Iterator
from pathlib import Path

from skillc.core.compile.evidence import Source
from skillc.core.trace.codec import parse_trace
from skillc.core.trace.records import Outcome
from skillc.errors import DataError
from tests.benchmarks.test_induction import intercode, tau2
from tests.corpora import airline_sources, corpus
from tests.importers.reading import read
from tests.makers import make_source

CODING = {
    "claude-code": (
        "claude-code",
        "*.jsonl",
        ("claude-code-spotter", "claude-code-agentcmd", "claude-code-viewer-mock"),
    ),
    "codex": ("codex", "*.jsonl", ("codex-rollouts-agentcmd", "codex-openagents-sample")),
    "swe-agent": ("swe-agent", "*.traj", ("swe-agent-trajs",)),
}
MIN_EVENTS = 4  # a shorter file is a sample of one record


def real_sets() -> dict[str, list[Source]]:
    """Returns every set by name; what none says of its outcome counts as two successes and a failure in turn."""
    sets = {
        "retail": tau2("retail"),
        "airline": list(airline_sources()),
        "airline-tau2": tau2("airline"),
        "intercode-bash": intercode("intercode-bash", "**/*.json"),
        "intercode-sql": intercode("intercode-sql", "gpt-4/*.json"),
    }
    return sets | {name: coding_set(name) for name in CODING}


def coding_set(name: str) -> list[Source]:
    """Returns the sessions of one kind, each an attempt family of its own."""
    kind, pattern, folders = CODING[name]
    files = (path for folder in folders for path in sorted(corpus(folder).rglob(pattern)))
    found: dict[str, Source] = {}
    for body in _bodies(kind, (path for path in files if "subagents" not in path.parts)):
        trace = parse_trace(body, path=name)
        if len(trace.events) >= MIN_EVENTS and trace.trace_id not in found:
            outcome = Outcome.FAILURE if len(found) % 3 == 2 else Outcome.SUCCESS
            made = make_source(outcome=outcome, trace_id=trace.trace_id)
            found[trace.trace_id] = made.model_copy(update={"trace": trace})
    return list(found.values())


def _bodies(kind: str, files: Iterator[Path]) -> Iterator[bytes]:
    for path in files:
        try:
            yield from read(kind, path.read_bytes(), path=path.name).bodies
        except DataError:  # a file without an event
            continue


def grown(sources: list[Source], events: int) -> list[Source]:
    """Returns so many copies of a set that they hold about this many events, each under ids of its own."""
    copies = max(1, events // sum(len(s.trace.events) for s in sources))
    return [_renamed(source, number) for number in range(copies) for source in sources]


def _renamed(source: Source, number: int) -> Source:
    header = source.trace.header.model_copy(update={"trace_id": f"{source.trace_id[:56]}-{number:05d}"})
    trace = source.trace.model_copy(update={"header": header})
    return source.model_copy(update={"trace": trace, "attempt_family": f"{source.attempt_family}-{number}"})
