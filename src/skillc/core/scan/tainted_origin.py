"""Tainted origin: what a Skill names and only text that nobody trusted brought up.

A host, a package or a command that in every cited attempt came first from tool output, that no user said and that the
project's own files on base do not name, waits for a person. A line that rests on untrusted text alone and repeats an
order from it is blocked. Paper: 3.2, 5.3, Scanners. Not here: what base names (lifecycle.origins).
"""

import re
from collections.abc import Callable, Iterable, Iterator

from skillc.core.record import digest_of, strings_in
from skillc.core.scan.contract_text import Line, lines_of
from skillc.core.scan.finding import Finding, Severity
from skillc.core.skill.claim import StepClaim
from skillc.core.skill.contract import Contract, all_citations
from skillc.core.trace.codec import Trace
from skillc.core.trace.operation import commands_of, is_shell, operation_name
from skillc.core.trace.records import EventKind
from skillc.core.trace.shell import ShellCommand
from skillc.core.words import names

TAINTED_RULE = "tainted-origin"
ORDER_RULE = "untrusted-order"
MAX_TEXT_CHARS = 200_000
_URL_HOST = re.compile(r"\b(?:https?|ftp|ssh|git|wss?)://(?:[^/@\s]{1,64}@)?([A-Za-z0-9.-]{1,253})", re.I)
_BARE_HOST = re.compile(
    r"(?<![\w@./-])((?:[a-z0-9-]{1,63}\.){1,4}"
    r"(?:com|net|org|io|dev|xyz|info|app|cloud|site|top|ru|cn|biz|online|example|test))(?![\w.-]|\.\w)",
    re.I,
)
_CODE = re.compile(r"`([^`\n]{2,300})`")
_INSTALLERS = {
    "pip install": 0, "pip3 install": 0, "python -m pip": 1, "python3 -m pip": 1, "uv add": 0, "uv pip": 1,
    "poetry add": 0, "npm install": 0, "npm i": 0, "npm add": 0, "yarn add": 0, "pnpm add": 0, "cargo add": 0,
    "cargo install": 0, "go get": 0, "go install": 0, "gem install": 0, "apt-get install": 0, "apt install": 0,
    "brew install": 0, "npx": 0, "pipx install": 0, "uvx": 0,
}  # fmt: skip
_VERSION_PART = re.compile(r"(?:[=<>~!^]=?|@(?=[\dv^~])).*$|\[.*\]$")
# Programs that every agent knows and that say nothing by themselves.
_KNOWN = names(
    "cd ls cat head tail grep egrep rg find sed awk echo printf pwd wc sort uniq cut tr diff test true false export"
    " git python python3 node npm npx yarn pnpm pip pip3 pytest make cargo go ruby perl bash sh env which mkdir cp mv"
    " rm touch chmod tee xargs jq ruff mypy black tsc eslint jest vitest mocha tox nox uv poetry docker kubectl"
)
# `make X` and `npm run X` name a task of the project: the task is what somebody must have named.
_RUNNERS = re.compile(r"^(?:make|just|task|npm run|yarn run|yarn|pnpm run|pnpm|npx|uvx|cargo|go|poetry run|uv run) \S")
_MARKS = names("this that these those with from into when then than your must should always never please every first")
_ORDER = re.compile(
    r"^\W*(?:(?:please|important|note|attention|warning|system|assistant|agent)\b\W*)*"
    r"(?:always|never|do not|don't|make sure|ensure|remember|be sure|you (?:must|should|need|have|will|are to)"
    r"|(?:run|execute|install|use|call|send|add|set|download|fetch|open|visit|ignore|forward|upload|post|delete|email"
    r"|skip|disable|enable|tell|include|append|write|copy|pass|start|stop)\b)"
    r"|\b(?:agents?|assistants?|models?|the ai|you|readers?)\b[^.\n]{0,40}\b(?:must|should|shall|need to|have to)\b",
    re.I,
)
# These say what a tool showed; the text of a result is what they are about.
_SHOWING = names("failure_modes expected_observations outputs completion_criteria inputs tools effects steps")


def origins_of(contract: Contract) -> dict[str, tuple[Line, ...]]:
    """Returns the hosts, packages and commands that a contract names, each with its lines."""
    found: dict[str, dict[str, Line]] = {}
    for line in lines_of(contract):
        for origin in _origins(line):
            found.setdefault(origin, {})[line.place] = line
    return {origin: tuple(lines.values()) for origin, lines in sorted(found.items())}


def tainted_origins(contract: Contract, traces: Iterable[Trace]) -> dict[str, tuple[Line, ...]]:
    """Returns the origins that in no cited attempt came from the user or first from the agent itself."""
    named = origins_of(contract)
    if not named:
        return {}
    wanted = {origin: mention_of(origin) for origin in named}
    state: dict[str, str] = {}
    for trace in traces:
        for origin, who in _first_sayers(trace, wanted).items():
            if state.get(origin) != "trusted":
                state[origin] = who
    return {origin: named[origin] for origin, who in sorted(state.items()) if who == "untrusted"}


def origin_findings(
    contract: Contract, traces: Iterable[Trace], *, path: str, is_named_by_base: Callable[[str], bool]
) -> tuple[Finding, ...]:
    """Returns one warning for each line that names something of tainted origin."""
    return tuple(
        _finding(TAINTED_RULE, Severity.WARN, f"First seen in untrusted output: {origin}", origin, line, path)
        for origin, lines in tainted_origins(contract, traces).items()
        if not is_named_by_base(origin)
        for line in lines
    )


def order_findings(contract: Contract, traces: Iterable[Trace], *, path: str) -> tuple[Finding, ...]:
    """Returns the lines that rest on untrusted text alone and repeat an order which stands in it."""
    by_id = {t.trace_id: t for t in traces}
    found = []
    for line in lines_of(contract):
        if line.field in _SHOWING:
            continue
        texts = list(_untrusted_texts(line, by_id))
        words = _content(" ".join(line.texts))
        if texts and words and any(_repeats(words, sentence) for text in texts for sentence in _sentences(text)):
            title = "Repeats an order from untrusted text, and rests on nothing else"
            found.append(_finding(ORDER_RULE, Severity.BLOCK, title, line.claim.id, line, path))
    return tuple(found)


def mention_of(origin: str) -> re.Pattern[str]:
    """Returns what finds an origin as whole words, in any case and with any blanks between its words."""
    parts = r"\s+".join(re.escape(word) for word in origin.split())
    return re.compile(rf"(?<![\w-]){parts}(?![\w-])", re.I)


def _origins(line: Line) -> Iterator[str]:
    for text in line.texts:
        yield from (host.lower().rstrip(".") for host in _URL_HOST.findall(text))
        yield from (host.lower() for host in _BARE_HOST.findall(text))
    commands: list[ShellCommand] = []
    if isinstance(line.claim, StepClaim) and line.claim.action is not None and is_shell(line.claim.action.tool):
        commands += commands_of(line.claim.action.tool, line.claim.action.arguments)
    for code in _CODE.findall("\n".join(line.texts)):
        if " " in code:
            commands += commands_of("bash", {"command": code})
    for command in commands:
        yield from _of_command(command)


def _of_command(command: ShellCommand) -> Iterator[str]:
    operation = operation_name(command)
    skipped = _INSTALLERS.get(operation)
    if skipped is not None:
        words = [w for w in command.words[command.named :] if not w.startswith("-")][skipped:]
        yield from (p for w in words if (p := _VERSION_PART.sub("", w)) and "<" not in p and not p.startswith("."))
    elif _RUNNERS.match(operation) or command.program not in _KNOWN:
        yield operation


def _first_sayers(trace: Trace, wanted: dict[str, re.Pattern[str]]) -> dict[str, str]:
    """Returns for each origin of a Trace whether somebody trusted named it, or untrusted text did so first."""
    first: dict[str, str] = {}
    words = {origin: _folded(origin).split() for origin in wanted}  # to search for one in any case takes longer
    for event in trace.events:
        if event.restricted is not None:
            continue
        texts = [(event.text or "")[:MAX_TEXT_CHARS], *strings_in(event.arguments or {}), event.tool or ""]
        text = "\n".join(texts)
        folded = _folded(text)
        for origin, mention in wanted.items():
            if origin in first and event.kind is not EventKind.USER_MESSAGE:
                continue
            if not all(word in folded for word in words[origin]) or not mention.search(text):
                continue
            is_user = event.kind is EventKind.USER_MESSAGE and not event.untrusted
            first[origin] = "untrusted" if event.untrusted and not is_user else "trusted"
    return first


def _folded(text: str) -> str:
    """Returns a text in which letters that are the same in any case are the same."""
    return text.casefold().replace("\u0131", "i")


def _untrusted_texts(line: Line, by_id: dict[str, Trace]) -> Iterator[str]:
    """Yields the cited texts, when all of them are untrusted ones; nothing else."""
    texts = []
    for citation in all_citations(line.claim):
        trace = by_id.get(citation.trace_id)
        for event_id in citation.events:
            event = trace.event(event_id) if trace is not None else None
            if event is None or not event.untrusted:
                return
            texts.append((event.text or "")[:MAX_TEXT_CHARS])
    yield from texts


def _sentences(text: str) -> Iterator[str]:
    yield from (s for s in re.split(r"(?<=[.!?])\s+|[\n;]", text) if 8 <= len(s) <= 600)


def _repeats(words: set[str], sentence: str) -> bool:
    shared = words & _content(sentence)
    return len(shared) >= max(2, (len(words) + 1) // 2) and _ORDER.search(sentence) is not None


def _content(text: str) -> set[str]:
    return {w for w in re.findall(r"[a-z][a-z0-9_]{3,}", text.lower()) if w not in _MARKS}


def _finding(rule: str, severity: Severity, title: str, excerpt: str, line: Line, path: str) -> Finding:
    place = f"{path}#{line.place}"
    return Finding(
        path=place,
        line=1,
        column=1,
        rule=rule,
        severity=severity,
        title=title if excerpt.isprintable() else title.encode("unicode_escape").decode(),
        excerpt=excerpt if excerpt.isprintable() else excerpt.encode("unicode_escape").decode(),
        fingerprint=digest_of([rule, place, excerpt]),
    )
