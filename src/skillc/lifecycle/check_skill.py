"""`check` of one compiled Skill: its folder, its evidence, what the scanner says, and whether it is in service.

The folders of all Skills come from one listing and the files through one reader, so that a thousand Skills are one
look and not a thousand. Paper: 5.3, 5.4. Not here: the revision as a whole (lifecycle.check), admission
(lifecycle.check_admission).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from skillc.core.compile.amendment import persons_lines, uncovered_lines
from skillc.core.compile.checks import check_contract
from skillc.core.compile.conflict import open_conflicts
from skillc.core.compile.evidence import Evidence, Source
from skillc.core.compile.group import skill_files
from skillc.core.compile.select import role_of
from skillc.core.compile.withdrawal import WithdrawalReason, WithdrawalRecord
from skillc.core.record import Record
from skillc.core.scan.finding import Severity
from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE, Contract, Support, cited_events
from skillc.lifecycle.amend_records import amendments_for
from skillc.lifecycle.check_problem import Problem, first_difference, line_of_claim, problem_of
from skillc.lifecycle.context import Context
from skillc.lifecycle.explain import EvidenceReader
from skillc.lifecycle.hand_edits import hand_edit
from skillc.lifecycle.publications import published_by
from skillc.lifecycle.run_signers import is_amended_to
from skillc.lifecycle.skills import StoredSkill
from skillc.lifecycle.upkeep import withdrawals
from skillc.repo import layout
from skillc.repo.objects import Entry, ObjectReader, TooLargeError, list_tree

MAX_SKILL_BYTES = 1 << 20
_SKILL_ID = re.compile(rb"^[ \t]*[\"']?skillc-id[\"']?[ \t]*:", re.MULTILINE)
FETCH_TRACES = f"git fetch origin {layout.TRACES_BRANCH}:{layout.TRACES_BRANCH}"
SHARE_TRACES = "skillc sync --share-traces in the clone that has them"
FETCH_LEDGER = f"git fetch origin {layout.LEDGER_BRANCH}:{layout.LEDGER_BRANCH}"


class LetStand(Record):
    """A finding of the scanner that the policy of base lets stand, with the reason that it gives."""

    path: str
    skill: str
    rule: str
    severity: Severity
    title: str
    reason: str


@dataclass
class SkillChecks:
    """Checks Skills of one revision. `suppressed` collects what the policy of base lets stand."""

    context: Context
    commit: str
    reader: EvidenceReader
    objects: ObjectReader
    suppressed: list[LetStand] = field(default_factory=list)

    @cached_property
    def _entries(self) -> Mapping[str, Sequence[Entry]]:
        """The files of every Skill's folder, by the Skill's name."""
        found: dict[str, list[Entry]] = {}
        prefix = len(self.context.policy.skills_dir) + 1
        for entry in list_tree(self.context.repository, self.commit, self.context.policy.skills_dir):
            name, slash, _ = entry.path[prefix:].partition("/")
            if slash and entry.kind != "tree":
                found.setdefault(name, []).append(entry)
        return found

    @cached_property
    def _made(self) -> frozenset[str]:
        return frozenset(v.tree for r in self.context.ledger.runs for v in r.versions)

    @cached_property
    def _withdrawn(self) -> Mapping[str, WithdrawalRecord]:
        return withdrawals(self.context)

    def problems(self, skill: StoredSkill, before: StoredSkill | None) -> Iterator[Problem]:
        """Yields what is wrong with one Skill; `before` is what base has of it."""
        folder = layout.skill_folder(self.context.policy.skills_dir, skill.name)
        if skill.problem is not None:
            yield problem_of(
                "contract-invalid",
                f"{folder}/{CONTRACT_FILE}",
                skill.name,
                skill.problem,
                "git revert the change",
            )
            return
        if skill.contract is None:
            yield from self._contract_problems(folder, skill.name, before)
            return
        contract = skill.contract
        yield from self._folder_problems(folder, skill, contract)
        yield from self._evidence_problems(folder, contract)
        yield from self._scan_problems(folder, contract)
        yield from self._service_problems(folder, skill)
        yield from self._persons_problems(folder, skill.tree, contract)
        yield from self._publication_problems(folder, contract)
        if skill.tree not in self._made:
            known = self.context.ledger.commit is not None
            message = "no recorded run made this version" if known else "the ledger is not here, so no run can be seen"
            yield problem_of("unrecorded-version", folder, skill.name, message, FETCH_LEDGER, hold=True)

    def _contract_problems(self, folder: str, name: str, before: StoredSkill | None) -> Iterator[Problem]:
        """A compiled Skill keeps its contract under whatever name: its text says that skillc made it."""
        if before is not None and before.contract is not None:
            message = "contract.json was removed, so no line has evidence any more"
            yield problem_of("contract-removed", folder, name, message, "restore the file from base")
            return
        path = f"{folder}/{SKILL_FILE}"
        entry = next((e for e in self._entries.get(name, ()) if e.path == path and e.kind == "blob"), None)
        try:
            text = self.objects.read(entry.object_id, limit=MAX_SKILL_BYTES) if entry is not None else None
        except TooLargeError:  # no host reads such a file, and the scan of unmanaged Skills tells it
            return
        if text is not None and _SKILL_ID.search(text.split(b"\n---", 1)[0]):
            message = f"says by its skillc-id that skillc compiled it, and has no {CONTRACT_FILE}"
            following = f"bring {CONTRACT_FILE} along, or take the line skillc-id out of your own Skill"
            yield problem_of("contract-removed", path, name, message, following)

    def _scan_problems(self, folder: str, contract: Contract) -> Iterator[Problem]:
        """What the scanner blocks; what the policy lets stand goes to `suppressed`."""
        from skillc.lifecycle.scanning import scan_artifact  # loads every scan rule, and most runs have nothing to scan

        for found in scan_artifact(self.context, contract, self.reader.attempts):
            if found.suppressed:
                self.suppressed.append(
                    LetStand(
                        path=found.path,
                        skill=contract.name,
                        rule=found.rule,
                        severity=found.severity,
                        title=found.title,
                        reason=found.reason or "",
                    )
                )
            elif found.severity is Severity.BLOCK:
                place = found.path.rpartition("#")[2] if "#" in found.path else ""
                line = line_of_claim(contract, place.rpartition("/")[2]) if place else found.line
                message = f"{found.rule}: {found.title} " + (f"in {place}" if place else f"at line {found.line}")
                path = f"{folder}/{CONTRACT_FILE if place else SKILL_FILE}"
                yield problem_of("scan", path, contract.name, message, f"skillc scan {folder}", line=line)

    def _service_problems(self, folder: str, skill: StoredSkill) -> Iterator[Problem]:
        """A version that the ledger took out of service waits for its removal, or for a person's decision."""
        record = self._withdrawn.get(skill.tree)
        if record is not None:
            next_step = f"merge its removal or its next version, or: skillc compile --family {record.task_family}"
            open_ids = {
                c.conflict for c in open_conflicts(self.context.ledger.conflicts, self.context.ledger.resolutions)
            }
            if record.reason is WithdrawalReason.CONFLICT and open_ids & set(record.refs):
                next_step = f"skillc resolve {skill.name} --keep A|B --reason TEXT"
            elif record.reason is WithdrawalReason.RETIRED:
                next_step = f"merge its removal, or bring it back: skillc restore {skill.name} {skill.tree[:12]}"
            message = f"is out of service: {record.reason.value}"
            yield problem_of("out-of-service", folder, skill.name, message, next_step, hold=True)

    def _folder_problems(self, folder: str, skill: StoredSkill, contract: Contract) -> Iterator[Problem]:
        """The folder holds exactly what the contract renders, as regular files, under the contract's name."""
        wanted, name = skill_files(contract), skill.name
        for entry in self._entries.get(name, ()):
            inner = entry.path.removeprefix(folder + "/")
            if inner not in wanted or entry.mode not in ("100644", "100755"):
                message = "is a link" if entry.mode == "120000" else "is no file of a compiled Skill"
                yield problem_of("foreign-file", entry.path, name, message, "remove it from the folder")
            elif (data := self.objects.read(entry.object_id)) != wanted[inner]:
                line: int | None = first_difference(data or b"", wanted[inner])
                message = f"is not exactly the rendering of {CONTRACT_FILE}"
                path, following = entry.path, "take the bytes that skillc wrote"
                if inner == SKILL_FILE and (edit := hand_edit(self.context, skill)) is not None:
                    path, message, following = f"{folder}/{edit.file}", edit.message, edit.next
                    line = line if edit.file == inner else None
                yield problem_of("render-mismatch", path, name, message, following, line=line)
            wanted.pop(inner, None)
        for missing in sorted(wanted):
            yield problem_of("missing-file", f"{folder}/{missing}", name, "is missing", "restore it from the candidate")
        if contract.name != name:
            message = f"the contract is for {contract.name!r}; folder and name must be the same"
            yield problem_of("name-mismatch", folder, name, message, "rename by skillc only")

    def _evidence_problems(self, folder: str, contract: Contract) -> Iterator[Problem]:
        path = f"{folder}/{CONTRACT_FILE}"
        cited = cited_events(contract)
        deleted = sorted(t for t in cited if t not in self.reader.attempts and t in self.context.ledger.tombstones)
        if deleted:
            message = f"cites the Trace {deleted[0]}, which was deleted"
            yield problem_of("evidence-deleted", path, contract.name, message, "skillc compile")
            return
        missing = [t for t in cited if t not in self.reader.attempts]
        if missing:
            message = f"{len(missing)} of {len(cited)} cited Traces are not here, first {missing[0]}"
            following = f"{FETCH_TRACES}; where the remote has none: {SHARE_TRACES}"
            yield problem_of("evidence-missing", path, contract.name, message, following, hold=True)
            return
        sources = []
        for trace_id in cited:
            attempt = self.reader.attempts[trace_id]
            role, reason = role_of(attempt)
            if role is None:
                has_record = trace_id in self.context.ledger.envelopes
                yield problem_of(
                    "evidence-weakened",
                    path,
                    contract.name,
                    f"Trace {trace_id} supports nothing today: {reason}",
                    "skillc traces" if has_record else FETCH_LEDGER,
                    hold=not has_record,
                )
                continue
            family = self.reader.families.get(trace_id, trace_id)
            sources.append(Source(trace=attempt.trace, standing=attempt.standing, attempt_family=family, role=role))
        if len(sources) < len(cited):
            return
        evidence = Evidence(
            namespace=self.context.policy.namespace, task_family=contract.task_family, sources=tuple(sources)
        )
        for failure in check_contract(
            _with_families_of_today(contract, self.reader.families), evidence, by_people=True
        ):
            where = f" [{failure.field} {failure.claim_id}]" if failure.field else ""
            line = line_of_claim(contract, failure.claim_id) if failure.claim_id else None
            following = "skillc why " + contract.name
            yield problem_of(failure.code, path, contract.name, failure.message + where, following, line=line)

    def _persons_problems(self, folder: str, tree: str, contract: Contract) -> Iterator[Problem]:
        """A line is a person's only with a record of that person's: anybody can write that it is into a file."""
        known = amendments_for(self.context, tree) if persons_lines(contract) else ()
        for place, claim in uncovered_lines(contract, known):
            who = claim.person or "a person"
            message = f"says that {who} wrote a line, and no amendment that counts does [{place} {claim.id}]"
            next_step = (
                f"skillc amend {contract.name} signs it, or take the line out; or fetch the ledger: {FETCH_LEDGER}"
            )
            path, line = f"{folder}/{CONTRACT_FILE}", line_of_claim(contract, claim.id)
            yield problem_of("unsigned-person-line", path, contract.name, message, next_step, line=line)

    def _publication_problems(self, folder: str, contract: Contract) -> Iterator[Problem]:
        """A published version rests on a person of this namespace who signed for exactly it, as it came or amended."""
        if contract.origin.published is None or is_amended_to(self.context, contract):
            return
        found = published_by(self.context, contract)
        if isinstance(found, str):
            message = f"was published from {contract.origin.published.namespace}, and {found}"
            next_step = f"register who published it under `people:`, or fetch the ledger: {FETCH_LEDGER}"
            path = f"{folder}/{CONTRACT_FILE}"
            yield problem_of("unsigned-publication", path, contract.name, message, next_step, hold=True)


def _with_families_of_today(contract: Contract, families: Mapping[str, str]) -> Contract:
    """Names the attempt families as they are called today: a Trace that came later can have joined two of them."""
    named = tuple(sorted({families.get(f, f) for f in contract.support.attempt_families}))
    support = Support(attempt_families=named, single_source=contract.is_single_source or len(named) == 1)
    return contract.model_copy(update={"support": support})
