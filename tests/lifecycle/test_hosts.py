"""Registering the hook: merged into the person's settings, and taken away without a trace."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.errors import DataError, UsageError
from skillc.lifecycle.hosts import (
    deny_rules,
    hook_command,
    hook_commands,
    register_host,
    remove_host,
)
from skillc.repo.host_folders import HOSTS, settings_file
from skillc.repo.repository import Repository
from tests.world import World

THEIRS: dict[str, Any] = {
    "model": "opus",
    "permissions": {"allow": ["Bash(ls:*)"], "deny": ["Read(.env)"]},
    "hooks": {"Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}]},
}


def opened(world: World) -> Repository:
    return Repository.open(world.root)


def put(world: World, host: str, value: Any) -> Path:
    path = settings_file(host, None)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=4), "utf-8")
    return path


@pytest.mark.parametrize("host", HOSTS)
def test_the_hook_is_merged_with_what_is_there_and_removed_again(fresh: World, host: str):
    path = put(fresh, host, THEIRS)
    report = register_host(opened(fresh), host, deny=True)
    merged = json.loads(path.read_text("utf-8"))

    assert report.changed
    assert hook_commands(path) == (hook_command(host, shared=False),)
    assert merged["model"] == "opus"
    assert THEIRS["hooks"]["Stop"][0] in merged["hooks"]["Stop"]
    assert "Read(.env)" in merged["permissions"]["deny"]
    assert remove_host(opened(fresh), host).changed
    assert json.loads(path.read_text("utf-8")) == THEIRS
    assert hook_commands(path) == ()


@pytest.mark.parametrize("host", HOSTS)
def test_registering_twice_changes_nothing(fresh: World, host: str):
    register_host(opened(fresh), host)
    path = settings_file(host, None)
    before = path.read_bytes()
    assert not register_host(opened(fresh), host).changed
    assert path.read_bytes() == before


def test_the_indent_and_the_order_of_a_file_are_kept(fresh: World):
    path = put(fresh, "claude-code", '{\n\t"zeta": 1,\n\t"alpha": 2\n}\n')
    register_host(opened(fresh), "claude-code")
    lines = path.read_text("utf-8").splitlines()
    assert lines[1:3] == ['\t"zeta": 1,', '\t"alpha": 2,']


@pytest.mark.parametrize("text", ['{"a": 1,} // mine', "[1]", '{"hooks": []}', '{"hooks": {"Stop": {}}}'])
def test_settings_that_are_not_plain_are_left_alone_and_said(fresh: World, text: str):
    path = put(fresh, "claude-code", text)
    with pytest.raises(DataError, match=r"settings\.json:1"):
        register_host(opened(fresh), "claude-code")
    assert path.read_text("utf-8") == text


def test_settings_that_are_not_plain_say_what_to_take_out_when_the_hook_is_removed(fresh: World):
    put(fresh, "claude-code", '{"a": 1,}')
    with pytest.raises(DataError) as caught:
        remove_host(opened(fresh), "claude-code")
    assert (caught.value.hint or "").startswith("take out by hand")


@pytest.mark.parametrize("shared", [False, True])
def test_a_removal_tells_of_the_hook_that_is_still_there(fresh: World, shared: bool):
    for where in (False, True):
        register_host(opened(fresh), "claude-code", shared=where)
    report = remove_host(opened(fresh), "claude-code", shared=shared)
    other = settings_file("claude-code", None if shared else fresh.root)
    assert report.remaining == (str(other),)
    assert report.by_hand == (f"skillc init --remove-host claude-code{'' if shared else ' --shared'}",)
    assert remove_host(opened(fresh), "claude-code", shared=not shared).remaining == ()


@pytest.mark.parametrize("shared", [False, True])
def test_a_settings_file_that_we_made_goes_when_nothing_else_is_in_it(fresh: World, shared: bool):
    path = settings_file("claude-code", fresh.root if shared else None)
    register_host(opened(fresh), "claude-code", shared=shared)
    remove_host(opened(fresh), "claude-code", shared=shared, dry_run=True)
    assert path.exists()
    assert remove_host(opened(fresh), "claude-code", shared=shared).deleted
    assert not path.exists()


def test_a_settings_file_that_we_made_stays_with_what_came_into_it(fresh: World):
    path = settings_file("claude-code", None)
    register_host(opened(fresh), "claude-code")
    put(fresh, "claude-code", {**json.loads(path.read_text("utf-8")), "model": "opus"})
    remove_host(opened(fresh), "claude-code")
    assert json.loads(path.read_text("utf-8")) == {"model": "opus"}


def test_an_unknown_host_is_named_with_the_known_ones(fresh: World):
    with pytest.raises(UsageError) as caught:
        register_host(opened(fresh), "emacs")
    assert "codex" in (caught.value.hint or "")


def test_shared_settings_name_the_command_that_everybody_has(fresh: World):
    register_host(opened(fresh), "claude-code", shared=True)
    text = (fresh.root / ".claude" / "settings.json").read_text("utf-8")
    assert "exec skillc capture --hook --agent claude-code" in text
    assert not settings_file("claude-code", None).exists()


def test_a_shared_hook_is_quiet_where_there_is_no_skillc(tmp_path: Path):
    command = hook_command("claude-code", shared=True)
    done = subprocess.run(["/bin/sh", "-c", command], input=b"{}", capture_output=True, env={"PATH": str(tmp_path)})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    told = tmp_path / "skillc"
    told.write_text("#!/bin/sh\necho $@ >&2\n")
    told.chmod(0o755)
    done = subprocess.run(["/bin/sh", "-c", command], input=b"{}", capture_output=True, env={"PATH": str(tmp_path)})
    assert done.stderr == b"capture --hook --agent claude-code\n"


def test_a_dry_run_writes_nothing(fresh: World):
    assert register_host(opened(fresh), "claude-code", dry_run=True).changed
    assert not settings_file("claude-code", None).exists()


def test_settings_behind_a_link_are_written_where_the_link_leads(fresh: World, tmp_path: Path):
    path = settings_file("claude-code", None)
    path.parent.mkdir(parents=True, exist_ok=True)
    target = tmp_path / "dotfiles.json"
    target.write_text("{}")
    path.symlink_to(target)
    register_host(opened(fresh), "claude-code")
    assert path.is_symlink()
    assert "capture --hook" in target.read_text("utf-8")


def test_the_deny_rules_cover_the_persons_commands_and_the_keys():
    rules = " ".join(deny_rules("claude-code"))
    for words in ("skillc approve", "skillc trust", "skillc verify --as", "skillc/**"):
        assert words in rules


def test_the_rules_of_claude_code_hold_wherever_the_words_stand_in_a_line():
    rules = deny_rules("claude-code")
    anywhere = (
        "Bash(*skillc approve*)",
        "Bash(*skillc trust*)",
        "Bash(*skillc verify *--as*)",
        "Bash(*.config/skillc*)",
    )
    assert set(anywhere) <= set(rules)


_JSON = st.recursive(st.none() | st.integers() | st.text(max_size=8), lambda c: st.lists(c, max_size=3), max_leaves=6)
_GROUPS = st.lists(
    st.fixed_dictionaries({"hooks": st.lists(st.fixed_dictionaries({"command": st.text(max_size=9)}), max_size=2)})
    | st.dictionaries(st.text(max_size=5), _JSON, max_size=2),
    max_size=3,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
@given(
    st.dictionaries(st.text(max_size=6).filter(lambda k: k != "hooks"), _JSON, max_size=3),
    st.dictionaries(st.sampled_from(["Stop", "SessionEnd", "PreToolUse"]), _GROUPS.filter(bool), max_size=3),
)
def test_registering_and_removing_gives_the_same_settings(fresh: World, rest: dict[str, Any], hooks: dict[str, Any]):
    before = {**rest, **({"hooks": hooks} if hooks else {})}
    path = put(fresh, "claude-code", before)
    register_host(opened(fresh), "claude-code")
    remove_host(opened(fresh), "claude-code")
    assert json.loads(path.read_text("utf-8")) == before


@pytest.mark.parametrize("host", HOSTS)
def test_our_commands_in_a_settings_file_are_told_each_once(fresh: World, host: str):
    path = put(fresh, host, THEIRS)
    assert hook_commands(path) == ()
    register_host(opened(fresh), host)
    assert hook_commands(path) == (hook_command(host, shared=False),)
    for text in ("{", "[]", '{"hooks": 3}', '{"hooks": {"Stop": [3, {"hooks": [4]}]}}', "[" * 99_999):
        path.write_text(text, "utf-8")
        assert hook_commands(path) == ()
