"""Any contract: strategies for property tests. Texts lean towards what a host, YAML or Markdown would act on."""

from hypothesis import strategies as st

from skillc.core.skill.claim import (
    Action,
    Citation,
    Claim,
    ClaimBasis,
    Effect,
    EffectClaim,
    FailureClaim,
    InputClaim,
    InputSource,
    StepClaim,
)
from skillc.core.skill.contract import Contract, Support, contract_fields
from tests import makers

SHARP = [
    "!`rm -rf`", "`", "```", "```!", "$1", "\\$1", "\\\\$1", "$ARGUMENTS", "${CLAUDE_SKILL_DIR}", "@file", "@~/.ssh",
    "\\@x", "![a](http://x)", "[a](b)", "[a[b](c)", "[a[b]](c)", "<script>", "<img src=x>", "<!-- x -->", "</a>",
    "<system-reminder>", "---", "--- ---", "\n---\n", "\n", "\r\n", "\t", "\u2028", "\u200b", "\u202e", "\U000e0041", "\ufeff",
    "\x00", "\x85", "\uffff", "\u00ad", "# ", "> ", "- ", "1. ", "~~~", "===", '"', "'", "\\", ": ", "{a: b}", "[x]", "&a",
    "*a", "!!str", "%", "|", "word", "Use when x", "ü", "\U0001f980", "<name>", "<T>", "List<String>", "<<EOF", "#1", "\ufe0f",
]  # fmt: skip
PLAIN = st.characters(exclude_categories=["Cs"])
TEXT = st.one_of(
    st.text(PLAIN, min_size=1, max_size=40),
    st.lists(st.sampled_from(SHARP), min_size=1, max_size=6).map("".join),
    st.lists(st.sampled_from(SHARP), min_size=1, max_size=6).map(" ".join),
)
WORD = st.from_regex(r"[a-z]{1,6}", fullmatch=True)
NAME = st.from_regex(r"[a-z0-9]{1,5}(-[a-z0-9]{1,4}){0,3}", fullmatch=True)
CITATIONS = st.lists(
    st.builds(
        Citation,
        trace_id=st.sampled_from(["t-00000001", "t-00000002"]),
        events=st.lists(st.integers(0, 20).map(lambda n: f"e{n}"), min_size=1, max_size=3, unique=True).map(tuple),
    ),
    max_size=2,
).map(tuple)
CLAIM = {"text": TEXT, "citations": CITATIONS, "basis": st.sampled_from(ClaimBasis)}
KINDS = {
    "inputs": lambda id: st.builds(InputClaim, id=id, name=WORD, source=st.sampled_from(InputSource), **CLAIM),
    "steps": lambda id: st.builds(
        StepClaim,
        id=id,
        action=st.none() | st.builds(Action, tool=TEXT, arguments=st.dictionaries(WORD, TEXT, max_size=2)),
        optional=st.booleans(),
        repeat=st.none() | TEXT,
        **CLAIM,
    ),
    "failure_modes": lambda id: st.builds(
        FailureClaim, id=id, recovery=st.none() | TEXT, recovery_citations=CITATIONS, **CLAIM
    ),
    "effects": lambda id: st.builds(EffectClaim, id=id, effect=st.sampled_from(Effect), **CLAIM),
}


@st.composite
def contracts(draw: st.DrawFn, description: st.SearchStrategy[str] = TEXT) -> Contract:
    """Draws a valid contract with any text in any field."""
    fields: dict[str, object] = {
        "name": draw(NAME),
        "task_family": draw(NAME),
        "description": Claim(id="description", text=draw(description), citations=draw(CITATIONS)),
        "support": Support(attempt_families=("t-00000001",), single_source=draw(st.booleans())),
    }
    for field in contract_fields():
        if field == "description":
            continue
        kind = KINDS.get(field, lambda id: st.builds(Claim, id=id, **CLAIM))
        count = draw(st.integers(0, 2))
        fields[field] = tuple(draw(kind(st.just(f"{field.replace('_', '-')}-{n}"))) for n in range(count))
    return makers.make_contract(**fields)
