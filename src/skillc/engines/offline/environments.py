"""Environments: the variables without which a command of the procedure failed, and with which it worked.

Paper: 5.2. Not here: the error that is met without them (engines.offline.failing_runs).
"""

from skillc.core.skill.claim import Claim
from skillc.engines.offline.align import Column
from skillc.engines.offline.calls import Call
from skillc.engines.offline.cite import cite_calls
from skillc.engines.offline.commands import shown_command
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.lines import names_in
from skillc.engines.offline.wording import claim_id, code, sentence

MAX_VARIABLES = 6


def environments_of(induction: Induction) -> tuple[Claim, ...]:
    """Returns one claim per variable that a run lacked when it failed and had when it worked."""
    found: dict[tuple[str, str], list[Call]] = {}
    for attempt, reruns in induction.reruns:
        for episode in reruns.episodes if attempt.is_success else ():
            if episode.mended is not None:
                for name in names_in(episode.mended.given):
                    run = episode.mended.run
                    found.setdefault((induction.alphabet.symbol_of(run) or "", name), []).append(run)
    claims = []
    for (symbol, name), runs in sorted(found.items()):
        column = next((c for c in induction.columns if c.symbol == symbol), None)
        if column is None or not _most_have(name, column):
            continue
        value = induction.alphabet.variables.get(name)
        works = f"; {code(value)} works" if value else ""
        bare = code(shown_command(column.calls, induction.alphabet, bare=True))
        text = sentence(f"{bare} needs the variable {code(name)}{works}")
        with_it = [c for c in column.calls if not c.failed and _has(name, c)]
        claims.append(Claim(id=claim_id("environments", text), text=text, citations=cite_calls([*runs, *with_it])))
    return tuple(claims)[:MAX_VARIABLES]


def _has(name: str, run: Call) -> bool:
    return name in names_in((*run.exported, *run.settings))


def _most_have(name: str, column: Column) -> bool:
    """Says whether more than half of the families have the variable in runs that worked."""
    worked = [c for c in column.calls if not c.failed]
    families = {c.family for c in worked}
    return 2 * len({c.family for c in worked if _has(name, c)}) > len(families)
