"""Every possible success that nobody verified is told with the commands that would verify it."""

from skillc.core.policy import parse_policy
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.init import init
from skillc.lifecycle.unverified import UnverifiedTrace, own_checks, ran_in, unverified_traces
from tests.makers import bash, call, gives, make_trace
from tests.world import CHECK, FIX, World, sessions_of


def waiting(world: World) -> list[UnverifiedTrace]:
    context = world.context()
    return list(unverified_traces(context, load_attempts(context)))


def test_a_session_whose_commit_is_here_is_verified_by_a_run(fresh: World):
    fresh.trust()
    fresh.capture(sessions_of(FIX))
    found = waiting(fresh)
    assert len(found) == 6
    for trace in found:
        assert f"skillc verify --run {CHECK} {trace.trace_id[:14]}" in trace.commands


def test_a_commit_that_is_in_base_can_be_verified_from_git(fresh: World):
    fresh.capture(sessions_of(FIX))
    on_base = fresh.git("rev-parse", "main")
    for trace in waiting(fresh):
        stored = fresh.context().traces.read(trace.trace_id)
        assert stored is not None
        git = stored.header.environment.git
        assert git is not None
        assert git.head_end is not None
        end = git.head_end
        is_merged = fresh.git("merge-base", end, on_base) == fresh.git("rev-parse", end)
        assert (f"skillc verify --from-git {trace.trace_id[:14]}" in trace.commands) is is_merged
        assert "--run" in trace.commands[0]


def test_a_check_that_is_not_trusted_is_trusted_first(fresh: World):
    fresh.set_policy('"-q"', '"-v"')
    fresh.capture(sessions_of(FIX)[:1])
    (trace,) = waiting(fresh)
    assert f"skillc trust {CHECK} && skillc verify --run {CHECK} {trace.trace_id[:14]}" in trace.commands


def test_a_check_that_another_machine_signs_for_is_not_offered(fresh: World):
    fresh.capture(sessions_of(FIX)[:1])
    (fresh.home / ".config" / "skillc" / "keys" / "tool.pub").unlink()
    (trace,) = waiting(fresh)
    assert own_checks(fresh.context().policy) == []
    assert not any("--run " + CHECK in command for command in trace.commands)


def test_without_a_check_the_way_is_to_register_one(fresh: World):
    policy = (fresh.root / "skillc.yaml").read_text("utf-8").split("verifiers:")[0] + "verifiers: []\n"
    assert parse_policy(policy.encode()).verifiers == ()
    fresh.commit({"skillc.yaml": policy}, "no check")
    fresh.git("checkout", "--quiet", "-b", "elsewhere")
    transcript = sessions_of(FIX)[0]
    other = World(fresh.home, fresh.root.parent / "other")
    other.root.mkdir()
    other.git("init", "--quiet")
    init(other.root)
    other.commit({"skillc.yaml": policy}, "namespace")
    other.capture([transcript])
    (trace,) = waiting(other)
    assert trace.commands == ("skillc verifier add unit-tests --run 'COMMAND'",)


def test_a_registered_person_can_judge_every_one(fresh: World):
    text = (fresh.root / "skillc.yaml").read_text("utf-8")
    assert "people: []" in text
    key = fresh.context().policy.verifiers[0].key
    fresh.set_policy("people: []", f"people: [{{id: ada, roles: [verifier], key: {key!r}}}]")
    fresh.capture(sessions_of(FIX)[:2])
    for trace in waiting(fresh):
        assert trace.commands[-1] == f"skillc verify --as ada --outcome success {trace.trace_id[:14]}"


def test_verified_traces_do_not_wait(world: World):
    assert waiting(world) == []


def test_a_run_of_the_check_in_the_session_is_seen():
    run = ("python3", "-m", "pytest", "-q")
    assert ran_in(make_trace(bash("cd x && python -m  pytest -q tests"), gives("ok")), run)
    assert ran_in(make_trace(bash("/usr/bin/python3.11 -m pytest -q")), run)
    assert not ran_in(make_trace(bash("python -m unittest")), run)
    assert not ran_in(make_trace(call("Write", {"content": "python3 -m pytest -q"})), run)
    assert not ran_in(make_trace(bash("ls")), ())
