"""How the demo looks: each step's command, its output, and what a person would look at."""

import shutil
import tempfile
from pathlib import Path

from skillc.cli import view
from skillc.cli.view import printable, say, styled

_MAX_LINES = 45


def run_demo(*, keep: bool, as_json: bool) -> int:
    """Runs the demo in a temporary folder and returns its exit code: 0 when every step ended as it should."""
    from skillc.lifecycle.demo import Demo

    folder = Path(tempfile.mkdtemp(prefix="skillc-demo-"))
    steps = []
    try:
        for step in Demo(folder).steps():
            steps.append(step)
            if not as_json:
                _show(len(steps), step)
            if not step.is_expected:
                break
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    is_whole = bool(steps) and all(step.is_expected for step in steps)
    if as_json:
        import json

        body = {"format": "skillc.demo/1", "ok": is_whole, "steps": [s.model_dump() for s in steps]}
        say(json.dumps(body, indent=2, ensure_ascii=False))
    elif is_whole:
        say(f"\n{styled('done', 'green')}: {len(steps)} steps, offline, in a temporary repository")
        if keep:
            say(f"kept: {folder / 'stockroom'}")
        view.hint("in a repository of yours: skillc init")
    else:
        view.note(f"the step {steps[-1].title!r} did not end as it should; the demo stops here")
    return 0 if is_whole else 1


def _show(number: int, step: object) -> None:
    from skillc.lifecycle.demo import DemoStep

    assert isinstance(step, DemoStep)
    say(f"\n{styled(f'{number}. {step.title}', 'bold')}")
    say(f"$ {step.command}")
    lines = printable(step.output).splitlines()
    for line in lines[:_MAX_LINES]:
        say(f"  {line}")
    if len(lines) > _MAX_LINES:
        say(f"  ({len(lines) - _MAX_LINES} more lines)")
    if step.look:
        say(styled(f"  look: {step.look}", "cyan"))
