"""Published credential formats are found, placeholders are not, and the cheap gate never hides a find."""

import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from skillc.core.scan import detectors
from skillc.core.scan.detector import Detector
from skillc.core.scan.detectors import (
    find_spans,
    gate,
    gate_text,
    may_hold_credential,
)
from skillc.core.scan.formats import DETECTORS
from skillc.core.scan.personal import PERSONAL
from skillc.core.scan.places import PLACES
from skillc.core.scan.private_values import passed_gates
from skillc.core.scan.secret_values import is_placeholder

MIX = "Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0Lz9Xc8Vb7Nm6Qa5Ws4Ed3Rf2Tg1Yh0Uj"
HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"
PEM_BODY = (MIX + "\n") * 4

# One made-up value per format, cut so that no line of this file is a token.
PUBLIC = "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGhIjKlMnOpQ"  # the part of a pair of keys that anybody may see
SAMPLES = {
    "private_key": "-----BEGIN RSA " + f"PRIVATE KEY-----\n{PEM_BODY}-----END RSA " + "PRIVATE KEY-----",
    "aws_access_key": "AK" + "IA" + "QWERTY234567ASDF",
    "github_token": "gh" + "p_" + MIX[:36],
    "gitlab_token": "gl" + "pat-" + MIX[:20],
    "slack_token": "xo" + "xb-1234567890-" + MIX[:24],
    "stripe_key": "sk_" + "live_" + MIX[:24],
    "anthropic_key": "sk-" + "ant-api03-" + MIX[:40],
    "openai_key": "sk-" + "proj-" + MIX[:40],
    "google_key": "AI" + "za" + MIX[:35],
    "npm_token": "np" + "m_" + MIX[:36],
    "pypi_token": "py" + "pi-AgEIcHlwaS5vcmc" + MIX[:40],
    "huggingface_token": "h" + "f_" + MIX[:34],
    "sendgrid_key": "S" + "G." + MIX[:22] + "." + MIX[:43],
    "platform_token": "dck" + "r_pat_" + MIX[:27],
    "app_token": "fig" + "d_" + MIX[:44],
    "payment_token": "ship" + "po_live_" + HEX[:40],
    "webhook": "https://discord.com/api/webhooks/123456789012345678/" + MIX,
    "azure_key": "Account" + "Key=" + MIX + MIX[:22] + "==",
    "telegram_token": "123456789:" + "AA" + MIX[:33],
    "discord_token": "MT" + MIX[:24] + ".GhJ4kL." + MIX[10:48],
    "mailgun_key": HEX[7:39] + "-" + HEX[3:11] + "-" + HEX[20:28],
    "static_key": "-----BEGIN OpenVPN "
    + f"Static key V1-----\n{HEX[:32]}\n{HEX[9:41]}\n-----END OpenVPN Static key V1-----",
    "putty_key": "PuTTY-User-"
    + "Key-File-3: ssh-ed25519\nEncryption: none\nComment: ann\nPublic-Lines: 1\n"
    + f"{PUBLIC}\nPrivate-"
    + f"Lines: 1\n{MIX[:44]}\nPrivate-MAC: {HEX[:40]}",
    "json_web_key": '{"kty": "EC", "crv": "P-256", "x": "' + PUBLIC + '", "d": "' + MIX[5:48] + '"}',
    "app_key": "APP_" + "KEY=base64:" + MIX[:43] + "=",
    "jdbc_password": "jdbc:postgresql://db.shop.dev/hr?user=ann&" + "password=" + MIX[:10],
    "jwt": "ey" + f"J{MIX[:20]}.ey" + f"J{MIX[:30]}.{MIX[:40]}",
    "url_password": "postgres://app:" + "s3cr3tPw" + "@db.example.org/app",
    "authorization_header": "Authorization: Token " + MIX[:30],
    "bearer_token": "bearer " + MIX[:30],
    "basic_auth": "curl -s -u ops_admin:" + "NR9NBXyv" + "F4KE9w https://api.example.org",
    "docker_auth": '{"auths":{"r":{"' + 'auth":"' + "Y2ktYm90Ojl1VUliOVVYaHB3RjRLRTB3ZQ==" + '"}}}',
    "header_secret": "X-Api-Signature: " + MIX[:30],
    "cookie": "Cookie: sid=" + MIX[:30] + "; theme=dark",
    "session_cookie": "GET /?sessionid=" + MIX[:30],
    "netrc_password": "machine api.shop.dev login ann password " + MIX[:14],
    "npmrc_token": "//registry.shop.dev/:_auth=" + MIX[:24],
    "pgpass_password": "db.shop.dev:5432:shop:ann:" + MIX[:14],
    "kubeconfig_key": "client-key-data: " + MIX,
    "key_id": '{"private_key_id": "' + HEX[:40] + '"}',
    "connection_secret": "Server=db;User=ann;Pwd=" + MIX[:12] + ";",
    "option_secret": "tool --password " + MIX[:12],
    "told_secret": "log in with `" + MIX[:16] + "`",
    "typed_secret": "const dbPassword: string = '" + MIX[:14] + "'",
    "argument_secret": "define('DB_PASSWORD', '" + MIX[:14] + "')",
    "spaced_secret": "ENV DB_PASSWORD " + MIX[:14],
    "query_secret": "GET /blob?sig=" + MIX[:30],
    "password_hash": "$2b$12$" + MIX[:53],
    "keyed_header": "DD-APPLICATION-KEY: " + HEX[:40],
    "element_secret": "<password>" + MIX[:14] + "</password>",
    "named_value": "name: DB_PASSWORD\n  value: " + MIX[:14],
    "shell_secret": "mysql -u root -p" + MIX[:12] + " shop",
    "sql_secret": "ALTER ROLE app PASSWORD '" + MIX[:12] + "'",
    "assigned_secret": "DB_PASSWORD=" + "hunter2hunter",
    "assigned_key": "svc_hook: " + MIX[:24],
}


@pytest.mark.parametrize("kind", [detector.kind for detector in DETECTORS])
def test_every_format_is_found_in_prose_code_and_json(kind: str):
    sample = SAMPLES[kind]
    for text in (sample, f"use `{sample}` now", to_json({"x": f'say "{sample}"'}).decode()):
        kinds = {span.kind for span in find_spans(text)}
        assert kind in kinds, text
        assert may_hold_credential(to_json({"text": text}))


def test_the_span_of_an_assignment_is_its_value():
    text = "export DB_PASSWORD='hunter2hunter' # x"
    (span,) = find_spans(text)

    assert text[span.start : span.end] == "hunter2hunter"


@pytest.mark.parametrize(
    "text",
    [
        "token = os.environ['TOKEN']",
        "token = get_token(user)",
        "max_tokens: 4096",
        "total_tokens=123456",
        "password: <password>",
        "tests_passed: several12",
        "curl -u $USER:$PASSWORD https://x",
        "docker run -u 1000:1000 x",
        '{"auth": "required"}',
        "password: $PASSWORD",
        "password = ${{ secrets.PASSWORD }}",
        "API_KEY=your-api-key-here",
        "secret: changeme",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <token>",
        "Authorization: Bearer {token}",
        "sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx",
        "AKIAIOSFODNN7EXAMPLE",
        "https://user:password@example.org/",
        "https://example.org:8080/@scope/package",
        "git@github.com:acme/shop.git",
        "the token is expired",
        "secret_key_base: System.get_env",
        "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP",
        "1a410efbd13591db07496601ebc7a059dd55cfe9",
        "task-force-for-the-quarterly-review-of-things",
        "-----BEGIN CERTIFICATE-----",
        'if "-----BEGIN RSA PRIVATE KEY-----" in text: return',
        "token_type: bearer",
        "password_field: str",
        "tokens = tokenizer.encode(text)",
        "<aws_access_key:1>",
        "api_key: <assigned_secret:2>",
    ],
)
def test_what_is_no_secret_is_clean(text: str):
    assert find_spans(text) == []


def test_overlapping_finds_are_one():
    text = "Authorization: Bearer " + SAMPLES["github_token"]

    assert [span.kind for span in find_spans(text)] == ["github_token"]


def test_finds_come_in_order_over_lines():
    text = f"{SAMPLES['npm_token']}\nx\n{SAMPLES['github_token']} {SAMPLES['npm_token']}\n{SAMPLES['private_key']}"

    assert [s.kind for s in find_spans(text)] == ["npm_token", "github_token", "npm_token", "private_key"]


def test_a_cut_private_key_is_found_and_only_its_body():
    text = SAMPLES["private_key"].split("-----END")[0] + '\n");\nint main(void);'
    (span,) = find_spans(text)

    assert "main" not in text[span.start : span.end]
    assert MIX in text[span.start : span.end]


_PIECES = [
    *SAMPLES.values(),
    *(s[: len(s) // 2] for s in SAMPLES.values()),
    '"',
    "\\",
    "\n",
    " ",
    "=",
    ": ",
    "é",
    "password",
    "x",
    "://",
    "@",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=6).map("".join))
def test_the_gate_never_hides_a_find(text: str):
    """Each gate must match wherever its pattern does, in the text and in its JSON."""
    encoded = to_json({"text": text})
    for detector in DETECTORS:
        if any(span.kind == detector.kind for span in find_spans(text)):
            assert gate(detector.gate)(text)
            assert gate(detector.gate)(encoded)
            assert gate(detector.gate)(gate_text(encoded))
            assert any(may_match(gate_text(text.encode())) for may_match in passed_gates(gate_text(encoded)))
            assert may_hold_credential(encoded)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_spans_lie_in_the_text_and_do_not_overlap(text: str):
    end = 0
    for span in find_spans(text):
        assert end <= span.start < span.end <= len(text)
        end = span.end


@pytest.mark.parametrize(
    "unit",
    [
        "ey" + "J" + "a" * 9 + ".", "sk-", "xox" + "b-", "password=", "password", "://a:", "-----BEGIN PRIVATE KEY-----", "Authorization:",
        "AKIA", "token is ", "a_", "secret-", "bearer ", "gh" + "p_", "eyJ", "SG.", "pass" * 3 + "_",
    ],
)  # fmt: skip
def test_hostile_text_takes_linear_time(unit: str):
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        find_spans(text)
        return time.process_time() - start

    # Eight times the text; quadratic work would take 64 times the time.
    small = max(min(seconds(40_000) for _ in range(3)), 0.01)
    assert min(seconds(320_000) for _ in range(2)) < small * 8 * 4


def _with_its_surroundings(pattern: str) -> str:
    """Returns a pattern that matches what its look-arounds want to see beside a value, too."""
    for seen, shown in (("(?<=@)", "@"), ("(?=;|[\"'\\\\])", ";"), ("(?=[A-Za-z0-9\\[])", "a"), ("(?<=-)", "")):
        pattern = pattern.replace(seen, shown)
    return pattern


@pytest.mark.parametrize("row", [*DETECTORS, *PLACES, *PERSONAL], ids=lambda row: row.kind)
def test_whatever_a_row_accepts_passes_its_own_gate(row: Detector):
    """Values made from the pattern itself. A name before a secret is written in one case, as people write it."""
    pattern = re.compile(row.pattern)
    names = [name for name in ("secret", "national", "local") if name in pattern.groupindex]

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(
        st.from_regex(_with_its_surroundings(row.pattern), fullmatch=True, alphabet=st.characters(max_codepoint=127))
    )
    def check(text: str) -> None:
        text = text.lower() if row.pattern.startswith("(?i)") else text
        for match in pattern.finditer(text):
            group = next((name for name in names if match[name] is not None), 0)
            if row.accept(match) if row.accept else not is_placeholder(match[group]):
                assert gate(row.gate)(text)

    check()


def test_a_long_line_gives_what_its_parts_give_also_over_the_ends_of_its_windows():
    values = [SAMPLES["npm_token"], SAMPLES["aws_access_key"], "password: " + MIX[:14]]
    filler = "so the words go on and on "
    for shift in range(0, 60, 7):
        line = "x" * shift + " " + "".join(f"{filler * 78} {values[n % 3]} " for n in range(12))
        found = find_spans(line)
        assert len(found) == 12
        assert all(line[span.start : span.end] in values[n % 3] for n, span in enumerate(found))


def test_a_value_longer_than_a_window_is_found_as_in_a_short_line(monkeypatch: pytest.MonkeyPatch):
    line = "so it goes " * 900 + SAMPLES["jwt"] + MIX * 200 + " and on"
    found = find_spans(line)
    monkeypatch.setattr(detectors, "_REACH", len(line))
    assert found == find_spans(line) != []
