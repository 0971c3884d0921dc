"""Rule `home-path`: a text names a folder of one person's machine."""

import re
from collections.abc import Iterator

from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.views import View
from skillc.core.words import names

_PATH = re.compile(r"(?<![\w.~/-])(?:/home/|/Users/|[A-Za-z]:\\{1,2}Users\\{1,2})([\w.-]{1,64})")
# Accounts of images and examples, and names that stand for any name.

_ANYBODY = names(
    "user users username name you your me yourname youruser your-name your_name shared public default "
    "someone somebody runner ubuntu vscode node app coder codespace jovyan dev developer admin root git "
    "circleci vagrant ec2-user user1 alice bob jane john jdoe johndoe foo bar test example xxx"
)


def find(view: View) -> Iterator[Hit]:
    """Yields home folders whose user is a name of somebody, not a placeholder."""
    if "/home/" not in view.text and "Users" not in view.text:
        return
    for match in _PATH.finditer(view.text):
        if match[1].lower().strip(".-_") not in _ANYBODY:
            yield Hit(match.start(1), match.end(1), "<user>")


RULE = ScanRule(
    id="home-path",
    family="private places",
    title="Home folder of one machine",
    severity=Severity.WARN,
    meaning="The text holds a path below somebody's home folder: it names a person and works on no other machine.",
    fix="Write the path relative to the project, or begin it with ~.",
    find=find,
    severity_in_artifact=Severity.BLOCK,
)
