"""Checks of Markdown twins: a page's Markdown form, at an address of its own or by content negotiation."""

from collections.abc import Iterator

from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.facts import Facts, Page, Probe
from fingerpost_tools.auditing.markdown_files import MarkdownText
from fingerpost_tools.auditing.registry import Finding, check
from fingerpost_tools.auditing.urls import normal

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT
MARKDOWN = "text/markdown"


def _twins(facts: Facts) -> Iterator[tuple[str, str, Page]]:
    """Announced twins that were asked for: the page, the twin's address, and what was found there."""
    for page, twin in facts.twins.items():
        found = facts.page(twin)
        if found is not None:
            yield page, twin, found


def _is_markdown(page: Page) -> bool:
    return page.ok and page.answer is not None and page.answer.content_type == MARKDOWN


def _served(facts: Facts) -> Iterator[tuple[str, MarkdownText]]:
    """Every address that was visited and answered Markdown itself."""
    for page in facts.pages.values():
        if page.markdown is not None and _is_markdown(page):
            yield page.url, page.markdown


def _negotiating(facts: Facts) -> Iterator[Probe]:
    """Addresses that have two bodies: HTML, and Markdown for who asks for it."""
    return (probe for probe in facts.probes if probe.markdown_text is not None)


@check(
    "twin-dead",
    ERROR,
    "A page announces a Markdown form that is not there.",
    "Take the announcement out of the head, or serve the file.",
)
def dead(facts: Facts) -> Iterator[Finding]:
    for page, twin, found in _twins(facts):
        if found.dead:
            yield Finding(twin, f"{found.visit.outcome()}; announced on {page}")


@check(
    "twin-type",
    ERROR,
    "A page announces a Markdown form that is something else.",
    "Serve it as `text/markdown; charset=utf-8`.",
)
def content_type(facts: Facts) -> Iterator[Finding]:
    for page, twin, found in _twins(facts):
        if found.ok and found.answer is not None and found.answer.content_type != MARKDOWN:
            told = found.answer.headers.get("content-type", "none")
            yield Finding(twin, f"Content-Type: {told}; announced on {page}")


@check(
    "twin-html",
    ERROR,
    "What is served as Markdown is an HTML document.",
    "Serve the page's Markdown source.",
)
def html(facts: Facts) -> Iterator[Finding]:
    for url, text in _served(facts):
        if text.html:
            yield Finding(url)


@check(
    "twin-front-matter",
    WARNING,
    "A Markdown form still has its front matter, which was not meant for readers.",
    "Serve the body alone.",
)
def front_matter(facts: Facts) -> Iterator[Finding]:
    for url, text in _served(facts):
        if text.front_matter:
            yield Finding(url)


@check(
    "twin-unequal",
    WARNING,
    "A page's Markdown form differs from what the page itself answers to `Accept: text/markdown`.",
    "Serve one body at both addresses.",
)
def unequal(facts: Facts) -> Iterator[Finding]:
    for probe in _negotiating(facts):
        twin = facts.page(facts.twins.get(probe.url, ""))
        if twin is None or twin.markdown is None or probe.markdown_text is None:
            continue
        if _is_markdown(twin) and twin.markdown.digest != probe.markdown_text.digest:
            yield Finding(twin.url, f"unlike {probe.url}")


@check(
    "twin-forced",
    ERROR,
    "A page answers Markdown to a client that refuses it with `q=0`.",
    "Negotiate by RFC 9110 12.5.1: the more specific range decides, and q=0 refuses.",
)
def forced(facts: Facts) -> Iterator[Finding]:
    for probe in facts.probes:
        if probe.refused is not None and probe.refused.content_type == MARKDOWN:
            yield Finding(probe.url, "Accept: text/html, text/markdown;q=0")


@check(
    "twin-canonical",
    HINT,
    "A Markdown form does not name its page as canonical, and may be listed beside it.",
    'Send `Link: <page>; rel="canonical"` with it, or `X-Robots-Tag: noindex`.',
)
def canonical(facts: Facts) -> Iterator[Finding]:
    for page, twin, found in _twins(facts):
        if _is_markdown(found) and not found.noindex and normal(found.canonical or "") != page:
            yield Finding(twin, f"announced on {page}")
