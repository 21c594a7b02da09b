"""URLs as a crawler compares them: one form for all spellings (RFC 3986 6.2), and a site's bounds."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

_PORTS: Final = {"http": 80, "https": 443}
_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
# RFC 3986 2: what a URL is written in; everything else has to be percent-encoded.
_UNENCODED: Final = re.compile(r"[^!#$%&'()*+,/0-9:;=?@A-Z\[\]_a-z~.-]")
_BROKEN_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


@lru_cache(maxsize=65_536)
def normal(url: str) -> str:
    """`url` in the form that equal addresses share: scheme and host in lower case, no default port, `/` for
    the empty path, escapes in upper case and only where needed, no fragment. What is no http(s) URL stays as
    it is.
    """
    parts = _split(url)
    if parts is None:
        return url
    path = _ESCAPE.sub(_escape, _encoded(parts.path)) or "/"
    query = f"?{_ESCAPE.sub(_escape, _encoded(parts.query))}" if parts.query else ""
    return f"{_origin(parts)}{path}{query}"


def resolve(base: str, reference: str) -> str | None:
    """The absolute http(s) URL that `reference` means on the page `base`, its fragment kept (RFC 3986 5);
    None where it means something else (`mailto:`, `javascript:`) or nothing."""
    try:
        url = urljoin(base, reference.strip())
    except ValueError:
        return None
    return url if _split(url) is not None else None


def absolute(url: str) -> bool:
    """Whether `url` says scheme and host itself."""
    return _split(url) is not None


def well_encoded(url: str) -> bool:
    """Whether `url` holds only characters that a URL is written in, and every `%` starts an escape."""
    return _UNENCODED.search(url) is None and _BROKEN_ESCAPE.search(url) is None


def origin(url: str) -> str:
    """Scheme, host and port of an http(s) URL, a default port left out; "" for anything else."""
    parts = _split(url)
    return "" if parts is None else _origin(parts)


def path_of(url: str) -> str:
    """The path of a URL, `/` where it is empty."""
    parts = _split(url)
    return "/" if parts is None else parts.path or "/"


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        port_is_a_number = parts.port is None or parts.port >= 0
    except ValueError:
        return None
    usable = parts.scheme.lower() in _PORTS and bool(parts.hostname) and port_is_a_number
    return parts if usable else None


def _origin(parts: SplitResult) -> str:
    scheme, host = parts.scheme.lower(), parts.hostname or ""
    if not host.isascii():
        host = _ascii(host)
    bracketed = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, _PORTS[scheme]) else f":{parts.port}"
    return f"{scheme}://{bracketed}{port}"


def _ascii(host: str) -> str:
    """A host name as it is asked for in the DNS (RFC 3490); as it stands where it can't be one."""
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def _escape(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _encoded(text: str) -> str:
    return _UNENCODED.sub(lambda match: "".join(f"%{octet:02X}" for octet in _octets(match[0])), text)


def _octets(text: str) -> bytes:
    return text.encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Scope:
    """The site that is looked at: one origin, and the path that its addresses begin with ("" or "/docs")."""

    origin: str
    base: str = ""

    @classmethod
    def of(cls, url: str) -> "Scope":
        """The site whose home page is `url`."""
        return cls(origin(url), path_of(url).rpartition("/")[0])

    @property
    def home(self) -> str:
        return self.url("/")

    def url(self, path: str) -> str:
        """The address of a path below the site's base."""
        return f"{self.origin}{self.base}{path}"

    def same_host(self, url: str) -> bool:
        return origin(url) == self.origin

    def holds(self, url: str) -> bool:
        """Whether `url` is an address of the site."""
        return self.same_host(url) and f"{path_of(url)}/".startswith(f"{self.base}/")
