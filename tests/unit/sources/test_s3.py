"""The store in S3, on moto's S3."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from botocore.response import StreamingBody

from fingerpost.sources import attempts
from fingerpost.sources.objects import ObjectChanged, ObjectMissing, StoreUnavailable
from fingerpost.sources.s3 import S3Store, make_client, recorded_time

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def put(s3: "S3Client", key: str, body: bytes = b"x", **metadata: str) -> str:
    """Store an object and return its ETag without quotes."""
    return s3.put_object(Bucket="sites", Key=key, Body=body, Metadata=metadata)["ETag"].strip('"')


class Refusing:
    """A client that must not be asked."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"S3 was asked: {name}")


def failing(s3: "S3Client", code: str, status: int) -> S3Store:
    """A store whose every read is answered with one error."""
    from botocore.stub import Stubber

    stubber = Stubber(s3)
    stubber.add_client_error("get_object", service_error_code=code, http_status_code=status)
    stubber.activate()
    return S3Store("sites", "site", s3)


def test_a_read_gives_bytes_etag_and_times(s3: "S3Client") -> None:
    """An object comes with its bytes, its ETag unquoted, S3's time and the time recorded at publication."""
    etag = put(s3, "site/content/a.md", b"# A", modified="2024-01-08T17:28:15+05:30")
    found = S3Store("sites", "site", s3).read("content/a.md")
    assert (found.key, found.body, found.etag) == ("content/a.md", b"# A", etag)
    assert found.modified == datetime(2024, 1, 8, 11, 58, 15, tzinfo=UTC)
    assert abs((datetime.now(UTC) - found.stored).total_seconds()) < 60


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-14T09:26:53Z", datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)),
        ("2026-03-14T09:26:53", datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)),
        (" 2026-03-14 ", datetime(2026, 3, 14, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_recorded_time_is_read_leniently(text: str | None, moment: datetime | None) -> None:
    """A W3C datetime becomes an aware UTC time; anything else counts as not recorded (cases 21, 22)."""
    assert recorded_time(text) == moment


@pytest.mark.parametrize("prefix", ["site", "/site/", "site/"])
def test_a_prefix_has_one_meaning(s3: "S3Client", prefix: str) -> None:
    """Slashes around a prefix change nothing; a neighbour whose name begins alike is not the site."""
    put(s3, "site/app.yaml")
    put(s3, "site2/app.yaml")
    assert list(S3Store("sites", prefix, s3).list()) == ["app.yaml"]


def test_no_prefix_is_the_whole_bucket(s3: "S3Client") -> None:
    """Without a prefix the bucket itself is the site."""
    put(s3, "app.yaml", b"name: x")
    store = S3Store("sites", client=s3)
    assert store.read("app.yaml").body == b"name: x"
    assert list(store.list()) == ["app.yaml"]


def test_a_listing_leaves_out_what_is_no_file(s3: "S3Client") -> None:
    """Directory markers, AppleDouble files and keys that can't be asked for are left out (case 20)."""
    keys = (
        "content/z.md",
        "content/",
        "content/._z.md",
        "content//x.md",
        "content/../x.md",
        "content/é b.md",
    )
    for key in keys:
        put(s3, f"site/{key}", b"" if key.endswith("/") else b"x")
    found = S3Store("sites", "site", s3).list("content/")
    assert list(found) == ["content/z.md", "content/é b.md"]
    assert found["content/z.md"].size == 1
    assert found["content/z.md"].modified.tzinfo is UTC


def test_a_listing_goes_past_one_thousand_keys(s3: "S3Client") -> None:
    """S3 lists 1,000 keys a page; all pages are read, and `read_many` gets them all."""
    from moto.core.models import DEFAULT_ACCOUNT_ID
    from moto.s3.models import s3_backends

    keys = [f"content/{number:04}.md" for number in range(1001)]
    for key in keys:  # straight into moto's memory, which saves seconds
        s3_backends[DEFAULT_ACCOUNT_ID]["aws"].put_object("sites", f"site/{key}", key.encode())
    store = S3Store("sites", "site", s3)
    assert list(store.list("content/")) == keys
    some = keys[::50]
    found = store.read_many([*some, "content/none.md", "../app.yaml", some[0]])
    assert list(found) == some
    assert all(each.body == key.encode() for key, each in found.items())


def test_a_prefix_that_is_no_key_lists_nothing() -> None:
    """Traversal in a prefix is not asked for."""
    store = S3Store("sites", "site", Refusing())  # type: ignore[arg-type]
    assert store.list("../") == {}
    assert store.list("\0") == {}


@pytest.mark.parametrize(
    "key", ["../other/app.yaml", "/app.yaml", "a\0", "a/../../b", "", "a//b", "x" * 8192]
)
def test_an_odd_key_is_missing_without_asking(key: str) -> None:
    """No object outside the site is asked for, however the key is dressed."""
    store = S3Store("sites", "site", Refusing())  # type: ignore[arg-type]
    with pytest.raises(ObjectMissing):
        store.read(key)
    with pytest.raises(ObjectMissing):
        store.read_if_changed(key, "etag")
    with pytest.raises(ObjectMissing):
        store.read_listed(key, "etag")
    assert store.read_many([key]) == {}
    assert store.read_many_listed({key: "etag", f"{key}/": "etag"}) == {}


def test_an_unchanged_object_is_not_sent_again(s3: "S3Client") -> None:
    """With the ETag known, S3 answers 304 and there is nothing to read; a changed object comes whole."""
    store = S3Store("sites", "site", s3)
    etag = put(s3, "site/app.yaml", b"name: one")
    assert store.read_if_changed("app.yaml", etag) is None
    put(s3, "site/app.yaml", b"name: two")
    changed = store.read_if_changed("app.yaml", etag)
    assert changed is not None
    assert changed.body == b"name: two"
    with pytest.raises(ObjectMissing, match="config"):
        store.read_if_changed("config/none.yaml", etag)


def test_an_object_as_it_was_listed(s3: "S3Client") -> None:
    """With the ETag of the listing it is those bytes or none: S3 answers 412 where another has its place."""
    store = S3Store("sites", "site", s3)
    for key in ("a", "b"):
        put(s3, f"site/{key}", key.encode())
    etags = {key: info.etag for key, info in store.list().items()}
    assert store.read_listed("a", etags["a"]) == b"a"
    assert store.read_many_listed({**etags, "none": etags["a"]}) == {"a": b"a", "b": b"b"}
    put(s3, "site/b", b"another")
    with pytest.raises(ObjectChanged, match="b: is no longer what was listed"):
        store.read_listed("b", etags["b"])
    with pytest.raises(ObjectChanged):
        store.read_many_listed(etags)
    with pytest.raises(ObjectMissing, match="none"):
        store.read_listed("none", etags["a"])


def test_a_missing_object_is_told_from_a_missing_bucket(s3: "S3Client") -> None:
    """A key that isn't there is ObjectMissing; a bucket that isn't, with the same status 404, is not."""
    with pytest.raises(ObjectMissing, match=r"none\.md"):
        S3Store("sites", "site", s3).read("none.md")
    with pytest.raises(StoreUnavailable, match="elsewhere"):
        S3Store("elsewhere", "site", s3).read("app.yaml")
    with pytest.raises(StoreUnavailable, match="elsewhere"):
        S3Store("elsewhere", "site", s3).list()


@pytest.mark.parametrize(
    ("code", "status"),
    [("AccessDenied", 403), ("SlowDown", 503), ("InvalidObjectState", 403), ("ExpiredToken", 400)],
)
def test_a_refusal_is_not_a_missing_object(s3: "S3Client", code: str, status: int) -> None:
    """Whoever may not ask does not know whether the object exists: unavailable, with store and key named."""
    with pytest.raises(StoreUnavailable, match=rf"s3://sites/site/\) app.yaml: .*{code}"):
        failing(s3, code, status).read("app.yaml")


def test_a_truncated_body_is_unavailable(s3: "S3Client") -> None:
    """Fewer bytes than announced are never taken for the object."""

    class Truncated:
        def get_object(self, **arguments: Any) -> Any:
            answer: Any = s3.get_object(**arguments)
            answer["Body"] = StreamingBody(BytesIO(b"na"), answer["ContentLength"])
            return answer

    put(s3, "site/app.yaml", b"name: one")
    with pytest.raises(StoreUnavailable, match=r"app\.yaml"):
        S3Store("sites", "site", Truncated()).read("app.yaml")  # type: ignore[arg-type]


def test_an_answer_without_a_length_is_unavailable(s3: "S3Client") -> None:
    """A header section that broke off makes no whole object, and its connection is let go at once."""
    bodies: list[Any] = []

    class Headless:
        def get_object(self, **arguments: Any) -> Any:
            answer: Any = s3.get_object(**arguments)
            del answer["ContentLength"]
            bodies.append(answer["Body"])
            return answer

    put(s3, "site/app.yaml", b"name: one")
    with pytest.raises(StoreUnavailable, match="without 'ContentLength'"):
        S3Store("sites", "site", Headless()).read("app.yaml")  # type: ignore[arg-type]
    assert [body._raw_stream.closed for body in bodies] == [True]


def test_one_failure_fails_a_parallel_read(s3: "S3Client") -> None:
    """A document is never made of the part of its articles that could be read."""
    put(s3, "site/a.md")
    with pytest.raises(StoreUnavailable):
        failing(s3, "SlowDown", 503).read_many(["a.md", "b.md"])


def test_an_unreachable_endpoint_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed port is StoreUnavailable, within time-outs of seconds; the endpoint is the SDK's setting."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setattr(attempts, "ATTEMPTS", 1)
    client = make_client()
    assert client.meta.endpoint_url == "http://127.0.0.1:9"
    config: Any = client.meta.config
    assert config.s3 == {"addressing_style": "path"}
    assert (config.connect_timeout, config.read_timeout, config.max_pool_connections) == (2.0, 5.0, 16)
    with pytest.raises(StoreUnavailable, match=r"app\.yaml"):
        S3Store("sites", "site").read("app.yaml")


def test_the_client_is_built_once_and_late() -> None:
    """Importing and making a store costs no SDK; its client comes with the first question and then stays."""
    check = (
        "import sys; from fingerpost.sources.s3 import S3Store; store = S3Store('b', 'p'); "
        "assert 'boto3' not in sys.modules and 'botocore' not in sys.modules; "
        "assert store.client() is store.client()"
    )
    subprocess.run(
        [sys.executable, "-c", check], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )
