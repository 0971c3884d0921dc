"""The published JSON Schemas: one per record that a file or a `--json` answer holds."""

import json

from pydantic import BaseModel

from skillc.errors import UsageError


def _records() -> dict[str, type[BaseModel]]:
    return _stored() | _answers()


def _stored() -> dict[str, type[BaseModel]]:
    """Records that lie in files and on the ledger."""
    from skillc.core.admit.approval import ApprovalRecord
    from skillc.core.admit.evaluation import EvaluationRecord, EvaluationRequest
    from skillc.core.audit import AdmissionRecord, PublicationRecord
    from skillc.core.compile.amendment import AmendmentRecord
    from skillc.core.compile.conflict import ConflictRecord, ResolutionRecord
    from skillc.core.compile.history import FamilyRecord, OutcomeRecord, RunRecord
    from skillc.core.compile.withdrawal import LiftRecord, WithdrawalRecord, WithdrawnNote
    from skillc.core.policy import Policy
    from skillc.core.remove import TombstoneRecord
    from skillc.core.scan.baseline import Baseline
    from skillc.core.skill.contract import Contract
    from skillc.core.trace.records import Close, Event, TraceHeader
    from skillc.core.trace.summary import TraceSummary
    from skillc.core.trace.verification import Envelope, Verification

    return {
        "namespace": Policy,
        "scan-baseline": Baseline,
        "trace": TraceHeader,
        "event": Event,
        "close": Close,
        "envelope": Envelope,
        "verification": Verification,
        "summary": TraceSummary,
        "contract": Contract,
        "run": RunRecord,
        "outcome": OutcomeRecord,
        "family": FamilyRecord,
        "admission": AdmissionRecord,
        "deletion": TombstoneRecord,
        "publication": PublicationRecord,
        "approval": ApprovalRecord,
        "evaluation": EvaluationRecord,
        "evaluation-request": EvaluationRequest,
        "conflict": ConflictRecord,
        "resolution": ResolutionRecord,
        "withdrawal": WithdrawalRecord,
        "lift": LiftRecord,
        "amendment": AmendmentRecord,
        "withdrawn": WithdrawnNote,
    }


def _answers() -> dict[str, type[BaseModel]]:
    """Answers of commands with `--json`."""
    from skillc.core.scan.report import ScanReport
    from skillc.lifecycle.amend import AmendReport
    from skillc.lifecycle.capture import CaptureReport
    from skillc.lifecycle.check import CheckReport
    from skillc.lifecycle.compile_report import CompileReport
    from skillc.lifecycle.doctor.finding import DoctorReport
    from skillc.lifecycle.drain import DrainReport
    from skillc.lifecycle.evaluate_induction import InductionReport
    from skillc.lifecycle.explain import LogReport, WhyReport
    from skillc.lifecycle.families import FamiliesReport
    from skillc.lifecycle.family_suggestions import SuggestionsReport
    from skillc.lifecycle.forge import PullRequestReport
    from skillc.lifecycle.init_forge import ForgeReport
    from skillc.lifecycle.maintain import MaintainReport
    from skillc.lifecycle.plugin import PluginReport
    from skillc.lifecycle.publish import PublishReport
    from skillc.lifecycle.review import ReviewReport
    from skillc.lifecycle.stale import StaleReport
    from skillc.lifecycle.status import StatusReport
    from skillc.lifecycle.traces_list import TracesReport
    from skillc.lifecycle.verify import VerifyReport

    return {
        "capture": CaptureReport,
        "drain": DrainReport,
        "families": FamiliesReport,
        "family-suggestions": SuggestionsReport,
        "verify": VerifyReport,
        "traces": TracesReport,
        "compile": CompileReport,
        "induction": InductionReport,
        "scan": ScanReport,
        "init-forge": ForgeReport,
        "review": ReviewReport,
        "pull-requests": PullRequestReport,
        "check": CheckReport,
        "why": WhyReport,
        "amend": AmendReport,
        "log": LogReport,
        "status": StatusReport,
        "stale": StaleReport,
        "maintain": MaintainReport,
        "publish": PublishReport,
        "doctor": DoctorReport,
        "plugin": PluginReport,
    }


def schema_names() -> tuple[str, ...]:
    """Returns the names of all published records, sorted."""
    return tuple(sorted(_records()))


def schema_of(name: str) -> str:
    """Returns the JSON Schema (2020-12) of a record as text. Raises UsageError for an unknown name."""
    record = _records().get(name)
    if record is None:
        raise UsageError(f"there is no record {name!r}", hint=f"names: {', '.join(schema_names())}")
    schema = record.model_json_schema()
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"skillc:{name}", **schema}
    return json.dumps(schema, indent=2, ensure_ascii=False)
