"""`check` of Skills that skillc did not compile: a new or changed one is scanned, as policy says.

`unmanaged: warn` tells what the scanner would block, `block` makes it a problem. A Skill that was there before and
did not change is nobody's news. Paper: 5.6. Not here: scanning by hand (lifecycle.scan), compiled Skills
(lifecycle.check).
"""

from collections.abc import Iterator, Mapping

from skillc.core.admission_policy import UnmanagedRule
from skillc.core.record import Record
from skillc.core.scan.file_kinds import no_text, text_of
from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.suppression import suppressed_by_policy
from skillc.lifecycle.check_problem import Problem, problem_of
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import StoredSkill
from skillc.repo import layout
from skillc.repo.objects import ObjectReader, TooLargeError, list_tree, open_reader

_MAX_FILE_BYTES = 2 * 1024 * 1024


class UnmanagedFinding(Record):
    """What the scanner says of a file in a Skill that skillc did not compile."""

    path: str
    skill: str
    line: int
    rule: str
    severity: Severity
    title: str


def unmanaged_findings(
    context: Context, commit: str, skills: Mapping[str, StoredSkill], before: Mapping[str, str]
) -> tuple[UnmanagedFinding, ...]:
    """Returns the findings in hand-written Skills that a revision adds or changes, worst first.

    `before` are the folders at the place where the revision left base.
    """
    fresh = [s for s in skills.values() if s.contract is None and s.problem is None and before.get(s.name) != s.tree]
    if not fresh:
        return ()
    with open_reader(context.repository) as reader:
        found = [item for skill in fresh for item in _findings(context, commit, skill, reader)]
    order = {Severity.BLOCK: 0, Severity.WARN: 1}
    return tuple(sorted(found, key=lambda f: (order.get(f.severity, 2), f.path, f.line)))


def unmanaged_problems(context: Context, found: tuple[UnmanagedFinding, ...]) -> Iterator[Problem]:
    """Yields the blocking findings, where policy says that they block."""
    if context.policy.unmanaged is not UnmanagedRule.BLOCK:
        return
    for item in found:
        if item.severity is Severity.BLOCK:
            message = f"{item.rule}: {item.title} at line {item.line}"
            yield problem_of("unmanaged-scan", item.path, item.skill, message, f"skillc scan {item.path}")


def _findings(context: Context, commit: str, skill: StoredSkill, reader: ObjectReader) -> Iterator[UnmanagedFinding]:
    from skillc.core.scan.scanner import scan_text  # loads every scan rule

    folder = layout.skill_folder(context.policy.skills_dir, skill.name)
    for entry in list_tree(context.repository, commit, folder):
        if entry.kind != "blob":
            continue
        if entry.mode == "120000":
            yield _told(entry.path, skill.name, "link", "is a link, and where it leads is not looked at")
            continue
        try:
            data = reader.read(entry.object_id, limit=_MAX_FILE_BYTES) or b""
        except TooLargeError:
            yield _told(entry.path, skill.name, "unread", "is too large to be looked into")
            continue
        what = no_text(entry.path, data)
        if what is not None:
            yield _told(entry.path, skill.name, "unread", f"is {what}, which is not looked into")
            continue
        findings = scan_text(text_of(data).text, path=entry.path)
        let_stand = suppressed_by_policy(findings, context.policy.scan.ignore, path=entry.path)
        yield from (_of(f, skill.name) for f in let_stand if not f.suppressed and f.severity is not Severity.INFO)


def _of(finding: Finding, skill: str) -> UnmanagedFinding:
    return UnmanagedFinding(
        path=finding.path,
        skill=skill,
        line=finding.line,
        rule=finding.rule,
        severity=finding.severity,
        title=finding.title,
    )


def _told(path: str, skill: str, rule: str, title: str) -> UnmanagedFinding:
    return UnmanagedFinding(path=path, skill=skill, line=1, rule=rule, severity=Severity.WARN, title=title)
