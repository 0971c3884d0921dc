"""`scan`: the scanner by hand, for Skills of one's own and of others."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option
from typer.core import TyperCommand

from skillc.cli import view
from skillc.cli.cmd_setup import EVERYDAY

if TYPE_CHECKING:
    from skillc.core.scan.finding import Severity
    from skillc.core.scan.report import ScanReport
    from skillc.lifecycle.scan.by_hand import ScanOptions

FORMATS = ("text", "json", "sarif", "github")
LEVELS = ("block", "warn", "info")
_CHANGED = "--changed"


class _ScanCommand(TyperCommand):
    """The command line of `scan`, on which the value of --changed may be left out."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, with_changed_value(args))


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("scan", cls=_ScanCommand, rich_help_panel=EVERYDAY)(scan_command)


_Paths = Annotated[
    list[str] | None, Argument(help="Files, folders or archives, or - for standard input; default: the Skills here.")
]
_Form = Annotated[str, Option("--format", help="text, json, sarif or github.")]
_AsJson = Annotated[bool, Option("--json", help="The same as --format json.")]
_Severity = Annotated[
    str | None, Option(help="block, warn or info: this level and above is shown, and counts for the exit code.")
]
_Changed = Annotated[
    str | None, Option(_CHANGED, metavar="[BASE]", help="Only lines that differ from BASE; default: the base branch.")
]
_Baseline = Annotated[Path | None, Option(help="Findings that this file knows are told as suppressed.")]
_NewBaseline = Annotated[Path | None, Option("--write-baseline", help="Write what is found now to this file.")]
_Exclude = Annotated[
    list[str] | None, Option("--exclude", help="Leave out files by glob, as 'assets/**'; may be repeated.")
]
_Name = Annotated[str | None, Option("--name", help="The path that standard input stands for.")]
_NoIgnore = Annotated[bool, Option("--no-ignore", help="Nothing is suppressed by comments or policy.")]
_Traces = Annotated[list[str] | None, Option("--trace", help="A stored Trace by its id, or 'all'; may be repeated.")]
_Explain = Annotated[str | None, Option("--explain", metavar="RULE", help="What a rule means.")]
_Rules = Annotated[bool, Option("--rules", help="List all rules.")]


def scan_command(
    paths: _Paths = None,
    form: _Form = "text",
    as_json: _AsJson = False,
    severity: _Severity = None,
    changed: _Changed = None,
    baseline: _Baseline = None,
    write_baseline: _NewBaseline = None,
    exclude: _Exclude = None,
    name: _Name = None,
    no_ignore: _NoIgnore = False,
    trace: _Traces = None,
    explain: _Explain = None,
    rules: _Rules = False,
) -> None:
    """Scans Skills, Traces or any text for secrets, instance data, hidden characters and injected orders.

    A Skill folder is scanned with its scripts, a Trace event by event, an archive (.zip, .skill, .tar, .tar.gz) in
    memory. Nothing is executed and no network is used. What was not looked at is always told.

    Exit code 0: clean, or warnings only. 1: a finding blocks; with --severity warn a warning counts too, with
    --severity info everything. 3: something was not looked at (a link, an image, a broken archive); leave it out by
    --exclude, or in skillc.yaml under scan.ignore with the rule `unread`.

    Let a finding stand by a comment on its line or the line above, with a reason: <!-- skillc-scan: ignore RULE --
    reason --> in Markdown, # skillc-scan: ignore RULE -- reason in scripts. It counts in files that git tracks where
    base holds skillc.yaml, never in compiled or foreign Skills.

    Examples:

      skillc scan .claude/skills

      skillc scan some-skill.zip --format json

      skillc scan . --changed --format sarif

      skillc scan skills --write-baseline scan-baseline.json

      skillc scan skills --baseline scan-baseline.json --severity warn

      skillc scan --trace all

      skillc scan - --name SKILL.md < SKILL.md

      skillc scan --explain pipe-to-shell
    """
    form = _format(form, as_json)
    if rules or explain is not None:
        _show_rules(explain, form)
        return
    from skillc.lifecycle.scan.by_hand import ScanOptions

    level, left, traces = _level(severity), tuple(exclude or ()), tuple(trace or ())
    options = ScanOptions(level, baseline, write_baseline, changed, left, name, no_ignore, traces)
    _scan(paths or [], form, options)


def _scan(paths: list[str], form: str, options: "ScanOptions") -> None:
    """Scans, shows the report, and ends with its exit code."""
    from skillc.lifecycle.scan.by_hand import scan_paths

    progress = _Progress()
    try:
        report = scan_paths(paths, options=replace(options, tell=progress.tell))
    finally:
        progress.end()
    _show(report, form)
    raise typer.Exit(report.exit_code())


def with_changed_value(arguments: Sequence[str]) -> list[str]:
    """Returns the arguments with a bare --changed given an empty value, which means the base branch.

    It is bare at the end, before another option, and before a file or folder that is there.
    """
    found: list[str] = []
    for number, word in enumerate(arguments):
        if word == "--":
            return [*found, *arguments[number:]]
        after = arguments[number + 1] if number + 1 < len(arguments) else None
        is_bare = after is None or after.startswith("-") or os.path.lexists(after)
        found.append(f"{_CHANGED}=" if word == _CHANGED and is_bare else word)
    return found


def _format(form: str, as_json: bool) -> str:
    from skillc.errors import UsageError

    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r}", hint=f"formats: {', '.join(FORMATS)}")
    if as_json and form not in ("text", "json"):
        raise UsageError(f"--json and --format {form} are two formats", hint="name one of them")
    return "json" if as_json else form


def _level(severity: str | None) -> "Severity | None":
    from skillc.core.scan.finding import Severity
    from skillc.errors import UsageError

    if severity is None:
        return None
    if severity not in LEVELS:
        raise UsageError(f"there is no severity {severity!r}", hint=f"severities: {', '.join(LEVELS)}")
    return Severity(severity)


def _show(report: "ScanReport", form: str) -> None:
    from skillc.cli.show_scan import show_github, show_sarif, show_scan

    if form == "json":
        view.show_json(report)
        return
    show: dict[str, Callable[[ScanReport], None]] = {"text": show_scan, "sarif": show_sarif, "github": show_github}
    show[form](report)


def _show_rules(rule_id: str | None, form: str) -> None:
    from skillc.cli.show_scan import RuleList, show_rule, show_rules
    from skillc.core.scan.rule_catalogue import catalogue, rule_named
    from skillc.errors import UsageError

    if form not in ("text", "json"):
        raise UsageError(f"rules have no format {form!r}", hint="formats: text, json")
    found = catalogue()
    if rule_id is not None:
        rule = rule_named(rule_id)
        if rule is None:
            raise UsageError(f"there is no rule {rule_id!r}", hint="list them: skillc scan --rules")
        found = (rule,)
    if form == "json":
        view.show_json(RuleList(rules=found))
    elif rule_id is not None:
        show_rule(found[0])
    else:
        show_rules(found)


class _Progress:
    """The count of files on one line of standard error, on a terminal only and not for a few files."""

    _EVERY = 25

    def __init__(self) -> None:
        import sys

        self._stream = sys.stderr
        self._is_on = self._stream.isatty()
        self._is_shown = False

    def tell(self, files: int) -> None:
        """Shows the count now and then."""
        if self._is_on and files % self._EVERY == 0:
            self._stream.write(f"\rscanned {files} files")
            self._stream.flush()
            self._is_shown = True

    def end(self) -> None:
        """Takes the line away."""
        if self._is_shown:
            self._stream.write("\r" + " " * 40 + "\r")
            self._stream.flush()
