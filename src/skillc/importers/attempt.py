"""One attempt on its way to a Trace, for formats whose steps are calls, results and texts.

Keeps what every such format needs in one place: call ids that are unique in the Trace, the
commits that shell output shows, the first and last time. Paper: 5.1.
Not here: redaction and sealing (importers.writer), what a foreign record means (each importer).
"""

from typing import Any, NamedTuple

from skillc.core.trace.operation import command_line, is_shell
from skillc.core.trace.records import Agent, GitContext, Outcome
from skillc.importers.base import (
    ACTOR_AGENT,
    ACTOR_SYSTEM,
    ACTOR_TOOL,
    ACTOR_USER,
    ImportContext,
    ImportedTrace,
    ImportReport,
    MappedVerdict,
)
from skillc.importers.git_shown import ShownCommits, with_facts
from skillc.importers.lines import parse_json
from skillc.importers.objective import ObjectiveWatch
from skillc.importers.writer import TraceWriter


class Call(NamedTuple):
    """A call that was written: its tool, its id in the Trace, its git command."""

    tool: str
    id: str | None
    git_command: str


class Part(NamedTuple):
    """A task of a session that is done: its writer, what its shell output showed, its first and last time."""

    writer: TraceWriter
    commits: ShownCommits
    started_at: str | None
    ended_at: str | None


class Attempt:
    """Writes the events of one attempt, in order; then `finish` once, or `discard`.

    With `splits` it is a session of a person, who may begin another task in it: `finish_parts` gives one Trace a task.
    """

    def __init__(
        self,
        context: ImportContext,
        report: ImportReport,
        *,
        ref: str,
        session: str,
        attempt: str = "",
        splits: bool = False,
    ):
        self.context = context
        self.report = report
        self.ref = ref
        self.session = session
        self.parts: list[Part] = []
        self._objectives = ObjectiveWatch() if splits and context.splits_objectives else None
        self.writer = TraceWriter(context, report, session=session, attempt=attempt, place=ref)
        self.commits = ShownCommits()
        self.started_at: str | None = None
        self.ended_at: str | None = None
        self._ids: set[str] = set()

    def saw(self, at: str | None) -> None:
        """Takes a time as the attempt's last, and as its first when there was none."""
        if at is not None:
            self.started_at = self.started_at or at
            self.ended_at = at

    def asks(self, text: str, at: str | None = None) -> None:
        """Adds a person's words; the first are the objective."""
        if self._objectives is not None and self._objectives.starts_new(text):
            self._begin_part()
        self.saw(at)
        if self.writer.add("user_message", ACTOR_USER, at=at, text=text):
            self.writer.set_objective(text)

    def says(self, text: str, at: str | None = None, actor: str | None = None) -> None:
        """Adds what the model said."""
        if self._objectives is not None and actor is None:
            self._objectives.said()
        self.saw(at)
        self.writer.add("model_message", actor or ACTOR_AGENT, at=at, text=text)

    def notes(self, text: str, at: str | None = None, actor: str = ACTOR_SYSTEM) -> None:
        """Adds a text that is neither a person's turn nor the model's."""
        self.saw(at)
        self.writer.add("note", actor, at=at, text=text)

    def interrupted(self) -> None:
        """The person stopped the agent: what comes next is the same task."""
        if self._objectives is not None:
            self._objectives.interrupted()

    def fails(self, text: str, at: str | None = None) -> None:
        """Adds an error of the harness itself."""
        self.saw(at)
        self.writer.add("error", ACTOR_SYSTEM, at=at, text=text)

    def calls(
        self,
        tool: Any,
        arguments: dict[str, Any],
        call_id: Any = None,
        at: str | None = None,
        actor: str | None = None,
    ) -> Call:
        """Adds a call. An id that the Trace has already gets a number, so that no result joins another call."""
        self.saw(at)
        name = tool if isinstance(tool, str) and tool else "unknown"
        call = self._unique(call_id if isinstance(call_id, str) and call_id else None)
        if self._objectives is not None:
            self._objectives.call(call)
        line = (command_line(arguments) or "") if is_shell(name) else ""
        self.writer.add("tool_call", actor or ACTOR_AGENT, at=at, tool=name, call_id=call, arguments=arguments)
        return Call(name, call, line if "git " in line else "")

    def gets(
        self,
        call: Call | None,
        text: str,
        *,
        is_error: bool | None = None,
        shown: str | None = None,
        at: str | None = None,
        actor: str | None = None,
    ) -> None:
        """Adds the result of a call; without its call it is kept, and counted.

        `shown` is what the program printed, where the text holds more.
        """
        self.saw(at)
        if self._objectives is not None:
            self._objectives.result(call.id if call else None)
        if call is None:
            self.report.skipped["result without its call (kept)"] += 1
        is_stored = self.writer.add(
            "tool_result",
            actor or ACTOR_TOOL,
            at=at,
            tool=call.tool if call else None,
            call_id=call.id if call else None,
            text=text,
            is_error=is_error,
            untrusted=True,
        )
        if call is not None and call.git_command and is_stored:
            self.commits.observe(call.git_command, text if shown is None else shown)

    def finish(
        self,
        *,
        agent: str,
        model: Any = None,
        outcome: Outcome = Outcome.UNKNOWN,
        verdict: MappedVerdict | None = None,
        parent_trace_id: str | None = None,
        attempt_key: str | None = None,
        git: GitContext | None = None,
        ref: str | None = None,
    ) -> ImportedTrace | None:
        """Returns the sealed Trace, or None when nothing was an event."""
        writer = self.writer
        if not writer.events:
            writer.discard()
            return None
        return writer.finish(
            source_ref=writer.clean(ref or self.ref),
            agent=Agent(name=writer.clean(agent), model=writer.clean(model) if _is_text(model) else None),
            outcome=verdict.outcome if verdict else outcome,
            reported_by="mapping" if verdict else self.report.kind,
            started_at=self.started_at,
            ended_at=self.ended_at,
            parent_trace_id=parent_trace_id,
            attempt_key=writer.clean(attempt_key) if attempt_key else None,
            git=with_facts(git, writer.git_facts, has_unseen=self.commits.has_unseen),
            cwd_label=writer.clean(writer.paths.label) if writer.paths.label else None,
            verdict=verdict,
        )

    def finish_parts(
        self,
        *,
        agent: str,
        model: Any = None,
        outcome: Outcome = Outcome.UNKNOWN,
        parent_trace_id: str | None = None,
        branch: str | None = None,
        git: GitContext | None = None,
    ) -> list[ImportedTrace]:
        """Returns one sealed Trace a task, in order. `outcome` and `git` are the last one's, the parent the first's.

        What the hook saw of git belongs to the first task's begin and the last one's end.
        """
        facts = self.context.git_facts
        last = Part(self.writer, self.commits, self.started_at, self.ended_at)
        found = []
        for number, part in enumerate([*self.parts, last], 1):
            is_first, is_last = number == 1, part is last
            self.writer, self.commits, self.started_at, self.ended_at = part
            self.writer.git_facts = facts.part(is_first=is_first, is_last=is_last)
            trace = self.finish(
                agent=agent,
                model=model,
                outcome=outcome if is_last else Outcome.UNKNOWN,
                parent_trace_id=parent_trace_id if is_first else None,
                git=git if is_last else self.commits.context(branch),
                ref=self.ref if is_first else f"{self.ref}/{number}",
            )
            found += [trace] if trace is not None else []
        return found

    def _begin_part(self) -> None:
        """Puts the task so far aside and begins the next one of the same session."""
        self.parts.append(Part(self.writer, self.commits, self.started_at, self.ended_at))
        shown = self.commits.context(None)
        paths = self.writer.paths
        number = str(len(self.parts) + 1)
        self.writer = TraceWriter(self.context, self.report, session=self.session, attempt=number, place=self.ref)
        self.writer.paths = paths
        self.commits = ShownCommits(shown.head_end if shown is not None else None)
        self.started_at = self.ended_at = None

    def discard(self) -> None:
        """Forgets what was written."""
        for part in self.parts:
            part.writer.discard()
        self.writer.discard()

    def _unique(self, call_id: str | None) -> str | None:
        if call_id is None:
            return None
        found, nth = call_id, 1
        while found in self._ids:
            nth += 1
            found = f"{call_id}#{nth}"
        self._ids.add(found)
        return found


def arguments_of(value: Any) -> dict[str, Any]:
    """Returns the arguments of a call as an object: parsed when they are a JSON text, else kept under `_raw`."""
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        try:
            parsed = parse_json(value.encode("utf-8", "replace"))
        except ValueError:
            parsed = None
        return parsed if isinstance(parsed, dict) else {"_raw": value}
    return {} if value is None else {"_raw": value}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)
