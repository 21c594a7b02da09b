"""URLs that an author writes: what is wrong with one, in words."""

from urllib.parse import urlsplit

# RFC 3986 2: none of these may stand in a URL; the first two also break the line-based formats.
_FORBIDDEN = frozenset('\t\n\r\x7f "<>\\^`{|}') | frozenset(map(chr, range(0x20)))


def url_fault(url: str) -> str | None:
    """What keeps `url` from being an absolute http or https URL, None where it is one."""
    if any(character in _FORBIDDEN for character in url):
        return "it holds a character that no URL may hold"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        return str(error)
    if parts.scheme.lower() not in ("http", "https"):
        return "it does not begin with http:// or https://"
    if not host:
        return "it names no host"
    if not host.isascii():
        return "its host is not in ASCII (write the xn-- form)"
    return "it holds a user name" if "@" in parts.netloc else None


def origin_fault(url: str) -> str | None:
    """What keeps `url` from being an origin (scheme, host, and perhaps a base path), None where it is one."""
    fault = url_fault(url)
    if fault is None and ("?" in url or "#" in url):
        return "it has a query or fragment"
    return fault


def address_fault(address: str) -> str | None:
    """What keeps `address` from being an absolute URL or a path of the site, None where it is either."""
    if not address.startswith("/"):
        return url_fault(address)
    if address.startswith("//"):
        return "it begins with two slashes, which names another host"
    if any(character in _FORBIDDEN for character in address):
        return "it holds a character that no URL may hold"
    return None
