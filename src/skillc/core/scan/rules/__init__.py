"""The rules, one a file, in the order in which they report. A rule is added here and nowhere else."""

from skillc.core.scan.rule import Rule
from skillc.core.scan.rules import (
    credentials,
    hidden_unicode,
    home_paths,
    instruction_override,
    pipe_to_shell,
    private_urls,
)

RULES: tuple[Rule, ...] = (
    credentials.RULE,
    hidden_unicode.RULE,
    instruction_override.RULE,
    pipe_to_shell.RULE,
    private_urls.RULE,
    home_paths.RULE,
)
