"""The gate in CI: is every Skill of a revision what skillc would let in, on the evidence that is here?

Looks at every Skill of base; of any other revision at those that it changes against base, and at what else it
changes. Evidence that is not here is a hold with the fetch line, never a pass. Policy and registry come from base
only. Paper: 5.3, 5.4. Not here: one Skill (lifecycle.check_skill).
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from skillc.core.admit.gates import GateResult, GateVerdict
from skillc.core.policy import POLICY_FILE, parse_policy
from skillc.core.policy_faults import policy_faults
from skillc.core.record import Record
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.admissions import Admission, Admissions
from skillc.lifecycle.attempts import attempt_families_of
from skillc.lifecycle.check_admission import GroupGates, admission_problems, group_gates
from skillc.lifecycle.check_commits import commit_problems, group_problems
from skillc.lifecycle.check_problem import Problem, problem_of
from skillc.lifecycle.check_removed import RemovedSkill, note_problems, removed_skills
from skillc.lifecycle.check_skill import LetStand, SkillChecks
from skillc.lifecycle.check_traces import trace_problems
from skillc.lifecycle.check_unmanaged import UnmanagedFinding, unmanaged_findings, unmanaged_problems
from skillc.lifecycle.context import Context
from skillc.lifecycle.evaluation import failed_evaluations
from skillc.lifecycle.explain import EvidenceReader
from skillc.lifecycle.skills import SkillHistory, StoredSkill, skill_trees, skills_at
from skillc.repo import layout
from skillc.repo.objects import list_tree, open_reader, read_blob


class CheckReport(Record):
    """The answer of `skillc check`. `ok` only when there is no problem at all; what is let stand is none.

    `gates` are of the revision as a whole, `groups` those of admission for each result group that it brings. `unproven`
    are versions on base that nobody's approval stands for, `unmanaged` findings in new Skills that skillc did not
    compile: told, and no problem of this revision unless policy says so. `removed` are Skills that it takes away.
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
    removed: tuple[RemovedSkill, ...] = ()
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
    here, there = skill_trees(context, commit), skill_trees(context, base)
    wanted = frozenset(n for n in here if commit == base or there.get(n) != here[n])
    skills = skills_at(context, commit, wanted)
    before = skills if base == commit else skills_at(context, base, wanted)
    compiled = [s for s in skills.values() if s.contract is not None]
    reader = EvidenceReader.of(context, [s.contract for s in compiled if s.contract])
    if compiled:
        reader.families.update(attempt_families_of(context, reader.attempts))
    problems = [*_ledger_problems(context), *_policy_problems(context, commit, base)]
    suppressed: list[LetStand] = []
    with open_reader(context.repository) as objects:
        checks = SkillChecks(context, commit, reader, objects, suppressed)
        for skill in skills.values():
            problems += checks.problems(skill, before.get(skill.name))
    problems += _name_problems(context, commit)
    admitted = SkillHistory(context).admitted_trees()
    changed = [
        s for s in compiled if s.tree not in admitted and (before.get(s.name) is None or before[s.name].tree != s.tree)
    ]
    problems += group_problems(context, changed, here)
    fork = context.repository.merge_base(base, commit) if base else None
    at_fork = there if fork == base else skill_trees(context, fork)
    groups = group_gates(context, changed, at_fork, reader)
    problems += admission_problems(context, groups)
    problems += _failed_problems(context, [s for s in compiled if s not in changed])
    problems += trace_problems(context, commit, fork)
    problems += note_problems(context, commit, fork, here)
    unmanaged = unmanaged_findings(context, commit, skills, at_fork)
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
        removed=removed_skills(context, here, at_fork, there) if commit != base else (),
        unproven=_unproven(context) if commit == context.base.commit else (),
        suppressed=tuple(dict.fromkeys(suppressed)),
    )


def _failed_problems(context: Context, admitted: Iterable[StoredSkill]) -> Iterator[Problem]:
    """What an evaluator failed stays out, also where somebody merged it all the same or brings it back."""
    for skill in admitted:
        for failed in failed_evaluations(context, skill.contract.origin.group if skill.contract else None):
            path = layout.skill_folder(context.policy.skills_dir, skill.name)
            message = f"{failed.evaluator} failed exactly this version: {failed.evidence}"
            following = f"git revert the merge that brought it, or skillc retire {skill.name} --reason TEXT"
            yield problem_of("evaluation", path, skill.name, message, following)


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
        policy = parse_policy(data)
    except PolicyError as error:
        yield problem_of("policy-invalid", POLICY_FILE, None, error.message, error.hint or "mend the file")
        return
    for fault in policy_faults(policy):
        yield problem_of("policy-fault", POLICY_FILE, None, f"{fault.setting}: {fault.message}", fault.next)
    if old is not None and old != data:
        message = "this changes the policy; it takes effect once it is merged, and not for this check"
        yield problem_of("policy-changed", POLICY_FILE, None, message, "let an approver look at it alone", hold=True)


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
    "records": (
        "ledger-record",
        "contract-invalid",
        "contract-removed",
        "policy-invalid",
        "policy-removed",
        "policy-fault",
    ),
    "evidence": (
        "unsigned-publication",
        "evidence-missing",
        "evidence-deleted",
        "evidence-weakened",
        "unrecorded-version",
        "out-of-service",
    ),
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
    "notes": ("false-note",),
    "admission": (
        "no-longer-valid",
        "outside-evidence",
        "open-conflict",
        "stale-base",
        "evaluation",
        "too-large",
        "unsigned-run",
        "rejected",
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
