"""Rule `credential`."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.rules.credentials import RULE
from skillc.core.scan.scanner import scan_text
from tests.core.scan.checking import check_clean, check_found
from tests.core.scan.test_detectors import MIX, SAMPLES


def test_every_format_is_found():
    for sample in SAMPLES.values():
        check_found(RULE, f"Call it with {sample} first")


def test_a_key_in_a_url_is_found():
    check_found(RULE, f"GET https://api.example.com/v1?api_key={MIX[:24]}&x=1")


def test_placeholders_and_code_are_clean():
    check_clean(RULE, "GET https://api.example.com/v1?key=<api_key>")
    check_clean(RULE, "token = os.getenv('TOKEN')")
    check_clean(RULE, "export API_KEY=...")
    check_clean(RULE, "Set the password in the settings.")
    check_clean(RULE, "Tokens: about 5000 per request")


def test_a_value_that_only_its_name_gives_away_warns_when_short():
    (short,) = scan_text('password: "opensesame"', path="x")
    (long,) = scan_text(f'api_key: "{MIX[:30]}"', path="x")

    assert short.severity is Severity.WARN
    assert long.severity is Severity.BLOCK
