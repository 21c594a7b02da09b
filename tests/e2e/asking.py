"""A visitor's request for the guarded site, and clients that send it to the origin or through a cache."""

import gzip
import http.client
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tests.e2e.guarded_site import ANONYMOUS
from tests.support import Response

HOST: Final = "www.guarded.example"
# Accept as clients send it, and whether it prefers Markdown.
BROWSER: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
AGENT: Final = "text/markdown, text/html;q=0.9, */*;q=0.1"
ACCEPTS: Final[Mapping[str | None, bool]] = {
    BROWSER: False,
    AGENT: True,
    "text/markdown": True,
    "text/html;q=0.2, text/markdown;q=0.7": True,
    "text/markdown;q=0, text/html": False,
    "text/markdown;q=0.1, text/html;q=0.2": False,
    "*/*": False,
    None: False,
}

Headers = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of one visitor. `gzip` is its Accept-Encoding, `tag` its If-None-Match, `forged` headers by
    which it claims what it should not."""

    path: str
    visitor: str = ANONYMOUS
    accept: str | None = BROWSER
    method: str = "GET"
    query: str = ""
    host: str = HOST
    gzip: str | None = None
    forged: tuple[tuple[str, str], ...] = ()
    tag: str | None = None

    @property
    def target(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path

    def headers(self) -> dict[str, str]:
        """What the client sends, but for its session."""
        optional = {"accept": self.accept, "accept-encoding": self.gzip, "if-none-match": self.tag}
        given = {name: value for name, value in optional.items() if value is not None}
        return {"host": self.host, **given, **dict(self.forged)}


class Client:
    """One kept-open connection to a port of this machine.

    `cookies` are the sessions of visitors; `passed_on` is what becomes of headers on the way, if anything.
    """

    def __init__(
        self,
        port: int,
        cookies: Mapping[str, str | None],
        passed_on: Callable[[Headers], Headers] = lambda headers: headers,
    ) -> None:
        self._port = port
        self._cookies = cookies
        self._passed_on = passed_on
        self._link: http.client.HTTPConnection | None = None

    def send(self, ask: Ask, **more: str) -> Response:
        """The answer, its body decompressed. `more` headers are for the cache alone."""
        headers = {**self._passed_on(ask.headers()), **more}
        if (session := self._cookies[ask.visitor]) is not None:
            headers["cookie"] = f"analytics=1; {session}"
        try:
            return self._exchange(ask, headers)
        except (http.client.RemoteDisconnected, ConnectionError):
            # A server may close what was idle, or what it has refused.
            self.close()
            return self._exchange(ask, headers)

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _exchange(self, ask: Ask, headers: Headers) -> Response:
        if self._link is None:
            self._link = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        self._link.putrequest(ask.method, ask.target, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            self._link.putheader(name, value)
        self._link.endheaders()
        with self._link.getresponse() as answer:
            body = answer.read()
            found = {name.lower(): value for name, value in answer.getheaders()}
        if body and found.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        return Response(answer.status, found, body)
