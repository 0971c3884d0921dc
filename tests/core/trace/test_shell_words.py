"""Rules of splitting a command line into words and operators."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.core.trace.shell_words import split_commands, tokens_of


def words(line: str) -> list[str]:
    return [t.text for t in tokens_of(line)]


def test_quotes_are_removed_and_keep_their_blanks():
    assert words("a 'b c' \"d $(e f) g\" h\\ i") == ["a", "b c", "d $(e f) g", "h i"]


def test_operators_are_no_words_and_quoted_operators_are():
    assert words("a&&b ';' c>d") == ["a", "&&", "b", ";", "c", ">", "d"]


def test_body_of_a_here_document_is_no_command():
    assert [t.text for tokens, _ in split_commands(tokens_of("a <<E\nrm x\nE\nb")) for t in tokens] == [
        "a",
        "<<",
        "E",
        "b",
    ]


def test_a_word_of_several_parts_is_one_word():
    assert words("""a'b c'"d$E"'' x$Y "p`q" r\\ 's' t$(u v)w #""") == ["ab cd$E", "x$Y", "p`q", "r s", "t$(u v)w"]
    assert words("a#b #c\nd 2>&1 12>e") == ["a#b", "\n", "d", "2>&", "1", "12", ">", "e"]


def test_words_are_split_in_linear_time():
    """A match that fails must not be tried in parts."""
    for line in ("a'b'" * 10_000 + "`", '"$' * 20_000, "'" * 20_001, "a$" * 20_000 + "("):
        assert list(tokens_of(line))


def test_open_quote_ends_with_the_text():
    assert words("echo 'a b") == ["echo", "a b"]
    assert words('echo "a $(b') == ["echo", "a $(b"]


@given(st.text(alphabet=st.sampled_from(list("ab '\"\\$(){}<>|&;\n`#0129")), max_size=150))
def test_splitting_never_raises_and_ends(line):
    assert sum(len(t.text) for t in tokens_of(line)) <= len(line)
