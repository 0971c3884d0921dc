"""Known errors of many tools: what a Skill says when two sessions met one, or one met it and another knew better.

Each row is a kind of quirk, not a sample: the command that is missing, the variable, the other form of the run.
"""

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.makers import bash, call, fails, gives, make_evidence, make_source, user

from skillc.core.compile.checks import check_proposal
from skillc.core.policy import Thresholds
from skillc.core.skill.render import render_agent_view
from skillc.engines.offline.reflect import propose

OK = "OK 12 passed"


class Row(NamedTuple):
    """Two sessions: edited file, lines that are run until the check passes; the first line that fails gives `error`."""

    name: str
    files: tuple[str, str]
    lines: tuple[tuple[str, ...], tuple[str, ...]]
    errors: tuple[str, str]  # empty: that session met no error
    steps: tuple[str, ...]
    mode: str


def met(check: str, remedy: str) -> tuple[str, ...]:
    return (check, remedy, check)


ROWS = [
    Row(
        "django", ("shop/models.py", "shop/models.py"),
        (
            met("python manage.py test", "python manage.py makemigrations && python manage.py migrate"),
            ("python manage.py makemigrations && python manage.py migrate", "python manage.py test"),
        ),
        ("django.db.utils.OperationalError: no such column: shop_order.note\n\nFAILED (errors=2)", ""),
        (
            "Run `python manage.py makemigrations` before `python manage.py test`.",
            "Run `python manage.py migrate` before `python manage.py test`.",
        ),
        "`python manage.py test` fails with “OperationalError: no such column: …”: Run `python manage.py makemigrations`, then run `python manage.py migrate`, then run it again.",
    ),
    Row(
        "rust", ("src/lib.rs", "src/a.rs"),
        (met("cargo test", "cargo run --bin codegen"), met("cargo test --workspace", "cargo run --bin codegen")),
        ("error[E0432]: unresolved import `crate::generated`\nerror: could not compile `app` (lib) due to 1 previous error", "error[E0432]: unresolved import `crate::generated`\nerror: could not compile `app`"),
        ("Run `cargo run --bin codegen` before `cargo test`.",),
        "`cargo test` fails with “unresolved import 'crate::generated'”: Run `cargo run --bin codegen`, then run it again.",
    ),
    Row(
        "go", ("api/order.proto", "api/order.proto"),
        (met("go test ./...", "go generate ./..."), met("go test ./api/...", "go generate ./...")),
        ("# app/api [app/api.test]\napi/server.go:12:5: undefined: pb.Order\nFAIL\tapp/api [build failed]", "# app/api [app/api.test]\napi/server.go:14:5: undefined: pb.Parcel\nFAIL\tapp/api [build failed]"),
        ("Run `go generate ./...` before `go test ./...`.",),
        "`go test ./...` fails with “undefined: …”: Run `go generate ./...`, then run it again.",
    ),
    Row(
        "rails", ("app/models/order.rb", "app/models/order.rb"),
        (
            met("bundle exec rspec", "bin/rails db:migrate RAILS_ENV=test"),
            ("RAILS_ENV=test bin/rails db:migrate", "bundle exec rspec"),
        ),
        ("ActiveRecord::PendingMigrationError:\n\n\nMigrations are pending. To resolve this issue, run:\n\n        bin/rails db:migrate", ""),
        ("Run `bin/rails db:migrate RAILS_ENV=test` before `bundle exec rspec`.",),
        "`bundle exec rspec` fails with “PendingMigrationError”: Run `bin/rails db:migrate RAILS_ENV=test`, then run it again.",
    ),
    Row(
        "gradle", ("src/A.java", "src/B.java"),
        (met("./gradlew test", "./gradlew generateProto"), ("./gradlew generateProto", "./gradlew :core:test")),
        ("src/A.java:3: error: package com.acme.proto does not exist\n1 error\nBUILD FAILED", ""),
        ("Run `./gradlew generateProto` before `./gradlew test`.",),
        "`./gradlew test` fails with “package … does not exist”: Run `./gradlew generateProto`, then run it again.",
    ),
    Row(
        "prisma", ("prisma/schema.prisma", "prisma/schema.prisma"),
        (met("npx jest", "npx prisma generate"), ("npx prisma generate", "npx jest --ci")),
        ('Error: @prisma/client did not initialize yet. Please run "prisma generate" first.\nTests: 1 failed', ""),
        ("Run `npx prisma generate` before `npx jest`.",),
        "`npx jest` fails with “… did not initialize yet. Please run … first.”: Run `npx prisma generate`, then run it again.",
    ),
    Row(
        "settings file", ("src/a.js", "src/b.js"),
        (met("npm test", "cp .env.example .env"), met("npm test", "cp .env.example .env")),
        ("Error: ENOENT: no such file or directory, open '.env'\n# fail 1",) * 2,
        ("Run `cp .env.example .env` before `npm test`.",),
        "`npm test` fails with “ENOENT: no such file or directory, open '.env'”: Run `cp .env.example .env`, then run it again.",
    ),
    Row(
        "service", ("src/a.py", "src/b.py"),
        (met("pytest", "docker compose up -d db"), met("pytest -q", "docker compose up -d db && sleep 3")),
        ("E   OperationalError: connection to server failed: Connection refused\n3 errors in 0.3s",) * 2,
        ("Run `docker compose up -d db` before `pytest`.",),
        "`pytest` fails with “OperationalError: connection to server failed: Connection refused”: Run `docker compose up -d db`, then run it again.",
    ),
    Row(
        "folder", ("frontend/src/a.ts", "frontend/src/b.ts"),
        (
            met("cd frontend && npm test", "cd frontend && npm ci"),
            ("cd /srv/app/frontend && npm ci", "cd /srv/app/frontend && npm test"),
        ),
        ("sh: 1: vitest: not found", ""),
        ("Run `cd frontend && npm ci` before `cd frontend && npm test`.",),
        "`cd frontend && npm test` fails with “sh: … vitest: not found”: Run `cd frontend && npm ci`, then run it again.",
    ),
    Row(
        "runner", ("a.py", "b.py"),
        (("pytest", "uv run pytest -q"), ("python -m pytest", "uv run pytest -q")),
        ("bash: pytest: command not found", "/usr/bin/python: No module named pytest"),
        ("Run `uv run pytest -q` and mend what fails until it passes.",),
        "`python -m pytest` fails with “No module named pytest”: Use `uv run pytest -q` instead.",
    ),
    Row(
        "memory", ("a.ts", "b.ts"),
        (("npm run build", "NODE_OPTIONS=--max-old-space-size=4096 npm run build"), ("NODE_OPTIONS=--max-old-space-size=4096 npm run build",)),
        ("FATAL ERROR: Reached heap limit Allocation failed - heap out of memory", ""),
        ("Run `NODE_OPTIONS=--max-old-space-size=4096 npm run build`.",),
        "`npm run build` fails with “Reached heap limit Allocation failed - heap out of memory”: Set `NODE_OPTIONS`: run `NODE_OPTIONS=--max-old-space-size=4096 npm run build`.",
    ),
    Row(
        "zone", ("a.py", "b.py"),
        (("pytest -q", "TZ=UTC pytest -q"), ("pytest -q", "export TZ=UTC; pytest -q")),
        ("E   AssertionError: '01:00' != '00:00' : times are local\n1 failed",) * 2,
        ("Run `TZ=UTC pytest -q` and mend what fails until it passes.",),
        "`pytest -q` fails with “times are local”: Set `TZ`: run `TZ=UTC pytest -q`.",
    ),
    Row(
        "one shell for all lines", ("a.py", "b.py"),
        (("pytest -q", "export APP_ENV=test", "pytest -q"), ("pytest -q", "export APP_ENV=test && pytest -q")),
        ("E   KeyError: 'APP_ENV'\n1 error",) * 2,
        (),
        "`pytest -q` fails with “KeyError: 'APP_ENV'”: Set `APP_ENV`: run `APP_ENV=test pytest -q`.",
    ),
    Row(
        "commit hook", ("a.py", "b.py"),
        (
            ("git commit -am a", "git add -A", "git commit -m a"),
            ("git commit -am b", "git add b.py && git commit -m b"),
        ),
        ("ruff-format..............Failed\n- hook id: ruff-format\n- files were modified by this hook\n\n1 file reformatted",) * 2,
        ("Commit the change with `git commit`.",),
        "`git commit` fails with “files were modified by this hook”: Run `git add` for what it changed, then run it again.",
    ),
    Row(
        "port", ("a.js", "b.js"),
        (("npm test", "npm test"), ("npm test", "lsof -i :3000", "npm test")),
        ("Error: listen EADDRINUSE: address already in use :::3000\n# fail 1",) * 2,
        (),
        "`npm test` fails with “listen EADDRINUSE: address already in use :::3000”: Run it again before you change anything; it fails now and then.",
    ),
    Row(
        "formatter", ("a.py", "b.py"),
        (("ruff check .", "ruff check . --fix", "pytest -q"), ("ruff check .", "ruff check . --fix", "pytest -q")),
        ("a.py:1:1: I001 Import block is un-sorted\nFound 1 error.", "b.py:4:1: I001 Import block is un-sorted\nFound 1 error."),
        (),
        "`ruff check .` fails with “… Import block is un-sorted”: Use `ruff check . --fix` instead.",
    ),
]  # fmt: skip


def session(row: Row, number: int):
    place = f"/srv/app/{row.files[number]}"
    drafts = [
        user(f"please do the {row.name} work"),
        call("Read", {"file_path": place}), gives("x"),
        call("Edit", {"file_path": place, "old_string": "a", "new_string": "b"}), gives("The file has been updated"),
    ]  # fmt: skip
    error = row.errors[number]
    for line in row.lines[number]:
        drafts += [bash(line), fails(f"Exit code 1\n{error}") if error else gives(OK)]
        error = ""
    if not row.lines[number][-1].endswith(("-m a", "-m b")):
        drafts += [bash("git add -A && git commit -m done"), gives("[main 1234567] done")]
    return make_source(*drafts, trace_id=f"t-0000000{number}", check="x", project="app")


@pytest.mark.parametrize("row", ROWS, ids=[r.name for r in ROWS])
def test_quirk_is_told_with_its_command_its_symptom_and_its_remedy(row: Row):
    evidence = make_evidence(session(row, 0), session(row, 1), task_family="some-work")
    (proposal,) = propose(evidence, run="r-1", thresholds=Thresholds())
    contract = proposal.contract

    assert contract is not None
    assert check_proposal(proposal, evidence) == ()
    assert set(row.steps) <= {s.text for s in contract.steps}
    assert row.mode in {f"{m.text}: {m.recovery}" for m in contract.failure_modes}


NAMES = st.from_regex(r"[a-z]{4,9}[_-][a-z]{2,6}[0-9]{2,4}", fullmatch=True)


@settings(max_examples=25, deadline=None)
@given(st.lists(NAMES, min_size=8, max_size=8, unique=True), st.sampled_from(["pytest", "npm test", "make test"]))
def test_nothing_that_only_one_family_typed_or_saw_is_in_the_skill(names: list[str], check: str):
    """Whatever the names are that stand in paths, arguments, variables, branches and errors of one session."""

    def attempt(number: int, file: str, branch: str, value: str, record: str):
        place = f"/srv/app/src/{file}.py"
        lost = f"Exit code 1\nE   LookupError: record '{record}' of {branch} is missing in src/{file}.py\n1 failed"
        return make_source(
            user(f"please look after {record}"),
            bash(f"git switch -c {branch}"), gives(f"Switched to a new branch '{branch}'"),
            call("Read", {"file_path": place}), gives(record),
            call("Edit", {"file_path": place, "old_string": record, "new_string": value}), gives("updated"),
            bash(f"{check} -k {record}"), fails(lost),
            bash(f"make records NAME={record}"), gives(f"made {record}"),
            bash(f"STORE={value} {check} -k {record}"), fails(lost.replace("missing", "old")),
            bash(f"python tools/{file}.py --only {record}"), gives("done"),
            bash(f"STORE={value} {check}"), gives(OK),
            bash(f"git commit -am '{record}' && git push origin {branch}"), gives(f"[{branch} 1234567] {record}"),
            trace_id=f"t-0000000{number}", project="app",
        )  # fmt: skip

    for sources in ([names[:4]], [names[:4], names[4:]]):
        evidence = make_evidence(*(attempt(n, *four) for n, four in enumerate(sources)), task_family="some-work")
        for proposal in propose(evidence, run="r-1", thresholds=Thresholds()):
            assert proposal.contract is not None
            view = render_agent_view(proposal.contract) + proposal.contract.model_dump_json()
            assert not [name for four in sources for name in four if name in view]
            assert check_proposal(proposal, evidence) == ()
