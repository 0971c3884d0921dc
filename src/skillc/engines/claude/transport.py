"""Claude by the anthropic SDK: structured output, prompt caching, batches, token counting.

The SDK validates no response: it hands on an HTML page as a JSON error, missing fields as None and an unknown stop
reason as it is. So the body is read here, field by field. The key and the address are the SDK's own business: they come
from the person's environment, never from a repository.
Not here: what is asked (engines.model), retries of bad answers (engines.model.asking).
"""

import contextlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from skillc.core.policy import ClaudePolicy
from skillc.engines.claude.prices import price_for
from skillc.engines.model.transport import (
    AUTH,
    BAD_REQUEST,
    MALFORMED,
    NO_MODEL,
    TOO_LARGE,
    UNAVAILABLE,
    ModelAnswer,
    ModelRequest,
    Price,
    TransportError,
    Usage,
)

if TYPE_CHECKING:
    import anthropic

MAX_BODY_BYTES = 32 * 1024 * 1024
MAX_RETRIES = 2
POLL_S = (1.0, 30.0)  # the first wait for a batch, and the longest
_KEY_HINT = "set ANTHROPIC_API_KEY, or use the Claude Code that you have: --engine claude-code"


class ClaudeTransport:
    """Carries requests over the Messages API. A connection is opened with the first one."""

    name = "claude"

    def __init__(self, policy: ClaudePolicy, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._policy = policy
        self._sleep = sleep
        self._client: anthropic.Anthropic | None = None

    def ask(self, request: ModelRequest, *, timeout_s: float) -> ModelAnswer:
        """Returns the answer to one request. The SDK asks again itself after 429, 5xx and a broken connection."""
        with _Failures():
            client = self._open(timeout_s)
            raw = client.messages.with_raw_response.create(**parameters_of(request))
            body = raw.http_response.content
        if len(body) > MAX_BODY_BYTES:
            raise TransportError(MALFORMED, f"the answer has more than {MAX_BODY_BYTES} bytes")
        return answer_of(_json(body))

    def ask_many(self, requests: Sequence[ModelRequest], *, timeout_s: float) -> Mapping[str, ModelAnswer]:
        """Sends one batch and waits for its end. Results come in any order and are known by their digests."""
        ids = {f"r-{request.digest[7:63]}": request for request in requests}
        end = time.monotonic() + timeout_s
        with _Failures():
            client = self._open(timeout_s)
            sent: Any = [{"custom_id": name, "params": parameters_of(request)} for name, request in ids.items()]
            batch = client.messages.batches.create(requests=sent)
            wait = POLL_S[0]
            while batch.processing_status != "ended":
                if time.monotonic() + wait > end:
                    raise TransportError(UNAVAILABLE, f"the batch did not end within {timeout_s:.0f} s")
                self._sleep(wait)
                wait = min(POLL_S[1], wait * 1.5)
                batch = client.messages.batches.retrieve(batch.id)
            found: dict[str, ModelAnswer] = {}
            for entry in client.messages.batches.results(batch.id):
                request = ids.get(str(getattr(entry, "custom_id", "")))
                result = getattr(entry, "result", None)
                message = getattr(result, "message", None)
                if request is None or getattr(result, "type", None) != "succeeded" or message is None:
                    continue
                with contextlib.suppress(TransportError):  # asked again alone, and judged there
                    body = message.model_dump(mode="json", warnings=False) if hasattr(message, "model_dump") else None
                    found[request.digest] = answer_of(body, is_batch=True)
        return found

    def count_tokens(self, request: ModelRequest) -> int | None:
        """Returns the input tokens by the API's own count, or None when it cannot be asked."""
        parameters = {k: v for k, v in parameters_of(request).items() if k not in ("max_tokens",)}
        try:
            with _Failures():
                counted = self._open(60).messages.count_tokens(**parameters)
        except TransportError:
            return None
        return counted.input_tokens if isinstance(counted.input_tokens, int) and counted.input_tokens >= 0 else None

    def price(self, model: str) -> Price | None:
        """Returns the published price, else the one that policy names: a repository makes no model cheaper."""
        return price_for(model, self._policy)

    def close(self) -> None:
        """Ends the connections; the next request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _open(self, timeout_s: float) -> "anthropic.Anthropic":
        import anthropic  # costs two seconds

        if self._client is None:
            self._client = anthropic.Anthropic(max_retries=MAX_RETRIES, timeout=timeout_s)
        return self._client.with_options(timeout=timeout_s)


def parameters_of(request: ModelRequest) -> dict[str, Any]:
    """Returns the request in the words of the Messages API. The stable parts end with a cache mark."""
    mark = {"cache_control": {"type": "ephemeral"}}
    content = [{"type": "text", "text": b.text} | (mark if b.is_stable else {}) for b in request.blocks]
    output: dict[str, Any] = {"format": {"type": "json_schema", "schema": request.answer_schema}}
    if request.effort is not None:
        output["effort"] = request.effort
    return {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "system": [{"type": "text", "text": request.system} | mark],
        "messages": [{"role": "user", "content": content}],
        "output_config": output,
    }


def answer_of(body: Any, *, is_batch: bool = False) -> ModelAnswer:
    """Reads a message, field by field; raises TransportError where it is none. Thinking is not looked at."""
    if not isinstance(body, dict) or body.get("type") != "message" or not isinstance(body.get("content"), list):
        raise TransportError(MALFORMED, "the server answered with something that is no message")
    texts = []
    for block in body["content"]:
        if not isinstance(block, dict) or not isinstance(block.get("type"), str):
            raise TransportError(MALFORMED, "a part of the answer is no content block")
        if block["type"] == "text":
            if not isinstance(block.get("text"), str):
                raise TransportError(MALFORMED, "a text of the answer is no text")
            texts.append(block["text"])
    stop, model, usage = body.get("stop_reason"), body.get("model"), body.get("usage")
    if not isinstance(model, str) or not isinstance(usage, dict):
        raise TransportError(MALFORMED, "the answer does not say which model gave it and what it used")
    return ModelAnswer(
        text="".join(texts),
        stop_reason=stop if isinstance(stop, str) else None,
        model=model_name(model),
        usage=Usage(
            input_tokens=token_count(usage.get("input_tokens")),
            output_tokens=token_count(usage.get("output_tokens")),
            cache_read_tokens=token_count(usage.get("cache_read_input_tokens")),
            cache_write_tokens=token_count(usage.get("cache_creation_input_tokens")),
            is_batch=is_batch,
        ),
    )


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise TransportError(MALFORMED, "the server answered with something that is not JSON") from error


def model_name(model: str) -> str:
    """Returns a model's name for the record: what is no name of a model is not repeated."""
    plain = len(model) <= 100 and model.isascii() and all(c.isalnum() or c in "._:@/[]-" for c in model)
    return model if plain and model else "(unnamed)"


def token_count(value: Any) -> int:
    """Returns a number of tokens: what is none, or negative, counts as none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**12 else 0


class _Failures:
    """Turns every way in which the SDK fails into one kind of error, without the server's words."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, TransportError) or not isinstance(error, Exception):
            return
        if isinstance(error, ImportError):
            hint = "install it: pip install 'skillc[claude]', or use --engine claude-code"
            raise TransportError(AUTH, "the package anthropic is not installed", hint=hint) from error
        import anthropic

        if isinstance(error, anthropic.APIStatusError):
            raise _of_status(error.status_code, error) from error
        if isinstance(error, anthropic.APITimeoutError):
            raise TransportError(UNAVAILABLE, "the server did not answer in time") from error
        if isinstance(error, anthropic.APIConnectionError):
            raise TransportError(UNAVAILABLE, "the server cannot be reached, or cut the connection") from error
        if isinstance(error, anthropic.CredentialsError) or _is_about_key(error):
            raise TransportError(AUTH, "there is no key for the Claude API", hint=_KEY_HINT) from error
        if isinstance(error, anthropic.AnthropicError | ValueError):
            raise TransportError(MALFORMED, "the server answered with something that is no message") from error


def _is_about_key(error: Exception) -> bool:
    return isinstance(error, TypeError) and "authentication method" in str(error)


def _of_status(status: int, error: "anthropic.APIStatusError") -> TransportError:
    if status in (401, 403):
        return TransportError(AUTH, f"the Claude API refused the key ({status})", hint=_KEY_HINT)
    if status == 402:
        return TransportError(AUTH, "the account of the Claude API has no credit (402)")
    if status == 404:
        hint = "models are named under engines in skillc.yaml"
        return TransportError(NO_MODEL, "the Claude API does not know the model (404)", hint=hint)
    if status == 413 or (status == 400 and "too long" in str(error).lower()):
        return TransportError(TOO_LARGE, f"the request is too large ({status})")
    if status in (408, 409, 429) or status >= 500:
        return TransportError(UNAVAILABLE, f"the Claude API is not available ({status})")
    return TransportError(BAD_REQUEST, f"the Claude API refused the request ({status})")
