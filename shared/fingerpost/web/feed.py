"""Answers /feed.xml, and tells the page the feed is made from how to announce it."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.collections import Collection
from fingerpost.catalogue.entry import Article, Entry
from fingerpost.catalogue.feed_source import FeedSource, ItemFields, feed_articles, feed_source, item_fields
from fingerpost.documents.feed import Channel, Item, newest_first, render_feed
from fingerpost.limits import DOCUMENT_SECONDS
from fingerpost.site.dates import to_w3c
from fingerpost.site.frontmatter import body_behind
from fingerpost.site.model import EMPTY, Page
from fingerpost.site.placeholders import Values, fill
from fingerpost.sources.records import Record, Snapshot
from fingerpost.web.answer import RSS, Answer
from fingerpost.web.instance import Instance
from fingerpost.web.kept import Kept
from fingerpost.web.own_files import own_file
from fingerpost.web.packed import Packed, pack
from fingerpost.web.paths import document_name
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request
from fingerpost.web.response import not_found

NAME: Final = "feed.xml"
# A description that nobody wrote is the start of the body, about this long.
_DESCRIPTION_CHARACTERS: Final = 300
_TITLES: Final = ("title", "name")
_DESCRIPTIONS: Final = ("excerpt", "description")


class FeedAnswers:
    """The answers of the feed function's instance."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._kept: Kept[Packed] = Kept(instance.settings.sitemap_seconds, instance.clock)

    def answer(self, request: Request) -> Answer:
        """Answer for /feed.xml: the same 404 as any where no page makes a feed."""
        instance = self._instance
        instance.expect_records()
        catalogue = instance.catalogue()
        if document_name(request.path, catalogue.origin) != NAME:
            return not_found(catalogue.origin.base)
        own = own_file(instance, catalogue.publication, NAME, RSS)
        if own is not None:
            return Answer(200, *own, Policy.DOCUMENT)
        source = feed_source(catalogue)
        if source is None:
            return not_found(catalogue.origin.base)
        origin = catalogue.origin.known or request.own_origin
        packed = self._kept.get(origin, catalogue, lambda: self._render(catalogue, source, origin))
        age = instance.page_age(catalogue, DOCUMENT_SECONDS)
        return Answer(200, b"", RSS, Policy.DOCUMENT, max_age=age, packed=packed)

    def _render(self, catalogue: Catalogue, source: FeedSource, origin: str) -> Packed:
        if source.collection is not None:
            items = self._record_items(catalogue, source, source.collection, origin)
        else:
            items = self._article_items(catalogue, source, origin)
        return pack(render_feed(channel(catalogue, source.route.page, origin), items))

    def _record_items(
        self, catalogue: Catalogue, source: FeedSource, collection: Collection, origin: str
    ) -> list[Item]:
        """The newest records that have an address, those with a date in the future left out."""
        fields = item_fields(catalogue.site, collection.table)
        with self._instance.records.snapshot() as snapshot:
            chosen = newest_records(source.limit, collection, fields, snapshot, self._instance.now)
        return [
            _record_item(catalogue, collection, fields, record, encoded, origin) for record, encoded in chosen
        ]

    def _article_items(self, catalogue: Catalogue, source: FeedSource, origin: str) -> list[Item]:
        from fingerpost.documents.markdown import markdown_to_html

        chosen = newest_articles(catalogue, source)
        bodies = self._instance.bodies.get_many({article.key: article.etag for _, article in chosen})
        items = []
        for entry, article in chosen:
            if article.key not in bodies:  # removed between the listing and now
                continue
            markdown = body_behind(article.front, bodies[article.key])
            described = _text(article.front.data.get("excerpt")) or article.front.description
            items.append(
                Item(
                    title=article.title,
                    url=origin + entry.address,
                    description=described or _start(markdown),
                    html=markdown_to_html(markdown),
                    published=article.front.published,
                )
            )
        return items


def newest_articles(catalogue: Catalogue, source: FeedSource) -> list[tuple[Entry, Article]]:
    """The articles that are the feed's items, in its order."""
    articles = {entry.address: (entry, article) for entry, article in feed_articles(catalogue, source)}
    items = newest_first(
        Item(article.title, address, published=article.front.published)
        for address, (_, article) in articles.items()
    )
    return [articles[item.url] for item in items[: source.limit]]


def newest_records(
    limit: int, collection: Collection, fields: ItemFields, snapshot: Snapshot, now: datetime
) -> list[tuple[Record, str]]:
    """The records that are the feed's items, in its order, each with its encoded slug: the newest `limit`
    that have an address, those whose date is after `now` left out."""
    selection = collection.selection
    if fields.published is not None:
        selection = replace(selection, not_after=(fields.published, to_w3c(now)))
    chosen: dict[str, Record] = {}
    offset = 0
    while len(chosen) < limit:
        records = snapshot.listing(selection, fields.read, fields.order, limit, offset)
        for record in records:
            encoded = collection.encode(record["$slug"])
            if encoded is not None and not collection.is_rivalled(record["$slug"]):
                chosen.setdefault(encoded, record)
        offset += limit
        if len(records) < limit:
            break
    return [(record, encoded) for encoded, record in chosen.items()][:limit]


def channel(catalogue: Catalogue, page: Page, origin: str) -> Channel:
    """What the feed of `page` is: titled and described as the page where that names no record, else as the
    site."""
    site, base = catalogue.site, catalogue.origin.base
    default = site.languages.get(site.languages.default) if site.languages else None
    return Channel(
        title=_of_page(catalogue, page.meta.title) or site.name,
        link=f"{origin}{base}/",
        self_url=f"{origin}{base}/{NAME}",
        description=_of_page(catalogue, page.meta.description) or site.description,
        language=default.tag if default else page.meta.lang,
        paths=catalogue.paths,
    )


def announcement(catalogue: Catalogue, entry: Entry) -> tuple[str, str] | None:
    """The feed's title and address on the page it is made from, None on any other."""
    own = catalogue.publication.public_file(NAME) is not None
    source = None if own else feed_source(catalogue)
    if source is None or source.route.page is not entry.page:
        return None
    return channel(catalogue, entry.page, "").title, f"{catalogue.origin.base}/{NAME}"


def _of_page(catalogue: Catalogue, text: str | None) -> str | None:
    """A text of the page in the default language, None where it speaks of a record or an article."""
    if not text or "$record." in text or "$frontmatter." in text:
        return None
    languages = catalogue.site.languages
    return fill(text, Values(None, EMPTY, languages, languages.default if languages else None))


def _record_item(
    catalogue: Catalogue,
    collection: Collection,
    fields: ItemFields,
    record: Record,
    encoded: str,
    origin: str,
) -> Item:
    template = next(
        (
            each
            for each in collection.templates
            if each.variant.language and each.variant.language.code == collection.default_code
        ),
        collection.templates[0],
    )
    body = _text(record.get(fields.body)) if fields.body else None
    description = next((text for name in _DESCRIPTIONS if (text := _text(record.get(name)))), None)
    html = None
    if body:
        from fingerpost.documents.markdown import markdown_to_html

        html = markdown_to_html(body)
    return Item(
        title=_record_title(catalogue, collection, record),
        url=origin + collection.address(template, encoded),
        description=description or (_start(body) if body else None),
        html=html,
        published=record.get(fields.published) if fields.published else None,
    )


def _record_title(catalogue: Catalogue, collection: Collection, record: Record) -> str:
    """What the record's page is titled, where the page says so of the record; else its title or name, else
    its slug."""
    declared = collection.route.page.meta.title or ""
    if "$record." in declared:
        languages = catalogue.site.languages
        code = languages.default if languages else None
        if filled := fill(declared, Values(record, EMPTY, languages, code)).strip():
            return filled
    found = next((text for name in _TITLES if (text := _text(record.get(name)))), None)
    return found or str(record["$slug"])


def _start(markdown: str) -> str | None:
    from fingerpost.documents.markdown import body_text

    return body_text(markdown, _DESCRIPTION_CHARACTERS) or None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
