"""`init`, `demo`, `schema`: before the first Trace."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from skillc.cli import view

if TYPE_CHECKING:
    from skillc.lifecycle.init import InitReport

EVERYDAY = "Everyday"
EXPERT = "Expert"
Json = Annotated[bool, Option("--json", help="Print the answer as one JSON object.")]
Forge = Annotated[str | None, Option(help="Write workflows and a block of CODEOWNERS for this forge: github.")]
Owners = Annotated[list[str] | None, Option(help="With --forge: who approves, @org/team or @user; may be repeated.")]
DryRun = Annotated[bool, Option("--dry-run", "-n", help="Say what would be done, and write nothing.")]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("init", rich_help_panel=EVERYDAY)(init_command)
    app.command("demo", rich_help_panel=EVERYDAY)(demo_command)
    app.command("schema", rich_help_panel=EXPERT)(schema_command)


def init_command(
    namespace: Annotated[str | None, Option(help="Name of the namespace; default: the folder's name.")] = None,
    host: Annotated[
        list[str] | None, Option(help="Capture this host's sessions by a hook: claude-code, codex or gemini.")
    ] = None,
    drop_host: Annotated[list[str] | None, Option("--remove-host", help="Take that hook away again.")] = None,
    shared: Annotated[bool, Option("--shared", help="With --host: in the project's settings, for everybody.")] = False,
    deny: Annotated[
        bool | None,
        Option(
            "--deny-rules/--no-deny-rules", help="With --host: keep its agent from approve, trust, verify --as, keys."
        ),
    ] = None,
    plugin: Annotated[
        Path | None, Option("--plugin", help="Write a Claude Code plugin here: the hook and the Skills of base.")
    ] = None,
    forge: Forge = None,
    owners: Owners = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Makes a namespace here: skillc.yaml, .gitattributes, and a key of this machine for local checks.

    Writes files and commits nothing. Running it again changes nothing. With --host the hook goes into your own
    settings of that host, merged with what is there. With --plugin a folder is written that Claude Code can install,
    with --forge workflows and a marked block of CODEOWNERS; what you changed in it is kept.

    Examples:

      skillc init && git add skillc.yaml .gitattributes && git commit -m "skillc: namespace"

      skillc init --host claude-code

      skillc init --plugin ../team-plugin

      skillc init --forge github --owners @acme/skill-reviewers
    """
    hosts, dropped = host or [], drop_host or []
    if forge is not None or owners:
        others = bool(hosts or dropped or shared or plugin) or deny is not None
        _forge(forge, owners or [], namespace, others=others, dry_run=dry_run, as_json=as_json)
        return
    if plugin is not None:
        others = bool(namespace or hosts or dropped or shared or deny is not None)
        _plugin(plugin, others=others, dry_run=dry_run, as_json=as_json)
        return
    _require_sense(hosts, dropped, namespace, shared=shared, deny=deny)
    if dropped:
        _remove_host(dropped[0], shared=shared, dry_run=dry_run, as_json=as_json)
        return
    if hosts:
        _add_host(hosts[0], namespace, shared=shared, deny=deny, dry_run=dry_run, as_json=as_json)
        return
    from skillc.lifecycle.init import init

    report = init(Path.cwd(), namespace=namespace, dry_run=dry_run)
    if as_json:
        view.show_json(report)
    else:
        _show_init(report, dry_run=dry_run)


def _show_init(report: "InitReport", *, dry_run: bool) -> None:
    for name in report.written:
        view.say(f"{'would write' if dry_run else 'wrote'}  {name}")
    for name in report.kept:
        view.say(f"kept   {name}")
    where = "in the tree of this branch" if report.traces == "tree" else "on the branch skillc/traces"
    view.say(f"namespace {report.namespace}; Traces go {where}")
    view.say(
        f"check: {view.literal(' '.join(report.check))}"
        if report.check
        else "no check found: add one with skillc verifier add"
    )
    if not report.is_key_registered:
        view.say("the key of this machine is not registered: what it verifies and compiles does not count yet")
        view.say("  skillc verifier add NAME --run 'COMMAND', and merge that")
    view.say(f"{report.past_sessions} past sessions, {report.verifiable} verifiable now")
    view.hint("next:\n  " + "\n  ".join(report.commands))


def _require_sense(
    hosts: list[str], dropped: list[str], namespace: str | None, *, shared: bool, deny: bool | None
) -> None:
    """Raises UsageError for options that belong to another one that is not there."""
    from skillc.errors import UsageError

    if len(hosts) + len(dropped) > 1:
        raise UsageError("--host or --remove-host, for one host at a time", hint="run it once for each host")
    if shared and not hosts and not dropped:
        raise UsageError("--shared belongs to --host or --remove-host", hint="skillc init --host claude-code --shared")
    if deny is not None and not hosts:
        raise UsageError(
            "deny rules belong to --host; --remove-host takes them away",
            hint="skillc init --host claude-code --deny-rules",
        )
    if namespace is not None and dropped:
        raise UsageError("--namespace or --remove-host, one at a time")


def _add_host(
    host: str, namespace: str | None, *, shared: bool, deny: bool | None, dry_run: bool, as_json: bool
) -> None:
    from skillc.cli.show_evidence import show_host
    from skillc.lifecycle.hosts import deny_rules, register_host
    from skillc.lifecycle.init import init_if_new, open_repository

    repository = open_repository(Path.cwd())
    rules = deny_rules(host)
    wanted = _offer(rules) if deny is None and not as_json else bool(deny)
    report = register_host(repository, host, shared=shared, deny=wanted, dry_run=dry_run)
    if wanted and not rules:
        view.note(f"{host} reads no deny rules in its settings, so none were written")
    written = init_if_new(Path.cwd(), namespace=namespace, dry_run=dry_run)
    if as_json:
        view.show_json(report)
        return
    if written:
        view.say(f"{'would write' if dry_run else 'wrote'}  {', '.join(written)}: see skillc init")
    show_host(report, dry_run=dry_run)


def _remove_host(host: str, *, shared: bool, dry_run: bool, as_json: bool) -> None:
    from skillc.cli.show_evidence import show_host
    from skillc.lifecycle.hosts import remove_host
    from skillc.lifecycle.init import open_repository

    report = remove_host(open_repository(Path.cwd()), host, shared=shared, dry_run=dry_run)
    if as_json:
        view.show_json(report)
    else:
        show_host(report, dry_run=dry_run)


def _plugin(folder: Path, *, others: bool, dry_run: bool, as_json: bool) -> None:
    from skillc.cli.opening import opened
    from skillc.errors import UsageError
    from skillc.lifecycle.plugin import write_plugin

    if others:
        raise UsageError("--plugin stands alone", hint="skillc init --plugin FOLDER")
    report = write_plugin(opened(for_reading=True, drains=False, dry_run=dry_run), folder, dry_run=dry_run)
    if as_json:
        view.show_json(report)
        return
    from skillc.cli.show_status import show_plugin

    show_plugin(report, dry_run=dry_run)


def _forge(
    forge: str | None, owners: list[str], namespace: str | None, *, others: bool, dry_run: bool, as_json: bool
) -> None:
    from skillc.errors import UsageError

    if forge is None or others:
        what = "--owners belongs to --forge" if forge is None else "--forge stands alone, but for --namespace"
        raise UsageError(what, hint="skillc init --forge github --owners @ORG/TEAM")
    from skillc.lifecycle.init import init_if_new

    init_if_new(Path.cwd(), namespace=namespace, dry_run=dry_run)
    from skillc.cli.opening import opened
    from skillc.lifecycle.init_forge import init_forge

    report = init_forge(opened(for_reading=True, drains=False, dry_run=dry_run), forge, owners=owners, dry_run=dry_run)
    if as_json:
        view.show_json(report)
        return
    from skillc.cli.show_status import show_forge

    show_forge(report, dry_run=dry_run)


def _offer(rules: tuple[str, ...]) -> bool:
    """Asks on a terminal whether the deny rules go in too."""
    import sys

    from skillc.cli.terminal import confirm

    if not rules or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    view.note("deny rules keep the agent from commands that are for you, and from the keys:")
    for rule in rules:
        view.note(f"  {rule}")
    return confirm("Add them too?")


def demo_command(
    keep: Annotated[bool, Option("--keep", help="Keep the temporary repository and say where it is.")] = False,
    as_json: Json = False,
) -> None:
    """Shows the whole loop on shipped sessions in a temporary repository, offline.

    Captures real sessions, runs the project's tests at their commits, compiles, reviews, merges, explains a
    line, and takes the Skill back with git revert. Nothing outside the temporary folder is touched.

    Example: skillc demo
    """
    from skillc.cli.demo import run_demo

    raise typer.Exit(run_demo(keep=keep, as_json=as_json))


def schema_command(
    name: Annotated[str | None, Argument(help="Name of a record; without one, the names are listed.")] = None,
) -> None:
    """Prints the published JSON Schema of a record.

    Example: skillc schema contract > contract.schema.json
    """
    from skillc.lifecycle.schemas import schema_names, schema_of

    if name is None:
        for known in schema_names():
            view.say(known)
        return
    view.say(schema_of(name))
