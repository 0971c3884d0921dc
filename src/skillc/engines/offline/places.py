"""Places: project-relative paths of files, and what kind of file stands there.

A file that only one attempt family touched is an instance value; its role is not. Section 5.3 (placeholders).
Not here: which paths are shared by families (engines.offline.symbols).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from skillc.engines.offline.wording import words_of

_PATH_KEYS = (
    "file_path",
    "notebook_path",
    "path",
    "target_file",
    "filename",
    "absolute_path",
    "relative_path",
)
_PATCHED = re.compile(r"^\*\*\* (Update|Add|Delete) File: (.+)$", re.MULTILINE)
MAX_PATCHED = 50
_TEST_PLACE = re.compile(r"(^|/)(tests?|specs?|__tests__)/|(^|/)(test_[^/]*|[^/]*[_.-](test|spec)s?\.[^/.]+)$")
_TEST_SUPPORT = re.compile(r"(^|/)conftest\.py$")
_SUFFIX_ROLES = (
    ("doc_file", (".md", ".rst", ".txt", ".adoc")),
    (
        "config_file",
        (".toml", ".yaml", ".yml", ".ini", ".cfg", ".json", ".lock", ".env", ".xml", ".properties"),
    ),
    ("data_file", (".csv", ".tsv", ".parquet", ".sql", ".jsonl")),
)
# Names that belong to a tool and not to a project.
COMMON_FILES = words_of(
    "conftest.py pyproject.toml setup.py setup.cfg pytest.ini tox.ini requirements.txt manage.py alembic.ini"
    " package.json package-lock.json tsconfig.json yarn.lock pnpm-lock.yaml Makefile CMakeLists.txt Cargo.toml"
    " go.mod go.sum pom.xml build.gradle Gemfile Rakefile composer.json Dockerfile docker-compose.yml compose.yaml"
    " .env .env.example .gitignore"
)
ROLE_WORDS = {
    "test_file": "the test file",
    "source_file": "the source file",
    "doc_file": "the document",
    "config_file": "the configuration file",
    "data_file": "the data file",
}


def path_argument(arguments: Mapping[str, Any]) -> tuple[str, str] | None:
    """Returns name and value of the argument that names a file, if there is one."""
    for key in _PATH_KEYS:
        value = arguments.get(key)
        if isinstance(value, str) and value:
            return key, value
    for key in ("input", "patch"):
        value = arguments.get(key)
        match = _PATCHED.search(value) if isinstance(value, str) else None
        if match:
            return key, match[2].strip()
    return None


def patched_files(text: str) -> list[tuple[str, bool]]:
    """Returns the files of a patch in order, each with whether the patch makes it."""
    return [(m[2].strip(), m[1] == "Add") for m in _PATCHED.finditer(text)][:MAX_PATCHED]


def project_root(paths: Iterable[str], label: str | None) -> str:
    """Returns the prefix that the absolute paths of a Trace share with its project folder, or nothing.

    The folder is found by the project's label; without it, it is the longest folder common to all paths.
    """
    absolute = sorted({p for p in paths if p.startswith(("/", "<")) or p[1:3] == ":\\"})
    if not absolute:
        return ""
    if label:
        marker = "/" + label.strip("/").rsplit("/", 1)[-1] + "/"
        for path in absolute:
            if marker in path:
                return path[: path.index(marker) + len(marker)]
    folders = [p.rsplit("/", 1)[0].split("/") for p in absolute]
    common = folders[0]
    for folder in folders[1:]:
        size = next((i for i, (a, b) in enumerate(zip(common, folder, strict=False)) if a != b), None)
        common = common[: min(len(common), len(folder)) if size is None else size]
    return "/".join(common) + "/" if len(common) > 1 else ""


def relative_path(path: str, root: str) -> str:
    """Returns a path inside the project without its root, `./` and test selectors."""
    path = path.replace("\\", "/").split("::", 1)[0]
    if root and path.startswith(root):
        path = path[len(root) :]
    if path.startswith("<") and "/" in path:
        path = path.split("/", 1)[1]
    while path.startswith("./"):
        path = path[2:]
    return path


def role_of(path: str) -> str:
    """Returns the role of a file by its place and suffix; the role is also the name of its placeholder."""
    lowered = path.lower()
    if _TEST_PLACE.search(lowered) or _TEST_SUPPORT.search(lowered):
        return "test_file"
    for role, suffixes in _SUFFIX_ROLES:
        if lowered.endswith(suffixes):
            return role
    return "source_file"


def is_inside(path: str) -> bool:
    """Says whether a relative path is a plain path inside the project."""
    return bool(path) and not path.startswith(("/", "~", "<", "$")) and ".." not in path.split("/")
