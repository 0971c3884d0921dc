"""Every rule says what it means and how to mend it."""

import pytest

from skillc.core.scan.rule import ScanRule
from skillc.core.scan.rules import RULES
from skillc.core.scan.values import value_rule

ALL = (*RULES, value_rule())


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
def test_a_rule_is_complete(rule: ScanRule):
    assert rule.id == rule.id.lower()
    assert rule.title
    assert rule.meaning.endswith(".")
    assert rule.fix.endswith(".")


def test_rule_ids_are_unique():
    assert len({rule.id for rule in ALL}) == len(ALL)
