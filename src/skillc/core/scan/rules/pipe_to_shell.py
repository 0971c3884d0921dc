# ruff: noqa: E501 - a pattern is one line
"""Rule `pipe-to-shell`: something fetched from elsewhere is run by a shell or an interpreter, unseen.

The published installers of well-known tools warn only in a text that a person wrote: their authors document the same
line. In a compiled text every such line blocks, since it came out of a tool's mouth.
"""

import re

from skillc.core.scan.blocks import Block
from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

_FETCH = r"\b(?:curl|wget|fetch|aria2c|iwr|irm|invoke-webrequest|invoke-restmethod|httpie|http|lynx -source|lwp-download)\b[^\n|;]{0,300}"
_SUDO = r"(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+(?:\w+=\S*\s+)*)?(?:nohup\s+|exec\s+|command\s+)?(?:/\S*/)?"
_SHELL = rf"{_SUDO}(?:ba|z|da|k|fi|a|c|tc)?sh\b"
_RUN = rf"(?:{_SHELL}|{_SUDO}(?:python[\d.]*|perl|ruby|node|deno|bun|php|lua|osascript|pwsh|powershell)\b|iex\b|invoke-expression\b|source\b|xargs\s+[^\n|]{{0,40}}?(?:sh|bash)\b)"
# Where the authors of well-known tools publish the installer that their own documentation has people run.
_PUBLISHER = re.compile(
    r"https?://(?:sh\.rustup\.rs|astral\.sh|get\.docker\.com|bun\.(?:sh|com)|deno\.land|get\.pnpm\.io|install\.python-poetry\.org|(?:raw\.githubusercontent\.com|github\.com)/[\w.-]+/[\w.-]+/|get\.helm\.sh|get\.k3s\.io|get\.sdkman\.io|deb\.nodesource\.com|rpm\.nodesource\.com|fnm\.vercel\.app|get\.volta\.sh|mise\.(?:run|jdx\.dev)"
    r"|claude\.ai/install|cli\.anthropic\.com|ollama\.(?:com|ai)|starship\.rs|get\.pulumi\.com|fly\.io/install|tailscale\.com/install|nixos\.org/nix|install\.determinate\.systems|packagecloud\.io|foundry\.paradigm\.xyz|sdk\.cloud\.google\.com"
    r"|aka\.ms|awscli\.amazonaws\.com|get\.jetify\.com|just\.systems|ohmyposh\.dev|zed\.dev|cursor\.com|rustwasm\.github\.io|fluxcd\.io|istio\.io|linkerd\.io|run\.linkerd\.io|dl\.dagger\.io|get\.opentofu\.org|cli\.github\.com|apt\.llvm\.org|baltocdn\.com"
    r"|download\.docker\.com|packages\.\S+/gpg|get\.rke2\.io|cli\.doppler\.com|code\.visualstudio\.com|install\.duckdb\.org|supabase\.com)",
    re.I,
)


def _is_foreign(block: Block, match: re.Match[str]) -> bool:
    return _PUBLISHER.search(match.group()) is None


def _is_published(block: Block, match: re.Match[str]) -> bool:
    return not _is_foreign(block, match)


_FORMS = (
    rf"{_FETCH}\|\s*(?:(?:tee\s+\S+|gunzip|gzip -d|base64 (?:-d|--decode)|tr\s+\S+\s+\S+|sed\s+\S+|cat)\s*\|\s*)?{_RUN}",
    rf"\b(?:ba|z|da|k|fi|a|c|tc)?sh\s+(?:-\w+\s+)*[\"']?(?:<\(|\$\(|`)\s*{_FETCH}",
    rf"(?:\b(?:eval|source|exec)|(?<![^\s;&`])\.)\s+[\"']?(?:<\(|\$\(|`)\s*{_FETCH}",
    rf"\b(?:python[\d.]*|perl|ruby|node|php)\s+(?:-\w\s+)?[\"']?(?:<\(|\$\(|`)\s*{_FETCH}",
    r"\b(?:iex|invoke-expression)\b[^\n]{0,60}?(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|webclient|curl)\b[^\n]{0,160}",
    r"\bdownloadstring\([^\n]{1,200}?\)[^\n]{0,20}?\|\s*iex\b",
    r"\b(?:curl|wget)\b[^\n|]{0,360}?(?:\n\s{0,40}[^\n|]{0,120}?)?(?:&&|;)\s*(?:sudo\s+)?(?:chmod\s+(?:\+x|[0-7]{3,4}|a\+x|u\+x)\s+[^\n&;|]{1,80}(?:&&|;)\s*(?:sudo\s+)?[\w./~$][^\n]{0,80}|(?:ba|z|da)?sh\s+\S+|(?:python[\d.]*|perl|node)\s+\S+\.(?:py|pl|js))",
    r"\bbase64\s+(?:-d|-D|--decode|-di)\b[^\n|]{0,80}?\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k)?sh|python[\d.]*|perl|node)\b",
    r"\b(?:xxd -r(?: -p)?|openssl enc -d|gpg -d|rev|tr\s+'[^']*'\s+'[^']*')\b[^\n|]{0,80}?\|\s*(?:sudo\s+)?(?:bash|zsh|dash|ksh)\b",
    r"\beval\s+[\"']?(?:\$\(|`)[^\n]{0,80}?\bbase64\b[^\n]{0,40}",
    r"\b(?:exec|eval)\s*\(\s*(?:compile\s*\(\s*)?(?:requests\.get|urllib\.request\.urlopen|urlopen|httpx\.get|base64\.b64decode|codecs\.decode|bytes\.fromhex|zlib\.decompress|marshal\.loads|atob|Buffer\.from|await fetch|[\"'](?:\\x[0-9a-f]{2}){4})[^\n]{0,160}",
    r"\bnew Function\s*\(\s*(?:atob|await|Buffer)[^\n]{0,160}",
    r"\bos\.system\s*\(\s*[\"'][^\"'\n]{0,120}?\b(?:curl|wget)\b[^\"'\n]{0,120}?\|\s*(?:ba|z)?sh[^\n]{0,20}",
    r"\b(?:npx|bunx|pnpm dlx|yarn dlx|uvx|pipx run|go run|pip3? install|npm i(?:nstall)?)\b\s+(?:-(?!i\b|f\b|-index|-extra|-find|-registry|-default|-proxy|-cert)\S+\s+)*(?:--from\s+)?(?:git\+)?https?://(?!github\.com/|gitlab\.com/|files\.pythonhosted\.|registry\.)[^\s'\"`]{4,200}",
    r"\b__import__\(\s*['\"](?:os|subprocess)['\"]\s*\)\s*\.\s*(?:system|popen|run|call)\(|\bgetattr\(\s*(?:os|__builtins__|builtins)\s*,\s*[^)\n]{0,60}\+[^)\n]{0,40}\)|\beval\(\s*String\.fromCharCode\([^\n]{0,200}|\b(?:exec|eval)\(\s*bytes\([^\n]{0,200}",
    r"\$\(\s*printf\s+['\"](?:\\[0-7x]\w{1,3}){4}[^\n]{0,400}",
    r"\bmshta\s+https?://\S+|\bregsvr32\b[^\n]{0,60}?/i:https?://\S+|\bcertutil\b[^\n]{0,60}?-urlcache\b[^\n]{0,120}|\bbitsadmin\b[^\n]{0,40}?/transfer\b[^\n]{0,120}",
    r"\b(?:download|fetch|get|pull)\b[^.\n]{0,60}?\b(?:script|installer|binary|file|payload|code)\b[^.\n]{0,60}?\bhttps?://\S{4,120}?[^.\n]{0,60}?\band (?:then )?(?:run|execute|source|eval|start|launch|pipe)\b",
    r"\b(?:run|execute|eval|source)\b[^.\n]{0,30}?\b(?:whatever|anything|everything|the (?:script|code|commands?|response|output))\b[^.\n]{0,40}?\b(?:from|at|returned by|served by|behind|found at|it returns)\b[^.\n]{0,30}?https?://\S{4,120}",
)  # fmt: skip
_PHRASES = (
    *(phrase(form, accept=_is_foreign) for form in _FORMS),
    *(phrase(form, Severity.WARN, accept=_is_published) for form in _FORMS[:4]),
)

RULE = ScanRule(
    id="pipe-to-shell",
    family="unsafe procedure",
    title="Fetched text is run",
    severity=Severity.BLOCK,
    meaning="The text has a program from the network, or an encoded one, run unseen: whoever answers decides what happens.",
    fix="Name the package or file and how to check it, and run it in a step of its own.",
    references=(
        "CWE-494: Download of Code Without Integrity Check",
        "MITRE ATT&CK T1059: Command and Scripting Interpreter",
    ),
    find=finder(_PHRASES),
    find_in_artifact=finder(tuple(phrase(form) for form in _FORMS), any_polarity=True),
)
