"""Whose word counts: which files may hold comments that suppress, and which entries of the policy apply.

A comment counts only in a file that git tracks in the repository whose base holds skillc.yaml, and that no run of
skillc wrote: a Skill cannot vouch for itself in a repository that did not write it. The policy is read from base.
Paper: 5.3. Not here: the form of a comment (core.scan.suppression).
"""

import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from skillc.core.policy import ScanIgnore
from skillc.core.scan.finding import Finding
from skillc.core.scan.report import Unread
from skillc.core.scan.suppression import (
    NEVER_BY_COMMENT_IN_SKILL,
    UNREAD_RULE,
    Comment,
    IgnoreNote,
    covers,
    safe_reason,
    suppressed_by_comments,
    suppressed_by_policy,
)
from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE
from skillc.lifecycle.context import Context
from skillc.lifecycle.scan.inputs import Input
from skillc.repo import layout
from skillc.repo.changed_lines import tracked_files

_FOREIGN = "no repository of yours is around it: its base would have to hold skillc.yaml"


class OwnFiles:
    """What a person let stand in the repository around the current folder. `notes` tells every comment and entry."""

    def __init__(self, context: Context | None, *, is_off: bool) -> None:
        """`is_off` makes nothing count; it is all told even so."""
        self._context = context
        self._is_off = is_off
        self._comments: list[IgnoreNote] = []
        self._hits = [0] * len(self._entries)

    @property
    def _entries(self) -> tuple[ScanIgnore, ...]:
        return self._context.policy.scan.ignore if self._context is not None else ()

    def settled(self, item: Input, findings: tuple[Finding, ...], comments: Iterable[Comment]) -> tuple[Finding, ...]:
        """Returns the findings of a file, those marked that a comment or the policy lets stand, with the reason."""
        found = self._by_policy(item, findings)
        given = tuple(comments)
        if not given:
            return found
        why_not = self._why_not(item)
        if why_not is None:
            never = NEVER_BY_COMMENT_IN_SKILL if self._skill_folder(item) is not None else ()
            found = suppressed_by_comments(found, given, never=never)
        for comment in given:
            problem = comment.problem or why_not or self._refused(item, comment)
            hits = sum(f.suppressed_by == "comment" and _is_of(f, comment) for f in found)
            rules = comment.rules or ("",)
            self._comments += [
                IgnoreNote(
                    source="comment", path=item.shown, line=comment.line, rule=rule, reason=comment.reason,
                    counts=problem is None, problem=problem, hits=hits,
                )
                for rule in rules
            ]  # fmt: skip
        return found

    def settled_unread(self, unread: Unread, path: str) -> Unread:
        """Returns a file that was not looked at, marked where the policy names it under the rule `unread`."""
        if self._context is None or self._context.is_draft or self._is_off:
            return unread
        for number, entry in enumerate(self._entries):
            if entry.rule == UNREAD_RULE and covers(entry, path):
                self._hits[number] += 1
                return unread.model_copy(update={"suppressed": True, "suppressed_reason": safe_reason(entry.reason)})
        return unread

    def notes(self) -> tuple[IgnoreNote, ...]:
        """Returns every comment of the scanned files and every entry of the policy, with what it did."""
        if self._context is None:
            return tuple(self._comments)
        problem = "skillc.yaml is not on base yet" if self._context.is_draft else None
        problem = "suppression is switched off for this scan" if self._is_off else problem
        entries = (
            IgnoreNote(
                source="policy", path=entry.path, line=None, rule=entry.rule, reason=safe_reason(entry.reason),
                counts=problem is None, problem=problem, hits=hits,
            )
            for entry, hits in zip(self._entries, self._hits, strict=True)
        )  # fmt: skip
        return (*self._comments, *entries)

    def relative(self, real: Path | None) -> str | None:
        """Returns a file's path in the repository, or None for a file of somewhere else."""
        if self._context is None or real is None:
            return None
        whole = os.path.join(os.path.realpath(real.parent), real.name)
        path = os.path.relpath(whole, os.path.realpath(self._context.repository.root))
        return None if path == ".." or path.startswith("../") else path

    def _by_policy(self, item: Input, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        path = self.relative(item.real or item.archive)
        if self._context is None or path is None or self._context.is_draft or self._is_off:
            return findings
        found = suppressed_by_policy(findings, self._entries, path=path)
        rules = [f.rule for f in found if f.suppressed_by == "policy"]
        for number, entry in enumerate(self._entries):
            if rules and covers(entry, path):
                self._hits[number] += rules.count(entry.rule)
        return found

    def _why_not(self, item: Input) -> str | None:
        """Says why no comment of a file counts, or None."""
        if self._is_off:
            return "suppression is switched off for this scan"
        if self._context is None:
            return _FOREIGN
        if self._context.is_draft:
            return "skillc.yaml is not on base yet"
        path = self.relative(item.real)
        if path is None:
            return "the file is not of this repository"
        if path not in self._tracked:
            return "git does not track the file in this repository"
        folder = self._skill_folder(item)
        if folder is not None and os.path.lexists(folder / CONTRACT_FILE):
            return "a compiled Skill cannot vouch for itself: scan.ignore in skillc.yaml can"
        skills = self._context.policy.skills_dir + "/"
        if self._is_candidate and path.startswith(skills):
            return "it is part of a candidate"
        return None

    @staticmethod
    def _skill_folder(item: Input) -> Path | None:
        """Returns the nearest folder above a file that holds a SKILL.md."""
        if item.real is None:
            return None
        return next((f for f in list(item.real.parents)[:12] if os.path.lexists(f / SKILL_FILE)), None)

    def _refused(self, item: Input, comment: Comment) -> str | None:
        refused = [rule for rule in comment.rules if rule in NEVER_BY_COMMENT_IN_SKILL]
        if not refused or self._skill_folder(item) is None:
            return None
        return f"a Skill cannot vouch for {refused[0]!r} itself: scan.ignore in skillc.yaml can"

    @cached_property
    def _tracked(self) -> frozenset[str]:
        assert self._context is not None
        return tracked_files(self._context.repository)

    @cached_property
    def _is_candidate(self) -> bool:
        assert self._context is not None
        return (self._context.repository.head_branch() or "").startswith(layout.CANDIDATE_PREFIX)


def _is_of(finding: Finding, comment: Comment) -> bool:
    return finding.rule in comment.rules and finding.line in (comment.line, comment.line + 1)
