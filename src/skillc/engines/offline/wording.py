"""Wording: small tools for sentences that read like a colleague's note.

Everything that comes from a Trace is cut to one line and loses its Markdown before it enters a sentence.
Not here: which sentences are written (engines.offline.steps and its neighbours).
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from skillc.core.record import sha256_hex

MAX_QUOTE_CHARS = 160
MAX_TEXT_CHARS = 400
ELIDED = "…"


def words_of(text: str) -> frozenset[str]:
    """Returns the words of a text as a set, for tables."""
    return frozenset(text.split())


STOPWORDS = words_of(
    "a about actually after again all also am an and any are as at back be because been before being"
    " both but by can cannot could did do does doing done don down during each either else even every"
    " few for from get go going got had has have having he hello help her here hi him his how i if in"
    " into is it its just know let like ll look make many may me might more most much must my need"
    " needs no not now of off ok okay on one only or other our out over own per please provide re s"
    " same see she should since so some such sure t than thank thanks that the their them then there"
    " these they thing this those through to too under until up us use ve very want was way we well"
    " were what when where which while who why will with without would yes yet you your im id ive dont"
    " doesnt find out there anything everything something user name could once"
)
_WORD = re.compile(r"[a-z][a-z'’-]{2,}")
_TAIL = re.compile(r"(?<=[a-z0-9-]{30})-(?=[0-9a-f]*[0-9])[0-9a-f]{8}$")


def joined(parts: Sequence[str], last: str = "and") -> str:
    """Returns `a`, `a and b`, or `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def plain_line(text: str, limit: int = MAX_QUOTE_CHARS) -> str:
    """Returns Trace text as one plain line: no tags, backticks, angle brackets or control characters."""
    text = re.sub(r"</?[A-Za-z_][A-Za-z0-9_-]*>", " ", text)
    text = " ".join(text.replace("`", "'").replace("<", "(").replace(">", ")").split())
    if not text.isprintable():
        text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + ELIDED


def code(text: str) -> str:
    """Returns the text as inline code; backticks inside it are dropped."""
    return f"`{text.replace('`', '')}`"


def sentence(text: str, limit: int = MAX_TEXT_CHARS) -> str:
    """Returns the text as one bounded sentence with a capital and a full stop."""
    text = " ".join(text.split())
    if len(text) > limit:
        text = text[: limit - 1].rstrip(" ,;") + ELIDED
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!", ELIDED)) else text + "."


def spoken(name: str) -> str:
    """Returns a tool's or slug's name in words: `get_user_details` gives `get user details`."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name.rsplit("__", 1)[-1])
    return " ".join(re.split(r"[_\-\s.]+", plain.lower())).strip()


def family_title(slug: str) -> str:
    """Returns a family's name in words, without the digest that ends the name of a long combination."""
    return spoken(_TAIL.sub("", slug))


def content_words(text: str) -> list[str]:
    """Returns the words of a text that could tell what it is about, in order, without repetition."""
    return list(_content_words(text))


@lru_cache(maxsize=2048)
def _content_words(text: str) -> tuple[str, ...]:
    found = dict.fromkeys(w.strip("'’-") for w in _WORD.findall(text.lower()))
    return tuple(w for w in found if w.replace("’", "").replace("'", "") not in STOPWORDS and len(w) > 2)


def claim_id(field: str, text: str, taken: Iterable[str] = ()) -> str:
    """Returns a claim id from field and words: the same line has the same id in every run."""
    words = [w for w in re.findall(r"[a-z0-9]+", text.lower()) if w not in STOPWORDS][:4]
    base = "-".join([field.replace("_", "-"), *words])[:48].strip("-")
    return f"{base}-{sha256_hex(f'{field}:{text}'.encode())[:8]}"
