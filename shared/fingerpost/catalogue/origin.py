"""The origin every absolute URL starts with, and comparing the URLs that authors write (SPEC section 3)."""

from urllib.parse import urlsplit

from fingerpost.catalogue.addresses import author_segments, build_path
from fingerpost.errors import SettingError
from fingerpost.site.model import Site
from fingerpost.values import dataclass

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True)
class Origin:
    """`known` is scheme and host where configuration tells it, else None (the request tells);
    `base` is the base path, "" or "/base"."""

    known: str | None
    base: str = ""


def split_origin(url: str) -> tuple[str, str]:
    """An absolute http(s) URL as its normalised origin (lower case, no default port) and the path behind it.

    Raises ValueError where it is no such URL, or has a query or fragment.
    """
    parts = urlsplit(url.strip())
    scheme, host = parts.scheme.lower(), parts.netloc.lower()
    if scheme not in _DEFAULT_PORTS or not parts.hostname or not host.isascii() or "@" in host:
        raise ValueError(url)
    if parts.query or parts.fragment:
        raise ValueError(url)
    _ = parts.port  # raises ValueError where it is no number up to 65535
    return f"{scheme}://{host.removesuffix(_DEFAULT_PORTS[scheme])}", parts.path


def read_base_url(text: str) -> tuple[str, str]:
    """`BASE_URL` as its origin and base path ("" where it has none). Raises SettingError."""
    try:
        return _origin_and_base(text)
    except ValueError:
        raise SettingError(
            f"BASE_URL: expected an http or https address without query or fragment, found {text!r}"
        ) from None


def resolve_origin(base_url: str | None, site: Site) -> Origin:
    """The origin by SPEC's order: `BASE_URL`, else `deployment.site`, else unknown until a request.

    A base path may stand in either or in `deployment.base`, and counts once. Raises SettingError on a
    `BASE_URL` that is not an http(s) origin.
    """
    declared_base = build_path("", author_segments(site.deployment_base)).removesuffix("/")
    if base_url:
        origin, base = read_base_url(base_url)
    elif site.deployment_site:
        origin, base = _origin_and_base(site.deployment_site)
    else:
        return Origin(None, declared_base)
    return Origin(origin, base or declared_base)


def _origin_and_base(url: str) -> tuple[str, str]:
    if "?" in url or "#" in url:
        raise ValueError(url)
    origin, path = split_origin(url)
    return origin, build_path("", author_segments(path)).removesuffix("/")


def normalised_url(url: str) -> str:
    """A URL or path that an author wrote, in one comparable form: no fragment, no trailing slash, each
    segment encoded once. A path stays a path."""
    parts = urlsplit(url.strip())
    path = build_path("", author_segments(parts.path))
    query = f"?{parts.query}" if parts.query else ""
    if parts.scheme and parts.netloc:
        scheme, host = parts.scheme.lower(), parts.netloc.lower()
        return f"{scheme}://{host.removesuffix(_DEFAULT_PORTS.get(scheme, ''))}{path}{query}"
    return f"{path}{query}"
