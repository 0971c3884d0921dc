"""What a drain of the spool would take, for a dry run: no transcript is opened, and no entry goes.

Not here: taking it (lifecycle.drain).
"""

from skillc.lifecycle.context import Context
from skillc.lifecycle.drain import DrainReport, WaitingSession
from skillc.repo.session_spool import read_spool


def preview_drain(context: Context) -> DrainReport:
    """Returns every session of the spool, and whether `capture --drain` would take it now."""
    return DrainReport(
        waiting=tuple(
            WaitingSession(
                agent=session.agent,
                session=session.session_id[:64],
                reason="would be captured" if session.has_ended or session.turn_ended else "it still runs",
            )
            for session in read_spool(context.repository, drops_bad=False)
        )
    )
