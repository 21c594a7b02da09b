"""Canonical addresses that authors write: is it the entry's own, or another's (SPEC sections 3 and 4)?"""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from fingerpost.catalogue.addresses import Paths, build_path, is_based, parse_pattern, split_path, with_base
from fingerpost.catalogue.origin import Origin, normalised_url, split_origin
from fingerpost.site.model import Languages
from fingerpost.site.urls import address_fault
from fingerpost.sources.records import Record
from fingerpost.values import dataclass

# RFC 3986 2: what a URL may hold as it is, percent-encodings included.
_URL_CHARACTERS = "%:/?#[]@!$&'()*+,;=~"


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
    paths: Paths,
) -> CanonicalAddress:
    """Compare the canonical that an author declared with the `names` of an entry: each path it answers at.

    Parameters in it (`/docs/:path*`) are filled first. Where no origin is configured, an absolute
    canonical names the page's origin, and only its path is compared. `paths` gives a
    canonical elsewhere on the site the form that is published there.
    """
    if not declared or not declared.strip():
        return OWN
    url = _fill(declared.strip(), parameters)
    parts = urlsplit(url)
    if not (parts.scheme and parts.netloc):
        path = normalised_url(url)
        based = with_base(path.removesuffix("/"), origin.base) or "/"
        if not {path, based}.isdisjoint(map(normalised_url, names)):
            return OWN
        return CanonicalAddress(elsewhere=_published(based, paths))
    try:
        own_origin, _ = split_origin(url.partition("#")[0].partition("?")[0])
    except ValueError:
        return CanonicalAddress(elsewhere=url)
    path = normalised_url(url).removeprefix(own_origin)
    if origin.known in (None, own_origin) and path in map(normalised_url, names):
        return CanonicalAddress(own_origin=own_origin)
    if own_origin == origin.known and is_based(path, origin.base):
        return CanonicalAddress(elsewhere=own_origin + _published(path, paths))
    # Another site knows best whether its addresses end in a slash.
    return CanonicalAddress(elsewhere=quote(url.partition("#")[0], safe=_URL_CHARACTERS))


def filled(
    declared: str,
    record: Record,
    frontmatter: Mapping[str, Any],
    languages: Languages | None,
    code: str | None,
) -> str | None:
    """A canonical with its placeholders filled; None where it comes to no address, and so declares none.

    A placeholder alone stands for a URL or a path. Within one, a record's text is literal, slashes aside.
    """
    from fingerpost.site.placeholders import Values, as_text, fill_if_known, single_reference

    if single_reference(declared) is None:
        record = {name: quote(as_text(value), safe="/") for name, value in record.items()}
    address = fill_if_known(declared, Values(record, frontmatter, languages, code))
    return None if address is None or address_fault(address.strip()) else address.strip()


def _published(reference: str, paths: Paths) -> str:
    path, rest = split_path(reference)
    return paths.published(path) + rest


def _fill(url: str, parameters: Mapping[str, str]) -> str:
    """`url` with the parameters of the page's path in it replaced."""
    parts = urlsplit(url)
    pattern = parse_pattern(parts.path)
    if not pattern.parameters or not set(pattern.parameters) <= set(parameters):
        return url
    return urlunsplit(parts._replace(path=build_path("", pattern.fill(parameters))))
