"""Pins: refs that keep the commits alive with which sessions ended, one a Trace.

A commit that somebody amended or rebased away would else be collected before a merge can vouch for it.
Not here: what a pin proves (lifecycle.verify).
"""

from collections.abc import Mapping

from skillc.repo import layout
from skillc.repo.commits import RefUpdate
from skillc.repo.repository import Repository


def pins_for(repository: Repository, commits: Mapping[str, str]) -> list[RefUpdate]:
    """Returns the updates that pin trace_id -> commit, which may be abbreviated. A pin never moves.

    A commit that is not in this clone, or whose short id is not clear, is left out.
    """
    known = pinned(repository) if commits else {}
    wanted = {trace_id: commit for trace_id, commit in commits.items() if trace_id not in known}
    found = _resolved(repository, wanted)
    return [RefUpdate(layout.session_ref(t), None, full) for t, full in sorted(found.items()) if full]


def pinned(repository: Repository) -> dict[str, str]:
    """Returns trace_id -> the pinned commit."""
    prefix = layout.SESSION_REFS
    return {ref.removeprefix(prefix): commit for ref, commit in repository.refs(prefix.rstrip("/")).items()}


def _resolved(repository: Repository, commits: Mapping[str, str]) -> dict[str, str | None]:
    """Returns trace_id -> the whole id, None where git knows no such commit."""
    asked = [(t, c) for t, c in sorted(commits.items()) if c and not c.strip("0123456789abcdef")]
    if not asked:
        return {}
    stdin = "".join(f"{commit}^{{commit}}\n" for _, commit in asked).encode()
    out = repository.git.run("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=stdin).decode()
    answers = [line.split(" ") for line in out.splitlines()]
    return {
        trace_id: words[0] if len(words) == 2 and words[1] == "commit" else None
        for (trace_id, _), words in zip(asked, answers, strict=True)
    }
