"""What is on base, and on whose word: each change of a Skill's folder with its approval, or `unproven`.

A merge admits in any case; what stands for it is a signed commit or merge, the forge's merge record signed by a CI,
an approval record, policy where it admits automatically, or a base that policy calls protected. Policy is read from
the commit before, so that no change lets itself in. Paper: 5.4; 5.6, Audit.
Not here: the gates (core.admit.gates), the timeline (lifecycle.audit).
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from skillc.core.audit import AUDIT_NAMESPACE, AdmissionRecord
from skillc.core.compile.history import PERSON, RunRecord, RunVersion
from skillc.core.compile.withdrawal import WithdrawalRecord
from skillc.core.policy import POLICY_FILE, ApprovalMode, Policy, parse_policy
from skillc.core.record import Record
from skillc.core.skill.contract import CONTRACT_FILE, ChangeKind, Contract, parse_contract
from skillc.core.yaml_text import MAX_POLICY_BYTES
from skillc.errors import DataError, PolicyError
from skillc.lifecycle.approvals import approved_by
from skillc.lifecycle.audit_records import stored_audit
from skillc.lifecycle.context import Context
from skillc.lifecycle.signers import approvers, is_registered, who_signed
from skillc.lifecycle.skills import SkillHistory
from skillc.repo.history import FolderChange
from skillc.repo.objects import ObjectReader, TooLargeError

ProofKind = Literal[
    "signed", "forge", "approval", "policy", "protected-base", "restored", "withdrawn", "removed", "unproven"
]
_Made = tuple[RunRecord, RunVersion]


class Admission(Record):
    """One change of a compiled Skill's folder on base. `tree` is None where it went away.

    `proof` says what stands for it and `by` whose word that is; `run` made it, where one did.
    """

    skill: str
    commit: str
    at: str
    tree: str | None
    run: str | None
    group: str | None
    change: str
    proof: ProofKind
    by: str | None
    reason: str


class Admissions:
    """The admissions on base. Reads each policy, signature and contract once, through one reader."""

    def __init__(self, context: Context, reader: ObjectReader) -> None:
        self._context = context
        self._reader = reader
        self._history = SkillHistory(context)
        self._policies: dict[bytes, Policy | None] = {}
        self._signers: dict[str, tuple[str | None, str]] = {}

    def of_current(self) -> dict[str, Admission]:
        """Returns the admission of the version that each compiled Skill has now."""
        found = {}
        for skill, changes in sorted(self._history.changes.items()):
            if changes and changes[-1].tree is not None:
                admission = self._admission(skill, changes, len(changes) - 1)
                if admission is not None:
                    found[skill] = admission
        return found

    def all(self) -> Iterator[Admission]:
        """Yields every change of a compiled Skill's folder, Skill by Skill, oldest first."""
        for skill, changes in sorted(self._history.changes.items()):
            for place in range(len(changes)):
                admission = self._admission(skill, changes, place)
                if admission is not None:
                    yield admission

    def _admission(self, skill: str, changes: list[FolderChange], place: int) -> Admission | None:
        """Returns the admission of one change; None for a Skill that skillc never made."""
        change = changes[place]
        trees = [c.tree for c in changes[: place + 1] if c.tree]
        if not any((skill, tree) in self._by_tree or self._contract(tree) is not None for tree in trees):
            return None
        made = self._made_by(skill, changes, place)
        is_back = change.tree is not None and change.tree in trees[:-1]
        proof, by, reason = self._proof(change, made[0] if made else None, is_back=is_back)
        before = next((c.tree for c in reversed(changes[:place]) if c.tree), None)
        gone = self._withdrawals.get(before or "") if change.tree is None and made is None else None
        if gone is not None and proof == "unproven":
            proof, by, reason = "withdrawn", gone.by, f"{gone.reason.value}: {gone.detail}"
        elif change.tree is None and proof == "unproven":
            # A revert, or a person's own removal: what goes out of service needs nobody's signature.
            proof, by, reason = "removed", None, "the folder was taken away"
        what = made[1].change if made else "remove" if change.tree is None else "edit"
        if made is None and not is_back and gone is None:
            told = "no run removed it" if change.tree is None else "no run made this version"
            reason = f"{told}; {reason}"
        return Admission(
            skill=skill,
            commit=change.commit,
            at=change.at.isoformat().replace("+00:00", "Z"),
            tree=change.tree,
            run=made[0].run if made else None,
            group=made[0].group if made else None,
            change="restore" if is_back else what,
            proof=proof,
            by=by,
            reason=reason,
        )

    def _made_by(self, skill: str, changes: list[FolderChange], place: int) -> _Made | None:
        """Returns the run behind a change: of its folder, or of the removal of what was there."""
        change = changes[place]
        if change.tree is not None:
            return self._by_tree.get((skill, change.tree))
        before = next((c.tree for c in reversed(changes[:place]) if c.tree), "")
        return self._removals.get((skill, before or "")) or self._replaced.get((skill, before or ""))

    @cached_property
    def _by_tree(self) -> dict[tuple[str, str], _Made]:
        return self._versions(is_withdrawal=False)

    @cached_property
    def _removals(self) -> dict[tuple[str, str], _Made]:
        return self._versions(is_withdrawal=True)

    def _versions(self, *, is_withdrawal: bool) -> dict[tuple[str, str], _Made]:
        kind = ChangeKind.WITHDRAW.value
        runs = reversed(self._context.ledger.runs)
        return {(v.skill, v.tree): (r, v) for r in runs for v in r.versions if (v.change == kind) is is_withdrawal}

    @cached_property
    def _withdrawals(self) -> dict[str, WithdrawalRecord]:
        """Taking a version out of service needs nobody's signature."""
        return {w.tree: w for w in self._context.ledger.withdrawals}

    @cached_property
    def _replaced(self) -> dict[tuple[str, str], _Made]:
        """The Skills that went because another one took their place."""
        found: dict[tuple[str, str], _Made] = {}
        for made in self._by_tree.values():
            if made[1].change in (ChangeKind.MERGE.value, ChangeKind.REPLACE.value):
                contract = self._contract(made[1].tree)
                found |= {(r.skill, r.tree): made for r in (contract.origin.replaces or ())} if contract else {}
        return found

    def _proof(
        self, change: FolderChange, run: RunRecord | None, *, is_back: bool
    ) -> tuple[ProofKind, str | None, str]:
        signer, reason = self._signer(change.commit)
        if signer is not None:
            if "(by " in signer:
                return "forge", signer, "the forge's merge record, signed by a CI"
            return "signed", signer, "a registered approver signed the commit"
        policy = self._policy_before(change.commit)
        if run is not None and run.group is not None:
            approver = approved_by(self._context, run.group, run.versions)
            if approver is not None:
                return "approval", approver, "an approval record of exactly this group"
            approver = self._amended_by(run, change.tree)
            if approver is not None:
                return "approval", approver, "the signed amendment that made exactly this version"
            if policy is not None and self._is_policys(policy, run):
                return "policy", "policy", "policy admits this family automatically"
        if policy is not None and policy.approval.protected_base:
            return "protected-base", None, "policy says that the forge protects base"
        if is_back:
            return "restored", None, "an earlier version came back"
        return "unproven", None, reason

    def _amended_by(self, run: RunRecord, tree: str | None) -> str | None:
        """Returns the approver whose signed edit this version is; of a group with others it is no approval."""
        if run.engine != PERSON or len(run.versions) != 1 or tree is None or not approvers(self._context.policy):
            return None
        contract = self._contract(tree)
        found = (a for a in self._context.ledger.amendments if a.run == run.run)
        return next((a.by for a in found if contract and a.contract == contract.content_digest()), None)

    def _signer(self, commit: str) -> tuple[str | None, str]:
        if commit not in self._signers:
            signer, _, reason = who_signed(self._context, [commit], self._reader)
            self._signers[commit] = (signer, reason)
        return self._signers[commit]

    def _policy_before(self, commit: str) -> Policy | None:
        """Returns the policy that judged a commit: that of base before it."""
        try:
            data = self._reader.read(f"{commit}^:{POLICY_FILE}", limit=MAX_POLICY_BYTES)
        except TooLargeError:
            return None
        if data is None:
            return None
        if data not in self._policies:
            try:
                self._policies[data] = parse_policy(data)
            except PolicyError:
                self._policies[data] = None
        return self._policies[data]

    def _is_policys(self, policy: Policy, run: RunRecord) -> bool:
        approval = policy.approval
        covers = approval.auto.families is None or run.task_family in approval.auto.families
        return approval.mode is ApprovalMode.AUTO and covers and run.group in self._groups_by_policy

    @cached_property
    def _groups_by_policy(self) -> frozenset[str]:
        return frozenset(r.group for r in signed_admissions(self._context) if r.by == "policy")

    def _contract(self, tree: str) -> Contract | None:
        data = self._reader.read(f"{tree}:{CONTRACT_FILE}")
        try:
            return None if data is None else parse_contract(data, path=CONTRACT_FILE)
        except DataError:
            return None


def signed_admissions(context: Context) -> Iterator[AdmissionRecord]:
    """Yields the admissions that somebody registered signed."""
    for stored in stored_audit(context):
        record, envelope = stored.record, stored.envelope
        if not isinstance(record, AdmissionRecord) or envelope is None:
            continue
        holds = is_registered(context.policy, envelope.key) and context.signatures.is_signed(
            envelope, namespace=AUDIT_NAMESPACE
        )
        if holds and record.namespace == context.policy.namespace:
            yield record
