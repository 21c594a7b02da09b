"""Bodies that are kept compressed answer like those that are not."""

import gzip
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.limits import RESPONSE_BYTES
from fingerpost.web.answer import XML, Answer
from fingerpost.web.packed import Packed, pack, pack_quickly
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request
from fingerpost.web.response import to_event
from tests.support import read_response

BODIES = st.one_of(st.binary(max_size=3000), st.binary(max_size=20).map(lambda piece: piece * 500))


@given(BODIES)
def test_a_body_comes_back(body: bytes) -> None:
    """However it is packed, the body, its size and its tag are those of the plain one."""
    for packed in (pack(body), pack_quickly(body)):
        assert packed.plain() == body == gzip.decompress(packed.gzipped)
        assert packed.size == len(body)
        assert packed.tag == pack(body).tag


@given(BODIES, BODIES)
def test_tags_tell_bodies_apart(one: bytes, other: bytes) -> None:
    """Two bodies have one tag only where they are the same."""
    assert (pack(one).tag == pack(other).tag) is (one == other)


@given(
    BODIES,
    st.sampled_from(["GET", "HEAD"]),
    st.sampled_from([None, "gzip", "identity", "gzip;q=0", "br, *;q=0.5"]),
    st.booleans(),
)
def test_an_answer_is_the_same_either_way(
    body: bytes, method: str, accepted: str | None, again: bool
) -> None:
    """Status, headers and body of an answer do not tell how its body was kept; nor do those of a 304."""
    plain = Answer(200, body, XML, Policy.SITEMAP, max_age=7)
    packed = replace(plain, body=b"", packed=pack(body))
    headers = {} if accepted is None else {"accept-encoding": accepted}
    if again:
        headers["if-none-match"] = to_event(plain, Request(method, "/", headers=headers))["headers"]["etag"]
    request = Request(method, "/", headers=headers)
    expected, found = (read_response(to_event(answer, request)) for answer in (plain, packed))
    lengths = [dict(each.headers).pop("content-length", "") for each in (expected, found)]
    assert (found.status, found.body) == (expected.status, expected.body)
    assert {**found.headers, "content-length": ""} == {**expected.headers, "content-length": ""}
    assert lengths[0] == lengths[1] or "content-encoding" in found.headers


@pytest.mark.parametrize(
    ("accepted", "status"), [("gzip", 200), (None, 200), ("identity", 500), ("gzip;q=0", 500)]
)
def test_what_is_too_large_plain_goes_out_compressed(accepted: str | None, status: int) -> None:
    """A body that the platform carries only compressed goes to whoever takes gzip, or says nothing."""
    packed = pack(b"<sitemap/>\n" * (RESPONSE_BYTES // 10))
    assert packed.size > RESPONSE_BYTES > len(packed.gzipped)
    headers = {} if accepted is None else {"accept-encoding": accepted}
    answer = Answer(200, b"", XML, Policy.SITEMAP, packed=packed)
    found = read_response(to_event(answer, Request("GET", "/", headers=headers)))
    assert found.status == status
    if status == 200:
        assert found.body == packed.plain()


def test_a_damaged_body_is_no_body() -> None:
    """Bytes that are no gzip are an error, never an empty body."""
    with pytest.raises(Exception, match="incorrect header"):
        Packed('"x"', 3, b"abc").plain()
