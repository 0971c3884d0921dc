"""`verifier`: the registry of those who may say how an attempt ended."""

import re
import shlex
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import Json

TEAM = "Team"
_QUOTED = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.""", re.DOTALL)
# Operators, substitutions and variables, and an assignment before the command.
_SHELL = re.compile(r"&&|\|\||>>|[|;&<>`\n]|\$[({A-Za-z_]|\A[A-Za-z_][A-Za-z0-9_]*=")


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    verifier = typer.Typer(
        help="Registers verifiers in skillc.yaml; a change counts once it is merged.", no_args_is_help=True
    )
    verifier.command("add")(add_command)
    verifier.command("list")(list_command)
    verifier.command("remove")(remove_command)
    app.add_typer(verifier, name="verifier", rich_help_panel=TEAM)


def add_command(
    name: Annotated[str, Argument(help="The verifier's id.")],
    kind: Annotated[str, Option(help="tool: a check that runs. external: a system outside.")] = "tool",
    run: Annotated[str | None, Option(help="The command of a check, as one quoted line.")] = None,
    setup: Annotated[str | None, Option(help="A command that prepares the checkout.")] = None,
    protects: Annotated[list[str] | None, Option(help="Files that a session may not change; may be repeated.")] = None,
    fails_before: Annotated[bool, Option("--fails-before", help="The check must fail before the session.")] = False,
    field: Annotated[str | None, Option(help="A mapping: the field of an imported run that holds the score.")] = None,
    success_at: Annotated[float | None, Option(help="A mapping: success from this value on.")] = None,
    source_type: Annotated[
        str | None, Option("--source-type", help="A mapping: whose scores count, as api, annotation, human or model.")
    ] = None,
    key_file: Annotated[
        Path | None, Option("--key-file", help="The public key of a verifier elsewhere; default: this machine's own.")
    ] = None,
    key_class: Annotated[
        str | None, Option("--key-class", help="What it takes to use the key: local, attended or isolated.")
    ] = None,
    force: Annotated[bool, Option("--force", help="Replace a verifier with this id.")] = False,
    as_json: Json = False,
) -> None:
    """Adds a verifier to skillc.yaml of the work tree, with this machine's tool key.

    Examples:

      skillc verifier add unit-tests --run "python3 -m pytest -q" --protects "tests/**"

      skillc verifier add reward --kind external --field reward --success-at 1

      skillc verifier add checked --kind external --field correct --success-at 1 --source-type annotation

      skillc verifier add ci --kind external --key-file ci.pub --key-class isolated

      skillc verifier add git
    """
    from skillc.lifecycle.registry import add_verifier

    entry = _entry(
        name,
        kind,
        run,
        setup,
        list(protects or []),
        fails_before,
        field,
        success_at,
        source_type,
        key_class,
        key_file is not None,
    )
    report = add_verifier(Path.cwd(), entry, force=force, key_file=key_file)
    if as_json:
        view.show_json(report)
        return
    view.say(f"{'replaced' if report.replaced else 'added'}  {report.id} in skillc.yaml")
    view.hint("it counts once it is on base: git add skillc.yaml && git commit")


def _entry(
    name: str,
    kind: str,
    run: str | None,
    setup: str | None,
    protects: list[str],
    fails_before: bool,
    field: str | None,
    success_at: float | None,
    source_type: str | None,
    key_class: str | None,
    has_key: bool,
) -> dict[str, Any]:
    """Returns the registry entry that the options describe. Raises UsageError for what makes no sense."""
    from skillc.core.policy import GIT_VERIFIER, KeyClass
    from skillc.errors import UsageError

    texts = {"run": run, "setup": setup, "field": field, "source-type": source_type}
    blank = next((option for option, text in texts.items() if text is not None and not text.strip(" \t\n'\"")), None)
    if blank is not None:
        raise UsageError(f"--{blank} is empty")
    if kind not in ("tool", "external"):
        raise UsageError(f"there is no kind {kind!r}", hint="kinds: tool, external; people stand under `people:`")
    if (field is None) != (success_at is None):
        raise UsageError("a mapping needs --field and --success-at")
    if success_at is not None and not isfinite(success_at):
        raise UsageError("--success-at must be a finite number")
    if field is not None and kind != "external":
        raise UsageError("a mapping is external: its scores come from outside", hint="add --kind external")
    if source_type is not None and field is None:
        raise UsageError("a source type belongs to a mapping", hint="add --field NAME --success-at VALUE")
    if run is None and field is None and not has_key and name != GIT_VERIFIER:
        raise UsageError(
            "say what it looks at: --run COMMAND, or --field FIELD --success-at VALUE",
            hint="a CI needs --kind external --key-file PATH --key-class isolated",
        )
    if key_class is not None and (key_class not in tuple(KeyClass) or not has_key):
        raise UsageError("--key-class is local, attended or isolated, and belongs to --key-file")
    entry: dict[str, Any] = {"id": name, "kind": kind}
    entry |= {"key_class": key_class} if key_class else {}
    entry |= {"may_assert": ["success", "partial", "failure"]} if name == GIT_VERIFIER else {}
    entry |= {"run": _argv("--run", run)} if run else {}
    entry |= {"setup": _argv("--setup", setup)} if setup else {}
    entry |= {"protects": list(protects)} if protects else {}
    entry |= {"fails_before": True} if fails_before else {}
    if field:
        entry["mapping"] = {"field": field, "success_at": success_at}
        entry["mapping"] |= {"source_type": source_type} if source_type else {}
    return entry


def _argv(option: str, line: str) -> list[str]:
    """Returns the words of a command. Raises UsageError for what only a shell would understand."""
    from skillc.errors import UsageError

    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"the command is not quoted right: {error}") from error
    found = _SHELL.search(_QUOTED.sub("_", line.strip()))
    if found is not None:
        raise UsageError(
            f"{option} holds {found[0]!r}, which only a shell understands, and a check is started without one",
            hint=f"put it into a script of the repository, or: {option} {shlex.quote('sh -c ' + shlex.quote(line))}",
        )
    return words


def list_command(as_json: Json = False) -> None:
    """Lists the registered verifiers and people of the policy that counts.

    Example: skillc verifier list
    """
    from skillc.cli.opening import opened
    from skillc.cli.show_evidence import show_verifiers

    show_verifiers(opened(for_reading=True), as_json=as_json)


def remove_command(
    name: Annotated[str, Argument(help="The verifier's id.")],
    as_json: Json = False,
) -> None:
    """Takes a verifier out of skillc.yaml of the work tree; every other line stays as it is.

    Once that is merged, what it verified counts for nothing any more, and `skillc traces` says so.

    Example: skillc verifier remove reward
    """
    from skillc.lifecycle.registry import remove_verifier

    report = remove_verifier(Path.cwd(), name)
    if as_json:
        view.show_json(report)
        return
    view.say(f"removed  {report.id} from skillc.yaml")
    view.hint("it counts until that is on base: git add skillc.yaml && git commit")
