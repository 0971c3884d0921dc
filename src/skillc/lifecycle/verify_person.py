"""`verify --as NAME`: a registered person's verdict, signed with a key that needs the person.

The caller checked the terminal. Paper: 5.1. Not here: walking through what waits (lifecycle.verify_walk).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from skillc.core.policy import KeyClass, Person
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import Basis, BasisKind, Verification, same_key
from skillc.errors import PolicyError, RepoError, UsageError
from skillc.lifecycle.attempts import chosen_attempts
from skillc.lifecycle.context import Context
from skillc.lifecycle.signers import approvers
from skillc.lifecycle.statements import Recorded, record_persons_verdicts
from skillc.lifecycle.verify import VerifyReport, VerifyResult, report_of
from skillc.repo.keys import agent_keys, key_in_agent, needs_person, public_half, tool_key


def verify_by_person(
    context: Context,
    person_id: str,
    outcome: Outcome,
    trace_ids: Sequence[str],
    *,
    key_path: Path,
    reason: str = "",
    dry_run: bool = False,
) -> VerifyReport:
    """Records a person's verdict on the named Traces."""
    person = registered_judge(context, person_id, key_path)
    if not trace_ids:
        raise UsageError("name the Trace that you judge", hint="run: skillc traces")
    answers = [(attempt.trace, outcome) for attempt in chosen_attempts(context, trace_ids)]
    return record_answers(context, person, answers, key_path=key_path, reason=reason, dry_run=dry_run)


def registered_judge(context: Context, person_id: str, key_path: Path) -> Person:
    """Returns the registered person. Raises PolicyError for a stranger, and for a key that needs nobody."""
    person = context.policy.person(person_id)
    if person is None or "verifier" not in person.roles:
        raise PolicyError(
            f"{person_id!r} is no registered verifier",
            hint="add the person under `people:` in skillc.yaml and merge that",
        )
    require_persons_key(person, key_path)
    return person


@contextmanager
def persons_key(
    context: Context,
    person_id: str | None,
    key_path: Path | None,
    *,
    role: Literal["approver", "verifier"] = "verifier",
) -> Iterator[Path]:
    """Gives the key to sign with: the named one, else the registered one by git's setting or in the ssh-agent.

    Without a person's id the key of anybody registered with the role is looked for. What git names is given also
    when it is nobody's, so that whoever reads it says so.
    """
    setting = context.repository.settings.get("user.signingkey", "")
    is_path = bool(setting) and not setting.startswith(("key::", "ssh-", "sk-", "ecdsa-"))
    named = Path(setting).expanduser() if is_path else None
    people = [p for p in context.policy.people if role in p.roles and person_id in (None, p.id)]
    if key_path is None and named is not None:
        with suppress(RepoError):
            key_path = named if any(same_key(p.key, public_half(named)) for p in people) else None
    if key_path is not None:
        yield key_path
        return
    held = next((key for key in agent_keys() if any(same_key(p.key, key) for p in people)), None)
    if held is not None:
        with key_in_agent(held) as path:
            yield path
    elif named is not None:
        yield named
    else:
        whose = f"of {person_id!r}" if person_id else f"of a registered {role}"
        raise UsageError(
            f"no key {whose} is in your ssh-agent, and git names none",
            hint="add it: ssh-add -c PATH, or name it: --key PATH, or set user.signingkey in your git configuration",
        )


@contextmanager
def approvers_key(context: Context, key_path: Path | None, *, hint: str) -> Iterator[tuple[Path, Person]]:
    """Gives a registered approver's key and whose it is; raises PolicyError that says whose another key is.

    `hint` says what else to do where nobody is registered.
    """
    people = approvers(context.policy)
    if not people:
        raise PolicyError("no approver is registered, so nobody's signature would count", hint=hint)
    with persons_key(context, None, key_path, role="approver") as path:
        own = public_half(path)
        person = next((p for p in people if same_key(p.key, own)), None)
        if person is None:
            raise PolicyError(_stranger(context, own), hint="skillc.yaml names the approvers under `people:`")
        require_persons_key(person, path)
        yield path, person


def person_of_key(context: Context, key_path: Path) -> str | None:
    """Returns the id of the registered verifier whose key this is."""
    key = public_half(key_path)
    return next((p.id for p in context.policy.people if "verifier" in p.roles and same_key(p.key, key)), None)


def record_answers(
    context: Context,
    person: Person,
    answers: Sequence[tuple[Trace, Outcome]],
    *,
    key_path: Path,
    reason: str = "",
    dry_run: bool = False,
) -> VerifyReport:
    """Signs a person's verdicts together, so that a passphrase is asked for once, and records them.

    A dry run signs nothing.
    """
    verifications = [
        Verification(
            namespace=context.policy.namespace,
            trace_id=trace.trace_id,
            trace_digest=trace.digest,
            outcome=outcome,
            verifier_id=person.id,
            basis=Basis(kind=BasisKind.PERSON, ref=person.id, detail=reason),
            at=context.now,
            previous=context.ledger.heads(f"verifications/{trace.trace_id}"),
        )
        for trace, outcome in answers
    ]
    done = Recorded() if dry_run else record_persons_verdicts(context, verifications, key_path)
    results = tuple(
        VerifyResult(trace_id=trace.trace_id, state="verified", outcome=outcome, reason=reason, verifier=person.id)
        for trace, outcome in answers
    )
    return report_of(person.id, results, done)


def require_persons_key(person: Person, key_path: Path) -> None:
    """Raises PolicyError unless this is the registered key of a person, and needs the person."""
    if not same_key(person.key, public_half(key_path)):
        raise PolicyError(f"{str(key_path)!r} is not the registered key of {person.id!r}")
    if person.key_class is KeyClass.LOCAL or not needs_person(key_path):
        raise PolicyError(
            f"the key of {person.id!r} can be used without the person",
            hint="register a key with a passphrase, in an agent that asks, or on hardware",
        )


def _stranger(context: Context, key: str) -> str:
    """Says whose key this is instead of an approver's."""
    own = tool_key()
    if own is not None and same_key(own, key):
        return "this is the key of the machine that compiles; an approval needs a person's key"
    person = next((p for p in context.policy.people if same_key(p.key, key)), None)
    if person is not None and "approver" in person.roles:
        return f"the key of {person.id!r} is registered as local: it can be used without the person"
    if person is not None:
        return f"{person.id!r} is registered as {' and '.join(person.roles) or 'nobody'}, and not as an approver"
    verifier = next((v for v in context.policy.verifiers if same_key(v.key, key)), None)
    if verifier is not None:
        return f"this is the key of the verifier {verifier.id!r}, and a verifier approves nothing"
    return "this key is no registered approver's"
