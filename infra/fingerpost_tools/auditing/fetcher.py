"""The only module that speaks HTTP to the site: one polite request at a time, bounded in time and size."""

import queue
import re
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit

from fingerpost import __version__
from fingerpost_tools.auditing.exchange import Ended, Exchange, Visit, delta_seconds, digest_of
from fingerpost_tools.auditing.gunzip import Gunzip, TooLarge
from fingerpost_tools.auditing.pace import Pace
from fingerpost_tools.auditing.urls import absolute, normal, origin

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse, PoolManager

TOKEN: Final = "fingerpost-audit"  # noqa: S105 - a product token, RFC 9110 10.1.5
USER_AGENT: Final = f"{TOKEN}/{__version__} (+https://github.com/fingerpost/fingerpost)"
# What browsers send for a page.
BROWSER: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

# RFC 9309 2.3.1.2 asks for at least five; browsers give up after twenty.
REDIRECTS: Final = 10
CONNECT_SECONDS: Final = 10.0
# From the first octet sent to the last one read.
ANSWER_SECONDS: Final = 30.0
# The longest that a Retry-After or a Crawl-delay is waited for.
REST_SECONDS: Final = 60.0
# So many requests in a row without any answer, and the site is taken to be gone.
PATIENCE: Final = 5
_CHUNK: Final = 65_536
_BUSY: Final = frozenset({429, 503})


class SiteGone(Exception):  # noqa: N818 - the name says what is wrong
    """The site has stopped answering."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a request is for: the forms it asks for, the most octets of the body that are read (after gzip is
    undone), and the media types whose body is read at all (None: any)."""

    limit: int
    accept: str = "*/*"
    types: frozenset[str] | None = None

    def reads(self, media_type: str) -> bool:
        return self.types is None or media_type in self.types


@dataclass(slots=True)
class Fetcher:
    """Asks for addresses. `permits` says whether robots.txt lets an address be asked for; it is looked at on
    every step of a redirect. `count` is how many requests were sent.

    Any request raises SiteGone once five in a row got no answer.
    """

    pace: Pace
    seconds: float = ANSWER_SECONDS
    permits: Callable[[str], bool] = lambda url: True
    count: int = 0
    # Requests in a row that got no answer at all.
    unanswered: int = 0
    _pools: dict[str, "PoolManager"] = field(default_factory=dict)

    def follow(self, url: str, wish: Wish) -> Visit:
        """GET `url` and walk along its redirects, as far as they stay on its host and are permitted."""
        hops: list[Exchange] = []
        seen = {normal(url)}
        here = url
        while True:
            exchange = self.ask(here, wish)
            hops.append(exchange)
            if not exchange.status:
                return Visit(url, tuple(hops), Ended.FAILED)
            if not exchange.redirects:
                return Visit(url, tuple(hops), Ended.ANSWERED)
            target = _target(exchange)
            ended = self._stops(here, target, seen, len(hops))
            if ended is not None:
                return Visit(url, tuple(hops), ended, target)
            seen.add(normal(target))
            here = target

    def _stops(self, here: str, target: str, seen: set[str], hops: int) -> Ended | None:
        """Why a redirect is not followed, None where it is."""
        if not target:
            return Ended.NOWHERE
        if normal(target) in seen:
            return Ended.LOOP
        if origin(target) != origin(here):
            return Ended.ELSEWHERE
        if hops > REDIRECTS:
            return Ended.TOO_MANY
        return None if self.permits(target) else Ended.FORBIDDEN

    def ask(
        self, url: str, wish: Wish, method: str = "GET", headers: Mapping[str, str] | None = None
    ) -> Exchange:
        """One request, no redirect followed. `headers` come on top of the usual ones, and win.

        A site that is too busy (429, 503) is left alone for as long as its Retry-After says, up to a minute,
        and then asked once more.
        """
        sent = {"User-Agent": USER_AGENT, "Accept": wish.accept, "Accept-Encoding": "gzip", **(headers or {})}
        exchange = self._once(method, url, sent, wish)
        wait = delta_seconds(exchange.headers.get("retry-after", ""))
        if exchange.status in _BUSY and wait:
            self.pace.rest(min(wait, REST_SECONDS))
            exchange = self._once(method, url, sent, wish)
        return exchange

    def _once(self, method: str, url: str, headers: Mapping[str, str], wish: Wish) -> Exchange:
        if not absolute(url):
            return Exchange(method, url, fault="this is no address that can be asked for")
        self.pace.wait()
        self.count += 1
        answers: queue.SimpleQueue[Exchange] = queue.SimpleQueue()
        pool, wire = self._pool(url), url if url.isascii() else normal(url)

        def work() -> None:
            # In the form that goes over the wire, where an author may have written otherwise.
            exchange = _exchange(pool, method, wire, headers, wish, time.monotonic() + self.seconds)
            answers.put(replace(exchange, url=url))

        # Time-outs of sockets bound each read, not the whole: a name server that is silent, or a header that
        # comes one octet at a time, would hold a single-threaded crawler for ever.
        threading.Thread(target=work, daemon=True).start()
        try:
            exchange = answers.get(timeout=self.seconds + 1)
        except queue.Empty:
            self._pools.clear()
            exchange = Exchange(method, url, fault=f"no whole answer within {self.seconds:g} s")
        self.unanswered = 0 if exchange.status else self.unanswered + 1
        if self.unanswered >= PATIENCE:
            raise SiteGone
        return exchange

    def _pool(self, url: str) -> "PoolManager":
        """Connections for the scheme of `url`, by the proxy that the environment names for it."""
        from urllib.request import getproxies, proxy_bypass

        import urllib3

        parts = urlsplit(url)
        if parts.scheme not in self._pools:
            options: dict[str, Any] = {
                "retries": False,
                "timeout": urllib3.Timeout(connect=min(CONNECT_SECONDS, self.seconds), read=self.seconds),
            }
            proxy = None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)
            pool = urllib3.ProxyManager(proxy, **options) if proxy else urllib3.PoolManager(**options)
            self._pools[parts.scheme] = pool
        return self._pools[parts.scheme]

    def close(self) -> None:
        """Let go of every connection."""
        for pool in self._pools.values():
            pool.clear()


def _target(redirect: Exchange) -> str:
    """Where a redirect leads, its fragment left out; "" where it says nothing usable (RFC 9110 10.2.2)."""
    location = redirect.headers.get("location", "")
    # Octets beyond ASCII are UTF-8 to browsers, whatever the standard says; they arrive here as Latin-1.
    with suppress(UnicodeError):
        location = location.encode("latin-1").decode()
    try:
        target = urljoin(redirect.url, location).partition("#")[0]
    except ValueError:
        return ""
    return target if location and absolute(target) else ""


def _exchange(
    pool: "PoolManager", method: str, url: str, headers: Mapping[str, str], wish: Wish, deadline: float
) -> Exchange:
    from http.client import HTTPException

    from urllib3.exceptions import HTTPError

    try:
        response = pool.request(
            method, url, headers=dict(headers), redirect=False, preload_content=False, decode_content=False
        )
    except (HTTPError, HTTPException, OSError, ValueError) as error:
        return Exchange(method, url, fault=_reason(error))
    received = {name.lower(): response.headers[name] for name in response.headers}
    bare = Exchange(method, url, response.status, received)
    too_large = False
    try:
        if method == "HEAD":
            # Nothing follows, and a connection that knows it can be used again.
            response.read()
            return bare
        if not wish.reads(bare.content_type):
            return bare
        body, fault = _body(response, received.get("content-encoding", ""), wish.limit, deadline)
    except TooLarge as error:
        body, fault, too_large = error.body, f"larger than {_size(wish.limit)}", True
    except (HTTPError, HTTPException, OSError, ValueError, zlib.error) as error:
        body, fault = b"", f"the body broke off: {_reason(error)}"
    finally:
        response.close()
    return replace(bare, body=body, fault=fault, too_large=too_large, digest=digest_of(body), size=len(body))


def _body(response: "BaseHTTPResponse", coding: str, limit: int, deadline: float) -> tuple[bytes, str]:
    """The body with its coding undone, and what is wrong with it. Raises TooLarge with the first `limit`
    octets of a longer one, however few they were on the way."""
    name = coding.strip().lower()
    if name not in ("", "identity", "gzip", "x-gzip"):
        return b"", f"the body has the coding {name}, which was not asked for"
    gunzip = Gunzip(limit) if "gzip" in name else None
    body = bytearray()
    while chunk := response.read1(_CHUNK):
        if gunzip is None:
            body += chunk
        else:
            gunzip.feed(chunk)
        if len(body) > limit:
            raise TooLarge(bytes(body[:limit]))
        if time.monotonic() > deadline:
            return bytes(body), "the body did not end in time"
    if gunzip is None:
        return bytes(body), ""
    return gunzip.body, "" if gunzip.whole or not gunzip.body else "the gzip body broke off"


def _size(octets: int) -> str:
    return f"{octets // 1024**2} MB" if octets >= 1024**2 else f"{octets // 1024} KB"


def _reason(error: BaseException) -> str:
    """An error of the connection in a few words: those of its first cause, without the names of objects that
    urllib3 puts before them."""
    from http.client import BadStatusLine, IncompleteRead

    from urllib3 import exceptions

    if isinstance(error, exceptions.NameResolutionError):
        return "the host's name is not known"
    while (cause := _cause(error)) is not None:
        error = cause
    if isinstance(error, exceptions.TimeoutError | TimeoutError):
        return "timed out"
    if isinstance(error, IncompleteRead | exceptions.IncompleteRead):
        return "it ended early"
    if isinstance(error, BadStatusLine) and not isinstance(error, ConnectionError):
        return "the answer is no HTTP"
    told = getattr(error, "strerror", None) or " ".join(arg for arg in error.args if isinstance(arg, str))
    return (
        re.sub(r"<\S+ object at 0x[0-9a-f]+>:? ?|\s*\(_ssl\.c:\d+\)", "", told)[:200] or type(error).__name__
    )


def _cause(error: BaseException) -> BaseException | None:
    """The error behind an error: urllib3 keeps it as the cause, or among the arguments."""
    among = (argument for argument in error.args if isinstance(argument, BaseException))
    return error.__cause__ or next(among, None)
