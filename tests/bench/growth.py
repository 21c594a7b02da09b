"""e. From ten thousand to a million records: seconds for each record, and the peak memory of the process.

    python -m tests.bench.growth DATABASE_URL ROWS

makes one set in this process and prints JSON: seconds, peak memory in MB, entries and children.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final
from xml.etree import ElementTree

from fingerpost.sources.login import UrlLogin
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.s3 import make_client
from fingerpost.web.request import Request
from fingerpost.web.sitemap import SitemapAnswers
from fingerpost_tools.embedded_postgres import Database
from tests.bench.measuring import Row
from tests.bench.places import ORIGIN, ROOT, fill, instance, records_site

SIZES: Final = (10_000, 100_000, 1_000_000)
RUNS: Final = 2
ENTRIES: Final = 5_000
MEGABYTES: Final = 300


def measure(database: Database) -> list[Row]:
    """Each size in a process of its own, the best of a few runs."""
    fill(database, SIZES[-1])
    found = {rows: best(run(database, rows) for _ in range(RUNS)) for rows in SIZES}
    for rows, each in found.items():
        assert (each["entries"], each["children"]) == (rows, rows // ENTRIES), each
    slopes = [
        (found[more]["seconds"] - found[less]["seconds"]) / (more - less) for less, more in pairwise(SIZES)
    ]
    peak = found[SIZES[-1]]["peak_mb"]
    rows_of = [
        Row("e", f"sitemap of {rows:,} records", f"{each['seconds']:.2f} s", detail=each)
        for rows, each in found.items()
    ]
    return [
        *rows_of,
        Row("e", "a record above 100,000 against one below: times as long", f"{slopes[1] * 1e6:.1f} us",
            slopes[1] / slopes[0], most=1.2),
        Row("e", f"peak memory at {SIZES[-1]:,}: MB", f"{peak:.0f} MB", peak, most=MEGABYTES),
    ]  # fmt: skip


def best(runs: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The quickest of several runs."""
    return min(runs, key=lambda each: each["seconds"])


def run(database: Database, rows: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.growth", database.url, str(rows)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"a set of {rows} records failed: {done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def set_of(url: str, rows: int) -> dict[str, Any]:
    """Make a set, then look whether it is one: each child well-formed, each address once."""
    make_client()  # a function has one, and it takes memory
    source = PostgresRecords(UrlLogin(url))
    with source.snapshot():
        pass
    answers = SitemapAnswers(instance(records_site(rows), source))
    began = time.perf_counter()
    answers.answer(Request("GET", "/sitemap.xml"))
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    children = locs(answers, "/sitemap.xml")
    entries = [loc for child in children for loc in locs(answers, child.removeprefix(ORIGIN))]
    assert len(set(entries)) == len(entries)
    return {
        "rows": rows,
        "seconds": seconds,
        "peak_mb": peak,
        "children": len(children),
        "entries": len(entries),
    }


def locs(answers: SitemapAnswers, path: str) -> list[str]:
    packed = answers.answer(Request("GET", path)).packed
    assert packed is not None, path
    return [
        str(each.text) for each in ElementTree.fromstring(packed.plain()).iter() if each.tag.endswith("}loc")
    ]


if __name__ == "__main__":
    print(json.dumps(set_of(sys.argv[1], int(sys.argv[2]))))
