"""The table of importers, in the order in which they are asked. One row a format.

Not here: reading files, choosing which (lifecycle.capture).
"""

from skillc.errors import UsageError
from skillc.importers.atif import AtifImporter
from skillc.importers.base import Importer
from skillc.importers.braintrust import BraintrustImporter
from skillc.importers.claude_code import ClaudeCodeImporter
from skillc.importers.codex import CodexImporter
from skillc.importers.companions import ReadsBeside
from skillc.importers.gemini import GeminiImporter
from skillc.importers.intercode import InterCodeImporter
from skillc.importers.langfuse import LangfuseImporter
from skillc.importers.langsmith import LangSmithImporter
from skillc.importers.messages import MessagesImporter
from skillc.importers.native import NativeImporter
from skillc.importers.otel import OtelImporter
from skillc.importers.swe_agent import SweAgentImporter
from skillc.importers.tau2 import Tau2Importer
from skillc.importers.tau_bench import TauBenchImporter

# Each format is known by what no other has, so the order decides nothing.
IMPORTERS: tuple[Importer, ...] = (
    NativeImporter(),
    ClaudeCodeImporter(),
    CodexImporter(),
    GeminiImporter(),
    AtifImporter(),
    SweAgentImporter(),
    InterCodeImporter(),
    TauBenchImporter(),
    Tau2Importer(),
    LangSmithImporter(),
    BraintrustImporter(),
    LangfuseImporter(),
    OtelImporter(),
    MessagesImporter(),
)

# How the names of session files end; in a folder that is captured as a whole, only these are looked into.
SESSION_SUFFIXES = (".jsonl", ".json", ".traj")


def importer_for(kind: str) -> Importer:
    """Returns the importer of a format's name. Raises UsageError that lists the names."""
    for importer in IMPORTERS:
        if importer.kind == kind:
            return importer
    known = ", ".join(importer.kind for importer in IMPORTERS)
    raise UsageError(f"no importer reads {kind!r}", hint=f"--from takes one of: {known}")


def detect(head: bytes, name: str) -> Importer | None:
    """Returns the first importer that knows the file by its first bytes (up to 64 KiB) and its name, or None."""
    return next((importer for importer in IMPORTERS if importer.detect(head, name)), None)


def kinds_beside(head: bytes) -> frozenset[str]:
    """Returns the kinds of sources beside which a file belongs that is no source itself, by its first bytes."""
    return frozenset(i.kind for i in IMPORTERS if isinstance(i, ReadsBeside) and i.belongs_beside(head))
