"""The static build, as `tests.bench.build` measures it, in small."""

import tempfile
from pathlib import Path

from fingerpost_tools.building.crew import cores
from fingerpost_tools.embedded_postgres import Database
from tests.bench import build
from tests.bench.measuring import Row

ARTICLES, RECORDS = 500, 5_000


def measure(database: Database) -> list[Row]:
    """A site of a few thousand addresses, against its Markdown alone."""
    with tempfile.TemporaryDirectory(prefix="fingerpost-bench-") as name:
        found = build.measure(Path(name), database, ARTICLES, RECORDS, cores())
    return [
        Row(
            "site",
            f"static build of {found['pages']:,} addresses: times its Markdown alone",
            f"{found['pages_per_second']:,} a second, {found['peak_mb']} MB",
            found["times_the_floor"],
            detail=found,
        )
    ]
