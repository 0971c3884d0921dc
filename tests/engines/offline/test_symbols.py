"""Rules of what families share."""

from skillc.core.policy import Thresholds
from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.symbols import alphabet_of
from tests.makers import bash, call, gives, make_source


def attempts(*lists):
    return attempts_of(tuple(make_source(*d, trace_id=f"t-0000000{n}") for n, d in enumerate(lists)))


def edit(path):
    return [call("Edit", {"file_path": path}), gives("ok")]


def symbols(found):
    alphabet = alphabet_of(found, Thresholds())
    return [alphabet.symbol_of(c) for a in found for c in a.calls]


def test_path_that_most_families_edit_stays_and_others_become_their_role():
    assert symbols(attempts(edit("schema.json"), edit("schema.json"))) == ["edit schema.json"] * 2
    assert symbols(attempts(edit("src/a.py"), edit("src/b.py"))) == ["edit <source_file>"] * 2


def test_only_family_keeps_no_path_and_no_script():
    found = attempts([*edit("schema.json"), bash("python tools/gen.py"), gives("")])

    assert symbols(found) == ["edit <config_file>", "run python <script>"]


def test_run_of_some_tests_is_another_symbol_than_a_run_of_all():
    found = attempts([*edit("a.py"), bash("pytest tests/test_a.py"), gives(""), bash("pytest"), gives("")])

    assert symbols(found)[1:] == ["check pytest part", "check pytest after"]


def test_part_that_all_families_run_is_their_whole():
    found = attempts(*([*edit("a.py"), bash("pytest tests/unit"), gives("")] for _ in range(2)))

    assert symbols(found)[1::2] == ["check pytest after"] * 2


def test_value_that_all_families_give_a_variable_is_shared_and_a_secret_never():
    found = attempts(*([bash("MODE=ci API_KEY=abc pytest"), gives("")] for _ in range(2)))

    assert alphabet_of(found, Thresholds()).variables == {"MODE": "ci"}


def test_first_word_of_an_unknown_program_says_what_it_does_if_it_always_has_one():
    lines = ["bd create first", "bd create second", "bd close x1", "bd close x2"]
    found = attempts([d for line in lines for d in (bash(line), gives(""))])

    assert symbols(found) == ["run bd create"] * 2 + ["run bd close"] * 2


def test_file_given_to_an_unknown_program_is_no_verb():
    found = attempts([bash("render page.html"), gives(""), bash("render index"), gives("")])

    assert symbols(found) == ["run render"] * 2


def test_looking_is_work_of_its_own_where_nothing_else_is_done():
    found = attempts(
        [bash("find . -name '*.py' | wc -l"), gives("3")], [bash("find . -name '*.js' | wc -l"), gives("4")]
    )

    assert symbols(found) == ["look find"] * 2
