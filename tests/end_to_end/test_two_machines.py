"""The same Traces give the same run record and commits, byte for byte, under the settings of two machines."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.approvers import make_key
from tests.world import FIELD, FIX, World

_PLAIN = "[user]\n\tname = Ada Tester\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"
_OTHER = """\
[user]
	name = Žofia Ø
	email = zofia@elsewhere.example
	signingKey = key::ssh-ed25519 AAAA
[commit]
	template = /nowhere/template
	cleanup = verbatim
[tag]
	gpgSign = true
[init]
	defaultBranch = trunk
[core]
	autocrlf = true
	eol = crlf
	quotePath = false
	abbrev = 22
	commentChar = %
	fileMode = false
	hooksPath = /nowhere/hooks
	attributesFile = /nowhere/attributes
[i18n]
	commitEncoding = ISO-8859-1
	logOutputEncoding = ISO-8859-1
[log]
	date = relative
	showSignature = true
	decorate = full
[diff]
	noprefix = true
	renames = copies
	mnemonicPrefix = true
[color]
	ui = always
[merge]
	conflictStyle = zdiff3
[status]
	showUntrackedFiles = no
[grep]
	lineNumber = true
"""


@dataclass(frozen=True)
class Machine:
    """Settings that a person chose for themselves, and none of which may show in what skillc writes."""

    name: str
    config: str
    environment: dict[str, str]


MACHINES = (
    Machine(
        "plain", _PLAIN, {"LC_ALL": "C", "LANG": "C", "TZ": "UTC", "PYTHONHASHSEED": "1", "PYTHONUTF8": "1", "COLUMNS": "80"}
    ),
    Machine(
        "other",
        _OTHER,
        {
            "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "4711",
            "PYTHONUTF8": "0", "COLUMNS": "40", "EDITOR": "false", "PAGER": "false", "NO_COLOR": "1",
        },
    ),
)  # fmt: skip


def compiled_on(machine: Machine, source: World, folder: Path, families: tuple[str, ...] = (FIELD, FIX)) -> World:
    """Compiles families on a copy of a namespace, in a process with the machine's settings."""
    shutil.copytree(source.root.parent, folder, symlinks=True)
    world = World(folder / "home", folder / "stockroom")
    (world.home / ".gitconfig").write_text(machine.config, "utf-8")
    names = ("LC_ALL", "LANG", "TZ", "PYTHONHASHSEED", "PYTHONUTF8")
    environment = {k: v for k, v in os.environ.items() if k not in names} | {
        "HOME": str(world.home),
        "XDG_CONFIG_HOME": str(world.home / ".config"),
        "GIT_CONFIG_GLOBAL": str(world.home / ".gitconfig"),
        **machine.environment,
    }
    for family in families:
        done = subprocess.run(
            [sys.executable, "-m", "skillc", "compile", "--family", family],
            cwd=world.root, env=environment, capture_output=True, check=False, umask=0o077 if machine.name == "other" else 0o022,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    return world


@pytest.fixture
def both(world: World, tmp_path: Path) -> list[World]:
    return [compiled_on(machine, world, tmp_path / machine.name) for machine in MACHINES]


def test_settings_of_two_machines_give_the_same_commits_and_run_records(both: list[World]):
    first, second = both
    refs = ["skillc/ledger", f"skillc/candidate/{FIELD}", f"skillc/candidate/{FIX}"]
    records = [p for p in first.git("ls-tree", "-r", "--name-only", "skillc/ledger").splitlines() if "run" in p]

    assert len(records) >= 2
    for record in records:
        assert first.git("show", f"skillc/ledger:{record}") == second.git("show", f"skillc/ledger:{record}")
    assert [first.git("rev-parse", r) for r in refs] == [second.git("rev-parse", r) for r in refs]
    assert first.git("cat-file", "commit", refs[1]) == second.git("cat-file", "commit", refs[1])


def test_signing_adds_a_signature_to_a_version_and_changes_nothing_else(world: World, tmp_path: Path):
    make_key(tmp_path / "key")
    signing = f"[gpg]\n\tformat = ssh\n[user]\n\tsigningKey = {tmp_path / 'key'}\n[commit]\n\tgpgSign = true\n"
    plain = MACHINES[0]
    signed = Machine("signed", plain.config + signing, plain.environment)
    first, second = (compiled_on(m, world, tmp_path / m.name, (FIELD,)) for m in (plain, signed))

    texts = [w.git("cat-file", "commit", f"skillc/candidate/{FIELD}").splitlines() for w in (first, second)]
    begin = texts[1].index(next(line for line in texts[1] if line.startswith("gpgsig")))
    end = next(n for n in range(begin + 1, len(texts[1])) if not texts[1][n].startswith(" "))
    assert texts[1][:begin] + texts[1][end:] == texts[0]
