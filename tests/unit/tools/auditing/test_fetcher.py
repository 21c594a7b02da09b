"""One request at a time, bounded in time and size, whatever the other side does."""

import gzip
import socket
import time

import pytest

from fingerpost_tools.auditing.exchange import Ended
from fingerpost_tools.auditing.fetcher import REDIRECTS, USER_AGENT, Fetcher, Wish
from fingerpost_tools.auditing.pace import Pace
from tests.unit.tools.auditing.raw_server import Behaviour, misbehaving
from tests.unit.tools.auditing.served_site import Resource, ServedSite, healthy_site, serving

ANY = Wish(1_000)


def fetcher(seconds: float = 5.0) -> Fetcher:
    return Fetcher(Pace(0), seconds)


def test_a_request_says_who_asks() -> None:
    """The robot names itself and its project, and asks for gzip."""
    site = healthy_site()
    with serving(site) as origin:
        exchange = fetcher().ask(f"{origin}/about", ANY)
    assert exchange.status == 200
    assert site.requests[0].headers["user-agent"] == USER_AGENT
    assert site.requests[0].headers["accept-encoding"] == "gzip"


def test_a_body_is_cut_at_the_limit() -> None:
    """A body longer than was wished for is read no further, and says so."""
    site = ServedSite({"/": Resource("x" * 5_000)})
    with serving(site) as origin:
        exchange = fetcher().ask(f"{origin}/", ANY)
    assert (exchange.size, exchange.too_large, exchange.fault) == (1_000, True, "larger than 0 KB")


def test_a_gzip_bomb_is_cut_at_the_limit() -> None:
    """What a few kilobytes unfold to counts, not the kilobytes."""
    bomb = gzip.compress(b"\0" * 50_000_000)
    headers = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    with misbehaving(lambda connection, path: connection.sendall(headers + bomb)) as origin:
        exchange = fetcher().ask(f"{origin}/", Wish(100_000))
    assert (exchange.size, exchange.too_large) == (100_000, True)


def test_a_body_of_a_type_nobody_wished_for_is_not_read() -> None:
    """An image that a page links to costs its headers alone."""
    site = ServedSite({"/wren.png": Resource("x" * 500, "image/png")})
    with serving(site) as origin:
        exchange = fetcher().ask(f"{origin}/wren.png", Wish(1_000, types=frozenset({"text/html"})))
    assert (exchange.status, exchange.body, exchange.fault) == (200, b"", "")


def _silent(connection: socket.socket, path: str) -> None:
    time.sleep(3)


def _dripping_header(connection: socket.socket, path: str) -> None:
    for octet in b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" * 10:
        connection.sendall(bytes([octet]))
        time.sleep(0.05)


def _dripping_body(connection: socket.socket, path: str) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    for _ in range(60):
        connection.sendall(b"x")
        time.sleep(0.05)


def _endless_body(connection: socket.socket, path: str) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        connection.sendall(b"x" * 1_000)


def _endless_header(connection: socket.socket, path: str) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"X-More: " + b"x" * 1_000 + b"\r\n")


def _no_http(connection: socket.socket, path: str) -> None:
    connection.sendall(b"220 mail.example ESMTP\r\n")


def _short(connection: socket.socket, path: str) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nnot all")


def _bad_gzip(connection: socket.socket, path: str) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope")


def _unknown_coding(connection: socket.socket, path: str) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 4\r\n\r\nnope")


def _bad_chunks(connection: socket.socket, path: str) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nnope")


@pytest.mark.parametrize(
    "behaviour",
    [
        _silent,
        _dripping_header,
        _dripping_body,
        _endless_body,
        _endless_header,
        _no_http,
        _short,
        _bad_gzip,
        _unknown_coding,
        _bad_chunks,
    ],
)
def test_a_hostile_answer_ends_in_time_with_a_reason(behaviour: Behaviour) -> None:
    """Whatever a server sends or withholds, a request ends soon and says what was wrong."""
    began = time.monotonic()
    with misbehaving(behaviour) as origin:
        exchange = fetcher(0.4).ask(f"{origin}/", Wish(100_000))
        assert time.monotonic() - began < 2.5
    assert exchange.fault
    assert "0x" not in exchange.fault


def test_nobody_there() -> None:
    """A port where nobody listens, a name that does not exist and an address that is none have a reason."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert fetcher().ask(f"http://127.0.0.1:{port}/", ANY).fault == "Connection refused"
    assert fetcher().ask("http://nobody.invalid/", ANY).fault == "the host's name is not known"
    assert fetcher().ask("http://[::1/", ANY).status == 0


def test_redirects_are_recorded_step_by_step() -> None:
    """Each step is an exchange of its own, and the last one the answer."""
    site = healthy_site()
    site.redirect("/a", "/b?x=1#top")
    site.redirect("/b?x=1", "/about")
    with serving(site) as origin:
        visit = fetcher().follow(f"{origin}/a", Wish(100_000))
    assert [hop.url.removeprefix(origin) for hop in visit.hops] == ["/a", "/b?x=1", "/about"]
    assert visit.ended is Ended.ANSWERED
    assert visit.redirected
    assert visit.answer is not None
    assert visit.answer.status == 200


@pytest.mark.parametrize("octets", ["/café".encode(), b"/caf%C3%A9", "http://127.0.0.1:{port}/café".encode()])
def test_a_redirect_may_be_written_in_utf_8(octets: bytes) -> None:
    """Raw octets of a Location mean what they mean to browsers, and go over the wire encoded."""
    asked: list[str] = []

    def lead_on(connection: socket.socket, path: str) -> None:
        asked.append(path)
        port = str(connection.getsockname()[1]).encode()
        status = (
            b"200 OK"
            if path == "/caf%C3%A9"
            else b"301 Moved\r\nLocation: " + octets.replace(b"{port}", port)
        )
        connection.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with misbehaving(lead_on) as origin:
        visit = fetcher().follow(f"{origin}/", ANY)
    assert (visit.ended, visit.last.status) == (Ended.ANSWERED, 200)
    assert asked == ["/", "/caf%C3%A9"]


def test_redirects_end() -> None:
    """A circle, a redirect that never ends and one to nowhere are told apart, and none is walked for long."""
    site = healthy_site()
    site.redirect("/circle", "/circle")
    site.redirect("/nowhere", "mailto:someone@example.com")
    site.resources["/silent"] = Resource("", status=302)
    for number in range(50):
        site.redirect(f"/step-{number}", f"/step-{number + 1}")
    with serving(site) as origin:
        ended = {
            path: fetcher().follow(f"{origin}/{path}", ANY)
            for path in ("circle", "nowhere", "silent", "step-0")
        }
    assert {path: visit.ended for path, visit in ended.items()} == {
        "circle": Ended.LOOP,
        "nowhere": Ended.NOWHERE,
        "silent": Ended.NOWHERE,
        "step-0": Ended.TOO_MANY,
    }
    assert len(ended["step-0"].hops) == REDIRECTS + 1


def test_a_redirect_is_not_followed_to_another_host_or_past_robots_txt() -> None:
    """The other host is never asked, nor is a forbidden address."""
    site, other = healthy_site(), healthy_site()
    with serving(site) as origin, serving(other) as elsewhere:
        site.redirect("/out", f"{elsewhere}/")
        site.redirect("/in", "/_private")
        polite = Fetcher(Pace(0), permits=lambda url: "/_private" not in url)
        out, forbidden = polite.follow(f"{origin}/out", ANY), polite.follow(f"{origin}/in", ANY)
    assert (out.ended, out.target) == (Ended.ELSEWHERE, f"{elsewhere}/")
    assert forbidden.ended is Ended.FORBIDDEN
    assert other.requests == []
    assert [request.path for request in site.requests] == ["/out", "/in"]


def test_a_busy_site_is_left_alone_for_as_long_as_it_says() -> None:
    """After a 429 with Retry-After the same address is asked once more, that much later."""
    site = healthy_site()
    site.resources["/busy"] = Resource("", status=429, headers={"retry-after": "7"})
    slept: list[float] = []
    with serving(site) as origin:
        exchange = Fetcher(Pace(0, clock=lambda: 0.0, sleep=slept.append)).ask(f"{origin}/busy", ANY)
    assert exchange.status == 429
    assert slept == [7.0]
    assert len(site.requests) == 2
