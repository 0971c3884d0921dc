"""The contract of a Skill version: typed fields, each declared once.

One annotated declaration per field drives the JSON Schema, both renderings (core.skill.render) and the
citation rules (core.compile.checks): its heading, its kind, and which evidence may stand behind it.
Paper: 5.2. Not here: maturity, weights, uses; they change and are derived when read.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from skillc.core.policy import MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, Slug
from skillc.core.record import Moment, Record, digest_of, first_problem, other_format
from skillc.core.skill.claim import Citation, Claim, EffectClaim, FailureClaim, InputClaim, StepClaim

CONTRACT_FORMAT = "skillc.contract/1"
CONTRACT_FILE = "contract.json"
SKILL_FILE = "SKILL.md"


class EvidenceRule(StrEnum):
    """Which Traces may stand behind a claim. Paper: 5.3, Validation."""

    SUCCESS = "success"  # only events of verified successes
    CONTRAST = "contrast"  # a verified success, and failures beside it
    FAILURE = "failure"  # failures may stand alone; a recovery needs a verified success


class FieldGroup(StrEnum):
    """The two halves of a contract. Paper: 5.2."""

    APPLICABILITY = "applicability"
    PROCEDURE = "procedure"
    DESCRIPTOR = "descriptor"


class ContractField(NamedTuple):
    """How one field is rendered and which evidence it needs.

    `heading` is None where the field has no section of its own in the agent view.
    """

    heading: str | None
    group: FieldGroup
    rule: EvidenceRule
    ordered: bool = False

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        """Publishes the declaration with the schema: `x-heading`, `x-group`, `x-evidence`."""
        schema: dict[str, Any] = dict(handler(core_schema))
        words = {"x-heading": self.heading, "x-group": self.group.value, "x-evidence": self.rule.value}
        return schema | {key: value for key, value in words.items() if value is not None}


class ChangeKind(StrEnum):
    """How a Skill version came from the one before it."""

    ADD = "add"
    PATCH = "patch"
    MERGE = "merge"
    REPLACE = "replace"
    WITHDRAW = "withdraw"
    RESTORE = "restore"
    AMEND = "amend"


class Replaced(Record):
    """A current Skill whose place a version took: merged away or replaced, its folder gone with the same commit."""

    skill: str
    skill_id: str
    tree: str


class OriginNote(Record):
    """What trusted code noted about one line: a repaired citation, or why a line of the version before is gone."""

    kind: Literal["repaired", "lost"]
    field: str
    claim_id: str
    note: str


class PublishedFrom(Record):
    """Where a published version comes from: its namespace, the commit of base there, and its contract's digest."""

    namespace: str
    commit: str
    contract: str


class SkillOrigin(Record):
    """Which run made this version. `group` is the manifest digest of its result group.

    `replaces`, `notes` and `published` are absent where there are none.
    """

    skill_id: str
    run: str
    group: str
    replaces: tuple[Replaced, ...] | None = None
    notes: tuple[OriginNote, ...] | None = None
    published: PublishedFrom | None = None


class Support(Record):
    """The attempt families behind the contract, each named by its first Trace."""

    attempt_families: tuple[str, ...]
    single_source: bool


class Validity(Record):
    """When and with what the procedure held: [valid_from, valid_until)."""

    valid_from: Moment | None = None
    valid_until: Moment | None = None
    tested_with: tuple[str, ...] = ()

    def is_past(self, at: datetime) -> bool:
        """Says whether the procedure is valid no more; the end itself does not belong to its time."""
        return self.valid_until is not None and self.valid_until <= at


_APPLICABILITY = FieldGroup.APPLICABILITY
_PROCEDURE = FieldGroup.PROCEDURE
_SUCCESS = EvidenceRule.SUCCESS
_CONTRAST = EvidenceRule.CONTRAST


class Contract(Record):
    """One Skill version. Every tuple of claims is declared with its ContractField."""

    format: Literal["skillc.contract/1"] = "skillc.contract/1"
    skill_id: Annotated[str, Field(pattern=r"^s-[a-z0-9]{8,40}$")]
    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=MAX_NAME_CHARS)]
    task_family: Slug
    description: Annotated[Claim, ContractField(None, FieldGroup.DESCRIPTOR, _SUCCESS)]

    use_when: Annotated[tuple[Claim, ...], ContractField("When to use", _APPLICABILITY, _SUCCESS)] = ()
    do_not_use_when: Annotated[tuple[Claim, ...], ContractField("When not to use", _APPLICABILITY, _CONTRAST)] = ()
    preconditions: Annotated[tuple[Claim, ...], ContractField("Before you start", _APPLICABILITY, _CONTRAST)] = ()
    tools: Annotated[tuple[Claim, ...], ContractField("Tools", _APPLICABILITY, _SUCCESS)] = ()
    environments: Annotated[tuple[Claim, ...], ContractField("Environments", _APPLICABILITY, _SUCCESS)] = ()

    inputs: Annotated[tuple[InputClaim, ...], ContractField("Inputs", _PROCEDURE, _SUCCESS)] = ()
    steps: Annotated[tuple[StepClaim, ...], ContractField("Steps", _PROCEDURE, _SUCCESS, ordered=True)] = ()
    decisions: Annotated[tuple[Claim, ...], ContractField("Decisions", _PROCEDURE, _SUCCESS)] = ()
    expected_observations: Annotated[tuple[Claim, ...], ContractField("What you should see", _PROCEDURE, _SUCCESS)] = ()
    outputs: Annotated[tuple[Claim, ...], ContractField("Outputs", _PROCEDURE, _SUCCESS)] = ()
    completion_criteria: Annotated[tuple[Claim, ...], ContractField("Done when", _PROCEDURE, _SUCCESS)] = ()
    stop_conditions: Annotated[tuple[Claim, ...], ContractField("Stop when", _PROCEDURE, _CONTRAST)] = ()
    failure_modes: Annotated[
        tuple[FailureClaim, ...],
        ContractField("If something goes wrong", _PROCEDURE, EvidenceRule.FAILURE),
    ] = ()

    effects: Annotated[tuple[EffectClaim, ...], ContractField(None, FieldGroup.DESCRIPTOR, _SUCCESS)] = ()
    validity: Validity = Validity()
    support: Support
    origin: SkillOrigin

    @property
    def is_single_source(self) -> bool:
        return self.support.single_source

    def content_digest(self) -> str:
        """Returns the digest without `origin.group`, so that a manifest can name contracts that name it."""
        origin = self.origin.model_copy(update={"group": ""})
        return digest_of(self.model_copy(update={"origin": origin}))


def contract_fields() -> dict[str, ContractField]:
    """Returns the declarations of all claim fields, in the contract's order."""
    found = {}
    for name, info in Contract.model_fields.items():
        for item in info.metadata:
            if isinstance(item, ContractField):
                found[name] = item
    return found


def claims_of(contract: Contract, field: str) -> tuple[Claim, ...]:
    """Returns the claims of one declared field as a tuple, also for the single description."""
    value = getattr(contract, field)
    return (value,) if isinstance(value, Claim) else value


def iter_claims(contract: Contract) -> Iterator[tuple[str, Claim]]:
    """Yields (field, claim) for every claim, in the contract's order."""
    for field in contract_fields():
        for claim in claims_of(contract, field):
            yield field, claim


def cited_events(contract: Contract) -> dict[str, tuple[str, ...]]:
    """Returns trace_id -> ids of its cited events, sorted by seq, over all claims and recoveries."""
    found: dict[str, set[str]] = {}
    for _, claim in iter_claims(contract):
        for citation in all_citations(claim):
            found.setdefault(citation.trace_id, set()).update(citation.events)
    return {trace: tuple(sorted(ids, key=event_order)) for trace, ids in sorted(found.items())}


def all_citations(claim: Claim) -> tuple[Citation, ...]:
    """Returns the citations of a claim, those of its recovery included."""
    extra = claim.recovery_citations if isinstance(claim, FailureClaim) else ()
    return claim.citations + extra


def event_order(event_id: str) -> tuple[int, str]:
    """Sort key for event ids: by number, then by text, so that a foreign id sorts last and does not raise."""
    number = event_id[1:]
    return (int(number), "") if number.isascii() and number.isdigit() and len(number) < 12 else (1 << 60, event_id)


def skill_id_of(namespace: str, task_family: str, seed: str) -> str:
    """Returns a new stable Skill id. `seed` is the run that first proposed it."""
    return "s-" + digest_of([namespace, task_family, seed])[7:27]


def parse_contract(data: bytes, *, path: str) -> Contract:
    """Reads contract.json. Raises DataError that names file and field, and never shows a value."""
    import json

    from pydantic import ValidationError

    from skillc.errors import DataError

    try:
        return Contract.model_validate_json(data)
    except ValidationError as error:
        try:
            other = other_format(json.loads(data), CONTRACT_FORMAT)
        except (ValueError, RecursionError):
            other = None
        what = other or f"is no {CONTRACT_FORMAT} contract: {first_problem(error, 'file')}"
        raise DataError(
            f"{path}:1: {what}",
            hint="restore the file from git; a contract is written by skillc only",
        ) from error


__all__ = [
    "CONTRACT_FILE",
    "CONTRACT_FORMAT",
    "MAX_DESCRIPTION_CHARS",
    "SKILL_FILE",
    "ChangeKind",
    "Contract",
    "ContractField",
    "EvidenceRule",
    "FieldGroup",
    "OriginNote",
    "PublishedFrom",
    "Replaced",
    "SkillOrigin",
    "Support",
    "Validity",
    "all_citations",
    "cited_events",
    "claims_of",
    "contract_fields",
    "event_order",
    "iter_claims",
    "parse_contract",
    "skill_id_of",
]
