"""The demo's place; see below."""


def run_demo(*, keep: bool, as_json: bool) -> int:
    return 0
