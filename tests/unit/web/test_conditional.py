"""Entity tags and conditional requests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.web.conditional import entity_tag, gzip_tag, is_unchanged

TAG = '"abc"'
MODIFIED = "Sun, 06 Nov 1994 08:49:37 GMT"


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
        assert is_unchanged({"if-none-match": tag}, tag, None)


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
    assert is_unchanged({"if-none-match": if_none_match}, TAG, None) is expected


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        (MODIFIED, True),
        ("Sun, 06 Nov 1994 08:49:38 GMT", True),
        ("Sun, 06 Nov 1994 08:49:36 GMT", False),
        ("Sunday, 06-Nov-94 08:49:37 GMT", True),
        ("Sun Nov  6 08:49:37 1994", True),
        ("Sun Nov  6 08:49:36 1994", False),
        ("yesterday", False),
        ("", False),
        ("Sun, 06 Nov 99999 08:49:37 GMT", False),
        ("Sun, 31 Feb 1994 08:49:37 GMT", False),
    ],
)
def test_if_modified_since(since: str, expected: bool) -> None:
    """If-Modified-Since is read in the three forms of RFC 9110 5.6.7; what is no date counts as absent."""
    assert is_unchanged({"if-modified-since": since}, TAG, MODIFIED) is expected


def test_if_modified_since_needs_a_date() -> None:
    """An answer without a modification date never matches a date."""
    assert not is_unchanged({"if-modified-since": MODIFIED}, TAG, None)


def test_if_none_match_beats_if_modified_since() -> None:
    """Where both are sent, the tag alone decides, both ways (RFC 9110 13.2.2)."""
    assert not is_unchanged({"if-none-match": '"x"', "if-modified-since": MODIFIED}, TAG, MODIFIED)
    older = "Sun, 06 Nov 1994 08:49:36 GMT"
    assert is_unchanged({"if-none-match": TAG, "if-modified-since": older}, TAG, MODIFIED)


def test_unconditional() -> None:
    """A request without conditions is never answered 304."""
    assert not is_unchanged({}, TAG, MODIFIED)


@given(st.text(), st.text())
def test_any_header_gets_an_answer(if_none_match: str, since: str) -> None:
    """No value of either header raises."""
    assert is_unchanged({"if-none-match": if_none_match}, TAG, MODIFIED) in (True, False)
    assert is_unchanged({"if-modified-since": since}, TAG, MODIFIED) in (True, False)
