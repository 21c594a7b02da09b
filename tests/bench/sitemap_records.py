"""a. 50,010 rows to the whole gzipped sitemap, cold; against COPY (floor) and Django's framework (peer)."""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Final

from fingerpost.web.request import Request
from fingerpost.web.sitemap import SitemapAnswers
from fingerpost_tools.embedded_postgres import Database
from tests.bench.measuring import Row, side_by_side
from tests.bench.places import fill, instance, records, records_site

ROWS: Final = 50_010
ROUNDS: Final = 11
DJANGO_ROUNDS: Final = 3
DJANGO: Final = ("django>=5.2,<6", "psycopg[binary]>=3.2,<4")


def measure(database: Database) -> list[Row]:
    """The set is computed by a new instance with a new connection; `d` tells what loading modules takes."""
    fill(database, ROWS)
    with tempfile.TemporaryDirectory(prefix="fingerpost-bench-") as name:
        target = Path(name, "copy.txt")
        timed = side_by_side(
            {"copy": lambda: copy(database, target), "ours": lambda: whole_set(database)}, ROUNDS
        )
        assert target.read_bytes().count(b"\n") == ROWS
    copied, ours, peer = timed["copy"], timed["ours"], django(database)
    figures = {
        "rows": ROWS,
        "ours_ms": ours.median,
        "ours_best_ms": ours.best,
        "copy_ms": copied.median,
        "copy_best_ms": copied.best,
        "django_best_ms": peer,
    }
    return [
        Row(
            "a",
            f"sitemap of {ROWS:,} records: times COPY ({copied})",
            str(ours),
            ours.over(copied),
            most=3.0,
            detail=figures,
        ),
        Row("a", f"times faster than Django ({peer:.0f} ms)", str(ours), peer / ours.median, least=12.0),
    ]


def copy(database: Database, target: Path) -> None:
    """The floor: psql writes the three columns that a sitemap is made of to a file."""
    columns = "SELECT id, slug, updated_at FROM posts WHERE deleted_at IS NULL ORDER BY id"
    done = database.psql("-c", f"\\copy ({columns}) TO '{target}'")
    assert done.returncode == 0, done.stderr


def whole_set(database: Database) -> None:
    """Index and children, gzipped, by an instance that knows nothing yet."""
    source = records(database)
    answers = SitemapAnswers(instance(records_site(ROWS + 1), source))
    index = answers.answer(Request("GET", "/sitemap.xml"))
    last = answers.answer(Request("GET", "/sitemap-11.xml"))
    source.close()
    assert index.packed is not None
    assert last.packed is not None


def django(database: Database) -> float:
    """The best of a few runs in milliseconds, by a Django in an environment of its own."""
    folder = Path(tempfile.gettempdir(), "fingerpost-bench-django")
    python = folder / "bin" / "python"
    if not (folder / "ready").is_file():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *DJANGO], check=True)
        (folder / "ready").touch()
    script = Path(__file__).with_name("django_sitemap.py")
    done = subprocess.run(
        [str(python), str(script), database.url, str(DJANGO_ROUNDS)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"Django's sitemap failed: {done.stderr}")
    return float(done.stdout)
