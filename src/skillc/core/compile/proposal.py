"""Proposals: changes that a Reflector writes for the Curator to review, and the Curator's verdicts.

A proposal is a claim of an engine, offline or model: trusted code checks it as if a stranger had written it
(core.compile.checks). Paper: 5.3, Reflector and Curator.
"""

from enum import StrEnum

from skillc.core.record import Record, digest_of
from skillc.core.skill.claim import Citation
from skillc.core.skill.contract import Contract, iter_claims


class ProposalOperation(StrEnum):
    """The five operations that a Reflector can propose."""

    ADD = "add"
    PATCH = "patch"
    MERGE = "merge"
    CONFLICT = "conflict"
    NONE = "none"


class SkillRef(Record):
    """A current Skill as an engine saw it: another tree than the current one makes the proposal stale."""

    skill_id: str
    tree: str


class LossReason(Record):
    """Why a line of a current Skill is left out, and the events that speak against it."""

    skill_id: str
    field: str
    claim_id: str
    reason: str
    citations: tuple[Citation, ...] = ()


class ConflictSide(Record):
    """One of two opposite rules: its words, the events that show it, and the attempt families that keep to it."""

    text: str
    citations: tuple[Citation, ...]
    families: tuple[str, ...] = ()


class SkillConflict(Record):
    """Two opposite rules, each from verified attempts. The first side is what the current Skill says.

    `field` and `claim_id` name that line; `kind` says in a word how the two are opposite.
    """

    skill_id: str
    field: str
    claim_id: str | None = None
    kind: str
    sides: tuple[ConflictSide, ConflictSide]


class Proposal(Record):
    """One proposed change: the whole contract after it. `fields` is what an engine says that a patch touches.

    `base_tree` is the folder identity that a patch was made against; a newer version makes it stale. `targets` are
    the current Skills that a merge takes together; the contract keeps the id of one of them.
    """

    id: str
    operation: ProposalOperation
    contract: Contract | None = None
    fields: tuple[str, ...] = ()
    base_tree: str | None = None
    reasons: tuple[str, ...] = ()
    targets: tuple[SkillRef, ...] = ()
    losses: tuple[LossReason, ...] = ()
    conflict: SkillConflict | None = None


class ClaimVerdict(Record):
    """Supported or not, for one claim. A claim without a verdict is unsupported."""

    field: str
    claim_id: str
    supported: bool
    reason: str = ""


class CuratorDecision(StrEnum):
    """What the Curator does with a proposal."""

    ADD = "add"
    PATCH = "patch"
    MERGE = "merge"
    REPLACE = "replace"
    CONFLICT = "conflict"
    REJECT = "reject"
    NONE = "none"


class Verdict(Record):
    """The Curator's answer to one proposal.

    `target` is the id of the current Skill that an addition is turned against: the one to patch or to replace.
    """

    proposal_id: str
    decision: CuratorDecision
    claims: tuple[ClaimVerdict, ...] = ()
    reasons: tuple[str, ...] = ()
    target: str | None = None
    losses: tuple[LossReason, ...] = ()
    conflict: SkillConflict | None = None


class ProposalOutcome(StrEnum):
    """How a proposal ended. Paper: 5.3, Outcome history."""

    PENDING = "pending"
    ADMITTED = "admitted"
    SUPERSEDED = "superseded"
    CHECK_REJECTED = "check-rejected"
    SCANNER_REJECTED = "scanner-rejected"
    CURATOR_REJECTED = "curator-rejected"
    HUMAN_REJECTED = "human-rejected"
    REVERTED = "reverted"
    CLOSED = "closed"  # its candidate branch was deleted and not merged
    EVALUATION_FAILED = "evaluation-failed"
    CALL_FAILED = "call-failed"


def claim_digest(field: str, text: str) -> str:
    """Returns the identity of a line for `reject`: its field and its words, not its citations."""
    return digest_of([field, " ".join(text.split())])


def content_key(contract: Contract) -> str:
    """Returns the identity of a proposal's words: two runs that propose the same lines have the same key."""
    return digest_of([contract.task_family, sorted(claim_digest(f, c.text) for f, c in iter_claims(contract))])
