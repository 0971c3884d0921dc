"""Small YAML files from a repository that may be hostile: read with limits, as plain values.

No tags, no aliases, no duplicate keys, bounded size and depth. Not here: what the values mean (core.policy).
"""

from typing import Any

from skillc.errors import PolicyError

MAX_POLICY_BYTES = 256 * 1024
MAX_POLICY_DEPTH = 20
_PLAIN = "write plain settings, as `skillc init` does"
_MERGE_TAG = "tag:yaml.org,2002:merge"
_TEXT_TAG = "tag:yaml.org,2002:str"


def load_yaml(text: bytes, *, path: str) -> Any:
    """Returns the value of a small YAML file; refuses aliases, duplicate keys, tags, depth and size.

    Raises PolicyError with `path:line`.
    """
    import yaml

    if len(text) > MAX_POLICY_BYTES:
        raise PolicyError(f"{path}: is larger than {MAX_POLICY_BYTES} bytes", hint=_PLAIN)
    try:
        source = text.decode("utf-8-sig")
        _refuse_unsafe_yaml(yaml.parse(source, Loader=_safe_loader()), path)
        return yaml.load(source, Loader=_strict_loader())  # noqa: S506 - a SafeLoader subclass
    except UnicodeDecodeError as error:
        raise PolicyError(f"{path}: is not UTF-8", hint="save the file as UTF-8") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        problem = getattr(error, "problem", None) or "is not YAML"
        raise PolicyError(f"{path}:{line}: {problem}", hint="mend the line and run the command again") from error
    except ValueError as error:  # a date or number that YAML's own constructor refuses
        raise PolicyError(f"{path}: {error}", hint="mend the value and run the command again") from error
    except RecursionError as error:
        raise PolicyError(f"{path}: is nested too deeply", hint=_PLAIN) from error


def _refuse_unsafe_yaml(events: Any, path: str) -> None:
    depth = 0
    for event in events:
        name = type(event).__name__
        line = event.start_mark.line + 1
        if name == "AliasEvent" or getattr(event, "anchor", None):
            raise PolicyError(f"{path}:{line}: YAML anchors and aliases are not allowed here", hint=_PLAIN)
        if getattr(event, "tag", None) is not None:
            raise PolicyError(f"{path}:{line}: YAML tags are not allowed here", hint=_PLAIN)
        if name in ("MappingStartEvent", "SequenceStartEvent"):
            depth += 1
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            depth -= 1
        if depth > MAX_POLICY_DEPTH:
            raise PolicyError(f"{path}:{line}: is nested deeper than {MAX_POLICY_DEPTH} levels", hint=_PLAIN)


def _safe_loader() -> Any:
    """Returns the safe loader in C where PyYAML has it: the same language, a tenth of the time."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _strict_loader() -> Any:
    import yaml

    class StrictLoader(_safe_loader()):  # type: ignore[misc]  # one of two classes, both SafeLoaders
        """A SafeLoader that refuses a key given twice, and reads every key as text: `on` is no truth value."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            seen: set[str] = set()
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE_TAG:
                    raise yaml.constructor.ConstructorError(None, None, "a key must be plain text", key.start_mark)
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {str(key.value)!r} is given twice", key.start_mark
                    )
                seen.add(key.value)
                key.tag = _TEXT_TAG
            return super().construct_mapping(node, deep)

    return StrictLoader
