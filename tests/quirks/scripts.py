"""What a scripted session is: a prompt and actions of an agent in a small repository.

The same script is played by the real host (tests.real_client) or by `tests.quirks.recording`, without one.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Bash:
    command: str


@dataclass(frozen=True)
class Read:
    path: str


@dataclass(frozen=True)
class Write:
    path: str
    content: str


@dataclass(frozen=True)
class Edit:
    path: str
    old: str
    new: str


Action = Bash | Read | Write | Edit


@dataclass(frozen=True)
class Session:
    """One attempt. `passes` is what the check must say of its last commit."""

    name: str
    prompt: str
    actions: tuple[Action, ...]
    passes: bool = True


@dataclass(frozen=True)
class QuirkRepository:
    """A repository whose tests have a generator, a variable and a flaky test in front of them.

    `task` are the edits of one more task of the family, `values` fill the placeholders of a Skill. `generator`,
    `variable` and `flaky` are the words that a good Skill says of each quirk.
    """

    name: str
    family: str
    files: dict[str, str]
    check: tuple[str, ...]
    sessions: tuple[Session, ...]
    task: tuple[Write | Edit, ...]
    generator: str
    variable: str
    flaky: str
    values: dict[str, str] = field(default_factory=dict)
