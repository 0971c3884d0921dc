"""What a Skill names: plain words only, and never what the procedure itself makes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.skill.claim import Action, FailureClaim, StepClaim
from skillc.core.skill.contract import Contract
from skillc.core.skill.named import NamedKind, named_things, plain_path
from skillc.core.skill.task_runners import Interface
from tests.makers import make_citation, make_claim, make_contract


def step(tool: str, **arguments: object) -> StepClaim:
    action = Action(tool=tool, arguments=dict(arguments))
    return StepClaim(id="step-1", text="Do it.", citations=(make_citation(),), action=action)


def bash(command: str) -> Contract:
    return make_contract(steps=(step("Bash", command=command),))


def told(contract: Contract) -> list[tuple[str, str]]:
    return [(n.kind.value, n.named) for n in named_things(contract)]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("python tools/gen.py --fast=1 -v data/in.csv", [
            ("command", "tools/gen.py"), ("flag", "tools/gen.py --fast"), ("flag", "tools/gen.py -v"),
            ("path", "data/in.csv"),
        ]),
        ("./run.sh && ./tools/x.sh", [("command", "run.sh"), ("command", "tools/x.sh")]),
        ("uv run python -m tools.gen", [("command", "python -m tools.gen")]),
        ("npm run generate && npm test", [("command", "npm run generate"), ("command", "npm test")]),
        ("cd web && npm run build", [("command", "npm run build")]),
        ("make -C docs html", [("command", "make html")]),
        ("pytest -q tests/test_a.py::test_one", [("path", "tests/test_a.py")]),
        ("make -j4 -s all lint", [("command", "make all"), ("command", "make lint")]),
        ("npm run build -w packages/a", [("command", "npm run build")]),
        ("npm --prefix web run build && yarn --cwd=app lint", [("command", "npm run build"), ("command", "yarn lint")]),
        ("pnpm -C pkg test && pnpm --filter core lint", [("command", "pnpm test"), ("command", "pnpm lint")]),
        ("just deploy prod && task gen", [("command", "just deploy"), ("command", "task gen")]),
        ("bundle exec rake db:seed && tox -e lint,docs && nox -s type-check", [
            ("command", "rake db:seed"), ("command", "tox -e lint"), ("command", "tox -e docs"),
            ("command", "nox -s type-check"),
        ]),
        ("uv run seed-db --all", [("command", "uv run seed-db")]),
        ("composer run lint && composer cs && deno task gen", [
            ("command", "composer run lint"), ("command", "composer cs"), ("command", "deno task gen"),
        ]),
        ("prog --config=conf/a.toml < in/b.txt", [("path", "in/b.txt"), ("path", "conf/a.toml")]),
    ],
)  # fmt: skip
def test_a_command_line_names_programs_tasks_flags_and_paths(line: str, names: list[tuple[str, str]]):
    assert told(bash(line)) == names


@pytest.mark.parametrize(
    "line",
    [
        "python <script>.py",
        "cat $FILE src/*.py",
        "cd <folder> && python tools/gen.py",
        "cat /etc/hosts ~/notes.txt ../outside.txt",
        "git checkout origin/main -- src/a.py",
        "mkdir -p build/out && echo x > build/out/a.txt && cat build/out/a.txt",
        "tool -o out/a.js --output=out/b.js",
        "make -f other.mk html",
        "just --justfile other deploy && npm run build --workspaces && task -t x.yml gen",
        "npm run <task>",
        "curl https://example.org/a.json",
    ],
)
def test_what_is_no_plain_word_or_is_made_by_the_procedure_names_nothing(line: str):
    assert told(bash(line)) == []


def test_the_file_that_defines_a_task_lies_where_the_line_went():
    (named,) = named_things(bash("cd web/app && npm run build"))
    assert (named.path, named.interface, named.key) == ("web/app/package.json", Interface.NODE_SCRIPT, "build")
    (named,) = named_things(bash("cd web && npm --prefix app run build"))
    assert (named.path, named.interface, named.key) == ("web/app/package.json", Interface.NODE_SCRIPT, "build")


def test_files_of_editing_tools_and_backticks_of_texts_are_named():
    failure = FailureClaim(id="f", text="`npm test` fails", recovery="See `docs/a.md`.", citations=(make_citation(),))
    contract = make_contract(
        steps=(step("Edit", file_path="src/a.py"), step("Read", file_path="<file>"), step("Write", file_path="new.py")),
        outputs=(make_claim("The new `new.py`, `name` and `src/b.py`.", id="o"),),
        failure_modes=(failure,),
    )
    assert told(contract) == [
        ("path", "src/a.py"),
        ("path", "src/b.py"),
        ("command", "npm test"),
        ("path", "docs/a.md"),
    ]


def test_a_name_is_told_once_a_claim():
    claim = make_claim("Run `python a/b.py`, then `python a/b.py` again.", id="c")
    (named,) = named_things(make_contract(decisions=(claim,)))
    assert (named.field, named.claim_id, named.kind) == ("decisions", "c", NamedKind.COMMAND)


@given(st.text(max_size=60))
def test_any_text_is_read_and_every_path_stays_inside(text: str):
    for contract in (bash(text), make_contract(decisions=(make_claim(f"`{text}` `x y {text}`", id="d"),))):
        for named in named_things(contract):
            assert not named.path.startswith(("/", "../"))
            assert "<" not in named.path


@pytest.mark.parametrize("word", ["", ".", "..", "/a", "a/../../b", "-x", "a b", "http://x/y", ".git/config", "a\x00b"])
def test_no_plain_path(word: str):
    assert plain_path(word) is None


def test_a_description_that_repeats_a_command_or_a_path_in_plain_words_names_it():
    contract = make_contract(
        steps=(step("Bash", command="make gen && python src/a.py"),),
        description=make_claim("Fix src/a.py after make gen, not xsrc/a.py.bak."),
    )
    said = {(n.field, n.named) for n in named_things(contract)}
    assert ("description", "make gen") in said
    assert ("description", "src/a.py") in said


@pytest.mark.parametrize("text", ["Edit lib/src/a.py.", "Edit src/a.pyc.", "Edit src/a.py-old."])
def test_a_longer_name_is_not_the_shorter_one(text: str):
    contract = make_contract(steps=(step("Read", file_path="src/a.py"),), description=make_claim(text))
    assert {n.field for n in named_things(contract)} == {"steps"}
