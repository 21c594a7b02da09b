"""Answers as function-URL responses."""

import json
from base64 import b64decode
from dataclasses import replace
from gzip import decompress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.documents.errors import not_found_page
from fingerpost.limits import PLATFORM_RESPONSE_BYTES, RESPONSE_BYTES
from fingerpost.web.answer import HTML, MARKDOWN, TEXT, XML, Answer
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request
from fingerpost.web.response import (
    FAILED,
    METHOD_NOT_ALLOWED,
    UNAVAILABLE,
    not_found,
    redirect,
    redirect_visitor,
    to_event,
)

LONG = ("Ünïcode and <markup> over and over. " * 100).encode()
PAGE = Answer(200, LONG, HTML, Policy.PAGE, vary_accept=True)
ACCEPTS = (None, "text/html", "text/markdown", "*/*")
ENCODINGS = (None, "gzip", "gzip;q=0", "br", "*")


def get(method: str = "GET", **headers: str | None) -> Request:
    """A request with headers given as keywords."""
    named = {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
    return Request(method, "/x", headers=named)


def body_of(response: dict[str, Any]) -> bytes:
    """The bytes that the platform would send."""
    body: str = response["body"]
    return b64decode(body) if response["isBase64Encoded"] else body.encode()


def test_plain_page() -> None:
    """A page goes out as text with its type, length, tag, policy and Vary, and nothing else."""
    response = to_event(Answer(200, b"<p>\xc3\xa9</p>", HTML, Policy.PAGE, vary_accept=True), get())
    assert response == {
        "statusCode": 200,
        "headers": {
            "content-type": "text/html; charset=utf-8",
            "cache-control": "public, max-age=300",
            "x-content-type-options": "nosniff",
            "vary": "Accept, Accept-Encoding",
            "etag": response["headers"]["etag"],
            "content-length": "9",
        },
        "body": "<p>é</p>",
        "isBase64Encoded": False,
    }


@pytest.mark.parametrize("answer", [PAGE, replace(PAGE, content_type=MARKDOWN, noindex=True)])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("accept", ACCEPTS)
def test_vary_is_on_every_form(answer: Answer, encoding: str | None, accept: str | None) -> None:
    """case 5: both forms say Vary, with or without Accept, compressed or not, and on 304 (case 8)."""
    response = to_event(answer, get(accept=accept, accept_encoding=encoding))
    assert response["headers"]["vary"] == "Accept, Accept-Encoding"
    again = to_event(
        answer, get(accept=accept, accept_encoding=encoding, if_none_match=response["headers"]["etag"])
    )
    assert again["statusCode"] == 304
    assert again["headers"]["vary"] == "Accept, Accept-Encoding"


def test_vary_of_a_document() -> None:
    """An address with one form varies by coding alone, and one that is never compressed not at all."""
    assert to_event(Answer(200, b"x", XML, Policy.DOCUMENT), get())["headers"]["vary"] == "Accept-Encoding"
    assert "vary" not in to_event(Answer(200, b"x", "image/png", Policy.PAGE), get())["headers"]


def test_not_modified() -> None:
    """case 8: a 304 repeats Cache-Control, ETag and Vary, and has no body and no other header."""
    tag = to_event(PAGE, get())["headers"]["etag"]
    assert to_event(PAGE, get(if_none_match=f'"other", W/{tag}')) == {
        "statusCode": 304,
        "headers": {"cache-control": "public, max-age=300", "vary": "Accept, Accept-Encoding", "etag": tag},
        "body": "",
        "isBase64Encoded": False,
    }


def test_each_form_has_its_own_tag() -> None:
    """The gzip form's tag does not match the plain form, nor the other way round."""
    plain = to_event(PAGE, get())["headers"]["etag"]
    packed = to_event(PAGE, get(accept_encoding="gzip"))["headers"]["etag"]
    assert plain != packed
    assert not plain.startswith("W/")
    assert to_event(PAGE, get(accept_encoding="gzip", if_none_match=plain))["statusCode"] == 200
    assert to_event(PAGE, get(if_none_match=packed))["statusCode"] == 200
    assert to_event(PAGE, get(accept_encoding="gzip", if_none_match=packed))["statusCode"] == 304


def test_gzip() -> None:
    """A long text is compressed where asked for, and the bytes are the same every time."""
    response = to_event(PAGE, get(accept_encoding="gzip"))
    assert response["headers"]["content-encoding"] == "gzip"
    assert response["isBase64Encoded"] is True
    assert decompress(body_of(response)) == LONG
    assert response == to_event(PAGE, get(accept_encoding="gzip"))


@pytest.mark.parametrize(
    ("answer", "encoding"),
    [
        (PAGE, None),
        (PAGE, "gzip;q=0"),
        (PAGE, "br"),
        (replace(PAGE, body=LONG[:1000]), "gzip"),
        (replace(PAGE, content_type="image/png"), "gzip"),
        (replace(PAGE, status=404), "gzip"),
    ],
)
def test_not_compressed(answer: Answer, encoding: str | None) -> None:
    """No coding is used that was not asked for, on short bodies, on other than text, or on errors."""
    response = to_event(answer, get(accept_encoding=encoding))
    assert "content-encoding" not in response["headers"]
    assert body_of(response) == answer.body


@pytest.mark.parametrize(
    "answer",
    [
        PAGE,
        replace(PAGE, body=b"short", noindex=True),
        replace(PAGE, body=b"\x89PNG\x00", content_type="image/png"),
        not_found(""),
        UNAVAILABLE,
        redirect("/x"),
    ],
)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_head(answer: Answer, encoding: str | None) -> None:
    """cases 9 and 72: HEAD has GET's status and headers, the body's length included, and no body."""
    answered = to_event(answer, get("GET", accept_encoding=encoding))
    head = to_event(answer, get("HEAD", accept_encoding=encoding))
    assert head == answered | {"body": "", "isBase64Encoded": False}
    assert answered["headers"]["content-length"] == str(len(body_of(answered)))


def test_head_is_conditional() -> None:
    """A HEAD for what the client has is a 304 too."""
    tag = to_event(PAGE, get())["headers"]["etag"]
    assert to_event(PAGE, get("HEAD", if_none_match=tag))["statusCode"] == 304


def test_binary_body() -> None:
    """Bytes that are no text travel as base64, a text file in another charset among them."""
    for content_type in ("image/png", "text/plain"):
        body = b"caf\xe9\x00\xff"
        response = to_event(Answer(200, body, content_type, Policy.PAGE), get())
        assert response["isBase64Encoded"] is True
        assert body_of(response) == body


@given(st.binary(max_size=3000), st.sampled_from([HTML, XML, "image/png"]), st.sampled_from(ENCODINGS))
def test_every_body_arrives(body: bytes, content_type: str, encoding: str | None) -> None:
    """Whatever the bytes, type and coding, the client gets the bytes, and the response is JSON."""
    response = to_event(Answer(200, body, content_type, Policy.PAGE), get(accept_encoding=encoding))
    received = body_of(json.loads(json.dumps(response)))
    assert (decompress(received) if "content-encoding" in response["headers"] else received) == body


@pytest.mark.parametrize(
    "filler", [b"\x00", "あ".encode(), b'"', b"a"], ids=["nul", "kana", "quote", "letter"]
)
@pytest.mark.parametrize("size", [PLATFORM_RESPONSE_BYTES // 8, RESPONSE_BYTES])
def test_the_largest_bodies_fit_the_platform(filler: bytes, size: int) -> None:
    """The response as JSON stays below the platform's limit however its characters are written."""
    body = filler * (size // len(filler))
    response = to_event(Answer(200, body, TEXT, Policy.PAGE), get())
    assert response["statusCode"] == 200
    assert len(json.dumps(response)) < PLATFORM_RESPONSE_BYTES


def test_too_large(caplog: pytest.LogCaptureFixture) -> None:
    """A body the platform can't carry is a 500 of ours with a line in the log, not the platform's 502; its
    gzip form is fine."""
    huge = Answer(200, b"a" * (RESPONSE_BYTES + 1), TEXT, Policy.DOCUMENT)
    response = to_event(huge, get())
    assert response == to_event(FAILED, get())
    assert "/x: expected a body of at most 4300000 bytes" in caplog.text
    assert to_event(huge, get(accept_encoding="gzip"))["statusCode"] == 200


def test_noindex() -> None:
    """An answer that is not to be indexed says so in a header, for its Markdown has no other place."""
    assert to_event(replace(PAGE, noindex=True), get())["headers"]["x-robots-tag"] == "noindex"
    assert "x-robots-tag" not in to_event(PAGE, get())["headers"]


def test_max_age() -> None:
    """An answer's own age reaches Cache-Control, on the 304 too."""
    fresh = Answer(200, b"x", XML, Policy.SITEMAP, max_age=17)
    expected = "public, max-age=17, stale-if-error=86400"
    response = to_event(fresh, get())
    assert response["headers"]["cache-control"] == expected
    again = to_event(fresh, get(if_none_match=response["headers"]["etag"]))
    assert again["headers"]["cache-control"] == expected


def test_headers_of_the_answer() -> None:
    """An answer's own headers are sent in lower case, and two of one name become one list."""
    answer = replace(PAGE, headers=(("Link", '</a>; rel="a"'), ("link", '</b>; rel="b"')))
    assert to_event(answer, get())["headers"]["link"] == '</a>; rel="a", </b>; rel="b"'


@pytest.mark.parametrize("conditions", [{}, {"if_none_match": "*"}, {"if_modified_since": "x"}])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("accept", ACCEPTS)
def test_not_found_is_one_answer(
    conditions: dict[str, str], encoding: str | None, accept: str | None
) -> None:
    """A 404 is the same bytes and headers whatever the client sends, and is never conditional."""
    response = to_event(not_found("/docs"), get(accept=accept, accept_encoding=encoding, **conditions))
    assert response == {
        "statusCode": 404,
        "headers": {
            "content-type": "text/html; charset=utf-8",
            "cache-control": "private, no-cache",
            "x-content-type-options": "nosniff",
            "content-security-policy": response["headers"]["content-security-policy"],
            "content-length": str(len(not_found_page("/docs"))),
        },
        "body": not_found_page("/docs").decode(),
        "isBase64Encoded": False,
    }


@pytest.mark.parametrize(
    ("answer", "status", "header"),
    [
        (METHOD_NOT_ALLOWED, 405, ("allow", "GET, HEAD")),
        (UNAVAILABLE, 503, ("retry-after", "30")),
        (FAILED, 500, ("content-type", "text/plain; charset=utf-8")),
    ],
)
def test_errors_are_not_stored(answer: Answer, status: int, header: tuple[str, str]) -> None:
    """case 68: an error is never kept by a cache, and says what the client needs to go on."""
    response = to_event(answer, get(if_none_match="*"))
    assert response["statusCode"] == status
    assert response["headers"]["cache-control"] == "no-store"
    assert "etag" not in response["headers"]
    assert header in response["headers"].items()


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("/docs/start", "/docs/start"),
        ("/caf%C3%A9", "/caf%C3%A9"),
        ("/café", "/caf%C3%A9"),
        ("/a b", "/a%20b"),
        ("//evil.example/", "/evil.example/"),
        ("/\\evil.example", "/%5Cevil.example"),
        ("/x\r\nset-cookie: a=b", "/x%0D%0Aset-cookie:%20a=b"),
        ("https://example.com/x", "https://example.com/x"),
    ],
)
def test_redirect(location: str, expected: str) -> None:
    """A move is permanent, and its Location can't leave the site by accident."""
    response = to_event(redirect(location), get())
    assert response["statusCode"] == 301
    assert response["headers"]["location"] == expected


@pytest.mark.parametrize("location", ["/docs", "/docs?utm=1"])
def test_a_move_is_not_for_shared_caches(location: str) -> None:
    """No shared cache may keep a move: with one that has no query in its key, whoever came first would decide
    the query of all others (case 68)."""
    response = to_event(redirect(location), get())
    assert response["headers"]["location"] == location
    assert response["headers"]["cache-control"] == "private, no-cache"


def test_redirect_visitor() -> None:
    """Sending a visitor away is temporary, private, and not for who asks for Markdown."""
    response = to_event(redirect_visitor("/login"), get())
    assert response["statusCode"] == 302
    assert response["headers"]["location"] == "/login"
    assert response["headers"]["cache-control"] == "private, no-cache"
    assert response["headers"]["vary"] == "Accept"


@given(st.text())
def test_location_is_always_a_header(location: str) -> None:
    """No text makes a Location with a line break, a space or a character beyond ASCII in it."""
    sent = to_event(redirect(location), get())["headers"]["location"]
    assert sent.isascii()
    assert not any(character <= " " or character == "\x7f" for character in sent)
    assert not sent.startswith("//")
