"""Merge is a verdict: what base says today about the work of each Trace, and who signed for it.

Contained in base is a success, taken back a failure. It is a person's verdict when a registered approver signed
the merge, or the CI signed that the forge merged it for a person; else it has only landed. Computed from git
each time and cached by the commits that it depends on. Paper: 5.1; ADR 0010.
Not here: containment and reverts (repo.landings), what a record is worth (core.trace.verification).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from skillc.core.policy import VerifierKind
from skillc.core.record import Record, canonical_json, digest_of
from skillc.core.trace.codec import Trace
from skillc.core.trace.edits import edits_of
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import Assurance, BasisFact, Strength
from skillc.lifecycle.context import Context
from skillc.lifecycle.signers import who_signed
from skillc.repo import layout
from skillc.repo.base_history import BaseHistory
from skillc.repo.fact_cache import FactCache
from skillc.repo.landings import Fate, Landing, Work, empty_tree, find_content, find_landing, follow
from skillc.repo.objects import ObjectReader, TooLargeError, open_reader
from skillc.repo.scratch import Scratch, open_scratch

_CACHE_FORMAT = 1
_MAX_FILE_BYTES = 4 * 1024 * 1024


class GitVerdict(Record):
    """What base says about one Trace. Without an outcome `reason` says why there is no verdict."""

    outcome: Outcome | None = None
    commit: str | None = None
    detail: str = ""
    signer: str | None = None
    assurance: int = 0
    reason: str = ""

    def as_fact(self, outcome: Outcome, commit: str) -> BasisFact:
        """Returns what a record is worth that claims this outcome by this commit."""
        if self.outcome is None or self.commit is None:
            return BasisFact(holds=False, reason=self.reason)
        if (self.outcome, self.commit) != (outcome, commit):
            return BasisFact(holds=False, reason=f"base says something else today: {self.words}")
        if self.signer is None:
            landed = self.outcome is not Outcome.FAILURE
            word = "landed" if landed else "taken back"
            return BasisFact(holds=True, landed=landed, reason=f"{word}: {self.detail}; {self.reason}")
        return BasisFact(holds=True, strength=Strength.HUMAN, assurance=Assurance(self.assurance))

    @property
    def words(self) -> str:
        return f"{self.outcome.value}, {self.detail}" if self.outcome else self.reason


@dataclass(frozen=True)
class _Session:
    """What is known of where a session's work stands in git."""

    trace: Trace
    tip: str | None
    start: str | None
    own: tuple[str, ...]


class Landings:
    """The verdicts of base on some Traces. Opens nothing as long as the cache answers."""

    def __init__(self, context: Context, traces: Sequence[Trace]) -> None:
        """Raises RepoError in a shallow clone, where merges and reverts cannot be seen."""
        context.repository.require_full_history()
        self._context = context
        self._pins = context.repository.refs(layout.SESSION_REFS.rstrip("/"))
        self._sessions = {t.trace_id: self._session(t) for t in traces}
        self._cache = FactCache(context.repository, layout.LANDING_CACHE)

    def verdicts(self) -> dict[str, GitVerdict]:
        """Returns Trace id -> verdict, for all of the Traces."""
        found: dict[str, GitVerdict] = {}
        missing: list[tuple[str, _Session]] = []
        for trace_id, session in self._sessions.items():
            key = self._key(session)
            known = self._cache.get(key)
            if known is not None:
                found[trace_id] = GitVerdict.model_validate_json(known)
            else:
                missing.append((key, session))
        if missing and self._context.base.commit is not None:
            with open_scratch(self._context.repository) as scratch, open_reader(self._context.repository) as reader:
                history = self._history(self._context.base.commit, [s for _, s in missing])
                for key, session in missing:
                    verdict = self._judge(scratch, reader, history, session)
                    found[session.trace.trace_id] = verdict
                    self._cache.put(key, canonical_json(verdict).decode())
        nothing = GitVerdict(reason="base has no commit yet")
        return {trace_id: found.get(trace_id, nothing) for trace_id in self._sessions}

    def _session(self, trace: Trace) -> _Session:
        git, repository = trace.header.environment.git, self._context.repository
        shown = git.commits if git else ()
        named = self._pins.get(layout.session_ref(trace.trace_id)) or (git.head_end if git else None)
        tip = repository.resolve(named) if named else None
        if tip is None:
            return _Session(trace, None, repository.resolve(git.head_start) if git and git.head_start else None, ())
        own = tuple(c for c in (repository.resolve(name) for name in shown) if c is not None)
        start = repository.resolve(git.head_start) if git and git.head_start else None
        if start is None and own:
            start = repository.resolve(own[0] + "^")
        elif start is not None and not repository.is_ancestor(start, tip):
            start = repository.merge_base(start, tip)
        return _Session(trace, tip, start, own)

    def _key(self, session: _Session) -> str:
        policy = self._context.policy
        return digest_of(
            [
                _CACHE_FORMAT,
                self._context.base.commit,
                session.trace.digest,
                session.tip,
                session.start,
                [p.model_dump(mode="json") for p in policy.people],
                [v.model_dump(mode="json") for v in policy.verifiers if v.kind is VerifierKind.EXTERNAL],
                sorted(name for items in self._context.ledger.approvals.values() for name, _ in items),
                policy.namespace,
            ]
        )

    def _history(self, base: str, sessions: Iterable[_Session]) -> BaseHistory:
        known: list[str] = []
        for session in sessions:
            place = session.start or session.tip
            if place is None:
                return BaseHistory(self._context.repository, base, known=[])
            known += [c for c in (session.start, session.tip) if c is not None]
        return BaseHistory(self._context.repository, base, known=known)

    def _judge(self, scratch: Scratch, reader: ObjectReader, history: BaseHistory, session: _Session) -> GitVerdict:
        landing = self._landing_of_commits(scratch, history, session)
        by_content = False
        if landing is None and not self._has_commits(scratch, session):
            landing, by_content = self._landing_of_edits(reader, history, session), True
        if landing is None:
            cut = "; older history than skillc walks was not read" if history.is_cut else ""
            return GitVerdict(reason=f"base does not hold its work{cut}")
        fate = follow(scratch, history, landing)
        return self._verdict(history, landing, fate, by_content=by_content)

    def _has_commits(self, scratch: Scratch, session: _Session) -> bool:
        if session.tip is None or session.start == session.tip:
            return False
        if session.start is None:
            return not self._context.repository.is_ancestor(session.tip, self._context.base.commit or session.tip)
        return bool(scratch.changed_paths(session.start, session.tip))

    def _landing_of_commits(self, scratch: Scratch, history: BaseHistory, session: _Session) -> Landing | None:
        if session.tip is None or not self._has_commits(scratch, session):
            return None
        start = session.start or self._context.repository.merge_base(history.chain[-1], session.tip)
        own = frozenset((*session.own, session.tip))
        return find_landing(scratch, history, Work(start or empty_tree(scratch), session.tip, own))

    def _landing_of_edits(self, reader: ObjectReader, history: BaseHistory, session: _Session) -> Landing | None:
        """Finds work that the person committed later: by what the session's edits left in the files."""
        began = session.trace.header.started_at
        start = session.start or session.tip
        if start is not None and start in history.landed_at:
            since = history.landed_at[start]
        elif began is not None:
            older = [i for i, c in enumerate(history.chain) if history.commits[c].at < began.timestamp()]
            since = older[-1] if older else -1
        else:
            return None

        def content_of(commit: str, path: str) -> str | None:
            try:
                data = reader.read(f"{commit}:{path}", limit=_MAX_FILE_BYTES)
            except TooLargeError:
                return None
            return None if data is None else data.decode("utf-8", "replace")

        return find_content(history, edits_of(session.trace), since, content_of)

    def _verdict(self, history: BaseHistory, landing: Landing, fate: Fate, *, by_content: bool) -> GitVerdict:
        short = landing.commit[:12]
        parts = f"corroborated {landing.shown}/{landing.total}" if by_content else "contained"
        if not landing.is_whole and not by_content:
            parts = f"{landing.shown} of {landing.total} paths"
        detail = f"{parts} in base since {short}"
        outcome = Outcome.SUCCESS if landing.is_whole else Outcome.PARTIAL
        if fate.is_undone:
            outcome, detail = Outcome.FAILURE, f"reverted by {fate.commit[:12]}, after it was {detail}"
        elif fate.commit != landing.commit:
            detail = f"brought back by {fate.commit[:12]}, after a revert; first {detail}"
        signer, assurance, reason = who_signed(self._context, [c for c in fate.approvals if c not in landing.own])
        if not [c for c in fate.approvals if c not in landing.own]:
            reason = "the session itself made the commit that brought it in"
        return GitVerdict(
            outcome=outcome,
            commit=fate.commit,
            detail=detail + (f", signed by {signer}" if signer else ""),
            signer=signer,
            assurance=int(assurance),
            reason="" if signer else reason,
        )
