"""Amending: a person's edit of SKILL.md becomes a version, with the evidence of every line that did not change.

The edited text is the version's page byte for byte; changed and new lines are the person's word, signed where an
approver is registered. On an unprotected base it is one commit there and a checkout comes along; an edit on a candidate
branch goes on that branch, for its whole group; on a protected base it waits. Paper: 5.4. ADR 0025.
Not here: where the edit is (lifecycle.edited_page), the ledger's records (lifecycle.amend_records).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from skillc.core.compile.amendment import AmendmentRecord, uncovered_lines
from skillc.core.compile.checks import CheckFailure, check_contract
from skillc.core.compile.evidence import Evidence, Source
from skillc.core.compile.group import Change, ResultGroup, make_group, skill_files, trailers
from skillc.core.compile.narrow import counted
from skillc.core.compile.select import Attempt, role_of
from skillc.core.record import Record, digest_of
from skillc.core.scan.finding import Severity
from skillc.core.skill.claim import Citation
from skillc.core.skill.contract import (
    CONTRACT_FILE,
    ChangeKind,
    Contract,
    OriginNote,
    all_citations,
    cited_events,
)
from skillc.core.skill.parse import LineState, ReadLine, ReadView, read_agent_view
from skillc.core.skill.render import claim_text, plural
from skillc.errors import UsageError
from skillc.lifecycle.amend_records import amend_run, amendment_record, amendments_for, closing_file
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.candidates import candidates, is_admitted, publish_candidate
from skillc.lifecycle.context import Context
from skillc.lifecycle.decisions import Decision, decision_files
from skillc.lifecycle.edited_page import EditedPage, find_edit
from skillc.lifecycle.overtaken import require_still_so
from skillc.lifecycle.run_records import run_file, superseded_files
from skillc.lifecycle.signers import approvers
from skillc.lifecycle.skills import contract_at
from skillc.lifecycle.upkeep import withdrawals
from skillc.repo import layout
from skillc.repo.checkout import move_branch, tip_to_move
from skillc.repo.commits import NewCommit, Put, WrittenCommits, write_commits
from skillc.repo.due import DueRecords, move_with_records
from skillc.repo.ledger import LedgerFile, append_to_ledger
from skillc.repo.lock import write_lock
from skillc.repo.repository import Base
from skillc.repo.signing import signed
from skillc.repo.worktree import checkouts_of


class AmendedLine(Record):
    """One line of the edited page. `lost` is the evidence that stood behind it before."""

    field: str
    claim_id: str
    state: LineState
    text: str
    before: str | None = None
    lost: tuple[Citation, ...] = ()


class AmendReport(Record):
    """What became of an edit. `commit` is None in a dry run, and where only a signature was due.

    `lines` are those of the page in order, what went at the end of its section. `tree` is the new folder's identity.
    """

    format: Literal["skillc.amend/1"] = "skillc.amend/1"
    skill: str
    skill_id: str
    run: str | None
    commit: str | None
    branch: str
    tree: str | None
    place: str
    by: str
    lines: tuple[AmendedLine, ...]
    waits: bool = False
    signs_only: bool = False
    undo: str | None = None


@dataclass(frozen=True)
class _Amendment:
    """The edit as it will be written, for one name of who made it."""

    read: ReadView
    group: ResultGroup
    by: str


def amend(
    context: Context,
    name: str,
    *,
    by: str,
    source: str | None = None,
    key_path: Path | None = None,
    dry_run: bool = False,
) -> AmendReport:
    """Takes an edit of SKILL.md over into the contract. Raises DataError for a text that no contract renders to."""
    edit = find_edit(context, name, source)
    attempts = {a.trace.trace_id: a for a in load_attempts(context)}
    planned = _planned(edit, attempts, by=by, person=None)
    if planned.read.contract == edit.contract:
        return _sign_only(context, edit, by=by, key_path=key_path, dry_run=dry_run)
    _require_in_service(context, edit)
    _require_room(context, edit)
    _require_sound(context, edit, planned, attempts)
    if dry_run:
        return _report(context, edit, planned, None, {})
    own = [a for a in attempts.values() if a.task_family == edit.contract.task_family and role_of(a)[0] is not None]
    made: list[_Amendment] = []

    def records(who: str) -> list[tuple[str, Decision]]:
        amendment = _planned(edit, attempts, by=who, person=who if approvers(context.policy) else None)
        made.append(amendment)
        return [("amendments", _record(context, edit, amendment, own))]

    files = decision_files(context, records, by=by, key_path=key_path)  # a person may be asked: nobody waits for them
    with write_lock(context.repository):
        _require_still_so(context, edit)
        return _write(context, edit, made[-1], own, files)


def _require_still_so(context: Context, edit: EditedPage) -> None:
    """Raises where another command changed, while the person was asked, what this edit rests on."""
    require_still_so(context, cited_events(edit.contract))
    context.read_again()
    _require_in_service(context, edit)
    _require_room(context, edit)


def _planned(edit: EditedPage, attempts: dict[str, Attempt], *, by: str, person: str | None) -> _Amendment:
    """Reads the edit as one person's, and names every version of its group anew."""
    read = read_agent_view(edit.text, edit.contract, person=person)
    contract = _counted(edit, read, attempts)
    members = {edit.skill: contract}
    for version in edit.candidate.versions if edit.candidate else ():
        if version.contract is not None and version.skill != edit.skill and version.change != ChangeKind.WITHDRAW.value:
            members[version.skill] = version.contract
    trees = {v.skill: v.tree for v in edit.candidate.versions} if edit.candidate else {}
    changes = tuple(
        Change(kind=ChangeKind.AMEND, contract=c, base_tree=trees.get(n, edit.tree), proposal_id="")
        for n, c in sorted(members.items())
    )
    key = [c.contract.model_dump(mode="json", exclude_none=True) for c in changes]
    run = "r-" + digest_of(["amend", edit.tree, key])[7:27]
    return _Amendment(read, make_group(run, edit.contract.task_family, changes), by)


def _counted(edit: EditedPage, read: ReadView, attempts: dict[str, Attempt]) -> Contract:
    """Counts the support that is left, and notes which lines of the version before are gone."""
    contract = read.contract
    if cited_events(contract).keys() != cited_events(edit.contract).keys():
        evidence = _evidence(edit, attempts)
        missing = sorted(set(cited_events(contract)) - {s.trace_id for s in evidence.sources})
        if missing:
            raise UsageError(
                f"{len(missing)} cited Traces are not here or support nothing today, first {missing[0]}, so the "
                "support that is left cannot be counted",
                hint=f"git fetch origin {layout.TRACES_BRANCH}:{layout.TRACES_BRANCH}, or look: skillc check",
            )
        contract = counted(contract, evidence)
    gone = [line for line in read.lines if line.state is LineState.REMOVED]
    notes = tuple(
        OriginNote(kind="lost", field=line.field, claim_id=line.claim.id, note="a person took it away") for line in gone
    )
    earlier = edit.contract.origin.notes or () if edit.candidate else ()
    origin = contract.origin.model_copy(update={"notes": (*earlier, *notes) or None, "run": "", "group": ""})
    return contract.model_copy(update={"origin": origin})


def _evidence(edit: EditedPage, attempts: dict[str, Attempt]) -> Evidence:
    """Returns the cited Traces of the version before, as far as they are here and may still stand there."""
    sources = []
    for trace_id in cited_events(edit.contract):
        attempt = attempts.get(trace_id)
        role = role_of(attempt)[0] if attempt is not None else None
        if attempt is not None and role is not None:
            family = attempt.attempt_family
            sources.append(Source(trace=attempt.trace, standing=attempt.standing, attempt_family=family, role=role))
    header = next((a.trace.header.namespace for a in attempts.values()), "")
    return Evidence(namespace=header, task_family=edit.contract.task_family, sources=tuple(sources))


def _require_sound(context: Context, edit: EditedPage, planned: _Amendment, attempts: dict[str, Attempt]) -> None:
    """Raises UsageError when the edit breaks a rule that the version before kept, or the scanner blocks it."""
    from skillc.lifecycle.scanning import scan_artifact  # loads every scan rule

    contract = next(c.contract for c in planned.group.changes if c.contract.name == edit.skill)
    evidence = _evidence(edit, attempts)
    known = {_key(f) for f in check_contract(edit.contract, evidence, by_people=True)}
    broken = [f for f in check_contract(contract, evidence, by_people=True) if _key(f) not in known]
    told = [f"{f.message}" + (f" [{f.field} {f.claim_id}]" if f.field else "") for f in broken]
    known_findings = {(f.rule, f.excerpt) for f in scan_artifact(context, edit.contract, attempts)}
    for found in scan_artifact(context, contract, attempts):
        is_new = (found.rule, found.excerpt) not in known_findings
        if found.severity is Severity.BLOCK and not found.suppressed and is_new:
            told.append(f"{found.path}:{found.line}: {found.rule}: {found.title}")
    if told:
        raise UsageError(
            "the edit cannot become a version:\n" + "\n".join(dict.fromkeys(told)),
            hint="nothing was changed and the file is as you wrote it; mend these lines",
        )


def _key(failure: CheckFailure) -> tuple[str, str | None, str | None]:
    return failure.code, failure.field, failure.claim_id


def _require_in_service(context: Context, edit: EditedPage) -> None:
    """Raises UsageError for a version that was taken out of service: an edit is no decision on why it was."""
    for record in withdrawals(context).values():
        if record.skill_id == edit.contract.skill_id and contract_at(context, record.tree) == edit.contract:
            raise UsageError(
                f"this version of {edit.skill!r} is out of service: {record.reason.value}, {record.detail}",
                hint=f"that is decided first, see: skillc status; skillc check {context.base.branch}",
            )


def _require_room(context: Context, edit: EditedPage) -> None:
    """Raises UsageError when the amendment is to wait on a candidate branch on which another candidate waits."""
    if edit.candidate is not None or not context.policy.approval.protected_base:
        return
    waiting = candidates(context).get(edit.contract.task_family)
    if waiting is not None and not is_admitted(context, waiting):
        raise UsageError(
            f"{waiting.branch} waits for review already, and base is protected",
            hint=f"merge or reject it first, or edit SKILL.md there: git switch {waiting.branch}",
        )


def _record(context: Context, edit: EditedPage, amendment: _Amendment, own: Sequence[Attempt]) -> AmendmentRecord:
    contract = next(c.contract for c in amendment.group.changes if c.contract.name == edit.skill)
    run = amendment.group.run
    return amendment_record(context, contract, amendment.read.lines, own, run=run, by=amendment.by)


def _write(
    context: Context, edit: EditedPage, amendment: _Amendment, own: Sequence[Attempt], files: list[LedgerFile]
) -> AmendReport:
    """Writes the commits and moves the branch with its records; old state or new at every moment."""
    repository, group = context.repository, amendment.group
    branch, parent, old = _target(context, edit)
    commits = [NewCommit(m, puts, context.now) for m, puts in _commits(context, edit, amendment)]
    written = signed(repository, write_commits(repository, commits, parent=parent, label="amend"))
    trees = _trees(context, group, written)
    run = amend_run(context, group, edit.skill, trees, edit.contract.origin.run)
    contract = next(c.contract for c in group.changes if c.contract.name == edit.skill)
    closing = closing_file(context, contract, amendment.read.lines, own, run=group.run, by=amendment.by)
    files = [run_file(run), *files, *([closing] if closing else [])]
    if edit.candidate is not None:
        files += superseded_files(context, edit.candidate, by=group.run, at=context.now)
    tip = written.ids[-1]
    due = DueRecords(layout.LOCAL_REFS + branch, tip, tuple(files), f"amended: {edit.skill}\n", context.now)
    move_with_records(repository, due, _mover(context, edit, branch, old, written))
    context.forget_ledger()
    report = _report(context, edit, amendment, tip, trees)
    return report.model_copy(update={"undo": _undo(context, branch, old, tip)})


def _undo(context: Context, branch: str, old: str | None, new: str) -> str:
    """Returns the line that takes an amendment back."""
    ref = layout.LOCAL_REFS + branch
    if branch == context.base.branch:
        return f"git revert --no-edit {new[:12]}"
    if old is None:
        return f"git update-ref -d {ref} {new[:12]}"
    if checkouts_of(context.repository, branch):
        return f"git reset --keep {old[:12]}"
    return f"git update-ref {ref} {old[:12]} {new[:12]}"


def _target(context: Context, edit: EditedPage) -> tuple[str, str | None, str | None]:
    """Returns the branch that the amendment goes to, the commit that it is made on, and where the branch is now."""
    if edit.candidate is not None:
        return edit.candidate.branch, edit.candidate.tip, edit.candidate.tip
    if not context.policy.approval.protected_base:
        return context.base.branch, context.base.commit, tip_to_move(context.repository, context.base)
    branch = layout.candidate_branch(edit.contract.task_family)
    ref = layout.LOCAL_REFS + branch
    return branch, context.base.commit, context.repository.refs(ref).get(ref)


def _mover(
    context: Context, edit: EditedPage, branch: str, old: str | None, written: WrittenCommits
) -> Callable[[], None]:
    """Returns what moves the branch; checkouts of base or of the candidate come along."""
    base, tip = context.base, written.ids[-1]
    if edit.candidate is not None:
        base = Base(branch, old, context.base.policy_commit, context.base.has_remote)
    elif branch != base.branch:
        waiting = candidates(context).get(edit.contract.task_family)
        return lambda: publish_candidate(context, edit.contract.task_family, written, waiting)
    return lambda: move_branch(context.repository, base, old=old, new=tip, drop=[written.tmp_ref])


def _commits(context: Context, edit: EditedPage, amendment: _Amendment) -> list[tuple[str, list[Put]]]:
    """Returns message and files of one commit for each version. Pages of other Skills stay as they are there."""
    found = []
    for change in amendment.group.changes:
        name = change.contract.name
        folder = layout.skill_folder(context.policy.skills_dir, name)
        files = skill_files(change.contract)
        if name != edit.skill:
            files = {CONTRACT_FILE: files[CONTRACT_FILE]}
        what = "Named anew with the edit of another Skill of its group.\n"
        if name == edit.skill:
            what = f"By a person's edit: {words_of(amendment.read.lines)}.\n"
        told = "\n".join(f"{key}: {value}" for key, value in trailers(change, amendment.group).items())
        message = f"skill({name}): {change.kind.value}\n\n{what}\n{told}\n"
        found.append((message, [Put(f"{folder}/{path}", data) for path, data in files.items()]))
    return found


def words_of(lines: Sequence[ReadLine]) -> str:
    """Says how many lines an edit changed, made and took away."""
    counts = [(state, sum(line.state is state for line in lines)) for state in LineState]
    told = [f"{count} {plural('line', count)} {state.value}" for state, count in counts if count]
    return ", ".join(told)


def _trees(context: Context, group: ResultGroup, written: WrittenCommits) -> dict[str, str]:
    names = [c.contract.name for c in group.changes]
    folders = ((n, f"{layout.skill_folder(context.policy.skills_dir, n)}") for n in names)
    return {n: context.repository.git.line("rev-parse", f"{written.ids[-1]}:{folder}") for n, folder in folders}


def _sign_only(context: Context, edit: EditedPage, *, by: str, key_path: Path | None, dry_run: bool) -> AmendReport:
    """Signs the lines of which the contract says that a person wrote them, where nobody stands for them yet."""
    due = uncovered_lines(edit.contract, amendments_for(context, edit.tree))
    if not due:
        raise UsageError(
            f"SKILL.md of {edit.skill!r} in {edit.place} says what its contract says: there is no edit",
            hint=f"edit the file and run it again, or name where the edit is: skillc amend {edit.skill} --from BRANCH",
        )
    lines = tuple(ReadLine(field=f, state=LineState.NEW, claim=c) for f, c in due)
    view = ReadView(contract=edit.contract, lines=lines)
    signers: list[str] = []

    def records(who: str) -> list[tuple[str, Decision]]:
        signers.append(who)
        run = edit.contract.origin.run
        return [("amendments", amendment_record(context, edit.contract, lines, (), run=run, by=who))]

    if not dry_run:
        files = decision_files(context, records, by=by, key_path=key_path)
        message = f"amended: {edit.skill}\n"
        append_to_ledger(context.repository, files, message=message, at=context.now)
        context.forget_ledger()
    group = ResultGroup(run=edit.contract.origin.run, task_family=edit.contract.task_family, manifest="", changes=())
    report = _report(context, edit, _Amendment(view, group, (signers or [by])[-1]), None, {edit.skill: edit.tree})
    return report.model_copy(update={"signs_only": True, "waits": False})


def _report(
    context: Context, edit: EditedPage, amendment: _Amendment, commit: str | None, trees: dict[str, str]
) -> AmendReport:
    branch = edit.candidate.branch if edit.candidate else context.base.branch
    waits = edit.candidate is not None
    if edit.candidate is None and context.policy.approval.protected_base:
        branch, waits = layout.candidate_branch(edit.contract.task_family), True
    return AmendReport(
        skill=edit.skill,
        skill_id=edit.contract.skill_id,
        run=amendment.group.run if commit else None,
        commit=commit,
        branch=branch,
        tree=trees.get(edit.skill),
        place=edit.place,
        by=amendment.by,
        lines=tuple(_line(line) for line in amendment.read.lines),
        waits=waits,
    )


def _line(line: ReadLine) -> AmendedLine:
    went = line.claim if line.state is LineState.REMOVED else line.before
    return AmendedLine(
        field=line.field,
        claim_id=line.claim.id,
        state=line.state,
        text=claim_text(line.claim),
        before=claim_text(line.before) if line.before is not None else None,
        lost=all_citations(went) if went is not None else (),
    )
