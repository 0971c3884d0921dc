"""What a run over one family starts from: its evidence, its identity, and what would stand in its way.

Reads base, ledger and candidates; writes nothing. Paper: 5.3, Evidence selection. Not here: the stages of the run
(lifecycle.compile), which Skills are due for something (lifecycle.upkeep).
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from skillc.core.compile.amendment import persons_digest, persons_lines, replaced_identities
from skillc.core.compile.conflict import set_aside
from skillc.core.compile.evidence import CurrentSkill, Evidence, KnownLine
from skillc.core.compile.history import PERSON, OutcomeRecord, RunRecord, past_proposals, source_key
from skillc.core.compile.proposal import ProposalOutcome
from skillc.core.compile.rejected import has_rejected_line, rejected_lines
from skillc.core.compile.select import Attempt, Selection, select_evidence
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.record import digest_of
from skillc.core.skill.contract import SKILL_FILE, Contract, iter_claims
from skillc.core.trace.codec import Trace
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.candidates import Candidate, candidates, is_admitted
from skillc.lifecycle.context import Context
from skillc.lifecycle.hand_edits import hand_edit
from skillc.lifecycle.reverts import closed_proposals, reverted_proposals
from skillc.lifecycle.skills import SkillHistory, StoredSkill, contract_at, current_skills
from skillc.lifecycle.upkeep import Upkeep, former_skills, withdrawals

_NO_TIME = datetime(2026, 1, 1, tzinfo=UTC)


def work_of_people(
    context: Context, task_family: str, skills: dict[str, StoredSkill], own: list[StoredSkill]
) -> str | None:
    """Says which work of people a new version would take away: that is never done silently."""
    for skill in own:
        edit = hand_edit(context, skill)
        if edit is not None and edit.file == SKILL_FILE:
            return (
                f"{skill.name} was edited by hand on {context.base.branch}, and a new version would lose that edit; "
                f"take it over: skillc amend {skill.name}, or take it back: git revert"
            )
        if edit is not None:
            return f"{edit.file} of {skill.name} {edit.message}; {edit.next}"
    into = None if own else _merged_into(context, task_family, skills)
    if into is not None and into.contract is not None:
        return (
            f"its Skill was merged into {into.name}; "
            f"put the Traces there: skillc families assign TRACE {into.contract.task_family}"
        )
    same = skills.get(task_family)
    if not own and same is not None:
        return (
            f"a Skill named {task_family} is there already, and skillc did not make it; "
            f"put the Traces into a family of another name: skillc families assign TRACE NAME"
        )
    return None


def _merged_into(context: Context, task_family: str, skills: dict[str, StoredSkill]) -> StoredSkill | None:
    """Returns the Skill that took the place of this family's."""
    made = {v.skill_id for r in context.ledger.runs if r.task_family == task_family for v in r.versions}
    for skill in skills.values():
        replaced = (skill.contract.origin.replaces or ()) if skill.contract else ()
        if any(r.skill_id in made for r in replaced):
            return skill
    return None


def decided_words(context: Context, run: RunRecord) -> str:
    """Says what became of a run that was made before from the same evidence and does not wait any more."""
    taken = _taken_back(context, run.task_family)
    if taken:
        return f"nothing new: {taken}"
    if not run.versions:
        return "nothing new: the same run was made before and changed nothing"
    rejection = next((o for o in context.ledger.outcomes if o.run == run.run and _is_no(o)), None)
    if rejection is not None:
        return (
            f"nothing new: run {run.run} was made before, and {rejection.by} rejected it; "
            "new evidence opens it again, and so does: skillc compile --trace ID --family NAME"
        )
    return (
        f"nothing new: run {run.run} was made before, and its candidate branch was deleted, which closes it; "
        "new evidence opens it again, and so does: skillc compile --trace ID --family NAME"
    )


def refused_words(refusal: OutcomeRecord) -> str:
    """Says that a removal is due and a person refused it."""
    return (
        f"nothing new: {refusal.by} rejected the removal of run {refusal.run}, so the folder stays, out of service; "
        "new evidence opens it again"
    )


def _is_no(outcome: OutcomeRecord) -> bool:
    return outcome.outcome is ProposalOutcome.HUMAN_REJECTED and not outcome.claims


def _taken_back(context: Context, task_family: str) -> str:
    """Says why a family has no Skill on base any more, and how it comes back; empty while it has one."""
    if any(s.contract is not None and s.contract.task_family == task_family for s in current_skills(context).values()):
        return ""
    gone = former_skills(context, task_family, ())
    if not gone:
        return ""
    name, tree = gone[-1].contract.name, gone[-1].tree
    record = withdrawals(context).get(tree)
    if record is None:
        return (
            f"{name} was taken back on {context.base.branch}; new evidence opens it again, "
            f"and so does: skillc restore {name} {tree[:12]}"
        )
    if record.reason is WithdrawalReason.RETIRED:
        why = f"{name} is out of service, retired: {record.detail}"
        return f"{why}; new evidence brings it back, and so does: skillc restore {name} {tree[:12]}"
    return f"{name} is out of service, {record.reason.value}: {record.detail}; new evidence brings it back"


def waiting_candidate(context: Context, task_family: str) -> Candidate | None:
    """Returns the family's candidate that no merge admitted yet."""
    candidate = candidates(context).get(task_family)
    return candidate if candidate is not None and not is_admitted(context, candidate) else None


def has_closed_line(evidence: Evidence) -> bool:
    """Says whether a current Skill still has a line that a person rejected since."""
    return has_rejected_line((c.contract for c in evidence.current), rejected_lines(evidence))


def evidence_of(
    context: Context,
    task_family: str,
    selection: Selection,
    own: Sequence[StoredSkill],
    names: Iterable[str] = (),
    *,
    deleted: Sequence[StoredSkill] = (),
    reopens: bool = False,
    waiting: Candidate | None = None,
) -> Evidence:
    """Returns all that the roles of a run may read: sources, Skills in and out of service, and the history.

    `deleted` are Skills of the family that are still on base and rest on deleted evidence: made again, not patched.
    `reopens`: a person asks for this very proposal, so that a closed candidate does not stand in its way.
    """
    closed = () if reopens else closed_proposals(context, task_family)
    reverted = reverted_proposals(context, task_family)
    undone = _undone_edits(context, waiting, {p.run for p in reverted})
    outcomes = (o for o in context.ledger.outcomes if o.run not in undone)  # with an edit goes what it took away
    past = past_proposals(outcomes, task_family=task_family)
    amended, overruled = amended_versions(waiting), _overruled(context) | _taken_away(context, waiting)
    known = {
        "current": tuple(CurrentSkill(contract=s.contract, tree=s.tree) for s in own if s.contract is not None),
        "former": _former(context, task_family, own, deleted),
        "history": past + reverted + closed,
        "other_names": tuple(sorted(set(names) - {s.name for s in own})),
        "overruled": tuple(sorted(overruled)),
        "replaced": _replaced(context, overruled, [*(s.contract for s in own), *(c.contract for c in amended)]),
        "amended": amended,
    }
    return sources_alone(context, task_family, selection).model_copy(update=known)


def _former(
    context: Context, task_family: str, own: Sequence[StoredSkill], deleted: Sequence[StoredSkill]
) -> tuple[CurrentSkill, ...]:
    here = ((s.contract, s.tree) for s in deleted)
    standing = tuple(CurrentSkill(contract=c, tree=tree, is_on_base=True) for c, tree in here if c is not None)
    return standing or former_skills(context, task_family, own)


def amended_versions(waiting: Candidate | None) -> tuple[CurrentSkill, ...]:
    """Returns the versions of a waiting candidate that hold lines of people."""
    versions = ((v.contract, v.tree) for v in waiting.versions) if waiting else ()
    return tuple(CurrentSkill(contract=c, tree=tree) for c, tree in versions if c is not None and persons_lines(c))


def is_read(context: Context, waiting: Candidate, selection: Selection) -> bool:
    """Says whether the run of a waiting candidate read all of these sources already."""
    read = {s.key for r in context.ledger.runs if r.run == waiting.run for s in r.read}
    return all(source_key(s.trace, s.standing) in read for s in selection.sources)


def lost_of_people(waiting: Candidate | None, made: Iterable[Contract]) -> tuple[str, ...]:
    """Returns the Skills of a waiting candidate whose lines of people a new group does not have."""
    here = {persons_digest(field, claim) for contract in made for field, claim in iter_claims(contract)}
    return tuple(
        c.contract.name
        for c in amended_versions(waiting)
        if any(persons_digest(field, claim) not in here for field, claim in persons_lines(c.contract))
    )


def _replaced(context: Context, overruled: frozenset[str], contracts: Iterable[Contract | None]) -> tuple[str, ...]:
    """Returns the identities of the cited lines that lines of people stand for in these Skills."""
    known = context.ledger.amendments
    made = (replaced_identities(c, known, overruled=overruled) for c in contracts if c is not None)
    return tuple(sorted({identity for found in made for identity in found}))


def _overruled(context: Context) -> frozenset[str]:
    """Returns the digests of the lines of people that lost a conflict by a person's decision."""
    lost = {r.conflict for r in context.ledger.resolutions if r.keep == "B"}
    found = set()
    for conflict in context.ledger.conflicts if context.ledger.amendments else ():
        contract = contract_at(context, conflict.tree) if conflict.conflict in lost else None
        lines = persons_lines(contract) if contract is not None else ()
        found |= {persons_digest(f, c) for f, c in lines if (f, c.id) == (conflict.field, conflict.claim_id)}
    return frozenset(found)


def _undone_edits(context: Context, waiting: Candidate | None, reverted: set[str]) -> set[str]:
    """Returns the runs of people's edits that are neither on base nor waiting: taken back, or never merged."""
    edits = [r for r in context.ledger.runs if r.engine == PERSON]
    if not edits or context.repository.is_shallow:
        return set()
    admitted = SkillHistory(context).admitted_trees()
    here = {waiting.run, *waiting.amends} if waiting is not None else set()
    here |= {r.run for r in edits if any(v.tree in admitted for v in r.versions)} - reverted
    return {r.run for r in edits} - here


def _taken_away(context: Context, waiting: Candidate | None) -> frozenset[str]:
    """Returns the digests of the lines of people that an edit of the waiting candidate took away."""
    runs = (waiting.run, *waiting.amends) if waiting is not None else ()
    found: set[str] = set()
    for record in context.ledger.amendments:
        if record.run in runs:
            found = (found | set(record.gone or ())) - {line.digest for line in record.lines}
    return frozenset(found)


def _known_to_people(context: Context, selection: Selection) -> tuple[KnownLine, ...]:
    """Returns for each line that a person wrote what of these sources was known then."""
    found = {}
    for record in context.ledger.amendments:
        keys = frozenset(record.sources)
        traces = tuple(s.trace_id for s in selection.sources if source_key(s.trace, s.standing) in keys)
        found.update({line.digest: KnownLine(digest=line.digest, traces=traces) for line in record.lines})
    return tuple(found.values())


def sources_alone(context: Context, task_family: str, selection: Selection) -> Evidence:
    """Returns the sources of a family with what people said of it, as if nothing had ever been compiled from them."""
    declared = next((f for f in context.policy.families if f.slug == task_family), None)
    accepted = next((f for f in reversed(context.ledger.families) if f.slug == task_family), None)
    return Evidence(
        namespace=context.policy.namespace,
        task_family=task_family,
        family_description=declared.description if declared else accepted.description if accepted else "",
        family_operations=(accepted.operations if accepted else declared.operations if declared else ()),
        known_to_people=_known_to_people(context, selection),
        sources=selection.sources,
        left_out=selection.left_out,
    )


def evidence_today(context: Context, task_family: str, known: Sequence[Attempt] | None = None) -> Evidence:
    """Returns all sources of a family as they stand now, whatever earlier runs made of them.

    `known` are all attempts, where they were read already.
    """
    attempts = [a for a in (load_attempts(context) if known is None else known) if a.task_family == task_family]
    everything = frozenset(a.trace.trace_id for a in attempts)
    aside = set_aside(context.ledger.conflicts, context.ledger.resolutions)
    selection = select_evidence(attempts, cited=everything, consumed=frozenset(), set_aside=aside)
    return sources_alone(context, task_family, selection)


def run_id_of(context: Context, evidence: Evidence, upkeep: Upkeep, engine: str, version: str) -> str:
    """Returns the digest of the run's inputs: same inputs, same run."""
    inputs = [
        context.policy.namespace,
        evidence.task_family,
        [engine, version],
        sorted([s.trace.digest, s.standing.outcome, s.standing.strength, *_deleted(s.trace)] for s in evidence.sources),
        sorted(c.tree for c in evidence.current),
        # a closed candidate is seen by its run that was made: it makes no other run
        [h.model_dump(mode="json") for h in evidence.history if h.outcome != ProposalOutcome.CLOSED.value],
        policy_key(context),
        *([upkeep.key] if upkeep.is_due else []),
        *([sorted(standing)] if (standing := [c.tree for c in evidence.former if c.is_on_base]) else []),
        *([sorted(c.tree for c in evidence.amended)] if evidence.amended else []),
    ]
    return "r-" + digest_of(inputs)[7:27]


def _deleted(trace: Trace) -> list[str]:
    """Returns the events that are gone: the digest of a Trace is the same without them, and the run is another."""
    return [f"without e{seq}" for seq in sorted(trace.deleted)]


def policy_key(context: Context) -> str:
    """Returns the digest of what the policy says otherwise than by default: a setting that is new changes no run.

    Models are left out: those are in the version of an engine.
    """
    return digest_of(context.policy.model_dump(mode="json", exclude_defaults=True, exclude={"engines"}))


def newest_of(selection: Selection) -> datetime:
    """Returns the time of the newest source: the run's own time, the same whenever it is made."""
    times = [s.trace.close.at or s.trace.header.started_at for s in selection.sources]
    return max((t for t in times if t is not None), default=_NO_TIME)
