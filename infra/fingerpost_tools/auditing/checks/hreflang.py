"""Checks of language versions: hreflang in heads, Link headers and sitemaps, and the lang attribute."""

from collections.abc import Iterator
from dataclasses import dataclass

from fingerpost.site.bcp47 import canonical_tag
from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.facts import DEFAULT, Facts, Page
from fingerpost_tools.auditing.registry import Finding, check
from fingerpost_tools.auditing.urls import absolute, normal, resolve
from fingerpost_tools.subtags import tag_fault

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT


@dataclass(frozen=True, slots=True)
class Cluster:
    """The language versions that one place names for an address: (code, absolute URL or text as written)."""

    address: str
    where: str
    versions: tuple[tuple[str, str], ...]

    @property
    def addresses(self) -> set[str]:
        return {normal(url) for _, url in self.versions}


def _heads(facts: Facts) -> Iterator[tuple[Page, Cluster]]:
    for page, html in facts.html_pages():
        if page.hreflangs:
            versions = tuple((code, resolve(html.base, href) or href) for code, href in page.hreflangs)
            yield page, Cluster(page.url, "head", versions)


def _sitemaps(facts: Facts) -> Iterator[Cluster]:
    for entry in facts.listed().values():
        if entry.alternates:
            yield Cluster(normal(entry.loc), "sitemap", entry.alternates)


def _clusters(facts: Facts) -> Iterator[Cluster]:
    yield from (cluster for _, cluster in _heads(facts))
    yield from _sitemaps(facts)


@check(
    "hreflang-code",
    ERROR,
    "An hreflang is no language code that engines know.",
    "Write a language, and a script or a region if needed: `en`, `en-GB`, `zh-Hans`.",
)
def code(facts: Facts) -> Iterator[Finding]:
    for cluster in _clusters(facts):
        for written, _ in cluster.versions:
            fault = _fault(written)
            if fault is not None:
                yield Finding(cluster.address, f"{written!r} in the {cluster.where}: {fault}")


def _fault(written: str) -> str | None:
    if written.lower() == DEFAULT:
        return None
    tag = canonical_tag(written)
    return "it is no language tag" if tag is None or "_" in written else tag_fault(tag)


@check(
    "hreflang-relative",
    ERROR,
    "An hreflang names a relative address.",
    "Write the whole address, scheme and host included.",
)
def relative(facts: Facts) -> Iterator[Finding]:
    for page, _ in facts.html_pages():
        for _, href in page.hreflangs:
            if not absolute(href):
                yield Finding(page.url, href)
    for cluster in _sitemaps(facts):
        for _, href in cluster.versions:
            if not absolute(href):
                yield Finding(cluster.address, f"{href} in the sitemap")


@check(
    "hreflang-duplicate",
    ERROR,
    "One language code names two addresses.",
    "Name one address per code.",
)
def duplicate(facts: Facts) -> Iterator[Finding]:
    for cluster in _clusters(facts):
        first: dict[str, str] = {}
        for written, url in cluster.versions:
            known = first.setdefault(written.lower(), normal(url))
            if known != normal(url):
                yield Finding(cluster.address, f"{written} in the {cluster.where}: {known} and {url}")


@check(
    "hreflang-self",
    WARNING,
    "A page names its language versions and leaves itself out.",
    "List the page itself among them.",
)
def itself(facts: Facts) -> Iterator[Finding]:
    for page, cluster in _heads(facts):
        if page.own_canonical and page.url not in cluster.addresses:
            yield Finding(page.url, "in the head")
    for cluster in _sitemaps(facts):
        if cluster.address not in cluster.addresses:
            yield Finding(cluster.address, "in the sitemap")


@check(
    "hreflang-default",
    HINT,
    "A page has versions in several languages, and none for readers of all the others.",
    "Add an `x-default`.",
)
def default(facts: Facts) -> Iterator[Finding]:
    for cluster in _clusters(facts):
        codes = {written.lower() for written, _ in cluster.versions}
        if len(codes) > 1 and DEFAULT not in codes:
            yield Finding(cluster.address, f"in the {cluster.where}")


@check(
    "hreflang-return",
    ERROR,
    "A page names a language version that does not name it back, so engines ignore the pair.",
    "Let every version of a page list the same addresses.",
)
def returned(facts: Facts) -> Iterator[Finding]:
    heads = {page.url: cluster for page, cluster in _heads(facts)}
    sitemaps = {cluster.address: cluster for cluster in _sitemaps(facts)}
    listed = facts.listed()
    for page, cluster in _heads(facts):
        for url in _others(cluster) if page.own_canonical else ():
            target = facts.page(url)
            if target is None or not target.indexable or url in sitemaps:
                continue
            if url not in heads or page.url not in heads[url].addresses:
                yield Finding(page.url, f"{url} does not name it back")
    for cluster in sitemaps.values():
        for url in _others(cluster):
            if url in listed and url not in heads and cluster.address not in _addresses(sitemaps.get(url)):
                yield Finding(cluster.address, f"{url} does not name it back in the sitemap")


def _others(cluster: Cluster) -> list[str]:
    return sorted(cluster.addresses - {cluster.address})


def _addresses(cluster: Cluster | None) -> set[str]:
    return set() if cluster is None else cluster.addresses


@check(
    "hreflang-dead",
    ERROR,
    "An hreflang leads to no page.",
    "Name an address that answers 200, or leave the language out.",
)
def dead(facts: Facts) -> Iterator[Finding]:
    for cluster, url, target in _targets(facts):
        if target.dead:
            yield Finding(cluster.address, f"{url} {target.visit.outcome()}; in the {cluster.where}")


@check(
    "hreflang-target",
    WARNING,
    "An hreflang names an address that redirects, says noindex or is not its own canonical.",
    "Name the address that engines list.",
)
def target_unlisted(facts: Facts) -> Iterator[Finding]:
    for cluster, url, target in _targets(facts):
        if target.dead:
            continue
        if target.visit.redirected:
            yield Finding(cluster.address, f"{url} redirects; in the {cluster.where}")
        elif target.noindex:
            yield Finding(cluster.address, f"{url} says noindex; in the {cluster.where}")
        elif not target.own_canonical:
            yield Finding(
                cluster.address, f"{url} has the canonical {target.canonical}; in the {cluster.where}"
            )


def _targets(facts: Facts) -> Iterator[tuple[Cluster, str, Page]]:
    """Every version but the page itself that was asked for, each address once per cluster."""
    for cluster in _clusters(facts):
        for url in _others(cluster):
            page = facts.page(url)
            if page is not None:
                yield cluster, url, page


@check(
    "hreflang-disagrees",
    WARNING,
    "The head of a page and the sitemap name different language versions.",
    "Derive both from one list.",
)
def disagrees(facts: Facts) -> Iterator[Finding]:
    heads = {page.url: cluster for page, cluster in _heads(facts)}
    for cluster in _sitemaps(facts):
        head = heads.get(cluster.address)
        if head is None:
            continue
        difference = _pairs(head) ^ _pairs(cluster)
        if difference:
            shown = ", ".join(f"{written} {url}" for written, url in sorted(difference)[:4])
            yield Finding(cluster.address, shown)


def _pairs(cluster: Cluster) -> set[tuple[str, str]]:
    return {(written.lower(), normal(url)) for written, url in cluster.versions}


@check(
    "hreflang-lang",
    WARNING,
    "The lang attribute of a page is another language than the one it is announced as.",
    "Give `<html lang>` the language of the page's own hreflang.",
)
def lang(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        own = {code.partition("-")[0] for code in page.announced_as}
        attribute = html.lang or ""
        if own and attribute and attribute.lower().partition("-")[0] not in own:
            yield Finding(page.url, f"lang={attribute!r}, announced as {', '.join(sorted(own))}")
