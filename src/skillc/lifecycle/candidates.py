"""Candidates: result groups that wait on their branch, one commit per Skill version.

A candidate is written off-ref and appears by one ref update; its identity is the tree of each folder, so it is
known again after a squash or rebase merge. Paper: 5.3, 5.4. Not here: gates, the pull request (lifecycle.review).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from skillc.core.compile.group import Change, ResultGroup, skill_files, trailers
from skillc.core.record import pretty_json
from skillc.core.skill.contract import SKILL_FILE, ChangeKind, Contract
from skillc.core.skill.render import plural
from skillc.errors import RepoError, UsageError
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import skills_at
from skillc.repo import layout
from skillc.repo.commits import (
    Delete,
    FileChange,
    NewCommit,
    Put,
    RefUpdate,
    WrittenCommits,
    update_refs,
    write_commits,
)
from skillc.repo.history import folder_changes
from skillc.repo.objects import list_tree
from skillc.repo.signing import signed

TRAILER_KEYS = ("Skillc-Skill", "Skillc-Id", "Skillc-Change", "Skillc-Run", "Skillc-Group", "Skillc-Contract")


@dataclass(frozen=True)
class CandidateVersion:
    """One commit of a candidate branch."""

    skill: str
    skill_id: str
    change: str
    commit: str
    tree: str
    contract: Contract | None


@dataclass(frozen=True)
class Candidate:
    """A candidate branch: `start` is the base commit that it was made on, `foreign` the commits of people.

    `amends` are the runs below the newest that people's edits were made on; those edits are part of the candidate.
    """

    task_family: str
    tip: str
    start: str | None
    run: str
    group: str
    versions: tuple[CandidateVersion, ...]
    foreign: tuple[str, ...]
    amends: tuple[str, ...] = ()

    @property
    def is_amended(self) -> bool:
        return any(v.change == ChangeKind.AMEND.value for v in self.versions)

    @property
    def branch(self) -> str:
        return layout.candidate_branch(self.task_family)

    def is_named(self, name: str) -> bool:
        """Says whether a person's word means this candidate: its run, family, branch, group, or a Skill of it."""
        skills = {n for v in self.versions for n in (v.skill, v.skill_id)}
        return name in {self.run, self.task_family, self.branch, self.group, *skills}


def candidates(context: Context) -> dict[str, Candidate]:
    """Returns the candidate branches of the namespace by task family, merged ones included."""
    found = {}
    for ref, tip in sorted(context.repository.refs(layout.CANDIDATE_REFS.rstrip("/")).items()):
        family = ref.removeprefix(layout.CANDIDATE_REFS)
        candidate = read_candidate(context, family, tip)
        if candidate is not None:
            found[family] = candidate
    return found


def read_candidate(context: Context, family: str, tip: str) -> Candidate | None:
    """Reads a candidate from its commits; None when the branch holds no commit of a Skill version.

    Below an amendment it goes on: what a person's edit was made on is part of the same candidate.
    """
    versions: list[CandidateVersion] = []
    foreign: list[str] = []
    edits: list[str] = []
    runs: list[str] = []
    start: str | None = None
    group = ""
    for commit, parent, told in told_commits(context, tip):
        run = told["Skillc-Run"]
        if versions and run != runs[-1] and not _goes_on(context, versions, commit):
            break
        if not run:
            if not versions and _is_on_base(context, commit):
                break
            (edits if versions else foreign).append(commit)
        elif all(v.skill != told["Skillc-Skill"] for v in versions):
            skill, skill_id, change = told["Skillc-Skill"], told["Skillc-Id"], told["Skillc-Change"]
            versions.append(_version(context, skill, skill_id, change, commit))
        start = parent
        if run:
            runs += [run] if run not in runs else []
            group = group or told["Skillc-Group"]
    if not versions:
        return None
    foreign += [c for c in edits if _is_work_elsewhere(context, c, {v.skill for v in versions})]
    return Candidate(family, tip, start, runs[0], group, tuple(reversed(versions)), tuple(foreign), tuple(runs[1:]))


def told_commits(context: Context, revision: str) -> Iterator[tuple[str, str | None, dict[str, str]]]:
    """Yields (commit, first parent, trailers) from a revision, or the end of a range, down."""
    form = "%x00".join(["%H", "%P", *(f"%(trailers:key={k},valueonly)" for k in TRAILER_KEYS)])
    out = context.repository.git.run(
        "log", "-z", "--first-parent", "--max-count=1000", f"--format={form}%x02", revision
    )
    for block in out.split(b"\x02"):
        fields = [f.decode("utf-8", "replace").strip("\n\0") for f in block.split(b"\0") if block.strip(b"\0\n")]
        fields = fields[-(2 + len(TRAILER_KEYS)) :]
        if len(fields) != 2 + len(TRAILER_KEYS):
            return
        yield fields[0], fields[1].split(" ")[0] or None, dict(zip(TRAILER_KEYS, fields[2:], strict=True))


def _goes_on(context: Context, versions: list[CandidateVersion], commit: str) -> bool:
    """Says whether a commit below these versions belongs to the candidate: they amend what is there."""
    return all(v.change == ChangeKind.AMEND.value for v in versions) and not _is_on_base(context, commit)


def _is_on_base(context: Context, commit: str) -> bool:
    return context.base.commit is not None and context.repository.is_ancestor(commit, context.base.commit)


def _is_work_elsewhere(context: Context, commit: str, skills: set[str]) -> bool:
    """Says whether a person's commit below an amendment changed more than the pages that the amendment took over."""
    out = context.repository.git.run("diff-tree", "--root", "--no-commit-id", "-r", "-z", "--name-only", commit)
    own = {f"{layout.skill_folder(context.policy.skills_dir, name)}/{SKILL_FILE}" for name in skills}
    return not {p.decode("utf-8", "replace") for p in out.split(b"\0") if p} <= own


def _version(context: Context, skill: str, skill_id: str, change: str, commit: str) -> CandidateVersion:
    stored = skills_at(context, commit).get(skill)
    return CandidateVersion(
        skill, skill_id, change, commit, stored.tree if stored else "", stored.contract if stored else None
    )


def is_admitted(context: Context, candidate: Candidate) -> bool:
    """Says whether every version of a candidate appears on base after the candidate's own base."""
    if context.base.commit is None:
        return False
    after = f"{candidate.start}..{context.base.commit}" if candidate.start else context.base.commit
    changes = folder_changes(context.repository, after, context.policy.skills_dir)
    return all(any((c.tree or "") == v.tree for c in changes.get(v.skill, ())) for v in candidate.versions)


def pending_candidates(context: Context) -> dict[str, Candidate]:
    """Returns the candidates that still wait for a decision."""
    return {f: c for f, c in candidates(context).items() if not is_admitted(context, c)}


def candidate_named(context: Context, name: str) -> Candidate:
    """Returns the one candidate that waits under a name: run, family, branch, group, or Skill by name or id."""
    for candidate in pending_candidates(context).values():
        if candidate.is_named(name):
            return candidate
    raise UsageError(f"no candidate {name!r} waits for review", hint="run: skillc review")


def version_commits(context: Context, group: ResultGroup, at: datetime) -> list[NewCommit]:
    """Returns one commit per change of the group: the Skill's folder, exactly as the contract renders.

    Folders that a change takes the place of go with it; a withdrawal removes the folder and leaves its note.
    """
    noted = withdrawn_names(context, context.base.commit)
    return [NewCommit(_message(change, group), _writes(context, change, noted), at) for change in group.changes]


def _writes(context: Context, change: Change, noted: frozenset[str]) -> list[FileChange]:
    skills_dir, contract = context.policy.skills_dir, change.contract
    writes: list[FileChange] = [Delete(layout.skill_folder(skills_dir, r.skill)) for r in change.removes]
    folder = layout.skill_folder(skills_dir, contract.name)
    if not change.has_folder:
        assert change.withdrawn is not None
        note = change.withdrawn.model_copy(update={"commit": context.base.commit})
        return [*writes, Delete(folder), Put(layout.withdrawn_path(contract.name), pretty_json(note))]
    if contract.name in noted:
        writes.append(Delete(layout.withdrawn_path(contract.name)))
    return [*writes, *(Put(f"{folder}/{name}", data) for name, data in skill_files(contract).items())]


def withdrawn_names(context: Context, revision: str | None) -> frozenset[str]:
    """Returns the names of Skills that a revision keeps a note of withdrawal for."""
    if revision is None:
        return frozenset()
    entries = list_tree(context.repository, revision, layout.WITHDRAWN_DIR)
    return frozenset(e.path.rsplit("/", 1)[-1].removesuffix(".json") for e in entries if e.path.endswith(".json"))


def _message(change: Change, group: ResultGroup) -> str:
    contract = change.contract
    families = len(contract.support.attempt_families)
    source = (
        f"From {families} attempt {plural('family', families)} of {group.task_family}, "
        "every line cited in contract.json.\n"
    )
    what = f"Fields: {', '.join(change.fields)}\n" if change.fields else ""
    what += f"Takes the place of: {', '.join(r.skill for r in change.removes)}\n" if change.removes else ""
    if not change.has_folder:
        source, what = "", f"Out of service: {change.reason}\n"
    lines = "\n".join(f"{key}: {value}" for key, value in trailers(change, group).items())
    return f"skill({contract.name}): {change.kind.value}\n\n{source}{what}\n{lines}\n"


def write_group(context: Context, group: ResultGroup, at: datetime) -> WrittenCommits:
    """Writes the commits of a group on base, visible nowhere yet."""
    commits = version_commits(context, group, at)
    return signed(
        context.repository,
        write_commits(context.repository, commits, parent=context.base.commit, label=group.run),
    )


def publish_candidate(context: Context, task_family: str, written: WrittenCommits, previous: Candidate | None) -> None:
    """Moves the family's candidate branch to a new group, unless people committed there or it moved."""
    if previous is not None and previous.foreign and not is_admitted(context, previous):
        raise RepoError(
            f"the branch {previous.branch} holds {len(previous.foreign)} commits by people; a new run would lose them",
            hint=f"take edits of SKILL.md over: skillc amend {previous.versions[0].skill} --from {previous.branch}; "
            f"or merge the branch, or delete it: git branch -D {previous.branch}",
        )
    ref = layout.candidate_ref(task_family)
    old = previous.tip if previous else context.repository.refs(ref).get(ref)
    update_refs(context.repository, [RefUpdate(ref, old, written.ids[-1])], drop=[written.tmp_ref])


def drop_candidate(context: Context, candidate: Candidate) -> None:
    """Deletes a candidate branch; its commits stay reachable by id until git prunes them."""
    ref = layout.candidate_ref(candidate.task_family)
    update_refs(context.repository, [RefUpdate(ref, candidate.tip, None)])
