"""Real shared caches before the functions: nothing leaks, no form is swapped, nothing stays for too long."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from tests import figures
from tests.e2e import cached_table, cached_traffic, caches, edge_function, guarded_stack
from tests.e2e.asking import ACCEPTS, AGENT, Ask
from tests.e2e.cached_table import Row
from tests.e2e.cached_traffic import Origin
from tests.e2e.guarded_site import EDITOR, MEMBER, READERS, VISITORS
from tests.e2e.guarded_stack import Stack
from tests.support import Response

PROGRAMS = {
    "nginx": caches.NGINX,
    "varnishd": caches.VARNISHD,
    "varnishncsa": caches.VARNISHNCSA,
    "node": edge_function.NODE,
}
ABSENT = [name for name, path in PROGRAMS.items() if path is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.skipif(bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)}"),
]

# The minute for which a sitemap is served unchanged, made shorter by its setting.
SITEMAP_SECONDS = 3
# HTTP tells ages in whole seconds (RFC 9111 1.2.2), and nginx counts the one that it is in.
A_SECOND = 1
REQUESTS = 1_500
THREADS = 4
# How often the sitemap is asked for while the database is stopped.
TIMES = 3

NEW = "INSERT INTO news (title, slug) VALUES ('News', '{slug}')"


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The stack that most tests share."""
    with guarded_stack.running(tmp_path_factory.mktemp("stack"), SITEMAP_SECONDS) as running:
        yield running


def test_nothing_leaks_and_no_form_is_swapped(stack: Stack) -> None:
    """Thousands of requests at once, by strangers and readers, browsers and agents, with HEAD, conditions,
    queries and forged headers: each answer is one that the origin gives to this visitor for this form at this
    host, and holds no mark that the visitor may not see (cases 5, 6, 8, 68, 70, 71)."""
    with stack.client() as client:
        origin = Origin(client)
        asks = cached_traffic.plan(REQUESTS, seed=6, origin=origin)
        exchanges = cached_traffic.run(stack, asks, THREADS)
        wrong = Counter(
            f"{each.cache}: {each.ask.method} {each.ask.target} by {each.ask.visitor}: {complaint}"
            for each in exchanges
            for complaint in cached_traffic.complaints(each, origin)
        )
    assert len(exchanges) == REQUESTS * len(caches.CACHES)
    assert not wrong, "\n".join(f"{times} x {text}" for text, times in wrong.most_common(20))
    _covers_what_it_should([(each.ask, each.answer) for each in exchanges])


def _covers_what_it_should(exchanges: list[tuple[Ask, Response]]) -> None:
    """The traffic was worth the name: who may read did, caches were hit, and copies were found still good."""
    seen = {(mark, ask.visitor) for ask, answer in exchanges for mark in READERS if mark in answer.body}
    assert seen == {(mark, reader) for mark, readers in READERS.items() for reader in readers}
    assert {ask.visitor for ask, _ in exchanges} == set(VISITORS)
    assert {ask.accept for ask, _ in exchanges} == set(ACCEPTS)
    statuses = Counter(answer.status for _, answer in exchanges)
    assert statuses.keys() == {200, 301, 302, 304, 403, 404, 405}
    assert sum(_was_kept(answer) for _, answer in exchanges) > REQUESTS // 3


@pytest.mark.parametrize("cache", caches.CACHES)
def test_a_new_record_is_in_the_sitemap_in_time(stack: Stack, cache: str) -> None:
    """A record appears at most one (shortened) minute after it was written, through the functions' memory and
    the cache together, and stays."""
    slug = f"news-{caches.CACHES.index(cache)}"
    ask = Ask("/sitemap.xml", host="fresh.example")
    with stack.client(cache) as client:
        assert slug.encode() not in client.send(ask).body
        stack.database.run(NEW.format(slug=slug))
        written = time.monotonic()
        while slug.encode() not in client.send(ask).body:
            assert time.monotonic() - written <= SITEMAP_SECONDS + A_SECOND
            time.sleep(0.02)
        appeared = time.monotonic()
        while time.monotonic() - appeared < A_SECOND:
            assert slug.encode() in client.send(ask).body
            time.sleep(0.02)


@dataclass(frozen=True, slots=True)
class Outage:
    """What was seen of a stop of the database: `good` is the last good sitemap, `origin` what the origin said
    then. By cache, `during` are its answers with what it did, `others` those for other paths, and `after` is
    the sitemap once the database is back."""

    good: bytes
    origin: Response
    during: Mapping[str, list[tuple[str, Response]]]
    others: Mapping[str, Mapping[str, Response]]
    after: Mapping[str, Response]


@pytest.fixture(scope="module")
def outage(tmp_path_factory: pytest.TempPathFactory) -> Outage:
    """A stack of its own whose database stops once every cache holds the sitemap, and comes back later."""
    sitemap = Ask("/sitemap.xml")
    with guarded_stack.running(tmp_path_factory.mktemp("outage"), SITEMAP_SECONDS) as stack:
        for cache in caches.CACHES:
            with stack.client(cache) as client:
                while not _was_kept(client.send(sitemap)):
                    time.sleep(0.02)
        with stack.client() as origin:
            good = origin.send(sitemap).body
            stack.database.stop()
            while (failed := origin.send(sitemap)).status == 200:
                time.sleep(0.1)
        time.sleep(SITEMAP_SECONDS + A_SECOND)  # whatever the caches hold is out of date by now
        probing = cached_table.Probing(stack)
        with stack.client() as origin:
            for cache in caches.CACHES:
                for _ in range(TIMES):
                    probing.send(cache, sitemap)
                    # Varnish asks the origin once it has answered: let it have its answer, too.
                    for _ in range(3):
                        origin.send(sitemap)
        during = {
            cache: list(zip(probing.outcomes(cache), probing.answers(cache), strict=True))
            for cache in caches.CACHES
        }
        others = {
            cache: _each(stack, cache, "/robots.txt", "/llms.txt", "/posts/first") for cache in caches.CACHES
        }
        stack.database.start()
        for cache in caches.CACHES:
            _each(stack, cache, sitemap.path)  # the answer that finds out
        after = {cache: _each(stack, cache, sitemap.path)[sitemap.path] for cache in caches.CACHES}
        return Outage(good, failed, during, others, after)


def _was_kept(answer: Response) -> bool:
    """Whether an answer came out of a cache: nginx says so, Varnish names the request that it came in by."""
    return answer.headers.get("x-cache") == "HIT" or len(answer.headers.get("x-varnish", "").split()) == 2


def _each(stack: Stack, cache: str, *paths: str) -> Mapping[str, Response]:
    with stack.client(cache) as client:
        return {path: client.send(Ask(path)) for path in paths}


def test_without_the_database_the_origin_asks_to_come_back(outage: Outage) -> None:
    """The functions answer 503 with Retry-After, for no cache to keep; never a sitemap without records."""
    assert outage.origin.status == 503
    assert outage.origin.headers["cache-control"] == "no-store"
    assert outage.origin.headers["retry-after"] == "30"


@pytest.mark.parametrize("cache", [caches.BY_POLICY, caches.BY_URL])
def test_without_the_database_the_last_good_sitemap_is_served(outage: Outage, cache: str) -> None:
    """nginx goes on serving the sitemap that it has, as `stale-if-error` allows for a day."""
    assert [did for did, _ in outage.during[cache]] == ["STALE"] * TIMES
    assert {(answer.status, answer.body) for _, answer in outage.during[cache]} == {(200, outage.good)}


def test_varnish_serves_the_last_good_sitemap_within_its_grace(outage: Outage) -> None:
    """The VCL that is built in knows no `stale-if-error`. Its grace gives the last good sitemap once, while
    it asks the origin; the 503 that it gets takes the sitemap's place."""
    statuses = [answer.status for _, answer in outage.during[caches.VARNISH]]
    assert statuses == [200] + [503] * (TIMES - 1)
    assert outage.during[caches.VARNISH][0][1].body == outage.good


@pytest.mark.parametrize("cache", caches.CACHES)
def test_what_needs_no_database_goes_on(outage: Outage, cache: str) -> None:
    """robots.txt and llms.txt are answered as ever; a record's page that no cache holds is a 503."""
    statuses = {path: answer.status for path, answer in outage.others[cache].items()}
    assert statuses == {"/robots.txt": 200, "/llms.txt": 200, "/posts/first": 503}


@pytest.mark.parametrize("cache", caches.CACHES)
def test_once_the_database_is_back_so_is_the_sitemap(outage: Outage, cache: str) -> None:
    """No cache has kept the 503."""
    assert (outage.after[cache].status, outage.after[cache].body) == (200, outage.good)


def test_the_table_tells_what_the_caches_do(stack: Stack, outage: Outage) -> None:
    """The table in infra/README.md is what this run has seen."""
    stale = Row("`sitemap.xml`, Postgres stopped", "anybody", outage.origin)
    for cache, answers in outage.during.items():
        stale.did[cache] = [did if answer.status == 503 else f"{did} (200)" for did, answer in answers]
    found = cached_table.table([*cached_table.observe(stack, cached_table.ROWS), stale])
    figures.hold(cached_table.README, cached_table.NAME, found)


def test_readers_get_what_is_theirs_through_every_cache(stack: Stack) -> None:
    """The rows of the table are no row of refusals: member and editor get the marks of theirs alone."""
    asks = {MEMBER: Ask("/members/plan", MEMBER, AGENT), EDITOR: Ask("/editors/plan", EDITOR)}
    for cache in caches.CACHES:
        with stack.client(cache) as client:
            for visitor, ask in asks.items():
                assert f"mark-{visitor}s-plan".encode() in client.send(ask).body
