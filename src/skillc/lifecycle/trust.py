"""Trust: which registered checks this person lets run on this machine.

A check comes from a repository that may be hostile, so it runs only after `skillc trust`, bound to its argv,
its set-up and the content of every repository file that they name. Paper: none; docs/THREATS.md.
"""

from typing import Literal

from skillc.core.policy import Verifier
from skillc.core.record import digest_of
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.context import Context
from skillc.repo.home import read_state, write_state
from skillc.repo.objects import list_tree

_STATE = "trusted-checks.json"


def registered_check(context: Context, check_id: str) -> Verifier:
    """Returns a registered check that can run. Raises UsageError for anything else."""
    verifier = context.policy.verifier(check_id)
    if verifier is None or not verifier.run:
        known = [v.id for v in context.policy.verifiers if v.run]
        raise UsageError(
            f"{check_id!r} is no registered check",
            hint=f"registered checks: {', '.join(known)}" if known else "run: skillc verifier add NAME --run 'COMMAND'",
        )
    return verifier


def trust_check(context: Context, check_id: str, *, commit: str | None = None) -> str:
    """Remembers that this check may run here; returns the digest that was trusted."""
    verifier = registered_check(context, check_id)
    digest = binding(context, verifier, commit or _head(context))
    state = read_state(_STATE)
    state[_place(context, verifier)] = sorted({*state.get(_place(context, verifier), []), digest})
    write_state(_STATE, state)
    return digest


def require_trusted(context: Context, verifier: Verifier, *, commit: str) -> None:
    """Raises PolicyError unless exactly this check was trusted for this repository."""
    trusted = read_state(_STATE).get(_place(context, verifier), [])
    if binding(context, verifier, commit) not in trusted:
        why = "changed since it was trusted" if trusted else "was never trusted on this machine"
        raise PolicyError(
            f"the check {verifier.id!r} {why}: {' '.join(verifier.run)}",
            hint=f"read what it runs, then run: skillc trust {verifier.id}",
        )


def is_trusted(context: Context, verifier: Verifier) -> bool:
    """Says whether the check may run at the current commit."""
    commit = context.repository.resolve("HEAD")
    state = read_state(_STATE).get(_place(context, verifier), [])
    return commit is not None and binding(context, verifier, commit) in state


def trust_state(context: Context, verifier: Verifier) -> Literal["trusted", "changed", "never"]:
    """Says whether the check may run at the current commit, changed since it was trusted, or was never trusted."""
    if is_trusted(context, verifier):
        return "trusted"
    return "changed" if read_state(_STATE).get(_place(context, verifier)) else "never"


def binding(context: Context, verifier: Verifier, commit: str) -> str:
    """Returns the digest over argv, set-up and the files of the commit that they name."""
    words = {word for word in (*verifier.run, *verifier.setup) if not word.startswith("-")}
    named = {w.removeprefix("./") for w in words}
    files = sorted(
        (entry.path, entry.object_id)
        for entry in list_tree(context.repository, commit)
        if entry.path in named and entry.kind == "blob"
    )
    return digest_of([verifier.id, list(verifier.run), list(verifier.setup), files])


def _place(context: Context, verifier: Verifier) -> str:
    return f"{context.repository.common_dir}#{verifier.id}"


def _head(context: Context) -> str:
    commit = context.repository.resolve("HEAD")
    if commit is None:
        raise UsageError("there is no commit yet", hint="commit something first")
    return commit
