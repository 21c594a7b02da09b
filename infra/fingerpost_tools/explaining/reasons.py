"""The rules of visibility in words, each with the setting that made it apply (SPEC section 4)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fingerpost.catalogue.articles import unmet_filter
from fingerpost.catalogue.entry import Article, Rule
from fingerpost.catalogue.visibility import ReadBasis, TableReading, field_reading, table_reading
from fingerpost.site.frontmatter import CHANGED, PUBLISHED
from fingerpost.site.indexing import is_noindex
from fingerpost.site.model import Page, Readers, Site, Table
from fingerpost.site.problems import Place
from fingerpost_tools.configuration_places import ConfigurationPlaces


class Why(NamedTuple):
    """One sentence, and where the setting stands that it speaks of."""

    reason: str
    place: Place | None


class Reasons:
    """Says why a rule applies to a page, or to an article or the records of one."""

    def __init__(self, site: Site, places: ConfigurationPlaces) -> None:
        self._site = site
        self._places = places

    def of(self, rule: Rule, page: Page, article: Article | None, canonical: str | None) -> Why:
        """Why `rule` applies. `canonical` is the address that the author named in place of this one."""
        match rule:
            case Rule.DRAFT:
                return Why("`draft: true`", _line(article, "draft"))
            case Rule.FUTURE:
                published = article.front.published if article else None
                return Why(f"its date, {published}, is still to come", _line(article, *PUBLISHED))
            case Rule.FILTERED:
                return self._filtered(page, article)
            case Rule.RESTRICTED:
                return self.restricted(page)
            case Rule.UNDERSCORE:
                return Why(
                    f"the page's path, {page.path}, begins with /_", self._places.of_page(page, "path")
                )
            case Rule.HIDDEN:
                return Why("`hidden: true`", _line(article, "hidden"))
            case Rule.NOINDEX:
                return self._noindex(page, article)
            case Rule.CANONICAL:
                place = (
                    _line(article, "seo.canonical", "canonical")
                    if article is not None and article.front.canonical
                    else self._places.of_page(page, "meta.canonical")
                )
                return Why(f"its canonical address is {canonical or 'another'}", place)
            case Rule.SITEMAP_FALSE:
                if article is not None and not article.front.sitemap.listed:
                    return Why("`sitemap: false`", _line(article, "sitemap"))
                return Why("`sitemap: false`", self._places.of_page(page, "sitemap"))
            case Rule.AI_EXCLUDE:
                return Why("`ai.exclude: true`", _line(article, "ai.exclude", "ai"))

    def restricted(self, page: Page) -> Why:
        """Why not everyone may read a page or its records: its access, its table, or its slug field."""
        if not page.access.readers.everyone:
            place = self._places.of_page(page, "access.require")
            return Why(f"`access` of the page lets in {who(page.access.readers)}", place)
        reference = page.collection
        table = self._site.table(reference.table) if reference is not None else None
        if reference is None or table is None:
            return Why("its table is not declared", self._places.of_page(page, "collection"))
        reading = table_reading(self._site, table)
        if not reading.readers.everyone:
            return self.unreadable(reading)
        field = field_reading(self._site, table, reference.slug_field)
        if field.basis is not ReadBasis.READ:
            return self.unreadable(field)
        return Why(
            f"the field `{reference.slug_field}`, which its address is built from, "
            f"may be read by {who(field.readers)} alone",
            self._places.of_table(field.table, "permissions.fields"),
        )

    def unreadable(self, reading: TableReading) -> Why:
        """What settles who may read a table."""
        table, readers = reading.table, who(reading.readers)
        sentences = {
            ReadBasis.READ: ("permissions.read", f"the table `{table.name}` may be read by {readers} alone"),
            ReadBasis.OVERRIDE: (
                "permissions.override.read",
                f"the table `{table.name}` may be read by {readers} alone",
            ),
            ReadBasis.ROW_LEVEL: (
                "rowLevelPermissions",
                f"the table `{table.name}` has a row-level read rule, for its own application to evaluate",
            ),
            ReadBasis.UNDECLARED: (
                "permissions",
                f"the table `{table.name}` declares no `permissions.read: all`",
            ),
            ReadBasis.NO_PARENT: (
                "permissions.inherit",
                f"the table `{table.name}` inherits from `{table.inherit}`, which is not declared",
            ),
            ReadBasis.CYCLE: (
                "permissions.inherit",
                f"the table `{table.name}` inherits, in the end, from itself",
            ),
        }
        key, sentence = sentences[reading.basis]
        return Why(sentence, self._places.of_table(table, key))

    def _filtered(self, page: Page, article: Article | None) -> Why:
        content = page.content_dir
        key = unmet_filter(content, article.front) if content and article else None
        if content is None or article is None or key is None:
            return Why("the page's filter leaves it out", self._places.of_page(page, "contentDir.filter"))
        found = article.front.data.get(key)
        said = f"it says {as_written(found)}" if key in article.front.data else "it has no such key"
        return Why(
            f"`contentDir.filter` wants `{key}: {content.filter[key]}`, and {said}",
            self._places.of_page(page, f"contentDir.filter.{key}"),
        )

    def _noindex(self, page: Page, article: Article | None) -> Why:
        if article is not None and article.front.noindex:
            key = _noindex_key(article.front.data)
            return Why(f"`{key}` asks for it", _line(article, key))
        key = "meta.robots" if is_noindex(page.meta.robots or "") else "meta.noindex"
        return Why(f"`{key}` of the page asks for it", self._places.of_page(page, key))


def changed_line(article: Article) -> Place | None:
    """Where an article gives its date of change."""
    return _line(article, *CHANGED)


def changed_key(article: Article) -> str | None:
    """The key under which an article gives its date of change."""
    return next((key for key in CHANGED if key in article.front.lines), None)


def who(readers: Readers) -> str:
    """Some readers in words."""
    if readers.everyone:
        return "everyone"
    if readers.signed_in:
        return "signed-in visitors"
    return ", ".join(sorted(readers.roles)) or "nobody but `admin`"


def as_written(value: Any) -> str:
    """A front matter value as its author would write it."""
    if value is True or value is False:
        return str(value).lower()
    return "nothing" if value is None else f"`{value}`"


def _noindex_key(data: Mapping[str, Any]) -> str:
    if data.get("noindex") is True:
        return "noindex"
    seo = data.get("seo")
    return "seo.noindex" if isinstance(seo, Mapping) and seo.get("noindex") is True else "robots"


def _line(article: Article | None, *keys: str) -> Place | None:
    """The line of the first of `keys` that the article's front matter has."""
    if article is None:
        return None
    key = next((key for key in keys if key in article.front.lines), None)
    return Place(article.key, article.front.lines[key], key) if key else Place(article.key, 1)


def table_named(tables: Sequence[Table], name: str) -> Table | None:
    """The table of this name, whatever the case."""
    return next((table for table in tables if table.name.lower() == name.lower()), None)
