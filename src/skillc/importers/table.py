"""The table of importers, in the order in which they are asked. One row a format.

Not here: reading files, choosing which (lifecycle.capture).
"""

from skillc.errors import UsageError
from skillc.importers.atif import AtifImporter
from skillc.importers.base import Importer
from skillc.importers.braintrust import BraintrustImporter
from skillc.importers.claude_code import ClaudeCodeImporter
from skillc.importers.codex import CodexImporter
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

# The names under which sessions lie in a folder that is captured as a whole. `**/` crosses folders, for hosts
# that nest them by date or by trial; a file must also be detected as its kind.
FOLDER_GLOBS: dict[str, tuple[str, ...]] = {
    "codex": ("**/rollout-*.jsonl",),
    "gemini": ("session-*.json", "session-*.jsonl", "**/chats/session-*.json", "**/chats/session-*.jsonl"),
    "atif": ("trajectory.json", "**/agent/trajectory.json"),
    "swe-agent": ("**/*.traj",),
    "intercode": ("ic_*.json",),
    "tau-bench": ("*.json",),
    "tau2": ("*.json",),
    "langsmith": ("*.json",),
    "braintrust": ("*.json",),
    "langfuse": ("*.json",),
    "otel": ("*.json",),
}


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
