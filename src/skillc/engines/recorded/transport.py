"""The engine `recorded`: answers of earlier runs, and nothing else. A request without a record is an error.

It opens no connection and costs nothing, so that a run can be looked at again as it was.
Not here: keeping answers (engines.model.asking), where they lie (the store that lifecycle hands in).
"""

from collections.abc import Mapping, Sequence

from skillc.engines.model.transport import NOT_RECORDED, ModelAnswer, ModelRequest, Price, TransportError


class RecordedTransport:
    """Has no answer of its own: what was kept is found before a transport is asked."""

    name = "recorded"

    def ask(self, request: ModelRequest, *, timeout_s: float) -> ModelAnswer:
        """Raises, because the store had no answer to exactly this request."""
        raise TransportError(
            NOT_RECORDED,
            f"there is no recorded answer to the request {request.digest[7:19]}",
            hint="evidence, models or prompts differ from the recorded run; ask with: skillc compile --engine claude",
        )

    def ask_many(self, requests: Sequence[ModelRequest], *, timeout_s: float) -> Mapping[str, ModelAnswer]:
        """Returns nothing."""
        return {}

    def count_tokens(self, request: ModelRequest) -> int | None:
        return None

    def price(self, model: str) -> Price | None:
        """Nothing is paid for a recorded answer."""
        return Price(input=0, output=0, cache_read=0, cache_write=0)

    def close(self) -> None:
        """There is nothing to close."""
