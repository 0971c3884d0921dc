"""Credentials by what stands beside them: the value is judged, and only the value is replaced."""

import pytest

from skillc.core.scan.contexts import CONTEXTS
from skillc.core.scan.redact import Redactor

MIX = "Zx9Qw8Er7Ty6Ui5Op4As3Df2"


@pytest.mark.parametrize(
    "text",
    [
        f"Cookie: sid={MIX}; theme=dark",
        f"Set-Cookie: session={MIX}; Path=/",
        f"x-goog-api-key: {MIX}",
        f"-H 'X-Vault-Token: {MIX}'",
        f"curl https://a.dev/?session_id={MIX}",
        f"machine a.dev\n  login ann\n  password {MIX}",
        f"//npm.a.dev/:_authToken={MIX}",
        f"db.a.dev:5432:shop:ann:{MIX}",
        f"Server=tcp:a,1433;Database=b;User ID=c;Password={MIX};Encrypt=True",
        f"Endpoint=sb://a.servicebus.net/;SharedAccessKey={MIX};",
        f"deploy --api-key {MIX} --force",
        f"sshpass -p {MIX} ssh ann@a.dev",
        f"the password is {MIX}",
        "the password for the box is tr0ub4dor9x.",
        f"The token: `{MIX}`",
        f"log in using '{MIX}'",
        f"SLACK_HOOK={MIX}",
        f"sentry_dsn: {MIX}",
    ],
)
def test_a_secret_by_its_place_is_replaced(text: str):
    redacted = Redactor().text(text)

    assert MIX not in redacted
    assert "tr0ub4dor9x" not in redacted
    assert redacted != text


@pytest.mark.parametrize(
    "text",
    [
        "Cookie: <cookie>",
        "Set-Cookie: theme=dark; Path=/",
        "set the x-request-id: header",
        "--password $PASSWORD --token ${{ secrets.TOKEN }} --secret <secret>",
        "--token-limit 4096 --passthrough",
        "the password is wrong, and the token is expired",
        "the key is to read first; the key for sorting is name",
        "log in with your account and connect using ssh",
        "Password=changeme;",
        "primary_key: customer_id_and_order_id",
        "LOG_LEVEL=INFO cache_key = f'{user}:{day}'",
        "sort_key: created_at_descending_first",
        "login form with a password field",
    ],
)
def test_a_placeholder_a_word_or_a_name_is_no_secret(text: str):
    assert Redactor().text(text) == text


def test_every_row_says_where_its_value_is():
    assert len({row.kind for row in CONTEXTS}) == len(CONTEXTS) > 15
    assert all("(?P<secret>" in row.pattern for row in CONTEXTS)
