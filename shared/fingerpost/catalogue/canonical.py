"""Canonical addresses that authors write: is it the entry's own, or another's (SPEC sections 3 and 4)?"""

import re
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import quote, urlsplit, urlunsplit

from fingerpost.catalogue.addresses import build_path, is_based, parse_pattern, with_base
from fingerpost.catalogue.origin import Origin, normalised_url, split_origin
from fingerpost.values import dataclass

# RFC 3986 2: what a URL may hold as it is, percent-encodings included.
_URL_CHARACTERS = "%:/?#[]@!$&'()*+,;=~"
# What is filled in only when a page is rendered can't be compared before.
_UNFILLED = re.compile(r"\$(?:record|frontmatter)\.|\$t:")


@dataclass(frozen=True, slots=True)
class CanonicalAddress:
    """`elsewhere` is the other address, as an absolute URL or as a path with the base path, None where the
    canonical is the entry's own. `own_origin` is the origin that an absolute own canonical names."""

    elsewhere: str | None = None
    own_origin: str | None = None


OWN = CanonicalAddress()


def own_or_elsewhere(
    declared: str | None,
    names: Iterable[str],
    parameters: Mapping[str, str],
    origin: Origin,
    roots: Collection[str] = (),
) -> CanonicalAddress:
    """Compare the canonical that an author declared with the `names` of an entry: each path it answers at.

    Parameters in it (`/docs/:path*`) are filled first. Where no origin is configured, an absolute
    canonical names the page's origin, and only its path is compared. `roots` are the addresses that end in
    a slash, so that a canonical elsewhere on the site has the form that is published there.
    """
    if not declared or not declared.strip() or _UNFILLED.search(declared):
        return OWN
    url = _fill(declared.strip(), parameters)
    own = {normalised_url(name) for name in names}
    parts = urlsplit(url)
    if not (parts.scheme and parts.netloc):
        path = normalised_url(url)
        based = with_base(path.removesuffix("/"), origin.base) or "/"
        if path in own or based in own:
            return OWN
        return CanonicalAddress(elsewhere=_published(based, roots))
    try:
        own_origin, _ = split_origin(url.partition("#")[0].partition("?")[0])
    except ValueError:
        return CanonicalAddress(elsewhere=url)
    path = normalised_url(url).removeprefix(own_origin)
    if path in own and origin.known in (None, own_origin):
        return CanonicalAddress(own_origin=own_origin)
    if own_origin == origin.known and is_based(path, origin.base):
        return CanonicalAddress(elsewhere=own_origin + _published(path, roots))
    # Another site knows best whether its addresses end in a slash.
    return CanonicalAddress(elsewhere=quote(url.partition("#")[0], safe=_URL_CHARACTERS))


def _published(path: str, roots: Collection[str]) -> str:
    """A normalised path in the form the site publishes: a root ends in a slash."""
    path, mark, query = path.partition("?")
    return f"{path}/{mark}{query}" if f"{path}/" in roots else f"{path}{mark}{query}"


def _fill(url: str, parameters: Mapping[str, str]) -> str:
    """`url` with the parameters of the page's path in it replaced."""
    parts = urlsplit(url)
    pattern = parse_pattern(parts.path)
    if not pattern.parameters or not set(pattern.parameters) <= set(parameters):
        return url
    return urlunsplit(parts._replace(path=build_path("", pattern.fill(parameters))))
