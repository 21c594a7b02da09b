"""Answers every address that is not a well-known file: pages, articles and records, as HTML or Markdown,
and the owner's own files."""

from dataclasses import replace

from fingerpost.catalogue.addresses import split_path
from fingerpost.catalogue.catalogue import Catalogue, Moved, RecordPath
from fingerpost.catalogue.entry import Entry, Verdict
from fingerpost.catalogue.routes import Match
from fingerpost.catalogue.visibility import Subject, decide, may_open
from fingerpost.catalogue.visitor import ANONYMOUS
from fingerpost.limits import DOCUMENT_SECONDS
from fingerpost.site.model import Page
from fingerpost.sources.objects import ObjectMissing
from fingerpost.web.answer import HTML, MARKDOWN, Answer
from fingerpost.web.content_policy import MADE_HERE
from fingerpost.web.instance import Instance
from fingerpost.web.listings import Seen
from fingerpost.web.llms import home_link
from fingerpost.web.negotiation import prefers_markdown
from fingerpost.web.own_files import asset
from fingerpost.web.page_view import PageViews
from fingerpost.web.paths import site_path
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request
from fingerpost.web.response import not_found, redirect, redirect_visitor
from fingerpost.web.views import is_home

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
            return not_found(catalogue.origin.base)
        if path.redirect is not None:
            return redirect(path.redirect)
        owned = asset(instance, catalogue.publication, path.segments)
        if owned is not None:
            return owned
        target, as_twin = find_target(catalogue, path.segments)
        if target is None:
            return not_found(catalogue.origin.base)
        verdict = _verdict(catalogue, target)
        seen = Seen(lambda: instance.sessions.visitor(request))
        if not may_open(verdict, seen.visitor if verdict.readers else ANONYMOUS):
            return _refused(catalogue, target, path.segments, request)
        if isinstance(target, Match):
            return not_found(catalogue.origin.base)
        if isinstance(target, Moved):
            return _moved(target.entry, as_twin, request)
        markdown = as_twin or (
            isinstance(target, Entry)
            and target.twin is not None
            and prefers_markdown(request.headers.get("accept"))
        )
        if markdown and isinstance(target, Entry):
            return self._markdown(catalogue, target, request)
        return self._html(catalogue, target, seen, request)

    def _markdown(self, catalogue: Catalogue, entry: Entry, request: Request) -> Answer:
        body = self._views.markdown(catalogue, entry)
        if body is None:
            return not_found(catalogue.origin.base)
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

    def _html(self, catalogue: Catalogue, target: Entry | RecordPath, seen: Seen, request: Request) -> Answer:
        if isinstance(target, RecordPath):
            entry = self._views.record_entry(catalogue, target, seen)
            if entry is None:
                return not_found(catalogue.origin.base)
        else:
            entry = target
        try:
            body = self._views.html(catalogue, entry, request, seen)
        except ObjectMissing:  # the article was removed between the listing and now
            return not_found(catalogue.origin.base)
        link = home_link(catalogue) if is_home(catalogue, entry) else None
        answer = Answer(
            200,
            body,
            HTML,
            Policy.PAGE,
            vary_accept=entry.twin is not None,
            noindex=entry.verdict.noindex,
            headers=(("link", link), *MADE_HERE) if link else MADE_HERE,
        )
        return self._dressed(
            catalogue, answer, restricted=bool(entry.verdict.readers) or seen.more_than_anonymous
        )

    def _dressed(self, catalogue: Catalogue, answer: Answer, *, restricted: bool) -> Answer:
        """The answer with the lifetime its visibility allows: what only some may see, no cache may share."""
        if restricted:
            return replace(answer, policy=Policy.PRIVATE, vary_accept=True)
        return replace(answer, max_age=self._instance.page_age(catalogue, DOCUMENT_SECONDS))


def find_target(catalogue: Catalogue, segments: tuple[str, ...]) -> tuple[Target | None, bool]:
    """What a path leads to, and whether it asks for the Markdown form by suffix.

    The address of a page or article comes first, then Markdown forms, then records.
    """
    found = catalogue.resolve(segments)
    if isinstance(found, Entry | Moved) or not _has_twin_suffix(segments):
        return found, False
    twin_of = _twin_of(catalogue, segments)
    return (found, False) if twin_of is None else (twin_of, True)


def _has_twin_suffix(segments: tuple[str, ...]) -> bool:
    return bool(segments) and segments[-1].endswith(TWIN_SUFFIX)


def _twin_of(catalogue: Catalogue, segments: tuple[str, ...]) -> Entry | Moved | None:
    """What has its Markdown form at a path that ends in the suffix; a root's is `index.md` below it."""
    stem = segments[-1].removesuffix(TWIN_SUFFIX)
    if stem == "index":
        root = catalogue.resolve(segments[:-1])
        if isinstance(root, Entry) and root.address.endswith("/") and root.twin is not None:
            return root
    found = catalogue.resolve((*segments[:-1], stem)) if stem else None
    entry = found.entry if isinstance(found, Moved) else found
    if not isinstance(entry, Entry) or entry.twin is None or entry.address.endswith("/"):
        return None
    return found if isinstance(found, Moved) else entry


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
    return replace(answer, vary_accept=True) if entry.verdict.readers else answer


def _refused(catalogue: Catalogue, target: Target, segments: tuple[str, ...], request: Request) -> Answer:
    """What someone gets who may not read: the 404 of any missing thing, or the page's redirect for HTML.

    Nothing here depends on whether there is anything at the path.
    """
    page = _page(target)
    has_twins = page.content_dir is not None or page.markdown is not None
    asks_twin = _has_twin_suffix(segments) or prefers_markdown(request.headers.get("accept"))
    if page.access.redirect_to is None or (has_twins and asks_twin):
        return not_found(catalogue.origin.base)
    path, rest = split_path(page.access.redirect_to)
    return redirect_visitor(catalogue.author_address(path, _language_code(target)) + rest)


def _language_code(target: Target) -> str | None:
    if isinstance(target, Entry):
        language = target.language
    elif isinstance(target, Moved):
        language = target.entry.language
    else:
        language = target.variant.language
    return language.code if language else None
