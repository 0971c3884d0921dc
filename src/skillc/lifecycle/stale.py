"""Stale Skills: commands, paths and flags that a Skill names, that the project had, and that HEAD has no more.

A name counts as gone only when the tree before the Skill's evidence or before its admission had it, in the history of
HEAD, and HEAD has not: what nobody can tell is not told. Nothing is run. Paper: 5.4, 5.6.
Not here: what a text names (core.skill.named) and offers (core.skill.offers), lines that attempts contradict
(lifecycle.upkeep).
"""

import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from skillc.core.record import Record
from skillc.core.skill.contract import cited_events
from skillc.core.skill.named import Named, NamedKind, named_things
from skillc.core.skill.offers import MAX_TEXT_BYTES, is_lost, offers
from skillc.core.skill.task_runners import Interface, files_of
from skillc.core.trace.records import TraceHeader
from skillc.errors import UsageError
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import SkillHistory, StoredSkill, current_skills, require_skill
from skillc.repo.fates import Fate, commits_in, fate_of, last_change_of, objects_at, objects_in, paths_named
from skillc.repo.objects import ObjectReader, TooLargeError, open_reader

_EVIDENCE_COMMITS = 3  # the newest; the tree before the admission comes on top of them
_MODULE_FORMS = ("{}.py", "{}/__main__.py", "{}/__init__.py", "src/{}.py", "src/{}/__main__.py", "src/{}/__init__.py")
_DEFINITIONS = {
    Interface.NODE_SCRIPT: '"{}"[[:space:]]*:',
    Interface.COMPOSER_SCRIPT: '"{}"[[:space:]]*:',
    Interface.DENO_TASK: '"{}"[[:space:]]*:',
    Interface.MAKE_TARGET: "^{}([[:space:]][^:=]*)?:",
    Interface.JUST_RECIPE: "^@?{}([[:space:]][^:=]*)?:",
}


class StaleItem(Record):
    """One thing that a claim names and that is not there any more.

    `became` is the path that git says it moved to, or the one new file of the same name; `commit` took it away.
    """

    field: str
    claim_id: str
    kind: NamedKind
    named: str
    state: Literal["gone", "renamed"]
    became: str | None = None
    commit: str | None = None


class OutdatedSkill(Record):
    """A Skill with the names that are gone, and the commands of which one mends it."""

    skill: str
    skill_id: str
    task_family: str
    items: tuple[StaleItem, ...]
    next: tuple[str, ...] = ()


class StaleReport(Record):
    """The answer of `skillc stale`. `head` is the commit that was looked at; `checked` counts the names."""

    format: Literal["skillc.stale/1"] = "skillc.stale/1"
    head: str | None
    checked: int
    skills: tuple[OutdatedSkill, ...]
    ok: bool


def stale(context: Context, name: str | None = None) -> StaleReport:
    """Returns which names of one Skill, or of all, are gone. Raises RepoError in a shallow clone."""
    context.repository.require_full_history()
    skills = [require_skill(context, name)] if name is not None else list(current_skills(context).values())
    if name is not None and skills[0].contract is None:
        raise UsageError(f"{name!r} is written by hand: what it names is not known")
    found = tuple(with_compilation(context, o) for o in outdated_skills(context, skills, context.traces.headers()))
    return StaleReport(
        head=context.repository.resolve("HEAD"),
        checked=sum(len({n.named for n in named_things(s.contract)}) for s in skills if s.contract is not None),
        skills=found,
        ok=not found,
    )


def with_compilation(context: Context, outdated: OutdatedSkill) -> OutdatedSkill:
    """Offers a compilation too, where one would find evidence that no run has read."""
    from skillc.lifecycle.repairs import planned  # reads whole attempts: only where a Skill is stale

    if not planned(context, outdated.task_family).is_due:
        return outdated
    again = f"skillc compile --family {outdated.task_family}"
    return outdated.model_copy(update={"next": (outdated.next[0], again, *outdated.next[1:])})


def outdated_skills(
    context: Context, skills: Iterable[StoredSkill], headers: Iterable[TraceHeader]
) -> tuple[OutdatedSkill, ...]:
    """Returns the Skills that name something which is gone, by name; none in a shallow clone or without a commit."""
    named = {s.name: named_things(s.contract) for s in skills if s.contract is not None}
    kept = [s for s in skills if named.get(s.name)]
    head = context.repository.resolve("HEAD") if kept else None
    if head is None or context.repository.is_shallow:
        return ()
    starts = {h.trace_id: h.environment.git.head_start for h in headers if h.environment.git is not None}
    with open_reader(context.repository) as reader:
        paths = {s.name: _looked_into(named[s.name]) for s in kept}
        look = _Look(context, head, reader)
        look.load({head: frozenset[str]().union(*paths.values())})
        doubtful = {s.name: [n for n in named[s.name] if _is_doubtful(look, n)] for s in kept}
        suspects = [s for s in kept if doubtful[s.name]]
        before = _commits_before(look, suspects, starts) if suspects else {}
        wanted: dict[str, frozenset[str]] = {}
        for name, commits in before.items():
            wanted |= {c: wanted.get(c, frozenset()) | paths[name] for c in commits}
        look.load(wanted)
        return tuple(o for s in suspects if (o := _outdated(look, s, doubtful[s.name], before[s.name])) is not None)


def _looked_into(named: Iterable[Named]) -> frozenset[str]:
    return frozenset(p for n in named for p in _places(n))


def _places(named: Named) -> tuple[str, ...]:
    """Returns the paths of which one must be there for a name to hold."""
    if named.interface is Interface.MODULE:
        return tuple(form.format(named.path) for form in _MODULE_FORMS)
    extra = (named.key,) if named.interface is Interface.MAKE_TARGET else ()
    return (*_definition_files(named), *extra)


def _definition_files(named: Named) -> tuple[str, ...]:
    """Returns the paths at which the file that defines a name may lie, the usual one first."""
    folder = posixpath.dirname(named.path)
    return tuple(posixpath.join(folder, f) for f in files_of(named.interface)) or (named.path,)


@dataclass
class _Look:
    """What is read of the trees, each once, and of all Skills together: a process costs more than its answer."""

    context: Context
    head: str
    reader: ObjectReader
    trees: dict[str, dict[str, str]] = field(default_factory=dict)
    fates: dict[str, Fate] = field(default_factory=dict)

    def load(self, wanted: Mapping[str, frozenset[str]]) -> None:
        """Reads which of these paths commits have."""
        for commit, found in objects_in(self.context.repository, wanted).items():
            self.trees.setdefault(commit, {}).update(found)

    def at(self, commit: str) -> Mapping[str, str]:
        return self.trees[commit]

    def text(self, object_id: str) -> str | None:
        try:
            data = self.reader.read(object_id, limit=MAX_TEXT_BYTES)
        except TooLargeError:
            return None
        return None if data is None or b"\0" in data else data.decode("utf-8", "replace")

    def reader_at(self, commit: str) -> Callable[[str], str | None]:
        """Returns what reads another file of a commit by its path, as a file of tasks includes it."""

        def read(path: str) -> str | None:
            entry = objects_at(self.context.repository, commit, [path]).get(path)
            return None if entry is None else self.text(entry)

        return read

    def fate(self, path: str) -> Fate:
        if path not in self.fates:
            self.fates[path] = fate_of(self.context.repository, self.head, path)
        return self.fates[path]


def _is_doubtful(look: _Look, named: Named) -> bool:
    """Says whether a name has to be looked up in older commits: all but a file that is there."""
    return named.interface is not Interface.FILE or named.path not in look.at(look.head)


def _outdated(look: _Look, skill: StoredSkill, doubtful: list[Named], before: list[str]) -> OutdatedSkill | None:
    items = tuple(i for n in doubtful if (i := _item(look, n, before)) is not None)
    if not items or skill.contract is None:
        return None
    family = skill.contract.task_family
    ways = (f"skillc amend {skill.name}", f"skillc retire {skill.name} --reason TEXT")
    return OutdatedSkill(skill=skill.name, skill_id=skill.contract.skill_id, task_family=family, items=items, next=ways)


def _commits_before(
    look: _Look, skills: Iterable[StoredSkill], starts: Mapping[str, str | None]
) -> dict[str, list[str]]:
    """Returns, by Skill, commits in HEAD's history at which its names must have held: before admission and evidence."""
    history = SkillHistory(look.context)
    revisions = {s.name: _revisions_of(history, s, starts) for s in skills}
    known = commits_in(look.context.repository, look.head, (r for own in revisions.values() for r in own))
    commits = {name: dict.fromkeys(known[r] for r in own if r in known) for name, own in revisions.items()}
    return {name: [c for c in own if c != look.head] for name, own in commits.items()}


def _revisions_of(history: SkillHistory, skill: StoredSkill, starts: Mapping[str, str | None]) -> list[str]:
    assert skill.contract is not None
    last = next((c for c in reversed(history.changes.get(skill.name, [])) if c.tree == skill.tree), None)
    cited = dict.fromkeys(s for t in reversed(list(cited_events(skill.contract))) if (s := starts.get(t)))
    return [*([f"{last.commit}^1"] if last is not None else []), *list(cited)[:_EVIDENCE_COMMITS]]


def _item(look: _Look, named: Named, before: list[str]) -> StaleItem | None:
    """Returns a name as gone, or None where it is there or nobody can tell."""
    now = look.at(look.head)
    if named.interface in (Interface.FILE, Interface.MODULE):
        places = _places(named)
        if any(p in now for p in places) or _is_package(look, named):
            return None
        was = next((p for commit in before for p in places if p in look.at(commit)), None)
        return _gone_path(look, named, was, before) if was is not None else None
    if named.interface is Interface.MAKE_TARGET and named.key in now:
        return None
    return _lost_item(look, named, before)


def _lost_item(look: _Look, named: Named, before: list[str]) -> StaleItem | None:
    """Returns a name that its file defined and does not now, or that went with its file."""
    files = _definition_files(named)
    path = next((f for f in files if f in look.at(look.head)), None)
    text = look.text(look.at(look.head)[path]) if path is not None else None
    for commit in before:
        was = next((f for f in files if f in look.at(commit)), None)
        old = look.text(look.at(commit)[was]) if was is not None else None
        if was is None or old is None:
            continue
        if path is None:
            if offers(named.interface, named.key, old, was, look.reader_at(commit)):
                return _gone_path(look, named, was, before)
        elif text is not None and is_lost(
            named.interface,
            named.key,
            old,
            text,
            path=path,
            read_before=look.reader_at(commit),
            read_after=look.reader_at(look.head),
        ):
            return _made(named, "gone", None, _lost_with(look, named, path))
    return None


def _is_package(look: _Look, named: Named) -> bool:
    """Says whether a module's folder is still there: a folder is a package, whatever lies in it."""
    if named.interface is not Interface.MODULE:
        return False
    return bool(objects_at(look.context.repository, look.head, [named.path, f"src/{named.path}"]))


def _gone_path(look: _Look, named: Named, was: str, before: list[str]) -> StaleItem:
    fate = look.fate(was)
    if fate.became is not None:
        return _made(named, "renamed", fate.became, fate.commit)
    repository = look.context.repository
    same = [p for p in paths_named(repository, look.head, posixpath.basename(was)) if p != was]
    old = {p for commit in before for p in objects_at(repository, commit, same)} if same else set()
    new = [p for p in same if p not in old]
    return _made(named, "gone", new[0] if len(new) == 1 else None, fate.commit)


def _lost_with(look: _Look, named: Named, path: str) -> str | None:
    literal = named.key.replace(".", "[.]")
    pattern = _DEFINITIONS.get(named.interface, "{}").format(literal)
    if pattern.startswith("-"):
        pattern = f"[-]{pattern[1:]}"
    return last_change_of(look.context.repository, look.head, path, pattern)


def _made(named: Named, state: Literal["gone", "renamed"], became: str | None, commit: str | None) -> StaleItem:
    return StaleItem(
        field=named.field,
        claim_id=named.claim_id,
        kind=named.kind,
        named=named.named,
        state=state,
        became=became,
        commit=commit,
    )


__all__ = ["NamedKind", "OutdatedSkill", "StaleItem", "StaleReport", "outdated_skills", "stale"]
