"""What a warm instance keeps: values for a while, bodies for as long as they are current."""

from typing import Any

import pytest

from fingerpost.sources.objects import ObjectChanged, ObjectMissing
from fingerpost.web.bodies import Bodies
from fingerpost.web.kept import Kept
from tests.support import Clock, MemoryStore
from tests.unit.catalogue.catalogues import catalogue_of


def _etag(store: MemoryStore, key: str) -> str:
    return store.list()[key].etag


def test_a_value_is_kept_for_its_time() -> None:
    """A value is made once for each origin and catalogue, and anew when its time is over."""
    clock, made = Clock(0), iter(range(100))
    kept: Kept[int] = Kept(60, clock)
    catalogue, other = catalogue_of(""), catalogue_of("")

    def get(origin: str, of: Any) -> int:
        return kept.get(origin, of, lambda: next(made))

    assert get("a", catalogue) == 0
    clock.seconds = 59.5
    assert get("a", catalogue) == 0
    assert get("b", catalogue) == 1
    assert get("a", other) == 2
    clock.seconds = 119.5
    assert get("a", other) == 3


def test_a_value_is_as_old_as_its_beginning() -> None:
    """What making a value took is a part of its time."""
    clock, made = Clock(0), iter(range(100))
    kept: Kept[int] = Kept(60, clock)

    def make() -> int:
        clock.seconds += 7
        return next(made)

    assert kept.get("a", catalogue := catalogue_of(""), make) == 0
    clock.seconds = 59.5
    assert kept.get("a", catalogue, make) == 0
    clock.seconds = 60
    assert kept.get("a", catalogue, make) == 1


def test_a_failure_is_not_kept() -> None:
    """Where a value can't be made the error passes, and the next one asks again."""
    kept: Kept[int] = Kept(60, Clock())
    catalogue = catalogue_of("")
    with pytest.raises(ZeroDivisionError):
        kept.get("a", catalogue, lambda: 1 // 0)
    assert kept.get("a", catalogue, lambda: 1) == 1


def test_hosts_are_few() -> None:
    """Whoever asks under many hosts fills no memory."""
    kept: Kept[str] = Kept(60, Clock())
    catalogue = catalogue_of("")
    for number in range(50):
        kept.get(f"https://{number}.example", catalogue, lambda: "x")
    assert len(kept._held) == 4


def test_bodies_are_read_once() -> None:
    """A body is read once for each ETag, and a changed file is read anew."""
    store = MemoryStore({"a": "one"})
    bodies = Bodies(store)
    first = _etag(store, "a")
    assert [bodies.get("a", first), bodies.get("a", first)] == [b"one", b"one"]
    store.files["a"] = b"two"
    assert bodies.get("a", _etag(store, "a")) == b"two"
    assert store.reads == ["a", "a"]
    with pytest.raises(ObjectMissing):
        bodies.get("b", "etag")


def test_a_newer_body_is_not_the_older_one() -> None:
    """A file that changed after the listing is never taken for the listed one: the owner of the listing is
    told, and what was read before is still there."""
    store, told = MemoryStore({"a": "one", "b": "one"}), []
    bodies = Bodies(store, lambda: told.append("outdated"))
    listed = {key: info.etag for key, info in store.list().items()}
    assert bodies.get("a", listed["a"]) == b"one"
    store.files |= {"a": b"two", "b": b"two"}
    with pytest.raises(ObjectChanged):
        bodies.get("b", listed["b"])
    with pytest.raises(ObjectChanged):
        bodies.get_many(listed)
    assert told == ["outdated", "outdated"]
    assert bodies.get("a", listed["a"]) == b"one"
    assert bodies.get("a", _etag(store, "a")) == b"two"


def test_bodies_leave_by_age() -> None:
    """Beyond its bytes the memory lets go of the least recently used, and never takes the largest in."""
    store = MemoryStore({**{f"f{n}": bytes(100) for n in range(9)}, "large": bytes(200)})
    bodies = Bodies(store, most_bytes=800)
    for n in range(8):
        bodies.get(f"f{n}", _etag(store, f"f{n}"))
    bodies.get("f0", _etag(store, "f0"))
    bodies.get("f8", _etag(store, "f8"))
    store.reads.clear()
    for key in ("f0", "f8", "f2", "f1", "large", "large"):
        bodies.get(key, _etag(store, key))
    assert store.reads == ["f1", "large", "large"]
