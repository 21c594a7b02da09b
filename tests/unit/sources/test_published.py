"""The store of a published site: everything through one manifest, and a plain tree as it is."""

import hashlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.sources.objects import ObjectChanged, ObjectMissing, StoreUnavailable, content_etag
from fingerpost.sources.published import (
    CURRENT,
    OBJECTS,
    Manifest,
    ManifestError,
    PublishedFile,
    PublishedStore,
    read_manifest,
    write_manifest,
)
from tests.publications import CHANGED, FIRST, forget, publish
from tests.support import MemoryStore


def test_a_plain_tree_is_read_as_it_is() -> None:
    """Without a manifest every method is the store's own: `aws s3 sync` is enough."""
    store = MemoryStore({"app.yaml": "name: x", "content/a.md": "A"})
    published = PublishedStore(store)
    assert published.list() == store.list()
    assert published.list("content/") == store.list("content/")
    assert published.read("app.yaml") == store.read("app.yaml")
    assert published.read_many(["app.yaml", "none"]) == store.read_many(["app.yaml"])
    assert published.read_if_changed("app.yaml", store.list()["app.yaml"].etag) is None
    with pytest.raises(ObjectMissing):
        published.read("none")


def test_a_publication_hides_the_tree_around_it() -> None:
    """With a manifest only its files exist, under their own names, with their dates and ETags."""
    store = MemoryStore({"app.yaml": "name: old", "content/stale.md": "stale"})
    publish(store, {"app.yaml": "name: new", "content/a.md": "A"})
    published = PublishedStore(store)
    assert list(published.list()) == ["app.yaml", "content/a.md"]
    assert list(published.list("content/")) == ["content/a.md"]
    found = published.read("content/a.md")
    assert (found.key, found.body, found.etag) == ("content/a.md", b"A", content_etag(b"A"))
    assert (found.stored, found.modified) == (FIRST, CHANGED)
    assert published.read("app.yaml").modified is None
    assert published.list()["content/a.md"].etag == found.etag
    with pytest.raises(ObjectMissing):
        published.read("content/stale.md")
    both = published.read_many(["content/a.md", "content/stale.md", "app.yaml"])
    assert {key: stored.body for key, stored in both.items()} == {
        "content/a.md": b"A",
        "app.yaml": b"name: new",
    }
    assert published.read_if_changed("content/a.md", found.etag) is None
    assert published.read_if_changed("content/a.md", "other") == found


def test_two_files_of_one_content_are_both_there() -> None:
    """Files with the same bytes share one object and stay two files."""
    store = MemoryStore({})
    publish(store, {"a.txt": "same", "b.txt": "same"})
    found = PublishedStore(store).read_many(["a.txt", "b.txt"])
    assert [stored.key for stored in found.values()] == ["a.txt", "b.txt"]


def test_what_is_read_belongs_together() -> None:
    """After a switch, reads stay with the publication that was listed, until the next listing."""
    store = MemoryStore({})
    publish(store, {"app.yaml": "old", "a": "old a", "b": "old b"})
    published = PublishedStore(store)
    published.list()
    publish(store, {"app.yaml": "new", "a": "new a"}, "two")
    assert published.read("a").body == b"old a"
    assert published.read_many(["b"])["b"].body == b"old b"
    published.list()
    assert published.read("a").body == b"new a"
    with pytest.raises(ObjectMissing):
        published.read("b")


OLD = {"app.yaml": "old", "a": "old a", "b": "old b"}


def listed(store: PublishedStore) -> dict[str, str]:
    """The ETags of a listing."""
    return {key: info.etag for key, info in store.list().items()}


def test_what_was_listed_is_read_after_a_switch() -> None:
    """Whoever still holds an older listing reads the files it lists, whatever stands at their keys now."""
    store = MemoryStore({})
    publish(store, OLD)
    published = PublishedStore(store)
    etags = listed(published)
    publish(store, {"app.yaml": "new", "a": "new a"}, "two")
    published.list()
    assert {key: published.read_listed(key, etag).decode() for key, etag in etags.items()} == OLD
    assert {key: body.decode() for key, body in published.read_many_listed(etags).items()} == OLD


def test_what_was_listed_and_is_kept_no_longer() -> None:
    """Once publishing let go of an older content, it is unavailable: neither missing, nor the newer one."""
    store = MemoryStore({})
    publish(store, OLD)
    published = PublishedStore(store)
    etags = listed(published)
    publish(store, {**OLD, "a": "new a"}, "two")
    published.list()
    forget(store, {"a": "old a"})
    assert published.read_listed("b", etags["b"]) == b"old b"
    with pytest.raises(StoreUnavailable, match=r"a: expected its content"):
        published.read_listed("a", etags["a"])
    with pytest.raises(StoreUnavailable, match=r"a: expected its content"):
        published.read_many_listed(etags)


def test_what_was_listed_of_a_publication_that_was_taken_away() -> None:
    """Contents outlive their manifest; without them the tree that has come to light is asked, by ETag too."""
    store = MemoryStore({"a": "plain a"})
    publish(store, OLD)
    published = PublishedStore(store)
    etags = listed(published)
    del store.files[CURRENT]
    plain = listed(published)
    assert {key: body.decode() for key, body in published.read_many_listed(etags).items()} == OLD
    assert published.read_listed("a", plain["a"]) == b"plain a"
    forget(store, OLD)
    with pytest.raises(ObjectChanged):
        published.read_listed("a", etags["a"])
    with pytest.raises(ObjectMissing):
        published.read_listed("b", etags["b"])


def test_what_was_listed_of_a_plain_tree() -> None:
    """A tree that was never published is asked by key and ETag."""
    store = MemoryStore({"a": "one"})
    published = PublishedStore(store)
    etags = listed(published)
    assert published.read_listed("a", etags["a"]) == b"one"
    assert published.read_many_listed({**etags, "none": "etag"}) == {"a": b"one"}
    store.files["a"] = b"two"
    with pytest.raises(ObjectChanged, match="a: is no longer what was listed"):
        published.read_listed("a", etags["a"])
    with pytest.raises(ObjectMissing):
        published.read_listed("none", "etag")


def test_looking_again_costs_one_conditional_read() -> None:
    """An unchanged manifest is asked for and not read again; the listing is the very same object."""
    store = MemoryStore({})
    publish(store, {"app.yaml": "x"})
    published = PublishedStore(store)
    first = published.list()
    store.reads.clear()
    assert published.list() is first
    assert store.reads == [CURRENT]


def test_a_lost_content_is_unavailable_and_not_missing() -> None:
    """An object that somebody removed by hand is a damaged site, which must not answer 404."""
    store = MemoryStore({})
    publish(store, {"app.yaml": "x", "a": "a"})
    del store.files[OBJECTS + content_etag(b"a")]
    published = PublishedStore(store)
    with pytest.raises(StoreUnavailable, match=r"a: expected its content in \.fingerpost/objects/"):
        published.read("a")
    with pytest.raises(StoreUnavailable):
        published.read_many(["app.yaml", "a"])


def test_names_of_its_own_are_read_through() -> None:
    """What lies below .fingerpost/ without being published, such as session keys, is still read."""
    store = MemoryStore({".fingerpost/jwks.json": "{}"})
    publish(store, {"app.yaml": "x"})
    published = PublishedStore(store)
    assert published.read(".fingerpost/jwks.json").body == b"{}"
    assert list(published.read_many([".fingerpost/jwks.json"])) == [".fingerpost/jwks.json"]


def test_a_taken_away_manifest_gives_the_tree_back() -> None:
    """Removing the manifest is the way back to `aws s3 sync`."""
    store = MemoryStore({"app.yaml": "plain"})
    publish(store, {"app.yaml": "published"})
    published = PublishedStore(store)
    published.list()
    del store.files[CURRENT]
    published.list()
    assert published.read("app.yaml").body == b"plain"


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"format": 2}', b'{"format":1,"id":"x","published":"y"}', b"\xff"]
)
def test_a_manifest_that_is_none_is_unavailable(body: bytes) -> None:
    """Anything else in the manifest's place is an error of the store, and never an empty site."""
    store = MemoryStore({"app.yaml": "x", CURRENT: body})
    with pytest.raises(StoreUnavailable, match=r"current\.json: expected a manifest"):
        PublishedStore(store).list()
    with pytest.raises(ManifestError):
        read_manifest(body)


def test_an_unreachable_store_is_told() -> None:
    """StoreUnavailable passes through, at the first look and at each later one."""
    store = MemoryStore({})
    publish(store, {"app.yaml": "x"})
    published = PublishedStore(store)
    store.down = True
    with pytest.raises(StoreUnavailable):
        published.read("app.yaml")
    store.down = False
    assert published.read("app.yaml").body == b"x"


_SECONDS = st.datetimes(min_value=datetime(1970, 1, 1)).map(lambda d: d.replace(microsecond=0, tzinfo=UTC))
_FILES = st.builds(
    PublishedFile,
    st.binary().map(lambda body: hashlib.sha256(body).hexdigest()[:32]),
    st.integers(min_value=0),
    _SECONDS,
    st.none() | _SECONDS,
)


@given(st.builds(Manifest, st.text(), _SECONDS, st.dictionaries(st.text(), _FILES), st.text()))
def test_a_manifest_survives_writing(manifest: Manifest) -> None:
    """Reading gives back what was written, whatever its names, and the bytes do not depend on the order."""
    body = write_manifest(manifest)
    read = read_manifest(body)
    assert (read.id, read.published, dict(read.files), read.revision) == (
        manifest.id,
        manifest.published,
        manifest.files,
        manifest.revision,
    )
    assert write_manifest(read) == body


def test_what_the_manifest_carries_is_asked_of_nobody() -> None:
    """A file whose text is in the manifest is read from there by every method, alone or among others."""
    text = "name: \ufeffCaf\u00e9\r\n"
    body = text.encode()
    carried = PublishedFile(content_etag(body), len(body), FIRST, None, text)
    other = PublishedFile(content_etag(b"A"), 1, FIRST)
    manifest = Manifest("one", FIRST, {"app.yaml": carried, "content/a.md": other})
    assert read_manifest(write_manifest(manifest)) == manifest
    store = MemoryStore({CURRENT: write_manifest(manifest), OBJECTS + content_etag(b"A"): "A"})
    published = PublishedStore(store)
    assert published.read("app.yaml").body == body
    assert published.read_if_changed("app.yaml", "another") == published.read("app.yaml")
    assert published.read_if_changed("app.yaml", content_etag(body)) is None
    assert published.read_many(["app.yaml"])["app.yaml"].body == body
    assert published.read_listed("app.yaml", content_etag(body)) == body
    assert store.reads == [CURRENT]
    both = published.read_many(["content/a.md", "app.yaml"])
    assert {key: stored.body for key, stored in both.items()} == {"content/a.md": b"A", "app.yaml": body}
