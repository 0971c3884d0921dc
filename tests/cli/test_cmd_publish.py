"""`publish` at the command line."""

import json
from pathlib import Path

import pytest

from skillc.lifecycle.publish import publish
from tests.approvers import public_of, register_person
from tests.publishing import another_namespace, domain_of, with_approver
from tests.reward_world import FAMILY
from tests.world import World


def test_publish_needs_a_person_and_a_dry_run_says_what_would_arrive(
    shop: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    key = with_approver(shop, tmp_path, monkeypatch)
    other = another_namespace(shop.home, tmp_path / "other", security_domain=domain_of(shop))
    done = shop.run("publish", FAMILY, "--to", str(other.root))
    assert (done.returncode, "for a person" in done.stderr) == (2, True)
    done = shop.run("publish", FAMILY, "--to", str(other.root), "--dry-run")
    assert (done.returncode, f"would publish {FAMILY}" in done.stdout) == (0, True)
    report = json.loads(shop.run("publish", FAMILY, "--to", str(other.root), "--dry-run", "--json").stdout)
    assert (report["state"], report["change"]) == ("planned", "add")
    register_person(other, public_of(key))
    publish(shop.context(), FAMILY, str(other.root), key_path=key)
    done = other.run("review", FAMILY)
    assert (done.returncode, FAMILY in done.stdout) == (0, True)
    assert other.run("check", f"skillc/candidate/{FAMILY}").returncode == 0
    other.merge(FAMILY)
    assert other.run("why", FAMILY).returncode == 0
    assert other.run("status").returncode == 0
