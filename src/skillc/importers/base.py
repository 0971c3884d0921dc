"""What every importer takes and gives: a source in, finished Traces out, and a report of what was dropped.

An importer turns one foreign file into sealed, redacted Traces. It streams: a Trace's lines go to a spooled
file, never to a list. Not here: which files to read and where Traces are stored (lifecycle.capture).
"""

import hmac
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol

from skillc.core.policy import RestrictedPattern
from skillc.core.trace.records import Close, Outcome, TraceHeader

# Actors of the main line of an attempt. Events of a subagent carry its own id instead.
ACTOR_USER = "user"
ACTOR_AGENT = "agent"
ACTOR_TOOL = "tool"
ACTOR_SYSTEM = "system"


@dataclass(frozen=True)
class MessagesOptions:
    """How a file of chat messages names its parts; dotted paths into one record.

    `outcome_file` is a JSON or JSONL file beside the source, whose records hold the attempt key and the mapped
    field; without it the mapped field is read from the record itself.
    """

    messages_field: str = "messages"
    attempt_key: str | None = None
    outcome_file: str | None = None

    @property
    def names_format(self) -> bool:
        """Says whether a choice was made that no other format than chat messages has."""
        return self.messages_field != "messages" or self.attempt_key is not None


@dataclass(frozen=True)
class OutcomeMapping:
    """A registered mapping: success when the number at `field` is at least `success_at`, else failure.

    `source_type` says which source of a score counts; without it, a judge's scores never do (importers.scores).
    """

    verifier_id: str
    field: str
    success_at: float
    source_type: str | None = None


@dataclass(frozen=True)
class GitFacts:
    """Where HEAD stood when a session began and ended, as the capture hook saw it, and what was committed between.

    `commits` is None when git's log of HEAD does not tell. They may be somebody else's in the same work tree.
    """

    head_start: str | None = None
    head_end: str | None = None
    commits: tuple[str, ...] | None = None
    is_whole: bool = True  # of one task alone

    def part(self, *, is_first: bool, is_last: bool) -> "GitFacts":
        """Returns what belongs to one task of the session: the begin to the first, the end to the last."""
        begin, end = self.head_start if is_first else None, self.head_end if is_last else None
        return GitFacts(begin, end, self.commits, is_first and is_last)


@dataclass(frozen=True)
class ImportContext:
    """What the namespace says about capture. `secret` salts the lines of this machine.

    `git_facts` belong to one session, so a context with them reads one source only. `part_at` tells of a source kind,
    a session and a time which captured part of that session holds it; without it a session is one Trace.
    """

    namespace: str
    secret: bytes
    max_result_bytes: int = 16384
    restricted: tuple[RestrictedPattern, ...] = ()
    task_family: str | None = None
    messages: MessagesOptions = MessagesOptions()
    mapping: OutcomeMapping | None = None
    git_facts: GitFacts = GitFacts()
    splits_objectives: bool = False
    redact_names: tuple[str, ...] = ()
    part_at: Callable[[str, str, str], str] | None = None


def content_key(context: ImportContext, data: bytes) -> str:
    """Returns what stands for a source that names no session: a digest of its content under this machine's secret.

    Ids are stored, and a plain digest of what was not yet redacted would let anybody try out what stood there.
    """
    return hmac.digest(context.secret, b"content:" + data, "sha256").hex()


@dataclass(frozen=True)
class Companion:
    """A file beside the source that may hold a part of the same attempt. It is opened only when it is needed."""

    name: str
    open: Callable[[], BinaryIO]


@dataclass(frozen=True)
class MappedVerdict:
    """The outcome that a mapping read from the source; `detail` is e.g. `reward = 1.0`."""

    outcome: Outcome
    detail: str


@dataclass
class ImportedTrace:
    """One sealed Trace. `body` is a seekable stream of the whole file (header, events, close), at offset 0."""

    header: TraceHeader
    close: Close
    body: BinaryIO
    size_bytes: int
    events: int
    verdict: MappedVerdict | None = None


@dataclass
class ImportReport:
    """What one source held besides its Traces. Counted, never fatal. `cut` counts events cut in the middle,
    `restricted` those that are stored as references, `orders` those whose untrusted text gives an agent orders."""

    path: str
    kind: str
    cut: int = 0
    restricted: int = 0
    orders: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    redacted: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)  # where the session worked, as the source says; never stored


class Importer(Protocol):
    """One foreign format."""

    kind: str
    companion_globs: tuple[str, ...]

    def detect(self, head: bytes, name: str) -> bool:
        """Says whether the first bytes (up to 64 KiB) of the file `name` look like this format."""
        ...

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields the Traces of one source, in its order. Raises DataError when the file is not this format.

        `stream` is seekable and at its start; only redacted bytes reach the disk, so a caller that reads a
        pipe keeps it in memory.
        """
        ...
