"""Operations: what a tool call does, named without its arguments' values.

`operation` is the part of a call that may decide a task family, so it carries no instance data. Paper: 5.1.
"""
