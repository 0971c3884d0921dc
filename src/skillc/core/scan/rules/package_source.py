# ruff: noqa: E501 - a pattern is one line
"""Rule `package-source`: packages come from an index or a place that the text names, instead of the usual one."""

import re

from skillc.core.scan.blocks import Block
from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule
from skillc.core.words import names

# Where packages usually come from: the first part of the host's own name.
_USUAL = names(
    "pypi pythonhosted npmjs yarnpkg rubygems crates golang maven apache pytorch nvidia anaconda"
    " jsr pyg googleapis npmmirror tsinghua aliyun docker debian ubuntu fedoraproject"
)
_KNOWN = re.compile(
    rf"https?://(?:[\w-]+\.)*(?:{'|'.join(sorted(_USUAL))})\.(?:org|com|io|dev|net|cn|edu\.cn)(?=[/\s:\"'`]|$)|https?://(?:[\w-]+\.)*pkg\.(?:github|dev)\b|https?://(?:apt|packages|repo|rpm|deb)\.[\w-]+\.\w+|https?://(?:localhost|127\.0\.0\.1)\b|example\.|[\w.-]*\.example|[<$]\{{?[A-Za-z_]",
    re.I,
)


def _is_unknown(block: Block, match: re.Match[str]) -> bool:
    return _KNOWN.search(match.group()) is None


_URL = r"[\"']?(?:https?|git|file|ftp)(?:\+\w+)?://[^\s\"'`]{3,200}"
_PHRASES = (
    phrase(rf"\bpip[\d.]*\b[^\n]{{0,160}}?(?:(?:--|global\.|install\.)(?:extra-)?index-url|-i|--find-links|-f)[= ]+{_URL}", accept=_is_unknown),
    phrase(rf"\b(?:uv|poetry|pdm|pipenv|conda|mamba)\b[^\n]{{0,160}}?(?:--extra-index-url|--index-url|--index|--default-index|--source|--find-links|source add \S+|-c)[= ]+{_URL}", accept=_is_unknown),
    phrase(rf"\b(?:PIP_(?:EXTRA_)?INDEX_URL|UV_(?:EXTRA_|DEFAULT_)?INDEX(?:_URL)?|NPM_CONFIG_REGISTRY|npm_config_registry|YARN_REGISTRY|GOPROXY|CARGO_REGISTRIES_\w+|BUNDLE_MIRROR\w*)\b[\"']?\s*[=:]\s*{_URL}", accept=_is_unknown),
    phrase(r"\bGO(?:NOSUMCHECK|NOSUMDB|FLAGS=-insecure|INSECURE|NOSUMDB)\b\s*=\s*\S+|\bGOSUMDB\s*=\s*[\"']?off\b|\bGOFLAGS\s*=\s*\S*-insecure"),
    phrase(rf"\b(?:npm|yarn|pnpm|bun)\b[^\n]{{0,120}}?(?:--registry|config set (?:\S+:)?registry|set registry)[= ]+{_URL}", accept=_is_unknown),
    phrase(rf"(?m)^[ \t]*(?:@[\w-]+:)?registry\s*=\s*{_URL}|^[ \t]*(?:extra-)?index-url\s*=\s*{_URL}", accept=_is_unknown),
    phrase(rf"\b(?:gem (?:install|sources)|bundle config)\b[^\n]{{0,120}}?(?:--source|-s|--clear-sources|--add|-a|mirror\.\S+)[= ]+{_URL}", accept=_is_unknown),
    phrase(rf"\bcargo\b[^\n]{{0,120}}?(?:--index|--registry|--git)[= ]+{_URL}", accept=lambda b, m: _is_unknown(b, m) and "github.com" not in m.group()),
    phrase(rf"\b(?:mvn|gradle)\b[^\n]{{0,120}}?(?:-DremoteRepositories|-Drepo\.url|--repository)[= ]+{_URL}", accept=_is_unknown),
    phrase(r"\bpip[\d.]*\b[^\n]{0,160}?--trusted-host[= ]+(?!localhost|127\.|(?:[\w-]+\.)*(?:pypi|python|pythonhosted)\.org\b)\S+"),
    phrase(r"\b(?:apt-get|apt|yum|dnf|apk|zypper|pacman)\b[^\n]{0,120}?(?:--allow-unauthenticated|--force-yes|--nogpgcheck|--no-gpg-checks|--allow-untrusted|--allow-insecure-repositories|\[trusted=yes\])"),
    phrase(r"\bdeb \[[^\]\n]{0,80}?trusted=yes[^\]\n]{0,40}\] \S+"),
    phrase(r"\b(?:npm|yarn|pnpm|pip[\d.]*)\b[^\n]{0,120}?(?:strict-ssl[= ]+false|--no-verify-ssl|--unsafe-perm[= ]+true)"),
    phrase(r"\bdocker\b[^\n]{0,120}?--insecure-registry[= ]+\S+|\bhelm\b[^\n]{0,120}?--insecure-skip-tls-verify\b"),
    phrase(rf"\b(?:use|add|set|switch|point|change|configure)\b[^.\n]{{0,60}}?\b(?:package )?(?:index|registry|mirror|repository|source)\b[^.\n]{{0,40}}?\b(?:to|at|from|is|=)? {_URL}", Severity.WARN, accept=_is_unknown),
    phrase(r"\bDOCKER_CONTENT_TRUST\s*=\s*0\b", Severity.WARN),
)  # fmt: skip

RULE = ScanRule(
    id="package-source",
    family="unsafe procedure",
    title="Packages from another source",
    severity=Severity.BLOCK,
    meaning="The text has packages installed from an index that it names, or without checking who signed them.",
    fix="Install from the usual index. If an index of your own is needed, name it in the project's configuration.",
    references=(
        "CWE-829: Inclusion of Functionality from Untrusted Control Sphere",
        "MITRE ATT&CK T1195: Supply Chain Compromise",
    ),
    find=finder(_PHRASES),
)
