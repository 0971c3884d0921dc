"""A value in disguise is found where it stands."""

import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from skillc.core.scan.detectors import gate_text
from skillc.core.scan.private_values import passed_gates, private_spans
from skillc.core.scan.redact import Redactor
from tests.core.scan.test_detectors import SAMPLES
from tests.core.scan.test_personal import FOUND


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


DISGUISES = {
    "base64": lambda s: _b64(f"the value is {s} here"),
    "base64 for URLs": lambda s: base64.urlsafe_b64encode(f"x: {s}".encode()).decode().rstrip("="),
    "base64 over lines": lambda s: base64.encodebytes(f"{'some text ' * 8}{s} and after".encode()).decode() + ".",
    "base64 twice": lambda s: _b64(_b64(f"a {s} b")),
    "base64 of UTF-16": lambda s: base64.b64encode(f"a {s} b".encode("utf-16-le")).decode(),
    "base64 behind a path": lambda s: f"/var/tmp/{_b64(f'ab {s} cd')}",
    "hex": lambda s: f"a {s} b".encode().hex(),
    "URL": lambda s: quote(f"a={s}", safe=""),
    "URL twice": lambda s: quote(quote(f"a={s}", safe=""), safe=""),
    "HTML": lambda s: html.escape("".join(f"&#{ord(c)};" for c in s)).replace("&amp;", "&"),
    "JSON": lambda s: "".join(f"\\u{ord(c):04x}" for c in s),
    "a program": lambda s: "".join(f"\\x{ord(c):02x}" for c in s),
    "JSON in JSON": lambda s: json.dumps(json.dumps({"a": s})),
}  # fmt: skip
JOINTS = ['" + "', "' +\n    '", '"\n        "', "'\"", '" . "', '" & "', '\\" + \\"', "` + `"]
SINGLE_LINE = [(kind, text) for kind, text in [*SAMPLES.items(), *FOUND] if kind != "signature_name"]


@pytest.mark.parametrize("disguise", sorted(DISGUISES))
def test_a_value_in_disguise_is_found_for_every_row(disguise: str):
    for kind, text in SINGLE_LINE:
        shown = f"before {DISGUISES[disguise](text)} after"
        redacted = Redactor().text(shown)
        assert redacted != shown, kind
        assert redacted.startswith("before "), kind
        assert redacted.rstrip().endswith("after"), kind


@pytest.mark.parametrize("joint", JOINTS)
def test_a_credential_that_a_program_puts_together_is_found(joint: str):
    for kind, text in SAMPLES.items():
        middle = next(i for i in range(len(text) // 2, len(text)) if text[i - 1 : i + 1].isalnum())
        quote_before = joint[-1] if joint != "'\"" else "'"
        shown = f"key = {quote_before}{text[:middle]}{joint}{text[middle:]}{joint[-1]} # end"
        redacted = Redactor().text(shown)
        assert redacted != shown, kind
        assert redacted.endswith("# end"), kind


def test_one_value_has_one_placeholder_plain_and_encoded():
    token = SAMPLES["github_token"]

    assert Redactor().text(f"{token} {quote(f' {token} ')}") == "<github_token:1> %20<github_token:1>%20"


@pytest.mark.parametrize(
    "text",
    [
        "https://example.com/a%20b%2Fc?d=%7B%7D",
        "print('a' + 'b') and ['x', 'y'] or \"\" + ''",
        "&lt;div class=&quot;a&quot;&gt; &amp; &#8211;",
        "sha256:" + "3f8a01c2" * 8,
        _b64("nothing of interest in this text at all"),
        "re.compile(r'\\d+\\s\\x41')",
    ],
)
def test_an_honest_text_with_escapes_stays(text: str):
    assert Redactor().text(text) == text


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(DISGUISES)),
    st.sampled_from(SINGLE_LINE),
    st.text(alphabet=" \n.,;()é", max_size=6),
    st.text(alphabet=" \n.;()é", max_size=6),
)
def test_the_gates_never_hide_a_find(disguise: str, sample: tuple[str, str], before: str, after: str):
    text = f"{before} {DISGUISES[disguise](sample[1])} {after}"
    if private_spans(text):
        assert passed_gates(gate_text(text.encode()))
        line = gate_text(to_json({"text": text}))
        assert any(may_match(line) for may_match in passed_gates(line))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(DISGUISES)), st.sampled_from(SINGLE_LINE), st.text(max_size=20))
def test_redacting_again_changes_nothing(disguise: str, sample: tuple[str, str], more: str):
    once = Redactor().text(f"{DISGUISES[disguise](sample[1])} {more}")

    assert Redactor().text(once) == once
