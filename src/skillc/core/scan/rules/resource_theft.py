# ruff: noqa: E501 - a pattern is one line
"""Rule `resource-theft`: a text spends the user's machine or network on somebody else: miners, floods, bombs."""

from skillc.core.scan.blocks import BlockKind
from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

_PHRASES = (
    phrase(r"\bstratum(?:\+(?:tcp|ssl|tls))?://\S+|\b(?:xmrig|minerd|cpuminer|cgminer|nbminer|ethminer|phoenixminer|t-rex|xmr-stak|lolminer|coinhive)\b[\"'`]?\s+(?:-\w|--\w)[^\n]{0,120}"),
    phrase(r"\b(?:mine|mining|miner)\b[^.\n]{0,40}?\b(?:monero|xmr|bitcoin|ethereum|crypto\w*|coins?)\b[^.\n]{0,60}?\b(?:background|idle|pool|wallet|while)\b"),
    phrase(r"\bfor \w+ in range\(\s*\d[\d_]{2,}\s*\):[\s\S]{0,120}?\b(?:requests\.\w+|httpx\.\w+|urlopen|fetch|socket)\b|\bwhile (?:true|1|True)\b[\s\S]{0,80}?\b(?:requests\.\w+\(|curl |wget |fetch\()[^\n]{0,80}?https?://(?!localhost|127\.)"),
    phrase(r"\bfor \w+ in (?:\{1\.\.\d{3,}\}|\$\(seq (?:1 )?\d{3,}\))[\s\S]{0,80}?\b(?:curl|wget|nc)\b|\bseq (?:1 )?\d{4,}\b[^\n]{0,60}?\b(?:curl|wget)\b|\b(?:ab|wrk|hey|siege|slowloris|hping3|goldeneye)\b\s+-[^\n]{0,80}?https?://(?!localhost|127\.|0\.0\.0\.0|\[?<|\$|(?:\w+\.)*example|staging)[^\n]{0,120}", Severity.WARN),
    phrase(r"(?<!\w)(\w*|:)\(\)\s*\{\s*(?:\1)?\s*:?\s*\|\s*:?(?:\1)?\s*&\s*\}\s*;?\s*:?", kinds=(BlockKind.CODE, BlockKind.PROSE, BlockKind.ITEM)),
)  # fmt: skip

RULE = ScanRule(
    id="resource-theft",
    family="unsafe procedure",
    title="The machine works for somebody else",
    severity=Severity.BLOCK,
    meaning="The text starts a miner, floods an address or exhausts the machine.",
    fix="Delete it. A load test names the user's own address and a limit.",
    references=("MITRE ATT&CK T1496: Resource Hijacking", "MITRE ATT&CK T1499: Endpoint Denial of Service"),
    find=finder(_PHRASES),
)
