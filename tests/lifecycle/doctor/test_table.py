"""Doctor ends with a report, whatever it meets, and changes nothing."""

import inspect
from pathlib import Path
from typing import Any

import pytest

from skillc.errors import RepoError
from skillc.lifecycle.doctor import hooks, machine, repository, table
from skillc.lifecycle.doctor.finding import State, Surroundings
from tests.world import World


def test_every_check_is_in_the_table_once():
    written = [
        check
        for module in (machine, hooks, repository)
        for name, check in inspect.getmembers(module, inspect.isfunction)
        if name.startswith("check_")
    ]
    assert sorted(c.__name__ for c in table.CHECKS) == sorted(c.__name__ for c in written)
    assert len(set(table.CHECKS)) == len(table.CHECKS)


def test_a_namespace_in_good_order_has_no_failure(world: World):
    report = table.examine(world.root)
    assert report.failed == 0, [f for f in report.findings if f.state is State.FAIL]
    assert report.warned == sum(f.state is State.WARN for f in report.findings)
    assert all(f.found and (f.meaning or f.state is State.OK) for f in report.findings)


def test_outside_a_repository_the_machine_is_examined_and_the_rest_fails(tmp_path: Path):
    report = table.examine(tmp_path)
    assert report.failed == 1
    assert {"git", "python", "ssh-keygen", "repository"} <= {f.check for f in report.findings}


def test_a_policy_that_cannot_be_read_is_a_finding(root: Path):
    (root / "skillc.yaml").write_text("format: [")
    failed = [f for f in table.examine(root).findings if f.state is State.FAIL]
    assert [f.check for f in failed] == ["skillc.yaml"]


@pytest.mark.parametrize(
    "error", [RepoError("git stopped", hint="wait"), PermissionError(13, "Permission denied", "x")]
)
def test_a_check_that_cannot_be_made_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception):
    def check_broken(_: Surroundings) -> Any:
        raise error

    monkeypatch.setattr(table, "CHECKS", (check_broken,))
    (finding,) = table.examine(tmp_path).findings
    assert (finding.check, finding.state) == ("broken", State.FAIL)


def test_doctor_changes_nothing(world: World, snapshot: Any):
    before, refs = snapshot(world.root), world.git("for-each-ref")
    private = sorted((world.root / ".git" / "skillc").rglob("*"))
    table.examine(world.root)
    assert snapshot(world.root) == before
    assert world.git("for-each-ref") == refs
    assert sorted((world.root / ".git" / "skillc").rglob("*")) == private
