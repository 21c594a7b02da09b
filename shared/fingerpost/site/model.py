"""The typed configuration of a site: what `app.yaml` and the files it names say, checked.

Values are immutable. Every text is what the author wrote. Reading lives in `site.reading`.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from fingerpost.site.problems import Place
from fingerpost.values import dataclass

EMPTY: Mapping[str, Any] = MappingProxyType({})
_SOMEWHERE = Place("app.yaml")


def _empty() -> Mapping[str, Any]:
    # Before Python 3.12 a mapping proxy is not hashable, which dataclasses take for a mutable default.
    return EMPTY


@dataclass(frozen=True, slots=True)
class Readers:
    """Who may read a thing: everyone, everyone signed in, or holders of one of `roles`.

    `admin` reads everything and need not be named.
    """

    everyone: bool = False
    signed_in: bool = False
    roles: frozenset[str] = frozenset()


EVERYONE = Readers(everyone=True)
SIGNED_IN = Readers(signed_in=True)
NOBODY = Readers()


@dataclass(frozen=True, slots=True)
class Access:
    """`access` of a page. `redirect_to` is where its HTML addresses send who may not read it."""

    readers: Readers = EVERYONE
    redirect_to: str | None = None


@dataclass(frozen=True, slots=True)
class Wording:
    """Title and description in one language (`meta.i18n.{code}`)."""

    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Meta:
    """`meta` of a page. `schema` is JSON-LD as written; `open_graph` and `twitter` hold plain text values."""

    title: str | None = None
    description: str | None = None
    keywords: str | None = None
    author: str | None = None
    canonical: str | None = None
    robots: str | None = None
    noindex: bool = False
    priority: str | None = None
    changefreq: str | None = None
    lang: str | None = None
    open_graph: Mapping[str, str] = field(default_factory=_empty)
    twitter: Mapping[str, str] = field(default_factory=_empty)
    schema: Any = None
    i18n: Mapping[str, Wording] = field(default_factory=_empty)


class Changefreq(StrEnum):
    """sitemaps.org 0.9, <changefreq>."""

    ALWAYS = "always"
    HOURLY = "hourly"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    YEARLY = "yearly"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class SitemapHints:
    """`sitemap` of a page: `listed` is False for `sitemap: false`. `priority` is text in xsd:decimal
    form between 0 and 1, as written except that an integer gains `.0`."""

    listed: bool = True
    priority: str | None = None
    changefreq: str | None = None


class Operator(StrEnum):
    """Operators of a collection's filter."""

    EQ = "eq"
    NEQ = "neq"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    CONTAINS = "contains"
    IN = "in"


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a filter. `value` is the author's text, or texts for `in`; Postgres types it by
    the column."""

    field: str
    operator: Operator
    value: str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CollectionRef:
    """`collection` of a page: one record of `table` per address, found by `slug_field`."""

    table: str
    slug_field: str
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Nav:
    """`contentDir.nav`: the navigation of a content directory."""

    enabled: bool = False
    group_by: str | None = None
    label_from: str = "title"
    group_labels: Mapping[str, str] = field(default_factory=_empty)


@dataclass(frozen=True, slots=True)
class ContentDir:
    """`contentDir` of a page: one article per Markdown file below `directory` (which may hold `{lang}`)."""

    directory: str
    by_path: bool = False  # slugFrom: filepath
    index: str | None = None
    include: str = "**/*.md"
    filter: Mapping[str, str] = field(default_factory=_empty)  # front matter key -> text it must equal
    sort_field: str | None = None
    descending: bool = False
    nav: Nav = Nav()


@dataclass(frozen=True, slots=True)
class Toc:
    """`markdown.toc`: headings of level 2 up to `max_depth` are listed."""

    max_depth: int = 3
    position: str = "inline"


@dataclass(frozen=True, slots=True)
class MarkdownPage:
    """`markdown` of a page: inline `content`, or a `file` of the site; `layout` and `toc` also rule its
    articles."""

    content: str | None = None
    file: str | None = None
    layout: str | None = None
    toc: Toc | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """An entry of `pages`. `rss_limit` is None where the page makes no feed.

    `components` is plain data: mappings, lists and texts as written, True/False, and None for null.
    """

    name: str
    path: str
    place: Place
    meta: Meta = Meta()
    access: Access = Access()
    components: tuple[Any, ...] = ()
    sitemap: SitemapHints = SitemapHints()
    rss_limit: int | None = None
    collection: CollectionRef | None = None
    content_dir: ContentDir | None = None
    markdown: MarkdownPage | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a table. `readers` is None where its own table's permissions do not speak of it.

    `options` holds what a relationship needs: `relatedTable`, `relationType`, `displayField`.
    """

    name: str
    type: str
    readers: Readers | None = None
    options: Mapping[str, str] = field(default_factory=_empty)


@dataclass(frozen=True, slots=True)
class Table:
    """An entry of `tables`. `read` is None where the table declares no `permissions.read`."""

    name: str
    place: Place
    fields: tuple[Field, ...] = ()
    read: Readers | None = None
    inherit: str | None = None  # the parent table whose permissions hold where `read` is None
    override: Readers | None = None  # permissions.override.read: wins over what is inherited
    row_level_read: bool = False  # rowLevelPermissions that say anything about reading


@dataclass(frozen=True, slots=True)
class Language:
    """An entry of `languages.supported`. `code` is the URL segment, `tag` the BCP 47 tag in canonical
    case."""

    code: str
    tag: str
    label: str = ""
    direction: str = "ltr"


@dataclass(frozen=True, slots=True)
class Languages:
    """`languages`. `translations` maps code -> key -> text."""

    default: str
    supported: tuple[Language, ...]
    fallback: str | None = None
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=_empty)

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(language.code for language in self.supported)

    def get(self, code: str) -> Language | None:
        return next((language for language in self.supported if language.code == code), None)


@dataclass(frozen=True, slots=True)
class Llms:
    """`llms`."""

    enabled: bool = True
    title: str | None = None
    description: str | None = None
    full: bool = True


@dataclass(frozen=True, slots=True)
class Seo:
    """`seo`. `max_records` is the most records read per collection, None for the product's own cap."""

    sitemap: bool = True
    alternates: bool = True
    max_records: int | None = None
    robots: bool = True


@dataclass(frozen=True, slots=True)
class ContentSignals:
    """`agents.contentSignals` (contentsignals.org): what content may be used for."""

    search: bool = True
    ai_input: bool = True
    ai_train: bool = True


@dataclass(frozen=True, slots=True)
class RobotsGroup:
    """`robots.groups[]`: rules for the robots it names, in place of those for `*` (RFC 9309 2.2.1)."""

    user_agents: tuple[str, ...]
    allow: tuple[str, ...] = ()
    disallow: tuple[str, ...] = ()
    crawl_delay: str | None = None
    comment: str | None = None
    place: Place = _SOMEWHERE


@dataclass(frozen=True, slots=True)
class RobotsPolicy:
    """`robots`. `training` and `answers` are None (nothing said), True (allow) or False (disallow)."""

    groups: tuple[RobotsGroup, ...] = ()
    training: bool | None = None
    answers: bool | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """A whole site, as its author declared it."""

    name: str
    description: str | None = None
    languages: Languages | None = None
    tables: tuple[Table, ...] = ()
    pages: tuple[Page, ...] = ()
    templates: Mapping[str, Any] = field(default_factory=_empty)  # `components:` by name
    llms: Llms = Llms()
    seo: Seo = Seo()
    content_signals: ContentSignals | None = None
    readability: bool = True
    deployment_site: str | None = None  # origin, no trailing slash
    deployment_base: str = ""  # "" or "/base", no trailing slash
    robots: RobotsPolicy = RobotsPolicy()
    files: tuple[str, ...] = field(default=("app.yaml",))  # every configuration file read, app.yaml first

    def table(self, name: str) -> Table | None:
        return next((table for table in self.tables if table.name == name), None)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of one article, typed. `data` holds every key as plain data (`$frontmatter.x`).

    Dates are W3C datetimes in the author's precision (`2024-01-08`, or UTC with `Z`); `published` is
    `date`, `published_at` or `created_at`; `changed` is `updated`, `lastmod` or `lastModified`.
    """

    title: str | None = None
    description: str | None = None
    seo_title: str | None = None  # seo.title and seo.description: for the head alone
    seo_description: str | None = None
    published: str | None = None
    changed: str | None = None
    draft: bool = False
    hidden: bool = False
    noindex: bool = False  # noindex, seo.noindex, or a robots token
    canonical: str | None = None
    sitemap: SitemapHints = SitemapHints()
    image: str | None = None
    category: str | None = None  # category, else section
    order: str | None = None
    ai_exclude: bool = False
    data: Mapping[str, Any] = field(default_factory=_empty)
    lines: Mapping[str, int] = field(default_factory=_empty)  # dotted key -> line, from 1
