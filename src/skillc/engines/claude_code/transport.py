"""Claude by the Claude Code that a person has installed: the same questions, for people who have no key.

The program runs headless in an empty folder, without tools, settings, hooks, Skills or MCP servers, and is given the
question on standard input and the shape of the answer as a schema. With a key it runs with `--bare`; without one the
login of the person is needed, which `--bare` never reads, so the same is asked for option by option (ADR 0016).
Not here: starting a program (the service that lifecycle hands in).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from skillc.engines.claude.prices import price_for
from skillc.engines.claude.transport import model_name, token_count
from skillc.engines.model.meter import worst_cost
from skillc.engines.model.services import ModelServices, ProgramAnswer
from skillc.engines.model.transport import (
    AUTH,
    BAD_REQUEST,
    MALFORMED,
    TOO_LARGE,
    UNAVAILABLE,
    ModelAnswer,
    ModelRequest,
    Price,
    TransportError,
    Usage,
)

PROGRAM = "claude"
_ALONE = ("--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands", "--safe-mode")
_QUIET = {
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
}


class ClaudeCodeTransport:
    """Starts the program once a request. `program` is found on PATH."""

    name = "claude-code"

    def __init__(self, services: ModelServices, *, program: str = PROGRAM) -> None:
        self._services = services
        self._program = program

    def ask(self, request: ModelRequest, *, timeout_s: float) -> ModelAnswer:
        """Returns the answer of one headless run; its own count of cost is believed where it is higher."""
        question = "\n\n".join(block.text for block in request.blocks)
        environment = _QUIET | {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.max_tokens)}
        try:
            done = self._services.start(self.argv(request), text=question, environment=environment, timeout_s=timeout_s)
        except OSError as error:
            hint = "install Claude Code, or use: skillc compile --engine claude"
            raise TransportError(AUTH, f"the program {self._program!r} cannot be started", hint=hint) from error
        if done.code is None:
            raise TransportError(UNAVAILABLE, f"Claude Code did not end within {timeout_s:.0f} s")
        return _answer(done, request)

    def argv(self, request: ModelRequest) -> list[str]:
        """Returns the command line of a request. The question itself is not on it."""
        price = self.price(request.model)
        argv = [self._program, "-p", "--output-format", "json", "--tools", "", "--no-session-persistence"]
        argv += ["--model", request.model, "--system-prompt", request.system]
        argv += ["--json-schema", json.dumps(request.answer_schema, separators=(",", ":"))]
        if request.effort is not None:
            argv += ["--effort", request.effort]
        if price is not None:
            argv += ["--max-budget-usd", f"{2 * worst_cost(request, price):.4f}"]
        return [*argv, "--bare"] if self._services.has_key else [*argv, *_ALONE]

    def ask_many(self, requests: Sequence[ModelRequest], *, timeout_s: float) -> Mapping[str, ModelAnswer]:
        """Returns nothing: the program has no batches, and every request is asked alone."""
        return {}

    def count_tokens(self, request: ModelRequest) -> int | None:
        return None

    def price(self, model: str) -> Price | None:
        """Returns the published price, else the one that policy names: a repository makes no model cheaper."""
        return price_for(model, self._services.policy)

    def close(self) -> None:
        """A program that is under way ends with its time limit."""


def _answer(done: ProgramAnswer, request: ModelRequest) -> ModelAnswer:
    try:
        body = json.loads(done.output)
    except (ValueError, RecursionError) as error:
        raise TransportError(MALFORMED, "Claude Code printed something that is no result") from error
    if isinstance(body, list):  # with a verbose setting it prints every message; the result is the last
        body = body[-1] if body else None
    if not isinstance(body, dict) or body.get("type") != "result":
        raise TransportError(MALFORMED, "Claude Code printed something that is no result")
    if body.get("is_error") or body.get("subtype") not in ("success", None):
        raise _failure(body)
    structured = body.get("structured_output")
    text = json.dumps(structured, ensure_ascii=False) if structured is not None else body.get("result")
    stop = body.get("stop_reason")
    if not isinstance(text, str):
        raise TransportError(MALFORMED, "the result of Claude Code holds no answer")
    if stop == "tool_use" and structured is not None:
        stop = "end_turn"  # it asks for the structured output by a tool of its own
    said = body.get("usage")
    usage: dict[str, Any] = said if isinstance(said, dict) else {}
    cost = body.get("total_cost_usd")
    return ModelAnswer(
        text=text,
        stop_reason=stop if isinstance(stop, str) else "end_turn" if structured is not None else None,
        model=_models(body, request.model),
        usage=Usage(
            input_tokens=token_count(usage.get("input_tokens")),
            output_tokens=token_count(usage.get("output_tokens")),
            cache_read_tokens=token_count(usage.get("cache_read_input_tokens")),
            cache_write_tokens=token_count(usage.get("cache_creation_input_tokens")),
        ),
        cost_usd=float(cost) if isinstance(cost, int | float) and 0 <= cost < 1e6 else None,
    )


def _models(body: dict[str, Any], asked: str) -> str:
    used = body.get("modelUsage")
    names = sorted(used) if isinstance(used, dict) else []
    return model_name(asked if asked in names or not names else names[0])


def _failure(body: dict[str, Any]) -> TransportError:
    status, said = body.get("api_error_status"), str(body.get("result", "")).lower()
    if status in (401, 403) or "/login" in said or "invalid api key" in said:
        hint = "log in once: claude, then /login"
        return TransportError(AUTH, "Claude Code is not logged in, or its key was refused", hint=hint)
    if status == 413 or "too long" in said:
        return TransportError(TOO_LARGE, "the request is too large for Claude Code")
    if body.get("subtype") == "error_max_budget_usd":
        return TransportError(BAD_REQUEST, "Claude Code stopped at the budget of the call")
    if status is None or status in (408, 429) or (isinstance(status, int) and status >= 500):
        return TransportError(UNAVAILABLE, "Claude Code gave no result")
    return TransportError(BAD_REQUEST, "the Claude API refused the request of Claude Code")
