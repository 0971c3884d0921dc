"""Secrets told in sentences: what hands a value over counts, and what only speaks of secrets does not."""

import time

import pytest

from skillc.core.scan.told_secrets import is_word_like, told_secrets

SURE = [
    "Log in as deploy with Xk29fLq8 and run it.",
    "The router's admin password was changed to Zt7-wPq9Lm in May.",
    "Decrypt it with the passphrase `olive-Canyon-88-truck`.",
    "Unlock the archive with 8Hq2vLx9.",
    "Our metrics key: `9f8a7c6b5d4e3f2a1b0c9d8e7f6a5b4c`",
    "The SMTP login is mailer:Kp93xQvz on port 587.",
    "If all fails, the master password Tr0ub4dor&3x gets you back in.",
    "Set `API_TOKEN` to `jH7sKq92LmPw04Zx`.",
    "`Pq83nnZvKw2` is the token of the build user.",
    "| DB password | wQ7mLp2Zx |",
    "Credentials: ann / Gf73kLmQx",
    "Das Passwort lautet Blau7Zug9x.",
    "Le mot de passe est Rv8tQm3Kz.",
    "La contrase\u00f1a es Tj5wLq8Zp.",
    "Answer with Kd93mPq7z when it wants the passphrase.",
    "The kiosk takes hunter7Lake as password.",
    "We use QmZ83kfLw for the staging login.",
    "unzip -P BKL4Xs0KPr a.zip",
    "echo 'TJcA7GJcy4' | kinit ann@BRICK.IO",
    "keytool -list -storepass 2kKGbyb1ko",
    "sqlplus ann/aRF1NZLD7z@orcl",
]
LIKELY = ["The door code is 4471#.", "The PIN for the card is 8261.", "Take the recovery code 8261-4470 then."]
CLEAN = [
    "The password is case-sensitive and 12 characters long.",
    "Use key-based authentication with Ed25519 when it asks for a method.",
    "The token is passed as OAuth2Token in the header.",
    "Use getUserToken() to read the token.",
    "The secret is stored in AWS Secrets Manager under prod/db.",
    "Set API_TOKEN to YOUR_API_TOKEN_HERE.",
    "Use key Ctrl+Shift+P when it asks.",
    "The primary key is user_id2 of table Users2024.",
    "Log in with GitHub OAuth2.0 and PKCE.",
    "The pin is GPIO17 on the board.",
    "Error code 404 and exit code 127.",
    "Sign in with Microsoft365 or SAML2.0.",
    "Set the token, e.g. `ab12Cd34Ef`.",
    "Use `hashcat -m 13100` for the password list rockyou2021.txt.",
    "The key looks like sk_live_a1b2c3d4e5f6...",
    "openssl enc -d -k $KEY -in x && unzip -P $PASS a.zip",
    "echo hello | gpg --passphrase-fd 0 -d x",
    "auth=('user', 'password')",
]


@pytest.mark.parametrize("text", SURE)
def test_a_mixed_value_that_a_sentence_hands_over_is_surely_a_secret(text: str):
    found = list(told_secrets(text))

    assert [told.is_sure for told in found][:1] == [True]


@pytest.mark.parametrize("text", LIKELY)
def test_a_short_code_is_told_to_a_person(text: str):
    found = list(told_secrets(text))

    assert [told.is_sure for told in found][:1] == [False]


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_speaks_of_secrets_is_clean(text: str):
    assert list(told_secrets(text)) == []


def test_the_span_is_the_value_alone():
    text = "First line.\nThe password is Zt7-wPq9Lm, says the note."
    (told,) = told_secrets(text)

    assert text[told.start : told.end] == "Zt7-wPq9Lm"


def test_names_of_code_and_products_are_word_like():
    assert is_word_like("ServiceAccount2")
    assert is_word_like("ES256")
    assert not is_word_like("Zt7-wPq9Lm")


@pytest.mark.parametrize("part", ["password ", "password Ab1", "a1", "key: "])
def test_a_long_line_costs_linear_time(part: str):
    """Four times the text costs about four times as much, in one line and in many."""

    def cost(length: int) -> float:
        line = part * (length // len(part)) + " key"
        begin = time.process_time()
        list(told_secrets(line))
        list(told_secrets("\n".join(line[i : i + 3000] for i in range(0, len(line), 3000))))
        return time.process_time() - begin

    small = min(cost(30_000) for _ in range(3))
    assert min(cost(120_000) for _ in range(2)) < 8 * small + 0.05
