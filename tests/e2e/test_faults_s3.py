"""S3 that refuses, throttles, truncates, hangs, and changes under a reader's hands: SPEC section 13, over
real HTTP, with the SDK the functions use."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from fingerpost.limits import RETRY_AFTER_SECONDS
from fingerpost.sources import attempts
from fingerpost.sources.objects import StoreUnavailable
from fingerpost.sources.published import PublishedStore
from fingerpost.sources.s3 import S3Store
from fingerpost.sources.shared_objects import S3SharedObjects
from tests.e2e import faulty_s3
from tests.e2e.faulty_s3 import Application, Environ, Fault, FaultyS3, StartResponse
from tests.e2e.processes import wait_until
from tests.e2e.proxy import Proxy, proxy
from tests.support import Functions

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

APP = """name: {name}
deployment: {{site: "https://example.com"}}
pages:
  - {{name: home, path: /, meta: {{title: "{name}"}}}}
  - {{name: docs, path: "/docs/:slug", contentDir: {{directory: content}}}}
"""
BROKEN = "name: [\n"
PATHS = ("/", "/sitemap.xml", "/robots.txt", "/llms.txt", "/docs/a", "/docs/a.md")
FAULTS = {
    "500": faulty_s3.INTERNAL_ERROR,
    "503 SlowDown": faulty_s3.SLOW_DOWN,
    "403": faulty_s3.ACCESS_DENIED,
    "502 of a gateway": faulty_s3.BAD_GATEWAY,
    "200 of a captive portal": faulty_s3.CAPTIVE_PORTAL,
    "truncated": faulty_s3.truncated,
}


@pytest.fixture(scope="module")
def server() -> Iterator[FaultyS3]:
    """One S3 for these tests."""
    with faulty_s3.faulty_s3() as server:
        yield server


@pytest.fixture
def s3(
    server: FaultyS3, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[FaultyS3]:
    """The server, healthy and with an empty bucket `site`; the SDK takes no rest between its attempts."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", server.endpoint)
    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.01)
    server.client().create_bucket(
        Bucket="site", CreateBucketConfiguration={"LocationConstraint": faulty_s3.REGION}
    )
    yield server
    server.heal()
    client = server.client()
    for page in client.get_paginator("list_objects_v2").paginate(Bucket="site"):
        if lines := page.get("Contents"):
            client.delete_objects(Bucket="site", Delete={"Objects": [{"Key": each["Key"]} for each in lines]})
    client.delete_bucket(Bucket="site")


@pytest.fixture
def bucket(s3: FaultyS3) -> "S3Client":
    """The bucket with a small site in it."""
    client = s3.client()
    put(client, "app.yaml", APP.format(name="One"))
    put(client, "content/a.md", "---\ntitle: A\n---\nAlpha\n")
    put(client, "content/b.md", "---\ntitle: B\n---\nBeta\n")
    return client


@pytest.fixture
def site(bucket: object) -> Functions:
    """The functions of the site, cold, as they are put together in production."""
    return opened()


def opened() -> Functions:
    return Functions(PublishedStore(S3Store("site")), time_left=25)


def put(client: "S3Client", key: str, body: str) -> None:
    client.put_object(Bucket="site", Key=key, Body=body.encode())


def statuses(site: Functions, paths: Iterable[str] = PATHS) -> dict[str, int]:
    return {path: site.get(path).status for path in paths}


SERVED = dict.fromkeys(PATHS, 200)
UNAVAILABLE = dict.fromkeys(PATHS, 503)


def eventually(met: Callable[[], bool], seconds: float = 10) -> None:
    """A store that failed is asked again before long."""
    wait_until(met, seconds)


def before(happens: Callable[[], object]) -> Fault:
    """Something that happens just before S3 answers, as it does to the next one who looks."""

    def fault(application: Application, environ: Environ, start: StartResponse) -> Iterable[bytes]:
        happens()
        return application(environ, start)

    return fault


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_cold_start(fault: Fault, s3: FaultyS3, site: Functions) -> None:
    """Where S3 fails at a cold start every address is a 503 to come back after: never a 404, never an empty
    file. Once S3 answers, the same instances serve."""
    s3.fail(fault)
    for path in PATHS:
        response = site.get(path)
        assert response.status == 503, path
        assert response.headers["retry-after"] == str(RETRY_AFTER_SECONDS)
        assert response.headers["cache-control"] == "no-store"
    s3.heal()
    assert statuses(site) == SERVED


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_the_last_good_content(
    fault: Fault, s3: FaultyS3, site: Functions, bucket: "S3Client", caplog: pytest.LogCaptureFixture
) -> None:
    """Where S3 fails later the last good content is served and the fault logged; what changed meanwhile is
    served once S3 answers, without a restart."""
    assert statuses(site) == SERVED
    put(bucket, "app.yaml", APP.format(name="Two"))
    s3.fail(fault)
    assert statuses(site) == SERVED
    assert "<title>One</title>" in site.get("/").text
    assert "The last good content is served".lower() in caplog.text.lower() or "refused" in caplog.text
    s3.heal()
    eventually(lambda: statuses(site) == SERVED)
    eventually(lambda: "<title>Two</title>" in site.get("/").text)


@pytest.mark.parametrize("fault", [faulty_s3.INTERNAL_ERROR, faulty_s3.SLOW_DOWN, faulty_s3.BAD_GATEWAY])
def test_a_passing_fault(fault: Fault, s3: FaultyS3, site: Functions) -> None:
    """A fault that is over at the next attempt is nobody's business."""
    for path in PATHS:
        s3.fail(fault, times=2)
        assert site.get(path).status == 200, path


def test_a_body_that_is_not_in_memory(s3: FaultyS3, site: Functions) -> None:
    """An article whose text was never read can't be served while S3 is away, and is not missing either."""
    assert site.get("/docs/a").status == 200
    s3.fail(faulty_s3.SLOW_DOWN)
    assert statuses(site, ("/docs/a", "/docs/b", "/docs/c")) == {
        "/docs/a": 200,
        "/docs/b": 503,
        "/docs/c": 404,
    }
    s3.heal()
    eventually(lambda: site.get("/docs/b").status == 200)


def test_a_hanging_store(s3: FaultyS3, bucket: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that does not answer is waited for once; then the last good content is served at once, for a
    while without asking."""
    monkeypatch.setattr(attempts, "READ_SECONDS", 0.5)
    site = opened()
    assert statuses(site) == SERVED
    s3.fail(faulty_s3.late(1.5))
    assert site.get("/").status == 200
    began = time.monotonic()
    for _ in range(20):
        assert site.get("/").status == 200
    assert time.monotonic() - began < 1
    s3.heal()
    eventually(lambda: statuses(site) == SERVED)


def test_a_hanging_store_at_a_cold_start(
    s3: FaultyS3, bucket: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The function answers 503 before its own time-out, however many attempts the SDK would still make."""
    monkeypatch.setattr(attempts, "ATTEMPTS", 50)
    monkeypatch.setattr(attempts, "READ_SECONDS", 0.5)
    site = Functions(PublishedStore(S3Store("site")), time_left=4)
    s3.fail(faulty_s3.late(2))
    began = time.monotonic()
    assert site.get("/").status == 503
    assert time.monotonic() - began < 4
    s3.heal()
    assert site.get("/").status == 200


def test_a_slow_network(s3: FaultyS3, bucket: "S3Client", monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that trickles in lets no single wait run out, and still ends in time."""
    put(bucket, "public/large.txt", "x" * 400_000)
    with proxy(("127.0.0.1", s3.port)) as network:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{network.port}")
        site = Functions(PublishedStore(S3Store("site")), time_left=3)
        assert site.get("/").status == 200
        _slow(network)
        began = time.monotonic()
        assert site.get("/large.txt").status == 503
        assert time.monotonic() - began < 3
        network.heal()
        eventually(lambda: site.get("/large.txt").status == 200)


def _slow(network: Proxy) -> None:
    network.pace = 100_000


def test_connections_cut_at_any_byte(
    s3: FaultyS3, bucket: object, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Wherever in S3's answers a connection breaks, a request is answered or unavailable, never a failure."""
    seen = set()
    with proxy(("127.0.0.1", s3.port)) as network:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{network.port}")
        monkeypatch.setattr(attempts, "ATTEMPTS", 1)
        for passed in range(0, 1_500, 100):
            network.cut_after = passed
            seen.add(status := opened().get("/docs/a").status)
            assert status in (200, 503), (passed, caplog.text)
        network.heal()
        seen.add(opened().get("/docs/a").status)
    assert seen == {200, 503}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["503 SlowDown", "truncated"])
def test_a_listing_of_two_pages(name: str, s3: FaultyS3, bucket: "S3Client") -> None:
    """1,001 objects come in two pages; where the second can't be had there is no listing at all, and the last
    whole one stands."""
    s3.fill("site", (f"filler/{number:04}" for number in range(997)))
    put(bucket, "public/last.txt", "the one on the second page")
    pages = bucket.get_paginator("list_objects_v2").paginate(Bucket="site")
    assert [len(page["Contents"]) for page in pages] == [1_000, 1]
    site = opened()
    s3.fail(FAULTS[name], lambda request: "continuation-token" in request)
    assert site.get("/last.txt").status == 503
    s3.heal()
    assert site.get("/last.txt").status == 200
    put(bucket, "public/lately.txt", "new")
    s3.fail(FAULTS[name], lambda request: "continuation-token" in request)
    assert statuses(site, ("/last.txt", "/lately.txt")) == {"/last.txt": 200, "/lately.txt": 404}
    s3.heal()
    eventually(lambda: site.get("/lately.txt").status == 200, seconds=30)


def test_an_article_deleted_between_list_and_read(s3: FaultyS3, site: Functions, bucket: "S3Client") -> None:
    """It is not there, and everything else is; put back, it is served again, though the listing looks as it
    did before."""
    delete = before(lambda: bucket.delete_object(Bucket="site", Key="content/b.md"))
    s3.fail(delete, lambda request: request.startswith("GET /site/content/b.md"), times=1)
    assert statuses(site, ("/docs/a", "/docs/b")) == {"/docs/a": 200, "/docs/b": 404}
    put(bucket, "content/b.md", "---\ntitle: B\n---\nBeta\n")
    assert statuses(site, ("/docs/a", "/docs/b")) == {"/docs/a": 200, "/docs/b": 200}


def test_a_text_deleted_between_list_and_read(s3: FaultyS3, site: Functions, bucket: "S3Client") -> None:
    """An article that goes while its page is made is a 404, not a failure."""
    assert site.get("/docs/a").status == 200
    delete = before(lambda: bucket.delete_object(Bucket="site", Key="content/b.md"))
    s3.fail(delete, lambda request: request.startswith("GET /site/content/b.md"), times=1)
    assert site.get("/docs/b").status == 404


@pytest.mark.parametrize("key", ["app.yaml", "config/pages.yaml"])
def test_a_configuration_deleted_between_list_and_read(key: str, s3: FaultyS3, bucket: "S3Client") -> None:
    """The last good configuration stands; put back as it was, the new one is read."""
    put(bucket, "app.yaml", "name: One\npages: {$ref: ./config/pages.yaml}\n")
    put(bucket, "config/pages.yaml", "- {name: home, path: /, meta: {title: One}}\n")
    site = opened()
    assert "One" in site.get("/").text
    bodies = {
        "app.yaml": "name: Two\npages: {$ref: ./config/pages.yaml}\n",
        "config/pages.yaml": "- {name: home, path: /, meta: {title: Two}}\n",
    }
    for each, body in bodies.items():
        put(bucket, each, body)
    delete = before(lambda: bucket.delete_object(Bucket="site", Key=key))
    s3.fail(delete, lambda request: request.startswith(f"GET /site/{key}"), times=1)
    assert "<title>One</title>" in site.get("/").text
    s3.heal()
    put(bucket, key, bodies[key])
    assert "<title>Two</title>" in site.get("/").text


def test_a_configuration_changed_between_list_and_read(
    s3: FaultyS3, site: Functions, bucket: "S3Client"
) -> None:
    """What was read while it changed is looked at again, also where the listing then is as it was before."""
    good = APP.format(name="Two")
    put(bucket, "app.yaml", good)
    other = before(lambda: put(bucket, "app.yaml", APP.format(name="Three")))
    s3.fail(other, lambda request: request.startswith("GET /site/app.yaml"), times=1)
    assert "<title>Three</title>" in site.get("/").text
    put(bucket, "app.yaml", good)
    assert "<title>Two</title>" in site.get("/").text


def test_a_configuration_broken_between_list_and_read(
    s3: FaultyS3, site: Functions, bucket: "S3Client"
) -> None:
    """A broken one that stood there for a moment is not held against the good one that was listed."""
    assert "<title>One</title>" in site.get("/").text
    good = APP.format(name="Two")
    put(bucket, "app.yaml", good)
    broken = before(lambda: put(bucket, "app.yaml", BROKEN))
    s3.fail(broken, lambda request: request.startswith("GET /site/app.yaml"), times=1)
    assert "<title>One</title>" in site.get("/").text
    put(bucket, "app.yaml", good)
    assert "<title>Two</title>" in site.get("/").text


def test_an_article_changed_between_list_and_read(s3: FaultyS3, site: Functions, bucket: "S3Client") -> None:
    """The front matter of a text that changed back is not that of the text in between."""
    draft = before(lambda: put(bucket, "content/b.md", "---\ndraft: true\n---\n"))
    s3.fail(draft, lambda request: request.startswith("GET /site/content/b.md"), times=1)
    assert site.get("/docs/b").status == 404
    put(bucket, "content/b.md", "---\ntitle: B\n---\nBeta\n")
    assert site.get("/docs/b").status == 200


def test_a_broken_configuration_at_a_cold_start(bucket: "S3Client") -> None:
    """503 until there is a good one, from instances that never saw one."""
    for broken in (BROKEN, "", "pages: 3\n"):
        put(bucket, "app.yaml", broken)
        site = opened()
        assert statuses(site) == UNAVAILABLE
    put(bucket, "app.yaml", APP.format(name="One"))
    assert statuses(site) == SERVED


@pytest.mark.slow
def test_a_configuration_replaced_under_load(
    site: Functions, bucket: "S3Client", caplog: pytest.LogCaptureFixture
) -> None:
    """Good, broken, good again, gone, good again, while visitors ask: each gets a whole page of one of the
    good ones, and in the end the last."""
    caplog.set_level(logging.CRITICAL)
    assert statuses(site) == SERVED
    over = threading.Event()

    def visit(path: str) -> set[int]:
        found = set()
        while not over.is_set():
            response = site.get(path)
            found.add(response.status)
            if path == "/" and response.status == 200:
                assert any(f"<title>{name}</title>" in response.text for name in ("One", "Two", "Three"))
        return found

    with ThreadPoolExecutor(4) as visitors:
        asked = [visitors.submit(visit, path) for path in ("/", "/docs/a", "/robots.txt", "/sitemap.xml")]
        try:
            for body in (BROKEN, APP.format(name="Two"), "pages: 3\n", None, APP.format(name="Three")):
                time.sleep(0.4)
                if body is None:
                    bucket.delete_object(Bucket="site", Key="app.yaml")
                else:
                    put(bucket, "app.yaml", body)
            time.sleep(0.4)
        finally:
            over.set()
        assert set().union(*(each.result() for each in asked)) == {200}
    eventually(lambda: "<title>Three</title>" in site.get("/").text)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_objects_that_instances_share(fault: Fault, s3: FaultyS3, bucket: object) -> None:
    """Whatever S3 does, shared objects are there or unavailable: their users then make their own."""
    shared = S3SharedObjects("site", S3Store("site").client)
    shared.write("sets/one", b"x" * 1_000, "note")
    s3.fail(fault)
    with pytest.raises(StoreUnavailable):
        shared.read("sets/one")
    s3.heal()
    found = shared.read("sets/one")
    assert found is not None
    assert (found.body, found.note) == (b"x" * 1_000, "note")
