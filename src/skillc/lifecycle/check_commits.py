"""The commits of a change against base: versions touch what is theirs, trailers tell the truth, groups come whole.

Folder trees are the identity of a version, so all of it is read from trees and contracts, and trailers only where
they are there. Paper: 5.4, Group admission. Not here: the Skills by themselves (lifecycle.check).
"""

from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from skillc.core.compile.group import manifest_of
from skillc.core.compile.withdrawal import WithdrawnNote
from skillc.core.record import digest_of
from skillc.core.skill.contract import ChangeKind, Contract
from skillc.lifecycle.candidates import TRAILER_KEYS
from skillc.lifecycle.check_problem import Problem, problem_of
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import StoredSkill, skills_at
from skillc.repo import layout
from skillc.repo.objects import read_blob


def group_problems(context: Context, changed: list[StoredSkill], trees: Mapping[str, str]) -> Iterator[Problem]:
    """A group comes whole or not at all; its manifest is computed from the folders alone.

    A Skill that another one took the place of must be gone with the same change.
    """
    for skill in changed:
        for replaced in (skill.contract.origin.replaces or ()) if skill.contract else ():
            if trees.get(replaced.skill) == replaced.tree:
                message = f"{skill.name} takes the place of {replaced.skill!r}, and that folder is still there"
                folder = layout.skill_folder(context.policy.skills_dir, replaced.skill)
                yield problem_of("group-mismatch", folder, replaced.skill, message, "merge the whole candidate")
    groups: dict[str, list[Contract]] = {}
    for skill in changed:
        if skill.contract is not None:
            groups.setdefault(skill.contract.origin.group, []).append(skill.contract)
    known = {v.tree for r in context.ledger.runs for v in r.versions}
    for group, contracts in groups.items():
        if manifest_of(contracts) == group:
            continue
        made = {s.tree for s in changed if s.contract in contracts}
        if made <= known and any(r.group == group and len(r.versions) == len(contracts) for r in context.ledger.runs):
            continue
        names = ", ".join(sorted(c.name for c in contracts))
        message = f"the manifest of the result group does not match: part of it is missing or changed ({names})"
        yield problem_of(
            "group-mismatch",
            context.policy.skills_dir,
            contracts[0].name,
            message,
            "merge the whole candidate",
        )


def commit_problems(context: Context, base: str, commit: str) -> Iterator[Problem]:
    """Commits that carry skillc's trailers touch one Skill folder, and the trailers tell the truth."""
    form = "%x00".join(["%H", *(f"%(trailers:key={k},valueonly)" for k in TRAILER_KEYS)])
    out = context.repository.git.run("log", "--no-merges", f"--format={form}%x02", f"{base}..{commit}")
    for block in out.decode("utf-8", "replace").split("\x02"):
        fields = [f.strip() for f in block.split("\0")]
        if len(fields) != 1 + len(TRAILER_KEYS) or not fields[4] or not fields[6]:
            continue
        yield from _version_problems(context, dict(zip(("commit", *TRAILER_KEYS), fields, strict=True)))


def _version_problems(context: Context, told: Mapping[str, str]) -> Iterator[Problem]:
    """Compares one commit of a version with its trailers."""
    version, skill = told["commit"], told["Skillc-Skill"]
    folder = layout.skill_folder(context.policy.skills_dir, skill)
    is_withdrawal = told["Skillc-Change"] == ChangeKind.WITHDRAW.value
    before = skills_at(context, context.repository.resolve(f"{version}^"))
    stored = (before if is_withdrawal else skills_at(context, version)).get(skill)
    contract = stored.contract if stored is not None else None
    outside = _outside(context, version, folder, contract, is_withdrawal=is_withdrawal)
    if outside:
        message = f"the commit of this version also changes {len(outside)} other files, first {outside[0]!r}"
        yield problem_of("smuggled-file", outside[0], skill, message, "take those files out of the commit")
    if stored is None or contract is None or digest_of(contract) != told["Skillc-Contract"]:
        message = f"the trailer Skillc-Contract of {version[:12]} names other content"
        yield problem_of("false-trailer", folder, skill, message, "merge the candidate as skillc wrote it")
    elif is_withdrawal:
        if skill in skills_at(context, version) or not _is_noted(context, version, stored):
            message = f"{version[:12]} says that it takes the Skill out of service, and does not"
            yield problem_of("false-trailer", folder, skill, message, "merge the candidate as skillc wrote it")
    elif (contract.skill_id, contract.origin.run, contract.origin.group) != (
        told["Skillc-Id"],
        told["Skillc-Run"],
        told["Skillc-Group"],
    ):
        message = f"the trailers of {version[:12]} do not match the contract's origin"
        yield problem_of("false-trailer", folder, skill, message, "merge the candidate as skillc wrote it")


def _outside(
    context: Context, version: str, folder: str, contract: Contract | None, *, is_withdrawal: bool
) -> list[str]:
    """Returns the files of a version's commit that are not its own: those of its folder, its note, and removals."""
    out = context.repository.git.run("diff-tree", "--root", "--no-commit-id", "-r", "-z", "--name-status", version)
    fields = [f.decode("utf-8", "replace") for f in out.split(b"\0") if f]
    note = layout.withdrawn_path(folder.rsplit("/", 1)[-1])
    gone = [
        layout.skill_folder(context.policy.skills_dir, r.skill) + "/"
        for r in (contract.origin.replaces or () if contract else ())
    ]
    outside = []
    for status, path in zip(fields[::2], fields[1::2], strict=False):
        own = path.startswith(folder + "/") and (status == "D" or not is_withdrawal)
        own = own or (path == note and (status == "D") != is_withdrawal)
        if not own and not (status == "D" and path.startswith(tuple(gone))):
            outside.append(path)
    return outside


def _is_noted(context: Context, version: str, stored: StoredSkill) -> bool:
    """Says whether the note that stays names the Skill and the version that went."""
    data = read_blob(context.repository, version, layout.withdrawn_path(stored.name), limit=1 << 16)
    try:
        note = WithdrawnNote.model_validate_json(data or b"")
    except ValidationError:
        return False
    return stored.contract is not None and (note.skill_id, note.tree) == (stored.contract.skill_id, stored.tree)
