"""The policy of a namespace: every setting and every number, each in this one place.

Reads skillc.yaml text into frozen records. The file is data from a repository that may be hostile: its size,
depth, aliases and duplicate keys are limited before anything is built. Paper: 5.1, 5.4, 5.6.
Not here: which revision of the file counts (lifecycle.context), what a gate does with it (core.admit.gates).
"""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from skillc.core.admission_policy import CHARS_PER_TOKEN as CHARS_PER_TOKEN
from skillc.core.admission_policy import MAX_BODY_LINES as MAX_BODY_LINES
from skillc.core.admission_policy import MAX_BODY_TOKENS as MAX_BODY_TOKENS
from skillc.core.admission_policy import MAX_DESCRIPTION_CHARS as MAX_DESCRIPTION_CHARS
from skillc.core.admission_policy import MAX_NAME_CHARS as MAX_NAME_CHARS
from skillc.core.admission_policy import TARGET_DESCRIPTION_CHARS as TARGET_DESCRIPTION_CHARS
from skillc.core.admission_policy import ApprovalMode as ApprovalMode
from skillc.core.admission_policy import (
    ApprovalPolicy,
    CompilePolicy,
    EvaluationPolicy,
    Identifier,
    LimitsPolicy,
    MaintainPolicy,
    UnmanagedRule,
)
from skillc.core.admission_policy import KeyClass as KeyClass
from skillc.core.admission_policy import Slug as Slug
from skillc.core.record import Record
from skillc.core.trace.records import Outcome
from skillc.core.yaml_text import load_yaml
from skillc.errors import PolicyError

POLICY_FORMAT = "skillc.namespace/1"
POLICY_FILE = "skillc.yaml"
# The verifier of merges and reverts. It needs no entry: any registered key may sign for it. ADR 0010.
GIT_VERIFIER = "git"
RESERVED_FOLDERS = ("traces", ".skillc")  # ours, see repo.layout

RESERVED_NAMES = ("synced",)  # folder names that a host keeps for itself

# Limits of what a model is asked; Choice, ADR 0015.
MAX_PROMPT_CHARS = 240_000  # of quoted evidence in one request: below 100,000 tokens
MAX_EVENT_CHARS = 1_500  # of one event's text or arguments, cut in the middle
MAX_CITED_EVENT_CHARS = 4_000  # of an event that a draft, a Skill or a summary cites
PROMPT_CHARS_PER_TOKEN = 2.5  # for the greatest possible price: JSON of code has few characters a token
MAX_ANSWER_TOKENS = 64_000


class VerifierKind(StrEnum):
    """The party behind a verification. Paper: 5.1."""

    TOOL = "tool"
    HUMAN = "human"
    EXTERNAL = "external"


class TracesLocation(StrEnum):
    """Where Traces are stored: on the orphan branch, or in the tree of a repository of their own."""

    BRANCH = "branch"
    TREE = "tree"


class SplitRule(StrEnum):
    """Whether a session is one attempt, or one for each objective that the person set in it."""

    SESSION = "session"
    OBJECTIVE = "objective"


class RestrictedPattern(Record):
    """Calls that are stored as references without content, with their results: globs, all of which must match.

    `path` and `host` are looked for in the arguments, `label` among the labels or tags of a record. Paper: 5.3.
    """

    tool: str | None = None
    path: str | None = None
    host: str | None = None
    label: str | None = None

    @model_validator(mode="after")
    def _names_something(self) -> "RestrictedPattern":
        if not any((self.tool, self.path, self.host, self.label)):
            raise ValueError("names none of tool, path, host and label")
        return self


class TracesPolicy(Record):
    """How Traces are stored."""

    location: TracesLocation = TracesLocation.BRANCH
    max_result_bytes: Annotated[int, Field(ge=1024, le=1024 * 1024)] = 16384
    restricted: tuple[RestrictedPattern, ...] = ()
    exclude_paths: tuple[str, ...] = ()
    split: SplitRule = SplitRule.SESSION
    redact_names: tuple[str, ...] = ()


class Person(Record):
    """A person with a key that needs the person."""

    id: Identifier
    roles: tuple[Literal["approver", "verifier"], ...] = ()
    key: str | None = None
    key_class: KeyClass = KeyClass.ATTENDED


class Mapping(Record):
    """How a field of an imported run becomes an outcome: `field` is a dotted path, success at or above.

    In a store of scores `field` is the score's name. `source_type` says whose scores count (api, annotation,
    human, code, model ...); without it a judge's never do.
    """

    field: str
    success_at: Annotated[float, Field(allow_inf_nan=False)]
    source_type: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")] | None = None

    @property
    def ref(self) -> str:
        """What a verification cites: a verdict counts as long as exactly this rule stays registered."""
        rule = f"{self.field} >= {self.success_at:g}"
        return rule if self.source_type is None else f"{rule} of {self.source_type}"


class Verifier(Record):
    """A registered verifier: a check that runs, or an external system."""

    id: Identifier
    kind: VerifierKind
    may_assert: tuple[Outcome, ...] = (Outcome.SUCCESS, Outcome.FAILURE)
    key: str | None = None
    key_class: KeyClass = KeyClass.LOCAL
    run: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()
    protects: tuple[str, ...] = ()
    fails_before: bool = False
    timeout_s: Annotated[int, Field(ge=1, le=86400)] = 600
    mapping: Mapping | None = None


class FamilyDeclaration(Record):
    """A task family that people agreed on. `operations` are the changing operations that mark it."""

    slug: Slug
    description: str = ""
    operations: tuple[str, ...] = ()


class Thresholds(Record):
    """Numbers that the paper leaves open; ADR 0005 gives the reason for each."""

    prior_strength: Annotated[float, Field(gt=0)] = 4.0
    established_trust: Annotated[float, Field(ge=0, le=1)] = 0.5
    family_score: Annotated[float, Field(ge=0, le=1)] = 0.95
    retain_runs: Annotated[int, Field(ge=1)] = 3
    mandatory_share: Annotated[float, Field(gt=0, le=1)] = 0.8
    optional_share: Annotated[float, Field(gt=0, le=1)] = 0.15
    minimum_families: Annotated[int, Field(ge=1)] = 3


class RoleModel(Record):
    """Which model fills a role, how hard it thinks, and how long its answer may be, thinking included."""

    model: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@/\[\]-]{0,99}$")]
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    max_tokens: Annotated[int, Field(ge=256, le=MAX_ANSWER_TOKENS)] = 16_000


class ModelPrice(Record):
    """What a model costs, in US dollars for a million tokens, where the shipped table does not know it."""

    input: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    output: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class ClaudePolicy(Record):
    """Models of the engines `claude` and `claude-code`, role by role; ADR 0015 gives the reason for each."""

    summarizer: RoleModel = RoleModel(model="claude-haiku-5-5", effort="low", max_tokens=8_000)
    reflector: RoleModel = RoleModel(model="claude-opus-5-5", effort="high", max_tokens=32_000)
    curator: RoleModel = RoleModel(model="claude-sonnet-5-5", effort="high", max_tokens=24_000)
    scanner: RoleModel = RoleModel(model="claude-haiku-5-5", effort="medium", max_tokens=12_000)
    family_scorer: RoleModel = RoleModel(model="claude-haiku-5-5", effort="low", max_tokens=4_000)
    timeout_s: Annotated[int, Field(ge=1, le=3600)] = 600
    run_timeout_s: Annotated[int, Field(ge=1, le=86400)] = 7200
    prices: dict[str, ModelPrice] = Field(default_factory=dict)


class EnginesPolicy(Record):
    """Settings of the engines that ask a model. The offline engine has none."""

    claude: ClaudePolicy = Field(default_factory=ClaudePolicy)


class VerifyingParty(Record):
    """A registered verifier or person, reduced to what weighing needs."""

    id: str
    kind: VerifierKind
    may_assert: tuple[Outcome, ...]
    key: str | None
    key_class: KeyClass
    mapped_field: str | None = None
    implicit: bool = False  # without an entry of its own: only the cited basis gives it worth


class ScanIgnore(Record):
    """A rule that the scanner does not hold against files of the repository: a folder or a glob, and the reason."""

    rule: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
    path: Annotated[str, Field(pattern=r"^[^/\x00-\x1f][^\x00-\x1f]*$", max_length=400)]
    reason: Annotated[str, Field(pattern=r"[^\W_]{2}", max_length=400)]


class ScanPolicy(Record):
    """What `skillc scan` shows as suppressed. Paper: 5.3."""

    ignore: tuple[ScanIgnore, ...] = ()


class Policy(Record):
    """The whole of skillc.yaml."""

    format: Literal["skillc.namespace/1"]
    namespace: Identifier
    security_domain: Identifier
    skills_dir: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$")] = ".claude/skills"
    traces: TracesPolicy = Field(default_factory=TracesPolicy)
    approval: ApprovalPolicy = Field(default_factory=ApprovalPolicy)
    people: tuple[Person, ...] = ()
    verifiers: tuple[Verifier, ...] = ()
    families: tuple[FamilyDeclaration, ...] = ()
    evaluations: EvaluationPolicy = Field(default_factory=EvaluationPolicy)
    limits: LimitsPolicy = Field(default_factory=LimitsPolicy)
    unmanaged: UnmanagedRule = UnmanagedRule.WARN
    compile: CompilePolicy = Field(default_factory=CompilePolicy)
    maintain: MaintainPolicy = Field(default_factory=MaintainPolicy)
    thresholds: Thresholds = Field(default_factory=Thresholds)
    engines: EnginesPolicy = Field(default_factory=EnginesPolicy)
    scan: ScanPolicy = Field(default_factory=ScanPolicy)

    @model_validator(mode="after")
    def _consistent(self) -> "Policy":
        ids = [p.id for p in self.people] + [v.id for v in self.verifiers]
        doubled = sorted({i for i in ids if ids.count(i) > 1})
        if doubled:
            raise ValueError(f"people and verifiers share the id {doubled[0]!r}; each id must be unique")
        slugs = [family.slug for family in self.families]
        if len(set(slugs)) != len(slugs):
            raise ValueError("two families have the same slug")
        parts = self.skills_dir.lower().split("/")
        if {"..", ".", ".git"} & set(parts) or parts[0] in RESERVED_FOLDERS:
            raise ValueError("skills_dir must be a plain folder inside the repository that nothing else uses")
        return self

    def verifier(self, verifier_id: str) -> Verifier | None:
        return next((v for v in self.verifiers if v.id == verifier_id), None)

    def person(self, person_id: str) -> Person | None:
        return next((p for p in self.people if p.id == person_id), None)

    def verifying_party(self, party_id: str) -> VerifyingParty | None:
        """Returns the registered party with this id, if it may verify at all."""
        verifier = self.verifier(party_id)
        if verifier is not None:
            return VerifyingParty(
                id=verifier.id,
                kind=verifier.kind,
                may_assert=verifier.may_assert,
                key=verifier.key,
                key_class=verifier.key_class,
                mapped_field=verifier.mapping.ref if verifier.mapping else None,
            )
        person = self.person(party_id)
        if person is None or "verifier" not in person.roles:
            return None
        return VerifyingParty(
            id=person.id,
            kind=VerifierKind.HUMAN,
            may_assert=tuple(Outcome),
            key=person.key,
            key_class=person.key_class,
        )


def parse_policy(text: bytes, *, path: str = POLICY_FILE) -> Policy:
    """Reads a policy file. Raises PolicyError that names the file and the line or the setting."""
    value = load_yaml(text, path=path)
    if not isinstance(value, dict):
        raise PolicyError(f"{path}:1: is no mapping of settings", hint="run: skillc init")
    found = value.get("format")
    if found != POLICY_FORMAT:
        raise PolicyError(
            f"{path}: has format {found!r}, this skillc reads {POLICY_FORMAT!r}",
            hint="a newer format needs a newer skillc; otherwise mend the line `format:`",
        )
    try:
        return Policy.model_validate_json(_as_json(value, path))
    except ValidationError as error:
        lines = [
            f"{path}: {'.'.join(str(p) for p in item['loc']) or 'file'}: {item['msg']}"
            for item in error.errors(include_input=False, include_url=False, include_context=False)[:20]
        ]
        raise PolicyError("\n".join(lines), hint="see the comments that `skillc init` writes") from error


def _as_json(value: Any, path: str) -> bytes:
    import json

    try:
        return json.dumps(value, default=str, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise PolicyError(
            f"{path}: holds a value that is no text, number, list or mapping",
            hint="mend the value; a number must be finite",
        ) from error
