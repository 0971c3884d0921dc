"""How a deletion looks: what went, what it took along, and where the content still is."""

from typing import TYPE_CHECKING

from skillc.cli import view
from skillc.cli.view import literal, say, styled

if TYPE_CHECKING:
    from skillc.lifecycle.forget import ForgetReport
    from skillc.lifecycle.forget_left import PurgeReport


def show_forgotten(report: "ForgetReport", *, dry_run: bool = False) -> None:
    """Prints what went, the Skills that went with it, and what no command here reaches."""
    for trace in report.traces:
        what = "the whole Trace" if trace.is_whole else ", ".join(trace.events)
        if trace.state == "already":
            say(f"already forgotten  {trace.trace_id}  {literal(what)}")
            continue
        word = "would forget" if dry_run else "forgotten"
        say(f"{styled(word, 'red')}  {trace.trace_id}  {literal(what)}")
        for other, events in trace.also.items():
            say(styled(f"      {other}#{','.join(events)} repeats it and was not named", "yellow"))
    for name in report.withdrawn:
        where = f"  on {literal(report.branch)}" if report.branch else ""
        say(f"{styled('out of service', 'red')}  {literal(name)}{where}")
    for branch in report.dropped:
        say(f"dropped  {literal(branch)}, which cited it")
    if report.left is not None:
        _show_left(report)
    if report.purge is not None:
        _show_purge(report.purge)
    if report.is_news and not report.counts and not dry_run:
        view.hint(
            "nobody registered signed this: check names it until skillc.yaml has this machine's key (skillc verifier)"
        )
    if report.is_news and report.withdrawn and report.branch and "removal" in report.commits:
        view.hint(f"base is protected, so the removal waits for a merge: skillc review {literal(report.branch)}")
    if report.is_news and report.repairs:
        view.hint("mend them from what is left: skillc compile")


def _show_left(report: "ForgetReport") -> None:
    left = report.left
    assert left is not None
    places = [f"history of {name}" for name in (*left.branches, *left.tags)]
    places += [f"remote branch {name}" for name in left.remotes]
    places += ["a stash"] if left.stashes else []
    if places:
        say(f"still held by: {literal(', '.join(places))}")
    for note in left.notes:
        say(styled(f"  {note}", "dim"))


def _show_purge(purge: "PurgeReport") -> None:
    if not purge.blobs:
        say("nothing of it is in the history of this clone")
        return
    word = "would purge" if purge.backup is None else "purged"
    say(f"{styled(word, 'red')}  {len(purge.blobs)} files from the history of:")
    for ref in purge.refs:
        say(f"  {literal(ref)}")
    for blob in purge.left:
        say(styled(f"  {blob[:12]} is here all the same: another repository lends it", "yellow"))
    for line in purge.next:
        view.hint(literal(line))
