"""Whether one address is in each document, by the verdict that the documents themselves go by.

The verdict speaks of the entry; what speaks of the document (switched off, replaced by a file of the owner's,
a feed that is full) is asked of the functions that make the document.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.collections import AddressTemplate
from fingerpost.catalogue.entry import Alternate, Article, Document, Entry, Rule, Verdict
from fingerpost.catalogue.families import Family, Versions
from fingerpost.catalogue.feed_source import FeedSource, feed_articles, feed_source
from fingerpost.documents.sitemap import render_sitemap
from fingerpost.limits import LOC_CHARACTERS
from fingerpost.site.dates import instant
from fingerpost.site.model import EMPTY, Page
from fingerpost.site.problems import Place
from fingerpost.web.feed import newest_articles
from fingerpost.web.llms import has_llms
from fingerpost_tools.configuration_places import ConfigurationPlaces
from fingerpost_tools.explaining.facts import PUBLIC, Decision, Named
from fingerpost_tools.explaining.reasons import Reasons, who
from fingerpost_tools.robots_rules import RobotsRules

_BY_VERDICT: Final = {
    Named.SITEMAP: Document.SITEMAP,
    Named.HREFLANG: Document.HREFLANG,
    Named.FEED: Document.FEED,
    Named.LLMS: Document.LLMS,
    Named.LLMS_FULL: Document.LLMS,
    Named.HTML: Document.HTML,
    Named.TWIN: Document.TWIN,
}
_FILES: Final = {
    Named.SITEMAP: "sitemap.xml",
    Named.FEED: "feed.xml",
    Named.LLMS: "llms.txt",
    Named.LLMS_FULL: "llms-full.txt",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """One address, as the documents look at it. `verdict` is what lists go by and `opening` what the address
    itself does, which differ for a record whose canonical names another language.

    `item` is the address that the feed would give it; `published` is a record's date of publication.
    """

    address: str
    page: Page
    verdict: Verdict
    opening: Verdict
    alternates: tuple[Alternate, ...]
    item: str
    article: Article | None = None
    twin: str | None = None
    canonical: str | None = None
    own_origin: str | None = None
    is_record: bool = False
    published: str | None = None
    too_long: bool = False


def entry_candidate(catalogue: Catalogue, entry: Entry, too_long: bool) -> Candidate:
    """A page or an article."""
    return Candidate(
        address=entry.address,
        page=entry.page,
        verdict=entry.verdict,
        opening=entry.verdict,
        alternates=catalogue.alternates(entry),
        item=entry.address,
        article=entry.article,
        twin=entry.twin,
        canonical=entry.canonical,
        own_origin=entry.own_origin,
        too_long=too_long,
    )


def record_candidate(
    catalogue: Catalogue,
    family: Family,
    template: AddressTemplate,
    slug: str,
    versions: Versions,
    published: str | None,
    too_long: bool,
) -> Candidate:
    """A record at its address in one language."""
    collection = family.collection
    encoded = collection.encode(slug) or ""
    record = versions.get(collection.route.position, EMPTY)
    canonical = catalogue.record_canonical(collection, template, slug, record)
    verdict = family.verdict(template, slug, versions)
    return Candidate(
        address=collection.address(template, encoded),
        page=collection.route.page,
        verdict=verdict,
        opening=collection.verdict,
        alternates=family.alternates(slug, encoded, versions) if verdict.allows(Document.HREFLANG) else (),
        item=collection.address(collection.main, encoded),
        canonical=canonical.elsewhere,
        own_origin=canonical.own_origin,
        is_record=True,
        published=published,
        too_long=too_long,
    )


class Decider:
    """Decides on every document of one catalogue. `feed_records` gives the addresses of the feed's items
    where they are records; it is asked when the first record is in question."""

    def __init__(
        self,
        catalogue: Catalogue,
        robots: RobotsRules,
        reasons: Reasons,
        places: ConfigurationPlaces,
        feed_records: Callable[[], frozenset[str]],
    ) -> None:
        self._catalogue = catalogue
        self._robots = robots
        self._reasons = reasons
        self._places = places
        self._feed_records = feed_records
        self._source: FeedSource | None = feed_source(catalogue)

    def decisions(self, candidate: Candidate) -> Mapping[Named, Decision]:
        """What decided, for each document."""
        sitemap = self._sitemap(candidate)
        return {
            Named.SITEMAP: sitemap,
            Named.HREFLANG: self._hreflang(candidate, sitemap.included),
            Named.FEED: self._feed(candidate),
            Named.LLMS: self._llms(candidate, Named.LLMS),
            Named.LLMS_FULL: self._llms(candidate, Named.LLMS_FULL),
            Named.HTML: self._html(candidate),
            Named.TWIN: self._twin(candidate),
            Named.ROBOTS: self._robot(candidate),
        }

    @cached_property
    def _item_addresses(self) -> frozenset[str]:
        source = self._source
        if source is None:
            return frozenset()
        if source.collection is not None:
            return self._feed_records()
        return frozenset(entry.address for entry, _ in newest_articles(self._catalogue, source))

    @cached_property
    def _feed_versions(self) -> frozenset[str]:
        """The articles of the feed's language."""
        source = self._source
        if source is None:
            return frozenset()
        return frozenset(entry.address for entry, _ in feed_articles(self._catalogue, source))

    def _kept_out(self, candidate: Candidate, named: Named) -> Decision | None:
        """What the verdict keeps out, or a file of the owner's in the document's place; else None."""
        verdict = candidate.opening if named in (Named.HTML, Named.TWIN) else candidate.verdict
        rule = verdict.excluded.get(_BY_VERDICT[named])
        if rule is not None:
            return self._by_rule(False, rule, candidate)
        own = self._catalogue.publication.public_file(_FILES[named]) if named in _FILES else None
        if own is not None:
            return Decision(False, "own-file", f"the owner's file {own} stands in its place", Place(own))
        return None

    def _by_rule(self, included: bool, rule: Rule, candidate: Candidate) -> Decision:
        why = self._reasons.of(rule, candidate.page, candidate.article, candidate.canonical)
        return Decision(included, rule, why.reason, why.place)

    def _sitemap(self, candidate: Candidate) -> Decision:
        kept_out = self._kept_out(candidate, Named.SITEMAP)
        if kept_out is not None:
            return kept_out
        if not self._catalogue.site.seo.sitemap:
            return Decision(False, "sitemap-off", "`seo.sitemap: false`", self._places.of("seo.sitemap"))
        if candidate.too_long:
            return Decision(
                False, "too-long", f"its loc is not shorter than {LOC_CHARACTERS:,} characters", None
            )
        return Decision(True, PUBLIC, "public and indexable")

    def _hreflang(self, candidate: Candidate, in_sitemap: bool) -> Decision:
        kept_out = self._kept_out(candidate, Named.HREFLANG)
        if kept_out is not None:
            return kept_out
        site, origin = self._catalogue.site, self._catalogue.origin
        if site.languages is None:
            return Decision(False, "no-languages", "the site declares no `languages`")
        if not candidate.alternates:
            return Decision(False, "one-version", "it is published in one language alone")
        listed = in_sitemap and site.seo.alternates
        headed = origin.known is not None or candidate.own_origin is not None
        tags = ", ".join(alternate.hreflang for alternate in candidate.alternates)
        if listed and headed:
            return Decision(True, PUBLIC, tags)
        if listed:
            return Decision(True, PUBLIC, f"{tags}; in the sitemap alone, since no origin is configured")
        if headed:
            return Decision(True, PUBLIC, f"{tags}; in the HTML head alone")
        return Decision(False, "no-origin", "no origin is configured", self._places.of("languages"))

    def _feed(self, candidate: Candidate) -> Decision:
        kept_out, source = self._kept_out(candidate, Named.FEED), self._source
        if kept_out is not None:
            return kept_out
        if source is None:
            return Decision(False, "no-feed", "no public page declares `rss`")
        place = self._places.of_page(source.route.page, "rss")
        if candidate.article is None and not candidate.is_record:
            return Decision(False, "not-an-item", "declared pages are no items of a feed")
        if source.route.page is not candidate.page:
            return Decision(
                False, "other-page", f"the feed is that of page `{source.route.page.name}`", place
            )
        versions = self._feed_versions
        own_version = candidate.item == candidate.address
        if not own_version or (candidate.article is not None and candidate.address not in versions):
            return Decision(False, "other-language", "the feed is in one language, not in this one", place)
        if candidate.address in self._item_addresses:
            return Decision(True, PUBLIC, f"among the newest {source.limit}", place)
        if candidate.published and instant(candidate.published) > self._catalogue.now:
            return Decision(False, Rule.FUTURE, f"its date, {candidate.published}, is still to come")
        return Decision(False, "beyond-limit", f"not among the newest {source.limit}", place)

    def _llms(self, candidate: Candidate, named: Named) -> Decision:
        kept_out, site = self._kept_out(candidate, named), self._catalogue.site
        if kept_out is not None:
            return kept_out
        if candidate.article is None:
            return Decision(False, "not-an-article", "articles alone are told to assistants")
        if not has_llms(site):
            return Decision(False, "llms-off", "`llms.enabled: false`", self._places.of("llms.enabled"))
        if named is Named.LLMS_FULL:
            if not site.llms.full:
                return Decision(False, "llms-full-off", "`llms.full: false`", self._places.of("llms.full"))
        elif candidate.twin is None:
            return Decision(False, "twin-collision", "another entry has the address of its Markdown form")
        return Decision(True, PUBLIC, "public and indexable")

    def _html(self, candidate: Candidate) -> Decision:
        kept_out = self._kept_out(candidate, Named.HTML)
        if kept_out is not None:
            return kept_out
        verdict = candidate.opening
        if verdict.readers:
            why = self._reasons.restricted(candidate.page)
            others = candidate.page.access.redirect_to
            elsewhere = f"others are sent to {others}" if others else "404 for others"
            readers = " and ".join(dict.fromkeys(map(who, verdict.readers)))
            return Decision(True, Rule.RESTRICTED, f"for {readers}; {elsewhere}: {why.reason}", why.place)
        if verdict.noindex:
            told = (Rule.UNDERSCORE, Rule.NOINDEX)
            rule = next((rule for rule in told if rule in verdict.excluded.values()), Rule.NOINDEX)
            why = self._reasons.of(rule, candidate.page, candidate.article, candidate.canonical)
            return Decision(True, rule, f"with the robots tag `noindex`: {why.reason}", why.place)
        return Decision(True, PUBLIC, "for everyone")

    def _twin(self, candidate: Candidate) -> Decision:
        kept_out = self._kept_out(candidate, Named.TWIN)
        if kept_out is not None:
            return kept_out
        if candidate.twin is not None:
            return Decision(True, PUBLIC, candidate.twin)
        if candidate.article is not None or candidate.page.markdown is not None:
            return Decision(False, "twin-collision", "another entry has the address of its Markdown form")
        return Decision(False, "no-markdown", "it is not written in Markdown")

    def _robot(self, candidate: Candidate) -> Decision:
        if not self._robots.exists:
            return Decision(True, "no-robots", "`seo.robots: false`", self._places.of("seo.robots"))
        ruling = self._robots.ruling(candidate.address)
        refused = self._robots.refused(candidate.address) if ruling.allowed else ()
        but = f", but {_few(refused)} may not" if refused else ""
        verb = "Allow" if ruling.allowed else "Disallow"
        said = f"`{verb}: {ruling.pattern}`" if ruling.pattern else "no rule speaks of it"
        rule = PUBLIC if ruling.allowed else Rule.UNDERSCORE if ruling.derived else "disallowed"
        return Decision(ruling.allowed, rule, said + but, ruling.place)


def too_long_addresses(catalogue: Catalogue) -> frozenset[str]:
    """The addresses of pages and articles that the sitemap leaves out for their length."""
    origin = catalogue.origin.known or ""
    return frozenset(render_sitemap(catalogue, origin, lambda collection, cap: iter(())).too_long)


def _few(names: tuple[str, ...]) -> str:
    return ", ".join(names) if len(names) <= 2 else f"{names[0]} and {len(names) - 1} more"
