"""How a publication looks."""

from typing import Any

import pytest

from skillc.cli.show_publish import show_published
from skillc.lifecycle.publish import PublishReport


def report(**changes: Any) -> PublishReport:
    fields: dict[str, Any] = {
        "skill": "add-route", "skill_id": "s-1", "to": "x", "namespace": "web\x1b[2J", "name_there": "add-route",
        "change": "add", "branch": "skillc/candidate/add-route", "run": "r-1", "contract": "sha256:0", "state": "planned",
    }  # fmt: skip
    return PublishReport(**(fields | changes))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "would publish add-route as add-route (add) to web"),
        ({"state": "known"}, "add-route waits in web"),
        ({"state": "published", "commit": "ab" * 20, "counts": True}, "published  add-route  to web"),
        ({"state": "published", "commit": "ab" * 20, "counts": False}, "its check holds the candidate"),
    ],
)
def test_each_state_is_told_in_harmless_words(changes: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str]):
    show_published(report(**changes))
    told = capsys.readouterr()
    assert said in told.out + told.err
    assert "\x1b[2J" not in told.out + told.err
