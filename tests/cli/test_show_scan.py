"""What a scan shows on a terminal: literal text, a table of Skills, and what was not looked at."""

import json

import pytest

from skillc.cli.show_scan import show_github, show_rule, show_rules, show_sarif, show_scan
from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.report import FileNote, LeftOut, Scanned, ScannedSkill, ScanReport, Unread
from skillc.core.scan.rule_catalogue import catalogue
from skillc.core.scan.suppression import IgnoreNote

HOSTILE = "\x1b]0;owned\x07[/items] list[str]\u202e"


def finding(**changes) -> Finding:
    fields = {
        "path": "a.md", "line": 1, "column": 1, "rule": "credential", "severity": Severity.BLOCK, "title": "T",
        "excerpt": "E", "fingerprint": "f",
    }  # fmt: skip
    return Finding(**fields | changes)


def report(*findings: Finding, **changes) -> ScanReport:
    fields = {"findings": findings, "unread": (), "scanned": Scanned(files=3, bytes=9)}
    return ScanReport(**fields | changes)


def skill(name: str, verdict: str) -> ScannedSkill:
    return ScannedSkill(
        name=name, path=f"all/{name}", verdict=verdict, block=1, warn=2, info=0, suppressed=0, files=4, unread=("x",)
    )


def hostile() -> ScanReport:
    return report(
        finding(path=HOSTILE, title=HOSTILE, excerpt=HOSTILE, view=HOSTILE, reason=HOSTILE, suppressed=True),
        finding(path=HOSTILE, title=HOSTILE, excerpt=HOSTILE, view=HOSTILE, rule=HOSTILE),
        unread=(Unread(path=HOSTILE, reason=HOSTILE, suppressed=True, suppressed_reason=HOSTILE),),
        skills=(skill(HOSTILE, "blocked"), skill("b", "clean")),
        file_notes=(FileNote(path=HOSTILE, note=HOSTILE),),
        notes=(HOSTILE,),
        ignores=(
            IgnoreNote(
                source="comment",
                path=HOSTILE,
                line=1,
                rule=HOSTILE,
                reason=HOSTILE,
                counts=False,
                problem=HOSTILE,
                hits=0,
            ),
        ),
        severity=Severity.INFO,
    )


@pytest.mark.parametrize("show", [show_scan, show_sarif, show_github])
def test_a_hostile_excerpt_is_shown_and_never_sent(show, capsys):
    show(hostile())
    streams = capsys.readouterr()
    for text in (streams.out, streams.err):
        assert "\x1b" not in text
        assert "\x07" not in text
        assert "\u202e" not in text
    assert "[/items] list[str]" in streams.out


def test_several_skills_are_a_table_with_verdicts_before_the_findings(capsys):
    show_scan(report(finding(), skills=(skill("one", "blocked"), skill("two", "clean"))))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["skill", "verdict", "block", "warn", "files"]
    assert lines[1].split() == ["one", "blocked", "1", "2", "4", "1", "not", "looked", "at"]
    assert lines[3] == "2 Skills: 1 blocked, 1 clean"
    assert lines[5].startswith("a.md:1:1: block [credential] T: E")


def test_two_skills_of_one_name_are_told_apart(capsys):
    other = skill("one", "clean").model_copy(update={"path": "x.skill!/one"})
    show_scan(report(skills=(skill("one", "blocked"), other)))
    out = capsys.readouterr().out
    assert "all/one" in out
    assert "x.skill!/one" in out


def test_a_level_decides_what_is_listed_and_the_rest_is_counted(capsys):
    info, warn = finding(severity=Severity.INFO, title="told"), finding(severity=Severity.WARN, title="held")
    show_scan(report(info, warn))
    shown = capsys.readouterr()
    assert "held" in shown.out
    assert "told" not in shown.out
    assert "3 files: 0 block, 1 warn, 1 info; 0 not looked at" in shown.out
    assert "--severity info" in shown.err
    show_scan(report(info, warn, severity=Severity.INFO))
    assert "told" in capsys.readouterr().out


def test_suppressed_findings_are_counted_and_listed_when_everything_is_asked_for(capsys):
    found = finding(suppressed=True, suppressed_by="comment", reason="a lesson")
    show_scan(report(found))
    out = capsys.readouterr().out
    assert "a lesson" not in out
    assert "0 block, 0 warn, 0 info, 1 suppressed" in out
    show_scan(report(found, severity=Severity.INFO))
    assert "suppressed by comment: a lesson" in capsys.readouterr().out


def test_what_was_left_out_is_told(capsys):
    left = LeftOut(unchanged=2, unchanged_files=3, excluded_files=4, below_severity=5)
    show_scan(report(unread=(Unread(path="x.png", reason="is a PNG image"),), left_out=left, notes=("compared",)))
    streams = capsys.readouterr()
    for text in ("2 findings on lines", "3 files that did not change", "4 files by --exclude", "compared", "x.png"):
        assert text in streams.err
    assert "5 below the level" in streams.out
    assert "1 not looked at" in streams.out


def test_github_lines_are_alone_on_standard_output(capsys):
    show_github(report(finding(), finding(severity=Severity.INFO)))
    streams = capsys.readouterr()
    assert [line.split(" ")[0] for line in streams.out.splitlines()] == ["::error"]
    assert "3 files" in streams.err


def test_sarif_is_json_alone(capsys):
    show_sarif(report(finding()))
    assert json.loads(capsys.readouterr().out)["version"] == "2.1.0"


def test_rules_are_lines_and_one_is_explained(capsys):
    show_rules(catalogue())
    assert len(capsys.readouterr().out.splitlines()) == len(catalogue()) + 1
    show_rule(catalogue()[0])
    assert catalogue()[0].meaning in capsys.readouterr().out
