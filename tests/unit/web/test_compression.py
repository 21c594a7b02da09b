"""The gzip form of a body, and the memory of those already made."""

import gzip as stdlib_gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.web import compression
from fingerpost.web.compression import CompressedBodies, gzip, is_text


@given(st.binary(max_size=5000))
def test_round_trip(body: bytes) -> None:
    """Any gzip reader gets the body back; two runs give the same bytes; no time or name is in it."""
    compressed = gzip(body)
    assert stdlib_gzip.decompress(compressed) == body
    assert compressed == gzip(body)
    assert compressed[:8] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00"


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/html; charset=utf-8", True),
        ("text/markdown", True),
        ("TEXT/PLAIN", True),
        ("application/xml; charset=utf-8", True),
        ("application/rss+xml; charset=utf-8", True),
        ("image/svg+xml", True),
        ("application/json", True),
        ("application/ld+json", True),
        ("image/png", False),
        ("application/pdf", False),
        ("font/woff2", False),
        ("application/octet-stream", False),
        ("", False),
    ],
)
def test_is_text(content_type: str, expected: bool) -> None:
    """Text, XML and JSON are worth compressing; formats that are compressed already are not."""
    assert is_text(content_type) is expected


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The bodies compressed since the test began."""
    bodies: list[bytes] = []
    original = compression.gzip

    def recording(body: bytes) -> bytes:
        bodies.append(body)
        return original(body)

    monkeypatch.setattr(compression, "gzip", recording)
    return bodies


def test_a_repeat_does_not_compress_again(made: list[bytes]) -> None:
    """The second answer with one tag reuses the first one's bytes."""
    bodies = CompressedBodies()
    assert bodies.get('"a"', b"a" * 2000) is bodies.get('"a"', b"a" * 2000)
    assert made == [b"a" * 2000]


def test_the_least_recently_used_leaves_first(made: list[bytes]) -> None:
    """Beyond its bound the memory drops what was asked for longest ago."""
    size = len(gzip(b"a" * 2000))
    made.clear()
    bodies = CompressedBodies(most_bytes=2 * size)
    for letter in b"a", b"b", b"a", b"c", b"a", b"b":
        bodies.get(letter.decode(), letter * 2000)
    assert [body[:1] for body in made] == [b"a", b"b", b"c", b"b"]


def test_a_body_beyond_the_bound_is_not_kept(made: list[bytes]) -> None:
    """A body larger than the whole memory is compressed each time, and answers all the same."""
    bodies = CompressedBodies(most_bytes=1)
    assert bodies.get("a", b"a" * 2000) == bodies.get("a", b"a" * 2000) != b""
    assert len(made) == 2
