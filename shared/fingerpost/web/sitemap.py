"""Answers /sitemap.xml and /sitemap-N.xml: one set, computed once and served unchanged for a minute."""

import re

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.documents.sitemap import SitemapSet, render_sitemap
from fingerpost.observe import count, log_warning
from fingerpost.web.answer import XML, Answer
from fingerpost.web.instance import Instance
from fingerpost.web.kept import Kept
from fingerpost.web.own_files import own_file
from fingerpost.web.paths import document_name
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request
from fingerpost.web.response import not_found

_CHILD = re.compile(r"sitemap-([1-9][0-9]{0,5})\.xml")


class SitemapAnswers:
    """The sitemap's answers of one function instance. Index and children come from one moment."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._kept: Kept[SitemapSet] = Kept(instance.settings.sitemap_seconds, instance.clock)

    def answer(self, request: Request) -> Answer:
        """Answer for the sitemap or a child: 404 where there is none, RecordsUnavailable without its records."""
        instance = self._instance
        catalogue = instance.catalogue()
        name = document_name(request.path, catalogue.origin)
        child = _CHILD.fullmatch(name or "")
        if name != "sitemap.xml" and child is None:
            return not_found()
        own = own_file(instance, catalogue.publication, "sitemap.xml", XML)
        if own is not None and child is None:
            return Answer(200, *own, Policy.SITEMAP, max_age=int(instance.settings.sitemap_seconds))
        if own is not None or not catalogue.site.seo.sitemap:
            return not_found()
        origin = catalogue.origin.known or request.own_origin
        sitemap, age = self._kept.get(origin, catalogue, lambda: self._render(catalogue, origin))
        body = sitemap.document(int(child[1]) if child else None)
        if body is None:
            return not_found()
        left = int(instance.settings.sitemap_seconds - age)
        return Answer(200, body, XML, Policy.SITEMAP, max_age=left)

    def _render(self, catalogue: Catalogue, origin: str) -> SitemapSet:
        if not any(collection.verdict.public for collection in catalogue.collections.values()):
            sitemap = render_sitemap(catalogue, origin, lambda collection, cap: iter(()))
        else:
            with self._instance.records.snapshot() as snapshot:
                sitemap = render_sitemap(
                    catalogue, origin, lambda collection, cap: snapshot.rows(collection.selection, cap)
                )
        for table in sitemap.capped:
            log_warning("A collection has more records than are listed", table=table)
            count("CapReached")
        for address in sitemap.too_long:
            log_warning("An address is too long for a sitemap and left out", address=address[:200])
        return sitemap
