"""A pager for what is longer than the terminal, by git's rules: $SKILLC_PAGER, $PAGER, else `less -FRX`.

`cat` or an empty value is none. The value is words and no shell line. Not here: what is shown (cli).
"""

import os
import shlex
from collections.abc import Mapping

from skillc.repo.program import page

_DEFAULT = "less"
_LESS = "FRX"  # ends by itself when one screen is enough, keeps our colours, leaves the text on the screen


def pager_command(environment: Mapping[str, str]) -> list[str]:
    """Returns the words of the pager's command; an empty list for none."""
    for name in ("SKILLC_PAGER", "PAGER"):
        if name in environment:
            try:
                words = shlex.split(environment[name])
            except ValueError:
                return []
            return [] if words in ([], ["cat"]) else words
    return [_DEFAULT, f"-{_LESS}"]


def show_in_pager(text: str) -> bool:
    """Shows a text in the pager; says whether one was there."""
    words = pager_command(os.environ)
    own = {name: os.environ.get(name, "") for name in ("LC_ALL", "LANGUAGE")}  # the person's, to show their letters
    settings = {"LESS": os.environ.get("LESS", _LESS), "LESSCHARSET": "utf-8", **own}
    return bool(words) and page(words, text, environment=settings)
