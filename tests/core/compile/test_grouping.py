"""Rules of grouping: what is never parted when attempts are held out."""

from skillc.core.compile.grouping import group_value, grouping_fields, groups_of
from tests.makers import call, gives, make_source, user


def asked(number, who, family=None, **header):
    return make_source(
        user("please"), call("get_user", {"userId": who}), gives({"customer": {"region": "north"}}),
        trace_id=f"t-000000{number}", attempt_family=family, **header,
    )  # fmt: skip


def test_group_is_the_value_of_an_argument_under_any_spelling_of_its_name():
    source = asked(11, "ann")

    assert group_value(source, "user_id") == group_value(source, "userId") == group_value(source, "user") == "ann"


def test_group_may_be_a_field_of_a_result_or_of_the_header():
    source = asked(11, "ann", project="shop", attempt_key="k-1")

    assert group_value(source, "region") == "north"
    assert group_value(source, "repo") == "shop"
    assert group_value(source, "attempt_key") == "k-1"
    assert group_value(source, "environment.git.branch") == "main"
    assert group_value(source, "environment.nothing.there") is None
    assert group_value(source, "attempt_family") == "t-00000011"


def test_attempts_of_one_family_are_never_parted():
    """A retry by another account joins both accounts."""
    sources = [asked(11, "ann", "f1"), asked(12, "bob", "f1"), asked(13, "bob"), asked(14, "eve")]

    assert groups_of(sources, "user_id") == {
        "t-00000011": "ann", "t-00000012": "ann", "t-00000013": "ann", "t-00000014": "eve",
    }  # fmt: skip


def test_attempt_without_the_field_has_no_group_unless_its_family_has_one():
    bare = make_source(user("hello"), trace_id="t-00000021")
    retry = make_source(user("hello"), trace_id="t-00000022", attempt_family="f1")

    found = groups_of([asked(11, "ann", "f1"), bare, retry], "user_id")

    assert found == {"t-00000011": "ann", "t-00000022": "ann"}


def test_every_field_that_could_group_is_named_with_its_number_of_groups():
    """Of the header, of arguments, of numbers and of results, however deep."""
    sources = [
        make_source(
            user("please"),
            call("get_user", {"userId": who, "age": number}),
            gives({"customer": {"region": region, "constant": "x"}}),
            trace_id=f"t-000000{number}",
            attempt_key=f"k-{who}",
        )
        for number, who, region in ((11, "ann", "north"), (12, "bob", "north"), (13, "bob", "south"))
    ]
    found = grouping_fields(sources)
    assert found == [("attempt_key", 2), ("attempt_family", 3), ("userId", 2), ("age", 3), ("region", 2)]
    for name, count in found:
        assert len(set(groups_of(sources, name).values())) == count


def test_a_field_of_few_attempts_and_a_name_that_is_no_word_are_not_named():
    rare = make_source(call("a", {"rare": "1"}), trace_id="t-00000031")
    others = [make_source(call("a", {"bad name\x1b": str(n)}), trace_id=f"t-0000004{n}") for n in range(3)]
    assert [name for name, _ in grouping_fields([rare, *others])] == ["attempt_family"]


def test_results_that_are_no_json_or_too_deep_have_no_fields():
    deep = "[" * 5000 + "]" * 5000
    source = make_source(user("x"), call("get", {}), gives(deep), call("get", {}), gives("{broken"))

    assert group_value(source, "user_id") is None
