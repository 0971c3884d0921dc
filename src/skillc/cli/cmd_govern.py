"""`approve`, `policy`, `evaluation`: who lets a candidate in, by which rule, and what was tried before."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import DryRun, Json
from skillc.cli.opening import opened, who

EVERYDAY = "Everyday"
TEAM = "Team"
KEY_VARIABLE = "SKILLC_EVALUATION_KEY"

Candidate = Annotated[str, Argument(help="A candidate: its family, run, branch or Skill.")]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("approve", rich_help_panel=EVERYDAY)(approve_command)
    policy = typer.Typer(help="Says which rule of skillc.yaml decides.", no_args_is_help=True)
    policy.command("explain")(explain_command)
    app.add_typer(policy, name="policy", rich_help_panel=TEAM)
    evaluation = typer.Typer(
        help="Asks for evaluations of candidates, records their results, lists them.", no_args_is_help=True
    )
    evaluation.command("request")(request_command)
    evaluation.command("record")(record_command)
    evaluation.command("list")(list_command)
    app.add_typer(evaluation, name="evaluation", rich_help_panel=TEAM)


def approve_command(
    name: Candidate,
    key: Annotated[
        Path | None,
        Option(help="Private key of a registered approver; default: the one of your git setting or your ssh-agent."),
    ] = None,
    reason: Annotated[str, Option(help="Why; kept with the record.")] = "",
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Signs for a candidate as it is now: your approval, which no other content can use.

    Needs a person at a terminal, and a registered approver's key that needs the person. Where policy admits
    automatically, what waited for you is admitted with it; else merge the branch, and the record is its proof.

    Example: skillc approve fix-failing-test --key ~/.ssh/id_ed25519
    """
    if not dry_run:
        from skillc.cli.terminal import require_person

        require_person("approve")
    from skillc.cli.show_govern import show_approved
    from skillc.lifecycle.approve import approve

    report = approve(opened(dry_run=dry_run), name, key_path=key, reason=reason, dry_run=dry_run)
    if as_json:
        view.show_json(report)
    else:
        show_approved(report, dry_run=dry_run)


def explain_command(
    skill: Annotated[str, Argument(help="A candidate or a Skill, by name, id, family or run.")],
    as_json: Json = False,
) -> None:
    """Says what the policy of base decides about a Skill, and which rule decided.

    Example: skillc policy explain fix-failing-test
    """
    from skillc.cli.show_govern import show_policy
    from skillc.lifecycle.policy_explain import explain_policy

    report = explain_policy(opened(for_reading=True), skill)
    if as_json:
        view.show_json(report)
    else:
        show_policy(report)


def request_command(
    name: Candidate,
    evaluator: Annotated[list[str] | None, Option(help="Who is asked; default: those that policy requires.")] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Asks evaluators to run a candidate: what they read to know what waits.

    Example: skillc evaluation request refund-order --evaluator sandbox-eval
    """
    from skillc.cli.show_govern import show_evaluations
    from skillc.lifecycle.evaluation import request_evaluation

    context = opened(dry_run=dry_run)
    report = request_evaluation(context, name, evaluator or [], by=who(context), dry_run=dry_run)
    if as_json:
        view.show_json(report)
    else:
        show_evaluations(report)


def record_command(
    name: Candidate,
    evaluator: Annotated[str, Option(help="The registered evaluator that ran it.")],
    verdict: Annotated[Literal["passed", "failed"], Option(help="How it ended.")],
    version: Annotated[str, Option("--evaluator-version", help="Version of the evaluator.")],
    environment: Annotated[str, Option(help="Where it ran, in a few words.")],
    evidence: Annotated[str, Option(help="Reference to what was seen, such as the address of a log.")],
    key: Annotated[
        Path | None, Option(help=f"Private key of the evaluator; default: the text of ${KEY_VARIABLE}.")
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Records how an evaluation of a candidate ended, signed by the evaluator. A failed one rejects the candidate.

    Example: skillc evaluation record refund-order --evaluator sandbox-eval --verdict passed
    --evaluator-version 1.4 --environment "staging, 40 tasks" --evidence https://ci.example.org/runs/17
    """
    from skillc.cli.show_govern import show_evaluations
    from skillc.core.admit.evaluation import EvaluationVerdict
    from skillc.lifecycle.evaluation import evaluation_key, record_evaluation

    with evaluation_key(key, KEY_VARIABLE) as key_path:
        report = record_evaluation(
            opened(dry_run=dry_run),
            name,
            evaluator=evaluator,
            version=version,
            environment=environment,
            verdict=EvaluationVerdict(verdict),
            evidence=evidence,
            key_path=key_path,
            dry_run=dry_run,
        )
    if as_json:
        view.show_json(report)
    else:
        show_evaluations(report)


def list_command(
    name: Annotated[str | None, Argument(help="A candidate; default: all that wait.")] = None,
    as_json: Json = False,
) -> None:
    """Lists the evaluations that waiting candidates need or have.

    Exit code 1 while a required one is missing.

    Example: skillc evaluation list --json
    """
    from skillc.cli.show_govern import show_evaluations
    from skillc.lifecycle.evaluation import list_evaluations

    report = list_evaluations(opened(for_reading=True), name)
    if as_json:
        view.show_json(report)
    else:
        show_evaluations(report)
    raise typer.Exit(1 if any(e.is_required and e.state != "passed" for e in report.evaluations) else 0)
