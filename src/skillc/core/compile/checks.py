"""Validation: trusted code checks every proposal as if a stranger had written it.

Structure, citations, evidence rules per field, the rules of a single-source Skill, and the limits of the
format. A failed check is a value. Paper: 5.3, Validation. Not here: instance data and instructions
(core.scan), support of a claim by its events (the Curator).
"""

import re
from collections.abc import Callable, Iterable, Iterator

from skillc.core.compile.evidence import Evidence, Source, SourceRole
from skillc.core.compile.history import is_closed, keys_of
from skillc.core.compile.narrow import placeholders_of
from skillc.core.compile.proposal import Proposal, ProposalOperation, content_key
from skillc.core.compile.rejected import is_rejected, rejected_lines
from skillc.core.once import once_per_record
from skillc.core.policy import (
    CHARS_PER_TOKEN,
    MAX_BODY_LINES,
    MAX_BODY_TOKENS,
    MAX_DESCRIPTION_CHARS,
    RESERVED_NAMES,
)
from skillc.core.record import Record, strings_in
from skillc.core.skill.claim import Citation, Claim, ClaimBasis, FailureClaim, StepClaim
from skillc.core.skill.contract import (
    Contract,
    EvidenceRule,
    all_citations,
    cited_events,
    claims_of,
    contract_fields,
    iter_claims,
)
from skillc.core.skill.render import one_line, render_agent_view
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import Event, EventKind

_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@:/-]{2,}")


class CheckFailure(Record):
    """One rule that a proposal breaks. `claim_id` is None when the rule is about the whole contract."""

    code: str
    field: str | None = None
    claim_id: str | None = None
    message: str


def check_proposal(proposal: Proposal, evidence: Evidence) -> tuple[CheckFailure, ...]:
    """Returns every broken rule of a proposal, in a fixed order; empty when it may go on to the scanner."""
    contract = proposal.contract
    if contract is None:
        return ()
    return (
        *_check_place(proposal, contract, evidence),
        *check_contract(contract, evidence),
        *_check_closed(contract, evidence),
    )


def check_contract(contract: Contract, evidence: Evidence, *, by_people: bool = False) -> tuple[CheckFailure, ...]:
    """Returns every broken rule of a contract by itself, wherever it came from.

    `by_people`: it may hold lines that people wrote; whether they did is asked elsewhere (core.compile.amendment). With
    it a version that says that it was published may hold lines that rest on that; who signed for it is asked elsewhere
    too (lifecycle.publications).
    """
    is_published = by_people and contract.origin.published is not None
    failures = [*_check_structure(contract, evidence)]
    if is_published and not cited_events(contract) and not contract.support.attempt_families:
        failures = [f for f in failures if f.code != "false-support"]  # it names none, and has none
    for field, claim in iter_claims(contract):
        if (by_people and claim.is_persons) or (is_published and claim.basis is ClaimBasis.PUBLISHED):
            failures += _check_persons(field, claim)
        else:
            failures += _check_claim(field, claim, evidence)
    if contract.is_single_source:
        failures += _check_single_source(contract, evidence)
    return tuple(failures)


def _check_place(proposal: Proposal, contract: Contract, evidence: Evidence) -> Iterator[CheckFailure]:
    """The patch's place among the current Skills: no stale base, no silent rename. Twins: core.compile.decision."""
    known = {current.contract.skill_id: current for current in evidence.current}
    current = known.get(contract.skill_id)
    if proposal.operation is ProposalOperation.PATCH:
        if current is None or current.tree != proposal.base_tree:
            message = "the patch was made against another version than the current one"
            yield CheckFailure(code="stale-base", message=message)
        elif current.contract.name != contract.name:
            yield CheckFailure(code="renamed", message="a patch must keep the Skill's name")


def _check_structure(contract: Contract, evidence: Evidence) -> Iterator[CheckFailure]:
    def fail(code: str, message: str) -> CheckFailure:
        return CheckFailure(code=code, message=message)

    if contract.task_family != evidence.task_family:
        yield fail("other-family", f"the contract is for family {contract.task_family!r}")
    if not contract.steps:
        yield fail("no-steps", "a Skill without a step teaches nothing")
    if not contract.use_when:
        yield fail("no-applicability", "a Skill must say when to use it")
    if len(contract.description.text) > MAX_DESCRIPTION_CHARS:
        yield fail("long-description", f"the description has more than {MAX_DESCRIPTION_CHARS} characters")
    if contract.name in RESERVED_NAMES:
        yield fail("reserved-name", f"hosts keep the folder name {contract.name!r} for themselves")
    if contract.origin.skill_id != contract.skill_id:
        yield fail("false-origin", "the origin names another Skill")
    ids = [claim.id for _, claim in iter_claims(contract)]
    if len(set(ids)) != len(ids):
        yield fail("doubled-claim-id", "two claims have the same id")
    body = render_agent_view(contract)
    if body.count("\n") > MAX_BODY_LINES or len(body) > MAX_BODY_TOKENS * CHARS_PER_TOKEN:
        yield fail("too-long", f"SKILL.md has more than {MAX_BODY_LINES} lines or {MAX_BODY_TOKENS} tokens")
    cited = cited_events(contract)
    supporting = {s.attempt_family for s in evidence.supports if s.trace_id in cited}
    named = set(contract.support.attempt_families)
    if not named or not named <= supporting:
        yield fail("false-support", "the contract names attempt families that it does not cite as support")
    if contract.support.single_source != (len(named) == 1):
        yield fail("false-single-source", "the single-source mark does not match the attempt families")
    undeclared = {n for step in contract.steps for n in placeholders_of(step)} - {c.name for c in contract.inputs}
    if undeclared:
        yield fail("undeclared-input", f"the placeholder <{sorted(undeclared)[0]}> has no input")


def _check_claim(field: str, claim: Claim, evidence: Evidence) -> Iterator[CheckFailure]:
    def fail(code: str, message: str) -> CheckFailure:
        return CheckFailure(code=code, field=field, claim_id=claim.id, message=message)

    if claim.basis is not ClaimBasis.EVENTS:
        if any(claim in claims_of(c.contract, field) for c in (*evidence.current, *evidence.former, *evidence.amended)):
            return  # a person's line of an earlier version, unchanged
        yield fail("foreign-basis", f"an engine cannot state a claim on the basis {claim.basis.value!r}")
        return
    citations = all_citations(claim)
    if not claim.citations:
        yield fail("no-citation", "the claim cites nothing")
        return
    sources: list[Source] = []
    for citation in citations:
        source = evidence.source(citation.trace_id)
        if source is None:
            yield fail("unknown-trace", f"Trace {citation.trace_id!r} is not a source of this run")
            return
        unreadable = next((e for e in citation.events if not _is_readable(source.trace.event(e))), None)
        if unreadable is not None:
            yield fail(
                "unknown-event",
                f"event {unreadable!r} of Trace {citation.trace_id!r} is not stored or restricted",
            )
            return
        if source.trace.header.namespace != evidence.namespace:
            yield fail("other-namespace", f"Trace {citation.trace_id!r} belongs to another namespace")
            return
        sources.append(source)
    if not one_line(claim.text):
        yield fail("empty-text", "the claim has no visible text")
    yield from _check_rule(field, claim, sources, evidence, fail)


def _check_persons(field: str, claim: Claim) -> Iterator[CheckFailure]:
    """A person's line rests on the person, a published one on the publication: it cites nothing, and says something."""
    told = {"cites-events": "a line of a person or a publication cites no events"} if all_citations(claim) else {}
    if isinstance(claim, StepClaim) and claim.frequency is not None:
        told["false-frequency"] = "a frequency counts attempt families, and such a line has none"
    if not one_line(claim.text):
        told["empty-text"] = "the claim has no visible text"
    for code, message in told.items():
        yield CheckFailure(code=code, field=field, claim_id=claim.id, message=message)


def _is_readable(event: Event | None) -> bool:
    return event is not None and event.restricted is None


def _check_rule(
    field: str,
    claim: Claim,
    sources: list[Source],
    evidence: Evidence,
    fail: Callable[[str, str], CheckFailure],
) -> Iterator[CheckFailure]:
    """The evidence rule of the field: who may stand behind this claim. Paper: 5.3, Validation."""
    rule = contract_fields()[field].rule
    roles = {source.role for source in sources}
    if rule is EvidenceRule.SUCCESS and roles != {SourceRole.SUPPORT}:
        yield fail("cites-failure", f"{field} can rest on verified successes only")
    if rule is EvidenceRule.CONTRAST and SourceRole.SUPPORT not in roles:
        yield fail("contrast-alone", f"a failure can stand in {field} beside a verified success only")
    if isinstance(claim, FailureClaim) and claim.recovery is not None:
        recovering = [evidence.source(c.trace_id) for c in claim.recovery_citations]
        if not recovering or any(s is None or s.role is not SourceRole.SUPPORT for s in recovering):
            yield fail("unverified-recovery", "a recovery must rest on a verified success")
    is_kept = any(claim in claims_of(current.contract, field) for current in evidence.current)
    if isinstance(claim, StepClaim) and claim.frequency is not None and not is_kept:
        known = len({s.attempt_family for s in evidence.supports})
        if not claim.optional or not claim.frequency.families < claim.frequency.of <= known:
            yield fail("false-frequency", "a frequency belongs to an optional step, and counts families of this run")
    if isinstance(claim, StepClaim):
        tools = _successful_tools(claim.citations, evidence)
        if not tools:
            yield fail("step-without-action", "a step must cite a successful action of the agent itself")
        elif claim.action is not None and claim.action.tool not in tools:
            yield fail("other-tool", f"the step uses the tool {claim.action.tool!r}, and no cited action does")
    for citation in claim.citations:
        source = evidence.source(citation.trace_id)
        if source is not None and field != "failure_modes" and _only_untrusted(citation, source):
            yield fail("only-untrusted", f"the claim rests only on text that nobody trusted ({citation.trace_id})")
            return


def _successful_tools(citations: Iterable[Citation], evidence: Evidence) -> set[str]:
    """Returns the tools of the cited calls (or Skill uses) of the agent that did not end in an error."""
    found: set[str] = set()
    for citation in citations:
        source = evidence.source(citation.trace_id)
        if source is None:
            continue
        failed = _calls_with_error(source.trace)
        for event_id in citation.events:
            event = source.trace.event(event_id)
            if event is None or event.tool is None or event.kind not in (EventKind.TOOL_CALL, EventKind.SKILL_USE):
                continue
            if event.call_id is None or event.call_id not in failed:
                found.add(event.tool)
    return found


def _only_untrusted(citation: Citation, source: Source) -> bool:
    """Says whether all cited events are untrusted texts that answer no call of the agent."""
    calls = _calls(source.trace)
    events = [source.trace.event(e) for e in citation.events]
    return all(e is not None and e.untrusted and (e.call_id is None or e.call_id not in calls) for e in events)


@once_per_record
def _calls(trace: Trace) -> frozenset[str | None]:
    return frozenset(e.call_id for e in trace.events if e.kind is EventKind.TOOL_CALL)


@once_per_record
def _calls_with_error(trace: Trace) -> frozenset[str | None]:
    return frozenset(e.call_id for e in trace.events if e.kind is EventKind.TOOL_RESULT and e.is_error)


def _check_closed(contract: Contract, evidence: Evidence) -> Iterator[CheckFailure]:
    """A rejected or reverted proposal, or a rejected line, is not made again without a new source."""
    if not evidence.history:
        return
    if is_closed(evidence.history, content=content_key(contract), sources=keys_of(evidence)):
        yield CheckFailure(code="closed", message="the same proposal was rejected, and no source is new since then")
    rejected = rejected_lines(evidence)
    for field, claim in iter_claims(contract):
        if is_rejected(field, claim, rejected):
            message = "this line was rejected, and no source is new since then"
            yield CheckFailure(code="closed-line", field=field, claim_id=claim.id, message=message)


def _check_single_source(contract: Contract, evidence: Evidence) -> Iterator[CheckFailure]:
    """5.3: one attempt family: no identifier of the source remains, applicability within its tools."""
    family = contract.support.attempt_families[0] if contract.support.attempt_families else ""
    own = [s for s in evidence.supports if s.attempt_family == family]
    identifiers = _identifiers(own)
    tools = {e.tool for s in own for e in s.trace.events if e.tool}
    for field, claim in iter_claims(contract):
        if claim.is_persons:
            continue  # it does not rest on the source
        texts = [claim.text]
        if isinstance(claim, StepClaim) and claim.action is not None:
            texts += list(strings_in(claim.action.arguments))
            if claim.action.tool not in tools:
                message = f"the tool {claim.action.tool!r} is not in the evidence"
                yield CheckFailure(code="outside-evidence", field=field, claim_id=claim.id, message=message)
        if isinstance(claim, FailureClaim) and claim.recovery:
            texts.append(claim.recovery)
        if isinstance(claim, StepClaim) and claim.repeat:
            texts.append(claim.repeat)
        kept = sorted({w.strip(".,:;") for t in texts for w in _IDENTIFIER.findall(t)} & identifiers)
        if kept:
            message = f"keeps an identifier of its only source ({len(kept)} in this line)"
            yield CheckFailure(code="source-identifier", field=field, claim_id=claim.id, message=message)


def _identifiers(sources: Iterable[Source]) -> set[str]:
    """Returns the words of argument values that look like identifiers: with a digit, or an address."""
    found: set[str] = set()
    for source in sources:
        for event in source.trace.events:
            for text in strings_in(event.arguments or {}):
                for word in _IDENTIFIER.findall(text):
                    bare = word.strip(".,:;")
                    if len(bare) >= 4 and (
                        (any(c.isdigit() for c in bare) and any(c.isalpha() for c in bare)) or "@" in bare
                    ):
                        found.add(bare)
    return found - {"python3", "utf-8", "sha256", "base64", "http2", "ipv4", "ipv6"}
