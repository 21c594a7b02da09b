"""Two publishers at once: one works, the other is told, and a killed one is in nobody's way for long."""

import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingerpost.sources.published import CURRENT, Manifest
from fingerpost_tools.bucket import Bucket, Changed
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.publishing import lock
from fingerpost_tools.publishing.lock import LOCK, locked
from fingerpost_tools.publishing.transfer import switch
from tests.unit.tools.publishing.sites import BUCKET, PREFIX, Publish, live, write

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


@pytest.fixture
def bucket(s3: "S3Client") -> Bucket:
    return Bucket(BUCKET, PREFIX, s3)


def test_a_second_publisher_is_told_who_is_at_it(bucket: Bucket) -> None:
    """While one holds the lock, the next is told who that is and how long a killed one would hold it; the
    lock ends with the block."""
    said = r".+@.+ is publishing to s3://sites/mine/ .*ends in"
    with locked(bucket), pytest.raises(CommandError, match=said), locked(bucket):
        pass
    assert bucket.get(LOCK) is None
    with locked(bucket):
        assert bucket.get(LOCK) is not None


def test_a_lock_is_renewed_while_it_is_held(bucket: Bucket) -> None:
    """Work that takes longer than a lease keeps its lock."""
    with locked(bucket, lease_seconds=0.2):
        first = bucket.get(LOCK)
        time.sleep(0.5)
        held = bucket.get(LOCK)
        assert first is not None
        assert held is not None
        assert held.body == first.body


def test_a_stale_lock_is_taken_over(bucket: Bucket) -> None:
    """A lock that nobody renews, as after a kill, is the next publisher's once its lease has ended."""
    bucket.replace(LOCK, b'{"owner": "ghost@nowhere"}', None)
    time.sleep(1.1)  # S3 tells whole seconds
    with locked(bucket, lease_seconds=0.5) as lease:
        lease.renew()
    assert bucket.get(LOCK) is None


@pytest.mark.parametrize("body", [b"", b"[]", b'{"owner": null}'])
def test_an_unreadable_lock_is_a_lock(bucket: Bucket, body: bytes) -> None:
    """Whatever stands in the lock, it holds for its lease."""
    bucket.replace(LOCK, body, None)
    with pytest.raises(CommandError, match="is publishing"), locked(bucket):
        pass


def test_of_two_who_find_it_stale_one_gets_it(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taking over is a conditional write: whoever saw a lock that is no longer there is turned away."""
    bucket.replace(LOCK, b"{}", None)
    real = bucket.replace

    def replace(key: str, body: bytes, etag: str | None) -> str:
        if etag is not None:
            bucket.put(LOCK, b'{"owner": "quicker"}', "application/json")
        return real(key, body, etag)

    monkeypatch.setattr(bucket, "replace", replace)
    with pytest.raises(CommandError, match="has just begun"), locked(bucket, lease_seconds=-10):
        pass
    held = bucket.get(LOCK)
    assert held is not None
    assert held.body == b'{"owner": "quicker"}'


def test_who_lost_the_lock_switches_nothing(bucket: Bucket) -> None:
    """A publisher that was asleep while another took over notices before the switch, and leaves the other's
    lock alone."""
    with locked(bucket) as lease:
        bucket.put(LOCK, b'{"owner": "other"}', "application/json")
        with pytest.raises(CommandError, match="has taken s3://sites/mine/ over"):
            switch(bucket, _manifest("one"), None, lease)
    assert bucket.get(CURRENT) is None
    held = bucket.get(LOCK)
    assert held is not None
    assert held.body == b'{"owner": "other"}'


def test_the_switch_replaces_what_it_began_with(bucket: Bucket) -> None:
    """Even with the lock in hand, a manifest that is not the one the plan was made for is not replaced."""
    with locked(bucket) as lease:
        switch(bucket, _manifest("one"), None, lease)
        with pytest.raises(CommandError, match="became live meanwhile"):
            switch(bucket, _manifest("two"), None, lease)
        with pytest.raises(CommandError, match="became live meanwhile"):
            switch(bucket, _manifest("two"), '"of another"', lease)
    held = bucket.get(CURRENT)
    assert held is not None
    assert b'"one"' in held.body
    with pytest.raises(Changed):
        bucket.replace("gone", b"x", held.etag)


def test_two_publishers_at_once(
    publish: Publish, site: Path, s3: "S3Client", monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """While one publishes, another ends with exit code 2 and changes nothing; the first's is live."""
    publish()
    write(site, "content/pruning.md", "# Other\n")
    entered, leave = threading.Event(), threading.Event()
    real = lock._acquire

    def acquire(*arguments: Any) -> str:
        etag = real(*arguments)
        entered.set()
        leave.wait(10)
        return etag

    monkeypatch.setattr(lock, "_acquire", acquire)
    codes: list[int] = []
    first = threading.Thread(target=lambda: codes.append(publish()))
    first.start()
    assert entered.wait(10)
    assert publish() == 2
    assert "is publishing to" in capsys.readouterr().err
    leave.set()
    first.join()
    assert codes == [0]
    assert live(s3)["content/pruning.md"] == b"# Other\n"


def _manifest(name: str) -> Manifest:
    return Manifest(name, datetime(2024, 1, 1, tzinfo=UTC), {})
