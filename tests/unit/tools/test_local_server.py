"""Real HTTP in, function-URL events out, and back again."""

import base64
import http.client
import socket
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.web.content_policy import OWNERS
from fingerpost.web.request import from_event
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.local_server import BODY_BYTES, Edge, LocalServer, event, request_target

Answerer = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class Served:
    """A running server that keeps each event it made and answers with `answer`."""

    def __init__(self) -> None:
        self.events: list[Mapping[str, Any]] = []
        self.lines: list[tuple[str, str, int]] = []
        self.answer: Mapping[str, Any] = {"statusCode": 200, "body": "hello"}
        self.server = LocalServer("127.0.0.1", 0, Edge(), lambda m, t, s, _: self.lines.append((m, t, s)))

    def invoke(self, made: Mapping[str, Any]) -> Mapping[str, Any]:
        self.events.append(made)
        return self.answer

    def raw(self, request: bytes) -> bytes:
        """The whole answer to a request sent byte for byte; the request should close the connection."""
        with socket.create_connection(("127.0.0.1", self.server.port), 5) as link:
            link.sendall(request)
            return b"".join(iter(lambda: link.recv(65536), b""))

    def ask(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        link = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=5)
        try:
            link.request(method, path, body, dict(headers or {}))
            response = link.getresponse()
            return response, response.read()
        finally:
            link.close()


@pytest.fixture
def served() -> Iterator[Served]:
    """A server in a thread of its own."""
    running = Served()
    with running.server as server, server.serving(running.invoke):
        yield running


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [
        ("/", "/", ""),
        ("/a%2Fb", "/a%2Fb", ""),
        ("/..%2f..%2fapp.yaml.md", "/..%2f..%2fapp.yaml.md", ""),
        ("/docs/../x", "/docs/../x", ""),
        ("//host/x", "//host/x", ""),
        ("/a%00b%zz%", "/a%00b%zz%", ""),
        ("/q?a=1&b=%26+c?d", "/q", "a=1&b=%26+c?d"),
        ("/B%C3%BCcher/100%2525", "/B%C3%BCcher/100%2525", ""),
        ("http://elsewhere.example/a%2Fb?x=1", "/a%2Fb", "x=1"),
        ("http://elsewhere.example", "/", ""),
        ("*", "/*", ""),
    ],
)
def test_the_target_reaches_the_function_as_it_was_sent(
    served: Served, target: str, path: str, query: str
) -> None:
    """`rawPath` is neither decoded nor tidied up: what is odd about a path is for the function to judge."""
    served.raw(f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert served.events[0]["rawPath"] == path.replace("/*", "*") if target == "*" else path
    assert served.events[0]["rawQueryString"] == query


def test_raw_utf8_is_encoded() -> None:
    """A careless client's `/é` becomes the URL it meant; what is encoded already stays."""
    assert request_target("GET /\xc3\xa9%20x?q=\xc3\xa9 HTTP/1.1") == "/%C3%A9%20x?q=%C3%A9"


@given(
    st.text(st.characters(min_codepoint=0x21, max_codepoint=0xFF, exclude_characters="\x85\xa0"), min_size=1)
)
def test_any_target_is_ascii_and_keeps_what_was_encoded(rest: str) -> None:
    """Whatever octets arrive, the target is printable ASCII, and doing it again changes nothing."""
    target = request_target(f"GET /{rest} HTTP/1.1")
    assert target.isascii()
    assert target.isprintable()
    assert request_target(f"GET {target} HTTP/1.1") == target


def test_the_edge_has_the_last_word_on_who_was_asked(served: Served) -> None:
    """Case 71: forged hosts do not get through; the function sees the host that was really asked for."""
    served.ask(
        "GET",
        "/x",
        {
            "Host": "Shop.Example:8000",
            "X-Viewer-Host": "evil.example",
            "X-Forwarded-Host": "evil.example",
            "X-Forwarded-Proto": "https",
            "Forwarded": "host=evil.example",
            "CloudFront-Forwarded-Proto": "https",
            "X-Original-URL": "/admin",
        },
    )
    request = from_event(served.events[0])
    assert request.own_origin == "http://shop.example:8000"
    assert "evil" not in str(served.events[0])
    assert "/admin" not in str(served.events[0])


@pytest.mark.parametrize(
    ("accept", "seen"),
    [
        ("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", "text/html"),
        ("text/markdown, text/html;q=0.5", "text/markdown"),
        ("text/html, text/markdown;q=0", "text/html"),
        ("*/*", "text/html"),
    ],
)
def test_accept_is_one_of_two_values(served: Served, accept: str, seen: str) -> None:
    """Case 6: the edge folds every Accept into the two that the cache key may hold."""
    served.ask("GET", "/x", {"Accept": accept})
    assert served.events[0]["headers"]["accept"] == seen


def test_repeated_headers_and_cookies_are_joined(served: Served) -> None:
    """Headers of one name become one, cookies a list."""
    served.raw(
        b"GET / HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nx-a: 2\r\nCookie: a=1; b=2\r\nCookie: c=3\r\n"
        b"Connection: close\r\n\r\n"
    )
    assert served.events[0]["headers"]["x-a"] == "1,2"
    assert served.events[0]["cookies"] == ["a=1", "b=2", "c=3"]


def test_a_visitors_cookie_is_added_where_there_is_none() -> None:
    """The local visitor is signed in unless a request says something of its own about the session."""
    edge = Edge("session=token")
    assert edge.headers({"host": "x"})["cookie"] == "session=token"
    assert edge.headers({"host": "x", "cookie": "theme=dark"})["cookie"] == "theme=dark; session=token"
    assert edge.headers({"host": "x", "cookie": "session="})["cookie"] == "session="


def test_bodies_and_cookies_come_back(served: Served) -> None:
    """A base64 body is bytes again, and each cookie a Set-Cookie of its own."""
    served.answer = {
        "statusCode": 200,
        "headers": {"Content-Type": "image/png"},
        "body": base64.b64encode(b"\x89PNG\xff").decode(),
        "isBase64Encoded": True,
        "cookies": ["a=1", "b=2"],
    }
    response, body = served.ask("GET", "/")
    assert body == b"\x89PNG\xff"
    assert response.headers.get_all("set-cookie") == ["a=1", "b=2"]
    assert response.headers["content-type"] == "image/png"


def test_head_tells_the_length_and_sends_no_body(served: Served) -> None:
    """Case 72: a HEAD carries the length that its GET has, and nothing behind its headers."""
    served.answer = {"statusCode": 200, "headers": {"content-length": "5"}, "body": ""}
    answer = served.raw(b"HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert b"content-length: 5" in answer
    assert answer.endswith(b"\r\n\r\n")


def test_security_headers_are_added_where_a_function_says_none(served: Served) -> None:
    """As at the CDN, an answer has a content policy and a referrer policy, its own where it says one; a 304,
    which would change what a browser keeps, has none."""
    response, _ = served.ask("GET", "/own.html")
    assert response.headers["content-security-policy"] == OWNERS
    assert response.headers["referrer-policy"] == "strict-origin-when-cross-origin"
    served.answer = {"statusCode": 200, "headers": {"Content-Security-Policy": "default-src 'none'"}}
    response, _ = served.ask("GET", "/")
    assert response.headers.get_all("content-security-policy") == ["default-src 'none'"]
    served.answer = {"statusCode": 304, "headers": {"etag": '"x"'}}
    response, _ = served.ask("GET", "/")
    assert "content-security-policy" not in response.headers


def test_not_modified_has_neither_body_nor_length(served: Served) -> None:
    """RFC 9110 15.4.5: a 304 ends with its headers, and the connection goes on."""
    served.answer = {"statusCode": 304, "headers": {"etag": '"x"'}, "body": "never"}
    link = http.client.HTTPConnection("127.0.0.1", served.server.port, timeout=5)
    for _ in range(2):
        link.request("GET", "/")
        response = link.getresponse()
        assert (response.status, response.read()) == (304, b"")
        assert "content-length" not in response.headers
    link.close()


def test_a_connection_is_kept(served: Served) -> None:
    """Several requests go over one connection, a POST with a body among them."""
    link = http.client.HTTPConnection("127.0.0.1", served.server.port, timeout=5)
    link.connect()
    first = link.sock
    for method, body in (("GET", None), ("POST", b"a=1"), ("GET", None)):
        link.request(method, "/", body)
        assert link.getresponse().read() == b"hello"
    assert link.sock is first
    link.close()
    assert base64.b64decode(served.events[1]["body"]) == b"a=1"


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("Content-Length: nonsense", 400),
        ("Content-Length: -1", 400),
        (f"Content-Length: {BODY_BYTES + 1}", 413),
        ("Transfer-Encoding: chunked", 411),
    ],
)
def test_a_body_that_can_not_be_read_is_refused(served: Served, head: str, status: int) -> None:
    """Such a request reaches no function, and nothing after it on the connection is taken for another."""
    answer = served.raw(
        f"POST / HTTP/1.1\r\nHost: x\r\n{head}\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n".encode()
    )
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    assert answer.count(b"HTTP/1.1 ") == 1
    assert served.events == []


def test_each_request_is_logged(served: Served) -> None:
    """One line per request, with what was asked and what became of it."""
    served.answer = {"statusCode": 404, "body": ""}
    served.ask("GET", "/missing?x=%1b[31m")
    assert served.lines == [("GET", "/missing?x=%1b[31m", 404)]


def test_a_busy_port_is_one_line(served: Served) -> None:
    """Whoever comes second is told which port it is, and what to do."""
    with pytest.raises(CommandError, match=rf"port {served.server.port} of 127\.0\.0\.1 .*--port"):
        LocalServer("127.0.0.1", served.server.port, Edge(), lambda *line: None)


def test_an_event_is_what_the_functions_read() -> None:
    """The event has the shape of payload 2.0: its reader gets method, path, query, host and cookies."""
    headers = Edge().headers({"host": "h:1", "cookie": "a=b"})
    request = from_event(event("HEAD", "/p%20q?r=s", headers, source="127.0.0.1"))
    assert (request.method, request.path, request.query) == ("HEAD", "/p%20q", "r=s")
    assert (request.host, request.scheme, request.cookies) == ("h:1", "http", ("a=b",))
