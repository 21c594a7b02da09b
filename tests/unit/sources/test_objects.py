"""Which keys can name an object of a site."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.sources.objects import is_key, is_listed


@pytest.mark.parametrize(
    "key",
    [
        "app.yaml",
        "content/docs/start.md",
        "content/100% done.md",
        "a/...",
        "a/..b",
        "é/日本.md",
        ".well-known/x",
    ],
)
def test_a_plain_key_names_an_object(key: str) -> None:
    """Spaces, percent signs, dots and any script are fine in a key."""
    assert is_key(key)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "/",
        "/etc/passwd",
        "../secret",
        "a/../b",
        "a/..",
        "./a",
        "a/./b",
        "a//b",
        "a/",
        "a\0b",
        "a\nb",
        "a\x7fb",
        "..\\secret",
        "a\ud800",
        "x" * 1025,
        "é" * 513,
    ],
)
def test_an_odd_key_names_nothing(key: str) -> None:
    """Traversal, empty segments, control characters and what S3 can't hold are no keys."""
    assert not is_key(key)


@given(st.lists(st.text(), max_size=5))
def test_a_key_never_climbs(segments: list[str]) -> None:
    """Joined to a root, a key that passes stays below it, whatever its characters."""
    key = "/".join(segments)
    if is_key(key):
        depth = 0
        for segment in key.split("/"):
            depth += -1 if segment == ".." else 1
            assert depth > 0
        assert "\0" not in key
        assert not key.startswith("/")


def test_appledouble_files_are_not_listed() -> None:
    """`._x` beside a file is a resource fork, not an article (case 20)."""
    assert not is_listed("content/._start.md")
    assert not is_listed("._app.yaml")
    assert is_listed("content/_start.md")
    assert is_listed("._folder/start.md")
