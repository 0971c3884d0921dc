"""A tree of spans becomes the events of one attempt, for every store of traces.

A model call repeats the history before it: only what is new becomes an event. A span that repeats what its
children say, a scorer and everything below it give none. A tool's span is the result of the call that the
model made, or call and result. Below a tool stands a subagent: its events carry its name, and what it was
asked is no user's word. Every span is taken or counted.
Not here: how a store writes its spans (the importers), forms of messages (importers.chat_forms).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from skillc.core.record import canonical_json
from skillc.importers.base import ACTOR_AGENT, ACTOR_SYSTEM
from skillc.importers.chat import Chat, arguments_of, user_text
from skillc.importers.chat_forms import Call, Said
from skillc.importers.claude_blocks import safe_word

MODEL = "model"
TOOL = "tool"
AGENT = "agent"
GROUP = "group"
SCORER = "scorer"
OTHER = "other"
MAX_DEPTH = 1000  # spans above one that are looked at

# Under one of these stands the task in a root's input, and under none of the answers' names.
_TASK_KEYS = ("input", "question", "query", "prompt", "task", "message", "text", "content", "user_input", "user_query")
_ANSWER_KEYS = ("output", "answer", "response", "result", "text", "content", "message")
GOLD_KEYS = frozenset(
    {
        "expected",
        "expected_output",
        "expected_outputs",
        "reference",
        "reference_output",
        "reference_outputs",
        "gold",
        "golden",
        "label",
        "labels",
        "ground_truth",
        "groundtruth",
        "target",
        "targets",
        "answer",
        "answers",
        "answer_key",
        "solution",
        "ideal",
    }
)


@dataclass
class Span:
    """One span in the one form. `order` puts siblings in order; `type_name` is the store's word for its kind."""

    id: str
    parent: str | None
    name: str
    kind: str
    order: tuple[Any, ...]
    type_name: str = ""
    start: str | None = None
    end: str | None = None
    inputs: list[Said] = field(default_factory=list)
    outputs: list[Said] = field(default_factory=list)
    task: str | None = None
    answer: str | None = None
    arguments: Any = None
    result: str | None = None
    call_id: str | None = None
    error: str | None = None
    model: str | None = None
    labels: frozenset[str] = frozenset()

    @property
    def speaks(self) -> bool:
        return self.kind in (MODEL, AGENT, GROUP) and bool(self.inputs or self.outputs)


def task_text(value: Any) -> str | None:
    """Returns the task in a root's input: the text itself, or what stands under a name for it."""
    return _named_text(value, _TASK_KEYS)


def answer_text(value: Any) -> str | None:
    """Returns the text of a root's output."""
    return _named_text(value, _ANSWER_KEYS)


def _named_text(value: Any, names: tuple[str, ...]) -> str | None:
    if isinstance(value, str):
        return value if value.strip() else None
    if not isinstance(value, dict):
        return None
    for name in names:
        if isinstance(value.get(name), str) and value[name].strip():
            return str(value[name])
    if len(value) == 1:
        name, only = next(iter(value.items()))
        if isinstance(only, str) and only.strip() and name.lower() not in GOLD_KEYS:
            return only
    return None


class SpanTree:
    """The spans of one attempt by their parents. A parent that is missing makes a span a root."""

    def __init__(self, spans: Iterable[Span], skipped: Counter[str]) -> None:
        self.by_id: dict[str, Span] = {}
        for span in spans:
            if span.id in self.by_id:
                skipped["span that stands twice"] += 1
            else:
                self.by_id[span.id] = span
        self.children: dict[str, list[Span]] = {}
        self.roots: list[Span] = []
        for span in sorted(self.by_id.values(), key=lambda item: (item.order, item.id)):
            if span.parent is None or span.parent not in self.by_id or span.parent == span.id:
                self.roots.append(span)
            else:
                self.children.setdefault(span.parent, []).append(span)

    def below(self, span: Span) -> list[Span]:
        """Returns the children of a span in their order."""
        return self.children.get(span.id, [])

    def ancestors(self, span: Span) -> Iterable[Span]:
        """Yields the spans above one, nearest first; a circle ends it."""
        passed = {span.id}
        above = self.by_id.get(span.parent or "")
        while above is not None and above.id not in passed and len(passed) <= MAX_DEPTH:
            passed.add(above.id)
            yield above
            above = self.by_id.get(above.parent or "")


class SpanStory:
    """Writes the events of one tree into a chat."""

    def __init__(self, chat: Chat, tree: SpanTree) -> None:
        self.chat = chat
        self.tree = tree
        self.model: str | None = None
        self._skipped = chat.report.skipped
        self._seen: Counter[bytes] = Counter()
        self._open: list[tuple[str, str, bytes]] = []  # id, tool and arguments of calls without a result
        self._calls: dict[str, bytes] = {}
        self._done: set[str] = set()
        self._from_spans: Counter[bytes] = Counter()
        self._said = False
        self._errors: set[str] = set()
        self.has_labels = any(span.labels for span in self.tree.by_id.values())
        self._repeated = self._covered()
        self._words = self._user_words()

    def write(self) -> None:
        """Writes the tree from its roots, in order; spans in a circle are counted."""
        self._missing_words()
        stack: list[tuple[Span, str, bool, bool]] = [
            (root, ACTOR_AGENT, False, True) for root in reversed(self.tree.roots)
        ]
        visited = 0
        while stack:
            span, actor, in_scorer, is_entry = stack.pop()
            if not is_entry:
                self._leave(span, actor)
                continue
            visited += 1
            if in_scorer or span.kind == SCORER:
                self._skipped["scorer span" if span.kind == SCORER else "span below a scorer"] += 1
                stack += [(child, actor, True, True) for child in reversed(self.tree.below(span))]
                continue
            self._enter(span, actor)
            stack.append((span, actor, False, False))
            inner = self._actor_below(span, actor)
            stack += [(child, inner, False, True) for child in reversed(self.tree.below(span))]
        if visited < len(self.tree.by_id):
            self._skipped["span in a circle of parents"] += len(self.tree.by_id) - visited

    def _covered(self) -> set[str]:
        """Returns the spans that repeat what spans below them say; what a subagent says repeats nothing above."""
        covered: set[str] = set()
        for span in self.tree.by_id.values():
            above = list(self.tree.ancestors(span))
            if span.kind == TOOL and any(_is_same_tool(span, item) for item in above):
                covered.add(span.id)
            if not span.speaks or any(item.kind == SCORER for item in above):
                continue
            for item in above:
                if item.kind == TOOL:
                    break
                covered.add(item.id)
        return covered

    def _user_words(self) -> set[str] | None:
        """Returns what the user said to the whole, when a root that only holds others tells it; else None."""
        words: list[str] = []
        for root in self.tree.roots:
            if root.kind not in (SCORER, TOOL, OTHER) and (root.id in self._repeated or not root.speaks):
                words += [user_text(said.text) for said in root.inputs if said.role == "user"]
                words += [user_text(root.task)] if root.task and not root.inputs else []
        return {word for word in words if word} or None

    def _missing_words(self) -> None:
        """Writes the user's words that no model call repeats, before everything else."""
        repeated = {
            user_text(said.text)
            for span in self.tree.by_id.values()
            if span.speaks and span.id not in self._repeated
            for said in span.inputs
            if said.role == "user"
        }
        for root in self.tree.roots:
            self._take_labels(root)
            texts = [said.text for said in root.inputs if said.role == "user"] or ([root.task] if root.task else [])
            for text in texts:
                word = user_text(text)
                if word in (self._words or ()) and word not in repeated:
                    self._user(word, root.start)
                    repeated.add(word)

    def _actor_below(self, span: Span, actor: str) -> str:
        is_nested = span.kind == AGENT and any(item.kind == AGENT for item in self.tree.ancestors(span))
        return f"agent:{safe_word(span.name)}" if span.kind == TOOL or is_nested else actor

    def _enter(self, span: Span, actor: str) -> None:
        self.chat.seen(span.start)
        self._take_labels(span)
        actor = self._actor_below(span, actor) if span.kind == AGENT else actor
        if self.model is None and span.model and span.kind in (MODEL, AGENT):
            self.model = span.model
        if span.kind == TOOL and span.id in self._repeated:
            self._skipped["span that repeats the tool above it"] += 1
        elif span.kind == TOOL:
            self._tool_call(span, actor)
        elif span.speaks and span.id not in self._repeated:
            self._news(span.inputs, actor, span.start)
            if self._answers_first(span):
                self._outputs(span, actor)
        elif span.speaks:
            self._skipped["span that repeats what its children say"] += 1
        elif span.kind == MODEL:
            self._skipped["model call without content"] += 1
        elif span.kind == OTHER:
            self._skipped[f"span of type {safe_word(span.type_name)}"] += 1
        else:
            self._skipped["span that only holds others"] += 1

    def _take_labels(self, span: Span) -> None:
        """Gives the events to come the labels of their span and of those above it."""
        own = [span, *self.tree.ancestors(span)] if self.has_labels else []
        self.chat.writer.labels = frozenset().union(*(item.labels for item in own))

    def _answers_first(self, span: Span) -> bool:
        return span.kind == MODEL and (not self.tree.below(span) or any(said.calls for said in span.outputs))

    def _leave(self, span: Span, actor: str) -> None:
        own = self._actor_below(span, actor) if span.kind == AGENT else actor
        self._take_labels(span)
        if span.kind == TOOL and span.id not in self._repeated:
            self._tool_result(span)
        elif span.speaks and span.id not in self._repeated and not self._answers_first(span):
            self._news(span.outputs, own, span.end)
        if span.error and span.kind != TOOL and span.error not in self._errors:
            self._errors.add(span.error)
            self.chat.writer.add("error", own, at=span.end, text=span.error, untrusted=True)
        if span.parent is None and own == ACTOR_AGENT and not self._said:
            spoken = [said.text for said in span.outputs if said.role == "assistant" and said.text.strip()]
            text = spoken[-1] if spoken else span.answer
            if text and text.strip():
                self._assistant(Said("assistant", text), own, span.end)
        self.chat.seen(span.end)

    def _outputs(self, span: Span, actor: str) -> None:
        for said in span.outputs:
            self._seen[_key(said)] += 1
            self._add(said, actor, span.end or span.start)

    def _news(self, messages: Iterable[Said], actor: str, at: str | None) -> None:
        """Writes the messages of a history that no call before it had."""
        here: Counter[bytes] = Counter()
        for said in messages:
            key = _key(said)
            here[key] += 1
            if said.role == "tool" and said.call_id in self._done:
                continue
            if here[key] > self._seen[key]:
                self._seen[key] += 1
                self._add(said, actor, at)

    def _add(self, said: Said, actor: str, at: str | None) -> None:
        if said.role == "user":
            word = user_text(said.text)
            if actor == ACTOR_AGENT and (self._words is None or word in self._words):
                self._user(word, at, is_seen=True)
            else:
                # A prompt that a program filled in may hold anything: it is nobody's word.
                self.chat.note(word, at, actor=ACTOR_SYSTEM if actor == ACTOR_AGENT else actor, untrusted=True)
        elif said.role == "assistant":
            self._assistant(said, actor, at)
        elif said.role == "tool":
            self._result(said.call_id, said.tool, said.text, said.is_error, at)
        else:
            self.chat.note(said.text, at, actor=ACTOR_SYSTEM if actor == ACTOR_AGENT else actor)

    def _user(self, word: str, at: str | None, *, is_seen: bool = False) -> None:
        if not is_seen:
            self._seen[_key(Said("user", word))] += 1
        self.chat.user({"content": word}, at)

    def _assistant(self, said: Said, actor: str, at: str | None) -> None:
        if said.thinking:
            self._skipped["thinking"] += said.thinking
        if said.text.strip():
            self._said = self._said or actor == ACTOR_AGENT
            self.chat.assistant({"content": said.text}, at, actor=actor)
        for call in said.calls:
            self._model_call(call, actor, at)

    def _model_call(self, call: Call, actor: str, at: str | None) -> None:
        shape = _shape(call.name, call.arguments)
        if call.id is not None and self._calls.get(call.id) == shape:
            return
        if self._from_spans[shape] > 0:
            self._from_spans[shape] -= 1
            return
        call_id = call.id or f"call-{self.chat.writer.events}"
        self._calls[call_id] = shape
        self._open.append((call_id, call.name, shape))
        self.chat.call(call_id, call.name, call.arguments, at, actor=actor)

    def _tool_call(self, span: Span, actor: str) -> None:
        """Links a tool's span to the call that the model made, or makes the call."""
        shape = _shape(span.name, span.arguments)
        found = next((call for call in self._open if call[0] == span.call_id), None) if span.call_id else None
        same = [call for call in self._open if call[1] == span.name]
        if found is None and (span.call_id is None or span.call_id not in self._calls):
            found = next((call for call in same if call[2] == shape), same[0] if same else None)
        if found is not None:
            self._open.remove(found)
            span.call_id = found[0]
            return
        span.call_id = span.call_id or f"span-{span.id}"
        if span.arguments is None:
            self._skipped["tool call without content"] += 1
        self._calls[span.call_id] = shape
        self._from_spans[shape] += 1
        self.chat.call(span.call_id, span.name, span.arguments, span.start, actor=actor)

    def _tool_result(self, span: Span) -> None:
        if span.result is None and span.error is None:
            return
        self._errors.add(span.error or "")
        text = span.result if span.result is not None else ""
        if span.error:
            text = "\n".join(part for part in (text, span.error) if part)
        self._seen[_key(Said("tool", text))] += 1
        self._result(span.call_id, span.name, text, True if span.error else None, span.end)

    def _result(self, call_id: str | None, tool: str | None, text: str, is_error: bool | None, at: str | None) -> None:
        if call_id is not None:
            self._done.add(call_id)
            self._open = [call for call in self._open if call[0] != call_id]
        self.chat.result(call_id, tool, text, is_error, at)


def _is_same_tool(span: Span, above: Span) -> bool:
    """Says whether a tool's span is the same call again, as a protocol's span below the agent's is."""
    return above.kind == TOOL and above.name == span.name and span.arguments in (None, above.arguments)


def _key(said: Said) -> bytes:
    """What makes two messages the same: role, text and calls; not ids, which some stores make anew."""
    calls = [[call.name, arguments_of(call.arguments)] for call in said.calls]
    return canonical_json([said.role, user_text(said.text), calls])


def _shape(name: str, arguments: Any) -> bytes:
    return canonical_json([name, arguments_of(arguments)])
