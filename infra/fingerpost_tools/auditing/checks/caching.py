"""Checks of what caches do with the answers (RFC 9110 8.8 and 13, RFC 9111)."""

from collections.abc import Iterator
from typing import Final

from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.exchange import Exchange
from fingerpost_tools.auditing.facts import Facts, Probe
from fingerpost_tools.auditing.registry import Finding, check

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT
# A missing page that is kept longer stays missing to readers after it was published.
_MISSING_SECONDS: Final = 60
# RFC 9110 15.4.5: what a 304 has to repeat.
_REPEATED: Final = ("cache-control", "etag", "vary")


def _two_bodies(facts: Facts) -> Iterator[tuple[Probe, Exchange]]:
    """Addresses that answer HTML to browsers and Markdown to who asks for it."""
    for probe in facts.probes:
        markdown = probe.markdown if probe.markdown_text is not None else None
        if markdown is not None and markdown.content_type != probe.plain.content_type:
            yield probe, markdown


@check(
    "cache-vary-accept",
    ERROR,
    "One address has two bodies and no `Vary: Accept`, so that caches hand one to everybody.",
    "Send `Vary: Accept` with both.",
)
def vary_accept(facts: Facts) -> Iterator[Finding]:
    for probe, markdown in _two_bodies(facts):
        lacking = [
            name
            for name, answer in (("HTML", probe.plain), ("Markdown", markdown))
            if not answer.varies_on("accept")
        ]
        if lacking:
            yield Finding(probe.url, f"not with {' and '.join(lacking)}")


@check(
    "cache-vary-encoding",
    WARNING,
    "A compressed answer comes without `Vary: Accept-Encoding`, and caches hand it to everybody.",
    "Send the field whether or not the answer is compressed.",
)
def vary_encoding(facts: Facts) -> Iterator[Finding]:
    for probe in facts.probes:
        compressed = probe.plain.headers.get("content-encoding", "identity") != "identity"
        if compressed and not probe.plain.varies_on("accept-encoding"):
            yield Finding(probe.url, f"Content-Encoding: {probe.plain.headers['content-encoding']}")


@check(
    "cache-etag-forms",
    ERROR,
    "The HTML and the Markdown of an address share an ETag, so that caches take one for the other.",
    "Derive the ETag from the body that is sent.",
)
def etag_forms(facts: Facts) -> Iterator[Finding]:
    for probe, markdown in _two_bodies(facts):
        if probe.plain.etag and probe.plain.etag == markdown.etag:
            yield Finding(probe.url, probe.plain.etag)


@check(
    "cache-etag-codings",
    HINT,
    "The compressed and the plain form of an address share a strong ETag, which promises equal octets.",
    'Give each its own, or make it weak (`W/"…"`).',
)
def etag_codings(facts: Facts) -> Iterator[Finding]:
    for probe in facts.probes:
        plain, identity = probe.plain, probe.identity
        if (
            identity is None
            or "content-encoding" not in plain.headers
            or "content-encoding" in identity.headers
        ):
            continue
        if plain.etag == identity.etag and plain.etag.startswith('"'):
            yield Finding(probe.url, plain.etag)


@check(
    "cache-validators",
    WARNING,
    "An answer's own ETag or date never matches, so that every visit downloads the page whole.",
    "Derive the ETag from the content, and answer 304 when it matches.",
)
def validators(facts: Facts) -> Iterator[Finding]:
    for probe in facts.probes:
        again = probe.conditional
        if again is None or again.status != 200 or probe.plain.status != 200:
            continue
        if again.etag != probe.plain.etag:
            yield Finding(probe.url, f"ETag {probe.plain.etag}, a moment later {again.etag or 'none'}")
        elif "no-store" not in probe.plain.cache_control:
            yield Finding(probe.url, f"answers 200 to its own {'ETag' if again.etag else 'Last-Modified'}")


@check(
    "cache-304-fields",
    WARNING,
    "A 304 leaves out fields that the 200 had, so that caches forget how to keep the answer.",
    "Repeat Cache-Control, ETag and Vary.",
)
def not_modified(facts: Facts) -> Iterator[Finding]:
    for probe in facts.probes:
        again = probe.conditional
        if again is not None and again.status == 304:
            lacking = [
                name for name in _REPEATED if name in probe.plain.headers and name not in again.headers
            ]
            if lacking:
                yield Finding(probe.url, f"without {', '.join(lacking)}")


@check(
    "cache-set-cookie",
    WARNING,
    "An answer that shared caches may keep sets a cookie, which they may hand to other visitors.",
    "Say `private` where a cookie is set, or set none on public pages.",
)
def set_cookie(facts: Facts) -> Iterator[Finding]:
    for page, _ in facts.html_pages():
        answer = page.answer
        if answer is None or "set-cookie" not in answer.headers:
            continue
        kept = answer.shared_seconds > 0 or "public" in answer.cache_control
        if kept:
            yield Finding(page.url, f"Cache-Control: {answer.headers['cache-control']}")


@check(
    "cache-cookie",
    ERROR,
    "A page that the given cookie changes may be kept by shared caches, which show it to everybody.",
    "Say `private` for whatever a visitor's cookie changes.",
)
def cookie(facts: Facts) -> Iterator[Finding]:
    for probe in facts.probes:
        signed_in, identity = probe.cookie, probe.identity
        if signed_in is None or identity is None or signed_in.status != 200:
            continue
        # A page that differs each time says nothing about the cookie.
        changed = identity.digest == probe.plain.digest != signed_in.digest
        if changed and (signed_in.shared_seconds > 0 or "public" in signed_in.cache_control):
            yield Finding(probe.url, f"Cache-Control: {signed_in.headers['cache-control']}")


@check(
    "cache-missing",
    WARNING,
    "A 404 may be kept by caches, so that a page stays missing after it was published.",
    "Send `Cache-Control: no-cache` or a few seconds with it.",
)
def missing(facts: Facts) -> Iterator[Finding]:
    answer = facts.missing.answer if facts.missing is not None else None
    if answer is not None and answer.status in (404, 410) and answer.shared_seconds > _MISSING_SECONDS:
        yield Finding(answer.url, f"Cache-Control: {answer.headers['cache-control']}")
