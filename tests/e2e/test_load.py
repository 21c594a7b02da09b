"""Many visitors at once, through a shared cache and straight at the functions: no error, no growing memory.

Five seconds each way; FINGERPOST_LOAD_SECONDS=60 is the long form. The figures
stand in tests/README.md.
"""

import contextlib
import json
import os
import platform
import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from fingerpost_tools.places import demo
from tests import figures
from tests.e2e import caches, faulty_s3, functions_process
from tests.e2e.faulty_s3 import FaultyS3
from tests.e2e.nginx_configuration import nginx_configuration
from tests.e2e.own_postgres import OwnPostgres, own_postgres
from tests.e2e.processes import free_ports, listening
from tests.e2e.serving import Client
from tests.template.cloudformation import ROOT

WRK: Final = shutil.which("wrk")
SECONDS: Final = float(os.environ.get("FINGERPOST_LOAD_SECONDS", "5"))
README: Final = ROOT / "tests" / "README.md"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.skipif(WRK is None or caches.NGINX is None, reason="needs wrk and nginx"),
]

RECORDS: Final = 12_000
CONNECTIONS: Final = 16
# What a process may grow by while it serves the same pages again and again (bytes).
GROWTH: Final = 16 * 1024 * 1024
_END_READERS: Final = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'"
APP: Final = """name: Load
languages: {default: en, supported: [{code: en}, {code: fr}]}
tables:
  - name: posts
    fields: [{name: slug, type: single-line-text}, {name: title, type: single-line-text},
             {name: body, type: rich-text}, {name: updated, type: updated-at}]
    permissions: {read: all}
pages:
  - {name: home, path: /, meta: {title: Home}}
  - {name: docs, path: "/docs/:path*", contentDir: {directory: "content/{lang}", slugFrom: filepath}}
  - name: post
    path: "/blog/:slug"
    collection: {table: posts, slugField: slug}
    rss: true
    meta: {title: $record.title}
    components: [{type: text, content: $record.body}]
"""
CREATE: Final = f"""
CREATE TABLE posts (id serial PRIMARY KEY, slug text UNIQUE, title text, body text, updated timestamp,
                    deleted_at timestamptz);
INSERT INTO posts (slug, title, body, updated)
  SELECT 'post-' || n, 'Post ' || n, repeat('Word ', 200), '2026-01-01' FROM generate_series(1, {RECORDS}) n;
GRANT SELECT ON posts TO reader;
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What wrk measured: times in microseconds."""

    requests: int
    microseconds: int
    bytes: int
    errors: int
    p50: int
    p99: int
    most: int

    @property
    def per_second(self) -> float:
        return self.requests / (self.microseconds / 1e6)

    def __str__(self) -> str:
        return (
            f"{self.per_second:,.0f} requests/s, half within {self.p50 / 1000:.1f} ms, 99 % within "
            f"{self.p99 / 1000:.1f} ms, all within {self.most / 1000:.0f} ms, {self.errors} errors"
        )


@dataclass(frozen=True, slots=True)
class Stack:
    """The site behind nginx, and the files its parts leave."""

    database: OwnPostgres
    origin: int
    cache: int
    process: int
    access_log: Path
    functions_log: Path

    def memory(self) -> int:
        """What the functions' process has in memory (bytes)."""
        status = Path(f"/proc/{self.process}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) * 1024

    def cached(self) -> Counter[str]:
        """What nginx did with the requests so far: HIT, MISS, EXPIRED, ..."""
        return Counter(self.access_log.read_text(encoding="ascii").split())

    def transactions(self) -> int:
        """How many transactions the database has ended so far.

        A session that waits tells of its own up to ten seconds late, one that ends at once: so the
        functions' sessions are ended; they open others.
        """
        end = time.monotonic() + 30
        while self.database.readers():  # and once more, where a late request has opened another
            assert time.monotonic() < end
            self.database.run(_END_READERS)
            time.sleep(0.05)
        told = self.database.run(
            "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = 'site'", "postgres"
        )
        return int(told[0][0])


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The functions on S3 and Postgres, behind nginx that is keyed as the CDN."""
    folder = tmp_path_factory.mktemp("load")
    with own_postgres() as database, faulty_s3.faulty_s3() as s3, contextlib.ExitStack() as stack:
        database.run(CREATE)
        _publish(s3)
        functions_log = folder / "functions.log"
        settings = {
            "SITE_BUCKET": "load",
            "AWS_ENDPOINT_URL_S3": s3.endpoint,
            "BASE_URL": "https://load.example",
            "DATABASE_URL": database.url(),
        }
        functions = stack.enter_context(functions_process.running(settings, functions_log))
        cache = stack.enter_context(_nginx(functions.port, folder))
        yield Stack(database, functions.port, cache, functions.process, folder / "access.log", functions_log)


def _publish(s3: FaultyS3) -> None:
    client = s3.client()
    client.create_bucket(Bucket="load", CreateBucketConfiguration={"LocationConstraint": faulty_s3.REGION})
    client.put_object(Bucket="load", Key="app.yaml", Body=APP.encode())
    articles = demo() / "content" / "docs"
    for path in sorted(articles.rglob("*.md")):
        key = f"content/{path.relative_to(articles).as_posix()}"
        client.put_object(Bucket="load", Key=key, Body=path.read_bytes())


@contextlib.contextmanager
def _nginx(origin: int, folder: Path) -> Iterator[int]:
    """The port of nginx as `caches` has it, with a log of what its cache did."""
    port, other = free_ports(2)
    written = nginx_configuration(origin, port, other, folder)
    log = "log_format cached '$upstream_cache_status'; access_log access.log cached;"
    configuration = folder / "nginx.conf"
    configuration.write_text(
        written.replace("access_log off;", log.replace("access.log", f"{folder}/access.log"))
    )
    command = [str(caches.NGINX), "-p", str(folder), "-c", str(configuration), "-e", f"{folder}/error.log"]
    with listening(command, port, folder / "nginx.log"):
        yield port


@pytest.fixture(scope="module")
def targets(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is asked for: the documents, every article in both forms, and a few hundred records."""
    documents = (
        "/sitemap.xml",
        "/sitemap-1.xml",
        "/robots.txt",
        "/feed.xml",
        "/llms.txt",
        "/agent-readability.json",
    )
    client = Client(f"http://127.0.0.1:{stack.origin}")
    with contextlib.closing(client):
        llms = client.get("/llms.txt").text
        twins = re.findall(r"\(https://load\.example([^)]+\.md)\)", llms)
        locs = re.findall(r"<loc>https://load\.example([^<]+)", client.get("/sitemap-1.xml").text)
        pages = [loc for loc in locs if "/blog/" not in loc]
        records = [loc for loc in locs if "/blog/" in loc][:300]
        asked = [*documents, *twins, *pages, *records]
        assert len(twins) > 10
        assert len(pages) > 10
        assert len(records) == 300
        assert {client.get(target).status for target in asked} == {200}
    file = tmp_path_factory.mktemp("targets") / "targets.txt"
    file.write_text("\n".join(asked) + "\n", encoding="ascii")
    return file


def wrk(port: int, targets: Path, seconds: float) -> Run:
    done = subprocess.run(
        [
            *(str(WRK), "-t2", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s"),
            *(
                "-s",
                str(Path(__file__).with_name("load.lua")),
                f"http://127.0.0.1:{port}/",
                "--",
                str(targets),
            ),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return Run(**json.loads(done.stdout.splitlines()[-1]))


def test_behind_a_shared_cache(stack: Stack, targets: Path) -> None:
    """Visitors cost the functions next to nothing, and the database less: nearly everything is a hit, and
    nothing fails."""
    before, transactions, memory = stack.cached(), stack.transactions(), stack.memory()
    run = wrk(stack.cache, targets, SECONDS)
    did = stack.cached() - before
    reads = stack.transactions() - transactions
    asked_of_origin = did.total() - did["HIT"] - did["STALE"] - did["UPDATING"]
    ratio = 1 - asked_of_origin / did.total()
    grown = stack.memory() - memory
    _report(
        "load-behind-a-cache",
        str(run),
        f"{ratio:.2%} hits: {asked_of_origin:,} of {did.total():,} requests reached the functions",
        f"{reads:,} transactions in Postgres",
        _growth(grown, stack),
    )
    assert run.errors == 0
    assert ratio > 0.9
    assert reads <= asked_of_origin + 20
    assert grown < GROWTH
    assert _complaints(stack) == []


def test_straight_at_the_functions(stack: Stack, targets: Path) -> None:
    """Without any cache every request is made anew: nothing fails, and memory stays where it was."""
    wrk(stack.origin, targets, max(2.0, SECONDS / 3))
    memory, transactions = stack.memory(), stack.transactions()
    run = wrk(stack.origin, targets, SECONDS)
    grown = stack.memory() - memory
    reads = stack.transactions() - transactions
    _report(
        "load-at-the-functions",
        str(run),
        f"{reads:,} transactions in Postgres",
        _growth(grown, stack),
    )
    assert run.errors == 0
    assert grown < GROWTH
    assert stack.database.readers() <= 4 * 5  # what each of five functions may keep
    assert _complaints(stack) == []


def _complaints(stack: Stack) -> Sequence[str]:
    return stack.functions_log.read_text(encoding="utf-8").splitlines()


def _growth(grown: int, stack: Stack) -> str:
    megabyte = 1024 * 1024
    return f"the functions' memory grew by {grown / megabyte:.1f} MB to {stack.memory() / megabyte:.0f} MB"


def _report(name: str, *found: str) -> None:
    """Print the figures, and write them into the README where that is asked for."""
    print(f"\n{name}", *found, sep="\n  ")
    if figures.WRITING:
        conditions = f"{SECONDS:g} s on {os.cpu_count()} cores, Python {platform.python_version()}"
        figures.write(README, name, "\n".join(f"- {each}" for each in (conditions, *found)))
