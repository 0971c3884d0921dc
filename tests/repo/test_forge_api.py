"""Questions to a forge: GET only, bounded, and the token never leaves for another host."""

from pathlib import Path

import pytest

from skillc.errors import UsageError
from skillc.repo.forge_api import MAX_BYTES, ForgeApi, ForgePlace, place_of, token_for
from skillc.repo.repository import Repository
from tests.forge_double import ForgeDouble, forge_double
from tests.gh_double import install_gh


def api_of(double: ForgeDouble, *, token: str | None = "secret", timeout_s: float = 2) -> ForgeApi:
    return ForgeApi(ForgePlace(double.address, "github.com", "acme/app"), token, timeout_s)


@pytest.mark.parametrize(
    ("url", "api", "repository"),
    [
        ("https://github.com/acme/app.git", "https://api.github.com", "acme/app"),
        ("git@github.com:acme/app.git", "https://api.github.com", "acme/app"),
        ("ssh://git@github.com/acme/app", "https://api.github.com", "acme/app"),
        ("https://token@github.acme.example/acme/a.b/", "https://github.acme.example/api/v3", "acme/a.b"),
    ],
)
def test_the_api_is_that_of_the_remotes_host(url: str, api: str, repository: str):
    place = place_of(url)
    assert place is not None
    assert (place.api, place.repository) == (api, repository)


@pytest.mark.parametrize(
    "url",
    ["", "/srv/app.git", "../app", "file:///srv/app", "https://github.com/acme", "https://github.com/a/b/c",
     "git@github.com:../x", "https://github.com/-a/b", "C:\\x\\y"],
)  # fmt: skip
def test_what_is_no_repository_of_a_forge_is_none(url: str):
    assert place_of(url) is None


@pytest.mark.parametrize(
    "api", ["http://example.org", "ftp://127.0.0.1", "api.github.com", "http://127.0.0.1.evil.example"]
)
def test_no_token_travels_in_the_open(api: str):
    with pytest.raises(UsageError, match="https"):
        place_of("https://github.com/acme/app", api=api)


def test_it_asks_with_the_token_and_reads_the_answer():
    with forge_double() as double:
        answer = api_of(double).ask("rules", "branches", "skillc/ledger")
        assert (answer.status, answer.value[0]["type"]) == (200, "non_fast_forward")
        assert double.asked == [("GET", "/rules/branches/skillc%2Fledger", "Bearer secret")]


@pytest.mark.parametrize(
    ("given", "status", "problem"),
    [
        ((403, {"message": "no"}), 403, "HTTP 403"),
        ((500, b"oops"), 500, "HTTP 500"),
        ((301, b""), 301, "HTTP 301"),
        (b"{", 0, "no JSON"),
        (b"[" * 100_000, 0, "no JSON"),
        (b"x" * (MAX_BYTES + 1), 0, "no JSON"),
        (b"\xff", 0, "no JSON"),
    ],
)
def test_whatever_comes_is_an_answer(given: object, status: int, problem: str):
    with forge_double(ForgeDouble({"": given})) as double:
        answer = api_of(double, timeout_s=10).ask()
        assert answer.status == status
        assert problem in answer.problem
        assert len(double.asked) == 1  # no redirect is followed


def test_a_slow_answer_ends_with_the_time():
    with forge_double(ForgeDouble({"": {"a": "x" * 400}}, delay_s=0.05)) as double:
        answer = api_of(double, timeout_s=0.2).ask()
        assert answer.status == 0
        assert "no answer" in answer.problem


def test_nobody_there_is_an_answer():
    with forge_double() as double:
        api = api_of(double)
    assert api.ask().status == 0


def test_a_token_of_the_public_forge_never_goes_to_another_host(root: Path, monkeypatch, tmp_path):
    repository = Repository.open(root)
    gh = install_gh(tmp_path / "gh", monkeypatch)
    for name in ("GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GITHUB_SERVER_URL"):
        monkeypatch.delenv(name, raising=False)
    public, other = place_of("https://github.com/a/b"), place_of("https://github.evil.example/a/b")
    assert public is not None
    assert other is not None
    assert token_for(public, repository) is None
    monkeypatch.setenv("GH_TOKEN", "public")
    assert token_for(public, repository) == "public"
    assert token_for(other, repository) is None
    monkeypatch.setenv("GH_ENTERPRISE_TOKEN", "theirs")
    assert token_for(other, repository) == "theirs"
    monkeypatch.delenv("GH_TOKEN")
    gh.set(token="of gh")
    assert token_for(public, repository) == "of gh"
