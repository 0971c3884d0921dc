"""A namespace of many Skills, each with Traces of its own: copies of one that was really compiled.

Everything is as the product writes it: sealed Traces, signed verifications, run records, contracts whose citations
resolve. Only ids and names differ between the copies.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from skillc.core.audit import AUDIT_NAMESPACE
from skillc.core.compile.group import Change, ResultGroup, make_group, skill_files
from skillc.core.compile.history import RunRecord, RunVersion
from skillc.core.record import Record, canonical_json
from skillc.core.skill.contract import ChangeKind, Contract
from skillc.core.trace.codec import Trace, encode_record, seal
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import VERIFICATION_NAMESPACE, Basis, BasisKind, Envelope, Verification
from skillc.lifecycle.skills import current_skills
from skillc.repo import layout
from skillc.repo.commits import NewCommit, Put, RefUpdate, update_refs, write_commits
from skillc.repo.history import current_trees
from skillc.repo.home import tool_key_path
from skillc.repo.keys import sign_many
from skillc.repo.ledger import LedgerFile, append_to_ledger, ledger_file
from tests.reward_world import FAMILY, refund_run, take
from tests.world import NOW, World

PER_SKILL = 10
_BATCH = 1_000  # signatures with one start of ssh-keygen
_PER_COMMIT = 10


@dataclass(frozen=True)
class Pattern:
    """What is copied: a compiled contract, its Traces, and the run that made it."""

    contract: Contract
    traces: tuple[Trace, ...]
    run: RunRecord


@dataclass(frozen=True)
class Copy:
    """One copy: its group and its Traces, sealed anew under their own ids."""

    group: ResultGroup
    traces: tuple[Trace, ...]
    lines: tuple[bytes, ...]


def pattern_of(shop: World) -> Pattern:
    """Compiles one Skill from ten attempts, and merges it."""
    take(shop, "refunds", *(refund_run(n) for n in range(PER_SKILL)))
    shop.compile(FAMILY)
    shop.merge(FAMILY)
    contract = current_skills(shop.context())[FAMILY].contract
    assert contract is not None
    traces = tuple(a.trace for a in shop.attempts().values() if a.task_family == FAMILY)
    return Pattern(contract, traces, shop.context().ledger.runs[-1])


def copy_of(pattern: Pattern, number: int) -> Copy:
    """Returns the copy with this number."""
    name, run = f"{FAMILY}-{number:05d}", f"r-{number:020d}"
    ids = {t.trace_id: f"t-{number:06d}{place:018d}" for place, t in enumerate(pattern.traces)}
    text = canonical_json(pattern.contract).decode("utf-8")
    for old, new in (*ids.items(), (pattern.contract.skill_id, f"s-{number:020d}")):
        text = text.replace(old, new)
    contract = Contract.model_validate_json(text).model_copy(update={"name": name, "task_family": name})
    support = contract.support.model_copy(
        update={"attempt_families": tuple(sorted(ids.get(f, f) for f in contract.support.attempt_families))}
    )
    contract = contract.model_copy(update={"support": support})
    traces, files = [], []
    for trace in pattern.traces:
        header = trace.header.model_copy(update={"trace_id": ids[trace.trace_id], "task_family": name})
        head, lines, close = seal(header, [encode_record(e) for e in trace.events], trace.close)
        files.append(b"".join(line + b"\n" for line in (head, *lines, close)))
        traces.append(trace.model_copy(update={"header": header, "close": trace.close.model_validate_json(close)}))
    group = make_group(run, name, (Change(kind=ChangeKind.ADD, contract=contract, proposal_id="p-1"),))
    return Copy(group, tuple(traces), tuple(files))


def store_copies(world: World, copies: Sequence[Copy], pattern: Pattern, *, branch: str | None = None) -> None:
    """Stores Traces, verifications, Skills (on base, or on a branch) and runs of these copies."""
    repository = world.context().repository
    ref = layout.LOCAL_REFS + (branch or "main")
    tip = world.git("rev-parse", "main")
    puts = [
        Put(layout.trace_path(t.trace_id, None), data)
        for c in copies
        for t, data in zip(c.traces, c.lines, strict=True)
    ]
    old = repository.refs(layout.TRACES_REF)[layout.TRACES_REF]
    written = write_commits(repository, [NewCommit("traces\n", puts, NOW)], parent=old, label="traces")
    update_refs(repository, [RefUpdate(layout.TRACES_REF, old, written.ids[-1])], drop=[written.tmp_ref])
    commits = [
        NewCommit(
            "skills\n",
            [
                Put(f".claude/skills/{change.contract.name}/{name}", data)
                for c in copies[start : start + _PER_COMMIT]
                for change in c.group.changes
                for name, data in skill_files(change.contract).items()
            ],
            NOW + timedelta(seconds=start),
        )
        for start in range(0, len(copies), _PER_COMMIT)
    ]
    written = write_commits(repository, commits, parent=tip, label="skills")
    before = repository.refs(ref).get(ref)
    update_refs(repository, [RefUpdate(ref, before, written.ids[-1])], drop=[written.tmp_ref])
    if branch is None:
        world.git("reset", "--quiet", "--hard", "main")
    trees = current_trees(repository, written.ids[-1], ".claude/skills")
    runs = [_run(c, pattern, trees) for c in copies]
    files = [ledger_file("runs", e) for e in _signed(runs, namespace=AUDIT_NAMESPACE)]
    append_to_ledger(repository, [*files, *_verifications(world, copies)], message="many\n", at=NOW)


def _run(copy: Copy, pattern: Pattern, trees: dict[str, str]) -> RunRecord:
    contract = copy.group.changes[0].contract
    version = RunVersion(skill=contract.name, skill_id=contract.skill_id, change="add", tree=trees[contract.name])
    return pattern.run.model_copy(
        update={
            "run": copy.group.run,
            "task_family": copy.group.task_family,
            "group": copy.group.manifest,
            "versions": (version,),
            "read": (),
            "proposals": (),
            "previous": (),
        }
    )


def _verifications(world: World, copies: Sequence[Copy]) -> Iterator[LedgerFile]:
    policy = world.context().policy
    verifier = policy.verifier("reward")
    assert verifier is not None
    assert verifier.mapping is not None
    basis = Basis(kind=BasisKind.MAPPING, ref=verifier.mapping.ref, detail="reward")
    made = [
        Verification(
            namespace=policy.namespace, trace_id=t.trace_id, trace_digest=t.digest, outcome=Outcome.SUCCESS,
            verifier_id="reward", basis=basis, at=NOW,
        )
        for c in copies
        for t in c.traces
    ]  # fmt: skip
    for verification, envelope in zip(made, _signed(made, namespace=VERIFICATION_NAMESPACE), strict=True):
        yield ledger_file(f"verifications/{verification.trace_id}", envelope)


def _signed(records: Sequence[Record], *, namespace: str) -> Iterator[Envelope]:
    payloads = [canonical_json(r) for r in records]
    for start in range(0, len(payloads), _BATCH):
        yield from sign_many(payloads[start : start + _BATCH], namespace=namespace, key_path=tool_key_path())
