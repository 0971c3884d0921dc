"""Signing the commits that go to base, where the person signs commits.

fast-import cannot sign, so each commit is made once more with `commit-tree -S`: same tree, message, author and
date, on the signed one before it. Programs come from the user's own configuration, never from the repository's.
Not here: signed statements on the ledger (repo.keys).
"""

from skillc.errors import RepoError
from skillc.repo.commits import WrittenCommits, forget_refs
from skillc.repo.repository import Repository

_FIELDS = "%T%x00%P%x00%an%x00%ae%x00%ad%x00%B"


def signed(repository: Repository, written: WrittenCommits) -> WrittenCommits:
    """Returns the commits, signed where `commit.gpgSign` is on. Raises RepoError when that fails."""
    if repository.settings.get("commit.gpgsign", "").lower() not in ("true", "1", "yes", "on"):
        return written
    ids: list[str] = []
    for commit in written.ids:
        ids.append(_signed(repository, commit, written.tmp_ref, parent=ids[-1] if ids else None))
    return WrittenCommits(ids, written.tmp_ref)


def _signed(repository: Repository, commit: str, tmp_ref: str, *, parent: str | None) -> str:
    out = repository.git.run("show", "--no-patch", "--date=raw", f"--format={_FIELDS}", commit)
    tree, parents, name, email, date, message = out.decode("utf-8").split("\0", 5)
    on = parent or parents.split(" ")[0]
    who = {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", name), ("EMAIL", email), ("DATE", date))
    }
    arguments = ["commit-tree", "-S", tree, *(["-p", on] if on else [])]
    text = (message.rstrip("\n") + "\n").encode()
    answer = repository.git.with_users_programs().ask(*arguments, stdin=text, environment=who)
    if answer.code != 0:
        forget_refs(repository, [tmp_ref])
        raise RepoError(
            "the commit could not be signed, and commit.gpgSign is on",
            hint="check your signing key (git commit -S works?), or set commit.gpgSign to false here",
        )
    return answer.stdout.decode().strip()
