"""The engine of a command: made once, with what the outside gives it.

The store of answers lies in the repository's private folder, the program is started by repo, the key is looked for
in the person's environment. Not here: the engines (engines.table), what a run does with one (lifecycle.compile).
"""

import os
from collections.abc import Callable, Mapping, Sequence

from skillc.core.compile.roles import Engine
from skillc.engines.model.services import ModelServices, ProgramAnswer
from skillc.engines.table import OFFLINE, RECORDED, engine_named
from skillc.errors import UsageError
from skillc.lifecycle.context import Context

_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


def engine_for(
    context: Context,
    name: str,
    *,
    max_cost: float | None = None,
    is_batch: bool = False,
    tell: Callable[[str], None] = lambda line: None,
) -> Engine:
    """Returns the engine with this name. Raises UsageError for an option that it does not have."""
    thresholds = context.policy.thresholds
    if name == OFFLINE:
        if max_cost is not None or is_batch:
            raise UsageError(
                "the offline engine asks no model: it has no cost and no batches", hint="name one: --engine claude"
            )
        return engine_named(name, thresholds)
    if is_batch and name not in ("claude", RECORDED):
        raise UsageError(f"the engine {name!r} has no batches", hint="skillc compile --engine claude --batch")
    from skillc.repo.answers import KeptAnswers

    services = ModelServices(
        policy=context.policy.engines.claude,
        store=KeptAnswers(context.repository, replays=name == RECORDED),
        start=_start,
        has_key=any(os.environ.get(key) for key in _KEYS),
        max_cost=max_cost,
        is_batch=is_batch,
        tell=tell,
    )
    return engine_named(name, thresholds, services=services)


def _start(argv: Sequence[str], *, text: str, environment: Mapping[str, str], timeout_s: float) -> ProgramAnswer:
    from skillc.repo.program import speak_to

    said = speak_to(argv, text=text, environment=environment, timeout_s=timeout_s)
    return ProgramAnswer(said.code, said.output, said.errors)
