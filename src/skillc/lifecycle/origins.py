"""What base knows: the names in the project's own files, and the strings that its checks wait for.

Read from base and never from the work tree, so that what an attempt wrote counts for nothing.
Paper: 5.3, Scanners. Not here: what is done with it (core.scan.tainted_origin, core.scan.verifier_text).
"""

import re
from collections.abc import Iterable, Iterator

from skillc.core.compile.select import Attempt
from skillc.core.policy import POLICY_FILE
from skillc.core.scan.tainted_origin import mention_of
from skillc.core.scan.verifier_text import check_strings, expected_strings, rubric_strings
from skillc.core.trace.edits import matches_glob
from skillc.lifecycle.context import Context
from skillc.repo import layout
from skillc.repo.objects import list_tree, open_reader

MAX_FILES = 400
MAX_FILE_BYTES = 512 * 1024
_TASK_FILE = re.compile(r"(?:^|/)(?:GNUmakefile|[Mm]akefile|[Jj]ustfile|Taskfile\.ya?ml|package\.json|[^/]+\.mk)$")
_TASK_RUNNERS = ("make ", "just ", "task ", "npm run ", "yarn run ", "yarn ", "pnpm run ", "pnpm ")


def is_named_by_base(context: Context, origin: str) -> bool:
    """Says whether a file of base, Traces and compiled Skills aside, names a host, a package or a command.

    A task of a runner counts when its own name stands in a file that can define it.
    """
    commit = context.base.commit
    if commit is None:
        return False
    wanted = next((origin.removeprefix(r) for r in _TASK_RUNNERS if origin.startswith(r)), origin)
    answer = context.repository.git.ask("grep", "-zIFi", "-e", wanted, commit)
    mention = mention_of(wanted)
    ours = (context.policy.skills_dir + "/", layout.TRACES_DIR + "/", POLICY_FILE)
    for line in answer.stdout.split(b"\n"):  # <commit>:<path>NUL<line>
        place, _, text = line.decode("utf-8", "replace").partition("\0")
        name = place.partition(":")[2]
        can_define = wanted == origin or _TASK_FILE.search(name)
        if can_define and not name.startswith(ours) and mention.search(text):
            return True
    return False


def verifier_strings(context: Context, attempts: Iterable[Attempt]) -> tuple[str, ...]:
    """Returns what only verifiers know: strings of checks, of the files that they protect, and of verdicts."""
    found: dict[str, None] = {}
    for verifier in context.policy.verifiers:
        found.update(dict.fromkeys(check_strings(verifier.run)))
    for text in _protected_files(context):
        found.update(dict.fromkeys(expected_strings(text)))
    details = [a.standing.basis.detail for a in attempts if a.standing.basis is not None]
    found.update(dict.fromkeys(rubric_strings(details)))
    return tuple(found)


def _protected_files(context: Context) -> Iterator[str]:
    globs = [glob for v in context.policy.verifiers for glob in v.protects]
    if not globs or context.base.commit is None:
        return
    entries = [e for e in list_tree(context.repository, context.base.commit) if e.kind == "blob"]
    chosen = [e for e in entries if matches_glob(e.path, globs)][:MAX_FILES]
    with open_reader(context.repository) as reader:
        for entry in chosen:
            data = reader.read(entry.object_id)
            if data is not None and len(data) <= MAX_FILE_BYTES:
                yield data.decode("utf-8", "replace")
