"""How an amendment looks on a terminal: what became of each line, and which evidence went with it."""

from typing import TYPE_CHECKING

from skillc.cli import view
from skillc.cli.view import literal, say, styled
from skillc.core.skill.render import marks_of, plural

if TYPE_CHECKING:
    from skillc.lifecycle.amend import AmendReport

_COLORS = {"changed": "yellow", "new": "green", "removed": "red"}


def show_amended(report: "AmendReport", *, dry_run: bool = False) -> None:
    """Prints the lines that an edit changed, where the version went, and the line that takes it back."""
    kept = sum(line.state == "kept" for line in report.lines)
    for line in report.lines:
        if line.state == "kept":
            continue
        word = styled(line.state.value.ljust(8), _COLORS[line.state.value])
        say(f"  {word} {line.field}  {literal(line.text)}  {styled(f'[{line.claim_id}]', 'dim')}")
        if line.before is not None:
            say(f"           it was: {literal(line.before)}")
        if line.lost:
            say(f"           evidence lost: {marks_of(line.lost)}")
    if kept:
        say(f"  {kept} {plural('line', kept)} kept with what stood behind {'it' if kept == 1 else 'them'}")
    if report.signs_only:
        word = "would sign" if dry_run else "signed"
        say(f"{word}  the lines of {report.skill} that a person wrote, by {literal(report.by)}")
        return
    if dry_run:
        say(f"would amend {report.skill} on {report.branch}, from {literal(report.place)}")
        return
    assert report.commit is not None
    commit = report.commit[:12]
    say(f"{styled('amended', 'green')}  {report.skill}  by {literal(report.by)}  on {report.branch}  {commit}")
    if report.waits:
        say(f"look at it, then merge it: skillc review {report.skill}")
    if report.undo:
        view.hint(f"undo: {report.undo}")
