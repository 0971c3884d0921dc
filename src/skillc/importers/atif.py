"""ATIF trajectories, alone or in the folder of a Harbor trial: one trajectory becomes one Trace.

The format has no outcome and no error flag. In a trial the outcome stands in `result.json` above the agent's
folder and is read only through a registered mapping; a trial without a verifier's result, or with an
exception, has no known outcome. What the trajectory says of itself is never a verdict.
Not here: steps and subagents (importers.atif_steps).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from skillc.core.record import canonical_json, sha256_hex
from skillc.errors import DataError
from skillc.importers.atif_steps import Trajectory
from skillc.importers.attempt import Attempt
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport, MappedVerdict
from skillc.importers.documents import head_object, read_document
from skillc.importers.verdicts import field_verdict

VERSIONS = tuple(f"ATIF-v1.{minor}" for minor in range(9))
_VERSION = re.compile(r"^ATIF-v\d+(?:\.\d+)*$")
_RESULT_NAMES = ("../result.json", "result.json")


class AtifImporter:
    """Reads `trajectory.json`. Companions are the trial's result and the files that a trajectory refers to."""

    kind = "atif"
    companion_globs: tuple[str, ...] = ("../result.json", "*.json", "*/*.json")

    def detect(self, head: bytes, name: str) -> bool:
        first = head_object(head)
        version = first.get("schema_version")
        return isinstance(version, str) and version.startswith("ATIF-")

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields the one Trace of a trajectory, with its continuations and subagents."""
        document = read_document(stream, report.path)
        _require_version(document, report)
        trial = _trial(report, companions)
        session, number = _identity(document, trial)
        attempt = Attempt(context, report, ref=f"{session}/{number}"[:200], session=session, attempt=number)
        agent = document.get("agent")
        agent = agent if isinstance(agent, dict) else {}
        trajectory = Trajectory(attempt, report, companions)
        try:
            trajectory.read(document)
        except DataError:
            attempt.discard()
            raise
        name, model = agent.get("name"), agent.get("model_name")
        finished = attempt.finish(
            agent=name if isinstance(name, str) and name else "unknown",
            model=model if isinstance(model, str) else trajectory.model,
            attempt_key=_key(trial),
            verdict=_verdict(trial, context, report),
        )
        if finished is None:
            raise DataError(f"{report.path}:1: the trajectory has no step of its own", hint="copied steps do not count")
        yield finished


def _require_version(document: Any, report: ImportReport) -> None:
    version = document.get("schema_version") if isinstance(document, dict) else None
    if not isinstance(version, str) or not _VERSION.match(version):
        raise DataError(f"{report.path}:1: is no ATIF trajectory", hint='it needs "schema_version": "ATIF-v1.7"')
    if version not in VERSIONS:
        raise DataError(
            f"{report.path}:1: has schema_version {version[:20]!r}; this skillc reads {VERSIONS[0]} to {VERSIONS[-1]}",
            hint="a newer format needs a newer skillc",
        )


def _trial(report: ImportReport, companions: Sequence[Companion]) -> dict[str, Any]:
    """Returns the trial's result; empty when there is none. The folder above counts for `agent/` only."""
    for name in _RESULT_NAMES:
        if name.startswith("../") and report.path.replace("\\", "/").split("/")[-2:-1] != ["agent"]:
            continue
        for companion in companions:
            if companion.name == name:
                with companion.open() as stream:
                    try:
                        value = read_document(stream, companion.name)
                    except DataError:
                        report.notes.append("the trial's result.json cannot be read, so its outcome is unknown")
                        return {}
                if isinstance(value, dict) and value.keys() & {"task_name", "trial_name", "verifier_result"}:
                    return value
    return {}


def _identity(document: dict[str, Any], trial: dict[str, Any]) -> tuple[str, str]:
    """Returns session and attempt. A session's id may repeat, so something unique stands beside it."""
    session = document.get("session_id")
    for number in (document.get("trajectory_id"), trial.get("trial_name")):
        if isinstance(number, str) and number:
            return session if isinstance(session, str) else "", number
    return session if isinstance(session, str) else "", sha256_hex(canonical_json(document))[:32]


def _key(trial: dict[str, Any]) -> str | None:
    name, checksum = trial.get("task_name"), trial.get("task_checksum")
    if not isinstance(name, str) or not name:
        return None
    return f"task {name} {checksum}" if isinstance(checksum, str) and checksum else f"task {name}"


def _verdict(trial: dict[str, Any], context: ImportContext, report: ImportReport) -> MappedVerdict | None:
    if context.mapping is None:
        return None
    if not trial:
        report.notes.append("no result.json of a trial is beside it, so no verdict")
        return None
    if trial.get("exception_info") is not None:
        report.notes.append("the trial ended with an exception, so its outcome is unknown")
        return None
    if not isinstance(trial.get("verifier_result"), dict):
        report.notes.append("the trial has no verifier_result, so its outcome is unknown")
        return None
    return field_verdict(trial, context.mapping, report)
