"""Which page the feed is made from, and what of a record its items are made of (SPEC section 7)."""

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.collections import Collection
from fingerpost.catalogue.entry import Article, Document, Entry
from fingerpost.catalogue.routes import Route
from fingerpost.catalogue.visibility import readable_fields
from fingerpost.catalogue.visitor import ANONYMOUS
from fingerpost.site.model import Field, Site, Table
from fingerpost.sources.records import KEY, Sort
from fingerpost.values import dataclass

# Field types whose text is Markdown or HTML, fit for an item's content.
BODY_TYPES = frozenset({"rich-text", "markdown"})
_BODY_NAMES = ("body", "content")
_PUBLISHED = "published_at"
_CREATED_TYPE = "created-at"


@dataclass(frozen=True, slots=True)
class FeedSource:
    """The page that makes the feed: `collection` where it has records, else its articles are the items."""

    route: Route
    limit: int
    collection: Collection | None = None


def feed_source(catalogue: Catalogue) -> FeedSource | None:
    """The first page everyone may open that declares `rss` and has articles, or records everyone may read."""
    for route in catalogue.router.routes:
        page = route.page
        if page.rss_limit is None or not page.access.readers.everyone:
            continue
        collection = catalogue.collections.get(route.position)
        if collection is not None and collection.verdict.allows(Document.FEED):
            return FeedSource(route, page.rss_limit, collection)
        if page.content_dir is not None and route.parameter is not None:
            return FeedSource(route, page.rss_limit)
    return None


def feed_articles(catalogue: Catalogue, source: FeedSource) -> list[tuple[Entry, Article]]:
    """The articles of the feed's page that may be in it, in one language of a multilingual page: the default
    one, or the first that has any."""
    found = [
        (entry, entry.article)
        for entry in catalogue.articles_of(source.route)
        if entry.article is not None and entry.verdict.allows(Document.FEED)
    ]
    languages = catalogue.site.languages
    if languages is None:
        return found
    codes = {entry.language.code for entry, _ in found if entry.language}
    wanted = next((code for code in (languages.default, *languages.codes) if code in codes), None)
    return [(entry, article) for entry, article in found if entry.language and entry.language.code == wanted]


@dataclass(frozen=True, slots=True)
class ItemFields:
    """The fields of a table that an item is made of, all readable by everyone; None where there is none.

    `read` names everything that is read of a record, so that `$record.x` in the page's title works too.
    """

    read: tuple[str, ...]
    published: str | None
    body: str | None

    @property
    def order(self) -> tuple[Sort, ...]:
        """Newest first by publication, else by key; the key also decides ties."""
        newest_key = Sort(KEY, descending=True)
        return (Sort(self.published, descending=True), newest_key) if self.published else (newest_key,)


def item_fields(site: Site, table: Table) -> ItemFields:
    """What of a table's records the feed may show."""
    readable = readable_fields(site, table, ANONYMOUS)
    return ItemFields(
        read=tuple(field.name for field in readable),
        published=publication_field(readable),
        body=_body_field(readable),
    )


def publication_field(fields: tuple[Field, ...]) -> str | None:
    """The field that tells when a record was published: `published_at`, else the one of type `created-at`."""
    if any(field.name == _PUBLISHED for field in fields):
        return _PUBLISHED
    return next((field.name for field in fields if field.type == _CREATED_TYPE), None)


def _body_field(fields: tuple[Field, ...]) -> str | None:
    bodies = [field.name for field in fields if field.type in BODY_TYPES]
    return next((name for name in _BODY_NAMES if name in bodies), bodies[0] if bodies else None)
