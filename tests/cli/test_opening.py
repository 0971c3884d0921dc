"""Opening prints what it found on standard error, so that data stays clean."""

import json

from skillc.cli.opening import opened
from tests.world import World


def test_the_draft_banner_goes_to_standard_error(fresh: World, monkeypatch, capsys):
    fresh.git("rm", "--quiet", "--cached", "skillc.yaml")
    fresh.git("commit", "--quiet", "-m", "gone")
    monkeypatch.chdir(fresh.root)
    context = opened()
    streams = capsys.readouterr()
    assert streams.err.startswith("draft: ")
    assert streams.out == ""
    assert context.notes == []
    assert json.loads(fresh.run("traces", "--json").stdout)["traces"] == []
