# ruff: noqa: E501 - a pattern is one line
"""Personal data as people write it in many countries: telephone, national id, address, birth, place, machine.

Scans of written text read this beside core.scan.personal, which redaction shares and which holds only what a shape
proves. Here a word of some language may say what a number is, so that more is found and a person decides.
Paper: 5.3, Scanners; 5.6. Not here: names of persons (core.scan.persons).
"""

import re
from collections.abc import Iterator
from itertools import chain
from operator import attrgetter

from skillc.core.scan.detector import Shape
from skillc.core.scan.detectors import gate_for, passing_lines
from skillc.core.scan.linear import may_match
from skillc.core.scan.secret_values import is_made_up
from skillc.core.scan.shapes import numbered_lines, pieces_of_lines, standing_in

_UP = "A-Z\u00c0-\u00de\u0141\u015a\u017b\u0179\u0106\u010c\u0160\u017d\u0158\u0150\u0170\u0130\u011e"
_LOW = "a-z\u00df-\u00ff\u0105\u0107\u0119\u0142\u0144\u015b\u017a\u017c\u010d\u0161\u017e\u011b\u0159\u016f\u0151\u0171\u0131\u011f\u015f'\u2019"
_CAP = rf"[{_UP}][{_LOW}-]{{1,30}}"
_WORDS = rf"{_CAP}(?:[ -](?:{_CAP}|de|la|del|du|des|da|do|dos|van|von|der|den|di|am|an|upon|le|les|the)){{0,4}}"


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def _is_phone(match: re.Match[str]) -> bool:
    digits = _digits(match["value"])
    return (7 <= len(digits) <= 15 and len(set(digits)) > 2 and not digits.startswith(("19", "20"))) or (
        len(digits) in (10, 11) and len(set(digits)) > 3
    )


def _is_number(match: re.Match[str]) -> bool:
    digits = _digits(match["value"])
    return len(digits) >= 3 and len(set(match["value"])) > 3 and not is_made_up(match["value"])


def _is_public_address(match: re.Match[str]) -> bool:
    value = match["value"]
    if ":" in value:
        return not value.lower().startswith(("fe80", "fc", "fd", "2001:db8", "::", "ff"))
    octets = value.split(".")
    private = value.startswith(
        (
            "10.",
            "127.",
            "0.",
            "255.",
            "192.168.",
            "169.254.",
            "192.0.2.",
            "198.51.100.",
            "203.0.113.",
            "1.1.1.",
            "8.8.",
            "9.9.9.",
            "1.0.0.",
            "1.2.3.",
        )
    )
    return (
        all(int(o) < 256 for o in octets)
        and not private
        and not re.match(r"172\.(?:1[6-9]|2\d|3[01])\.", value)
        and int(octets[0]) < 224
    )


_CALLS = r"(?:tele(?:ph|f)(?:on|one|oon|ono)?|phone|tel|call(?:ing|s)?|ring|mob(?:ile|il)?|cell(?:ulare|ular|phone)?|fax|whats ?app|text|sms|dial|reach(?:able)?|hotline|viber|signal|telegram|handy|m\u00f3vil|celular|cel|fone|t\u00e9l|portable|port|gsm|tlf|tfn|puh|kom\u00f3rka|number|nummer|numer|num\u00e9ro|n\u00famero|numero|ruf\w*|anruf\w*|r\u00e9pond|appel\w*|joindre|llam\w+|atiende|atend\w+|lig(?:ue|ar)|chiam\w+|bel(?:len)?|dzwo\u0144|zadzwo\u0144|ring|ext|contact|whatsapp|\u643a\u5e2f|\u96fb\u8a71|\u7535\u8bdd|\u624b\u673a|\uc804\ud654|\u0442\u0435\u043b)"
# The written forms of countries: each is long and broken up in a way of its own.
_NATIONAL = (
    r"0[1-9](?:[ .-]\d\d){4}"  # France
    r"|0\d{4} \d{3} ?\d{3}|0\d{3} \d{3} \d{4}|0\d{2} \d{4} \d{4}|07\d{9}"  # United Kingdom, Ireland, New Zealand
    r"|0\d{1,4}-\d{2,4}-\d{3,4}"  # Japan, Korea, Taiwan
    r"|\(\d{2}\) ?9?\d{4}-\d{4}|\d{2} 9\d{4}-\d{4}"  # Brazil
    r"|0\d{2,4} ?[/-] ?\d{2,4}(?: ?\d{2,4}){1,3}|0\d{2,4} \d{5,8}|01[5-7]\d[ /-]?\d{3,4} ?\d{3,5}"  # Germany, Austria
    r"|0[2-478]\d{2} \d{3} \d{3}|\(0\d\) \d{4} \d{4}"  # Australia
    r"|0\d{2} \d{3} \d{2} \d{2}|0\d{2}[ -]\d{3} \d{4}|0\d-\d{3} ?\d{2} ?\d{2}|07\d-\d{3} \d{2} \d{2}|06[ -]\d{8}|06(?:[ -]?\d\d){4}"  # Switzerland, South Africa, Sweden, Netherlands
    r"|[6-9]\d{4}[ -]\d{5}|05\d-\d{3}-?\d{4}|05\d{2} \d{3} \d{2} \d{2}|8 ?\(9\d{2}\) ?\d{3}-\d{2}-\d{2}|1[3-9]\d[ -]\d{4}[ -]\d{4}|3\d{2} \d{3} \d{4}|[679]\d{2} \d{3} \d{3}|[679]\d{2}(?: \d\d){3}"  # India, Israel, Turkey, Russia, China, Italy, Spain
    r"|\(?[2-9]\d{2}\)?[ .-][2-9]\d{2}[ .-]\d{4}"  # North America
)
_ID_LABELS = (
    r"CPF|CNPJ|RG|CNH|DNI|NIE|NIF|NSS|CURP|RFC|RUT|RUN|CUIT|CUIL|c\u00e9dula|cedula|DUI|INSEE|NIR|s\u00e9curit\u00e9 sociale|securite sociale|num\u00e9ro fiscal|personnummer|samordningsnummer|f\u00f8dselsnummer|fodselsnummer|CPR(?:[- ]?n(?:umme)?r)?|henkil\u00f6tunnus|HETU|kennitala|BSN|burgerservicenummer|rijksregisternummer|PESEL|NIP|dow\u00f3d(?: osobisty)?|rodn\u00e9 \u010d\u00edslo|CNP|EGN|OIB|JMBG|EMSO|EM\u0160O|AMKA|AFM|codice fiscale|CF|steuer[- ]?(?:id(?:nr)?|identifikationsnummer|nummer)|idnr|sozialversicherungsnummer|SVNR|SV-Nummer|rentenversicherungsnummer|personalausweis(?:nummer)?|ausweisnummer|AHV(?:-?n(?:umme)?r)?|AVS|NINO?|national insurance|NI (?:number|no)|NHS|UTR|PPS(?:N)?|aadha?ar|PAN|voter id|SIN|social insurance|TFN|medicare|IRD|NRIC|FIN|HKID|my ?number|\u30de\u30a4\u30ca\u30f3\u30d0\u30fc|\u8eab\u4efd\u8bc1|RRN|\uc8fc\ubbfc\ub4f1\ub85d\ubc88\ud638|T\.?C\.? ?kimlik|TCKN|teudat zehut|\u0421\u041d\u0418\u041b\u0421|\u0418\u041d\u041d|SNILS|INN|social(?: security)?|SSN|ITIN|tax(?:payer)? ?id|national id|identity (?:card|number)|id card|citizen id|resident (?:id|permit)|residence permit|green card|alien number|visa (?:no\.?|number)|passport|reisepass(?:nummer)?|passnummer|passeport|pasaporte|passaporto|paspoort\w*|pass nr|driv(?:er'?s?|ing) licen[cs]e|licen[cs]e (?:no\.?|number)|f\u00fchrerschein\w*|permis(?: de conduire)?|patente|carnet|rijbewijs\w*"
    r"|MRN|medical record|patient|chart|case file|hospital|krankenversicherung\w*|versichertennummer|health (?:insurance|card)|insurance|policy ?holder|member(?:ship)?|EHIC|payroll|staff|employee|personnel|personalnummer|student|matrikel\w*|enrol?lment|badge|loyalty|frequent flyer|tax file|IMEI|IMSI|VIN|chassis|ICCID|MAC address|sort code|account|routing|konto(?:nummer)?|BLZ|CLABE|BSB|IFSC"
)
_ID_TAIL = r"(?:[ -]?(?:no|nr|num(?:ber|mer|ero|\u00e9ro)?|n[\u00ba\u00b0o]|id|card|code|reference|ref)\b\.?){0,2}(?: (?:do|del|da|de|du|der|des|of|for|von|van|af|for) (?:the |la |le )?[^\W\d_]+(?: [^\W\d_]+)?)?(?: ?(?:is|was|reads|lautet|est|es|\u00e9|\u00e8|=|:|#))?[ :#'\"`*(]{1,4}"
_ID_LABEL = re.compile(rf"(?<![\w-])(?i:{_ID_LABELS})(?:{_ID_TAIL})(?:[A-Z]{{1,3}}[ -])?$")
_HOME = r"(?:home|house|lives?|living|parks?|flat|apartment|garden|door|cottage|residence|bedroom|(?<![a-z])(?:his|her|their|my)(?![a-z])|address|pick(?:s|ed)? (?:him|her|them) up|drops? off|wohn\w*|domicile|casa)"
_STREET_END = r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl|Terrace|Ter|Crescent|Cres|Close|Gardens|Gdns|Square|Sq|Row|Hill|Walk|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Trail|Mews|Grove|Quay|Wharf|Park|View|Rise|Green|Path|Alley|Loop|Run|Pike|Point|Ridge|Heights|Plaza|Nagar|Marg)"
_STREET_JOINED = r"(?:stra\u00dfe|strasse|str\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee|winkel|steig|pfad|laan|straat|plein|gracht|kade|dijk|singel|gatan|v\u00e4gen|v\u00e4g|gr\u00e4nd|torg|vej|gade|all\u00e9|stien|veien|gata|vei|katu|tie|polku|utca|\u00fat|t\u00e9r)"
_STREET_FIRST = r"(?:Calle|C/|Carrer|Avenida|Avda\.?|Av\.|Paseo|P\u00ba|Plaza|Pza\.?|Camino|Rua|R\.|Travessa|Pra\u00e7a|Largo|Alameda|Via|Viale|Piazza|Corso|Vicolo|Strada|ul\.|Ulica|ulica|al\.|Aleja|pl\.|os\.|Str\.|Strada|Bulevardul|Rue|Jalan|Jl\.|Lorong|Sokak|Caddesi|\u0443\u043b\.)"
_UNIT = r"(?:, ?(?:Apt|Apartment|Flat|Unit|Suite|Ste|No|Room|Rm|Floor|Fl|Block|Blk|Bldg|#)\.? ?#?[\w-]{1,6})?"
_CITY = rf"{_CAP}(?:[ -](?:{_CAP}|de|la|am|an|der|on|upon|in)){{0,3}}"
_POST = r"(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|(?:[A-Z]{2,3} )?\d{4,6}(?:-\d{3,4})?|\d{3} \d{2}|\d{2}-\d{3})"

_OF_PERSON = re.compile(
    r"(?:\b(?:[Hh]is|[Hh]er|[Tt]heir|[Mm]y|[Hh]ome|[Rr]esidential|[Ss]tatic|[Uu]ser|[Cc]ustomer|[Vv]isitor|[Ss]uspect|[Cc]aller|[Tt]enant|[Ee]mployee|[A-Z][a-z]{2,20}['\u2019]s)\b[^.\n\d]{0,40}?\b(?:IP|ip|[Aa]ddress|[Rr]outer|[Ll]aptop|[Mm]achine|[Cc]onnection|[Ll]ine|PC|[Pp]hone)\b[^\n\d]{0,24}?)$"
)
_NUMBERED: tuple[Shape, ...] = (  # none of them matches without a digit
    Shape("phone", re.compile(rf"(?<![\w.+/-])(?<!\d )(?!00)(?P<value>{_NATIONAL})(?![\w-]|\.\d| \d)"), lambda m: _is_phone(m) and (m["value"][0] in "0(" or _says(m, _CALLS)) and not _says(m, _NOT_PHONE)),
    Shape("phone", re.compile(r"(?<![\w.+/-])(?P<value>\+[1-9]\d{0,2}(?:[ .()/-]{1,2}\d{1,5}){2,6})(?![\w-]|\.\d)"), _is_phone),
    Shape("phone", re.compile(rf"(?i)(?<![a-z]){_CALLS}(?![a-z])[^\n\d]{{1,28}}(?P<value>\(?[1-9]\d{{1,4}}\)?(?:[ .-]\d{{2,4}}){{2,4}})(?![\w-]|\.\d)"), lambda m: 8 <= len(_digits(m["value"])) <= 12 and _is_phone(m) and not re.fullmatch(r"(?:19|20)\d\d-\d\d-\d\d", m["value"])),
    Shape("personal_id", re.compile(r"(?<![\w.-])(?=[A-Z\da-f-])(?P<value>[A-Z]{0,3}-?\d(?:[ .\-/+]?[A-Z\d]){4,20}|[A-Z]{1,16}\d(?:-?[A-Z\d]){2,16}|[a-fA-F\d]{2}(?::[a-fA-F\d]{2}){5})(?![\w-])"), lambda m: len(_digits(m["value"])) >= 3 and _is_labelled(m) and _is_number(m)),
    Shape("personal_id", re.compile(r"(?<![\w.-])(?P<value>\d{3}\.\d{3}\.\d{3}-\d{2}|\d{2}\.\d{3}\.\d{3}-[\dkK]|756\.\d{4}\.\d{4}\.\d{2}|[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]|[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d|[12] \d{2} \d{2} \d{2} \d{3} \d{3}(?: \d{2})?|[1-478]\d{2}(?:0[1-9]|1[0-2])[0-3]\d[-+A]\d{3}[0-9A-FHJ-NPR-Y])(?![\w-]|\.\d)"), _is_number),
    Shape("personal_id", re.compile(r"(?<![\w.-])(?P<value>[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D])(?![\w-])"), lambda m: " " in m["value"] or _says(m, r"insurance|NINO?\b")),
    Shape("personal_id", re.compile(r"(?i:social|SSN)[^\n\d]{1,20}(?P<value>\d{3}-\d{2}-\d{4})(?![\w-])"), _is_number),
    Shape("birth_date", re.compile(r"(?i)(?<![a-z])(?:born|birth(?:day|date)?|DOB|d\.o\.b\.|geb(?:\.|oren)|geburtsdatum|geburtstag|n\u00e9e?|naissance|nacid[oa]|nacimiento|nascid[oa]|nascimento|nat[oa]|nascita|geboren|geboortedatum|f\u00f6dd|f\u00f8dt|urodzon[ya]|\u0440\u043e\u0434\.|turn(?:s|ed) \d{2}|\u751f\u5e74\u6708\u65e5|\u51fa\u751f)[^\n\d]{1,20}(?P<value>\d{1,2}[./ -]\d{1,2}[./ -](?:19|20)?\d{2}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}(?:st|nd|rd|th|er|\.)?(?: de)? [^\W\d_]{3,10}\.?(?: de)?,? (?:19|20)\d{2}|(?:19|20)\d{2}\u5e74)"), lambda m: True),
    Shape("birth_date", re.compile(r"(?i)(?<![a-z])(?:born(?: on)?|birthday(?: is)?|date of birth|DOB)[ :]{1,3}(?P<value>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d{2})")),
    Shape("address", re.compile(rf"(?<![\w.-])(?P<value>\d{{1,5}}[A-Za-z]?(?:[-/]\d{{1,4}})?,? (?:[NSEW]\.? )?(?:{_CAP} ){{1,3}}{_STREET_END}\b\.?{_UNIT}(?:, ?{_CITY})?(?:,? (?:[A-Z]{{2}} )?{_POST})?)"), lambda m: _ends_like_address(m)),
    Shape("address", re.compile(rf"(?<![\w.-])(?P<value>(?:{_CAP}[ -]){{0,3}}{_CAP} \d{{1,4}}[a-zA-Z]?(?:[-/ ][\w]{{1,4}})?, ?(?:[A-Z]{{1,2}}-)?(?:\d{{4,5}}(?: ?[A-Z]{{2}})?|\d{{3}} \d{{2}}|\d{{2}}-\d{{3}}) {_CAP})"), lambda m: True),
    Shape("address", re.compile(rf"(?<![\w.-])(?P<value>(?:[{_UP}][{_LOW}-]{{1,30}}[ -]){{0,2}}[{_UP}][{_LOW}-]{{0,30}}{_STREET_JOINED} \d{{1,4}}[a-zA-Z]?(?:[-/][\w]{{1,4}})?)(?![\w.%:]\w)")),
    Shape("address", re.compile(rf"(?<![\w.-])(?P<value>{_STREET_FIRST} (?:(?:de|da|do|dos|das|del|della|dei|la|las|los|San|Santa) )*{_WORDS},? ?(?:n\.?[\u00ba\u00b0o]?\.? ?|n\u00famero )?\d{{1,5}}[a-zA-Z]?)(?![\w%:])")),
    Shape("address", re.compile(rf"(?<![\w.-])(?P<value>\d{{1,4}}(?: ?(?:bis|ter))?,? (?:rue|avenue|boulevard|bd|place|all\u00e9e|impasse|chemin|quai|cours|route|passage|square)(?: (?:de|la|du|des|le|les|l['\u2019]|d['\u2019]|de l['\u2019]))* ?[^\W\d_][\w'\u2019-]{{1,30}}(?: {_CAP}){{0,3}}(?:, ?\d{{5}} {_CAP})?)"), lambda m: any(c.isupper() for c in m["value"])),
    Shape("address", re.compile(rf"(?<![\w.-])(?P<value>\d{{1,5}}[A-Za-z]?,? (?:{_CAP} ?){{1,4}}, ?(?:{_CITY}, ?){{0,2}}{_CITY},? {_POST})(?![\w-])"), lambda m: not re.search(r"[^A-Z] (?:19|20)\d\d$", m["value"])),
    Shape("address", re.compile(rf"(?<![\w.-])(?P<value>(?:PO|P\.O\.|Post(?:al)?) ?Box \d{{2,6}},? {_CITY})")),
    Shape("address", re.compile(r"(?P<value>\u3012 ?\d{3}-\d{4}[^\n]{0,40}|[\u4e00-\u9fff]{2,12}(?:\u8def|\u8857|\u5df7|\u9053)\d{1,5}\u53f7|[\u4e00-\u9fff]{2,12}\d{1,3}(?:\u4e01\u76ee|-\d{1,3}-\d{1,3}))")),
    Shape("address", re.compile(rf"(?i:(?<![a-z])(?:address|anschrift|adresse?|lieferadresse|bezorgadres|adres|direcci\u00f3n|domicilio|endere\u00e7o|indirizzo|adress|osoite|domicile|lives at|resid(?:es|ing|ent) (?:at|in)|wohnhaft|wohnt|habite|vive en|mora na|abita))[ :]{{1,3}}(?:(?i:in|at|au|en|na|to|is) )?(?P<value>[^\n,.;:]{{3,40}}\d{{1,5}}[a-z]?(?:-\w{{1,4}})?, ?[^\n;:]{{0,12}}{_CAP}|\d{{1,5}}[a-z]? {_WORDS}, ?{_CAP})")),
    Shape("geo", re.compile(r"(?<![\w.])(?P<value>[-+]?\d{1,2}\.\d{3,}\u00b0?(?: ?[NS])?[,; ]{1,2} ?[-+]?\d{1,3}\.\d{3,})"), lambda m: _says(m, _HOME)),
    Shape("ip", re.compile(r"(?i:(?:connects?|connected|logs? ?(?:in|on)|logged ?(?:in|on)|comes? in|came in|signs? in|signed in|works?|dials? in|visits?|browses?|plays?|vpns?|accesse[sd]|arrives?|requests?|session|seen|traced) (?:\w+ ){0,3}?(?:from|at|via|to)(?: ip)?(?: address)?) (?P<value>\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){3,7})(?![\w.:]\w)"), _is_public_address),
    Shape("ip", re.compile(r"(?<![\d.:\w])(?P<value>\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){3,7})(?![\w.:]\w)"), lambda m: _is_public_address(m) and _OF_PERSON.search(m.string[max(0, m.start() - 90) : m.start()]) is not None),
    Shape("plate", re.compile(r"(?i:(?<![a-z])(?:plates?|number ?plate|registration|registered|reg(?:\.|istration)? (?:no\.?|number)|kennzeichen|plaque|immatricul\w+|matr\u00edcula|targa|placa|kenteken|tablica|rejestrac\w+))(?i:(?: (?:no\.?|nr\.?|number|is|of|reads|as|the)){0,2})[: ]{1,2}(?P<value>(?=[A-Z\u00c0-\u00dc\d -]{0,9}\d)[A-Z\u00c0-\u00dc\d]{1,4}[ \u00b7-]?[A-Z\d]{1,4}(?:[ -]?[A-Z\d]{1,4})?)(?![\w-])"), lambda m: len(m["value"]) >= 5 and any(c.isalpha() for c in m["value"])),
    Shape("plate", re.compile(r"(?<![\w-])(?P<value>[A-Z]{2}\d{2} ?[A-Z]{3}|[A-Z]{1,3}-[A-Z]{1,2} ?\d{1,4}|[A-Z]{2}-\d{3}-[A-Z]{2}|\d{4} [B-DF-HJ-NP-TV-Z]{3}|[A-Z]{3} \d{3,4}|[A-Z]{2,3} \d{3,5}[A-Z]{0,2})(?![\w-])"), lambda m: _says(m, r"(?:car|van|truck|lorry|taxi|vehicle|motorbike|scooter|ford|vw|volkswagen|bmw|audi|toyota|honda|skoda|renault|peugeot|fiat|volvo|tesla|trailer)")),
    Shape("card", re.compile(r"(?i:\b(?:cvv2?|cvc2?|security code|card verification)\b)(?: (?:code|number|is|of))*[ :]{1,2}(?P<value>\d{3,4})(?!\w)"), lambda m: m["value"] not in ("123", "000", "1234", "999", "111")),
)  # fmt: skip
_PROFILE = Shape(
    "profile",
    re.compile(
        r"(?P<value>linkedin\.com/in/[\w%-]*-[\w%-]+|(?:facebook|instagram|twitter|x)\.com/(?!(?:home|login|share|intent|search|explore|hashtag|i|your\w*|user\w*|company|p|reel)\b)[a-z]+[._][\w.]+)(?![\w/])"
    ),
)
SHAPES = (*_NUMBERED, _PROFILE)
_NOT_PHONE = r"(?:issn|isbn|doi|version|ean|sku|order|invoice|ticket|case|ref(?:erence)?|chapter|section|port|page|date|build|id|serial|part|room|\$|\u20ac|\u00a3|#)"
_SAYS_CHARS = 48


_LABEL_CHARS = 72


def _is_labelled(match: re.Match[str]) -> bool:
    """Says whether the words right before a number say that it is an id of a person, in one of many languages."""
    before = match.string[max(0, match.start("value") - _LABEL_CHARS) : match.start("value")]
    return may_match(_ID_LABEL.pattern, before) and _ID_LABEL.search(before) is not None


def _says(match: re.Match[str], words: str) -> bool:
    """Says whether one of the words stands in the same line before a match."""
    before = match.string[max(0, match.start("value") - _SAYS_CHARS) : match.start("value")]
    return re.search(rf"(?i)(?<![a-z]){words}(?![a-z])", before) is not None


def _ends_like_address(match: re.Match[str]) -> bool:
    """An address of one street needs its town, a post code, or a word of sending or living before it."""
    value = match["value"]
    return (
        "," in value
        or re.search(r"\d{4,}\s*$|\d[A-Z]{2}$", value) is not None
        or _says(
            match,
            r"(?:deliver\w*|ship\w*|lives?|send|post|visit|address\w*|resid\w+|mail|pick up|home|meet|at|to|office|house|moved)",
        )
    )


def personal_numbers(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields (start, end, kind) of the personal data that a text's lines hold, in the order of the table."""
    numbered = sorted(standing_in(pieces_of_lines(numbered_lines(text)), _NUMBERED), key=attrgetter("rank"))
    profiles = standing_in(pieces_of_lines(passing_lines(gate_for(_PROFILE.pattern), text)), (_PROFILE,))
    for standing in chain(numbered, profiles):
        if standing.shape.accept(standing.match):
            yield *standing.span, standing.shape.name
