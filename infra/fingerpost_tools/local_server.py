"""Real HTTP on one side, function-URL events on the other: this process plays the edge of the CDN."""

import base64
import contextlib
import errno
import re
import socket
import socketserver
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any, Final
from urllib.parse import quote, urlsplit

from fingerpost.web.content_policy import OWNERS
from fingerpost.web.negotiation import prefers_markdown
from fingerpost.web.request import VIEWER_HOST, VIEWER_SCHEME
from fingerpost_tools.command_error import CommandError

Event = Mapping[str, Any]
Answer = Mapping[str, Any]
Invoke = Callable[[Event], Answer]
# method, request target, status, seconds
AccessLog = Callable[[str, str, int, float], None]

# The two values of Accept that reach a function: a shared cache then holds two forms, not one per spelling.
HTML: Final = "text/html"
MARKDOWN: Final = "text/markdown"
IDLE_SECONDS: Final = 60
# How soon `shutdown` is heard.
_POLL_SECONDS: Final = 0.1
BODY_BYTES: Final = 6 * 1024 * 1024
_BODILESS: Final = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED})
# Headers by which a client could claim to have asked for something else, which the viewer function drops too,
# or to be the CDN.
CLAIMS: Final = re.compile(
    r"forwarded$|x-forwarded-|x-original-|x-rewrite-|x-http-method|x-method-override$|x-host$|x-viewer-|cloudfront-"
)
# What the CDN adds to an answer that does not say it itself (template.yaml), HSTS aside, which is for https.
_ADDED: Final = {
    "referrer-policy": "strict-origin-when-cross-origin",
    "content-security-policy": OWNERS,
}
# RFC 3986: what a target may hold as it stands; anything else, raw UTF-8 above all, is encoded.
_TARGET: Final = "/:@!$&'()*+,;=-._~%?[]"
# RFC 9110 7.6.1: of this connection alone; the server frames the answer itself.
_OF_THE_CONNECTION: Final = frozenset(
    {"connection", "keep-alive", "transfer-encoding", "content-length", "upgrade"}
)


@dataclass(frozen=True, slots=True)
class Edge:
    """What the CDN does to a request before a function sees it. `cookie` (`name=value`) is added to
    requests that carry none of that name."""

    cookie: str | None = None

    def headers(self, received: Mapping[str, str]) -> dict[str, str]:
        """Lower-case headers for the event: the viewer's host and scheme are the edge's own word, whatever
        the client claims."""
        headers = {name: value for name, value in received.items() if not CLAIMS.match(name)}
        headers[VIEWER_HOST] = headers.get("host", "").lower()
        headers[VIEWER_SCHEME] = "http"
        headers["accept"] = MARKDOWN if prefers_markdown(received.get("accept")) else HTML
        if self.cookie is not None:
            cookies = _cookies(headers)
            if not any(cookie.startswith(f"{self.cookie.partition('=')[0]}=") for cookie in cookies):
                headers["cookie"] = "; ".join((*cookies, self.cookie))
        return headers


def event(
    method: str, target: str, headers: Mapping[str, str], body: bytes = b"", source: str = ""
) -> dict[str, Any]:
    """A function-URL event (payload 2.0). `target` is the request target as received: `rawPath` keeps it
    undecoded. Header names are lower case, several of one name joined by commas."""
    raw_path, _, query = target.partition("?")
    built: dict[str, Any] = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": raw_path,
        "rawQueryString": query,
        "headers": dict(headers),
        "requestContext": {
            "accountId": "anonymous",
            "apiId": "local",
            "domainName": "localhost",
            "domainPrefix": "local",
            "http": {
                "method": method,
                "path": raw_path,
                "protocol": "HTTP/1.1",
                "sourceIp": source,
                "userAgent": headers.get("user-agent", ""),
            },
            "requestId": "local",
            "routeKey": "$default",
            "stage": "$default",
            "time": time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime()),
            "timeEpoch": int(time.time() * 1000),
        },
        "isBase64Encoded": bool(body),
    }
    if cookies := _cookies(headers):
        built["cookies"] = cookies
    if body:
        built["body"] = base64.b64encode(body).decode()
    return built


def _cookies(headers: Mapping[str, str]) -> list[str]:
    return [part.strip() for part in headers.get("cookie", "").split(";") if part.strip()]


def request_target(line: str) -> str:
    """The target of a request line in origin form (RFC 9112 3.2), its octets above ASCII percent-encoded.

    `line` is the line as http.server reads it, one character per octet. Read from the line itself, since
    http.server takes leading slashes off what it calls the path.
    """
    target = line.split()[1]
    if not target.startswith("/"):
        parts = urlsplit(target)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return quote(target.encode("latin-1"), safe=_TARGET)


class LocalServer(socketserver.ThreadingTCPServer):
    """An HTTP server that takes the port at once, and answers once it has something to answer with."""

    invoke: Invoke

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, host: str, port: int, edge: Edge, log: AccessLog) -> None:
        self.edge = edge
        self.log = log
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            super().__init__((host, port), _Exchange)
        except OSError as error:
            reason = error.strerror or error
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise CommandError(f"--host {host}: no address of this machine ({reason})") from error
            raise CommandError(
                f"port {port} of {host} can't be used ({reason}): name another with --port, or 0 for any"
            ) from error

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def serve(self, invoke: Invoke) -> None:
        """Answer every request by `invoke`, until `shutdown`."""
        self.invoke = invoke
        self.serve_forever(poll_interval=_POLL_SECONDS)

    @contextlib.contextmanager
    def serving(self, invoke: Invoke) -> Iterator[threading.Thread]:
        """`serve` in the thread that is handed over, for as long as the context lasts."""
        thread = threading.Thread(target=self.serve, args=(invoke,), name="local-server")
        thread.start()
        try:
            yield thread
        finally:
            self.shutdown()
            thread.join()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up in the middle is nobody's error; anything else is told."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Exchange(BaseHTTPRequestHandler):
    """One connection: requests in, answers out."""

    server: LocalServer
    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    # Head and body leave together, and at once.
    wbufsize = -1
    disable_nagle_algorithm = True

    def _answer(self) -> None:
        began = time.monotonic()
        body = self._body()
        if body is None:
            return
        target = request_target(self.requestline)
        built = event(
            self.command, target, self.server.edge.headers(self._headers()), body, self.client_address[0]
        )
        answer = self.server.invoke(built)
        status = int(answer.get("statusCode", HTTPStatus.OK))
        self._write(status, answer)
        self.server.log(self.command, target, status, time.monotonic() - began)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _answer  # noqa: N815

    def _headers(self) -> dict[str, str]:
        headers: dict[str, str] = {}
        for name, value in self.headers.items():
            key = name.lower()
            # RFC 9110 5.3, and RFC 6265 5.4 for cookies.
            separator = "; " if key == "cookie" else ","
            headers[key] = f"{headers[key]}{separator}{value}" if key in headers else value
        return headers

    def _body(self) -> bytes | None:
        """The request's body; None where it can't be read and the refusal is already written."""
        if "transfer-encoding" in self.headers:
            self.send_error(HTTPStatus.LENGTH_REQUIRED)
            return None
        length = self.headers.get("content-length", "0").strip()
        if not length.isdecimal():
            self.send_error(HTTPStatus.BAD_REQUEST)
            return None
        if int(length) > BODY_BYTES:
            self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return None
        return self.rfile.read(int(length))

    def _write(self, status: int, answer: Answer) -> None:
        content = str(answer.get("body") or "")
        body = base64.b64decode(content) if answer.get("isBase64Encoded") else content.encode()
        said = {name.lower(): str(value) for name, value in (answer.get("headers") or {}).items()}
        headers = said if status in _BODILESS else _ADDED | said
        self.send_response_only(status)
        for name, value in headers.items():
            if name not in _OF_THE_CONNECTION:
                self.send_header(name, value)
        for cookie in answer.get("cookies") or ():
            self.send_header("set-cookie", cookie)
        if "date" not in headers:
            self.send_header("date", self.date_time_string())
        if status not in _BODILESS:
            # A HEAD has the length that a GET would have, where the function tells it.
            told = headers.get("content-length", "") if self.command == "HEAD" else ""
            self.send_header("content-length", told or str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status not in _BODILESS:
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name http.server calls it by
        """Silence: the access line is written once the answer is."""
