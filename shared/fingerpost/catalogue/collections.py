"""Collections: the records of one table as entries, each at the page's path with its slug filled in."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, TypeGuard

from fingerpost.catalogue.addresses import (
    Kind,
    Pattern,
    build_path,
    encode_segment,
    is_addressable,
    is_reserved,
)
from fingerpost.catalogue.entry import Alternate, Document, Drop, Verdict
from fingerpost.catalogue.routes import Route, Variant
from fingerpost.site.model import Language, Table
from fingerpost.sources.records import Selection, slugs_of
from fingerpost.values import dataclass

# Slugs made of unreserved characters alone are their own encoding; only dots can make a dot segment.
_PLAIN = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9_~.-]*")
_PLAIN_LINES = re.compile(r"[A-Za-z0-9_~.\n-]+")
# Longer slugs are remembered by a digest of 128 bits, where two never meet by accident.
_MARK_CHARACTERS = 48


@dataclass(frozen=True, slots=True)
class AddressTemplate:
    """The addresses of a collection in one language (`code`, None on a site without languages).

    `prefix` and `suffix` are encoded, base path included.

    `verdict` holds for each record there: a canonical that names one language leaves the others out of
    the lists. Where the canonical depends on the record, `verdict_elsewhere` holds for those whose names
    another address.
    """

    variant: Variant
    prefix: str
    suffix: str
    verdict: Verdict
    verdict_elsewhere: Verdict

    @property
    def code(self) -> str | None:
        return self.variant.language.code if self.variant.language is not None else None


@dataclass(frozen=True, slots=True)
class Collection:
    """The records that one page publishes, each once per template, in the languages' order.

    `verdict` is that of the best template. `dated` tells whether everyone may know when a record changed.
    `canonical_varies` where the page's canonical may be one record's own and another's not, and
    `canonical_fields` are what of a record it depends on, all readable by everyone. `taken` are slugs whose
    address is a file's or a Markdown form's; `is_free` tells whether a record may have the address of some
    segments, None where no other page could own any.
    """

    route: Route
    parameter: str
    table: Table
    selection: Selection
    templates: tuple[AddressTemplate, ...]
    dated: bool = True
    default_code: str | None = None
    canonical_varies: bool = False
    canonical_fields: tuple[str, ...] = ()
    taken: frozenset[str] = frozenset()
    is_free: Callable[[tuple[str, ...]], bool] | None = None

    @property
    def verdict(self) -> Verdict:
        listed = (t.verdict for t in self.templates if t.verdict.allows(Document.HREFLANG))
        return next(listed, self.templates[0].verdict)

    @property
    def main(self) -> AddressTemplate:
        """The addresses in the default language, else in the first."""
        return self.template(self.default_code) or self.templates[0]

    def template(self, code: str | None) -> AddressTemplate | None:
        """The addresses in one language, None where the page is not in it."""
        return next((t for t in self.templates if t.code == code), None)

    def encode(self, slug: str | None) -> str | None:
        """The slug as it stands in an address; None where no address can hold it."""
        if not slug:
            return None
        if _PLAIN.fullmatch(slug):
            return slug
        whole_rest = any(part.kind is Kind.REST for part in self.route.pattern.parts)
        segments = slug.split("/") if whole_rest else [slug]
        if not all(is_addressable(segment) for segment in segments):
            return None
        return "/".join(map(encode_segment, segments))

    def is_undisputed(self, slugs: Iterable[str | None]) -> bool:
        """Whether it is plain that nothing else answers at any address of the records with these slugs."""
        return (
            self.is_free is None
            and (not self.taken or self.taken.isdisjoint(slugs))
            and all(len(template.variant.pattern.parts) > 1 for template in self.templates)
        )

    def is_rivalled(self, slug: str) -> bool:
        """Whether something else answers at the main address of the record with `slug`."""
        return self.is_taken(self.main, slug)

    def templates_of(self, slug: str, document: Document) -> tuple[AddressTemplate, ...]:
        """The languages in which `document` may list the record: where its address is free."""
        return tuple(
            template
            for template in self.templates
            if template.verdict.allows(document) and not self.is_taken(template, slug)
        )

    def is_taken(self, template: AddressTemplate, slug: str) -> bool:
        """Whether something else answers at the record's address in one language."""
        if slug in self.taken:
            return True
        pattern = template.variant.pattern
        if len(pattern.parts) == 1 and is_reserved((slug,)):
            return True
        return self.is_free is not None and not self.is_free(pattern.fill({self.parameter: slug}))

    def address(self, template: AddressTemplate, encoded: str) -> str:
        return f"{template.prefix}{encoded}{template.suffix}"


def make_cluster(members: Sequence[tuple[Language, str]], default_code: str | None) -> tuple[Alternate, ...]:
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


def around_parameter(pattern: Pattern, base: str) -> tuple[str, str]:
    """What stands before and behind the one parameter of a pattern, encoded, base path included."""
    before = pattern.static_part
    after = [part.text for part in pattern.parts[len(before) + 1 :]]
    prefix = build_path(base, before) if before else base
    return f"{prefix}/", build_path("", after) if after else ""


def distinct(
    rows: Iterable[Sequence[Sequence[Any]]],
    collection: Collection,
    seen: set[str] | None = None,
    dropped: Callable[[Drop, Sequence[Any]], object] | None = None,
) -> Iterator[tuple[str, str, Any]]:
    """The records of `rows` that an address can hold, each slug once: `(slug, encoded slug, row)`.

    Left out are empty slugs, those no client could ask for, and those an earlier record has; `dropped` is
    told of each. Whoever has pages one by one gives `seen`, which keeps what earlier pages held.
    """
    seen = set() if seen is None else seen
    encode = collection.encode
    for page in rows:
        for row in page:
            slug = row[1]
            encoded = encode(slug)
            if encoded is None or (mark := _mark(encoded)) in seen:
                if dropped is not None:
                    dropped(Drop.COLLISION if encoded else Drop.IMPOSSIBLE if slug else Drop.EMPTY, row)
                continue
            seen.add(mark)
            yield slug, encoded, row


def distinct_page(
    page: Sequence[Sequence[Any]], collection: Collection, seen: set[str]
) -> tuple[Sequence[Sequence[Any]], Sequence[str]]:
    """What `distinct` gives for one page, as two lists: the rows, and the encoded slug of each.

    A page whose slugs are all new and plain, as most are, is told by a few looks at the whole of it.
    """
    slugs = slugs_of(page)
    if slugs and _are_plain(slugs):
        new = set(slugs if max(map(len, slugs)) <= _MARK_CHARACTERS else map(_mark, slugs))
        if len(new) == len(slugs) and seen.isdisjoint(new):
            seen |= new
            return page, slugs
    found = list(distinct([page], collection, seen))
    return [row for _, _, row in found], [encoded for _, encoded, _ in found]


def _are_plain(slugs: Sequence[str | None]) -> TypeGuard[Sequence[str]]:
    """Whether every slug is there and its own encoding: `_PLAIN`, told of all of them at once."""
    if None in slugs:
        return False
    lines = "\n".join(("", *slugs, ""))  # type: ignore[arg-type] # looked for above
    return (
        lines.count("\n") == len(slugs) + 1
        and "\n." not in lines
        and "\n\n" not in lines
        and _PLAIN_LINES.fullmatch(lines) is not None
    )


def _mark(encoded: str) -> str:
    """What a slug is remembered by: itself, or a digest where it is long, so that a million stay small."""
    if len(encoded) <= _MARK_CHARACTERS:
        return encoded
    # No encoded slug holds a NUL, so no digest is ever taken for one.
    return "\0" + blake2b(encoded.encode(), digest_size=16).digest().decode("latin-1")
