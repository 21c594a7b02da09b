"""Articles: which Markdown files a content directory publishes, at which slugs and in which order."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from fingerpost.catalogue.entry import Article
from fingerpost.catalogue.globs import compile_glob
from fingerpost.site.dates import DateError, instant, to_w3c, w3c_of
from fingerpost.site.model import ContentDir, FrontMatter, Page
from fingerpost.values import dataclass

LANGUAGE_MARK = "{lang}"
_MARKDOWN = ".md"
_NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class ArticleFile:
    """One readable Markdown file: its front matter, and when it was modified (aware)."""

    key: str
    etag: str
    front: FrontMatter
    modified: datetime


def directory_of(content: ContentDir, code: str | None) -> str:
    """The key prefix of a content directory in the language `code`, ending in `/`."""
    directory = content.directory.replace(LANGUAGE_MARK, code or "")
    parts = [part for part in directory.split("/") if part not in ("", ".")]
    return "".join(f"{part}/" for part in parts)


def has_language(content: ContentDir) -> bool:
    """Whether the directory is one per language."""
    return LANGUAGE_MARK in content.directory


def article_keys(content: ContentDir, code: str | None, keys: Iterable[str]) -> list[str]:
    """The keys among `keys` that are articles of the directory, in key order."""
    prefix = directory_of(content, code)
    wanted = compile_glob(content.include)
    return sorted(
        key
        for key in keys
        if key.startswith(prefix) and key.lower().endswith(_MARKDOWN) and wanted.matches(key[len(prefix) :])
    )


def slug_of(content: ContentDir, code: str | None, key: str) -> str:
    """The decoded slug of the article at `key`, "" for the index. Literal text: never decoded.

    `slugFrom: filepath` keeps the folders and takes a file named `index` as its folder's own address.
    """
    relative = key[len(directory_of(content, code)) : -len(_MARKDOWN)]
    if not content.by_path:
        slug = relative.rpartition("/")[2]
    elif relative == "index" or relative.endswith("/index"):
        slug = relative[: -len("index")].rstrip("/")
    else:
        slug = relative
    return "" if content.index is not None and slug == content.index else slug


def index_slugs(content: ContentDir, article: Article) -> tuple[str, ...]:
    """The slugs that redirect to an article: the named index's own, and `index` below a folder's address."""
    slugs = []
    if article.slug == "" and content.index:
        slugs.append(content.index)
    if content.by_path and _stem(article.key) == "index":
        slugs.append(f"{article.slug}/index" if article.slug else "index")
    return tuple(slugs)


def _stem(key: str) -> str:
    return key[: -len(_MARKDOWN)].rpartition("/")[2]


def make_article(content: ContentDir, code: str | None, file: ArticleFile) -> Article:
    """The article of a file. Its lastmod is the author's date of change, else the file's."""
    slug = slug_of(content, code, file.key)
    return Article(
        key=file.key,
        etag=file.etag,
        slug=slug,
        title=file.front.title or slug.rpartition("/")[2] or _stem(file.key),
        front=file.front,
        lastmod=file.front.changed or to_w3c(file.modified),
        language=code,
    )


def is_filtered_out(content: ContentDir, front: FrontMatter) -> bool:
    """Whether `contentDir.filter` leaves the article out. A file without the key counts as `false`;
    any other value compares as text."""
    return unmet_filter(content, front) is not None


def unmet_filter(content: ContentDir, front: FrontMatter) -> str | None:
    """The first front matter key of `contentDir.filter` that leaves the article out, None where none does."""
    return next(
        (key for key, wanted in content.filter.items() if _as_text(front.data.get(key)) != wanted), None
    )


def _as_text(value: Any) -> str:
    if value is None or value is False:
        return "false"
    return "true" if value is True else str(value)


def in_author_order(page: Page, articles: Sequence[Article]) -> list[Article]:
    """Articles by `contentDir.sort`, else by front matter `order`; ties, and articles without the value
    (always last), by key."""
    content = page.content_dir
    field = content.sort_field if content and content.sort_field else "order"
    descending = bool(content and content.sort_field and content.descending)
    by_key = sorted(articles, key=lambda article: article.key)
    valued = [(sort_value(article.front.data, field), article) for article in by_key]
    present = [(value, article) for value, article in valued if value is not None]
    present.sort(key=lambda pair: pair[0], reverse=descending)
    return [article for _, article in present] + [article for value, article in valued if value is None]


def sort_value(data: Mapping[str, Any], field: str) -> tuple[int, float, str] | None:
    """A comparable form of a front matter value: numbers, then dates, then texts; None where absent.

    Numbers, dates and texts never meet in one comparison, so mixed values sort without an error.
    """
    value = data.get(field)
    if value is None or isinstance(value, list | dict):
        return None
    text = _as_text(value).strip()
    if _NUMBER.fullmatch(text):
        return (0, float(text), "")
    try:
        return (1, instant(w3c_of(text)).timestamp(), "")
    except DateError:
        return (2, 0.0, text.casefold())
