"""Whether the forge enforces what skillc relies on: approval by owners, the required check, an append-only ledger.

Asks the forge's API and changes nothing; only `skillc doctor --forge` does it, for it uses the network. What this
token may not see is told as not known, and never as well.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from skillc.core.policy import POLICY_FILE
from skillc.lifecycle.code_owners import MAX_BYTES, PLACES, owners_of
from skillc.lifecycle.context import Context
from skillc.lifecycle.doctor.finding import DoctorFinding, State, Surroundings, fail, ok, warn
from skillc.repo import layout
from skillc.repo.forge_api import API_VARIABLE, TIMEOUT_S, ForgeAnswer, ForgeApi, place_of, token_for
from skillc.repo.objects import read_blob

CHECK_NAME = "check"  # the job of templates/github/skillc-check.yml
_NEXT_RULE = "Settings, Rules: a ruleset for {branch} that requires {what}"


@dataclass
class Protection:
    """What rulesets and branch protection together ask of a branch. `unknown` says why nothing may be concluded."""

    owners_review: bool = False
    checks: set[str] = field(default_factory=set)
    no_force: bool = False
    no_deletion: bool = False
    is_there: bool = True
    unknown: str = ""


def check_forge(at: Surroundings, *, timeout_s: float = TIMEOUT_S) -> Iterator[DoctorFinding]:
    """Approval is enforced on the forge: nothing else keeps a person with push rights from merging alone."""
    if at.context is None:
        return
    context = at.context
    url = context.repository.settings.get("remote.origin.url", "")
    place = place_of(url, api=os.environ.get(API_VARIABLE) or None)
    if place is None:
        meaning = "what protects base cannot be asked"
        yield fail("forge", "origin is no repository on a forge", meaning, "git remote add origin ADDRESS")
        return
    token = token_for(place, context.repository)
    if token is None:
        yield fail(
            "forge",
            f"there is no token for {place.host}",
            "the settings of a branch are told to members only",
            "gh auth login, or set GH_TOKEN",
        )
        return
    api = ForgeApi(place, token, timeout_s)
    found = api.ask()
    if found.status != 200 or not isinstance(found.value, dict):
        nothing = _no_answer("forge", found, f"{place.repository} on {place.host}")
        yield nothing.model_copy(update={"state": State.FAIL})  # who asks the forge and gets no answer knows nothing
        return
    yield ok("forge", f"{place.repository} on {place.host}")
    yield from _base(context, api)
    yield from _code_owners(context, api)
    yield from _ledger(api)
    yield from _actions(api)


def _no_answer(check: str, answer: ForgeAnswer, what: str) -> DoctorFinding:
    """Says what an answer that is none means: no rights, not there, or the forge's own trouble."""
    known = {
        401: ("the token is not valid", "gh auth login, or set GH_TOKEN"),
        403: ("the token may not ask this", "use a token with read rights on administration"),
        404: ("it is not there, or the token may not see it", "use a token of a member, with administration: read"),
    }
    meaning, following = known.get(answer.status, ("nothing is known about it now", "run it again later"))
    if 300 <= answer.status < 400:
        meaning, following = "the repository has moved", "git remote set-url origin ADDRESS"
    return warn(check, f"{what}: {answer.problem or 'an answer of another form'}", meaning, following)


def protection_of(api: ForgeApi, branch: str) -> Protection:
    """Asks both ways in which a forge protects a branch; what one of them asks holds."""
    found = Protection()
    rules = api.ask("rules", "branches", branch)
    if rules.status == 200 and isinstance(rules.value, list):
        for rule in rules.value:
            _add_rule(found, rule)
    else:
        found.unknown = rules.problem or "an answer of another form"
    old = api.ask("branches", branch, "protection")
    if old.status == 200 and isinstance(old.value, dict):
        _add_old(found, old.value)
    elif old.status != 404:  # 404 is also the answer for a branch without this kind of protection
        found.unknown = found.unknown or old.problem or "an answer of another form"
    return found


def _add_rule(found: Protection, rule: Any) -> None:
    kind, given = _of(rule, "type"), _of(rule, "parameters")
    found.no_force |= kind == "non_fast_forward"
    found.no_deletion |= kind == "deletion"
    if kind == "pull_request":
        found.owners_review |= _of(given, "require_code_owner_review") is True
    elif kind == "required_status_checks":
        found.checks |= _names(_of(given, "required_status_checks"))


def _add_old(found: Protection, value: dict[str, Any]) -> None:
    found.owners_review |= _of(_of(value, "required_pull_request_reviews"), "require_code_owner_reviews") is True
    checks = _of(value, "required_status_checks")
    listed = _of(checks, "contexts")
    found.checks |= _names(_of(checks, "checks")) | {c for c in listed or () if isinstance(c, str)}
    found.no_force |= _of(_of(value, "allow_force_pushes"), "enabled") is False
    found.no_deletion |= _of(_of(value, "allow_deletions"), "enabled") is False


def _of(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _names(listed: Any) -> set[str]:
    found = (_of(item, "context") for item in listed) if isinstance(listed, list) else ()
    return {name for name in found if isinstance(name, str)}


def _base(context: Context, api: ForgeApi) -> Iterator[DoctorFinding]:
    branch = context.base.branch
    found = protection_of(api, branch)
    asks = (
        (found.owners_review, "a review of code owners", "approval is not enforced: whoever can push can merge alone"),
        (
            CHECK_NAME in found.checks,
            f"the check {CHECK_NAME!r}",
            "a Skill that skillc check refuses can be merged all the same",
        ),
        (found.no_force and found.no_deletion, "no force push and no deletion", "what was admitted can be taken away"),
    )
    for holds, what, meaning in asks:
        if holds:
            yield ok(f"forge: {branch}", f"requires {what}")
        elif found.unknown:
            yield fail(
                f"forge: {branch}",
                f"whether it requires {what} is not known: {found.unknown}",
                f"if it does not, {meaning}",
                "use a token with administration: read",
            )
        else:
            following = _NEXT_RULE.format(branch=branch, what=what)
            yield fail(f"forge: {branch}", f"does not require {what}", meaning, following)


def _code_owners(context: Context, api: ForgeApi) -> Iterator[DoctorFinding]:
    """Base names an owner for everything whose change decides what agents load, and the forge can read it."""
    commit = context.base.policy_commit or context.base.commit
    place, data = None, None
    for place in PLACES:
        data = read_blob(context.repository, commit, place, limit=MAX_BYTES) if commit else None
        if data is not None:
            break
    following = "skillc init --forge github --owners @ORG/TEAM, and merge that"
    if data is None:
        meaning = "a review of code owners asks nobody: approval is not enforced"
        yield fail("forge: CODEOWNERS", f"{context.base.branch} has none", meaning, following)
        return
    text = data.decode("utf-8", "replace")
    paths = (
        f"{context.policy.skills_dir}/x/SKILL.md",
        POLICY_FILE,
        ".github/workflows/skillc-check.yml",
        place or PLACES[0],
    )
    open_ones = [path for path in paths if not owners_of(text, path)]
    if open_ones:
        named = ", ".join(open_ones)
        meaning = "it can change what agents load without anybody's approval"
        yield fail("forge: CODEOWNERS", f"names no owner for {named}", meaning, following)
    else:
        yield ok("forge: CODEOWNERS", "names owners for Skills, skillc.yaml, the workflows and itself")
    answer = api.ask("codeowners", "errors")
    errors = _of(answer.value, "errors") if answer.status == 200 else None
    if isinstance(errors, list) and errors:
        yield fail(
            "forge: CODEOWNERS",
            f"the forge cannot read {len(errors)} of its lines",
            "for their paths it asks nobody: a team may not exist, or lack write access",
            "open the file on the forge: it marks the lines",
        )


def _ledger(api: ForgeApi) -> Iterator[DoctorFinding]:
    branch = layout.LEDGER_BRANCH
    found = protection_of(api, branch)
    lacking = [w for w, holds in (("force push", found.no_force), ("deletion", found.no_deletion)) if not holds]
    if not lacking:
        yield ok(f"forge: {branch}", "takes no force push and no deletion")
    elif found.unknown:
        yield warn(
            f"forge: {branch}",
            f"whether it is protected is not known: {found.unknown}",
            "a ledger that can be rewritten proves nothing about the past",
            "use a token with administration: read",
        )
    else:
        what = " and ".join(f"no {w}" for w in lacking)
        yield fail(
            f"forge: {branch}",
            f"can be changed by {' and '.join(lacking)}",
            "records of verifications and approvals can be taken away",
            _NEXT_RULE.format(branch=branch, what=what),
        )


def _actions(api: ForgeApi) -> Iterator[DoctorFinding]:
    answer = api.ask("actions", "permissions", "workflow")
    allowed = _of(answer.value, "can_approve_pull_request_reviews")
    if answer.status != 200 or not isinstance(allowed, bool):
        yield _no_answer("forge: Actions", answer, "whether Actions may create pull requests")
    elif allowed:
        yield ok("forge: Actions", "may create pull requests")
    else:
        yield warn(
            "forge: Actions",
            "may not create pull requests",
            "skillc-compile.yml pushes candidates, and opens no pull request for them",
            "Settings, Actions, General: allow Actions to create pull requests; or give the workflow an app's token",
        )
