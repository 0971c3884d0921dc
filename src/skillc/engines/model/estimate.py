"""What a run would ask and cost at most, before it asks anything: for `--dry-run`.

The offline engine stands in for the answers that the later questions are made from. Input tokens are counted by the
API where it counts, else reckoned from the length; output is taken at its limit, so the cost is an upper bound as
long as no answer has to be asked for twice.
Not here: the hard stop while a run goes on (engines.model.meter).
"""

from skillc.core.compile.calls import CostEstimate
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.proposal import Proposal, ProposalOperation
from skillc.core.compile.scanner_answer import scanned_texts
from skillc.engines.model.draft import offline_contract
from skillc.engines.model.engine import ModelEngine
from skillc.engines.model.meter import estimated_tokens, worst_cost
from skillc.engines.model.prompts import scanner_request
from skillc.engines.model.transport import ModelRequest
from skillc.engines.offline.summarize import summarize

MAX_COUNTED = 40  # requests that the API is asked to count; the rest is reckoned


def estimate_run(engine: ModelEngine, evidence: Evidence, *, run: str) -> CostEstimate:
    """Returns the calls of a run over one family: summaries, Reflector, scanner, Curator; kept answers cost nothing."""
    requests = _requests(engine, evidence, run)
    new = [r for r in requests if not engine.asker.is_kept(r)]
    transport = engine.asker.transport
    counted = [transport.count_tokens(r) if n < MAX_COUNTED else None for n, r in enumerate(new)]
    tokens = [known if known is not None else estimated_tokens(r) for r, known in zip(new, counted, strict=True)]
    costs = []
    for request, count in zip(new, tokens, strict=True):
        price = transport.price(request.model)
        is_batch = engine.is_batch and request.role == "summarizer"
        costs.append(None if price is None else worst_cost(request, price, tokens=count, is_batch=is_batch))
    known_costs = [cost for cost in costs if cost is not None]
    return CostEstimate(
        calls=len(new),
        recorded=len(requests) - len(new),
        input_tokens=sum(tokens),
        output_tokens_at_most=sum(r.max_tokens for r in new),
        cost_usd_at_most=round(sum(known_costs), 4) if len(known_costs) == len(costs) else None,
        counted_by="the API" if new and None not in counted else "their length",
        models=tuple(sorted({r.model for r in new})),
    )


def _requests(engine: ModelEngine, evidence: Evidence, run: str) -> list[ModelRequest]:
    found = [engine.summary_question(source.trace).request for source in evidence.sources]
    stand_ins = {s.trace_id: summarize(s.trace, engine=engine.name, version=engine.version) for s in evidence.sources}
    engine.use_summaries(stand_ins)
    found.append(engine.reflector_question(evidence, run=run).request)
    contract = offline_contract(evidence, engine.thresholds, run=run)
    if contract is not None:
        proposal = Proposal(id="p-estimate", operation=ProposalOperation.ADD, contract=contract)
        found.append(scanner_request(engine.policy, scanned_texts((contract,))))
        found.append(engine.curator_question(evidence, (proposal,)).request)
    return found
