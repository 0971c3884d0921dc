"""Sets of words as they are written in the tables of this project: one text, a blank between two.

Not here: words of people's texts (core.trace.family_marks, core.scan.values).
"""


def names(text: str) -> frozenset[str]:
    """Returns the words of a text as a set."""
    return frozenset(text.split())
