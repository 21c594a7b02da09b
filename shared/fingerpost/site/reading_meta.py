"""`meta` and `sitemap` of a page: what its head says, and its hints for the sitemap."""

from typing import Final

from fingerpost.site.indexing import is_noindex
from fingerpost.site.model import Changefreq, Meta, SitemapHints, Wording
from fingerpost.site.reading_languages import read_tag
from fingerpost.site.urls import address_fault
from fingerpost.site.value import Value

_KEYS: Final = (
    "title", "description", "keywords", "author", "canonical", "robots", "noindex", "priority", "changefreq",
    "openGraph", "twitter", "schema", "lang", "i18n",
)  # fmt: skip


def read_meta(value: Value) -> Meta:
    """`meta`. `noindex` is also true where `robots` asks for it."""
    keys = value.section(_KEYS)
    robots = keys.read("robots", read_words)
    return Meta(
        title=keys.text("title"),
        description=keys.text("description"),
        keywords=keys.read("keywords", read_words),
        author=keys.text("author"),
        canonical=keys.read("canonical", read_canonical),
        robots=robots,
        noindex=keys.flag("noindex", False) or is_noindex(robots or ""),
        priority=keys.read("priority", read_priority),
        changefreq=keys.read("changefreq", read_changefreq),
        lang=keys.read("lang", read_tag),
        open_graph=keys.read("openGraph", _read_texts) or {},
        twitter=keys.read("twitter", _read_texts) or {},
        schema=keys.read("schema", Value.json),
        i18n=keys.read("i18n", _read_wordings) or {},
    )


def read_sitemap(value: Value) -> SitemapHints:
    """`sitemap` of a page or an article: `false`, `true`, or `{priority, changefreq}`."""
    if value.literal is not None:
        return SitemapHints(listed=value.literal)
    if not value.is_mapping:
        value.expected("true, false or a mapping with `priority` and `changefreq`")
        return SitemapHints()
    keys = value.section(("priority", "changefreq"))
    return SitemapHints(
        priority=keys.read("priority", read_priority), changefreq=keys.read("changefreq", read_changefreq)
    )


def read_priority(value: Value) -> str | None:
    """sitemaps.org <priority>: a decimal from 0 to 1 as written; an integer gains `.0`."""
    written = value.number(0, 1)
    if written is None:
        return None
    return written if "." in written else f"{written}.0"


def read_changefreq(value: Value) -> str | None:
    """sitemaps.org <changefreq>."""
    return value.choice(Changefreq)


def read_canonical(value: Value) -> str | None:
    """An absolute URL or a path of the site. A text with `$` is filled in from a record or an article."""
    url = value.text()
    if url is None or "$" in url:
        return url
    fault = address_fault(url)
    if fault is None:
        return url
    value.error("bad-url", f"expected an absolute URL or a path, found {value.describe()}: {fault}")
    return None


def read_words(value: Value) -> str | None:
    """Words in one text, separated by commas; a list of texts is joined."""
    words = value.one_or_many()
    return ", ".join(words) if words else None


def _read_texts(value: Value) -> dict[str, str]:
    return value.section().texts()


def _read_wordings(value: Value) -> dict[str, Wording]:
    wordings = {}
    for code, texts in value.section():
        keys = texts.section(("title", "description"))
        wordings[code] = Wording(keys.text("title"), keys.text("description"))
    return wordings
