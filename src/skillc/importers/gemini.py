"""Gemini CLI sessions: one session file becomes one Trace.

Reads the JSON object of one session, the lines of newer versions, and a message alone. A session carries no
outcome and no folder: only the hash of its project, which a path in its calls can prove.
Not here: the lines of newer versions (importers.gemini_log).
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from skillc.core.record import canonical_json, sha256_hex
from skillc.core.trace.operation import is_shell
from skillc.core.trace.records import Outcome
from skillc.errors import NoEventsError
from skillc.importers.attempt import Attempt, arguments_of
from skillc.importers.base import ACTOR_USER, Companion, ImportContext, ImportedTrace, ImportReport, content_key
from skillc.importers.claude_blocks import safe_word
from skillc.importers.documents import head_object, read_document
from skillc.importers.gemini_log import MessageLog, is_log, message_problem
from skillc.importers.lines import head_objects
from skillc.importers.times import normal_time

_COMMAND = re.compile(r"\s*[/?][A-Za-z][\w:-]{0,63}(?:\s|$)")
_CANCELLED = re.compile(r"\s*Request cancelled\b", re.IGNORECASE)
_EXIT_CODE = re.compile(r"^Exit Code: (-?\d{1,10})\s*$", re.MULTILINE)
_LABEL = re.compile(r"^(?:Stdout|Output): ", re.MULTILINE)
_PATHS = ("file_path", "absolute_path", "path", "dir_path", "directory")
_HEAD_BYTES = 64 * 1024


class GeminiImporter:
    """Reads `session-<time>-<id>.json` and `.jsonl`."""

    kind = "gemini"
    companion_globs: tuple[str, ...] = ()

    def detect(self, head: bytes, name: str) -> bool:
        first = head_object(head)
        return is_log(head_objects(head, 1)) or _is_session(first) or _is_message(first)

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields the Traces of a session, one a task. Raises DataError when the file holds no message."""
        head = stream.read(_HEAD_BYTES)
        stream.seek(0)
        meta, messages = _opened(stream, head, report)
        session = _session_of(meta, messages(), context)
        attempt = Attempt(context, report, ref=session[:64], session=session, splits=True)
        for folder in _folders(meta, messages()):
            report.folders.add(folder)
            attempt.writer.add_root(folder)
        finished = _Session(attempt, report).read(messages())
        if not finished:
            raise NoEventsError(
                f"{report.path}:1: holds no message of a Gemini CLI session",
                hint="a session is session-<time>-<id>.json under ~/.gemini/tmp/<project>/chats",
            )
        yield from finished


def _opened(
    stream: BinaryIO, head: bytes, report: ImportReport
) -> tuple[dict[str, Any], Callable[[], Iterable[dict[str, Any]]]]:
    """Returns what a file says about its session, and a way to go over its messages."""
    if is_log(head_objects(head, 1)):
        log = MessageLog(stream, report)
        return log.meta, log.messages
    document = read_document(stream, report.path)
    meta = document if isinstance(document, dict) else {}
    found = [meta] if _is_message(meta) else meta.get("messages")
    messages = _objects(found)
    if isinstance(found, list) and len(found) > len(messages):
        report.skipped["message that is no object"] += len(found) - len(messages)
    return meta, lambda: messages


def _is_session(first: dict[str, Any]) -> bool:
    return isinstance(first.get("sessionId"), str) and "projectHash" in first and "parentUuid" not in first


def _is_message(first: dict[str, Any]) -> bool:
    return first.get("type") == "gemini" and isinstance(first.get("id"), str) and message_problem(first) is None


def _session_of(meta: dict[str, Any], messages: Iterable[dict[str, Any]], context: ImportContext) -> str:
    """Returns the host's own id; a message alone is known by its content."""
    found = meta.get("sessionId")
    return found if isinstance(found, str) and found else content_key(context, canonical_json(list(messages)))


def _folders(meta: dict[str, Any], messages: Iterable[dict[str, Any]]) -> list[str]:
    """Returns the project folder: a folder above some path of the session whose hash is the session's."""
    wanted, found = meta.get("projectHash"), meta.get("directories")
    folders = [item for item in found if isinstance(item, str)] if isinstance(found, list) else []
    if not isinstance(wanted, str):
        return folders
    tried: set[str] = set(folders)
    for message in messages:
        for call in _objects(message.get("toolCalls")):
            given = call.get("args")
            for path in (given.get(name) for name in _PATHS) if isinstance(given, dict) else ():
                while isinstance(path, str) and "/" in path and path not in tried and len(path) < 4096:
                    tried.add(path)
                    if hashlib.sha256(path.encode("utf-8", "replace")).hexdigest() == wanted:
                        return [path, *folders]
                    path = path.rpartition("/")[0]
    return folders


class _Session:
    """The messages of one session on their way to events."""

    def __init__(self, attempt: Attempt, report: ImportReport) -> None:
        self.attempt = attempt
        self.skipped = report.skipped
        self.model: str | None = None
        self.fallback = ""
        self.ended_by_cancel = False

    def read(self, messages: Iterable[dict[str, Any]]) -> list[ImportedTrace]:
        for message in messages:
            self._message(message)
        self.attempt.writer.set_objective(self.fallback)
        return self.attempt.finish_parts(
            agent="gemini-cli",
            model=self.model,
            outcome=Outcome.ABANDONED if self.ended_by_cancel else Outcome.UNKNOWN,
            git=self.attempt.commits.context(None),
        )

    def _message(self, message: dict[str, Any]) -> None:
        kind, at = message.get("type"), normal_time(message.get("timestamp"))
        if kind == "user":
            self._user(_text_of(message.get("content")).strip(), at)
        elif kind == "gemini":
            self._gemini(message, at)
        elif kind == "error":
            self.ended_by_cancel = False
            self.attempt.fails(_text_of(message.get("content")), at)
        elif kind == "info" and _CANCELLED.match(_text_of(message.get("content"))):
            self.attempt.notes(_text_of(message.get("content")).strip(), at, ACTOR_USER)
            self.attempt.interrupted()
            self.ended_by_cancel = True
        else:
            self.skipped[f"message {safe_word(kind)}"] += 1

    def _user(self, text: str, at: str | None) -> None:
        self.ended_by_cancel = False
        if not text:
            self.skipped["message without content"] += 1
        elif _COMMAND.match(text):
            self.fallback = self.fallback or text
            self.attempt.notes(text, at, ACTOR_USER)
        else:
            self.attempt.asks(text, at)

    def _gemini(self, message: dict[str, Any], at: str | None) -> None:
        self.ended_by_cancel = False
        if self.model is None and isinstance(message.get("model"), str):
            self.model = message["model"]
        thoughts = message.get("thoughts")
        if isinstance(thoughts, list) and thoughts:
            self.skipped["thinking"] += len(thoughts)
        text, calls = _text_of(message.get("content")), _objects(message.get("toolCalls"))
        if text.strip():
            self.attempt.says(text, at)
        elif not calls:
            self.skipped["message without content"] += 1
        for call in calls:
            self._call(call, at)

    def _call(self, call: dict[str, Any], at: str | None) -> None:
        at = normal_time(call.get("timestamp")) or at
        made = self.attempt.calls(call.get("name"), arguments_of(call.get("args")), call.get("id"), at)
        result, status = call.get("result"), call.get("status")
        if result is None or result == []:
            self.skipped["call without a result (kept)"] += 1
            return
        text = _text_of(result)
        is_error = {"success": False, "error": True, "cancelled": True}.get(status) if isinstance(status, str) else None
        codes = _EXIT_CODE.findall(text) if is_shell(made.tool) else []
        if codes and int(codes[-1]) != 0:
            is_error = True
        shown = _LABEL.sub("", text) if made.git_command else text
        self.attempt.gets(made, text, is_error=is_error, shown=shown, at=at)


def _text_of(content: Any) -> str:
    """Returns the text of a content: a string, a part, or parts by lines; a placeholder for everything else."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text for item in content if (text := _text_of(item)))
    if not isinstance(content, dict):
        return ""
    if isinstance(content.get("text"), str):
        return str(content["text"])
    response = content.get("functionResponse")
    if isinstance(response, dict):
        return _response_text(response.get("response"))
    media = content.get("inlineData") or content.get("fileData")
    if isinstance(media, dict):
        data = media.get("data")
        size = f" {len(data)} characters sha256:{sha256_hex(data.encode())}" if isinstance(data, str) else ""
        return f"[media {safe_word(media.get('mimeType'))}{size}]"
    return f"[{safe_word(next(iter(content), None))}]"


def _response_text(response: Any) -> str:
    if not isinstance(response, dict):
        return _text_of(response)
    for name in ("output", "error"):
        if isinstance(response.get(name), str):
            return str(response[name])
    return canonical_json(response).decode()


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
