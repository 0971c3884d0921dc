"""Facts that can be found again: remembered for this account, and never believed from anybody else."""

from pathlib import Path

from skillc.repo.fact_cache import FactCache
from skillc.repo.repository import Repository

NAME = "cache/test"


def test_a_fact_is_remembered(repository: Repository):
    FactCache(repository, NAME).put("key", "a text with blanks")
    assert FactCache(repository, NAME).get("key") == "a text with blanks"
    assert FactCache(repository, NAME).get("other") is None


def test_the_newest_fact_counts(repository: Repository):
    for text in ("one", "two"):
        FactCache(repository, NAME).put("key", text)
    assert FactCache(repository, NAME).get("key") == "two"


def test_a_changed_line_is_not_believed(repository: Repository):
    FactCache(repository, NAME).put("key", "no")
    path = repository.private / NAME
    path.write_text(path.read_text("utf-8").replace(" no", " yes"), "utf-8")
    assert FactCache(repository, NAME).get("key") is None


def test_a_fact_of_another_cache_or_account_is_not_believed(repository: Repository, tmp_path: Path, monkeypatch):
    FactCache(repository, NAME).put("key", "yes")
    data = (repository.private / NAME).read_bytes()
    (repository.private / "cache" / "other").write_bytes(data)
    assert FactCache(repository, "cache/other").get("key") is None
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "elsewhere"))
    assert FactCache(repository, NAME).get("key") is None


def test_a_cache_that_is_a_link_or_folder_is_not_used(repository: Repository, tmp_path: Path):
    (repository.private / "cache").mkdir(parents=True)
    (tmp_path / "mine").write_text("mine\n", "utf-8")
    (repository.private / NAME).symlink_to(tmp_path / "mine")
    cache = FactCache(repository, NAME)
    cache.put("key", "yes")
    assert cache.get("key") == "yes"
    assert (tmp_path / "mine").read_text("utf-8") == "mine\n"


def test_without_a_secret_nothing_is_kept(repository: Repository, home: Path):
    (home / ".config").write_text("no folder", "utf-8")
    cache = FactCache(repository, NAME)
    cache.put("key", "yes")
    assert cache.get("key") == "yes"
    assert FactCache(repository, NAME).get("key") is None
