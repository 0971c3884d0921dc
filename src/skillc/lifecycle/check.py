"""The gate in CI: is every Skill of a revision what skillc would let in, on the evidence that is here?

Looks at a revision and, where it is not base itself, at what it changes against base. Evidence that is not
here is a hold with the fetch line, never a pass. Policy and registry come from base only. Paper: 5.3, 5.4.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

from skillc.core.admit.gates import GateResult, GateVerdict
from skillc.core.compile.amendment import uncovered_lines
from skillc.core.compile.checks import check_contract
from skillc.core.compile.conflict import open_conflicts
from skillc.core.compile.evidence import Evidence, Source
from skillc.core.compile.group import skill_files
from skillc.core.compile.select import role_of
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.policy import POLICY_FILE, parse_policy
from skillc.core.record import Record
from skillc.core.scan.finding import Severity
from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE, Contract, Support, cited_events
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.admissions import Admission, Admissions
from skillc.lifecycle.attempts import attempt_families_of
from skillc.lifecycle.check_admission import GroupGates, admission_problems, group_gates
from skillc.lifecycle.check_commits import commit_problems, group_problems
from skillc.lifecycle.check_problem import Problem, problem_of
from skillc.lifecycle.check_traces import trace_problems
from skillc.lifecycle.check_unmanaged import UnmanagedFinding, unmanaged_findings, unmanaged_problems
from skillc.lifecycle.context import Context
from skillc.lifecycle.explain import EvidenceReader
from skillc.lifecycle.skills import SkillHistory, StoredSkill, skills_at
from skillc.repo import layout
from skillc.repo.objects import list_tree, open_reader, read_blob

FETCH_TRACES = f"git fetch origin {layout.TRACES_BRANCH}:{layout.TRACES_BRANCH}"
FETCH_LEDGER = f"git fetch origin {layout.LEDGER_BRANCH}:{layout.LEDGER_BRANCH}"


class LetStand(Record):
    """A finding of the scanner that the policy of base lets stand, with the reason that it gives."""

    path: str
    skill: str
    rule: str
    severity: Severity
    title: str
    reason: str


class CheckReport(Record):
    """The answer of `skillc check`. `ok` only when there is no problem at all; what is let stand is none.

    `gates` are of the revision as a whole, `groups` those of admission for each result group that it brings. `unproven`
    are versions on base that nobody's approval stands for, `unmanaged` findings in new Skills that skillc did not
    compile: told, and no problem of this revision unless policy says so.
    """

    format: Literal["skillc.check/1"] = "skillc.check/1"
    ok: bool
    revision: str
    checked: int
    problems: tuple[Problem, ...]
    gates: tuple[GateVerdict, ...]
    groups: tuple[GroupGates, ...] = ()
    unproven: tuple[Admission, ...] = ()
    unmanaged: tuple[UnmanagedFinding, ...] = ()
    suppressed: tuple[LetStand, ...] = ()


def check(context: Context, revision: str | None = None, against: str | None = None) -> CheckReport:
    """Checks a revision (default: HEAD) against base, or against another revision."""
    context.repository.require_full_history()
    commit = context.repository.resolve(revision or "HEAD")
    if commit is None:
        raise UsageError(f"there is no commit {revision or 'HEAD'!r}", hint="name a branch or commit")
    base = context.repository.resolve(against) if against else context.base.policy_commit
    if against and base is None:
        raise UsageError(f"there is no commit {against!r}")
    skills = skills_at(context, commit)
    before = skills_at(context, base) if base else {}
    compiled = [s for s in skills.values() if s.contract is not None]
    reader = EvidenceReader.of(context, [s.contract for s in compiled if s.contract])
    if compiled:
        reader.families.update(attempt_families_of(context))
    problems = [*_ledger_problems(context), *_policy_problems(context, commit, base)]
    suppressed: list[LetStand] = []
    for skill in skills.values():
        problems += _skill_problems(context, commit, skill, before.get(skill.name), reader, suppressed)
    problems += _name_problems(context, commit)
    admitted = SkillHistory(context).admitted_trees()
    changed = [
        s for s in compiled if s.tree not in admitted and (before.get(s.name) is None or before[s.name].tree != s.tree)
    ]
    problems += group_problems(context, changed, skills)
    fork = context.repository.merge_base(base, commit) if base else None
    groups = group_gates(context, changed, skills_at(context, fork), reader)
    problems += admission_problems(context, groups)
    problems += trace_problems(context, commit, fork)
    unmanaged = unmanaged_findings(context, commit, skills, skills_at(context, fork))
    problems += unmanaged_problems(context, unmanaged)
    if base is not None and base != commit:
        problems += commit_problems(context, base, commit)
    return CheckReport(
        ok=not problems,
        revision=commit,
        checked=len(compiled),
        problems=tuple(problems),
        gates=tuple(_gates(problems)),
        groups=groups,
        unmanaged=unmanaged,
        unproven=_unproven(context) if commit == context.base.commit else (),
        suppressed=tuple(dict.fromkeys(suppressed)),
    )


def _unproven(context: Context) -> tuple[Admission, ...]:
    with open_reader(context.repository) as objects:
        return tuple(a for a in Admissions(context, objects).of_current().values() if a.proof == "unproven")


def _ledger_problems(context: Context) -> Iterator[Problem]:
    for path, what in context.ledger.problems:
        yield Problem(
            code="ledger-record",
            path=f"{layout.LEDGER_BRANCH}:{path}",
            skill=None,
            message=what,
            next="the ledger is append-only; take the file back with git revert on that branch",
        )


def _policy_problems(context: Context, commit: str, base: str | None) -> Iterator[Problem]:
    """A change of policy is named: it takes effect only once it is merged."""
    data = read_blob(context.repository, commit, POLICY_FILE, limit=1 << 20)
    fork = context.repository.merge_base(base, commit) if base else None
    old = read_blob(context.repository, fork, POLICY_FILE, limit=1 << 20) if fork else None
    if data is None:
        if old is not None:
            yield problem_of("policy-removed", POLICY_FILE, None, "this removes skillc.yaml", "keep the file")
        return
    try:
        parse_policy(data)
    except PolicyError as error:
        yield problem_of("policy-invalid", POLICY_FILE, None, error.message, error.hint or "mend the file")
        return
    if old is not None and old != data:
        message = "this changes the policy; it takes effect once it is merged, and not for this check"
        yield problem_of("policy-changed", POLICY_FILE, None, message, "let an approver look at it alone", hold=True)


def _skill_problems(
    context: Context,
    commit: str,
    skill: StoredSkill,
    before: StoredSkill | None,
    reader: EvidenceReader,
    suppressed: list[LetStand],
) -> Iterator[Problem]:
    folder = layout.skill_folder(context.policy.skills_dir, skill.name)
    if skill.problem is not None:
        yield problem_of(
            "contract-invalid",
            f"{folder}/{CONTRACT_FILE}",
            skill.name,
            skill.problem,
            "git revert the change",
        )
        return
    if skill.contract is None:
        if before is not None and before.contract is not None:
            message = "contract.json was removed, so no line has evidence any more"
            yield problem_of("contract-removed", folder, skill.name, message, "restore the file from base")
        return
    contract = skill.contract
    yield from _folder_problems(context, commit, folder, skill.name, contract)
    yield from _evidence_problems(context, folder, contract, reader)
    yield from _scan_problems(context, folder, contract, reader, suppressed)
    yield from _service_problems(context, folder, skill)
    yield from _persons_problems(context, folder, contract)
    if not any(v.tree == skill.tree for r in context.ledger.runs for v in r.versions):
        known = context.ledger.commit is not None
        message = "no recorded run made this version" if known else "the ledger is not here, so no run can be seen"
        yield problem_of("unrecorded-version", folder, skill.name, message, FETCH_LEDGER, hold=True)


def _scan_problems(
    context: Context, folder: str, contract: Contract, reader: EvidenceReader, suppressed: list[LetStand]
) -> Iterator[Problem]:
    """What the scanner blocks; what the policy lets stand goes to `suppressed`."""
    from skillc.lifecycle.scanning import scan_artifact  # loads every scan rule, and most runs have nothing to scan

    for found in scan_artifact(context, contract, reader.attempts):
        if found.suppressed:
            suppressed.append(
                LetStand(
                    path=found.path,
                    skill=contract.name,
                    rule=found.rule,
                    severity=found.severity,
                    title=found.title,
                    reason=found.reason or "",
                )
            )
        elif found.severity is Severity.BLOCK:
            message = f"{found.rule}: {found.title} at line {found.line}"
            yield problem_of("scan", f"{folder}/{SKILL_FILE}", contract.name, message, f"skillc scan {folder}")


def _service_problems(context: Context, folder: str, skill: StoredSkill) -> Iterator[Problem]:
    """A version that the ledger took out of service waits for its removal, or for a person's decision."""
    from skillc.lifecycle.upkeep import withdrawals

    record = withdrawals(context).get(skill.tree)
    if record is not None:
        next_step = f"merge its removal or its next version, or: skillc compile --family {record.task_family}"
        open_ids = {c.conflict for c in open_conflicts(context.ledger.conflicts, context.ledger.resolutions)}
        if record.reason is WithdrawalReason.CONFLICT and open_ids & set(record.refs):
            next_step = f"skillc resolve {skill.name} --keep A|B --reason TEXT"
        elif record.reason is WithdrawalReason.RETIRED:
            next_step = f"merge its removal, or bring it back: skillc restore {skill.name} {skill.tree[:12]}"
        message = f"is out of service: {record.reason.value}"
        yield problem_of("out-of-service", folder, skill.name, message, next_step, hold=True)


def _folder_problems(context: Context, commit: str, folder: str, name: str, contract: Contract) -> Iterator[Problem]:
    """The folder holds exactly what the contract renders, as regular files, under the contract's name."""
    wanted = skill_files(contract)
    with open_reader(context.repository) as objects:
        for entry in list_tree(context.repository, commit, folder):
            inner = entry.path.removeprefix(folder + "/")
            if entry.kind == "tree":
                continue
            if inner not in wanted or entry.mode not in ("100644", "100755"):
                message = "is a link" if entry.mode == "120000" else "is no file of a compiled Skill"
                yield problem_of("foreign-file", entry.path, name, message, "remove it from the folder")
            elif objects.read(entry.object_id) != wanted[inner]:
                message = f"is not exactly the rendering of {CONTRACT_FILE}"
                following = "take the bytes that skillc wrote"
                if inner == SKILL_FILE:
                    message = f"was edited by hand: it {message}, so its lines have no evidence"
                    following = f"skillc amend {name}, or take the bytes that skillc wrote"
                yield problem_of("render-mismatch", entry.path, name, message, following)
            wanted.pop(inner, None)
    for missing in sorted(wanted):
        yield problem_of("missing-file", f"{folder}/{missing}", name, "is missing", "restore it from the candidate")
    if contract.name != name:
        message = f"the contract is for {contract.name!r}; folder and name must be the same"
        yield problem_of("name-mismatch", folder, name, message, "rename by skillc only")


def _evidence_problems(context: Context, folder: str, contract: Contract, reader: EvidenceReader) -> Iterator[Problem]:
    path = f"{folder}/{CONTRACT_FILE}"
    cited = cited_events(contract)
    deleted = sorted(t for t in cited if t not in reader.attempts and t in context.ledger.tombstones)
    if deleted:
        message = f"cites the Trace {deleted[0]}, which was deleted"
        yield problem_of("evidence-deleted", path, contract.name, message, "skillc compile")
        return
    missing = [t for t in cited if t not in reader.attempts]
    if missing:
        message = f"{len(missing)} of {len(cited)} cited Traces are not here, first {missing[0]}"
        yield problem_of("evidence-missing", path, contract.name, message, FETCH_TRACES, hold=True)
        return
    sources = []
    for trace_id in cited:
        attempt = reader.attempts[trace_id]
        role, reason = role_of(attempt)
        if role is None:
            has_record = trace_id in context.ledger.envelopes
            yield problem_of(
                "evidence-weakened",
                path,
                contract.name,
                f"Trace {trace_id} supports nothing today: {reason}",
                "skillc traces" if has_record else FETCH_LEDGER,
                hold=not has_record,
            )
            continue
        family = reader.families.get(trace_id, trace_id)
        sources.append(Source(trace=attempt.trace, standing=attempt.standing, attempt_family=family, role=role))
    if len(sources) < len(cited):
        return
    evidence = Evidence(namespace=context.policy.namespace, task_family=contract.task_family, sources=tuple(sources))
    for failure in check_contract(_with_families_of_today(contract, reader.families), evidence, by_people=True):
        where = f" [{failure.field} {failure.claim_id}]" if failure.field else ""
        yield problem_of(failure.code, path, contract.name, failure.message + where, "skillc why " + contract.name)


def _with_families_of_today(contract: Contract, families: Mapping[str, str]) -> Contract:
    """Names the attempt families as they are called today: a Trace that came later can have joined two of them."""
    named = tuple(sorted({families.get(f, f) for f in contract.support.attempt_families}))
    support = Support(attempt_families=named, single_source=contract.is_single_source or len(named) == 1)
    return contract.model_copy(update={"support": support})


def _persons_problems(context: Context, folder: str, contract: Contract) -> Iterator[Problem]:
    """A line is a person's only with a record of that person's: anybody can write that it is into a file."""
    for field, claim in uncovered_lines(contract, context.ledger.amendments):
        who = claim.person or "a person"
        message = f"says that {who} wrote a line, and no amendment that counts does [{field} {claim.id}]"
        next_step = (
            f"skillc amend {contract.name} signs it, or take the line out; the ledger may be missing: {FETCH_LEDGER}"
        )
        yield problem_of("unsigned-person-line", f"{folder}/{CONTRACT_FILE}", contract.name, message, next_step)


def _name_problems(context: Context, commit: str) -> Iterator[Problem]:
    """Two folders that are one on a file system that ignores case; a link where a Skill should be."""
    seen: dict[str, str] = {}
    for entry in list_tree(context.repository, commit, context.policy.skills_dir, recursive=False):
        name = entry.path.rsplit("/", 1)[1]
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            message = f"{other!r} and {name!r} are one folder where case is ignored"
            yield problem_of("case-collision", entry.path, name, message, "rename one of them")
        if entry.mode == "120000":
            yield problem_of("linked-skill", entry.path, name, "is a link, not a folder", "commit the folder itself")


_GATES = {
    "records": ("ledger-record", "contract-invalid", "contract-removed", "policy-invalid", "policy-removed"),
    "evidence": ("evidence-missing", "evidence-deleted", "evidence-weakened", "unrecorded-version", "out-of-service"),
    "rendering": (
        "render-mismatch",
        "foreign-file",
        "missing-file",
        "name-mismatch",
        "case-collision",
        "linked-skill",
    ),
    "group": ("group-mismatch", "smuggled-file", "false-trailer"),
    "scan": ("scan", "unmanaged-scan"),
    "traces": ("trace-changed", "deleted-content"),
    "admission": (
        "no-longer-valid",
        "outside-evidence",
        "open-conflict",
        "stale-base",
        "evaluation",
        "too-large",
    ),
    "policy": ("policy-changed",),
}


def _gates(problems: list[Problem]) -> Iterator[GateVerdict]:
    known = {code for codes in _GATES.values() for code in codes}
    for gate, codes in (*_GATES.items(), ("claims", ())):
        hit = [p for p in problems if p.code in codes or (not codes and p.code not in known)]
        if not hit:
            yield GateVerdict(gate=gate, result=GateResult.PASS, reason="no problem")
            continue
        result = GateResult.HOLD if all(p.hold for p in hit) else GateResult.REJECT
        yield GateVerdict(gate=gate, result=result, reason=hit[0].message, next=hit[0].next)
