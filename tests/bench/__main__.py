"""All benchmarks, or those named: one table, and one JSON line. `python -m tests.bench [a b c d e site]`."""

import json
import logging
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
# The benchmarks run in a checkout as it is, and so do the processes that they start.
sys.path[:0] = [str(ROOT / "shared"), str(ROOT / "infra")]
os.environ["PYTHONPATH"] = os.pathsep.join([*map(str, (ROOT / "shared", ROOT / "infra", ROOT))])
os.environ.update(
    AWS_ACCESS_KEY_ID="bench",
    AWS_SECRET_ACCESS_KEY="bench",
    AWS_DEFAULT_REGION="us-east-1",
    AWS_EC2_METADATA_DISABLED="true",
)

from fingerpost_tools.embedded_postgres import Database  # noqa: E402
from tests.bench import cold, growth, site_build, sitemap_articles, sitemap_records, warm  # noqa: E402
from tests.bench.measuring import Row, machine  # noqa: E402
from tests.bench.places import postgres  # noqa: E402

BENCHMARKS: Final[dict[str, Callable[[Database], list[Row]]]] = {
    "a": sitemap_records.measure,
    "b": lambda database: sitemap_articles.measure(),
    "c": warm.measure,
    "d": cold.measure,
    "e": growth.measure,
    "site": site_build.measure,
}


def main(names: list[str]) -> int:
    """Run them, print what they found; 1 where a ratio is not where it should be."""
    logging.disable(logging.CRITICAL)
    began = time.monotonic()
    rows: list[Row] = []
    with postgres() as database:
        for name in names or BENCHMARKS:
            rows += BENCHMARKS[name](database)
            print(f"{name} done after {time.monotonic() - began:.0f} s", file=sys.stderr)
    print(f"{machine()}; {datetime.now(UTC):%Y-%m-%d}\n")
    print(table(rows))
    document = {
        "machine": machine(),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - began),
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
    print(f"\n{json.dumps(document)}")
    return 1 if any(row.met is False for row in rows) else 0


def table(rows: list[Row]) -> str:
    """The rows as a table in Markdown."""
    lines = [("", "what", "measured", "ratio", "target", "")]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        verdict = {True: "met", False: "**missed**", None: ""}[row.met]
        lines.append((row.benchmark, row.what.strip(), row.figure, ratio, row.target, verdict))
    lines.insert(1, ("---",) * 6)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
