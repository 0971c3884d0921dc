"""Whether a value in a secret's place is one: placeholders, counts and expressions are not.

A published prefix tells a credential by itself; an assignment or a header tells only its name. These tests decide
about the value then. Paper: 5.3, Scanners. Not here: the formats (core.scan.formats).
"""

import math
import re
from collections import Counter
from itertools import pairwise

_PLACEHOLDER = re.compile(
    r"""^(?:
        <[^<>]*>|\[[^\]]*\]|\{[^{}]*\}|\$[({]?\w+[)}]?|%[({]?\w+[)}]?s?%?|
        \*+|x{3,}|X{3,}|\.{2,}|_+|-+|0+|(?:your|my|the|some|an?)[-_ ]\D*|.*[-_](?:here|placeholder|goes[-_]here)|
        .*(?:example|placeholder|redacted|changeme|change[-_]me|replace[-_]?me|dummy|xxxx|testpass).*|\D*password\D*|
        .*(?:\*\*\*|\.\.\.|\$\{|\{\{|<[a-z_ -]+).*|
        _{1,3}[A-Z][A-Z0-9_]*_{1,3}|(?:.*[-_\ ])?(?:your|insert|replace|enter|put|fill[-_]in)[-_\ ].*|
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


def is_mixed_case(value: str, share: float = 0.4) -> bool:
    """Says whether letters change their case as often as in random text: `ZUxSyJKuXWQ`, and not `getUserName`."""
    letters = [c for c in value if c.isalpha()]
    changes = sum(a.isupper() != b.isupper() for a, b in pairwise(letters))
    return len(letters) >= 8 and changes > share * len(letters)


def is_made_up(value: str) -> bool:
    """Says whether a value counts up instead of being random: `sk_live_a1b2c3d4`, `AKIAEXPOSEDKEY123456`, `abc123`."""
    body = [c for c in value if c.isalnum()]
    counted, longest = 0, 0
    for step in (1, 2):  # 1, 2, 3; or a, 1, b, 2
        run, total = 1, 0
        for at in range(step, len(body) + 1):
            if at < len(body) and _follows(body[at - step], body[at]):
                run += 1
                continue
            total += run if run >= 3 * step else 0
            if body[at - step * run] in "01aA":
                longest = max(longest, run)
            run = 1
        counted = max(counted, total)
    return counted * 2 >= len(body) or (longest >= 6 and longest * 10 >= len(body) * 3)


def _follows(first: str, second: str) -> bool:
    return ord(second) - ord(first) == 1 or (first, second) == ("9", "0")


def is_strong(value: str) -> bool:
    """Says whether a value is key material or a chosen password of several kinds of characters, and no joined words."""
    if _WORDY.match(value) or _COMMON.search(value.lower().translate(_LEET)):
        return False
    kinds = sum(any(test(c) for c in value) for test in (str.islower, str.isupper, str.isdigit, _is_sign))
    return (
        (len(value) >= 16 and looks_random(value))
        or (len(value) >= 10 and kinds >= 3)
        or (len(value) >= 8 and kinds >= 3 and _TANGLED.search(value) is not None)
        or (
            len(value) >= 10
            and not value.islower()
            and _TANGLED.search(value) is not None
            and any(map(str.isdigit, value))
        )
        or (is_mixed_case(value, 0.3) and _CAMEL.match(value) is None)
    )


def _is_sign(character: str) -> bool:
    return not character.isalnum() and character not in "-_. "


_LEET = str.maketrans("0134578@$!", "oieastbasi")
_COMMON = re.compile(r"passw|admin|welcome|secret|qwert|letmein|example|changeme|hunter")
_TANGLED = re.compile(r"[A-Za-z]\d+[A-Za-z]|[a-z][A-Z]+[a-z]")
_CAMEL = re.compile(r"^[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)*[A-Z]{0,4}$")
_WORDY = re.compile(r"^[A-Za-z]?[a-z]+(?:[-_. /:@&]?[A-Z]?[a-z]{2,})*(?:[-_.@#]?\d{1,4})?[!?*#.$]*$")


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
    if _ADDRESS.match(value):  # the address of a page about it, or a secret of its own format
        return False
    if looks_random(value):
        return True
    if "pass" in name.lower() or "pwd" in name.lower():
        is_plain = value.isalnum() or _EXPRESSION.search(value) is None
        return (quoted and " " not in value and not value.isdigit()) or (env and name.isupper() and is_plain)
    if _NAME_OR_PATH.match(value):
        return False
    return quoted and len(value) >= 12 and " " not in value and entropy_bits(value) >= 3.0 and not _WORDS.match(value)


_ADDRESS = re.compile(
    r"^(?:https?|file|op|vault|ref|arn|ssm|gcp|env|awssm|keychain|bw|pass)(?:\+\w+)?:(?://|/|aws)", re.I
)
_CONSTANT = re.compile(r"^[A-Z]+(?:_[A-Z]+)+$")
_NAME_OR_PATH = re.compile(r"^(?:~|\.{1,2})?/[\w./-]*$")
_WORDS = re.compile(r"^[A-Za-z]+(?:[-_. /:][A-Za-z]+)*$")
