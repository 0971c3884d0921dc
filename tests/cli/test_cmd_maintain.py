"""`stale` at the command line."""

import json

from tests.lifecycle.test_stale import project as project  # a fixture
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
