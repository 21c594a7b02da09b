"""d. INIT and first answer of each built function under Lambda's runtime interface emulator.

They are held against a function that only makes an S3 client and gets one object. All have the same layer,
trimmed and compiled as it is deployed.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fingerpost_tools.embedded_postgres import Database
from fingerpost_tools.layer import size, trim
from tests.bench.measuring import NotMeasuredError, Row, Timing
from tests.bench.places import BUCKET, GENERATIONS, ORIGIN, RECORDS_APP, ROOT, fill, s3
from tests.e2e.lambda_runtime import Runtime, find_runtime, running
from tests.support import make_event

ROUNDS: Final = 9
ROWS: Final = 1_000
FLOOR: Final = """\
import boto3

client = boto3.client("s3")


def handler(event, context):
    body = client.get_object(Bucket="site", Key="app.yaml")["Body"].read()
    return {"statusCode": 200, "headers": {"content-type": "text/plain"}, "body": body.decode()}
"""
ARTICLE: Final = "---\ntitle: Start\n---\n# Start\n\nA *word*.\n"
DOCS: Final = "  - {name: docs, path: '/docs/:path*', contentDir: {directory: content, slugFrom: filepath}}\n"


@dataclass(frozen=True, slots=True)
class Case:
    """One function's first answer. `most` is how many times the floor it may take."""

    what: str
    function: str
    path: str
    settings: Mapping[str, str]
    most: float | None = None


def measure(database: Database) -> list[Row]:
    """Every function in turn, several times; nothing is warm but the disk."""
    runtime = find_runtime()
    if isinstance(runtime, str):
        raise NotMeasuredError(runtime)
    fill(database, ROWS)
    with tempfile.TemporaryDirectory(prefix="fingerpost-bench-") as name:
        folder = Path(name)
        weight = build_layer(folder / "layer")
        write_floor(folder / "floor")
        write_site(folder / "site")
        with s3(folder / "site") as address:
            cases = every_case(address, database.url)
            runs: dict[str, list[float]] = {case.what: [] for case in cases}
            for number in range(ROUNDS):
                for case in cases:
                    place = folder / f"{number}-{len(runs[case.what])}-{case.function}-{len(case.settings)}"
                    runs[case.what].append(first_answer(runtime, case, folder, place))
    timed = {what: Timing(tuple(each)) for what, each in runs.items()}
    floor = timed["floor"]
    rows = [Row("d", f"floor: S3 client and one object (layer {weight / 1e6:.0f} MB)", str(floor))]
    for case in cases[1:]:
        ours = timed[case.what]
        detail = {
            "ms": ours.median,
            "best_ms": ours.best,
            "floor_ms": floor.median,
            "floor_best_ms": floor.best,
        }
        what = f"{case.what}, first answer: times the floor"
        rows.append(Row("d", what, str(ours), ours.over(floor), most=case.most, detail=detail))
    return rows


def every_case(address: str, url: str) -> list[Case]:
    common = {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_SECRET_ACCESS_KEY": "bench",
        "SITE_BUCKET": BUCKET,
        "BASE_URL": ORIGIN,
    }
    database = {**common, "DATABASE_URL": url}
    shared = {**database, "GENERATIONS_BUCKET": GENERATIONS}
    return [
        Case("floor", "floor", "/", common),
        Case("robots", "robots", "/robots.txt", common, 1.25),
        Case("sitemap with a database", "sitemap", "/sitemap.xml", database, 1.6),
        Case("sitemap that others have stored", "sitemap", "/sitemap.xml", shared),
        Case("llms", "llms", "/llms.txt", common),
        Case("page, an article", "page", "/docs/start", common),
        Case("page, a record", "page", "/posts/a-post-about-things-7", database),
    ]


def first_answer(runtime: Runtime, case: Case, folder: Path, place: Path) -> float:
    """Milliseconds from the first invocation to its answer: the emulator starts the function for it."""
    function = folder / "floor" if case.function == "floor" else ROOT / "functions" / case.function
    event = make_event(case.path, headers={"accept-encoding": "gzip"})
    with running(
        runtime, case.function, function, folder / "layer" / "python", case.settings, place
    ) as started:
        began = time.perf_counter()
        answer: Any = started.invoke(event)
        took = (time.perf_counter() - began) * 1000
        assert answer.get("statusCode") == 200, (case.what, answer, started.logged())
    return took


def build_layer(layer: Path) -> int:
    """What `sam build` makes of shared/ for this interpreter, trimmed; its bytes."""
    packages = layer / "python"
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile", "--require-hashes"),
            *("--disable-pip-version-check", "--target", str(packages)),
            *("-r", str(ROOT / "shared" / "requirements.txt")),
        ],
        check=True,
    )
    shutil.copytree(ROOT / "shared" / "fingerpost", packages / "fingerpost")
    trim(layer)
    return size(layer)


def write_floor(folder: Path) -> None:
    folder.mkdir()
    (folder / "app.py").write_text(FLOOR, "utf-8")


def write_site(folder: Path) -> None:
    (folder / "content").mkdir(parents=True)
    (folder / "app.yaml").write_text(RECORDS_APP.format(most=ROWS + 1) + DOCS, "utf-8")
    (folder / "content" / "start.md").write_text(ARTICLE, "utf-8")
