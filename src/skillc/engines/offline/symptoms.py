"""Symptoms: the lines of a failed run that say what is wrong, read as a person skims an output.

A line that names an error comes before one that only sounds like trouble; summaries, frames and the echo of
commands say nothing. Not here: one line without the values of its case (engines.offline.errors).
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from skillc.engines.offline.wording import ELIDED, plain_line

MAX_LINES = 4000
MAX_SYMPTOMS = 6

_MARK = re.compile(r"^(?:E\s+|- |#\s+|>\s+|\|\s+|\[\w+\]\s+)+")
_PREFIX = re.compile(
    r"^(?:(?:[\w.]*AssertionError|FATAL ERROR|Error|error|ERROR|fatal|Exception|SystemExit)(?:\s*\[\w+\])?\s*:\s*)+"
)
_NAMED = re.compile(
    r"^(?:[\w.$:]+[.:])?[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Failure|NotFound|Refused)\b"
    r"(?:\s*\[\w+\])?\s*(?::\s*\S|:?$)"
    r"|^(?:error|fatal|panic|fail|Error|ERROR|FATAL ERROR|Exception|SystemExit)\b(?:\s*\[\w+\]|\s[A-Z]+\d+)?\s*:\s*\S"
    r"|[:)]\s*(?:fatal )?error(?:\s?\[?[A-Z]+\d+\]?)?\s*:\s*\S"
    r"|\*\*\* (?!\[)\S"  # make
)
_KNOWN = re.compile(
    r"\b(?:No module named|cannot find (?:module|package)|command not found|no such (?:file|table|column)"
    r"|is not (?:set|defined|installed|recognized)|must be set|not installed|permission denied|connection refused"
    r"|unknown command|missing script|does not exist|out of date|not found|undefined|undeclared|unresolved"
    r"|modified by this hook|timed out|are pending|out of memory)\b",
    re.IGNORECASE,
)
_WEAK = re.compile(r"cannot|can.t|could not|invalid|missing|refused|denied|must |failed|unknown|error|timed out", re.I)
_NOISE = re.compile(
    r"^(?:FAILED\b|FAIL\b|OK\b|ok\b|not ok\b|Ran \d+|Exit code|[-=_!~^ ]+$|[-=_!]{3,}|\d+ (?:passed|failed|errors?)"
    r"|Traceback|short test summary|File \"|at \S|> |\$ |npm (?:ERR!|error|notice|warn)|make(?:\[\d+\])?: \*\*\* \["
    r"|.*\.{5,}(?:Failed|Passed|Skipped)|- (?:hook id|exit code|duration):|During handling|The above exception|Hint:"
    r"|Found \d+ errors?|ERROR:? (?:at|in|tests?/|\S+::|\S+\.py|collecting|\w+ \()|!!!"
    r"|ImportError while importing|(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d"
    r"|(?:failureType|code|exitCode|signal|location|duration_ms|stack|url|expected|actual|operator|name): )"
)
_CODE = re.compile(r"^(?:raise|throw|if|return|assert|self\.|def|class|import|from|const|let|await)\b|throw new |[;{]$")
_SAYS_NOTHING = re.compile(
    r"^error: (?:'test failed'|\|-|Test failed\b|script \S+ exited|could not compile|aborting due|test failed, to)"
    r"|^Error:? \d+$|^(?:build|tests?) failed\b|^command failed\b|exited with code \d+$",
    re.I,
)
_COMPARED = re.compile(r"^.{1,120}? (?:==|!=|is not|is|not in|in|not found in|<|>|<=|>=) .{1,120}? : (?=\S)")
_MADE = re.compile(r"^\S+:\d+: \*\*\* |(?<=\.) Stop\.$")
# Times, sizes, addresses and process numbers differ from run to run.
_MEASURED = re.compile(r"\b0x[0-9a-f]+\b|\b\d+(?:\.\d+)?(?= ?(?:ms|s|sec|seconds|minutes|bytes|MB|KB)\b)|(?<=pid )\d+")
_WHOLE_QUOTE = re.compile(r"^(['\"])(.*)\1$")


@lru_cache(maxsize=1024)
def symptoms_of(text: str, root: str = "") -> tuple[str, ...]:
    """Returns the telling lines of a failed run, in order, each once: at most six, only the most telling sort."""
    if len(root) > 2:
        text = text.replace(root, ELIDED)
    found: dict[int, list[str]] = {0: [], 1: [], 2: [], 3: []}
    for whole in text.splitlines()[-MAX_LINES:]:
        line = _message_in(whole)
        if line:
            found[_rank_of(line)].append(line)
    for rank in (0, 1, 2):
        if plain := _plain(found[rank]):
            return plain[:MAX_SYMPTOMS]
    return _plain(found[3])[-1:]


def _message_in(line: str) -> str:
    """Returns a line without what marks it; nothing for one that says nothing."""
    line = line.strip()
    if not line or _NOISE.match(line):
        return ""
    line = _MARK.sub("", line)
    return "" if _NOISE.match(line) or _SAYS_NOTHING.match(line) else line


def _rank_of(line: str) -> int:
    """Returns how telling a line is: 0 names an error, 3 is any line."""
    if _NAMED.search(line):
        return 0
    if _CODE.search(line):
        return 3
    return 1 if _KNOWN.search(line) else 2 if _WEAK.search(line) else 3


def _plain(lines: Iterable[str]) -> tuple[str, ...]:
    """Returns the lines in plain text, each once; those without a word are none."""
    plain = dict.fromkeys(_bare(plain_line(line)) for line in lines)
    return tuple(line for line in plain if any(c.isalpha() for c in line))


def _bare(line: str) -> str:
    """Returns a line without the words before its message, and a failed comparison without its values."""
    line = _PREFIX.sub("", _MADE.sub("", line)).strip()
    line = _MEASURED.sub(ELIDED, _COMPARED.sub("", line))
    return _WHOLE_QUOTE.sub(r"\2", line).strip()
