"""`seed.sql`: first records for a site's own database, run once."""

import hashlib
import re
import secrets
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from fingerpost_tools.command_error import CommandError
from fingerpost_tools.embedded_postgres import Database

FILE: Final = "seed.sql"

# What ran, beside the site's own tables and out of the way of their names.
_RECORD: Final = """
CREATE SCHEMA IF NOT EXISTS fingerpost;
CREATE TABLE IF NOT EXISTS fingerpost.seeded (sha256 text NOT NULL, at timestamptz NOT NULL DEFAULT now())
"""
# pg_dump brackets its output so; nested brackets are refused, and ours is already there.
_DUMP_BRACKETS: Final = re.compile(rb"^\\(?:un)?restrict [0-9A-Za-z]+\r?$", re.MULTILINE)
_TROUBLE: Final = re.compile(r"psql:<stdin>:(?P<line>\d+): (?:ERROR|error|FATAL): +(?P<what>.*)")


class Seeding(StrEnum):
    """What came of a seed."""

    ABSENT = "absent"
    RAN = "ran"
    RAN_BEFORE = "ran before"
    CHANGED_SINCE = "changed since it ran"


def seed(database: Database, root: Path) -> Seeding:
    """Run `seed.sql` of the site at `root` where none has run in this database yet.

    It runs as a whole or not at all, as a user who may change the site's own database and nothing else.
    CommandError names the line at which the first failing statement ends.
    """
    file = root / FILE
    if not file.is_file():
        return Seeding.ABSENT
    script = file.read_bytes()
    fingerprint = hashlib.sha256(script).hexdigest()
    connection = database.connect()
    try:
        ran = _recorded(connection)
    finally:
        connection.close()
    if ran is not None:
        return Seeding.RAN_BEFORE if ran == fingerprint else Seeding.CHANGED_SINCE
    _run(database, script, fingerprint)
    return Seeding.RAN


def _recorded(connection: Any) -> str | None:
    connection.run(_RECORD)
    rows = connection.run("SELECT sha256 FROM fingerpost.seeded ORDER BY at DESC LIMIT 1")
    return str(rows[0][0]) if rows else None


def _run(database: Database, script: bytes, fingerprint: str) -> None:
    done = database.psql(
        *("--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null"),
        # From here on psql obeys SQL alone: `\\!` in a script would run programs of this machine.
        *("-c", f"\\restrict {secrets.token_hex(16)}"),
        *("-f", "-"),
        *("-c", f"INSERT INTO fingerpost.seeded (sha256) VALUES ('{fingerprint}')"),  # noqa: S608 - hex digits
        stdin=_DUMP_BRACKETS.sub(b"", script),
    )
    if done.returncode:
        raise CommandError(_explained(done.stderr.decode("utf-8", "replace")))


def _explained(stderr: str) -> str:
    found = _TROUBLE.search(stderr)
    if found is None:
        return f"{FILE} could not be run: {' '.join(stderr.split()) or 'psql gave no reason'}"
    detail = re.search(r"^(?:DETAIL|CONTEXT|HINT): +(.*)", stderr[found.end() :], re.MULTILINE)
    more = f" ({detail[1].strip()})" if detail else ""
    return f"{FILE}:{found['line']}: {found['what'].strip()}{more}; nothing of it was kept"
