"""Postgres killed, restarted, slow, full, and gone in the middle: SPEC section 13, on a real server."""

import contextlib
import gc
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fingerpost.limits import (
    RECORD_PAGE_ROWS,
    RETRY_AFTER_SECONDS,
)
from fingerpost.sources.postgres import PostgresRecords, record_source
from tests.e2e.own_postgres import OwnPostgres, own_postgres
from tests.e2e.processes import wait_until
from tests.e2e.proxy import Proxy, proxy
from tests.support import Functions, MemoryStore, Response

pytestmark = pytest.mark.postgres

APP = """name: Acme
deployment: {site: "https://example.com"}
tables:
  - name: posts
    fields: [{name: slug, type: single-line-text}, {name: title, type: single-line-text},
             {name: updated, type: updated-at}]
    permissions: {read: all}
pages:
  - {name: home, path: /, meta: {title: Home}}
  - {name: docs, path: "/docs/:slug", contentDir: {directory: content/docs}}
  - {name: post, path: "/blog/:slug", collection: {table: posts, slugField: slug}, rss: true}
"""
FILES = {"app.yaml": APP, "content/docs/start.md": "---\ntitle: Start\n---\nHello\n"}
UNAFFECTED = (
    "/robots.txt",
    "/llms.txt",
    "/llms-full.txt",
    "/agent-readability.json",
    "/docs/start.md",
    "/docs/start",
)
NEEDING_RECORDS = ("/sitemap.xml", "/blog/p1", "/feed.xml")
# What the functions have left when they are asked, and what they may take at most (seconds).
TIME_LEFT = 3.0
IN_TIME = TIME_LEFT + 0.5
# A set of the sitemap is good for a minute.
NEXT_MINUTE = 61
# How long the server may take to notice that a connection is gone.
_RELEASED = 12


@pytest.fixture(scope="module")
def server() -> Iterator[OwnPostgres]:
    """A server for these tests alone."""
    with own_postgres() as server:
        yield server


@pytest.fixture
def posts(server: OwnPostgres) -> Callable[[int], None]:
    """Makes the table with so many posts: `p1`, `p2`, ..."""

    def make(count: int) -> None:
        server.run(
            "DROP TABLE IF EXISTS posts CASCADE; "
            "CREATE TABLE posts (id serial PRIMARY KEY, slug text, title text, updated timestamp, "
            "deleted_at timestamptz); "
            "INSERT INTO posts (slug, title, updated) "
            f"SELECT 'p' || n, 'Post ' || n, '2026-01-01' FROM generate_series(1, {count}) n; "
            "GRANT SELECT ON posts TO reader"
        )

    make(3)
    return make


@pytest.fixture
def network(server: OwnPostgres) -> Iterator[Proxy]:
    """The way between the functions and the server."""
    with proxy(("127.0.0.1", server.port)) as network:
        yield network


@pytest.fixture
def site(server: OwnPostgres, network: Proxy, posts: object) -> Iterator[Functions]:
    """The functions of the site; once they let go of their connections, the server knows of none."""
    with _functions(server.url(network.port)) as functions:
        yield functions
        network.heal()
        assert server.readers() <= 4  # what is kept for the next request
    wait_until(lambda: server.readers() == 0, _RELEASED)


@contextlib.contextmanager
def _functions(url: str) -> Iterator[Functions]:
    records = record_source({"DATABASE_URL": url})
    assert isinstance(records, PostgresRecords)
    try:
        yield Functions(MemoryStore(FILES), records=records, time_left=TIME_LEFT)
    finally:
        records.close()


def assert_serving(site: Functions) -> None:
    """Everything is served, and the sitemap has its records."""
    for path in (*UNAFFECTED, *NEEDING_RECORDS):
        assert site.get(path).status == 200, path
    assert "https://example.com/blog/p3" in site.get("/sitemap.xml").text


def assert_without_database(site: Functions) -> None:
    """SPEC section 13: what needs no records is served, what needs them is a 503 to come back after, in time.
    The minute is over: there is no set of the sitemap that would still be good."""
    site.clock.seconds += NEXT_MINUTE
    for path in UNAFFECTED:
        assert site.get(path).status == 200, path
    with ThreadPoolExecutor(len(NEEDING_RECORDS)) as visitors:
        list(visitors.map(lambda path: assert_unavailable_in_time(site, path), NEEDING_RECORDS))


def assert_unavailable_in_time(site: Functions, path: str) -> None:
    began = time.monotonic()
    assert_unavailable(site.get(path))
    assert time.monotonic() - began < IN_TIME, path


def assert_unavailable(response: Response) -> None:
    assert response.status == 503
    assert response.headers["retry-after"] == str(RETRY_AFTER_SECONDS)
    assert response.headers["cache-control"] == "no-store"


def test_a_killed_server(site: Functions, server: OwnPostgres) -> None:
    """While the server is gone only what needs records fails; once it is back everything is served, by the
    same instances."""
    assert_serving(site)
    server.kill()
    try:
        assert_without_database(site)
    finally:
        server.start()
    assert_serving(site)


def test_a_cold_start_without_server(server: OwnPostgres, network: Proxy, posts: object) -> None:
    """Functions that have never seen the server answer alike, and need no restart when it comes."""
    network.refuses = True
    with _functions(server.url(network.port)) as site:
        assert_without_database(site)
        network.heal()
        assert_serving(site)


def test_a_restart_is_not_noticed(site: Functions, server: OwnPostgres) -> None:
    """Connections that a restart ended are replaced: the next request is answered, not the one after."""
    assert_serving(site)
    server.stop()
    server.start()
    site.clock.seconds += NEXT_MINUTE
    assert_serving(site)


def test_a_cut_connection_is_not_noticed(site: Functions, network: Proxy) -> None:
    """case 63: a kept connection that the network dropped is replaced."""
    assert_serving(site)
    network.cut()
    site.clock.seconds += NEXT_MINUTE
    assert_serving(site)


def test_a_full_server(site: Functions, server: OwnPostgres) -> None:
    """No connection free: 503, and served again as soon as one is."""
    with _functions(server.url()) as other:
        sources = [record_source({"DATABASE_URL": server.url()}) for _ in range(9)]
        with contextlib.ExitStack() as stack:
            for source in sources:
                stack.enter_context(source.snapshot())
            assert_without_database(other)
            assert_without_database(site)
        for source in sources:
            assert isinstance(source, PostgresRecords)
            source.close()
        wait_until(lambda: server.readers() == 0, _RELEASED)
        assert_serving(other)
        assert_serving(site)


def test_a_silent_server(site: Functions, network: Proxy) -> None:
    """A server that takes connections and never says a word is given up before the function would be."""
    network.stalled = True
    assert_without_database(site)
    network.cut()
    network.heal()
    assert_serving(site)


def test_a_server_that_falls_silent(site: Functions, network: Proxy) -> None:
    """The same on a connection that has served before."""
    assert_serving(site)
    network.stalled = True
    assert_without_database(site)
    network.cut()
    network.heal()
    assert_serving(site)


@pytest.mark.parametrize("path", ["/sitemap.xml", "/blog/p1", "/feed.xml"])
def test_a_slow_statement(
    path: str, site: Functions, server: OwnPostgres, posts: Callable[[int], None]
) -> None:
    """A statement slower than the function's time-out ends with 503 in time, and goes on nowhere."""
    server.run(
        "ALTER TABLE posts ENABLE ROW LEVEL SECURITY; "
        "CREATE POLICY slow ON posts USING (pg_sleep(8) IS NOT NULL)"
    )
    assert_unavailable_in_time(site, path)
    running = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active'"
    wait_until(lambda: server.run(running)[0][0] == 0, 2)
    posts(3)
    assert site.get(path).status == 200


def test_many_statements_that_are_each_quick_enough(
    site: Functions, server: OwnPostgres, posts: Callable[[int], None]
) -> None:
    """What counts is how long the answer takes, not one statement of it: pages of records that together take
    longer than there is time are given up."""
    posts(3 * RECORD_PAGE_ROWS)
    server.run(
        "ALTER TABLE posts ENABLE ROW LEVEL SECURITY; "
        f"CREATE POLICY slow ON posts USING (id % {RECORD_PAGE_ROWS} > 0 OR pg_sleep(1.4) IS NOT NULL)"
    )
    assert_unavailable_in_time(site, "/sitemap.xml")
    posts(3)
    assert_serving(site)


def test_a_slow_network(site: Functions, network: Proxy) -> None:
    """Answers that arrive byte by byte never let a single wait run out; the whole of them does."""
    network.pace = 60
    assert_without_database(site)
    network.cut()
    network.heal()
    assert_serving(site)


def test_a_far_server_serves(site: Functions, network: Proxy) -> None:
    """A round trip that takes a while is no fault."""
    network.delay = 0.05
    assert_serving(site)


def test_a_lock_is_given_up(site: Functions, server: OwnPostgres) -> None:
    """A migration that holds the table makes 503s, and nothing else, until it is done."""
    migration = server.connect()
    try:
        migration.run("BEGIN; LOCK TABLE posts")
        assert_without_database(site)
        migration.run("COMMIT")
        assert_serving(site)
    finally:
        migration.close()


@pytest.mark.parametrize(
    ("broken", "mended"),
    [
        ("ALTER TABLE posts RENAME TO others", "ALTER TABLE others RENAME TO posts"),
        ("ALTER TABLE posts RENAME slug TO name", "ALTER TABLE posts RENAME name TO slug"),
        ("REVOKE SELECT ON posts FROM reader", "GRANT SELECT ON posts TO reader"),
        ("ALTER ROLE reader CONNECTION LIMIT 0", "ALTER ROLE reader CONNECTION LIMIT -1"),
    ],
    ids=["no table", "no column", "no right", "no login"],
)
def test_a_changed_schema(broken: str, mended: str, site: Functions, server: OwnPostgres) -> None:
    """A table, column, right or login that is missing is a 503, and everything is served once it is there."""
    server.run(broken)
    try:
        assert_without_database(site)
    finally:
        server.run(mended)
    assert_serving(site)


def test_a_failover_in_the_middle(
    site: Functions, network: Proxy, posts: Callable[[int], None], caplog: pytest.LogCaptureFixture
) -> None:
    """A connection that dies between two pages of records takes the sitemap with it: one made of two moments,
    or without its last page, is never served. The next request finds the new server."""
    posts(2 * RECORD_PAGE_ROWS)
    network.cut_after = 200_000
    assert_unavailable(site.get("/sitemap.xml"))
    assert "the connection to Postgres broke" in caplog.text
    network.heal()
    index = site.get("/sitemap.xml")
    children = re.findall(r"<loc>https://example\.com(/sitemap-\d+\.xml)</loc>", index.text)
    locs = [loc for child in children for loc in re.findall("<loc>[^<]*", site.get(child).text)]
    assert len(set(locs)) == len(locs) == 2 * RECORD_PAGE_ROWS + 2


def test_a_cut_at_any_byte(server: OwnPostgres, posts: object, caplog: pytest.LogCaptureFixture) -> None:
    """Wherever in the server's answers a connection breaks, a request is answered or unavailable, never a
    failure, and the connection is not left behind."""
    seen = set()
    for passed in (*range(0, 600, 7), *range(600, 3_000, 97)):
        with proxy(("127.0.0.1", server.port)) as network, _functions(server.url(network.port)) as site:
            network.cut_after = passed
            seen.add(status := site.get("/blog/p1").status)
            assert status in (200, 503), (passed, caplog.text)
    assert seen == {200, 503}
    wait_until(lambda: server.readers() == 0, _RELEASED)


@pytest.mark.slow
def test_restarts_under_load(server: OwnPostgres, posts: object) -> None:
    """Visitors keep asking while the server is killed and started again: each is answered whole or told to
    come back, and no socket is left behind."""
    with _functions(server.url()) as site:
        _restart_under(site, server)


def _restart_under(site: Functions, server: OwnPostgres) -> None:
    assert_serving(site)
    over = threading.Event()
    before = _open_files()

    def visit(path: str) -> set[int]:
        statuses = set()
        while not over.is_set():
            site.clock.seconds += NEXT_MINUTE
            response = site.get(path)
            statuses.add(response.status)
            if path == "/sitemap.xml" and response.status == 200:
                assert response.text.count("<loc>") == 5
        return statuses

    with ThreadPoolExecutor(4) as visitors:
        asked = [
            visitors.submit(visit, path) for path in ("/sitemap.xml", "/blog/p1", "/blog/p2", "/feed.xml")
        ]
        try:
            for how in (server.kill, server.stop):
                time.sleep(0.3)
                how()
                time.sleep(0.3)
                server.start()
            time.sleep(0.3)
        finally:
            over.set()
        statuses = set().union(*(each.result() for each in asked))
    assert statuses == {200, 503}
    assert_serving(site)
    # One connection was kept before, and up to four are after so many at a time.
    assert _open_files() <= before + 3


def _open_files() -> int:
    gc.collect()  # the driver's errors hold themselves, and with them their socket
    return len(list(Path(f"/proc/{os.getpid()}/fd").iterdir()))
