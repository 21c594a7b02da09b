"""`pages`: each page with all that it declares, and where it declares it."""

import re
from dataclasses import replace
from typing import Final

from fingerpost.limits import FEED_ITEMS, FEED_ITEMS_MOST
from fingerpost.site.model import Access, Languages, Meta, Page, SitemapHints, Table
from fingerpost.site.problems import Place
from fingerpost.site.reading_access import read_access
from fingerpost.site.reading_content import read_collection, read_content_dir, read_markdown
from fingerpost.site.reading_meta import read_meta, read_sitemap
from fingerpost.site.value import Section, Value
from fingerpost.values import dataclass

_KEYS: Final = (
    "name", "path", "meta", "access", "components", "sitemap", "rss", "collection", "contentDir", "markdown",
)  # fmt: skip
_PARAMETER: Final = re.compile(r":([A-Za-z_][A-Za-z0-9_]*)(\*?)", re.ASCII)
_LANG: Final = "lang"


@dataclass(frozen=True, slots=True)
class Declared:
    """What pages may refer to. `multilingual` is true where the site has `languages`, readable or not."""

    tables: tuple[Table, ...] = ()
    languages: Languages | None = None
    multilingual: bool = False


def read_pages(value: Value, declared: Declared) -> tuple[Page, ...]:
    """Every page, in the author's order."""
    return tuple(_read_page(item, declared) for item in value.items())


def _read_page(value: Value, declared: Declared) -> Page:
    keys = value.section(_KEYS)
    meta = keys.read("meta", read_meta) or Meta()
    _check_wordings(keys, meta, declared.languages)
    page = Page(
        name=keys.required("name"),
        path=_read_path(keys),
        place=value.place,
        meta=meta,
        access=keys.read("access", read_access) or Access(),
        components=tuple(item.plain() for item in keys.read("components", Value.items) or ()),
        sitemap=_with_fallback(keys.read("sitemap", read_sitemap) or SitemapHints(), meta),
        rss_limit=keys.read("rss", _read_rss),
        collection=keys.read("collection", lambda found: read_collection(found, declared.tables)),
        content_dir=keys.read("contentDir", read_content_dir),
        markdown=keys.read("markdown", read_markdown),
    )
    _check_parameters(keys, page, declared)
    return page


def _with_fallback(hints: SitemapHints, meta: Meta) -> SitemapHints:
    """The hints, with those of `meta` where `sitemap` gives none."""
    return replace(
        hints, priority=hints.priority or meta.priority, changefreq=hints.changefreq or meta.changefreq
    )


def _read_path(keys: Section) -> str:
    path = keys.required("path")
    value = keys.value("path")
    fault = path_fault(path) if path else None
    if fault is not None and value is not None:
        value.error("bad-path", f"expected a path such as /blog/:slug, found {value.describe()}: {fault}")
    return path


def path_fault(path: str) -> str | None:
    """What keeps `path` from being a page's path, None where it is one."""
    if not path.startswith("/"):
        return "it does not begin with /"
    if "?" in path or "#" in path or not path.isprintable():
        return "it holds a ?, a # or a character that can't be shown"
    segments = path[1:].removesuffix("/").split("/") if path != "/" else []
    names: set[str] = set()
    for position, segment in enumerate(segments, start=1):
        if segment in ("", ".", ".."):
            return f"its segment {segment!r} names no place"
        if not segment.startswith(":"):
            continue
        parameter = _PARAMETER.fullmatch(segment)
        if parameter is None:
            return f"`{segment}` is no parameter (a name of letters, digits and _)"
        if parameter[1] in names:
            return f"the parameter `{parameter[1]}` stands twice"
        if parameter[2] and position < len(segments):
            return f"`{segment}` takes the rest of the path and is not last"
        names.add(parameter[1])
    return None


def _read_rss(value: Value) -> int | None:
    """`rss`: the number of items, None where the page makes no feed."""
    if value.literal is not None:
        return FEED_ITEMS if value.literal else None
    if not value.is_mapping:
        value.expected("true, false or a mapping with `limit`")
        return None
    keys = value.section(("limit",))
    return keys.read("limit", lambda found: found.integer(1, FEED_ITEMS_MOST)) or FEED_ITEMS


def _check_wordings(keys: Section, meta: Meta, languages: Languages | None) -> None:
    for code in meta.i18n:
        if languages is None or code not in languages.codes:
            place = keys.whole.place
            keys.whole.problems.warning(
                "unknown-language",
                Place(place.file, place.line, f"{place.path}.meta.i18n.{code}"),
                f"expected a supported language, found `{code}`",
            )


def _check_parameters(keys: Section, page: Page, declared: Declared) -> None:
    """Whether the path has the parameter that records, articles and languages are told apart by."""
    names = [match[1] for segment in page.path.split("/") if (match := _PARAMETER.fullmatch(segment))]
    own = [name for name in names if not (declared.multilingual and name == _LANG)]
    for key in ("collection", "contentDir"):
        value = keys.value(key)
        if value is None or not page.path:
            continue
        if not own:
            value.error("no-parameter", f"expected a parameter in the page's path, found `{page.path}`")
        elif len(own) > 1:
            value.warning(
                "many-parameters",
                f"expected one parameter in the page's path, found `{page.path}`; nothing is listed",
            )
    content = keys.value("contentDir")
    per_language = page.content_dir is not None and "{lang}" in page.content_dir.directory
    if content is not None and per_language and not declared.multilingual:
        content.error("no-languages", "expected `languages` for a directory with {lang}, found none")
    rss = keys.value("rss")
    if (
        rss is not None
        and page.rss_limit is not None
        and page.collection is None
        and page.content_dir is None
    ):
        rss.warning("empty-feed", "expected `collection` or `contentDir` beside `rss`, found neither")
