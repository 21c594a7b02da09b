"""`seed.sql`: once, as a whole, and with the line of what failed."""

from pathlib import Path

import pytest

from fingerpost_tools import seeding
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.embedded_postgres import Database
from fingerpost_tools.seeding import Seeding

pytestmark = pytest.mark.postgres


def _rows(database: Database, sql: str) -> list[list[object]]:
    connection = database.connect()
    try:
        rows: list[list[object]] = connection.run(sql)
        return rows
    finally:
        connection.close()


def test_a_seed_runs_once(database: Database, tmp_path: Path) -> None:
    """The second start finds it done, and says so where the file has changed since."""
    assert seeding.seed(database, tmp_path) is Seeding.ABSENT
    seed = tmp_path / "seed.sql"
    seed.write_text("CREATE TABLE t (a int);\nINSERT INTO t VALUES (1);\n", encoding="utf-8")
    assert seeding.seed(database, tmp_path) is Seeding.RAN
    assert seeding.seed(database, tmp_path) is Seeding.RAN_BEFORE
    seed.write_text("INSERT INTO t VALUES (2);\n", encoding="utf-8")
    assert seeding.seed(database, tmp_path) is Seeding.CHANGED_SINCE
    assert _rows(database, "SELECT a FROM t") == [[1]]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("SELECT 1;\n\nCREATE TABEL t ();\n", r'seed\.sql:3: syntax error at or near "TABEL"'),
        ("\nINSERT INTO\n  nowhere\nVALUES (1);\n", r'seed\.sql:4: relation "nowhere" does not exist'),
        (
            "CREATE TABLE t (a int PRIMARY KEY);\nINSERT INTO t VALUES (1), (1);\n",
            r"seed\.sql:2: duplicate key .* \(Key \(a\)=\(1\) already exists\.\)",
        ),
        ("\\! echo out of bounds\n", r"seed\.sql:1: backslash commands are restricted"),
    ],
)
def test_a_failing_seed_names_its_line_and_keeps_nothing(
    database: Database, tmp_path: Path, script: str, message: str
) -> None:
    """One line says which statement and why; nothing that came before it stays, and it may run again."""
    seed = tmp_path / "seed.sql"
    seed.write_text("CREATE TABLE before (a int);" + script, encoding="utf-8")
    with pytest.raises(CommandError, match=message) as caught:
        seeding.seed(database, tmp_path)
    assert "\n" not in str(caught.value)
    assert _rows(database, "SELECT to_regclass('public.before')") == [[None]]
    seed.write_text("SELECT 1;", encoding="utf-8")
    assert seeding.seed(database, tmp_path) is Seeding.RAN


def test_a_dump_is_a_seed(database: Database, tmp_path: Path) -> None:
    """What pg_dump writes runs as it stands: its own brackets, an empty search path, rows in COPY form."""
    (tmp_path / "seed.sql").write_text(
        "\\restrict Q7xK2\n"
        "SELECT pg_catalog.set_config('search_path', '', false);\n"
        "CREATE TABLE public.t (a text);\n"
        "COPY public.t (a) FROM stdin;\nélan\nb\\tc\n\\.\n"
        "\\unrestrict Q7xK2\n",
        encoding="utf-8",
    )
    assert seeding.seed(database, tmp_path) is Seeding.RAN
    assert _rows(database, "SELECT a FROM public.t") == [["élan"], ["b\tc"]]
