"""Checks of what a page's head says to engines and to those who share the page."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from fingerpost.site.bcp47 import canonical_tag
from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.facts import Facts, Page
from fingerpost_tools.auditing.html_page import ROBOTS_DIRECTIVES, HtmlPage
from fingerpost_tools.auditing.registry import Finding, check, first_of
from fingerpost_tools.auditing.urls import absolute, normal

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT
# Far above what any engine shows; a little above it is a matter of taste.
_TITLE: Final = 120
_DESCRIPTION: Final = 320


def _indexable(facts: Facts) -> Iterator[tuple[Page, HtmlPage]]:
    return ((page, html) for page, html in facts.html_pages() if page.indexable)


@check(
    "head-misplaced",
    ERROR,
    "An element that belongs in the head stands in the body, where engines ignore it.",
    "Move it up; an element such as `<div>` or `<iframe>` in the head ends the head early.",
)
def misplaced(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        for stray in html.strays:
            yield Finding(page.url, stray)


@check(
    "title-missing",
    WARNING,
    "A page has no title.",
    "Add a `<title>` of its own.",
)
def title_missing(facts: Facts) -> Iterator[Finding]:
    for page, html in _indexable(facts):
        if not any(html.titles):
            yield Finding(page.url)


@check(
    "title-several",
    WARNING,
    "A page has several titles, and engines choose one.",
    "Keep one `<title>`.",
)
def title_several(facts: Facts) -> Iterator[Finding]:
    for page, html in _indexable(facts):
        if len(html.titles) > 1:
            yield Finding(page.url, " | ".join(html.titles))


@check(
    "title-long",
    HINT,
    "A title is far longer than engines show.",
    "Say it within some 60 characters.",
)
def title_long(facts: Facts) -> Iterator[Finding]:
    for page, html in _indexable(facts):
        longest = max(html.titles, key=len, default="")
        if len(longest) > _TITLE:
            yield Finding(page.url, f"{len(longest)} characters")


@check(
    "title-duplicate",
    HINT,
    "Pages of one language share a title, so that readers of a result list can't tell them apart.",
    "Give each page its own.",
)
def title_duplicate(facts: Facts) -> Iterator[Finding]:
    yield from _shared(facts, lambda html: next(filter(None, html.titles), ""))


@check(
    "description-missing",
    HINT,
    "A page has no description, so that engines choose a piece of its text.",
    'Add `<meta name="description">`.',
)
def description_missing(facts: Facts) -> Iterator[Finding]:
    for page, html in _indexable(facts):
        if not any(html.descriptions):
            yield Finding(page.url)


@check(
    "description-long",
    HINT,
    "A description is far longer than engines show.",
    "Say it within some 160 characters.",
)
def description_long(facts: Facts) -> Iterator[Finding]:
    for page, html in _indexable(facts):
        longest = max(html.descriptions, key=len, default="")
        if len(longest) > _DESCRIPTION:
            yield Finding(page.url, f"{len(longest)} characters")


@check(
    "description-duplicate",
    HINT,
    "Pages of one language share a description.",
    "Give each page its own, or leave it out.",
)
def description_duplicate(facts: Facts) -> Iterator[Finding]:
    yield from _shared(facts, lambda html: next(filter(None, html.descriptions), ""))


def _shared(facts: Facts, text_of: Callable[[HtmlPage], str]) -> Iterator[Finding]:
    """One finding for each text that several pages of one language have."""
    pages: dict[tuple[str, str], list[str]] = defaultdict(list)
    for page, html in _indexable(facts):
        if text := text_of(html):
            language = min(page.announced_as, default=(html.lang or "").lower())
            pages[language, text].append(page.url)
    for (_, text), (first, *others) in pages.items():
        if others:
            yield Finding(first, f"{text[:80]!r}, also {first_of(others)}", tuple(others))


@check(
    "robots-meta-unknown",
    WARNING,
    "A robots directive of a page is one that no engine knows.",
    "Write `noindex`, `nofollow`, `max-snippet:…` and their like, separated by commas.",
)
def robots_unknown(facts: Facts) -> Iterator[Finding]:
    for page, _ in facts.html_pages():
        unknown = sorted(page.robots - ROBOTS_DIRECTIVES)
        if unknown:
            yield Finding(page.url, ", ".join(unknown)[:120])


@check(
    "og-url",
    WARNING,
    "A page's Open Graph address is not its canonical one, so that shares count for another page.",
    "Give `og:url` the canonical address.",
)
def og_url(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        written = html.open_graph.get("og:url", "")
        named = page.canonical
        if absolute(written) and named is not None and normal(written) != normal(named):
            yield Finding(page.url, f"og:url {written}, canonical {named}")


@check(
    "og-relative",
    WARNING,
    "An Open Graph address or image is relative, which those who share the page can't load.",
    "Write the whole address.",
)
def og_relative(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        for name in ("og:url", "og:image"):
            written = html.open_graph.get(name, "")
            if written and not absolute(written):
                yield Finding(page.url, f"{name} {written[:120]}")


@check(
    "json-ld-broken",
    ERROR,
    "Structured data of a page is no JSON, so engines ignore it.",
    "Write it with a JSON serialiser, and escape `</` in it.",
)
def json_ld(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        for reason in html.bad_json_ld:
            yield Finding(page.url, reason)


@check(
    "lang-missing",
    HINT,
    "A page does not say its language, so that screen readers and translators guess.",
    "Give `<html>` a `lang`.",
)
def lang_missing(facts: Facts) -> Iterator[Finding]:
    for page, html in _indexable(facts):
        if not html.lang:
            yield Finding(page.url)


@check(
    "lang-invalid",
    WARNING,
    "The lang attribute of a page is no language tag.",
    "Write a tag such as `en` or `pt-BR`.",
)
def lang_invalid(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        if html.lang and (canonical_tag(html.lang) is None or "_" in html.lang):
            yield Finding(page.url, html.lang[:40])
