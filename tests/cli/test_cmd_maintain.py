"""`stale` and `maintain` at the command line."""

import json
from datetime import UTC, datetime

from skillc.core.skill.contract import Validity
from tests.lifecycle.test_stale import a_skill
from tests.lifecycle.test_stale import project as project  # a fixture
from tests.skill_folders import put_skill
from tests.world import World


def test_stale_ends_with_one_when_something_is_gone(project: World):
    done = project.run("stale")
    assert (done.returncode, "nothing is stale: 7 names" in done.stdout) == (0, True)
    project.git("mv", "src/a.py", "src/b.py")
    project.git("commit", "--quiet", "-m", "move")
    done = project.run("stale", "some-family")
    assert done.returncode == 1
    assert "renamed path  src/a.py, now src/b.py since" in done.stdout
    assert "skillc amend some-family" in done.stdout + done.stderr
    report = json.loads(project.run("stale", "--json").stdout)
    assert (report["format"], report["ok"]) == ("skillc.stale/1", False)
    assert {i["state"] for i in report["skills"][0]["items"]} == {"renamed"}
    assert "src/a.py" in project.run("status").stdout


def test_an_unknown_skill_is_named(project: World):
    done = project.run("stale", "nobody")
    assert (done.returncode, "nobody" in done.stderr) == (2, True)


def test_maintain_says_what_it_did_and_the_way_back(project: World):
    put_skill(project, a_skill(validity=Validity(valid_until=datetime(2026, 1, 1, tzinfo=UTC))))
    done = project.run("maintain", "--dry-run")
    assert (done.returncode, "would withdraw  some-family  expired: valid until 2026-01-01" in done.stdout) == (0, True)
    report = json.loads(project.run("maintain", "--json").stdout)
    assert (report["format"], report["withdrawn"][0]["reason"]) == ("skillc.maintain/1", "expired")
    assert "nothing is due" in project.run("maintain").stdout
    assert "gone: some-family, expired by skillc maintain" in project.run("status").stdout
