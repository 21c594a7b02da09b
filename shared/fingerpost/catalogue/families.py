"""Families: the collections whose records are language versions of each other, and the clusters they make.

`/en/blog/:slug` and `/fr/blog/:slug` are two pages, of one table or of two, perhaps with filters that differ.
Their records with one slug are versions of one thing, as two articles with one slug are (SPEC section 3).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from fingerpost.catalogue.addresses import Kind
from fingerpost.catalogue.canonical import CanonicalAddress
from fingerpost.catalogue.collections import AddressTemplate, Collection, make_cluster
from fingerpost.catalogue.entry import Alternate, Document, Verdict
from fingerpost.site.model import Languages
from fingerpost.sources.records import Record, Selection, Snapshot, slugs_of
from fingerpost.values import dataclass

# By the position of each collection that publishes a slug, the fields of its record that a canonical names.
Versions = Mapping[int, Record]

NO_VERSIONS: Final[Versions] = {}

# What a page's canonical says of the record with a slug, in one language of the collection.
RecordCanonical = Callable[[Collection, AddressTemplate, str, Record], CanonicalAddress]

_NO_FIELDS: Final[Record] = {}
# A record beyond the sitemap's cap answers at its address like any other.
_ALL: Final = 2**62


@dataclass(frozen=True, slots=True)
class Family:
    """A collection, and those whose records may be versions of its own: `together` have the same records, the
    collection among them, and `apart` have others.

    `places` are all their addresses in the order of the languages. `fields` of the collection's own records
    are what a canonical depends on.
    """

    collection: Collection
    together: tuple[Collection, ...]
    apart: tuple[Collection, ...]
    places: tuple[tuple[Collection, AddressTemplate], ...]
    fields: tuple[str, ...]
    default_code: str | None
    canonical: RecordCanonical

    @property
    def is_uniform(self) -> bool:
        """Whether nothing need be read to know a record's versions, and what each may appear in."""
        return not self.apart and not self.canonical_varies

    @property
    def canonical_varies(self) -> bool:
        """Whether a canonical may keep one record out of a cluster and another not."""
        return any(member.canonical_varies for member in (*self.together, *self.apart))

    def is_undisputed(self, slugs: Iterable[str | None]) -> bool:
        """Whether it is plain that nothing else answers at any address of these slugs, in any version."""
        return all(member.is_undisputed(slugs) for member in (*self.together, *self.apart))

    def verdict(self, template: AddressTemplate, slug: str, versions: Versions) -> Verdict:
        """What the record with `slug` may appear in, in one language of the collection."""
        return self._verdict(self.collection, template, slug, versions)

    def listed(self, slug: str, versions: Versions) -> tuple[AddressTemplate, ...]:
        """The languages in which the sitemap lists the record."""
        return tuple(
            template
            for template in self.collection.templates_of(slug, Document.SITEMAP)
            if self.verdict(template, slug, versions).allows(Document.SITEMAP)
        )

    def alternates(self, slug: str, encoded: str, versions: Versions) -> tuple[Alternate, ...]:
        """The hreflang cluster of the record, the same at each of its addresses."""
        uniform = self.is_uniform
        found = [
            (template.variant.language, member.address(template, encoded))
            for member, template in self.places
            if template.variant.language is not None
            and (uniform or member.route.position in versions)
            and not member.is_taken(template, slug)
            and self._verdict(member, template, slug, versions).allows(Document.HREFLANG)
        ]
        return make_cluster(found, self.default_code)

    def rows(self, snapshot: Snapshot, most: int) -> Iterator[Sequence[Sequence[Any]]]:
        """Pages of `(key, slug, lastmod)`, `most` rows in all; of `(key, slug, lastmod, versions)` where the
        family is not uniform."""
        if self.is_uniform:
            yield from snapshot.rows(self.collection.selection, most)
            return
        find = self.finder(snapshot)
        for page in snapshot.whole(self.collection.selection, self.fields, most):
            yield [(row["$key"], row["$slug"], row["$lastmod"], find(row)) for row in page]

    def finder(self, snapshot: Snapshot) -> Callable[[Record], Versions]:
        """What gives the versions of any record of the collection, having read all others at once."""
        if self.is_uniform:
            return lambda record: NO_VERSIONS
        others = [(member.route.position, _by_slug(snapshot, member)) for member in self.apart]

        def find(record: Record) -> Versions:
            slug = record["$slug"]
            elsewhere = {position: records[slug] for position, records in others if slug in records}
            return {**self._same(record), **elsewhere}

        return find

    def versions(self, snapshot: Snapshot, record: Record) -> Versions:
        """The versions of one record of the collection."""
        if self.is_uniform:
            return NO_VERSIONS
        found = dict(self._same(record))
        for member in self.apart:
            other = snapshot.record(member.selection, record["$slug"], member.canonical_fields)
            if other is not None:
                found[member.route.position] = other
        return found

    def _same(self, record: Record) -> Versions:
        fields = {name: record.get(name) for name in self.fields}
        return {member.route.position: fields for member in self.together}

    def _verdict(
        self, member: Collection, template: AddressTemplate, slug: str, versions: Versions
    ) -> Verdict:
        if not member.canonical_varies:
            return template.verdict
        record = versions.get(member.route.position, _NO_FIELDS)
        named = self.canonical(member, template, slug, record).elsewhere
        return template.verdict if named is None else template.verdict_elsewhere


def make_families(
    collections: Sequence[Collection], languages: Languages | None, canonical: RecordCanonical
) -> Mapping[int, Family]:
    """The family of each collection, by the position of its route."""
    codes = languages.codes if languages is not None else ()
    relatives: dict[object, list[Collection]] = {}
    for collection in collections:
        relatives.setdefault(_path_in_any_language(collection), []).append(collection)
    families = {}
    for collection in collections:
        # What is in no cluster itself has no use for the others.
        visible = collection.verdict.allows(Document.HREFLANG)
        listed = [
            member
            for member in relatives[_path_in_any_language(collection)]
            if member is collection or (visible and member.verdict.allows(Document.HREFLANG))
        ]
        together = tuple(m for m in listed if _have_same_records(m.selection, collection.selection))
        places = [(member, template) for member in listed for template in member.templates]
        places.sort(key=lambda place: codes.index(place[1].code) if place[1].code in codes else 0)
        families[collection.route.position] = Family(
            collection=collection,
            together=together,
            apart=tuple(member for member in listed if member not in together),
            places=tuple(places),
            fields=tuple(dict.fromkeys(name for member in together for name in member.canonical_fields)),
            default_code=languages.default if languages is not None else None,
            canonical=canonical,
        )
    return families


def _path_in_any_language(collection: Collection) -> object:
    """What the paths of all language versions have in common; a parameter's name tells nobody apart."""
    neutral = collection.templates[0].variant.neutral
    return tuple(
        (part.kind, "" if part.kind is not Kind.LITERAL and part.text == collection.parameter else part.text)
        for part in neutral.parts
    )


def _have_same_records(one: Selection, other: Selection) -> bool:
    return (
        one.table is other.table
        and one.slug_field == other.slug_field
        and set(one.conditions) == set(other.conditions)
    )


def _by_slug(snapshot: Snapshot, member: Collection) -> Mapping[str | None, Record]:
    """What a canonical names of each record of `member`, by slug: of those that share one, of the first."""
    found: dict[str | None, Record] = {}
    if not member.canonical_fields:
        for page in snapshot.rows(member.selection, _ALL):
            found |= dict.fromkeys(slugs_of(page), _NO_FIELDS)
        return found
    for records in snapshot.whole(member.selection, member.canonical_fields, _ALL):
        for record in records:
            found.setdefault(record["$slug"], record)
    return found
