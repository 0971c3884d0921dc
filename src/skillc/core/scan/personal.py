"""Personal data: detectors that redaction reads before anything is stored.

Each row has a shape and a test of its own: check digits, country lengths, reserved ranges. Where a shape alone says
too little (a passport, a plate, an address of a machine) a word before it must say what it is.
Paper: 5.1, 5.6. Not here: names of people, which no shape tells (`traces.redact_names`), home folders (the importers).
"""

import re

from skillc.core.scan.detector import EDGE, GATE_EDGE, Detector, edge_after

_MAILBOX = r"[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}"
_NOBODYS_BOX = re.compile(
    r"^(?:no-?reply|do-?not-?reply|git|user(?:name)?|you|name|me|someone|email|your[-_.]?\w*)$", re.I
)
# Names that documentation gives to nobody's company.
_NOBODYS = r"(?:example|test|domain|company|mycompany|yourcompany|corp|acme|contoso|fabrikam|target|foo|bar|evil)"
_RESERVED_DOMAIN = re.compile(
    rf"(?:^|\.)(?:example|test|invalid|localhost|local)$|(?:^|\.){_NOBODYS}\.[a-z]{{2,3}}$|^(?:your|my|some)[-_]?\w*\.",
    re.I,
)
_FILE_ENDINGS = frozenset(
    {"png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "js", "ts", "tsx", "jsx", "css", "json", "py", "md", "html"}
    | {"txt", "yml", "yaml", "toml", "lock"}
)
_CARD_PREFIX = re.compile(r"^(?:4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|3(?:0[0-5]|[68])|6(?:011|5|4[4-9]))")
_CARD_LENGTHS = {"3": (14, 15, 16), "4": (13, 16, 19), "5": (16,), "2": (16,), "6": (16, 19)}
# Lengths of an IBAN by country.
_IBAN = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15,
    "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24, "SI": 19,
    "SK": 24, "SM": 27, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip
_DATE = (
    r"(?:\d{1,2}\.? [A-Z][a-z]{2,8},? \d{4}|[A-Z][a-z]{2,8} \d{1,2},? \d{4}|\d{4}-\d\d-\d\d"
    r"|\d{1,2}[/.]\d{1,2}[/.]\d{2,4})"
)
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_ADDRESS = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_PUBLIC_NOBODYS = re.compile(
    r"^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|192\.0\.2|198\.51\.100|203\.0\.113|22[4-9]|2[3-5]\d)\."
    r"|^(?:8\.8\.(?:8\.8|4\.4)|1\.[01]\.[01]\.1|9\.9\.9\.9)$"
)
# Words are written apart, joined by `_` or in one, and a value stands in prose or behind a key.
_OF = r"[ _-]?"
_IS = r"""[ :#.\\"'=]{1,16}"""
_GATE_IS = r"""[ :#.\\"'=]{1,40}"""  # JSON doubles the escapes
_NO = rf"(?:{_OF}(?:no\.?|number|plate|id))?"
_ID_WORDS = (
    rf"passport{_NO}|MRN|medical{_OF}record{_NO}|licen[cs]e{_OF}(?:no\.?|number|plate)|driv(?:er'?s?|ing){_OF}licen[cs]e|plate|vehicle{_OF}registration"
    rf"|(?:national|tax|patient|member){_OF}id(?:entity)?{_NO}|NHS{_NO}|social{_OF}security{_NO}|SSN"
)


def _email(match: re.Match[str]) -> bool:
    box, _, domain = match["secret"].partition("@")
    return (
        _NOBODYS_BOX.match(box) is None
        and _RESERVED_DOMAIN.search(domain) is None
        and domain.rpartition(".")[2].lower() not in _FILE_ENDINGS
    )


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def _phone(match: re.Match[str]) -> bool:
    digits = _digits(match["secret"] or match["national"] or match["local"])
    return 8 <= len(digits) <= 15 and len(set(digits)) > 2 and digits not in "12345678901234567890"


def _card(match: re.Match[str]) -> bool:
    digits = _digits(match["secret"])
    fits = _CARD_PREFIX.match(digits) is not None and len(digits) in _CARD_LENGTHS.get(digits[:1], ())
    return fits and len(set(digits)) > 2 and passes_luhn(digits)


def passes_luhn(digits: str) -> bool:
    """Says whether the check digit of a card number holds."""
    doubled = [int(d) * 2 if place % 2 else int(d) for place, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def is_iban(text: str) -> bool:
    """Says whether a text without blanks is an IBAN: its country's length, and the check by 97."""
    if _IBAN.get(text[:2]) != len(text) or not text.isascii() or not text.isalnum():
        return False
    return int("".join(str(int(c, 36)) for c in text[4:] + text[:4])) % 97 == 1


def _iban(match: re.Match[str]) -> bool:
    return is_iban(match["secret"].replace(" ", ""))


def _id_number(match: re.Match[str]) -> bool:
    value = match["secret"]
    return 4 <= len(_digits(value)) <= 14 and len(set(_digits(value))) > 1


def _person_address(match: re.Match[str]) -> bool:
    return _PUBLIC_NOBODYS.match(match["secret"]) is None


PERSONAL: tuple[Detector, ...] = (
    Detector(
        "email",
        r"[A-Za-z0-9._%+-]@[A-Za-z0-9-]+\.[A-Za-z0-9]",
        edge_after(r"A-Za-z0-9._%+/@\\-")
        + rf"(?P<secret>{_MAILBOX}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{{0,61}}[A-Za-z0-9])?\.){{1,6}}[A-Za-z]{{2,24}})"
        r"(?![A-Za-z0-9@])",
        _email,
    ),
    Detector(
        "iban",
        r"[A-Z][A-Z][0-9][0-9] ?[A-Z0-9]{4} ?[A-Z0-9]{4}",
        EDGE + r"(?P<secret>[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?![A-Za-z0-9])",
        _iban,
    ),
    Detector(
        "payment_card",
        rf"{GATE_EDGE}(?:[2-6][0-9]{{3}}[ -]?[0-9]{{4}}[ -]?[0-9]{{4}}[ -]?[0-9]|3[0-9]{{3}}[ -]?[0-9]{{6}}[ -]?[0-9])",
        edge_after("A-Za-z0-9.-") + r"(?P<secret>[2-6]\d{3}([ -]?)\d{4}\2\d{4}\2\d{1,7}|3\d{3}[ -]?\d{6}[ -]?\d{4,5})"
        r"(?![A-Za-z0-9-]|\.\d)",
        _card,
    ),
    Detector(
        "ssn",
        r"[0-9]-[0-9][0-9]-[0-9]{4}",
        edge_after(r"\w.-") + r"(?P<secret>(?!000|666)\d{3}-(?!00)\d{2}-(?!0000)\d{4})(?![\w-]|\.\d)",
        None,
    ),
    Detector(
        "phone",
        r"\+[1-9][0-9]{0,2}[ .-][(]?[0-9]|\+[1-9][0-9]{7}|[0-9][).-] ?[2-9][0-9][0-9][.-][0-9]{4}"
        rf"|(?i:phone|tel|call|ring|mobile|fax|whatsapp)(?i:{_NO}){_GATE_IS}[(]?0[0-9]"
        rf"|(?i:phone|mobile|fax|whatsapp)(?i:{_NO}){_GATE_IS}[(]?[1-9][0-9]",
        edge_after(r"\w+.") + r"(?P<secret>\+[1-9]\d{0,2}[ .-](?:\(0\) ?)?\(?\d{1,9}\)?(?:[ .-]\(?\d{1,9}\)?){0,5}"
        r"|(?<=[ \"'=(,<>\t:])\+[1-9]\d{7,14}"
        r"|(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[.-])[2-9]\d{2}[.-]\d{4})(?![\w-]|\.\d)"
        rf"|(?<![A-Za-z])(?i:(?:tele)?phone|tel|call|ring|mobile|fax|whatsapp)(?i:{_NO}){_IS}"
        r"(?P<national>\(?0\d{1,4}\)?(?:[ /.-]?\d{2,8}){1,4})(?!\d)"
        rf"|(?<![A-Za-z])(?i:(?:tele)?phone|mobile|fax|whatsapp)(?i:{_NO}){_IS}"
        r"(?P<local>[1-9]\d{1,4}(?:[ /.-]?\d{2,8}){1,4})(?!\d)",
        _phone,
    ),
    Detector(
        "personal_id",
        rf"(?i:{_ID_WORDS}){_GATE_IS}[A-Z]{{0,3}}[ -]?[0-9]",
        rf"(?<![A-Za-z])(?i:{_ID_WORDS}){_IS}(?P<secret>[A-Z]{{0,3}}[ -]?\d[A-Z0-9 -]{{2,16}}[A-Z0-9])(?![A-Za-z0-9])",
        _id_number,
    ),
    Detector(
        "birth_date",
        r"(?:[Bb]orn|[Bb]irth|DOB|dob)[^\n]{0,16}[ :#.\\=\"']",
        rf"(?<![A-Za-z])(?:[Bb]orn(?: on)?|[Dd]ate{_OF}[oO]f{_OF}[bB]irth|DOB|dob|[bB]irth(?:day|{_OF}[dD]ate))"
        rf"{_IS}(?P<secret>{_DATE})",
        None,
    ),
    Detector(
        "street_address",
        r" (?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd)(?:[^a-zA-Z]|$)"
        r"|[0-9][A-Za-z]? (?:Calle|Rue|rue|Via|Avenida|Av\.|ul\.|Ulica|Rua) ",
        edge_after(r"\w.-") + r"(?P<secret>\d{1,5}[A-Za-z]? "
        r"(?:(?:Calle|Rue|rue|Via|Avenida|Av\.|ul\.|Ulica|Rua)(?: (?:de|la|del|du|des)){0,2}(?: [A-Z][\w'-]{1,30}){1,3}"
        r"|(?:[A-Z][\w'-]{1,30} ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd)\b\.?)"
        r"(?:, [A-Z][\w'-]{1,30}(?: [A-Z][\w'-]{1,30})?)?(?:,? (?:[A-Z]{2} )?\d{4,6}\b)?)",
        None,
    ),
    Detector(
        "ip_address",
        r"(?i:ip|address|addr|client|remote)[^\n0-9]{0,24}[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.",
        r"(?i:(?<![a-z])(?:ip(?: ?addr(?:ess)?)?|address|client|remote(?:[_ ]addr(?:ess)?)?))\b[^\n\d]{0,24}"
        rf"(?<![\w.-])(?P<secret>{_ADDRESS})(?![\w-]|\.\d)",
        _person_address,
    ),
    Detector(
        "signature_name",
        r"(?:egards|incerely|heers|hanks|ishes),?(?:\\n|\\r|\n|\r)(?:\\[nrt]|[\n\r\t ])*[A-Z]",
        r"(?m)^[^\S\n]{0,8}(?:(?:Best|Kind|Warm) )?(?:[Rr]egards|Sincerely|Cheers|Thanks|[Ww]ishes),?(?:\r?\n){1,2}"
        r"[ \t]{0,8}(?P<secret>[A-Z][\w'-]{1,30}(?: [A-Z][\w'.-]{0,30}){1,2})[^\S\n]{0,8}$",
        None,
        is_multiline=True,
    ),
)  # fmt: skip
