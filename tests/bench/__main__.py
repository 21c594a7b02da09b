"""All benchmarks, or those named: one table, and one JSON line.

python -m tests.bench [a] [b] [c] [d] [e] [site] [--write]
"""

import argparse
import json
import logging
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from fingerpost_tools.embedded_postgres import Database
from tests import figures
from tests.bench import cold, growth, site_build, sitemap_articles, sitemap_records, warm
from tests.bench.measuring import NotMeasuredError, Row, machine
from tests.bench.places import ROOT, postgres

BENCHMARKS: Final[dict[str, Callable[[Database], list[Row]]]] = {
    "a": sitemap_records.measure,
    "b": lambda database: sitemap_articles.measure(),
    "c": warm.measure,
    "d": cold.measure,
    "e": growth.measure,
    "site": site_build.measure,
}
README: Final = ROOT / "tests" / "README.md"


def main() -> int:
    """Run them and print what they found; 1 where a ratio is not where it should be, or where something could
    not be measured that was to be written."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="Measure against floors and peers."
    )
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"one of {', '.join(BENCHMARKS)}; all by default"
    )
    parser.add_argument(
        "--write", action="store_true", help="write the table of a whole run into tests/README.md"
    )
    arguments = parser.parse_args()
    names = arguments.names or list(BENCHMARKS)
    if unknown := set(names) - BENCHMARKS.keys():
        parser.error(f"expected names among {', '.join(BENCHMARKS)}, found {', '.join(sorted(unknown))}")
    if arguments.write and set(names) != BENCHMARKS.keys():
        parser.error("--write takes the figures of one run of all benchmarks, not of some")
    _prepare()
    began = time.monotonic()
    rows, missing = measure(names)
    seconds = round(time.monotonic() - began)
    at = datetime.now(UTC)
    told = f"{machine()}; {seconds} s in all; {at:%Y-%m-%d}\n\n{table(rows)}"
    print(told)
    print(f"\n{json.dumps(document(rows, seconds, at))}")
    if arguments.write and missing:
        print(f"{README} keeps its figures: {', '.join(missing)} not measured", file=sys.stderr)
    elif arguments.write:
        figures.write(README, "bench", told)
    return 1 if (arguments.write and missing) or any(row.met is False for row in rows) else 0


def _prepare() -> None:
    logging.disable(logging.CRITICAL)
    os.environ.update(
        AWS_ACCESS_KEY_ID="bench",
        AWS_SECRET_ACCESS_KEY="bench",
        AWS_DEFAULT_REGION="us-east-1",
        AWS_EC2_METADATA_DISABLED="true",
    )


def measure(names: list[str]) -> tuple[list[Row], list[str]]:
    """The rows of the benchmarks, and the names of those that this machine can't measure."""
    began = time.monotonic()
    rows: list[Row] = []
    missing: list[str] = []
    with postgres() as database:
        for name in names:
            try:
                rows += BENCHMARKS[name](database)
            except NotMeasuredError as reason:
                rows.append(Row(name, f"not measured: {reason}", ""))
                missing.append(name)
            print(f"{name} done after {time.monotonic() - began:.0f} s", file=sys.stderr)
    return rows, missing


def table(rows: list[Row]) -> str:
    """The rows as a table in Markdown."""
    lines = [("", "what", "measured", "ratio", "target", ""), ("---",) * 6]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        verdict = {True: "met", False: "**missed**", None: ""}[row.met]
        lines.append((row.benchmark, row.what.strip(), row.figure, ratio, row.target, verdict))
    return "\n".join(map(figures.as_row, lines))


def document(rows: list[Row], seconds: int, at: datetime) -> dict[str, object]:
    """Every figure of a run, for programs."""
    return {
        "machine": machine(),
        "at": at.isoformat(timespec="seconds"),
        "seconds": seconds,
        "rows": [
            {
                "benchmark": row.benchmark,
                "what": row.what.strip(),
                "figure": row.figure,
                "ratio": None if row.ratio is None else round(row.ratio, 3),
                "target": row.target,
                "met": row.met,
                **row.detail,
            }
            for row in rows
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
