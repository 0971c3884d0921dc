"""Companions are found beside a source, and never through a link."""

from pathlib import Path

from skillc.importers.claude_code import ClaudeCodeImporter
from skillc.importers.companions import Listings, find_companions
from skillc.importers.messages import MessagesImporter


def make(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_subagents_of_both_places_are_found_in_order(tmp_path: Path):
    session = make(tmp_path / "s[1].jsonl")
    make(tmp_path / "s[1]/subagents/agent-b.jsonl", "new")
    make(tmp_path / "agent-a.jsonl", "old")
    make(tmp_path / "other/subagents/agent-c.jsonl")
    found = find_companions(session, ClaudeCodeImporter())

    assert [c.name for c in found] == ["s[1]/subagents/agent-b.jsonl", "agent-a.jsonl"]
    with found[0].open() as stream:
        assert stream.read() == b"new"


def test_links_are_not_followed(tmp_path: Path):
    outside = make(tmp_path / "outside/subagents/agent-x.jsonl")
    folder = tmp_path / "project"
    session = make(folder / "s.jsonl")
    (folder / "s").symlink_to(tmp_path / "outside")
    (folder / "agent-y.jsonl").symlink_to(outside)

    assert find_companions(session, ClaudeCodeImporter()) == ()


def test_a_subagents_file_is_not_its_own_companion(tmp_path: Path):
    assert find_companions(make(tmp_path / "agent-a.jsonl"), ClaudeCodeImporter()) == ()


def test_a_format_without_companions_has_none(tmp_path: Path):
    assert find_companions(make(tmp_path / "a.json"), MessagesImporter()) == ()


class Above:
    """An importer whose file lies one folder below its companion."""

    kind = "above"
    companion_globs = ("../result.json", "../*/more.json")


def test_a_pattern_may_look_one_folder_up(tmp_path: Path):
    source = make(tmp_path / "trial/agent/run.json")
    make(tmp_path / "trial/result.json")
    make(tmp_path / "trial/other/more.json")
    make(tmp_path / "result.json")

    names = [companion.name for companion in find_companions(source, Above())]  # type: ignore[arg-type]
    assert names == ["../result.json", "../other/more.json"]


def test_a_linked_folder_leads_up_by_its_name_not_to_where_it_points(tmp_path: Path):
    make(tmp_path / "elsewhere/agent/run.json")
    make(tmp_path / "elsewhere/result.json", "foreign")
    (tmp_path / "trial").mkdir()
    (tmp_path / "trial/agent").symlink_to(tmp_path / "elsewhere/agent")

    assert find_companions(tmp_path / "trial/agent/run.json", Above()) == ()  # type: ignore[arg-type]


def test_a_linked_companion_above_is_not_opened(tmp_path: Path):
    source = make(tmp_path / "trial/agent/run.json")
    (tmp_path / "trial/result.json").symlink_to(make(tmp_path / "outside.json"))

    assert find_companions(source, Above()) == ()  # type: ignore[arg-type]


def test_the_sessions_of_one_folder_are_the_same_companions_of_each_other_in_one_run(tmp_path: Path):
    first, second, _ = (make(tmp_path / f"{name}.jsonl") for name in "abc")
    listings: Listings = {}
    of_first = find_companions(first, ClaudeCodeImporter(), listings)
    of_second = find_companions(second, ClaudeCodeImporter(), listings)

    assert [c.name for c in of_first] == ["b.jsonl", "c.jsonl"]
    assert [c.name for c in of_second] == ["a.jsonl", "c.jsonl"]
    assert of_first[1] is of_second[1]
