"""Answers /sitemap.xml and /sitemap-N.xml: one set a minute, served unchanged by every instance."""

import re
from collections.abc import Generator
from contextlib import ExitStack, closing
from hashlib import blake2b
from typing import Final

from fingerpost import __version__
from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Document
from fingerpost.documents.sitemap import Child, Report, RowReader, render_children, render_index
from fingerpost.observe import count, log_warning
from fingerpost.sources.read_ahead import read_ahead
from fingerpost.web.answer import XML, Answer
from fingerpost.web.generations import Generations
from fingerpost.web.instance import Instance
from fingerpost.web.own_files import own_file
from fingerpost.web.paths import document_name
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request
from fingerpost.web.response import not_found
from fingerpost.web.sitemap_set import Source

_NAME: Final = "sitemap.xml"
_CHILD = re.compile(r"sitemap-([1-9][0-9]{0,5})\.xml")


class SitemapAnswers:
    """The sitemap's answers of one function instance. Index and children come from one moment."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        seconds, clock = instance.settings.sitemap_seconds, instance.clock
        self._shared = Generations(seconds, clock, instance.shared)
        self._alone = Generations(seconds, clock)

    def answer(self, request: Request) -> Answer:
        """Answer for the sitemap or a child: 404 where there is none.

        Raises RecordsUnavailable where its records can't be had.
        """
        instance = self._instance
        if instance.shared is None:  # else others may have read them already
            instance.expect_records()
        catalogue = instance.catalogue()
        name = document_name(request.path, catalogue.origin) or ""
        child = _CHILD.fullmatch(name)
        if name != _NAME and child is None:
            return not_found(catalogue.origin.base)
        own = own_file(instance, catalogue.publication, name, XML)
        if own is not None:
            return Answer(200, *own, Policy.SITEMAP, max_age=int(instance.settings.sitemap_seconds))
        if not _is_derived(catalogue):
            return not_found(catalogue.origin.base)
        origin = catalogue.origin.known or request.own_origin
        # Without records a set follows from the site alone: all instances make the same one by themselves.
        generations = self._shared if lists_records(catalogue) else self._alone
        number = int(child[1]) if child else 0
        found = generations.document(_state(catalogue, origin), number, self._source(catalogue, origin))
        if found is None:
            return not_found(catalogue.origin.base)
        packed, left = found
        return Answer(200, b"", XML, Policy.SITEMAP, max_age=left, packed=packed)

    def refresh(self) -> None:
        """Compute the next minute's set ahead of its time, for all instances.

        Raises RecordsUnavailable and StoreUnavailable. A site whose origin is each request's own has no set
        that would be everybody's.
        """
        catalogue = self._instance.catalogue()
        origin = catalogue.origin.known
        if origin is None:
            log_warning("No sitemap is computed ahead: neither BASE_URL nor deployment.site says its origin")
        elif _is_derived(catalogue) and lists_records(catalogue):
            self._shared.refresh(_state(catalogue, origin), self._source(catalogue, origin))

    def _source(self, catalogue: Catalogue, origin: str) -> Source:
        return Source(
            children=lambda: self._children(catalogue, origin),
            index=lambda lastmods: render_index(catalogue, origin, lastmods),
        )

    def _children(self, catalogue: Catalogue, origin: str) -> Generator[Child, None, None]:
        report = Report()
        with ExitStack() as stack:
            yield from render_children(catalogue, origin, self._rows(catalogue, stack), report)
        _say(report)

    def _rows(self, catalogue: Catalogue, stack: ExitStack) -> RowReader:
        if not lists_records(catalogue):
            return lambda collection, most: iter(())
        snapshot = stack.enter_context(self._instance.records.snapshot())
        return lambda collection, most: stack.enter_context(
            closing(read_ahead(catalogue.family(collection).rows(snapshot, most)))
        )


def lists_records(catalogue: Catalogue) -> bool:
    """Whether the sitemap holds records."""
    return any(each.verdict.allows(Document.SITEMAP) for each in catalogue.collections.values())


def _is_derived(catalogue: Catalogue) -> bool:
    """Whether the sitemap is ours to make: wanted, and not the owner's own file."""
    return catalogue.site.seo.sitemap and catalogue.publication.public_file(_NAME) is None


def _state(catalogue: Catalogue, origin: str) -> str:
    """A name for what the set depends on beside its records: our version, the files, the dates that fall due,
    and what every address begins with."""
    parts = (
        __version__,
        catalogue.publication.fingerprint,
        origin,
        catalogue.origin.base,
        catalogue.valid_until.isoformat() if catalogue.valid_until else "",
    )
    return blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()


def _say(report: Report) -> None:
    """Tell the operator what the set leaves out."""
    for table in report.capped:
        log_warning("A collection has more records than are listed", table=table)
        count("CapReached")
    for address in report.too_long:
        log_warning("An address is too long for a sitemap and left out", address=address[:200])
    if report.too_many:
        log_warning("The site has more entries than 50,000 sitemaps hold; the rest is left out")
        count("CapReached")
