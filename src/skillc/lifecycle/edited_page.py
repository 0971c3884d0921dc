"""A person's edit of SKILL.md: where its text is, which version it is an edit of, and where its amendment goes.

The work tree comes before HEAD, because that is what the person sees; another revision is named. An edit of a version
that is not the newest any more is refused: it would take back what came since. Paper: 5.4.
Not here: what the text says (core.skill.parse), what is written (lifecycle.amend).
"""

from dataclasses import dataclass

from skillc.core.skill.contract import SKILL_FILE, Contract
from skillc.errors import DataError, RepoError, UsageError
from skillc.lifecycle.candidates import Candidate, candidates, is_admitted
from skillc.lifecycle.context import Context
from skillc.lifecycle.hand_edits import hand_edit
from skillc.lifecycle.skills import StoredSkill, current_skills, skills_at
from skillc.repo import layout
from skillc.repo.files import read_small
from skillc.repo.objects import read_blob

MAX_PAGE_BYTES = 1 << 20


@dataclass(frozen=True)
class EditedPage:
    """The text of an edited SKILL.md with the version that it is an edit of.

    `place` says where the text was found; `candidate` is the branch that the amendment goes to, None for base.
    """

    skill: str
    contract: Contract
    tree: str
    text: str
    place: str
    candidate: Candidate | None


def find_edit(context: Context, name: str, revision: str | None = None) -> EditedPage:
    """Returns the edit of a Skill, by name or id: of the work tree where it differs from HEAD, else of the revision."""
    commit = context.repository.resolve(revision or "HEAD")
    if commit is None:
        raise UsageError(f"there is no commit {revision or 'HEAD'!r}", hint="name a branch or commit with --from")
    stored = _stored(context, skills_at(context, commit), name, commit)
    assert stored.contract is not None
    text, place = _text_of(context, stored.name, commit, revision)
    edit = hand_edit(context, stored)
    if edit is not None and edit.file != SKILL_FILE:
        raise UsageError(f"{edit.file} of {stored.name!r} {edit.message}", hint=edit.next)
    candidate = _candidate(context, revision)
    known = {v.skill: v.contract for v in candidate.versions} if candidate else {}
    if candidate is None:
        known = {s.name: s.contract for s in current_skills(context).values()}
    if known.get(stored.name) != stored.contract:
        where = candidate.branch if candidate else context.base.branch
        raise UsageError(
            f"SKILL.md of {stored.name!r} in {place} is an edit of another version than the one on {where}",
            hint=f"make the edit on top of {where}, or name where it is: skillc amend {stored.name} --from BRANCH",
        )
    return EditedPage(stored.name, stored.contract, stored.tree, text, place, candidate)


def _stored(context: Context, skills: dict[str, StoredSkill], name: str, commit: str) -> StoredSkill:
    for skill in skills.values():
        if skill.contract is not None and name in (skill.name, skill.contract.skill_id):
            return skill
    found = skills.get(name)
    if found is not None and found.problem is not None:
        raise DataError(
            found.problem, hint="contract.json is written by skillc only; take it back, then amend SKILL.md"
        )
    if found is not None:
        raise UsageError(f"{name!r} is written by hand: it has no contract.json, so there is nothing to amend")
    raise UsageError(
        f"there is no Skill {name!r} at {commit[:12]}",
        hint="run: skillc show; an edit on a candidate branch is named with --from BRANCH",
    )


def _text_of(context: Context, name: str, commit: str, revision: str | None) -> tuple[str, str]:
    path = f"{layout.skill_folder(context.policy.skills_dir, name)}/{SKILL_FILE}"
    committed = read_blob(context.repository, commit, path, limit=MAX_PAGE_BYTES)
    found, place = committed, revision or f"HEAD ({commit[:12]})"
    if revision is None:
        here = read_small(context.repository.root / path, limit=MAX_PAGE_BYTES)
        if here is not None and here != committed:
            found, place = here, "the work tree"
    if found is None:
        raise UsageError(f"{path} is not there", hint=f"take it back: git checkout HEAD -- {path}")
    try:
        return found.decode("utf-8"), place
    except UnicodeDecodeError as error:
        line = found[: error.start].count(b"\n") + 1
        raise DataError(f"{SKILL_FILE}:{line}: is no UTF-8 text", hint="save it as UTF-8") from error


def _candidate(context: Context, revision: str | None) -> Candidate | None:
    """Returns the candidate whose branch the edit is on; None where it is on another branch, or was merged."""
    branch = context.repository.head_branch() if revision is None else revision.removeprefix(layout.LOCAL_REFS)
    if branch is not None and f"/{layout.CANDIDATE_PREFIX}" in branch:
        own = branch[branch.index(layout.CANDIDATE_PREFIX) :]
        raise UsageError(f"{branch!r} is another clone's branch", hint=f"take it here first: git switch {own}")
    if branch is None or not branch.startswith(layout.CANDIDATE_PREFIX):
        return None
    found = candidates(context).get(branch.removeprefix(layout.CANDIDATE_PREFIX))
    if found is None:
        raise RepoError(f"{branch!r} holds no version that skillc wrote", hint="run: skillc review")
    return None if is_admitted(context, found) else found
