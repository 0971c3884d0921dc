"""Which Traces may be successes that nobody verified, and the command that would verify each.

Says what can be done, and does nothing. Paper: 5.1. Not here: verifying (lifecycle.verify).
"""

import re
import shlex
from collections.abc import Sequence

from skillc.core.compile.select import Attempt
from skillc.core.policy import Policy, Verifier
from skillc.core.record import Moment, Record
from skillc.core.trace.codec import Trace
from skillc.core.trace.operation import command_line, is_shell
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import same_key
from skillc.lifecycle.context import Context
from skillc.lifecycle.trust import trust_state
from skillc.repo.keys import tool_key

MAX_LISTED = 50
_SHORT_ID_CHARS = 14


class UnverifiedTrace(Record):
    """One Trace that waits for a verdict; `commands` verify it, the surest first."""

    trace_id: str
    objective: str
    outcome: str
    ended_at: Moment | None
    ways: tuple[str, ...]
    commands: tuple[str, ...]


def waits(attempt: Attempt) -> bool:
    """Says whether an attempt may be a success that nobody verified."""
    standing = attempt.standing
    return not standing.strength.is_strong and standing.outcome in (Outcome.SUCCESS, Outcome.UNKNOWN)


def unverified_traces(context: Context, attempts: Sequence[Attempt]) -> tuple[UnverifiedTrace, ...]:
    """Returns the newest attempts that wait, at most `MAX_LISTED`, each with its commands."""
    waiting = [a.trace for a in attempts if waits(a)]
    waiting.sort(key=lambda t: (str(t.close.at or t.header.started_at or ""), t.trace_id), reverse=True)
    ways = _Ways(context)
    return tuple(_line(trace, ways) for trace in waiting[:MAX_LISTED])


def _line(trace: Trace, ways: "_Ways") -> UnverifiedTrace:
    found = ways.of(trace)
    return UnverifiedTrace(
        trace_id=trace.trace_id,
        objective=trace.header.objective,
        outcome=trace.close.outcome.value,
        ended_at=trace.close.at or trace.header.started_at,
        ways=tuple(name for name, _ in found),
        commands=tuple(command for _, command in found),
    )


class _Ways:
    """The ways that are open here; what git says about a commit is asked once."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.checks = own_checks(context.policy)
        self.judges = [p.id for p in context.policy.people if "verifier" in p.roles and p.key]
        self._resolved: dict[str, str | None] = {}
        self._landed: dict[str, bool] = {}
        self._trust: dict[str, bool] = {}

    def of(self, trace: Trace) -> list[tuple[str, str]]:
        """Returns (way, command): a run, which always gives a verdict, before what reads git or the events."""
        short = trace.trace_id[:_SHORT_ID_CHARS]
        git = trace.header.environment.git
        commit = self._commit(git.head_end) if git is not None and git.head_end else None
        found = []
        if commit is not None:
            found += [(f"run {c.id}", self._run(c, short)) for c in self.checks]
        if any(ran_in(trace, check.run) for check in self.checks):
            found.append(("from-events", f"skillc verify --from-events {short}"))
        if commit is not None and self._is_on_base(commit):
            found.append(("from-git", f"skillc verify --from-git {short}"))
        if not found:
            found += [(f"run {c.id}", self._run(c, f"{short} --at COMMIT")) for c in self.checks]
        found += [("as " + who, f"skillc verify --as {who} --outcome success {short}") for who in self.judges]
        if not found:
            found.append(("none yet", "skillc verifier add unit-tests --run 'COMMAND'"))
        return found

    def _run(self, check: Verifier, trace: str) -> str:
        """Returns the command that runs a check, after the one that trusts it where that is needed."""
        words = f"verify --run {check.id} {trace}"
        if check.id not in self._trust:
            self._trust[check.id] = trust_state(self.context, check) == "trusted"
        return f"skillc {words}" if self._trust[check.id] else f"skillc trust {check.id} && skillc {words}"

    def _commit(self, name: str) -> str | None:
        if name not in self._resolved:
            self._resolved[name] = self.context.repository.resolve(name)
        return self._resolved[name]

    def _is_on_base(self, commit: str) -> bool:
        base = self.context.base.commit
        if base is None:
            return False
        if commit not in self._landed:
            self._landed[commit] = self.context.repository.is_ancestor(commit, base)
        return self._landed[commit]


def own_checks(policy: Policy) -> list[Verifier]:
    """Returns the registered checks that this machine may sign for."""
    own = tool_key()
    return [v for v in policy.verifiers if v.run and own is not None and same_key(v.key, own)]


def ran_in(trace: Trace, run: Sequence[str]) -> bool:
    """Says whether a session shows a call of a check's command. A hint only: the verdict looks closer."""
    wanted = _plain(shlex.join(run))
    return bool(wanted) and any(
        wanted in _plain(command_line(event.arguments) or "")
        for event in trace.events
        if event.tool is not None and is_shell(event.tool) and event.arguments is not None
    )


def _plain(line: str) -> str:
    """Returns a command line with one name for Python and single blanks."""
    return " ".join(re.sub(r"(?:\S*/)?python3?(?:\.[0-9]+)?(?=\s)", "python", line).split())
