"""Answers every address that is not a well-known file: pages, articles and records, as HTML or Markdown,
and the owner's own files."""

from dataclasses import replace

from fingerpost.catalogue.addresses import author_path, author_segment
from fingerpost.catalogue.catalogue import Catalogue, Moved, RecordPath
from fingerpost.catalogue.entry import Entry, Verdict
from fingerpost.catalogue.routes import Match
from fingerpost.catalogue.visibility import Subject, decide, may_open
from fingerpost.catalogue.visitor import ANONYMOUS, Visitor
from fingerpost.limits import DOCUMENT_SECONDS
from fingerpost.site.model import Page
from fingerpost.sources.objects import ObjectMissing
from fingerpost.web.answer import HTML, MARKDOWN, Answer
from fingerpost.web.instance import Instance
from fingerpost.web.negotiation import prefers_markdown
from fingerpost.web.own_files import asset
from fingerpost.web.listings import Seen
from fingerpost.web.llms import home_link
from fingerpost.web.page_view import PageViews, is_home
from fingerpost.web.paths import site_path
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request
from fingerpost.web.response import not_found, redirect, redirect_visitor

TWIN_SUFFIX = ".md"
Target = Entry | RecordPath | Moved | Match


class PageAnswers:
    """The answers of the page function's instance."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._views = PageViews(instance)

    def answer(self, request: Request) -> Answer:
        """Answer a request for a page, article, record, twin or file of the owner's."""
        instance = self._instance
        catalogue = instance.catalogue()
        path = site_path(request.path, request.query, catalogue.site, catalogue.origin)
        if path is None:
            return not_found()
        if path.redirect is not None:
            return redirect(path.redirect)
        owned = asset(instance, catalogue.publication, path.segments)
        if owned is not None:
            return owned
        target, as_twin = find_target(catalogue, path.segments)
        if target is None:
            return not_found()
        verdict, page = _verdict(catalogue, target), _page(target)
        visitor = self._visitor(request) if verdict.readers else ANONYMOUS
        if not may_open(verdict, visitor):
            return _refused(catalogue, target, page, as_twin, request)
        if isinstance(target, Match):
            return not_found()
        if isinstance(target, Moved):
            return _moved(target.entry, as_twin, request)
        markdown = as_twin or (
            isinstance(target, Entry)
            and target.twin is not None
            and prefers_markdown(request.headers.get("accept"))
        )
        if markdown and isinstance(target, Entry):
            return self._markdown(catalogue, target, request)
        return self._html(catalogue, target, visitor, request)

    def _visitor(self, request: Request) -> Visitor:
        return self._instance.sessions.visitor(request)

    def _markdown(self, catalogue: Catalogue, entry: Entry, request: Request) -> Answer:
        body = self._views.markdown(catalogue, entry)
        if body is None:
            return not_found()
        origin = entry.own_origin or catalogue.origin.known or request.own_origin
        return self._dressed(
            catalogue,
            Answer(
                200,
                body,
                MARKDOWN,
                Policy.PAGE,
                vary_accept=True,
                noindex=entry.verdict.noindex,
                headers=(("link", f'<{origin}{entry.address}>; rel="canonical"'),),
            ),
            restricted=bool(entry.verdict.readers),
        )

    def _html(
        self, catalogue: Catalogue, target: Entry | RecordPath, visitor: Visitor, request: Request
    ) -> Answer:
        seen = Seen(lambda: self._visitor(request), visitor if visitor.signed_in else None)
        if isinstance(target, RecordPath):
            entry = self._views.record_entry(catalogue, target, seen)
            if entry is None:
                return not_found()
        else:
            entry = target
        try:
            body = self._views.html(catalogue, entry, request, seen)
        except ObjectMissing:  # the article was removed between the listing and now
            return not_found()
        link = home_link(catalogue) if is_home(catalogue, entry) else None
        answer = Answer(
            200,
            body,
            HTML,
            Policy.PAGE,
            vary_accept=entry.twin is not None,
            noindex=entry.verdict.noindex,
            headers=(("link", link),) if link else (),
        )
        return self._dressed(
            catalogue, answer, restricted=bool(entry.verdict.readers) or seen.more_than_anonymous
        )

    def _dressed(self, catalogue: Catalogue, answer: Answer, *, restricted: bool) -> Answer:
        """The answer with the lifetime its visibility allows: what only some may see is nobody else's to keep."""
        if restricted:
            return replace(answer, policy=Policy.PRIVATE, vary_accept=True)
        return replace(answer, max_age=self._instance.page_age(catalogue, DOCUMENT_SECONDS))


def find_target(catalogue: Catalogue, segments: tuple[str, ...]) -> tuple[Target | None, bool]:
    """What a path leads to, and whether it asks for the Markdown form by suffix.

    An address of its own comes first: a record whose slug ends in `.md` is that record.
    """
    found = catalogue.resolve(segments)
    if isinstance(found, Entry | RecordPath | Moved):
        return found, False
    if segments and segments[-1].endswith(TWIN_SUFFIX):
        stem = segments[-1][: -len(TWIN_SUFFIX)]
        if stem == "index":
            root = catalogue.resolve(segments[:-1])
            if isinstance(root, Entry) and root.address.endswith("/") and root.twin is not None:
                return root, True
        twin_of = catalogue.resolve((*segments[:-1], stem)) if stem else None
        if isinstance(twin_of, Entry) and twin_of.twin is not None:
            return twin_of, True
        if isinstance(twin_of, Moved) and twin_of.entry.twin is not None:
            return twin_of, True
        return found or twin_of, True
    return found, False


def _page(target: Target) -> Page:
    if isinstance(target, Entry):
        return target.page
    if isinstance(target, Moved):
        return target.entry.page
    return target.collection.route.page if isinstance(target, RecordPath) else target.route.page


def _verdict(catalogue: Catalogue, target: Target) -> Verdict:
    if isinstance(target, Entry):
        return target.verdict
    if isinstance(target, Moved):
        return target.entry.verdict
    if isinstance(target, RecordPath):
        return target.collection.verdict
    return decide(Subject(target.route.page), catalogue.now)


def _moved(entry: Entry, as_twin: bool, request: Request) -> Answer:
    """The one redirect from another name of an entry to its address, the query kept."""
    address = entry.twin if as_twin and entry.twin is not None else entry.address
    answer = redirect(f"{address}?{request.query}" if request.query else address)
    return replace(answer, policy=Policy.PRIVATE, vary_accept=True) if entry.verdict.readers else answer


def _refused(catalogue: Catalogue, target: Target, page: Page, as_twin: bool, request: Request) -> Answer:
    """What someone gets who may not read: the 404 of any missing thing, or the page's redirect for HTML.

    Nothing here depends on whether there is anything at the path.
    """
    to = page.access.redirect_to
    has_twins = page.content_dir is not None or page.markdown is not None
    if to is None or as_twin or (has_twins and prefers_markdown(request.headers.get("accept"))):
        return not_found()
    if "://" in to:
        return redirect_visitor(to)
    language = _language_code(target)
    segments = tuple(author_segment(part) for part in to.partition("?")[0].split("/") if part)
    address = catalogue.page_address(segments, language) if "?" not in to else None
    return redirect_visitor(address or author_path(catalogue.origin.base, to))


def _language_code(target: Target) -> str | None:
    if isinstance(target, Entry):
        language = target.language
    elif isinstance(target, Moved):
        language = target.entry.language
    else:
        language = target.variant.language
    return language.code if language else None
