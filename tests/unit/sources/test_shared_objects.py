"""Objects that instances leave for each other, on moto's S3."""

from typing import TYPE_CHECKING

import pytest
from botocore.stub import Stubber

from fingerpost.sources.objects import StoreUnavailable
from fingerpost.sources.shared_objects import S3SharedObjects, SharedObject

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


@pytest.fixture
def shared(s3: "S3Client") -> S3SharedObjects:
    """Shared objects in the empty bucket."""
    return S3SharedObjects("sites", lambda: s3)


def test_what_is_written_is_read(shared: S3SharedObjects) -> None:
    """An object comes back with its bytes, its note and the ETag that a replacement names."""
    shared.write("a/1", b"one", "a note")
    found = shared.read("a/1")
    assert found is not None
    assert (found.body, found.note) == (b"one", "a note")
    assert shared.replace("a/1", b"two", found.etag)


def test_without_a_note_there_is_none(shared: S3SharedObjects) -> None:
    """An object without a note has an empty one."""
    shared.write("a", b"one")
    assert shared.read("a") == SharedObject(b"one", '"f97c5d29941bfb1b2fdab0874906ab82"', "")


def test_what_is_missing_is_none(shared: S3SharedObjects) -> None:
    """An object that nobody wrote is no error."""
    assert shared.read("nothing") is None


def test_one_creates(shared: S3SharedObjects) -> None:
    """Of two who create an object, the first does, and what it wrote stays."""
    assert shared.create("claim", b"mine")
    assert not shared.create("claim", b"yours")
    found = shared.read("claim")
    assert found is not None
    assert found.body == b"mine"


def test_one_replaces(shared: S3SharedObjects) -> None:
    """Of two who replace the same object, the first does; an object that is gone is replaced by nobody."""
    shared.write("pointer", b"old")
    old = shared.read("pointer")
    assert old is not None
    assert shared.replace("pointer", b"mine", old.etag)
    assert not shared.replace("pointer", b"yours", old.etag)
    assert not shared.replace("gone", b"mine", old.etag)


@pytest.mark.parametrize("code", ["PreconditionFailed", "ConditionalRequestConflict"])
def test_a_conflict_is_an_answer(s3: "S3Client", code: str) -> None:
    """Both ways in which S3 says that somebody else was first mean just that."""
    stubber = Stubber(s3)
    for _ in range(2):
        stubber.add_client_error("put_object", code, http_status_code=412)
    with stubber:
        shared = S3SharedObjects("sites", lambda: s3)
        assert not shared.create("a", b"")
        assert not shared.replace("a", b"", '"x"')


@pytest.mark.parametrize("code", ["AccessDenied", "SlowDown", "NoSuchBucket"])
def test_a_store_that_refuses_says_which_key(s3: "S3Client", code: str) -> None:
    """Anything else that S3 says is an error that names bucket and key."""
    stubber = Stubber(s3)
    for operation in ("get_object", "put_object", "put_object", "put_object"):
        stubber.add_client_error(operation, code, http_status_code=403)
    shared = S3SharedObjects("sites", lambda: s3)
    with stubber:
        for action in (
            lambda: shared.read("a/b"),
            lambda: shared.write("a/b", b""),
            lambda: shared.create("a/b", b""),
            lambda: shared.replace("a/b", b"", '"x"'),
        ):
            with pytest.raises(StoreUnavailable, match=r"s3://sites.* a/b: .*" + code):
                action()
