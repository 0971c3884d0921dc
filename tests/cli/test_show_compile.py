"""Text from Traces and Skills is printed literally, and meaning never hangs on colour alone."""

from skillc.cli.show_compile import show_compile
from skillc.core.compile.calls import ModelCall
from skillc.lifecycle.compile_report import CompileReport, FamilyReport, GroupReport, SeenGroup


def test_groups_are_listed_with_the_line_that_accepts_them(capsys):
    group = SeenGroup(
        slug="cancel-order", operations=("cancel_order",), traces=4, attempt_families=3, verified_families=2
    )
    show_compile(CompileReport(families=(), groups=(group,)), minimum=3, base="main")
    streams = capsys.readouterr()
    assert "cancel-order  3 attempt families, 2 with a verified success" in streams.out
    assert "skillc families accept" in streams.err


def test_an_empty_namespace_says_what_comes_first(capsys):
    show_compile(CompileReport(families=()), minimum=3, base="main")
    assert "skillc capture --all" in capsys.readouterr().err


def family_with(*calls: ModelCall) -> FamilyReport:
    return FamilyReport(
        task_family="refunds", run="r-1", read=(), attempt_families=0, left_out=(), proposals=(),
        group=GroupReport(branch=None, state="none", versions=(), gates=()), calls=calls,
    )  # fmt: skip


def test_a_question_without_an_answer_is_no_call_and_says_what_happened(capsys):
    lost = ModelCall(role="family_scorer", request="sha256:a", model="m", outcome="auth", reason="there is no key")
    show_compile(CompileReport(families=(family_with(lost, lost),)), minimum=3, base="main")
    out = capsys.readouterr().out
    assert "model call" not in out
    assert "no answer for the family scorer (2 times): there is no key" in out


def test_answers_are_counted_with_what_they_cost(capsys):
    made = ModelCall(
        role="curator", request="sha256:a", model="m", outcome="answered", input_tokens=7, output_tokens=2, cost_usd=0.5
    )
    kept = made.model_copy(update={"request": "sha256:b", "is_recorded": True})
    show_compile(CompileReport(families=(family_with(made, kept),)), minimum=3, base="main")
    assert "1 model call, 1 answer from earlier: 7 input and 2 output tokens, $0.5000" in capsys.readouterr().out
    refused = made.model_copy(update={"outcome": "refusal"})
    show_compile(CompileReport(families=(family_with(refused),)), minimum=3, base="main")
    assert "1 model call: 7 input" in capsys.readouterr().out  # it was paid
