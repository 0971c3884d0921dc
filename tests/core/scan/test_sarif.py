"""SARIF 2.1.0: the log says what a scan found in the form that code hosts read, and nothing more."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.report import Scanned, ScanReport, Unread
from skillc.core.scan.rule_catalogue import catalogue
from skillc.core.scan.sarif import FINGERPRINT, sarif_of, uri_of


def log(*findings: Finding, unread: tuple[Unread, ...] = ()) -> dict[str, Any]:
    return sarif_of(ScanReport(findings=findings, unread=unread, scanned=Scanned(files=1, bytes=1)), version="1.2")


def finding(**changes) -> Finding:
    fields = {
        "path": "a b/SKILL.md", "line": 3, "column": 5, "rule": "credential", "severity": Severity.BLOCK, "title": "T",
        "excerpt": "key <x>", "fingerprint": "sha256:ab", "end_line": 3, "end_column": 9,
    }  # fmt: skip
    return Finding(**fields | changes)


@cache
def validator() -> Any:
    """The schema that the standard publishes, as the npm package @microsoft/sarif-multitool-linux 5.7.0 ships it."""
    schema = json.loads((Path(__file__).parent / "sarif-2.1.0.json").read_text("utf-8"))
    return jsonschema.validators.validator_for(schema)(schema)


def test_the_published_schema_takes_every_log():
    everything = log(
        finding(),
        finding(path="t.jsonl#e7", place="e7", end_line=None, end_column=None, severity=Severity.INFO),
        finding(suppressed=True, suppressed_by="policy", reason="a lesson", view="decoded"),
        finding(rule="model-other", path="/abs/ü\n.md"),
        unread=(Unread(path="x y.png", reason="is a PNG image"), Unread(path="z", reason="r", suppressed=True)),
    )
    assert list(validator().iter_errors(everything)) == []
    assert list(validator().iter_errors(log())) == []


def test_the_schema_refuses_what_is_no_log():
    broken = log(finding())
    broken["runs"][0]["results"][0]["level"] = "block"
    assert list(validator().iter_errors(broken)) != []


def test_a_log_names_the_tool_and_every_rule_with_its_help():
    (run,) = log()["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"], run["columnKind"]) == ("skillc", "1.2", "unicodeCodePoints")
    assert [rule["id"] for rule in driver["rules"]] == [rule.id for rule in catalogue()]
    for rule in driver["rules"]:
        assert rule["help"]["text"]
        assert rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")


def test_a_result_has_level_region_and_fingerprint():
    (run,) = log(finding())["runs"]
    (result,) = run["results"]
    assert result["level"] == "error"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "credential"
    assert result["partialFingerprints"] == {FINGERPRINT: "sha256:ab"}
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b/SKILL.md"},
        "region": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 9},
    }
    assert "suppressions" not in result


@pytest.mark.parametrize(("severity", "level"), [("warn", "warning"), ("info", "note")])
def test_levels_follow_severities(severity: str, level: str):
    assert log(finding(severity=Severity(severity)))["runs"][0]["results"][0]["level"] == level


@pytest.mark.parametrize(("by", "kind"), [("comment", "inSource"), ("policy", "external"), ("baseline", "external")])
def test_a_suppressed_finding_keeps_its_reason(by: str, kind: str):
    (result,) = log(finding(suppressed=True, suppressed_by=by, reason="a lesson"))["runs"][0]["results"]
    assert result["suppressions"] == [{"kind": kind, "status": "accepted", "justification": "a lesson"}]


def test_an_event_or_claim_is_a_logical_place_in_its_file():
    (result,) = log(finding(path="t.jsonl#e7", place="e7"))["runs"][0]["results"]
    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "t.jsonl"
    assert location["logicalLocations"] == [{"fullyQualifiedName": "e7"}]


def test_what_was_not_looked_at_is_told_as_a_warning():
    (run,) = log(unread=(Unread(path="x.png", reason="is a PNG image"),))["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is True
    (note,) = invocation["toolExecutionNotifications"]
    assert note["level"] == "warning"
    assert note["message"]["text"] == "not looked at: is a PNG image"


def test_a_rule_of_a_model_is_described_by_what_it_found():
    (run,) = log(finding(rule="model-other"))["runs"]
    assert run["tool"]["driver"]["rules"][-1]["id"] == "model-other"


def test_paths_become_uris():
    assert uri_of("a/b c#d?.md") == "a/b%20c%23d%3F.md"
    assert uri_of("/x/y.md") == "file:///x/y.md"
    assert uri_of("a:b/c") == "a%3Ab/c"


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_gives_a_log_that_is_json(path: str, text: str):
    value = log(finding(path=path, excerpt=text, view=text, reason=text, suppressed=True))
    assert json.loads(json.dumps(value, ensure_ascii=True)) == value
