"""The context of a command: the repository, its base, and the policy that counts.

Policy is read from base, with a remote from the remote-tracking base. Until skillc.yaml is there, the file of
the work tree applies in draft mode: candidates only, and a banner. Not here: what policy means (core.policy).
"""

import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from skillc.core.policy import POLICY_FILE, Policy, parse_policy
from skillc.core.yaml_text import MAX_POLICY_BYTES
from skillc.errors import PolicyError
from skillc.repo import layout
from skillc.repo.files import read_small
from skillc.repo.objects import read_blob
from skillc.repo.repository import Base, Repository

if TYPE_CHECKING:  # every command opens a context, and few read all of it: the rest is imported where it is used
    from skillc.repo.keys import SignatureCache
    from skillc.repo.ledger import Ledger
    from skillc.repo.traces import TraceStore

DRAFT_BANNER = "draft: skillc.yaml is not on base yet, so nothing is admitted and every verification is local"


@dataclass
class Context:
    """What every stage reads. `now` is the only clock, so tests can set it; `notes` go to standard error."""

    repository: Repository
    base: Base
    policy: Policy
    is_draft: bool
    now: datetime
    notes: list[str] = field(default_factory=list)

    @cached_property
    def ledger(self) -> "Ledger":
        """The ledger as it was when the command first asked for it."""
        from skillc.lifecycle.decisions import with_counting_decisions
        from skillc.repo.ledger import read_ledger

        return with_counting_decisions(read_ledger(self.repository), self.policy, lambda: self.signatures)

    @cached_property
    def signatures(self) -> "SignatureCache":
        from skillc.repo.keys import SignatureCache

        return SignatureCache(self.repository)

    @property
    def traces(self) -> "TraceStore":
        """The Trace store at its tip of this moment."""
        from skillc.repo.traces import TraceStore

        return TraceStore.open(self.repository, self.policy.traces.location, self.base)

    @property
    def has_spooled(self) -> bool:
        """Says cheaply whether the capture hook left anything to take, and this is the time for it."""
        from skillc.repo.session_spool import has_entries

        if os.environ.get("SKILLC_IN_GIT_HOOK"):
            return False

        return has_entries(self.repository)

    def forget_ledger(self) -> None:
        """Reads the ledger again at the next use, after this command wrote to it."""
        self.__dict__.pop("ledger", None)

    def read_again(self) -> None:
        """Reads base, policy and ledger as they are now: another command may have written since this one began."""
        self.base = self.repository.base()
        self.policy, self.is_draft = _read_policy(self.repository, self.base)
        self.forget_ledger()


def open_context(
    folder: Path | None = None, *, now: datetime | None = None, for_reading: bool = False, dry_run: bool = False
) -> Context:
    """Opens the namespace around a folder; finishes or forgets what a killed command left behind.

    For reading, and for a dry run, that is left to the next command. A dry run writes no cache either.
    Raises RepoError outside a repository and PolicyError without a readable skillc.yaml.
    """
    repository = Repository.open(folder or Path.cwd())
    notes: list[str] = []
    if dry_run:
        repository = repository.dry()
    elif not for_reading:
        notes += _finish_left_work(repository)
    base = repository.base()
    policy, is_draft = _read_policy(repository, base)
    if is_draft:
        notes.append(DRAFT_BANNER)
    moment = now or datetime.now(UTC).replace(microsecond=0)
    return Context(repository, base, policy, is_draft, moment, notes)


def _finish_left_work(repository: Repository) -> list[str]:
    from skillc.repo.commits import drop_tmp_refs

    said = []
    if os.path.lexists(repository.private / layout.JOURNAL_FILE):
        from skillc.repo.checkout import finish_broken_move

        said.append(finish_broken_move(repository))
    if os.path.lexists(repository.private / layout.DUE_FILE):
        from skillc.repo.due import finish_due_records

        said.append(finish_due_records(repository))
    drop_tmp_refs(repository)
    return [line for line in said if line]


def _read_policy(repository: Repository, base: Base) -> tuple[Policy, bool]:
    if base.policy_commit is not None:
        data = read_blob(repository, base.policy_commit, POLICY_FILE, limit=MAX_POLICY_BYTES)
        if data is not None:
            return parse_policy(data, path=f"{base.branch}:{POLICY_FILE}"), False
    data = read_small(repository.root / POLICY_FILE, limit=MAX_POLICY_BYTES)
    if data is None:
        raise PolicyError("there is no skillc.yaml here", hint="run: skillc init")
    return parse_policy(data), True
