"""A run that another command overtook: it starts again from what is there now, instead of ending with an error.

A run reads for seconds and writes in a moment. What it must not miss of that time: a ref that moved, a deletion of
what it read, a person's no or edit. Paper: 5.4, Group admission. Not here: the moves of refs (repo.commits).
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from skillc.core.policy import POLICY_FILE
from skillc.lifecycle.candidates import Candidate
from skillc.lifecycle.context import Context
from skillc.lifecycle.run_inputs import waiting_candidate
from skillc.repo import layout
from skillc.repo.commits import RefMovedError, moved
from skillc.repo.ledger import ledger_commit
from skillc.repo.objects import list_tree

ATTEMPTS = 4
_T = TypeVar("_T")


def until_not_overtaken(context: Context, work: Callable[[], _T]) -> _T:
    """Does work that reads and then writes; again, with the context read again, when a ref moved in between.

    Raises RefMovedError when that happens every time.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return work()
        except RefMovedError:
            context.read_again()
    return work()


def require_still_so(context: Context, trace_ids: Iterable[str]) -> None:
    """Raises RefMovedError when what a run read is not so any more: it would write what is taken back since.

    That is: a deletion in one of these Traces, a rejection, a change of the Skills or of policy on base. To be asked
    with the write lock held, straight before the writing.
    """
    _require_ledger(context, frozenset(trace_ids))
    base = context.repository.base()
    before, now = context.base.commit, base.commit
    if before == now or before is None or now is None:
        return
    paths = (context.policy.skills_dir, POLICY_FILE)
    answer = context.repository.git.ask("diff-tree", "--quiet", "-r", before, now, "--", *paths)
    if answer.code != 0:
        raise moved(base.ref)


def require_same_candidate(context: Context, task_family: str, waiting: Candidate | None) -> None:
    """Raises RefMovedError when another candidate waits now than the run saw: a person's edit may be in it."""
    now = waiting_candidate(context, task_family)
    if (now.tip if now else None) != (waiting.tip if waiting else None):
        raise moved(layout.candidate_ref(task_family))


def _require_ledger(context: Context, trace_ids: frozenset[str]) -> None:
    commit = ledger_commit(context.repository)
    if commit is None or commit == context.ledger.commit:
        return
    for folder in ("tombstones", "outcomes"):
        for entry in list_tree(context.repository, commit, folder):
            is_new = entry.kind == "blob" and entry.path not in context.ledger.paths
            if is_new and (folder == "outcomes" or entry.path.split("/")[1] in trace_ids):
                raise moved(layout.LEDGER_REF)
