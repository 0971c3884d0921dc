"""Part of a review: one field of the Skills, one Skill, or only what is open.

Works on the record, so that the terminal and `--json` show the same. Not here: the review (lifecycle.review).
"""

from collections.abc import Iterable

from skillc.core.admit.gates import GateResult
from skillc.core.skill.contract import contract_fields
from skillc.errors import UsageError
from skillc.lifecycle.review import ReviewedCandidate, ReviewedVersion, ReviewReport


def filtered(
    report: ReviewReport, *, fields: Iterable[str] = (), skill: str | None = None, only_open: bool = False
) -> ReviewReport:
    """Returns the chosen part. Raises UsageError for a field that no Skill has and a Skill that does not wait."""
    wanted = tuple(name.replace("-", "_") for name in fields)
    unknown = [name for name in wanted if name not in contract_fields()]
    if unknown:
        raise UsageError(f"a Skill has no field {unknown[0]!r}", hint=f"fields: {', '.join(contract_fields())}")
    candidates = report.candidates
    if skill is not None:
        candidates = tuple(c for c in (_of_skill(c, skill) for c in candidates) if c.versions)
        if not candidates:
            raise UsageError(f"no Skill {skill!r} waits for review", hint="run: skillc review")
    if wanted:
        candidates = tuple(_with_versions(c, (_of_fields(v, wanted) for v in c.versions)) for c in candidates)
    if only_open:
        candidates = tuple(_open_only(c) for c in candidates)
    return report.model_copy(update={"candidates": candidates})


def _of_skill(candidate: ReviewedCandidate, skill: str) -> ReviewedCandidate:
    return _with_versions(candidate, (v for v in candidate.versions if skill in (v.skill, v.skill_id)))


def _with_versions(candidate: ReviewedCandidate, versions: Iterable[ReviewedVersion]) -> ReviewedCandidate:
    return candidate.model_copy(update={"versions": tuple(versions)})


def _of_fields(version: ReviewedVersion, fields: tuple[str, ...]) -> ReviewedVersion:
    claims = tuple(c for c in version.claims if c.field in fields)
    return version.model_copy(update={"claims": claims, "diff": ""})


def _open_only(candidate: ReviewedCandidate) -> ReviewedCandidate:
    """Keeps the gates that do not pass, the warnings and the risks; the lines themselves are left out."""
    gates = tuple(g for g in candidate.gates if g.result is not GateResult.PASS)
    versions = (v.model_copy(update={"claims": (), "diff": ""}) for v in candidate.versions)
    cleared = {"gates": gates, "left_out": ()}
    return _with_versions(candidate, versions).model_copy(update=cleared)
