"""What lifecycle hands to an engine that asks a model: settings, a store, a limit, and ways to tell and to start.

Engines read no repository and start no program by themselves. Not here: making these things (lifecycle.engines).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from skillc.core.policy import ClaudePolicy
from skillc.engines.model.transport import AnswerStore


class ProgramAnswer(NamedTuple):
    """How a program ended and what it printed; `code` is None after a time-out."""

    code: int | None
    output: str
    errors: str


class StartProgram(Protocol):
    """Starts a program in an empty folder of its own."""

    def __call__(
        self, argv: Sequence[str], *, text: str, environment: Mapping[str, str], timeout_s: float
    ) -> ProgramAnswer:
        """Returns how it ended. Raises OSError when it cannot be started."""
        ...


@dataclass(frozen=True)
class ModelServices:
    """Everything that the outside gives to a model's engine. `max_cost` is in US dollars."""

    policy: ClaudePolicy
    store: AnswerStore
    start: StartProgram
    has_key: bool = False
    max_cost: float | None = None
    is_batch: bool = False
    tell: Callable[[str], None] = lambda line: None
