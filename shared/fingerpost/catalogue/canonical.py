"""Canonical addresses that authors write: is it the entry's own, or another's (SPEC sections 3 and 4)?"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from fingerpost.catalogue.addresses import (
    Paths,
    Pattern,
    build_path,
    decode_path,
    encode_url,
    is_based,
    parse_pattern,
    split_path,
    with_base,
)
from fingerpost.catalogue.articles import index_slugs
from fingerpost.catalogue.entry import Article
from fingerpost.catalogue.origin import Origin, normalised_url, split_origin
from fingerpost.catalogue.routes import LANG, Localised, Route, Variant
from fingerpost.catalogue.visibility import field_readers
from fingerpost.site.model import EMPTY, Languages, Site, Table
from fingerpost.site.urls import address_fault
from fingerpost.sources.records import Record
from fingerpost.values import dataclass


@dataclass(frozen=True, slots=True)
class CanonicalAddress:
    """`elsewhere` is the other address, as an absolute URL or as a path with the base path, None where the
    canonical is the entry's own. `own_origin` is the origin that an absolute own canonical names."""

    elsewhere: str | None = None
    own_origin: str | None = None


OWN = CanonicalAddress()


class Canonicals:
    """What the canonicals that a site's pages and articles declare come to."""

    def __init__(self, site: Site, origin: Origin, paths: Paths) -> None:
        self._site = site
        self._origin = origin
        self._paths = paths

    def of(
        self,
        route: Route,
        variant: Variant,
        parameters: Mapping[str, str],
        article: Article | None = None,
        record: Record = EMPTY,
    ) -> CanonicalAddress:
        """What the canonical says of one address of a page; `record` holds what it may depend on."""
        declared = _declared(route, article)
        if declared is not None and "$" in declared:
            code = variant.language.code if variant.language is not None else None
            front = article.front.data if article is not None else EMPTY
            declared = filled(declared, record, front, self._site.languages, code)
        if declared is None:
            return OWN
        if route.localised is Localised.PARAMETER and variant.language is not None:
            parameters = {**parameters, LANG: variant.language.code}
        names = self._names(route, variant, parameters, article)
        return own_or_elsewhere(declared, names, parameters, self._origin, self._paths)

    def record_fields(self, route: Route, table: Table) -> tuple[str, ...]:
        """What of a record its page's canonical depends on: fields that everyone may read, and whose value
        needs no other table."""
        declared = _declared(route)
        if declared is None or "$" not in declared:
            return ()
        from fingerpost.site.placeholders import record_fields

        plain = {field.name for field in table.fields if field.type != "relationship"}
        return tuple(
            name
            for name in record_fields(declared)
            if name in plain and field_readers(self._site, table, name).everyone
        )

    def names_one_record(self, route: Route, parameter: str) -> bool:
        """Whether the canonical is the address that one record of the page might have, and the others not."""
        for variant in route.variants:
            elsewhere = self.of(route, variant, {parameter: f":{parameter}"}).elsewhere or ""
            path = elsewhere.removeprefix(self._origin.known or "").removeprefix(self._origin.base)
            segments = decode_path(path)
            if segments is not None and any(
                pattern.match(segments) for pattern in _answering(route, variant)
            ):
                return True
        return False

    def _names(
        self, route: Route, variant: Variant, parameters: Mapping[str, str], article: Article | None
    ) -> Iterator[str]:
        """Every path at which an entry's page is the same page: its address, the one without a language
        prefix, and each that redirects there."""
        content, parameter = route.page.content_dir, route.parameter
        ways = [parameters]
        if article is not None and content is not None and parameter is not None:
            ways += [{**parameters, parameter: slug} for slug in index_slugs(content, article)]
        for pattern in _answering(route, variant):
            yield from (self._paths.address(pattern.fill(each)) for each in ways)


def _declared(route: Route, article: Article | None = None) -> str | None:
    """The canonical as its author wrote it; a record's slug is the parameter of the page's path."""
    page = route.page
    declared = (article.front.canonical if article else None) or page.meta.canonical
    if declared is None or page.collection is None or route.parameter is None:
        return declared
    own_slug = rf"\$record\.{re.escape(page.collection.slug_field)}(?!\w)"
    return re.sub(own_slug, f":{route.parameter}", declared)


def _answering(route: Route, variant: Variant) -> Iterator[Pattern]:
    """The patterns that lead to a page in one language: with it and, for a plain page, without."""
    yield variant.pattern
    if route.localised is Localised.PREFIXED:
        yield route.pattern


def own_or_elsewhere(
    declared: str | None,
    names: Iterable[str],
    parameters: Mapping[str, str],
    origin: Origin,
    paths: Paths,
) -> CanonicalAddress:
    """Compare the canonical that an author declared with the `names` of an entry: each path it answers at.

    Parameters in it (`/docs/:path*`) are filled first. Where no origin is configured, an absolute
    canonical names the page's origin, and only its path is compared. `paths` gives a canonical elsewhere on
    the site the form that is published there.
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
    return CanonicalAddress(elsewhere=encode_url(url.partition("#")[0]))


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
