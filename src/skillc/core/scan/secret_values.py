"""Whether a value in a secret's place is one: placeholders, counts and expressions are not.

A published prefix tells a credential by itself; an assignment or a header tells only its name. These tests decide
about the value then. Paper: 5.3, Scanners. Not here: the formats (core.scan.formats).
"""

import math
import re
from collections import Counter

_PLACEHOLDER = re.compile(
    r"""^(?:
        <[^<>]*>|\[[^\]]*\]|\{[^{}]*\}|\$[({]?\w+[)}]?|%[({]?\w+[)}]?s?%?|
        \*+|x{3,}|X{3,}|\.{2,}|_+|-+|0+|(?:your|my|the|some|an?)[-_ ]\D*|.*[-_](?:here|placeholder|goes[-_]here)|
        .*(?:example|placeholder|redacted|changeme|change[-_]me|replace[-_]?me|dummy|xxxx|testpass).*|\D*password\D*|
        .*(?:\*\*\*|\.\.\.|\$\{|\{\{|<[a-z_ -]+).*|
        null|none|nil|true|false|undefined|string|str|bytes|test|secret|password|passwd|pass|pwd|token|key|user|
        required|optional|hidden|value|foo|bar|foobar|empty|bearer|basic|admin|root|postgres|guest|wrong|invalid|fuzz
    )$""",
    re.IGNORECASE | re.VERBOSE,
)


def is_placeholder(value: str) -> bool:
    """Says whether a value in a secret's place is plainly no secret: `<token>`, `$TOKEN`, `xxxx`, `changeme`."""
    return len(value) < 4 or len(set(value)) < 3 or _PLACEHOLDER.match(value[:200]) is not None


def is_real_example(value: str) -> bool:
    """Says whether a value names itself an example and has the length and mix of real key material."""
    cases = any(c.isupper() for c in value) and (any(c.isdigit() for c in value))
    return len(value) >= 16 and cases and "example" in value.lower() and not set("<>{}$*") & set(value)


def entropy_bits(text: str) -> float:
    """Returns the Shannon entropy per character in bits; `aaaa` gives 0.0, 16 different characters give 4.0."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values()) if size else 0.0


def looks_random(value: str) -> bool:
    """Says whether an unquoted value looks like key material rather than a word, a number or an expression."""
    return (
        len(value) >= 8
        and any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and _CODE.search(value) is None
        and entropy_bits(value[:256]) >= 2.8
    )


# Calls, attribute chains, indexing, paths, versions, dates: what stands behind `token =` in code.
_CODE = re.compile(
    r"[()\[\]{}$<>|*\\]|^[\w-]+(?:\.[A-Za-z_]\w*)+$|^[./~]|^\d+(?:[.,]\d+)*[a-z%]{0,3}$|^\d{4}-\d\d-\d\d|::|->"
)


_EXPRESSION = re.compile(r"\$[({\w]|[()\[\]{}<>|]|^[./~%]|::|->")
_CALL = re.compile(r"^[A-Za-z_][\w.]*[(\[]|[{}]")
_NUMERIC_NAME = re.compile(
    r"(?:^|[_.-]|(?-i:(?<=[a-z])(?=[A-Z])))(?:count|limit|usage|total|max|min|num|size|length|index|budget|price|cost|type|name|id|url|uri|path|file|format|ttl|expir\w*|field|header|hint|policy|rules?)s?$",
    re.I,
)


def is_call(value: str) -> bool:
    """Says whether a value is the start of a call or of an expression in braces: `get_token(`, `${{`."""
    return _CALL.search(value) is not None


def is_assigned_secret(name: str, value: str, *, quoted: bool, env: bool = False) -> bool:
    """Says whether `value`, assigned to a secret's `name`, is a secret and no placeholder, count or expression.

    Args:
        name: the whole name on the left, e.g. `DB_PASSWORD`.
        quoted: the value stood in quotes (or is a JSON string), so it is no expression.
        env: `NAME=value` without blanks, as in a .env file; an all-upper-case name then needs no randomness.
    """
    if is_placeholder(value) or _NUMERIC_NAME.search(name) or is_call(value) or _CONSTANT.match(value):
        return False
    if looks_random(value):
        return True
    if "pass" in name.lower() or "pwd" in name.lower():
        is_plain = value.isalnum() or _EXPRESSION.search(value) is None
        return (quoted and " " not in value and not value.isdigit()) or (env and name.isupper() and is_plain)
    if _NAME_OR_PATH.match(value):
        return False
    return quoted and len(value) >= 12 and " " not in value and entropy_bits(value) >= 3.0 and not _WORDS.match(value)


_CONSTANT = re.compile(r"^[A-Z]+(?:_[A-Z]+)+$")
_NAME_OR_PATH = re.compile(r"^(?:~|\.{1,2})?/[\w./-]*$")
_WORDS = re.compile(r"^[A-Za-z]+(?:[-_. /:][A-Za-z]+)*$")
