"""What `skillc check` costs on a large namespace, and on a pull request of one Skill in it.

1,000 Skills and 10,000 Traces, each Skill with citations that resolve and verifications that are signed. The first
run checks every signature by ssh-keygen and remembers it; the bars are for those that come after. The real command is
measured, git and its start included.
"""

import json
from typing import Any

import pytest

from tests.benchmarks.many import PER_SKILL, copy_of, pattern_of, store_copies
from tests.benchmarks.timing import cost_of, slowness
from tests.reward_world import new_reward_world
from tests.world import World

pytestmark = pytest.mark.benchmark
SKILLS = 1_000
MAX_BASE_S, MAX_PULL_REQUEST_S = 10.0, 2.0
NOISE = 1.15  # two readings of one command differ by this much


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        world: World = new_reward_world(tmp_path_factory.mktemp("many"), patch)
        world.set_policy("location: tree", "location: branch")
        pattern = pattern_of(world)
        store_copies(world, [copy_of(pattern, n) for n in range(1, SKILLS)], pattern)
        store_copies(world, [copy_of(pattern, SKILLS)], pattern, branch="pr")
        world.git("gc", "--quiet")
        yield world


def test_check_of_a_large_namespace_and_of_one_skill_in_it(many: World):
    traces = len(many.context().traces.stored())
    assert traces == (SKILLS + 1) * PER_SKILL
    said: list[dict[str, Any]] = []

    def run(*revision: str) -> None:
        said.append(json.loads(many.run("check", *revision, "--json").stdout))

    first, base, pull = cost_of(run), cost_of(run), cost_of(lambda: run("pr"))
    assert [r["ok"] for r in said] == [True] * 3, [p for r in said for p in r["problems"][:3]]
    assert [r["checked"] for r in said] == [SKILLS, SKILLS, 1]
    assert [g["skills"] for g in said[2]["groups"]] == [[f"refund-order-{SKILLS:05d}"]]
    print(f"\n{SKILLS} Skills, {traces} Traces: first check {first.cpu_s:.1f} CPU s (signatures are checked once)")
    slow = slowness()
    print(f"check of base {base.cpu_s:.1f} CPU s, bar {MAX_BASE_S:.0f}; of one Skill {pull.cpu_s:.1f} CPU s, bar 2")
    print(f"on a core {slow:.2f} times as slow as one alone")
    assert base.cpu_s <= MAX_BASE_S * NOISE * slow
    assert pull.cpu_s <= MAX_PULL_REQUEST_S * NOISE * slow
