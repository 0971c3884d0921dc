"""One Codex session on its way to a Trace: its items go by once, in file order.

Actions and messages come from `response_item`; `event_msg` repeats them for the screen and is read for what
only it says: exit codes, aborted turns, errors, and a person's words where no item has them. Hidden reasoning, texts
of the client, copies of another session's items and repository addresses are left out and counted.
Not here: what a text is (importers.codex_texts).
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, BinaryIO

from skillc.core.trace.codec import trace_id_of
from skillc.core.trace.records import GitContext, Outcome
from skillc.errors import NoEventsError
from skillc.importers import codex_texts as texts
from skillc.importers.attempt import Attempt, Call, arguments_of
from skillc.importers.base import ACTOR_SYSTEM, ACTOR_USER, Companion, ImportContext, ImportedTrace, ImportReport
from skillc.importers.claude_blocks import safe_word
from skillc.importers.claude_subagents import stem_of
from skillc.importers.codex_copies import Copies
from skillc.importers.codex_lines import Item, iter_items, session_id_of, source_of
from skillc.importers.times import normal_time

_FILE_ID = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$", re.IGNORECASE)
_COMMIT = re.compile(r"^[0-9a-f]{7,64}$")
_CALLS = frozenset(("function_call", "custom_tool_call", "local_shell_call", "web_search_call"))
_PATCH_TOOL = "apply_patch"
# Aborts that a person did not ask for.
_NOT_BY_PERSON = frozenset(("replaced", "budget_limited"))


class Session:
    """The state of one session while its items go by."""

    def __init__(self, context: ImportContext, report: ImportReport, companions: Sequence[Companion]) -> None:
        self.context = context
        self.report = report
        self.skipped = report.skipped
        self.companions = companions
        self.id = ""
        self.parent: str | None = None
        self.attempt: Attempt | None = None
        self.copies: Copies | None = None
        self.calls: dict[str, Call] = {}
        self.seen: set[str] = set()
        self.failed: dict[str, bool] = {}
        self.turn: dict[str, Counter[str]] = {"item": Counter(), "event": Counter()}
        self.branch: str | None = None
        self.head: str | None = None
        self.model: str | None = None
        self.folder: str | None = None
        self.ended_by_abort = False

    def read(self, stream: BinaryIO) -> None:
        """Takes all items of a file."""
        for item in iter_items(stream, self.report):
            self._feed(item)

    def finish(self) -> list[ImportedTrace]:
        """Returns the sealed Traces, one a task; none when all items were copies. Raises DataError without any item."""
        attempt = self.attempt
        finished: list[ImportedTrace] = []
        if attempt is not None:
            finished = attempt.finish_parts(
                agent="codex",
                model=self.model,
                outcome=Outcome.ABANDONED if self.ended_by_abort else Outcome.UNKNOWN,
                parent_trace_id=self._trace_id(self.parent) if self.parent else None,
                branch=attempt.writer.clean(self.branch) if self.branch else None,
                git=self._git(attempt),
            )
        if not finished and self.copies is not None and self.copies.dropped:
            self.report.notes.append("everything in it is a copy of another session's items")
        elif not finished:
            raise NoEventsError(
                f"{self.report.path}:1: holds no event of a Codex session",
                hint="a session is rollout-<time>-<id>.jsonl under ~/.codex/sessions",
            )
        elif self.parent and (self.copies is None or not self.copies.found):
            self.report.notes.append("the session that it goes on from is not beside it, so copied items were kept")
        return finished

    def _trace_id(self, session: str) -> str:
        return trace_id_of(self.context.namespace, self.report.kind, session, "")

    def _git(self, attempt: Attempt) -> GitContext | None:
        branch = attempt.writer.clean(self.branch) if self.branch else None
        shown = attempt.commits.context(branch)
        commits = shown.commits if shown else ()
        start = None if attempt.parts else self.head  # a later task began where the one before it ended
        start = start or (shown.head_start if shown else None)
        if not (branch or start or commits):
            return None
        # Without a commit of its own the work stands nowhere yet: the head that it began at is not its end.
        return GitContext(branch=branch, head_start=start, head_end=commits[-1] if commits else None, commits=commits)

    def _feed(self, item: Item) -> None:
        payload = item.payload
        if item.type == "session_meta":
            self._meta(payload)
        elif item.type == "turn_context":
            self._enter(payload.get("cwd"))
            if self.model is None and isinstance(payload.get("model"), str):
                self.model = payload["model"]
            self.skipped["turn context"] += 1
        elif item.type == "response_item":
            self._item(payload, normal_time(item.at))
        elif item.type == "event_msg":
            self._event(payload, normal_time(item.at))
        elif item.type == "compacted":
            self.skipped["compaction summary"] += 1
        else:
            self.skipped[f"record {safe_word(item.type)}"] += 1

    def _meta(self, payload: dict[str, Any]) -> None:
        self.skipped["session head"] += 1
        found = session_id_of(payload)
        if self.id:
            if found and found != self.id and self.parent is None:
                self.parent = found  # the head of a copied file stands before its lines
        else:
            self.id = found or self._id_of_file()
            self.parent = source_of(payload)
            git = payload.get("git")
            git = git if isinstance(git, dict) else {}  # its repository_url is private and is not read
            if isinstance(git.get("branch"), str) and git["branch"]:
                self.branch = git["branch"]
            if isinstance(git.get("commit_hash"), str) and _COMMIT.match(git["commit_hash"]):
                self.head = git["commit_hash"]
        if self.parent == self.id:
            self.parent = None
        if self.parent and self.companions and self.copies is None:
            self.copies = Copies(self.companions)
        self._enter(payload.get("cwd"))

    def _enter(self, folder: Any) -> None:
        found = texts.local_folder(folder)
        if found is not None and found != self.folder:
            self.folder = found
            self.report.folders.add(found)
            self._attempt().writer.add_root(found)

    def _attempt(self) -> Attempt:
        if self.attempt is None:
            self.id = self.id or self._id_of_file()
            self.attempt = Attempt(self.context, self.report, ref=self.id, session=self.id, splits=True)
        return self.attempt

    def _id_of_file(self) -> str:
        stem = stem_of(self.report.path)
        found = _FILE_ID.search(stem)
        return found[1] if found else stem

    def _item(self, payload: dict[str, Any], at: str | None) -> None:
        kind = payload.get("type")
        kind = kind if isinstance(kind, str) else "item"
        if self.copies is not None and self.copies.holds(payload):
            self.skipped["item copied from another session"] += 1
            return
        if self._is_repeated(kind, payload):
            self.skipped["repeated item"] += 1
        elif kind == "message":
            self._message(payload, at)
        elif kind == "reasoning":
            self.skipped["thinking"] += 1
        elif kind in _CALLS or kind.endswith("_call"):
            self._call(kind, payload, at)
        elif kind.endswith("_output"):
            self._result(payload, at)
        else:
            self.skipped[f"item {safe_word(kind)}"] += 1

    def _is_repeated(self, kind: str, payload: dict[str, Any]) -> bool:
        found = payload.get("id") if kind in ("message", "reasoning") else payload.get("call_id")
        if not isinstance(found, str) or not found:
            return False
        key = f"{kind}\x00{found}"
        if key in self.seen:
            return True
        self.seen.add(key)
        return False

    def _message(self, payload: dict[str, Any], at: str | None) -> None:
        role = payload.get("role")
        if role == "assistant":
            text = texts.message_text(payload.get("content"), ("output_text", "text"))
            if text.strip():
                self._acts().says(text, at)
            else:
                self.skipped["message without content"] += 1
        elif role == "user":
            whole = texts.message_text(payload.get("content"), ("input_text", "text"))
            if texts.is_aborted(whole):
                self.skipped["text that the client added"] += 1
                self._abort("interrupted", at)
            else:
                self._ask(texts.request_of(texts.words_of_user(payload)), at, source="item")
        elif role in ("developer", "system"):
            self.skipped["text that the client added"] += 1
        else:
            self.skipped[f"message of role {safe_word(role)}"] += 1

    def _ask(self, text: str, at: str | None, *, source: str) -> None:
        """Adds a person's words once, though an item and an event may both hold them, in either order."""
        words = text.strip()
        if not words or texts.is_injected(words):
            self.skipped["text that the client added"] += 1
            return
        self.turn[source][words] += 1
        other = "event" if source == "item" else "item"
        if self.turn[source][words] <= self.turn[other][words]:
            self.skipped["copy for the screen"] += 1
            return
        self.ended_by_abort = False
        self._attempt().asks(words, at)

    def _acts(self) -> Attempt:
        """Ends what a person said before, and returns the attempt."""
        for counted in self.turn.values():
            counted.clear()
        self.ended_by_abort = False
        return self._attempt()

    def _call(self, kind: str, payload: dict[str, Any], at: str | None) -> None:
        name: Any = payload.get("name")
        arguments: Any = payload.get("arguments")
        if kind == "custom_tool_call":
            arguments = {"input": payload.get("input")} if isinstance(payload.get("input"), str) else None
        elif kind in ("local_shell_call", "web_search_call") or not isinstance(name, str):
            name = name if isinstance(name, str) else kind if kind == "local_shell_call" else kind[: -len("_call")]
            arguments = _action(payload.get("action")) if arguments is None else arguments
        call_id = payload.get("call_id") or payload.get("id")
        call = self._acts().calls(name, arguments_of(arguments), call_id, at)
        if isinstance(call_id, str):
            self.calls[call_id] = call

    def _result(self, payload: dict[str, Any], at: str | None) -> None:
        call_id = payload.get("call_id") or payload.get("id")
        call = self.calls.pop(call_id, None) if isinstance(call_id, str) else None
        output = texts.tool_output(payload.get("output"))
        is_error = output.is_error
        if is_error is None and isinstance(call_id, str):
            is_error = self.failed.pop(call_id, None)
        self._acts().gets(call, output.text, shown=output.printed, is_error=is_error, at=at)

    def _event(self, payload: dict[str, Any], at: str | None) -> None:
        kind = payload.get("type")
        if kind == "user_message":
            message = payload.get("message")
            self._ask(texts.request_of(message) if isinstance(message, str) else "", at, source="event")
        elif kind == "turn_aborted":
            self._abort(payload.get("reason"), at)
        elif kind == "error" and isinstance(payload.get("message"), str):
            self._acts().fails(payload["message"], at)
        elif kind == "agent_reasoning":
            self.skipped["thinking"] += 1
        else:
            self._remember(payload)
            self.skipped[f"event {safe_word(kind)}"] += 1

    def _remember(self, payload: dict[str, Any]) -> None:
        """Keeps whether a call failed, where the client says so beside the item."""
        item = payload.get("item")
        found = item if isinstance(item, dict) else payload
        call_id = found.get("id") if found is item else found.get("call_id")
        code, success = found.get("exit_code"), found.get("success")
        if isinstance(call_id, str):
            if isinstance(code, int) and not isinstance(code, bool):
                self.failed[call_id] = code != 0
            elif isinstance(success, bool):
                self.failed[call_id] = not success

    def _abort(self, reason: Any, at: str | None) -> None:
        if self.ended_by_abort:
            self.skipped["repeated abort"] += 1
            return
        self._acts().interrupted()
        by_person = reason not in _NOT_BY_PERSON if isinstance(reason, str) else True
        self._acts().notes(f"[turn aborted: {safe_word(reason)}]", at, ACTOR_USER if by_person else ACTOR_SYSTEM)
        self.ended_by_abort = by_person


def _action(action: Any) -> Any:
    """Returns what a built-in call does, without the environment variables that it ran with."""
    if not isinstance(action, dict):
        return action
    return {name: value for name, value in action.items() if name not in ("env", "user") and value is not None}
