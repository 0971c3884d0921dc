"""`verify`: settles how attempts ended, in one of the ways that are not the agent's word."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import EVERYDAY, DryRun, Json
from skillc.cli.opening import opened

if TYPE_CHECKING:
    from skillc.core.trace.codec import Trace
    from skillc.core.trace.records import Outcome
    from skillc.lifecycle.verify import VerifyReport
    from skillc.lifecycle.verify_walk import WalkItem

_WAYS = "skillc verify --run CHECK, --from-git, --from-events, --all, or --as NAME --outcome success TRACE"

# What each way takes besides --dry-run and --json, in the order of the ways.
_OPTIONS_OF: dict[str, frozenset[str]] = {
    "--run": frozenset({"TRACE", "--at"}),
    "--from-git": frozenset({"TRACE"}),
    "--from-events": frozenset({"TRACE"}),
    "--all": frozenset({"TRACE"}),
    "--as": frozenset({"TRACE", "--outcome", "--key", "--reason"}),
    "--ci": frozenset({"--commit", "--result", "--verifier", "--key", "--merged-by", "--pull-request"})
    | {"--namespace", "--remote", "--no-push"},
    "a walk": frozenset({"TRACE", "--key", "--reason"}),
}
_ALL_OPTIONS = sorted(frozenset().union(*_OPTIONS_OF.values()))
# Options whose parameter has another name.
_PARAMETERS = {"TRACE": "traces", "--all": "everything", "--as": "as_person", "--no-push": "push"}

Traces = Annotated[list[str] | None, Argument(help="Trace ids or their beginnings; default: all unverified.")]
FromEvents = Annotated[
    bool, Option("--from-events", help="Read the runs of registered checks that the session itself shows.")
]
At = Annotated[
    str | None, Option("--at", help="With --run: the commit that holds the work, where the transcript shows none.")
]
PrivateKey = Annotated[
    Path | None,
    Option("--key", help="Your private key, or a public half; default: git's, or the registered one in your agent."),
]
# The options of a signing job.
Commit = Annotated[str | None, Option(help="With --ci: the commit that was tested, all its digits.")]
Result = Annotated[str | None, Option(help="With --ci: the result of the test job.")]
VerifierId = Annotated[str | None, Option(help="With --ci: the CI's id in the registry.")]
MergedBy = Annotated[str | None, Option(help="With --ci: who merged the commit, as the forge says.")]
PullRequest = Annotated[int | None, Option(help="With --ci: the number of the pull request.")]
Namespace = Annotated[str | None, Option(help="With --ci --merged-by: the namespace, where no Trace says it.")]
Remote = Annotated[str, Option(help="With --ci: where the ledger is fetched from and pushed to.")]
Push = Annotated[bool, Option("--push/--no-push", help="With --ci: fetch and push the ledger.")]


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("verify", rich_help_panel=EVERYDAY)(verify_command)


def verify_command(
    ctx: typer.Context,
    traces: Traces = None,
    run: Annotated[str | None, Option("--run", help="Run this registered check at the session's last commit.")] = None,
    from_git: Annotated[bool, Option("--from-git", help="Ask base: merged is a success, reverted a failure.")] = False,
    from_events: FromEvents = False,
    everything: Annotated[bool, Option("--all", help="Ask base, then the events, for every Trace.")] = False,
    as_person: Annotated[str | None, Option("--as", help="Judge as this registered person, with their key.")] = None,
    ci: Annotated[bool, Option("--ci", help="In a signing job: state how the tests of a commit ended.")] = False,
    at: At = None,
    outcome: Annotated[str | None, Option(help="With --as: success, partial, failure or abandoned.")] = None,
    key: PrivateKey = None,
    reason: Annotated[str, Option(help="With --as: one line in your words.")] = "",
    commit: Commit = None,
    result: Result = None,
    verifier: VerifierId = None,
    merged_by: MergedBy = None,
    pull_request: PullRequest = None,
    namespace: Namespace = None,
    remote: Remote = "origin",
    push: Push = True,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Settles how attempts ended: by a check, by base, by a CI, or by a person's word. Signed, on the ledger.

    A check runs in a temporary checkout of the commit that the session ended with, and does not count when the
    session changed the files that it protects. Without options, on a terminal, it walks you through the attempts
    that nobody verified.

    Examples:

      skillc verify --run unit-tests

      skillc verify --from-git

      skillc verify --all

      skillc verify --as alice --outcome success t-1b2c
    """
    way = _way_of(ctx.params)
    names = traces or []
    if ci:
        report = _by_ci(
            commit, result, verifier, key, merged_by, pull_request, namespace, remote if push else None, dry_run
        )
    elif as_person is not None and outcome is not None:
        report = _by_person(as_person, outcome, names, key, reason, dry_run)
    elif way in ("--as", "a walk"):
        report = _walk(as_person, names, key, reason, as_json=as_json, dry_run=dry_run)
    else:
        report = _by_machine(run, from_git, from_events, names, at, dry_run)
    _show(report, dry_run=dry_run, as_json=as_json)


def _way_of(given: dict[str, object]) -> str:
    """Returns the one way that was asked for. Raises UsageError for two, and for an option of another way."""
    from skillc.errors import UsageError

    ways = {way: given[_PARAMETERS.get(way, way[2:].replace("-", "_"))] for way in _OPTIONS_OF if way != "a walk"}
    named = [way for way, value in ways.items() if value is not None and value is not False]
    if len(named) > 1:
        raise UsageError("say who verifies, in one way", hint=_WAYS)
    way = named[0] if named else "a walk"
    for option in _ALL_OPTIONS:
        value = given[_PARAMETERS.get(option, option[2:].replace("-", "_"))]
        is_given = value is False if option == "--no-push" else value not in (None, "", [], (), "origin")
        if is_given and option not in _OPTIONS_OF[way]:
            owners = " or ".join(name for name, options in _OPTIONS_OF.items() if option in options)
            raise UsageError(
                f"{option} says nothing to {way}; it belongs to {owners}", hint="see: skillc verify --help"
            )
    return way


def _show(report: "VerifyReport", *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        view.show_json(report)
        return
    from skillc.cli.show_evidence import show_verify

    show_verify(report, dry_run=dry_run)


def _by_machine(
    run: str | None, from_git: bool, from_events: bool, names: list[str], at: str | None, dry_run: bool
) -> "VerifyReport":
    context = opened(dry_run=dry_run)
    if run is not None:
        from skillc.lifecycle.verify_run import verify_by_check

        return verify_by_check(context, run, trace_ids=names, at=at, dry_run=dry_run)
    from skillc.lifecycle.verify_all import verify_all
    from skillc.lifecycle.verify_events import verify_by_events
    from skillc.lifecycle.verify_git import verify_by_git

    way = verify_by_git if from_git else verify_by_events if from_events else verify_all
    report = way(context, trace_ids=names, dry_run=dry_run)
    for line in context.notes:
        view.note(line)
    return report


def _by_ci(
    commit: str | None,
    result: str | None,
    verifier: str | None,
    key: Path | None,
    merged_by: str | None,
    pull_request: int | None,
    namespace: str | None,
    remote: str | None,
    dry_run: bool,
) -> "VerifyReport":
    from skillc.errors import UsageError
    from skillc.lifecycle.verify import VerifyReport
    from skillc.lifecycle.verify_ci import KEY_VARIABLE, CiStatement, outcome_of_job, verify_by_ci

    if commit is None or result is None or verifier is None:
        raise UsageError("--ci needs --commit, --result and --verifier", hint="see templates/github/skillc-verify.yml")
    secret = os.environ.get(KEY_VARIABLE, "")
    if key is None and not secret:
        raise UsageError(
            f"there is no key: {KEY_VARIABLE} is empty", hint="set it in the job's environment, or --key PATH"
        )
    outcome = outcome_of_job(result)
    if outcome is None:
        view.note(f"the job was {result}, which says nothing about the commit")
        return VerifyReport(verifier=verifier, results=(), recorded=0)
    statement = CiStatement(commit, outcome, verifier, merged_by, pull_request, namespace)
    return verify_by_ci(Path.cwd(), statement, key=key or secret, remote=remote, dry_run=dry_run)


def _by_person(
    name: str, outcome: str, names: list[str], key: Path | None, reason: str, dry_run: bool
) -> "VerifyReport":
    from skillc.cli.terminal import require_person
    from skillc.core.trace.records import Outcome
    from skillc.errors import UsageError
    from skillc.lifecycle.verify_person import persons_key, verify_by_person

    require_person("verify --as")
    try:
        verdict = Outcome(outcome)
    except ValueError:
        raise UsageError("--outcome must be success, partial, failure or abandoned") from None
    context = opened(dry_run=dry_run)
    with persons_key(context, name, key) as path:
        return verify_by_person(context, name, verdict, names, key_path=path, reason=reason, dry_run=dry_run)


def _walk(
    name: str | None, names: list[str], key: Path | None, reason: str, *, as_json: bool, dry_run: bool
) -> "VerifyReport":
    """Walks a person through the attempts that nobody verified, and signs the answers at the end."""
    from skillc.cli.terminal import require_person
    from skillc.errors import UsageError
    from skillc.lifecycle.verify import VerifyReport
    from skillc.lifecycle.verify_person import person_of_key, persons_key, record_answers, registered_judge
    from skillc.lifecycle.verify_walk import walk_items

    if as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("say who verifies; without a way it needs a terminal and a person", hint=_WAYS)
    require_person("verify")
    context = opened(dry_run=dry_run)
    with persons_key(context, name, key) as path:
        who = name or person_of_key(context, path)
        if who is None:
            raise UsageError(
                "your key is not the registered key of a verifier", hint="name yourself: --as NAME --key PATH"
            )
        person = registered_judge(context, who, path)
        answers = _asked(walk_items(context, names))
        if not answers:
            return VerifyReport(verifier=who, results=(), recorded=0)
        return record_answers(context, person, answers, key_path=path, reason=reason, dry_run=dry_run)


def _asked(items: "list[WalkItem]") -> "list[tuple[Trace, Outcome]]":
    """Shows each attempt and returns what the person said, until they stop."""
    from skillc.cli.show_evidence import show_walk_item

    answers: list[tuple[Trace, Outcome]] = []
    for number, item in enumerate(items, start=1):
        show_walk_item(item, number=number, total=len(items))
        try:
            answer = _ask()
        except EOFError:
            break
        if answer is not None:
            answers.append((item.trace, answer))
    if not items:
        view.say("nothing waits: every Trace is verified, or reported a failure")
    return answers


def _ask() -> "Outcome | None":
    """Returns the outcome, or None for the next one. Raises EOFError when the person stops."""
    from skillc.lifecycle.verify_walk import ANSWERS

    while True:
        sys.stderr.write("success (s), partial (p), failure (f), next (n), quit (q): ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        word = line.strip().lower()[:1]
        if not line or word == "q":
            raise EOFError
        if word == "n":
            return None
        if word in ANSWERS:
            return ANSWERS[word]
