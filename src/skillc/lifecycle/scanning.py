"""Scanning proposals and artifacts, with the values of the cited Traces at hand.

The scanner itself is pure (core.scan); this reads what it needs, and marks what the policy lets stand.
Paper: 5.3, Scanners. Not here: scanning files by hand (lifecycle.scan).
"""

from collections.abc import Mapping

from skillc.core.compile.select import Attempt
from skillc.core.scan.contract_scanner import scan_contract
from skillc.core.scan.finding import Finding
from skillc.core.scan.scanner import scan_text
from skillc.core.scan.suppression import suppressed_by_policy
from skillc.core.scan.tainted_origin import order_findings, origin_findings
from skillc.core.scan.values import TraceValues, trace_values
from skillc.core.scan.verifier_text import verifier_findings
from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE, Contract, cited_events
from skillc.core.skill.render import render_agent_view
from skillc.lifecycle.context import Context
from skillc.lifecycle.origins import is_named_by_base, verifier_strings


def scan_proposal(context: Context | None, contract: Contract, attempts: Mapping[str, Attempt]) -> tuple[Finding, ...]:
    """Scans a contract before the Curator reads it, against the values of the Traces it cites."""
    path = f"{contract.name}/{CONTRACT_FILE}"
    found = scan_contract(contract, path=path, values=values_of(contract, attempts))
    found = (*found, *_source_findings(context, contract, attempts, path))
    if context is None:
        return found
    return _let_stand(context, found, f"{context.policy.skills_dir}/{path}")


def scan_artifact(context: Context, contract: Contract, attempts: Mapping[str, Attempt]) -> tuple[Finding, ...]:
    """Scans the rendered files of a version, before admission and again in `check`."""
    folder = f"{context.policy.skills_dir}/{contract.name}"
    values = values_of(contract, attempts)
    text = scan_text(render_agent_view(contract), path=f"{folder}/{SKILL_FILE}", values=values)
    path = f"{folder}/{CONTRACT_FILE}"
    found = scan_contract(contract, path=path, values=values)
    found = (*found, *_source_findings(context, contract, attempts, path))
    return (*_let_stand(context, text, f"{folder}/{SKILL_FILE}"), *_let_stand(context, found, path))


def _let_stand(context: Context, findings: tuple[Finding, ...], path: str) -> tuple[Finding, ...]:
    """Marks what the policy of base lets stand. No comment does: a compiled Skill cannot vouch for itself."""
    return findings if context.is_draft else suppressed_by_policy(findings, context.policy.scan.ignore, path=path)


def _source_findings(
    context: Context | None, contract: Contract, attempts: Mapping[str, Attempt], path: str
) -> tuple[Finding, ...]:
    """What a contract says that came from text nobody trusted, or that only a verifier knows.

    Without a context there is no base: it names nothing, and no check is registered.
    """
    cited = [attempts[t] for t in cited_events(contract) if t in attempts]
    traces = [a.trace for a in cited]
    strings = verifier_strings(context, cited) if context is not None else ()
    return (
        *origin_findings(
            contract, traces, path=path, is_named_by_base=lambda o: context is not None and is_named_by_base(context, o)
        ),
        *order_findings(contract, traces, path=path),
        *verifier_findings(contract, strings, traces, path=path),
    )


def values_of(contract: Contract, attempts: Mapping[str, Attempt]) -> TraceValues:
    """Returns the values of the Traces that a contract cites, as far as they are here."""
    cited = [attempts[t] for t in cited_events(contract) if t in attempts]
    families = {a.trace.trace_id: a.attempt_family for a in cited}
    return trace_values([a.trace for a in cited], attempt_family_of=lambda t: families[t.trace_id])
