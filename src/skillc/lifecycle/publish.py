"""`publish`: a Skill of base arrives as a candidate in another repository of the same security domain.

Text and origin go, Traces and citations stay. A registered approver signs for exactly what arrives; the other namespace
counts that only from people whom it registers itself, and its own policy decides. Paper: 5.6, Sharing. ADR 0027.
Not here: whose word counts there (lifecycle.publications), the throw-away clone (repo.elsewhere).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from skillc.core.audit import AUDIT_NAMESPACE, PublicationRecord
from skillc.core.compile.group import Change, ResultGroup, make_group, skill_files, trailers
from skillc.core.compile.history import RunProposal, RunRecord, RunVersion
from skillc.core.compile.proposal import ProposalOperation, ProposalOutcome, claim_digest, content_key
from skillc.core.policy import Person
from skillc.core.record import Record, canonical_json
from skillc.core.skill.contract import ChangeKind, Contract, PublishedFrom, iter_claims
from skillc.core.skill.publication import published_contract
from skillc.core.trace.verification import Envelope, same_key
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.audit_records import AUDIT_FOLDER, stored_audit
from skillc.lifecycle.candidates import pending_candidates
from skillc.lifecycle.context import Context, open_context
from skillc.lifecycle.run_records import run_file
from skillc.lifecycle.signers import approvers
from skillc.lifecycle.skills import StoredSkill, current_skills, edited_by_hand, require_skill
from skillc.lifecycle.upkeep import waiting_conflicts, weakened, withdrawals
from skillc.repo import layout
from skillc.repo.commits import NewCommit, Put, RefUpdate, update_refs, write_commits
from skillc.repo.elsewhere import address_of, clone_of, push_all
from skillc.repo.keys import sign_many
from skillc.repo.ledger import append_to_ledger, ledger_file
from skillc.repo.signing import signed

ENGINE = "publication"
ENGINE_VERSION = "1"
_NOBODY = "add one under `people:` in skillc.yaml with roles: [approver] and a key that needs the person"


class PublishReport(Record):
    """What arrived where. `commit` is None in a dry run, and where it waits there already (`known`).

    `counts` says whether the other namespace registers the person who signed; else it is held there.
    """

    format: Literal["skillc.publish/1"] = "skillc.publish/1"
    skill: str
    skill_id: str
    to: str
    namespace: str
    name_there: str
    change: str
    branch: str
    run: str
    contract: str
    state: Literal["planned", "published", "known"]
    commit: str | None = None
    by: str | None = None
    counts: bool | None = None


@dataclass(frozen=True)
class _Plan:
    """What will be written there: the group of one version, and the folder that it takes the place of."""

    there: Context
    skill: StoredSkill
    source: PublishedFrom
    group: ResultGroup
    old: StoredSkill | None

    @property
    def contract(self) -> Contract:
        return self.group.changes[0].contract

    @property
    def branch(self) -> str:
        return layout.candidate_branch(self.contract.task_family)


def publish(
    context: Context, name: str, to: str, *, key_path: Path | None = None, dry_run: bool = False
) -> PublishReport:
    """Publishes one Skill, all of it or nothing. The caller checked that a person is at the terminal."""
    from skillc.lifecycle.verify_person import approvers_key

    skill = require_skill(context, name)
    _require_fit(context, skill)
    with clone_of(context.repository, address_of(context.repository, to)) as folder:
        plan = _planned(open_context(folder, now=context.now), context, skill)
        waiting = pending_candidates(plan.there).get(plan.contract.task_family)
        if waiting is not None and waiting.run != plan.contract.origin.run:
            raise UsageError(
                f"another candidate of {plan.contract.task_family} waits in {plan.there.policy.namespace}",
                hint="merge or reject it there first",
            )
        is_whole = waiting is not None and _is_recorded(context, plan) and _is_recorded_there(plan)
        if dry_run or is_whole:
            return _report(plan, to, "known" if waiting is not None else "planned")
        with approvers_key(context, key_path, hint=_NOBODY) as (path, person):
            if waiting is not None:  # it arrived, and the command ended before it said so here
                version = waiting.versions[0]
                arrived, left = _signed_records(context, plan, person, tree=version.tree, tip=version.commit, key=path)
                if not _is_recorded_there(plan):
                    push_all(plan.there.repository, _ledger_there(plan, arrived, version.tree))
                if not _is_recorded(context, plan):
                    _record_here(context, plan, left)
                return _report(plan, to, "known")
            return _write(context, plan, to, path, person)


def _is_recorded(context: Context, plan: _Plan) -> bool:
    """Says whether the ledger here has the publication of exactly this version."""
    wanted = ("out", plan.source.contract, plan.there.policy.namespace)
    records = (s.record for s in stored_audit(context))
    return any(isinstance(r, PublicationRecord) and (r.direction, r.contract, r.other) == wanted for r in records)


def _is_recorded_there(plan: _Plan) -> bool:
    """Says whether the ledger there has the run and the publication of exactly this version."""
    wanted = ("in", plan.contract.content_digest(), plan.source.namespace)
    records = (s.record for s in stored_audit(plan.there))
    arrived = (r for r in records if isinstance(r, PublicationRecord))
    has_run = any(r.run == plan.group.run and r.versions for r in plan.there.ledger.runs)
    return has_run and any((r.direction, r.contract, r.other) == wanted for r in arrived)


def _ledger_there(plan: _Plan, arrived: Envelope, tree: str) -> list[RefUpdate]:
    """Appends the records to the ledger of the clone; returns the move that brings them there."""
    repository = plan.there.repository
    old = repository.refs(layout.LEDGER_REF).get(layout.LEDGER_REF)
    files = [run_file(_run(plan, tree)), ledger_file(AUDIT_FOLDER, arrived)]
    new = append_to_ledger(repository, files, message=f"published: {plan.contract.name}\n", at=plan.there.now)
    return [RefUpdate(layout.LEDGER_REF, old, new)] if new else []


def _record_here(context: Context, plan: _Plan, left: Envelope) -> None:
    files = [ledger_file(AUDIT_FOLDER, left)]
    append_to_ledger(context.repository, files, message=f"published: {plan.skill.name}\n", at=context.now)
    context.forget_ledger()


def _require_fit(context: Context, skill: StoredSkill) -> None:
    """Raises PolicyError for a Skill that this namespace itself would not vouch for today."""
    contract = skill.contract
    assert contract is not None
    gone = withdrawals(context).get(skill.tree)
    weak = weakened(contract, load_attempts(context))
    why = None
    if context.is_draft:
        why = "this namespace is a draft: skillc.yaml is not on base"
    elif gone is not None:
        why = f"it is out of service: {gone.reason.value}"
    elif contract.validity.is_past(context.now):
        why = "its validity is past"
    elif weak:
        why = f"{len(weak)} of its cited Traces support it no longer, first {weak[0].trace_id}"
    elif any(c.skill_id == contract.skill_id for c in waiting_conflicts(context, contract.task_family, [skill])):
        why = "a conflict of it waits for a person"
    elif edited_by_hand(context, skill):
        why = "it was edited by hand and is not what its contract renders"
    if why is not None:
        raise PolicyError(f"{skill.name!r} is not published: {why}", hint="run: skillc status")


def _planned(there: Context, context: Context, skill: StoredSkill) -> _Plan:
    """Plans what arrives. Raises PolicyError for another security domain, UsageError for a name that is taken."""
    contract = skill.contract
    assert contract is not None
    assert context.base.commit is not None
    here, other = context.policy, there.policy
    if there.is_draft:
        raise PolicyError("the other repository is a draft: its skillc.yaml is not on base")
    if other.security_domain != here.security_domain:
        raise PolicyError(
            f"{other.namespace} is of the security domain {other.security_domain!r}, and {here.namespace} of "
            f"{here.security_domain!r}",
            hint="a Skill never leaves its security domain",
        )
    if other.namespace == here.namespace:
        raise UsageError(f"both are the namespace {here.namespace!r}", hint="skillc sync shares candidates and ledger")
    skills = current_skills(there)
    old = next((s for s in skills.values() if s.contract and s.contract.skill_id == contract.skill_id), None)
    gone = next((w for w in withdrawals(there).values() if w.skill_id == contract.skill_id), None)
    if gone is not None and (old is None or old.tree == gone.tree):
        raise PolicyError(
            f"{other.namespace} took this Skill out of service: {gone.reason.value}", hint="bring it back there first"
        )
    name = old.name if old is not None else skill.name
    taken = next((n for n in skills if n.casefold() == name.casefold() and (old is None or n != old.name)), None)
    if taken is not None:
        raise UsageError(f"{other.namespace} has another Skill named {taken!r}", hint="rename one of them first")
    source = PublishedFrom(namespace=here.namespace, commit=context.base.commit, contract=contract.content_digest())
    arriving = published_contract(contract, source, name=name)
    if old is not None and old.contract is not None and _same(old.contract, arriving):
        raise UsageError(f"{other.namespace} has exactly this version already")
    change = Change(
        kind=ChangeKind.PATCH if old else ChangeKind.ADD,
        contract=arriving,
        base_tree=old.tree if old else None,
        proposal_id="",
    )
    return _Plan(there, skill, source, make_group(arriving.origin.run, contract.task_family, (change,)), old)


def _same(old: Contract, new: Contract) -> bool:
    known = old.origin.published
    fresh = new.origin.published
    return known is not None and fresh is not None and known.contract == fresh.contract


def _write(context: Context, plan: _Plan, to: str, key: Path, person: Person) -> PublishReport:
    """Writes candidate and record there in one push, then the record here."""
    there, contract = plan.there, plan.contract
    repository = there.repository
    folder = layout.skill_folder(there.policy.skills_dir, contract.name)
    puts = [Put(f"{folder}/{path}", data) for path, data in skill_files(contract).items()]
    commit = NewCommit(_message(plan), puts, context.now)
    written = signed(repository, write_commits(repository, [commit], parent=there.base.commit, label="publish"))
    tip = written.ids[-1]
    tree = repository.git.line("rev-parse", f"{tip}:{folder}")
    arrived, left = _signed_records(context, plan, person, tree=tree, tip=tip, key=key)
    refs = repository.refs()
    ref = layout.LOCAL_REFS + plan.branch
    update_refs(repository, [RefUpdate(ref, refs.get(ref), tip)], drop=[written.tmp_ref])
    push_all(repository, [RefUpdate(ref, refs.get(ref), tip), *_ledger_there(plan, arrived, tree)])
    _record_here(context, plan, left)
    counts = any(same_key(p.key, arrived.key) for p in approvers(there.policy))
    return _report(plan, to, "published").model_copy(update={"commit": tip, "by": person.id, "counts": counts})


def _signed_records(
    context: Context, plan: _Plan, person: Person, *, tree: str, tip: str, key: Path
) -> tuple[Envelope, Envelope]:
    """Returns the record for there and the one for here, signed together so that a passphrase is asked for once."""
    there, contract = plan.there, plan.contract
    registered = next((p.id for p in approvers(there.policy) if same_key(p.key, person.key or "")), person.id)
    arrived = PublicationRecord(
        namespace=there.policy.namespace,
        by=registered,
        direction="in",
        skill=contract.name,
        skill_id=contract.skill_id,
        contract=contract.content_digest(),
        tree=tree,
        commit=tip,
        other=context.policy.namespace,
        ledger_commit=there.ledger.commit,
        at=context.now,
        previous=there.ledger.heads(AUDIT_FOLDER),
    )
    left = PublicationRecord(
        namespace=context.policy.namespace,
        by=person.id,
        direction="out",
        skill=plan.skill.name,
        skill_id=contract.skill_id,
        contract=plan.source.contract,
        tree=plan.skill.tree,
        commit=plan.source.commit,
        other=there.policy.namespace,
        ledger_commit=context.ledger.commit,
        at=context.now,
        previous=context.ledger.heads(AUDIT_FOLDER),
    )
    one, two = sign_many([canonical_json(arrived), canonical_json(left)], namespace=AUDIT_NAMESPACE, key_path=key)
    return one, two


def _run(plan: _Plan, tree: str) -> RunRecord:
    """Returns the record there that names the version; it read no Trace."""
    there, change, contract = plan.there, plan.group.changes[0], plan.contract
    key = content_key(contract)
    proposal = RunProposal(
        id=f"p-{key[7:19]}",
        operation=ProposalOperation.PATCH if plan.old else ProposalOperation.ADD,
        skill=contract.name,
        skill_id=contract.skill_id,
        content=key,
        claims=tuple(claim_digest(f, c.text) for f, c in iter_claims(contract)),
        outcome=ProposalOutcome.PENDING,
        reasons=(f"published from {plan.source.namespace}",),
    )
    version = RunVersion(skill=contract.name, skill_id=contract.skill_id, change=change.kind.value, tree=tree)
    return RunRecord(
        run=plan.group.run,
        namespace=there.policy.namespace,
        task_family=contract.task_family,
        engine=ENGINE,
        engine_version=ENGINE_VERSION,
        base_commit=there.base.commit,
        ledger_commit=there.ledger.commit,
        at=there.now,
        read=(),
        left_out=(),
        proposals=(proposal,),
        group=plan.group.manifest,
        versions=(version,),
        previous=there.ledger.heads("runs"),
    )


def _message(plan: _Plan) -> str:
    change = plan.group.changes[0]
    told = "\n".join(f"{key}: {value}" for key, value in trailers(change, plan.group).items())
    source = f"Published from {plan.source.namespace}, commit {plan.source.commit}.\n"
    return f"skill({plan.contract.name}): {change.kind.value}\n\n{source}\n{told}\n"


def _report(plan: _Plan, to: str, state: Literal["planned", "published", "known"]) -> PublishReport:
    return PublishReport(
        skill=plan.skill.name,
        skill_id=plan.contract.skill_id,
        to=to,
        namespace=plan.there.policy.namespace,
        name_there=plan.contract.name,
        change=plan.group.changes[0].kind.value,
        branch=plan.branch,
        run=plan.group.run,
        contract=plan.contract.content_digest(),
        state=state,
    )
