"""A function-URL event (payload 2.0) as a request."""

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from fingerpost.values import dataclass

# RFC 3986 3.2.2: a registered name or IPv4 address (or an IPv6 literal), and an optional port, in lower case.
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")

VIEWER_HOST = "x-viewer-host"
VIEWER_SCHEME = "cloudfront-forwarded-proto"


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `path` and `query` are still percent-encoded; header names are lower case.

    `host` is the host the viewer asked for as the CDN passed it: never the client's own Host or
    X-Forwarded-* header, which nothing may trust.
    """

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: tuple[str, ...] = ()
    host: str = "localhost"
    scheme: str = "https"

    @property
    def own_origin(self) -> str:
        """Scheme and host of this request, the origin of last resort (no trailing slash)."""
        return f"{self.scheme}://{self.host}"


def from_event(event: Mapping[str, Any]) -> Request:
    """Read a function-URL event; whatever is missing or malformed becomes the harmless value.

    A function URL hands the path over still encoded in `rawPath`, unlike API Gateway's HTTP APIs.
    """
    context = _mapping(event.get("requestContext"))
    http = _mapping(context.get("http"))
    headers = {str(name).lower(): str(value) for name, value in _mapping(event.get("headers")).items()}
    host = headers.get(VIEWER_HOST, "").strip().lower()
    if not _HOST.fullmatch(host):
        host = str(context.get("domainName") or "localhost").lower()
    scheme = "http" if headers.get(VIEWER_SCHEME, "").strip().lower() == "http" else "https"
    cookies = event.get("cookies")
    if not isinstance(cookies, list):
        cookies = []
    if not cookies and "cookie" in headers:
        cookies = headers["cookie"].split(";")
    return Request(
        method=str(http.get("method") or "GET").upper(),
        path=str(event.get("rawPath") or "/"),
        query=str(event.get("rawQueryString") or ""),
        headers=headers,
        cookies=tuple(str(cookie).strip() for cookie in cookies),
        host=host,
        scheme=scheme,
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
