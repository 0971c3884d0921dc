"""The pull request: what a reviewer decides from, within a forge's limit, and nothing foreign acts in it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.admit.gates import GateResult, GateVerdict
from skillc.core.scan.finding import Finding, Severity
from skillc.errors import UsageError
from skillc.lifecycle.explain import CitationLine, ClaimLine, EventExcerpt
from skillc.lifecycle.pull_request import MAX_BODY_BYTES, body_of, pull_request, title_of, write_body
from skillc.lifecycle.review import ReviewedCandidate, ReviewedVersion, review
from tests.forge_markdown import headings, live_parts, live_words
from tests.world import FIELD, World

SECTIONS = ["What changes for the agent", "Gates", "Risks", "Evidence of every line", "Try it, undo it"]


def line(text: str = "Run the tests", *, claim_id: str = "s1", excerpt: str | None = "pytest -q") -> ClaimLine:
    event = EventExcerpt(id="e3", kind="tool_call", excerpt=excerpt)
    citation = CitationLine(
        trace_id="t-0123456789", events=(event,), verifier="ci", strength="external", assurance="isolated",
        commit="c" * 40,
    )  # fmt: skip
    return ClaimLine(id=claim_id, field="steps", text=text, citations=(citation,), basis="events")


def version(skill: str = "mend-it", *, claims: tuple[ClaimLine, ...] = (), diff: str = "+a") -> ReviewedVersion:
    return ReviewedVersion(
        skill=skill, skill_id="s-12345678", change="add", commit="a" * 40, tree="b" * 40, diff=diff,
        claims=claims or (line(),), attempt_families=3, single_source=False, effects=("write",), tools=("Bash",),
    )  # fmt: skip


def candidate(*versions: ReviewedVersion, **changes: object) -> ReviewedCandidate:
    gate = GateVerdict(gate="approval", result=GateResult.HOLD, reason="approval is by merge", next="merge it")
    made = ReviewedCandidate(
        branch="skillc/candidate/mend", task_family="mend", run="r-1", group="sha256:0", versions=versions or (version(),),
        read=5, left_out=("2 unverified",), reasons=(), foreign=(), gates=(gate,), risks=("single attempt family",),
    )  # fmt: skip
    return made.model_copy(update=changes)


def test_it_says_what_changes_why_and_how_to_undo_it(world: World, tmp_path):
    world.compile(FIELD)
    found = review(world.context()).candidates[0]
    title, body = pull_request(found)
    write_body(found, tmp_path / "pr.md")
    with pytest.raises(UsageError, match="there is no folder"):
        write_body(found, tmp_path / "none" / "pr.md")

    assert title == f"skillc: add {FIELD}"
    assert "git revert -m 1" in body
    assert f"Skillc-Run: {found.run}" in body
    assert all(f"**{c.field.replace('_', chr(92) + '_')}**" in body for c in found.versions[0].claims)
    assert all(f"| {g.gate} | {g.result.value} |" in body for g in found.gates)
    assert "verified by unit-tests, tool, assurance local, at " in body
    assert (tmp_path / "pr.md").read_text("utf-8") == body
    assert live_parts(body) == []


def test_what_a_person_decides_from_comes_in_the_order_of_the_decision():
    body = body_of(candidate())
    assert [h for h in headings(body) if h in SECTIONS] == SECTIONS
    assert body.index("Gates") < body.index("single attempt family") < body.index("t-0123456789")
    assert "verified by ci, external, assurance isolated, at cccccccccccc" in body
    assert "| approval | hold | approval is by merge | merge it |" in body
    assert "2 unverified" in body


def test_a_gate_that_passes_has_no_next_step():
    passed = GateVerdict(gate="scan", result=GateResult.PASS, reason="no finding", next="never shown")
    assert "| scan | pass | no finding |  |" in body_of(candidate(gates=(passed,)))


def test_a_line_of_a_person_says_that_no_event_is_behind_it():
    own = ClaimLine(id="s1", field="steps", text="Ask first", citations=(), basis="person", person="ada")
    body = body_of(candidate(version(claims=(own,))))
    assert "no event is behind it" in body
    assert "ada" in body


def test_the_evidence_of_later_lines_is_cut_before_gates_risks_and_the_diff():
    lines = tuple(line(f"Step number {n}", claim_id=f"s{n}", excerpt="x" * 150) for n in range(600))
    body = body_of(candidate(version(claims=lines, diff="+whole diff")))
    assert len(body.encode()) <= MAX_BODY_BYTES
    assert all(
        part in body for part in ("+whole diff", "approval is by merge", "single attempt family", "Step number 0")
    )
    kept = len(re.findall(r"Step number \d+", body))
    assert kept < 600
    assert f"Step number {kept - 1}" in body
    assert f"Without {600 - kept} lines" in body
    assert "skillc review mend" in body
    assert "git revert" in body


def test_whole_skills_come_before_part_of_a_long_one():
    long = version("long-one", claims=tuple(line(f"Long {n}", excerpt="x" * 150) for n in range(600)))
    body = body_of(candidate(long, version("short-one", claims=(line("Short"),))))
    assert "Short" in body
    assert "Long 0" in body
    assert "Long 599" not in body


def test_a_diff_that_is_too_long_is_cut_at_a_line_and_the_gates_stay():
    diff = "\n".join(f"+line {n} {'é' * 80}" for n in range(2000))
    body = body_of(candidate(version(diff=diff), version("second", diff="+small")))
    assert len(body.encode()) <= MAX_BODY_BYTES
    assert "+line 0 " in body
    assert "+line 1999" not in body
    assert "approval is by merge" in body
    assert live_parts(body) == []
    assert [h for h in headings(body) if h in SECTIONS][:3] == SECTIONS[:3]


@pytest.mark.parametrize("letter", ["x", "é", "𝔸", "`", "\\", "*", "@x", "<"])
def test_no_size_and_no_script_makes_a_body_too_long(letter: str):
    """Escapes make text longer: what is counted is what is sent, in bytes."""
    text = letter * 4000
    lines = tuple(line(text, claim_id=f"s{n}", excerpt=letter * 160) for n in range(40))
    made = candidate(
        *(version(f"skill-{n}", claims=lines, diff="\n".join("+" + text for _ in range(9))) for n in range(20)),
        warnings=(text,) * 99, risks=(text,) * 99, reasons=(text,) * 99, left_out=(text,) * 99,
        gates=tuple(GateVerdict(gate=text, result=GateResult.HOLD, reason=text, next=text) for _ in range(40)),
        approved_by=text, task_family=text, branch=text, run=text, group=text,
    )  # fmt: skip
    body = body_of(made)
    assert len(body.encode()) <= MAX_BODY_BYTES
    assert [h for h in headings(body) if h in SECTIONS][-1] == "Try it, undo it"
    assert len(title_of(made)) <= 256


def test_the_title_names_three_skills_and_counts_the_others():
    assert title_of(candidate(*(version(f"v{n}") for n in range(5)))) == "skillc: add v0, add v1, add v2 and 2 more"


def test_names_in_the_commands_are_data_for_the_shell():
    body = body_of(candidate(branch="skillc/candidate/x;touch$(id)", task_family="x;id"))
    assert "git switch 'skillc/candidate/x;touch$(id)'" in body
    assert "skillc review 'x;id'" in body


HOSTILE = st.text(alphabet="@#1aé <>![]()*_~|`/:.-+=\\&$\n\r\u202ecloses", max_size=40) | st.sampled_from(
    [
        "Closes #12",
        "@everyone",
        "```\n# Gates\n",
        "<!-- x",
        "![a](http://b.c/d)",
        "fixes https://github.com/a/b/issues/1",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[HOSTILE] * 8))
def test_nothing_from_a_trace_acts_in_a_body(texts: tuple[str, ...]):
    word, claim, excerpt, reason, warning, name, diff, who = texts
    made = candidate(
        version(name or "x", claims=(line(claim, excerpt=excerpt),), diff=diff),
        warnings=(warning,), risks=(reason,), reasons=(word,), left_out=(word,), run=name, group=name,
        gates=(GateVerdict(gate="scan", result=GateResult.HOLD, reason=reason, next=word),),
        task_family=word or "f", branch=name, approved_by=who or None,
    )  # fmt: skip
    body = body_of(made)
    assert live_parts(body) == []
    assert [h for h in headings(body) if not h.startswith("`")] == [*SECTIONS[:4], "Left out, and why", SECTIONS[4]]
    assert live_words(title_of(made)) == []
    assert "\n" not in title_of(made)


def test_what_a_candidate_is_held_for_stands_among_the_risks(world: World, monkeypatch):
    """Whoever merges must see what the scanner saw."""
    world.compile(FIELD)
    seen = Finding(
        path="x/contract.json#inputs/inputs-url-1", line=1, column=1, rule="tainted-origin", severity=Severity.WARN,
        title="First seen in untrusted output", excerpt="https://drop.example.net", fingerprint="sha256:0",
    )  # fmt: skip
    monkeypatch.setattr("skillc.lifecycle.scanning.scan_artifact", lambda *_: (seen,))
    body = body_of(review(world.context(), FIELD).candidates[0])
    risks = body[body.index("## Risks") : body.index("## Evidence")]
    assert "tainted-origin in inputs/inputs-url-1" in risks


def test_a_dot_in_the_diff_is_explained():
    dotted = body_of(candidate(version(diff="+npm install @scope/tool")))
    assert "+npm install @·scope/tool" in dotted
    assert "A dot `·`" in dotted
    assert "A dot" not in body_of(candidate())
