"""Checks of the repository: how git sees it, its policy and registry, what may be left over, what is stored."""

import base64
import binascii
import os
import time
from collections.abc import Iterator
from pathlib import Path

from skillc.core.policy import POLICY_FILE, KeyClass, parse_policy
from skillc.core.yaml_text import MAX_POLICY_BYTES
from skillc.errors import PolicyError, SkillcError
from skillc.lifecycle.doctor.finding import DoctorFinding, Surroundings, fail, ok, warn
from skillc.lifecycle.stored_secrets import StoredSecret, stored_secrets
from skillc.lifecycle.trust import trust_state
from skillc.repo import layout
from skillc.repo.files import read_small
from skillc.repo.repository import Repository

_STALE_S = 60
_MAX_LOCKS = 20
_MAX_SECRETS = 100
_MAX_KEY_BYTES = 1 << 16


def check_repository(at: Surroundings) -> Iterator[DoctorFinding]:
    """git opens the repository, and its history is whole."""
    if at.repository is None:
        yield fail("repository", at.problem, "there is nothing to work on", at.hint)
        return
    if at.repository.is_shallow:
        yield warn(
            "repository",
            "a shallow clone",
            "versions of Skills and merged work cannot be seen",
            "git fetch --unshallow",
        )
    else:
        yield ok("repository", str(at.repository.root))
    work = at.repository.operation_under_way()
    if work:
        yield warn("repository", f"a {work} is under way", "Skills and Traces on this branch wait", "finish it")


def check_base(at: Surroundings) -> Iterator[DoctorFinding]:
    """It is clear which branch is base, and whose policy counts."""
    if at.repository is None:
        return
    try:
        base = at.repository.base()
    except SkillcError as error:
        yield fail("base", error.message, "nothing can be admitted", error.hint)
        return
    if base.commit is None:
        yield warn("base", f"{base.branch} has no commit yet", "policy on base counts, and there is none", "commit")
    else:
        remote = "with a remote" if base.has_remote else "without a remote"
        yield ok("base", f"{base.branch} at {base.commit[:12]}, {remote}")
    if at.repository.head_branch() is None:
        yield warn("head", "HEAD is detached", "commits of a session here are on no branch", "git switch BRANCH")


def check_policy(at: Surroundings) -> Iterator[DoctorFinding]:
    """skillc.yaml is on base and can be read."""
    if at.repository is None:
        return
    if at.context is None:
        yield fail("skillc.yaml", at.problem, "there is no namespace to work in", at.hint)
    elif at.context.is_draft:
        yield warn(
            "skillc.yaml",
            f"is not on {at.context.base.branch} yet: draft",
            "nothing is admitted, and every verification is local",
            "git add skillc.yaml .gitattributes && git commit",
        )
    else:
        yield ok("skillc.yaml", f"namespace {at.context.policy.namespace}, on {at.context.base.branch}")


def check_work_tree_policy(at: Surroundings) -> Iterator[DoctorFinding]:
    """skillc.yaml of the work tree can be read too: it is what the next commit brings to base."""
    if at.context is None or at.context.is_draft or at.repository is None:
        return  # the file of the work tree is then the one that counts, and check_policy told of it
    try:
        data = read_small(at.repository.root / POLICY_FILE, limit=MAX_POLICY_BYTES)
        if data is not None:
            parse_policy(data)
    except PolicyError as error:
        yield fail(
            "skillc.yaml",
            f"of the work tree cannot be read: {error.message}",
            "once that is on base, every command stops",
            error.hint or f"mend it, or take it back: git checkout {at.context.base.branch} -- {POLICY_FILE}",
        )
    except SkillcError:
        return  # a link or a device: check_links tells of it


def check_writable(at: Surroundings) -> Iterator[DoctorFinding]:
    """The repository takes what skillc writes: objects, refs, and its own folder."""
    if at.repository is None:
        return
    top = at.repository.common_dir
    folders = (at.repository.git_dir, top, top / "objects", top / "refs", top / "refs" / "heads", at.repository.private)
    closed = [folder for folder in dict.fromkeys(folders) if folder.is_dir() and not os.access(folder, os.W_OK)]
    if closed:
        yield fail(
            "writing",
            f"{closed[0]} takes no files",
            "nothing can be captured, verified or compiled here",
            "make it writable for this account, or work in a clone of your own",
        )
    elif not os.access(at.repository.root, os.W_OK):
        yield warn("writing", f"{at.repository.root} takes no files", "a Skill that is merged cannot be checked out")
    else:
        yield ok("writing", "the repository takes files")


def check_attributes(at: Surroundings) -> Iterator[DoctorFinding]:
    """git leaves the bytes of Skills alone: their identity is a digest."""
    if at.context is None:
        return
    path = f"{at.context.policy.skills_dir}/x/SKILL.md"
    answer = at.context.repository.git.ask("check-attr", "-z", "text", "--", path)
    value = answer.stdout.split(b"\0")[2:3]
    if value == [b"unset"]:
        yield ok(".gitattributes", "Skills keep their bytes")
    else:
        yield warn(
            ".gitattributes",
            f"{at.context.policy.skills_dir} has no -text",
            "a checkout may change line ends, and a Skill is then not what its evidence supports",
            "skillc init, and commit .gitattributes",
        )


def check_ignored(at: Surroundings) -> Iterator[DoctorFinding]:
    """The folder of Skills is not ignored by git."""
    if at.context is None:
        return
    path = f"{at.context.policy.skills_dir}/x/SKILL.md"
    if at.context.repository.git.is_ignored(path):
        yield warn(
            "skills folder",
            f"{at.context.policy.skills_dir} is ignored by git",
            "edits there are not seen by git, and a merge cannot show them",
            f"git check-ignore -v --no-index {path}, and take the line out",
        )
    else:
        yield ok("skills folder", at.context.policy.skills_dir)


def check_file_system(at: Surroundings) -> Iterator[DoctorFinding]:
    """Two names that differ in case are two files."""
    if at.repository is None:
        return
    if os.path.lexists(at.repository.root / ".GIT"):
        yield warn("file system", "does not tell a from A", "two Skills whose names differ in case are one folder here")
    else:
        yield ok("file system", "tells a from A")


def check_people(at: Surroundings) -> Iterator[DoctorFinding]:
    """The keys of people and verifiers are public keys, and one person's key is nobody else's."""
    if at.context is None:
        return
    policy = at.context.policy
    entries = [(p.id, p.key) for p in policy.people] + [(v.id, v.key) for v in policy.verifiers]
    bad = [name for name, key in entries if key is not None and not is_public_key(key)]
    for name in bad:
        yield fail(
            "keys",
            f"the key of {name} is no OpenSSH public key",
            "nothing that it signs counts",
            "mend it in skillc.yaml and merge that",
        )
    for person in policy.people:
        if person.key is None and person.roles:
            yield warn("keys", f"{person.id} has no key", "this person cannot verify or approve", "add `key:`")
        if person.key is not None and person.key_class is KeyClass.LOCAL:
            yield warn("keys", f"the key of {person.id} is `local`", "a verdict of a person needs a key that needs one")
    if not bad:
        yield ok("keys", f"{sum(key is not None for _, key in entries)} registered keys can be read")


def is_public_key(text: str) -> bool:
    """Says whether a text is one line of an OpenSSH public key: its body repeats its type."""
    words = text.split()
    if len(words) < 2 or "\n" in text.strip() or len(text) > _MAX_KEY_BYTES:
        return False
    try:
        body = base64.b64decode(words[1], validate=True)
    except (binascii.Error, ValueError):
        return False
    fields = []
    while body:
        size = int.from_bytes(body[:4], "big")
        if len(body) < 4 + size:
            return False
        fields.append(body[4 : 4 + size])
        body = body[4 + size :]
    return len(fields) > 1 and fields[0] == words[0].encode("utf-8", "replace")


def check_trust(at: Surroundings) -> Iterator[DoctorFinding]:
    """Every registered check may run on this machine, as it is now."""
    if at.context is None:
        return
    checks = [v for v in at.context.policy.verifiers if v.run]
    for check in checks:
        state = trust_state(at.context, check)
        if state == "trusted":
            yield ok("trust", f"{check.id} may run here")
        else:
            what = "changed since it was trusted" if state == "changed" else "was never trusted on this machine"
            yield warn("trust", f"{check.id} {what}", "it does not run here", f"read it; then: skillc trust {check.id}")
    if not checks:
        yield warn(
            "trust",
            "no check is registered",
            "no outcome can be verified by a run",
            "skillc verifier add NAME --run 'COMMAND'",
        )


def check_locks(at: Surroundings) -> Iterator[DoctorFinding]:
    """No lock of a git that died is in the way."""
    if at.repository is None:
        return
    locks = stale_locks(at.repository)
    for path, age in locks[:_MAX_LOCKS]:
        yield warn(
            "locks",
            f"{path}, {age} s old",
            "a git that ended badly left it; git and skillc wait for it",
            "if no other git is running, delete that file",
        )
    if not locks:
        yield ok("locks", "none is left over")
    journal = at.repository.private / layout.JOURNAL_FILE
    if os.path.lexists(journal):
        yield warn("locks", f"{journal} is there", "a command was killed", "run any skillc command: it finishes that")


def stale_locks(repository: Repository) -> list[tuple[Path, int]]:
    """Returns (lock file, age in seconds) of every lock of git that is older than a minute, oldest first."""
    found = []
    for top in {repository.common_dir, repository.git_dir}:
        for parent, folders, files in os.walk(top, followlinks=False):
            here = Path(parent)
            if here.name == "objects":
                folders[:] = [name for name in folders if name == "info"]
            folders[:] = [name for name in folders if here / name != repository.private]
            for name in files:
                if name.endswith(".lock"):
                    age = _age(here / name)
                    if age > _STALE_S:
                        found.append((here / name, age))
    return sorted(dict.fromkeys(found), key=lambda item: (-item[1], str(item[0])))


def _age(path: Path) -> int:
    try:
        return int(time.time() - os.lstat(path).st_mtime)
    except OSError:
        return 0


def check_secrets(at: Surroundings) -> Iterator[DoctorFinding]:
    """No stored Trace holds a credential."""
    if at.context is None:
        return
    try:
        found = stored_secrets(at.context, _MAX_SECRETS)
    except SkillcError as error:
        yield fail("stored Traces", error.message, "they cannot be read", error.hint or "skillc check")
        return
    if found:
        traces = sorted({secret.trace_id for secret in found})
        yield fail(
            "stored Traces",
            f"{_counted(found)} in {len(traces)} Traces, first {traces[0]}",
            "a credential was stored before its format was known",
            "change the credential first; whoever has a clone has it",
        )
    else:
        yield ok("stored Traces", "no credential in a known format")


def _counted(found: list[StoredSecret]) -> str:
    kinds: dict[str, int] = {}
    for secret in found:
        kinds[secret.kind] = kinds.get(secret.kind, 0) + secret.count
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))


def check_links(at: Surroundings) -> Iterator[DoctorFinding]:
    """skillc.yaml of the work tree is a plain file: a link is not followed."""
    if at.repository is None:
        return
    try:
        read_small(at.repository.root / "skillc.yaml", limit=1 << 20)
    except SkillcError as error:
        yield fail("skillc.yaml", error.message, "it is not read", "make it a plain file")
