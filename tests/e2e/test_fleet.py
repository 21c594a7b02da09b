"""Eight instances of the sitemap function, each a process, over one S3 and one Postgres that always changes.

A set is good for SECONDS here, so that a run takes half a minute; `FINGERPOST_FLEET_SECONDS=60` is the
product's own minute, and takes more than two.
"""

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from fingerpost_tools import embedded_postgres
from fingerpost_tools.embedded_postgres import Database

SECONDS: Final = int(os.environ.get("FINGERPOST_FLEET_SECONDS", "8"))
DURATION: Final = max(24, 2 * SECONDS)
INSTANCES: Final = 8
PAUSE: Final = SECONDS / 8
ROWS: Final = 50_010
PERMANENT: Final = 45_000
ROOT: Final = Path(__file__).resolve().parents[2]

APP: Final = """\
name: Fleet
seo: {sitemap: {maxRecords: 100000}}
tables:
  - name: posts
    permissions: {read: all}
    fields: [{name: slug, type: single-line-text}]
pages:
  - {name: post, path: "/posts/:slug", collection: {table: posts, slugField: slug}}
"""

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


@dataclass
class Writer:
    """Inserts, updates and deletes rows without a pause. `ticks` are rows that stay, with the time at which
    each was certainly there."""

    database: Database
    ticks: dict[str, float] = field(default_factory=dict)
    writes: int = 0
    _stopped: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        connection = self.database.connect()
        chance = random.Random(7)
        try:
            while not self._stopped.wait(0.02):
                name = f"tick-{len(self.ticks)}"
                connection.run("INSERT INTO posts (slug) VALUES (:slug)", slug=name)
                self.ticks[name] = time.time()
                for statement in (
                    "INSERT INTO posts (slug) VALUES ('passing-' || :value)",
                    "UPDATE posts SET updated_at = now() WHERE id = CAST(:value AS integer)",
                    "UPDATE posts SET deleted_at = now() WHERE id = CAST(:value AS integer) + 45000",
                    "DELETE FROM posts WHERE id = CAST(:value AS integer) + 45000",
                ):
                    connection.run(statement, value=str(chance.randrange(1, 5_010)))
                    self.writes += 1
        finally:
            connection.close()

    def stop(self) -> None:
        self._stopped.set()


@pytest.fixture(scope="module")
def database(reachable: Path) -> Iterator[Database]:
    """A table of 50,010 rows, of which the first 45,000 are never touched but for their dates."""
    state = reachable / "fleet"
    state.mkdir()
    with embedded_postgres.running(state) as running:
        made = running.psql(
            "-c",
            "CREATE TABLE posts (id serial PRIMARY KEY, slug text, updated_at timestamptz DEFAULT now(), "
            "deleted_at timestamptz); INSERT INTO posts (slug) SELECT "
            f"CASE WHEN n <= {PERMANENT} THEN 'permanent-' ELSE 'passing-row-' END || n "
            f"FROM generate_series(1, {ROWS}) n",
        )
        assert made.returncode == 0, made.stderr
        yield running


@pytest.fixture(scope="module")
def s3_address() -> Iterator[str]:
    """An S3 with the site, and a bucket for the sets."""
    import boto3
    from moto.moto_server.threaded_moto_server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    client = boto3.client("s3", endpoint_url=address, region_name="us-east-1")
    for bucket in ("fleet-site", "fleet-generations"):
        client.create_bucket(Bucket=bucket)
    client.put_object(Bucket="fleet-site", Key="app.yaml", Body=APP.encode())
    yield address
    server.stop()


@dataclass(frozen=True)
class Run:
    """What happened: what each instance said in each round, and what the writer wrote."""

    said: list[list[dict[str, Any]]]
    ticks: dict[str, float]
    writes: int

    @property
    def rounds(self) -> list[dict[str, Any]]:
        return [each for instance in self.said for each in instance]

    @property
    def sets(self) -> dict[str, dict[str, Any]]:
        """The sets that were looked into, by the tag of their index."""
        return {each["tags"][0]: each for each in self.rounds if "others" in each}


@pytest.fixture(scope="module")
def run(database: Database, s3_address: str) -> Run:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "shared", ROOT / "infra", ROOT))),
        "AWS_ENDPOINT_URL": s3_address,
        "SITE_BUCKET": "fleet-site",
        "GENERATIONS_BUCKET": "fleet-generations",
        "DATABASE_URL": database.url,
        "BASE_URL": "https://fleet.example",
        "SITEMAP_SECONDS": str(SECONDS),
    }
    writer = Writer(database)
    writing = threading.Thread(target=writer.run)
    writing.start()
    try:
        start = time.time() + 4
        command = [
            sys.executable,
            "-m",
            "tests.e2e.fleet",
            str(start),
            str(int(DURATION / PAUSE)),
            str(PAUSE),
        ]
        running = [
            subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for _ in range(INSTANCES)
        ]
        outputs = [each.communicate(timeout=DURATION + 60) for each in running]
    finally:
        writer.stop()
        writing.join()
    for process, (_, errors) in zip(running, outputs, strict=True):
        assert process.returncode == 0, errors
    return Run([list(map(json.loads, out.splitlines())) for out, _ in outputs], writer.ticks, writer.writes)


def test_postgres_is_read_once_a_minute(run: Run) -> None:
    """All instances together read Postgres once for each set, and a set a minute is all there is."""
    reads = sorted(moment for instance in run.said for moment in instance[-1]["reads"])
    assert DURATION / SECONDS - 1 <= len(reads) <= DURATION / SECONDS + 1
    assert all(later - earlier > SECONDS * 0.9 for earlier, later in pairwise(reads))


def test_every_set_is_whole(run: Run) -> None:
    """In each set every address stands once, and none is missing that was there throughout."""
    assert run.writes > 20 * DURATION
    assert len(run.sets) >= DURATION / SECONDS - 1
    for tag, found in run.sets.items():
        assert (found["twice"], found["permanent"]) == (0, PERMANENT), tag


def test_index_and_children_are_one_set(run: Run) -> None:
    """Whoever asks, one index always comes with the same children, byte for byte."""
    children: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for each in run.rounds:
        if each["one"]:
            children[each["tags"][0]].add(tuple(each["tags"][1:]))
    assert {len(found) for found in children.values()} == {1}
    # A set ends in the middle of a round now and then; most rounds must say something.
    assert sum(each["one"] for each in run.rounds) > 0.6 * len(run.rounds)


def test_all_instances_serve_the_same_set(run: Run) -> None:
    """At no moment are two sets served: nobody serves an earlier one than somebody else just did."""
    order = sorted(run.sets, key=lambda tag: min(e["asked"] for e in run.rounds if e["tags"][0] == tag))
    last = 0
    for each in sorted((e for e in run.rounds if e["one"]), key=lambda e: e["asked"]):
        place = order.index(each["tags"][0])
        assert place >= last or each["max_age"] == 0
        last = max(last, place)


def test_a_record_appears_within_a_minute(run: Run) -> None:
    """What a cache may hold at any time lacks no record that is a minute old: the answer's age and its
    max-age together stay within the minute."""
    for each in run.rounds:
        if not each["one"]:
            continue
        held_until = each["asked"] + each["max_age"]
        assert each["max_age"] <= SECONDS
        listed = set(run.sets[each["tags"][0]]["others"])
        late = [
            name for name, there in run.ticks.items() if there < held_until - SECONDS and name not in listed
        ]
        assert late == []
