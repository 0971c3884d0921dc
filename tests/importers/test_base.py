"""What every importer gives and takes."""

from skillc.importers.base import ACTOR_AGENT, ACTOR_SYSTEM, ACTOR_TOOL, ACTOR_USER, ImportContext, ImportReport
from skillc.importers.table import IMPORTERS


def test_the_actors_of_the_main_line_are_different():
    assert len({ACTOR_USER, ACTOR_AGENT, ACTOR_TOOL, ACTOR_SYSTEM}) == 4


def test_a_report_starts_empty_and_is_nobody_elses():
    first, second = ImportReport(path="a", kind="x"), ImportReport(path="b", kind="x")
    first.skipped["line"] += 1

    assert not second.skipped


def test_nothing_is_restricted_unless_policy_says_so():
    assert ImportContext(namespace="acme", secret=b"").restricted == ()


def test_every_importer_names_its_kind_and_its_companions():
    for importer in IMPORTERS:
        assert importer.kind
        assert isinstance(importer.companion_globs, tuple)
