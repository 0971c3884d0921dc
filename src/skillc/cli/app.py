"""The command table, and the outermost frame: every way in which a command can end.

Help groups follow how often people need a command: everyday, team, expert. A stop is told as one message and a
hint, with `--json` as one object; anything else is our bug: a short message and a report without local values.
Not here: what a command does (cli.cmd_*).
"""

import json
import os
import sys
import tempfile
import traceback
from typing import Annotated

import typer
from typer import Option

from skillc.cli import (
    cmd_amend,
    cmd_audit,
    cmd_capture,
    cmd_compile,
    cmd_evaluate,
    cmd_evidence,
    cmd_explain,
    cmd_forget,
    cmd_govern,
    cmd_maintain,
    cmd_publish,
    cmd_registry,
    cmd_scan,
    cmd_setup,
    cmd_status,
    cmd_team,
    cmd_upkeep,
    cmd_verify,
)
from skillc.cli.view import printable
from skillc.errors import EXIT_BUG, EXIT_INTERRUPTED, EXIT_NO, SkillcError, UsageError

app = typer.Typer(
    name="skillc",
    help="Compiles verified agent runs into Agent Skills that you review like code.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    pretty_exceptions_show_locals=False,
    rich_markup_mode="rich",
)

cmd_setup.register(app)
cmd_status.register(app)
cmd_capture.register(app)
cmd_evidence.register(app)
cmd_verify.register(app)
cmd_compile.register(app)
cmd_govern.register(app)
cmd_scan.register(app)
cmd_explain.register(app)
cmd_team.register(app)
cmd_amend.register(app)
cmd_upkeep.register(app)
cmd_maintain.register(app)
cmd_publish.register(app)
cmd_forget.register(app)
cmd_registry.register(app)
cmd_evaluate.register(app)
cmd_audit.register(app)


def _version(value: bool) -> None:
    if value:
        from skillc.version import __version__

        typer.echo(f"skillc {__version__}")
        raise typer.Exit(0)


@app.callback()
def _root(
    version: Annotated[
        bool, Option("--version", "-V", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Compiles verified agent runs into Agent Skills that you review like code."""


def run(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    argv = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    as_json = "--json" in argv or ("--format" in argv and "json" in argv)
    try:
        code = app(args=argv, prog_name="skillc", standalone_mode=False)
        if code == EXIT_INTERRUPTED:  # typer turns Ctrl-C into this code
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0
    except typer.TyperException as error:
        return _tell_usage(error, as_json)
    except typer.Abort:
        print("aborted", file=sys.stderr)
        return EXIT_NO
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1 if end.code else 0
    except SkillcError as error:
        _tell(error, as_json)
        return error.code
    except KeyboardInterrupt:
        print("interrupted; nothing is half done", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.errno == 28:
            print("error: the disk is full\n\nhint: free some space and run the command again", file=sys.stderr)
            return 4
        return _report_bug(error)
    except Exception as error:  # the one place where everything ends
        return _report_bug(error)


def _tell(error: SkillcError, as_json: bool) -> None:
    if as_json:
        body = {"code": error.name, "message": error.message, "hint": error.hint}
        print(json.dumps({"format": "skillc.error/1", "error": body}, ensure_ascii=False))
        return
    print(f"error: {printable(error.message)}", file=sys.stderr)
    if error.hint:
        print(f"\nhint: {printable(error.hint)}", file=sys.stderr)


def _tell_usage(error: typer.TyperException, as_json: bool) -> int:
    """Tells a wrong command line in our own form, with the command's own help as the hint."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "skillc"
    message = error.format_message() or ""
    if message.lstrip().startswith("Usage:") or not message.strip():  # a group without a command shows its help
        print(message.strip() or (context.get_help() if context is not None else ""))
        return UsageError.code
    message = " ".join(message.split()).rstrip(".")  # choices come on lines of their own, with tabs
    _tell(UsageError(message, hint=f"see: {command} --help"), as_json)
    return UsageError.code


def _report_bug(error: BaseException) -> int:
    """Writes where it happened, never the values: a local could hold Trace text."""
    frames = [f"{f.filename}:{f.lineno} in {f.name}" for f in traceback.extract_tb(error.__traceback__)]
    with tempfile.NamedTemporaryFile("w", prefix="skillc-report-", suffix=".txt", delete=False) as file:
        file.write(type(error).__name__ + "\n" + "\n".join(frames) + "\n")
    print(f"error: skillc has a bug ({type(error).__name__}); a report is in {file.name}", file=sys.stderr)
    return EXIT_BUG
