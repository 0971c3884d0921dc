"""Credentials in code and documents: the value is judged, and only the value is replaced."""

import pytest

from skillc.core.scan.code_contexts import CODE_CONTEXTS
from skillc.core.scan.redact import Redactor

MIX = "Zx9Qw8Er7Ty6Ui5Op4As3Df2"


@pytest.mark.parametrize(
    "text",
    [
        f"const dbPassword: string = '{MIX}'",
        f'password: str = "{MIX}"',
        f'let api_token: &str = "{MIX}";',
        f'var dbPassword string = "{MIX}"',
        f'char password[] = "{MIX}";',
        f'public string Password {{ get; set; }} = "{MIX}";',
        f"define('DB_PASSWORD', '{MIX}');",
        f'os.getenv("API_TOKEN", "{MIX}")',
        f'config.setPassword("{MIX}")',
        f"ENV DB_PASSWORD {MIX}",
        f"set -gx API_TOKEN {MIX}",
        f'#define WIFI_PASSWORD "{MIX}"',
        f"requirepass {MIX}",
        f"https://a.blob.core.windows.net/c?sv=1&sig={MIX}",
        f"Ocp-Apim-Subscription-Key: {MIX}",
    ],
)
def test_a_secret_by_its_place_is_replaced(text: str):
    redacted = Redactor().text(text)

    assert MIX not in redacted
    assert redacted != text


@pytest.mark.parametrize(
    "text",
    [
        "password: str = ''",
        'token: Token = "<token>"',
        "def f(password: str, token: str = None): ...",
        'os.getenv("API_TOKEN", "")',
        "| token | description |",
        "| api_key | string | your key |",
        "**Token:** the token of the session",
        "ENV PYTHONUNBUFFERED 1",
        "'pipe', 'password', 'credential', 'inject'",
        "https://a.dev/?key=value&code=200&token=abc",
        "cost is $5 and $6, run $2b or $apr1",
        'const tokenType: string = "bearer"',
        "tokenizer: Tokenizer = 'cl100k_base'",
        "secrets.get('API_KEY', 'default')",
    ],
)
def test_a_declaration_without_a_secret_stays(text: str):
    assert Redactor().text(text) == text


def test_every_row_has_a_name_of_its_own():
    assert len({row.kind for row in CODE_CONTEXTS}) == len(CODE_CONTEXTS) == 6
