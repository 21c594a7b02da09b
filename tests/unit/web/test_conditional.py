"""Entity tags and conditional requests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.web.conditional import entity_tag, gzip_tag, is_unchanged

TAG = '"abc"'


@given(st.binary(), st.binary())
def test_tag_tells_bodies_apart(one: bytes, other: bytes) -> None:
    """Two bodies have one tag exactly where they are equal, and a gzip form's tag is neither."""
    assert (entity_tag(one) == entity_tag(other)) is (one == other)
    assert gzip_tag(entity_tag(one)) not in (entity_tag(one), entity_tag(other))


@given(st.binary())
def test_tag_is_strong_and_well_formed(body: bytes) -> None:
    """A tag is quoted, not weak, and matches itself."""
    for tag in (entity_tag(body), gzip_tag(entity_tag(body))):
        assert tag.startswith('"')
        assert tag.endswith('"')
        assert '"' not in tag[1:-1]
        assert is_unchanged({"if-none-match": tag}, tag)


@pytest.mark.parametrize(
    ("if_none_match", "expected"),
    [
        ('"abc"', True),
        ('W/"abc"', True),
        ("*", True),
        (" * ", True),
        ('"x", "abc"', True),
        ('"x","abc","y"', True),
        ('W/"x", W/"abc"', True),
        (' \t"abc"\t', True),
        (', ,"abc",', True),
        ('"a,b", "abc"', True),
        ('"x"', False),
        ('"abc', False),
        ("abc", False),
        ('"ABC"', False),
        ('"abc-gzip"', False),
        ('"x, "', False),
        ('w/"abcd"', False),
        ("", False),
        ('"*"', False),
    ],
)
def test_if_none_match(if_none_match: str, expected: bool) -> None:
    """case 8: lists, `*` and weak tags are read as RFC 9110 13.1.2 says, by weak comparison."""
    assert is_unchanged({"if-none-match": if_none_match}, TAG) is expected


@pytest.mark.parametrize("since", ["Sun, 06 Nov 2094 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "x"])
def test_if_modified_since_is_ignored(since: str) -> None:
    """No answer has a date of its own, so a date decides nothing, with or without a tag (RFC 9110 13.1.3)."""
    assert not is_unchanged({"if-modified-since": since}, TAG)
    assert not is_unchanged({"if-none-match": '"x"', "if-modified-since": since}, TAG)
    assert is_unchanged({"if-none-match": TAG, "if-modified-since": since}, TAG)


def test_unconditional() -> None:
    """A request without conditions is never answered 304."""
    assert not is_unchanged({}, TAG)


@given(st.text())
def test_any_header_gets_an_answer(if_none_match: str) -> None:
    """No value of the header raises."""
    assert is_unchanged({"if-none-match": if_none_match}, TAG) in (True, False)
