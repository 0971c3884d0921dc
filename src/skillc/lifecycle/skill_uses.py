"""Which Traces used a Skill: by the host's Skill tool, or by looking into the Skill's folder.

Acts count and words do not: that an agent says that it used a Skill is no use. Paper: 5.4, 5.5.
Not here: what a use is worth (nothing counts trials yet), who is retired for having none (lifecycle.maintain).
"""

import json
import re

from skillc.core.trace.codec import Trace
from skillc.core.trace.records import EventKind

_CALLS = (EventKind.TOOL_CALL, EventKind.SKILL_USE)


def is_used(trace: Trace, skill: str) -> bool:
    """Says whether an attempt used the Skill of this name; a plugin may stand before it, as in `shop:refund-order`."""
    named = re.compile(rf'"(?:[\w.-]+:)?/?{re.escape(skill)}"')
    folder = re.compile(rf"skills[/\\]+{re.escape(skill)}(?![\w.-])")
    for event in trace.events:
        if event.kind not in _CALLS:
            continue
        told = json.dumps(event.arguments or {}, ensure_ascii=False)
        if event.kind is EventKind.SKILL_USE and (named.search(told) or (event.text or "").strip() == skill):
            return True
        if folder.search(told):
            return True
    return False
