"""Every rule that can report says what it means, and the reference page is what the rules say."""

from pathlib import Path

from skillc.core.scan.rule_catalogue import catalogue, rule_ids, rule_named, rules_page
from skillc.core.scan.rules import RULES

PAGE = Path(__file__).parents[3] / "docs" / "scan-rules.md"


def test_the_page_of_the_rules_is_generated_from_them():
    """To write it again: python -c "from skillc.core.scan.rule_catalogue import *; print(rules_page(), end='')" """
    assert PAGE.read_text("utf-8") == rules_page()


def test_every_rule_is_listed_once_with_words_for_a_reader():
    ids = [rule.id for rule in catalogue()]
    assert len(set(ids)) == len(ids)
    assert {rule.id for rule in RULES} < set(ids)
    for rule in catalogue():
        assert rule.title
        assert not rule.title.endswith(".")
        assert rule.meaning.endswith(".")
        assert rule.fix.endswith("."), rule.id
        assert rule.family


def test_rules_that_need_traces_are_listed_too():
    for name in ("trace-value", "tainted-origin", "untrusted-order", "verifier-text"):
        rule = rule_named(name)
        assert rule is not None
        assert rule.needs


def test_an_unknown_name_is_no_rule():
    assert rule_named("no-such-rule") is None
    assert "unread" in rule_ids()
    assert rule_named("unread") is None
