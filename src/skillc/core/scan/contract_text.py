"""The texts of a contract, each with the field and claim that it stands in.

Ids and citations are no text. Paper: 5.3, Scanners. Not here: what is looked for (core.scan.tainted_origin,
core.scan.verifier_text, core.scan.scanner).
"""

from collections.abc import Iterator
from typing import NamedTuple

from skillc.core.record import strings_in
from skillc.core.skill.claim import Claim, FailureClaim, StepClaim
from skillc.core.skill.contract import Contract, iter_claims


class Line(NamedTuple):
    """One claim of a contract with all that it says. `place` is `<field>/<claim id>`."""

    field: str
    claim: Claim
    texts: tuple[str, ...]

    @property
    def place(self) -> str:
        return f"{self.field}/{self.claim.id}"


def lines_of(contract: Contract) -> Iterator[Line]:
    """Yields every claim with its texts: words, recovery, loop, and the strings of its action."""
    for field, claim in iter_claims(contract):
        texts = [claim.text]
        if isinstance(claim, FailureClaim) and claim.recovery:
            texts.append(claim.recovery)
        if isinstance(claim, StepClaim):
            texts += [claim.repeat] if claim.repeat else []
            texts += list(strings_in(claim.action.arguments)) if claim.action else []
        yield Line(field, claim, tuple(texts))
