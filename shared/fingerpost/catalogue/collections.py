"""Collections: the records of one table as entries, each at the page's path with its slug filled in."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fingerpost.catalogue.addresses import Kind, Pattern, build_path, encode_segment, is_addressable
from fingerpost.catalogue.entry import Alternate, Document, Verdict
from fingerpost.catalogue.routes import Route, Variant
from fingerpost.site.model import Table
from fingerpost.sources.records import Selection

# Slugs made of unreserved characters alone are their own encoding; only dots can make a dot segment.
_PLAIN = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9_~.-]*")


@dataclass(frozen=True, slots=True)
class AddressTemplate:
    """The addresses of a collection in one language: `prefix` and `suffix` are encoded, base path included."""

    variant: Variant
    prefix: str
    suffix: str


@dataclass(frozen=True, slots=True)
class Collection:
    """The records that one page publishes. `rivals` are routes that own some of its addresses.

    `verdict` holds for each record. The same slug is published once per template.
    """

    route: Route
    table: Table
    selection: Selection
    verdict: Verdict
    templates: tuple[AddressTemplate, ...]
    whole_rest: bool  # the parameter is `:x*`, so a slug's `/` separates segments
    default_code: str | None = None
    rivals: tuple[Route, ...] = ()

    def encode(self, slug: str | None) -> str | None:
        """The slug as it stands in an address; None where no address can hold it."""
        if not slug:
            return None
        if _PLAIN.fullmatch(slug):
            return slug
        segments = slug.split("/") if self.whole_rest else [slug]
        if not all(is_addressable(segment) for segment in segments):
            return None
        return "/".join(map(encode_segment, segments))

    def is_rivalled(self, slug: str) -> bool:
        """Whether a route declared earlier owns the address of `slug`."""
        if not self.rivals:
            return False
        segments = self.segments(self.templates[0].variant, slug)
        return any(
            other.pattern.match(segments) is not None
            or any(variant.pattern.match(segments) is not None for variant in other.variants)
            for other in self.rivals
        )

    def segments(self, variant: Variant, slug: str) -> tuple[str, ...]:
        """The decoded segments of the record's address in one language."""
        parameter = self.route.parameter
        assert parameter is not None
        return variant.pattern.fill({parameter: slug})

    def address(self, template: AddressTemplate, encoded: str) -> str:
        return f"{template.prefix}{encoded}{template.suffix}"

    def alternates(self, encoded: str) -> tuple[Alternate, ...]:
        """The hreflang cluster of one record, the same for each of its addresses; empty with fewer than two."""
        if not self.verdict.allows(Document.HREFLANG):
            return ()
        members = [
            (template.variant.language, self.address(template, encoded))
            for template in self.templates
            if template.variant.language is not None
        ]
        return make_cluster(members, self.default_code)


def make_cluster(members: Sequence[tuple[Any, str]], default_code: str | None) -> tuple[Alternate, ...]:
    """A hreflang cluster from `(Language, address)` pairs in the languages' order: one per tag, then
    `x-default` at the default language's version where there is one. Fewer than two are no cluster."""
    by_tag: dict[str, str] = {}
    default = None
    for language, address in members:
        by_tag.setdefault(language.tag, address)
        if language.code == default_code:
            default = address
    if len(by_tag) < 2:
        return ()
    cluster = [Alternate(tag, address) for tag, address in by_tag.items()]
    if default is not None:
        cluster.append(Alternate("x-default", default))
    return tuple(cluster)


def make_templates(route: Route, base: str) -> tuple[AddressTemplate, ...]:
    """The address templates of a route with one parameter, in its languages' order."""
    return tuple(
        AddressTemplate(variant, *_around_parameter(variant.pattern, base)) for variant in route.variants
    )


def _around_parameter(pattern: Pattern, base: str) -> tuple[str, str]:
    before = pattern.static_part
    after = [part.text for part in pattern.parts[len(before) + 1 :]]
    prefix = build_path(base, before) if before else base
    return f"{prefix}/", build_path("", after) if after else ""


def takes_rest(route: Route) -> bool:
    """Whether the route's one parameter is `:x*`."""
    return any(part.kind is Kind.REST for part in route.pattern.parts)


def distinct(
    rows: Iterator[Sequence[Sequence[Any]]], collection: Collection
) -> Iterator[tuple[str, str, Any]]:
    """The records of `rows` that have an address of their own: `(slug, encoded slug, row)`.

    Left out are empty slugs, those no client could ask for, addresses that an earlier page owns, and
    any address an earlier record has.
    """
    seen: set[str] = set()
    encode, rivals = collection.encode, collection.rivals
    for page in rows:
        for row in page:
            slug = row[1]
            encoded = encode(slug)
            if encoded is None or encoded in seen or (rivals and collection.is_rivalled(slug)):
                continue
            seen.add(encoded)
            yield slug, encoded, row
