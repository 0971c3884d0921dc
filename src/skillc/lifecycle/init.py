"""Setting up a namespace: skillc.yaml, .gitattributes, a tool key; nothing is committed.

Idempotent, and never overwrites a file that a person changed. Not here: hooks of a host, workflows of a forge.
"""

import re
from pathlib import Path
from typing import Literal

from skillc.core.policy import POLICY_FILE, TracesLocation, parse_policy
from skillc.core.record import Record
from skillc.core.yaml_text import MAX_POLICY_BYTES
from skillc.errors import SkillcError, UsageError
from skillc.importers.base import ImportContext, ImportReport
from skillc.importers.table import detect
from skillc.lifecycle.folder_sessions import HEAD_BYTES
from skillc.lifecycle.registry import verifier_line
from skillc.lifecycle.resources import template
from skillc.lifecycle.signers import is_registered
from skillc.lifecycle.sources import host_sessions
from skillc.repo.files import read_small, write_whole
from skillc.repo.home import capture_secret
from skillc.repo.keys import make_tool_key, tool_key
from skillc.repo.objects import list_tree
from skillc.repo.repository import Repository

ATTRIBUTES_FILE = ".gitattributes"
_MAX_LOOKED_AT = 200

# How a project's tests run, by a file that tells: the first that exists wins.
_CHECKS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("pytest.ini", ("python3", "-m", "pytest", "-q"), ("tests/**", "pytest.ini")),
    ("Cargo.toml", ("cargo", "test", "--quiet"), ("tests/**", "Cargo.toml")),
    ("go.mod", ("go", "test", "./..."), ("**/*_test.go", "go.mod")),
    ("package.json", ("npm", "test", "--silent"), ("test/**", "tests/**", "package.json")),
    ("pom.xml", ("mvn", "-q", "test"), ("src/test/**", "pom.xml")),
)


class InitReport(Record):
    """What `skillc init` did and found. `is_key_registered`: what this machine verifies and compiles counts."""

    format: Literal["skillc.init/1"] = "skillc.init/1"
    namespace: str
    written: tuple[str, ...]
    kept: tuple[str, ...]
    traces: str
    check: tuple[str, ...]
    past_sessions: int
    verifiable: int
    is_key_registered: bool
    commands: tuple[str, ...]


def init(folder: Path, *, namespace: str | None = None, dry_run: bool = False) -> InitReport:
    """Makes the namespace in the repository around a folder."""
    repository = Repository.open(folder).dry() if dry_run else Repository.open(folder)
    root = repository.root
    written: list[str] = []
    kept: list[str] = []
    existing = read_small(root / POLICY_FILE, limit=MAX_POLICY_BYTES)
    check = _detect_check(root)
    if existing is not None:
        policy = parse_policy(existing)
        _require_same(policy.namespace, namespace)
        kept.append(POLICY_FILE)
    else:
        key = make_tool_key() if not dry_run else "ssh-ed25519 AAAA"
        text = _policy_text(repository, namespace, check, key)
        policy = parse_policy(text)
        if not dry_run:
            write_whole(root / POLICY_FILE, text)
        written.append(POLICY_FILE)
    (written if _write_attributes(root, policy.skills_dir, policy.traces.location, dry_run) else kept).append(
        ATTRIBUTES_FILE
    )
    own = tool_key() if dry_run else make_tool_key()
    is_registered_here = POLICY_FILE in written or (own is not None and is_registered(policy, own))
    sessions = [session.path for session in host_sessions(root)]
    verifiable = sum(1 for s in sessions[:_MAX_LOOKED_AT] if _ends_with_commit(repository, policy.namespace, s))
    run = next((v.run for v in policy.verifiers if v.run), ())
    return InitReport(
        namespace=policy.namespace,
        written=tuple(written),
        kept=tuple(kept),
        traces=policy.traces.location.value,
        check=run,
        past_sessions=len(sessions),
        verifiable=verifiable,
        is_key_registered=is_registered_here,
        commands=_commands(repository, len(sessions), next((v.id for v in policy.verifiers if v.run), None)),
    )


def _require_same(named: str, wanted: str | None) -> None:
    if wanted not in (None, named):
        raise UsageError(
            f"this namespace is called {named!r} already, and its records name it", hint="leave --namespace away"
        )


def init_if_new(folder: Path, *, namespace: str | None = None, dry_run: bool = False) -> tuple[str, ...]:
    """Makes the namespace where there is none yet; returns the files that it wrote."""
    repository = Repository.open(folder)
    existing = read_small(repository.root / POLICY_FILE, limit=MAX_POLICY_BYTES)
    if existing is not None:
        if namespace is not None:
            _require_same(parse_policy(existing).namespace, namespace)
        return ()
    return init(folder, namespace=namespace, dry_run=dry_run).written


def open_repository(folder: Path) -> Repository:
    """Returns the repository around a folder, for commands that need no namespace."""
    return Repository.open(folder)


def _commands(repository: Repository, sessions: int, check: str | None) -> tuple[str, ...]:
    on_base = repository.base().commit
    is_committed = on_base is not None and any(
        e.path == POLICY_FILE for e in list_tree(repository, on_base, recursive=False)
    )
    commit = () if is_committed else (f"git add {POLICY_FILE} {ATTRIBUTES_FILE} && git commit -m 'skillc: namespace'",)
    capture = "skillc capture --all" if sessions else "skillc capture PATH"
    verify = (f"skillc trust {check}", f"skillc verify --run {check}") if check else ()
    return (*commit, capture, *verify, "skillc compile")


def _policy_text(
    repository: Repository,
    namespace: str | None,
    check: tuple[tuple[str, ...], tuple[str, ...]] | None,
    key: str,
) -> bytes:
    name = namespace or _namespace_of(repository.root.name)
    location = TracesLocation.BRANCH if _has_other_content(repository) else TracesLocation.TREE
    if check is not None:
        line = verifier_line(
            {
                "id": "unit-tests",
                "kind": "tool",
                "run": list(check[0]),
                "protects": list(check[1]),
                "key": key,
            }
        )
        verifiers = f"\n  - {line}"
    else:
        line = verifier_line({"id": "local", "kind": "tool", "key": key})
        verifiers = f"\n  - {line}"
    text = template("skillc.yaml").read_text("utf-8")
    for mark, value in (("@NAMESPACE@", name), ("@LOCATION@", location.value), (" @VERIFIERS@", verifiers)):
        text = text.replace(mark, value)
    return text.encode("utf-8")


def _namespace_of(folder_name: str) -> str:
    slug = re.sub(r"[^a-z0-9._-]+", "-", folder_name.lower()).strip("-._")
    return slug[:64] or "skills"


def _has_other_content(repository: Repository) -> bool:
    """Says whether the repository is about something else than Traces and Skills."""
    commit = repository.base().commit
    if commit is None:
        return any(p.name not in (".git", POLICY_FILE, ATTRIBUTES_FILE) for p in repository.root.iterdir())
    own = {POLICY_FILE, ATTRIBUTES_FILE, "README.md", "LICENSE", ".gitignore", "traces", ".skillc", ".claude"}
    return any(entry.path not in own for entry in list_tree(repository, commit, recursive=False))


def _detect_check(root: Path) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Returns the command that runs the project's tests and the files that define them, as far as files tell."""
    for name, run, protects in _CHECKS:
        if (root / name).is_file():
            return run, protects
    project = read_small(root / "pyproject.toml", limit=1 << 20) or b""
    setup = read_small(root / "setup.cfg", limit=1 << 20) or b""
    if b"pytest" in project or b"[tool:pytest]" in setup:
        return ("python3", "-m", "pytest", "-q"), ("tests/**", "pyproject.toml", "setup.cfg", "conftest.py")
    files = [p for p in sorted((root / "tests").glob("test_*.py"))[:50] if p.is_file() and not p.is_symlink()]
    tests = [read_small(p, limit=1 << 24) or b"" for p in files]
    if any(b"TestCase" in text for text in tests):
        return ("python3", "-m", "unittest", "-q"), ("tests/**",)
    if any(re.search(rb"^(?:async )?def test_", text, re.MULTILINE) for text in tests):
        return ("python3", "-m", "pytest", "-q"), ("tests/**", "conftest.py")
    return None


def _write_attributes(root: Path, skills_dir: str, location: TracesLocation, dry_run: bool) -> bool:
    """Adds the lines that keep git from changing bytes that we hash; says whether any was missing."""
    wanted = [f"{skills_dir}/** -text", "skillc.yaml text eol=lf", ".skillc/** -text"]
    if location is TracesLocation.TREE:
        wanted.append("traces/** -text")
    path = root / ATTRIBUTES_FILE
    found = read_small(path, limit=1 << 20) or b""
    lines = found.decode("utf-8", "surrogateescape").splitlines()
    missing = [line for line in wanted if line not in lines]
    if missing and not dry_run:
        head = found if not found or found.endswith(b"\n") else found + b"\n"
        write_whole(path, head + "".join(f"{line}\n" for line in missing).encode())
    return bool(missing)


def _ends_with_commit(repository: Repository, namespace: str, session: str) -> bool:
    """Says whether a past session shows a commit that is in this clone, so that a check can verify it."""
    context = ImportContext(namespace=namespace, secret=capture_secret(is_dry=repository.is_dry))
    try:
        with Path(session).open("rb") as stream:
            importer = detect(stream.read(HEAD_BYTES), Path(session).name)
            stream.seek(0)
            if importer is None:
                return False
            for imported in importer.read(stream, context, ImportReport(path=session, kind=importer.kind)):
                imported.body.close()
                git = imported.header.environment.git
                if git is not None and git.head_end and repository.resolve(git.head_end):
                    return True
    except (SkillcError, OSError):
        return False  # counted as not verifiable; capture says what is wrong with it
    return False
