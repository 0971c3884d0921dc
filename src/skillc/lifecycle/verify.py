"""Verification: a verdict by a check that really runs, or by a person, signed and put on the ledger.

`--run CHECK` takes the commit that the session ended with, refuses when the session changed protected files,
and runs the registered and trusted check there. Paper: 5.1. Not here: signing (lifecycle.statements), what a
verdict is worth (core.trace.verification).
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from skillc.core.policy import KeyClass, Person, Verifier
from skillc.core.record import Record
from skillc.core.trace.codec import Trace
from skillc.core.trace.edits import edits_of, matches_content, matches_glob
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import Basis, BasisKind, Verification, same_key
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.attempts import chosen_attempts
from skillc.lifecycle.context import Context
from skillc.lifecycle.statements import (
    VerificationDraft,
    record_persons_verdict,
    record_verifications,
    require_own_key,
)
from skillc.lifecycle.trust import registered_check, require_trusted
from skillc.repo.keys import needs_person, public_half
from skillc.repo.objects import ObjectReader, open_reader
from skillc.repo.sandbox import RunResult, run_in, temporary_checkout

MAX_FILE_BYTES = 4 * 1024 * 1024


# What the runners that people use say when they found nothing to run, and still exit 0.
_NO_TEST = re.compile(
    r"^Ran 0 tests\b|no tests ran\b|\bcollected 0 items\b|^running 0 tests\b(?![\s\S]*^running [1-9])"
    r"|^\s*0 passing\b|\bno tests found\b|\[no test files\](?![\s\S]*^ok\b)|^No tests were found",
    re.IGNORECASE | re.MULTILINE,
)


class VerifyResult(Record):
    """What became of one Trace: verified, held with a reason, or skipped."""

    trace_id: str
    state: Literal["verified", "known", "held", "skipped"]
    outcome: Outcome | None = None
    commit: str | None = None
    reason: str = ""


class VerifyReport(Record):
    """The answer of `skillc verify`."""

    format: Literal["skillc.verify/1"] = "skillc.verify/1"
    verifier: str
    results: tuple[VerifyResult, ...]
    recorded: int


class _Held(Exception):
    """The verdict waits for a person; the text says why."""


def verify_by_check(
    context: Context,
    check_id: str,
    *,
    trace_ids: Sequence[str] = (),
    at: str | None = None,
    dry_run: bool = False,
) -> VerifyReport:
    """Runs a registered check for the named Traces, or for all that this check has not verified."""
    check = registered_check(context, check_id)
    require_own_key(check)
    attempts = chosen_attempts(context, trace_ids)
    if at is not None and len(attempts) != 1:
        raise UsageError(
            "--at names the commit of one Trace",
            hint="name the Trace: skillc verify --run CHECK TRACE --at COMMIT",
        )
    results: list[VerifyResult] = []
    drafts: list[VerificationDraft] = []
    runs: dict[str, RunResult] = {}
    for attempt in attempts:
        trace = attempt.trace
        if not trace_ids and attempt.standing.strength.is_strong:
            results.append(VerifyResult(trace_id=trace.trace_id, state="skipped", reason="verified already"))
            continue
        try:
            commit = commit_of(context, trace, at)
            _require_tests_unchanged(context, trace, check, commit)
            outcome, detail = _run_check(context, check, trace, commit, runs)
        except _Held as held:
            results.append(VerifyResult(trace_id=trace.trace_id, state="held", reason=str(held)))
            continue
        basis = Basis(kind=BasisKind.CHECK_RUN, ref=commit, detail=detail)
        drafts.append(VerificationDraft(trace.trace_id, trace.digest, outcome, check, basis))
        results.append(
            VerifyResult(trace_id=trace.trace_id, state="verified", outcome=outcome, commit=commit, reason=detail)
        )
    recorded = 0 if dry_run else record_verifications(context, drafts)
    return VerifyReport(verifier=check.id, results=tuple(results), recorded=recorded)


def verify_by_person(
    context: Context,
    person_id: str,
    outcome: Outcome,
    trace_ids: Sequence[str],
    *,
    key_path: Path,
    reason: str = "",
) -> VerifyReport:
    """Records a person's verdict, signed with a key that needs the person. The caller checked the terminal."""
    person = context.policy.person(person_id)
    if person is None or "verifier" not in person.roles:
        raise PolicyError(
            f"{person_id!r} is no registered verifier",
            hint="add the person under `people:` in skillc.yaml and merge that",
        )
    _require_persons_key(person, key_path)
    if not trace_ids:
        raise UsageError("name the Trace that you judge", hint="run: skillc traces")
    results = []
    for attempt in chosen_attempts(context, trace_ids):
        verification = Verification(
            namespace=context.policy.namespace,
            trace_id=attempt.trace.trace_id,
            trace_digest=attempt.trace.digest,
            outcome=outcome,
            verifier_id=person.id,
            basis=Basis(kind=BasisKind.PERSON, ref=person.id, detail=reason),
            at=context.now,
            previous=context.ledger.heads(f"verifications/{attempt.trace.trace_id}"),
        )
        record_persons_verdict(context, verification, key_path)
        results.append(VerifyResult(trace_id=attempt.trace.trace_id, state="verified", outcome=outcome, reason=reason))
    return VerifyReport(verifier=person.id, results=tuple(results), recorded=len(results))


def commit_of(context: Context, trace: Trace, at: str | None) -> str:
    """Returns the commit that holds the session's work: its last own one, else `at` when the edits match."""
    git = trace.header.environment.git
    if at is None:
        if git is None or git.head_end is None:
            raise _Held(f"the transcript shows no commit; {_at_words(context, trace)}")
        commit = context.repository.resolve(git.head_end)
        if commit is None:
            raise _Held(
                f"the session's last commit {git.head_end[:12]} is not in this clone; fetch it, or use --at COMMIT"
            )
        return commit
    commit = context.repository.resolve(at)
    if commit is None:
        raise UsageError(f"there is no commit {at!r}")
    shown, total = _shown_edits(context, trace, commit)
    if total == 0 or shown < total:
        raise _Held(f"{shown} of {total} files that the session edited have its content in {commit[:12]}")
    return commit


def _shown_edits(context: Context, trace: Trace, commit: str) -> tuple[int, int]:
    """Returns how many of the files that the session edited have its content in a commit, and how many there are."""
    with open_reader(context.repository) as reader:
        return matches_content(edits_of(trace), lambda path: _text_at(reader, commit, path))


def _at_words(context: Context, trace: Trace) -> str:
    """Says which commit to name: HEAD, when it holds everything that the session edited."""
    head = context.repository.resolve("HEAD")
    if head is not None:
        shown, total = _shown_edits(context, trace, head)
        if total and shown == total:
            return f"HEAD holds its edits, so name it: skillc verify --run CHECK {trace.trace_id[:12]} --at HEAD"
    return "name the one that holds its work: --at COMMIT"


def _text_at(reader: ObjectReader, commit: str, path: str) -> str | None:
    data = reader.read(f"{commit}:{path}")
    return None if data is None or len(data) > MAX_FILE_BYTES else data.decode("utf-8", "replace")


def _require_tests_unchanged(context: Context, trace: Trace, check: Verifier, commit: str) -> None:
    """Holds the verdict when the session changed protected files other than by adding new ones."""
    if not check.protects:
        return
    start = _start_of(context, trace)
    if start is not None:
        out = context.repository.git.run("diff-tree", "-r", "-z", "--name-status", "--no-renames", start, commit)
        fields = out.decode("utf-8", "surrogateescape").split("\0")
        changed = [p for s, p in zip(fields[0:-1:2], fields[1::2], strict=True) if s != "A"]
    else:
        with open_reader(context.repository) as reader:
            edited = {e.path for e in edits_of(trace)}
            changed = [p for p in sorted(edited) if reader.read(f"{commit}^:{p}") is not None]
    hit = sorted(p for p in changed if matches_glob(p, check.protects))
    if hit:
        raise _Held(f"tests changed: the session changed {len(hit)} protected files, first {hit[0]!r}")


def _start_of(context: Context, trace: Trace) -> str | None:
    """Returns the commit that the session began at: the one shown, else the parent of its first own commit."""
    git = trace.header.environment.git
    if git is None:
        return None
    if git.head_start:
        return context.repository.resolve(git.head_start)
    return context.repository.resolve(git.commits[0] + "^") if git.commits else None


def _run_check(
    context: Context, check: Verifier, trace: Trace, commit: str, runs: dict[str, RunResult]
) -> tuple[Outcome, str]:
    command = " ".join(check.run)
    result = _run_at(context, check, commit, runs)
    if result.code is None:
        raise _Held(f"`{command}` did not end within {check.timeout_s} s")
    if check.fails_before:
        start = _start_of(context, trace)
        if start is None:
            raise _Held("the commit before the session is not known, and the check must fail there")
        if _run_at(context, check, start, runs).code == 0:
            raise _Held(f"`{command}` passes already before the session, so it proves nothing")
    if result.code == 0 and _NO_TEST.search(result.tail):
        raise _Held(f"`{command}` ended well and ran no test, so it proves nothing")
    outcome = Outcome.SUCCESS if result.code == 0 else Outcome.FAILURE
    return outcome, f"`{command}` exit {result.code}"


def _run_at(context: Context, check: Verifier, commit: str, runs: dict[str, RunResult]) -> RunResult:
    """Runs set-up and check at a commit, once per command."""
    if commit in runs:
        return runs[commit]
    require_trusted(context, check, commit=commit)
    with temporary_checkout(context.repository, commit) as folder:
        if check.setup:
            done = run_in(folder, check.setup, timeout_s=check.timeout_s)
            if done.code != 0:
                raise _Held(f"the set-up `{' '.join(check.setup)}` failed, so the check did not run")
        runs[commit] = run_in(folder, check.run, timeout_s=check.timeout_s)
    return runs[commit]


def _require_persons_key(person: Person, key_path: Path) -> None:
    if not same_key(person.key, public_half(key_path)):
        raise PolicyError(f"{str(key_path)!r} is not the registered key of {person.id!r}")
    if person.key_class is KeyClass.LOCAL or not needs_person(key_path):
        raise PolicyError(
            f"the key of {person.id!r} can be used without the person",
            hint="register a key with a passphrase, in an agent that asks, or on hardware",
        )
