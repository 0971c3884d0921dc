"""Every path and ref of a skill repository, each in this one place.

See docs/ARCHITECTURE.md. Not here: the skills folder, which policy names (core.policy).
"""

import re

LOCAL_REFS = "refs/heads/"
TRACES_BRANCH = "skillc/traces"
LEDGER_BRANCH = "skillc/ledger"
CANDIDATE_PREFIX = "skillc/candidate/"
TRACES_REF = LOCAL_REFS + TRACES_BRANCH
LEDGER_REF = LOCAL_REFS + LEDGER_BRANCH
CANDIDATE_REFS = LOCAL_REFS + CANDIDATE_PREFIX
TMP_REFS = "refs/skillc/tmp/"
SESSION_REFS = "refs/skillc/sessions/"  # + trace_id: the commit that a session ended with

TRACES_DIR = "traces"
WITHDRAWN_DIR = ".skillc/withdrawn"
PRIVATE_DIR = "skillc"  # below the git folder that all worktrees share
JOURNAL_FILE = "admission.journal"
DUE_FILE = "due-records.json"
LOCK_FILE = "write.lock"
PURGE_FILE = "purge.json"  # blobs of a purge that was begun and has not ended
SIGNATURE_CACHE = "cache/signatures-1"
SUMMARY_CACHE = "cache/summaries-1"
LANDING_CACHE = "cache/landings-1"
LOOK_CACHE = "cache/looks-1"
ANSWER_DIR = "answers-1"  # of models, by the digest of the request
SPOOL_DIR = "spool"  # the hook's, and skillc.hook names it by itself
OFF_FILE = "off"

IDENTITY_NAME = "skillc"
IDENTITY_EMAIL = "skillc@localhost"

_TRACE_PATH = re.compile(r"traces/(?:[0-9]{4}/[0-9]{2}|undated)/([a-z0-9-]{8,64})\.jsonl")


def candidate_ref(task_family: str) -> str:
    """Returns the ref of a family's candidate branch."""
    return CANDIDATE_REFS + task_family


def candidate_branch(task_family: str) -> str:
    """Returns the short name of a family's candidate branch."""
    return CANDIDATE_PREFIX + task_family


def session_ref(trace_id: str) -> str:
    """Returns the ref that pins the commit at which a session ended."""
    return SESSION_REFS + trace_id


def trace_path(trace_id: str, started_at: str | None) -> str:
    """Returns where a Trace is stored: by year and month of its start, or `undated`."""
    folder = f"{started_at[:4]}/{started_at[5:7]}" if started_at else "undated"
    return f"{TRACES_DIR}/{folder}/{trace_id}.jsonl"


def trace_id_of_path(path: str) -> str | None:
    """Returns the id of the Trace stored at this path, or None for any other path."""
    found = _TRACE_PATH.fullmatch(path)
    return found.group(1) if found else None


def skill_folder(skills_dir: str, name: str) -> str:
    """Returns the folder of a Skill in the tree."""
    return f"{skills_dir}/{name}"


def withdrawn_path(name: str) -> str:
    """Returns the record of a Skill out of service."""
    return f"{WITHDRAWN_DIR}/{name}.json"
