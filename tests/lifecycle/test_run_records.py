"""What a run leaves on the ledger: ids and digests, never a word of a Trace."""

import subprocess

from tests.world import FIELD, FIX, World


def test_a_run_is_recorded_once_with_its_versions(world: World):
    report = world.compile_one(FIELD)
    runs = world.context().ledger.runs

    assert [r.run for r in runs] == [report.run]
    assert runs[0].versions[0].tree == report.group.versions[0].tree
    assert runs[0].group == world.git(
        "log", "-1", "--format=%(trailers:key=Skillc-Group,valueonly)", report.group.versions[0].commit
    )
    assert runs[0].base_commit == world.git("rev-parse", "main")


def test_no_event_text_is_on_the_ledger(world: World):
    world.compile()
    paths = world.git("ls-tree", "-r", "--name-only", "skillc/ledger").splitlines()
    data = "".join(world.git("show", f"skillc/ledger:{p}") for p in paths)
    for attempt in world.attempts().values():
        assert attempt.trace.header.objective[:30] not in data
        for event in attempt.trace.events:
            if event.text and len(event.text) > 60:
                assert event.text[:60] not in data


def test_every_record_is_named_by_its_digest(world: World):
    import hashlib

    world.compile()
    for path in world.git("ls-tree", "-r", "--name-only", "skillc/ledger").splitlines():
        raw = subprocess.run(["git", "show", f"skillc/ledger:{path}"], cwd=world.root, capture_output=True, check=True)
        assert path.rsplit("/", 1)[1] == hashlib.sha256(raw.stdout).hexdigest() + ".json"


def test_records_of_a_kind_name_those_before_them(world: World):
    world.compile(FIELD)
    world.compile(FIX)
    first, second = sorted(world.context().ledger.runs, key=lambda r: len(r.previous))
    assert first.previous == ()
    assert len(second.previous) == 1
