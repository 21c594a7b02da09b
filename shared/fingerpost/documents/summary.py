"""What a page says about itself: title, description, address, image, dates. Head and JSON-LD both tell it."""

import re
from collections.abc import Mapping
from typing import Any

from fingerpost.catalogue.addresses import encode_url
from fingerpost.catalogue.entry import Entry
from fingerpost.documents.attributes import safe_url
from fingerpost.documents.escape import drop_forbidden
from fingerpost.documents.markdown import Rendered, html_start
from fingerpost.documents.references import AbsoluteReferences
from fingerpost.documents.view import PageView
from fingerpost.documents.words import shown_date
from fingerpost.site.model import Meta
from fingerpost.site.placeholders import Values, as_text, fill
from fingerpost.values import dataclass

# HTML's own white space; a no-break or ideographic space is a character of the title.
_SPACE = re.compile(r"[ \t\n\r\f]+")
# Search engines show about this much of a description; it is only cut where we take it from a body.
_DESCRIPTION_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class Summary:
    """`url` is the canonical URL and `image` an absolute one; dates are W3C datetimes. `is_article` holds
    for an article, and for a record with a date of publication."""

    title: str
    description: str
    url: str
    tag: str
    image: str | None = None
    published: str | None = None
    changed: str | None = None
    author: str | None = None
    is_article: bool = False
    is_home: bool = False


def summarise(view: PageView, values: Values, tag: str, body: Rendered | None) -> Summary:
    """Sum up a page. `body` is its rendered Markdown, where it has one."""
    entry = view.entry
    own = absolute(view.origin, entry.address)
    title = _title(view, values, body)
    published = _published(view)
    return Summary(
        title=title,
        description=_description(view, values, body),
        url=_canonical(entry, view) or own,
        tag=tag,
        image=_image(view, values),
        published=published,
        changed=(entry.article.front.changed if entry.article else None) or entry.lastmod,
        author=_one_line(
            as_text(view.frontmatter.get("author")) or fill(entry.page.meta.author or "", values)
        )
        or None,
        is_article=entry.article is not None or (entry.record is not None and published is not None),
        is_home=is_home(entry),
    )


def absolute(origin: str, address: str) -> str:
    """A path behind the origin; an absolute URL as it is."""
    return address if address.startswith(("http://", "https://")) else origin + address


def image_url(view: PageView, written: str) -> str | None:
    """The absolute URL of an image that is named for the page; None where there is none, or an unsafe one."""
    safe = safe_url(written)
    if not safe:
        return None
    references = AbsoluteReferences(absolute(view.origin, view.entry.address), view.paths)
    return encode_url(references.resource(safe))


def is_home(entry: Entry) -> bool:
    """Whether an entry is the site's root or a language's: only theirs keep the trailing slash."""
    return entry.address.endswith("/") and entry.article is None and entry.record is None


def wording(meta: Meta, code: str | None) -> tuple[str, str]:
    """`meta`'s title and description in a language, "" where there is none; placeholders not yet filled."""
    variant = meta.i18n.get(code or "")
    title = (variant.title if variant else None) or meta.title or ""
    return title, (variant.description if variant else None) or meta.description or ""


def _title(view: PageView, values: Values, body: Rendered | None) -> str:
    entry = view.entry
    declared = wording(entry.page.meta, values.code)[0]
    from_meta = _one_line(fill(declared, values))
    front = view.frontmatter
    own = _one_line(as_text(_seo(front).get("title")) or as_text(front.get("title")))
    if entry.article is not None:
        if own and "$frontmatter." in declared and not _seo(front).get("title"):
            return from_meta
        first_heading = (
            next((heading.text for heading in body.headings if heading.level == 1), "") if body else ""
        )
        return own or first_heading or entry.article.title or from_meta or entry.page.name
    if from_meta or own:
        return from_meta or own
    if entry.record is not None:
        slug_field = entry.page.collection.slug_field if entry.page.collection else ""
        for key in ("title", "name", slug_field):
            if text := _one_line(as_text(entry.record.get(key))):
                return text
    return view.site.name if is_home(entry) else entry.page.name


def _description(view: PageView, values: Values, body: Rendered | None) -> str:
    entry = view.entry
    front = view.frontmatter
    own = _one_line(as_text(_seo(front).get("description")) or as_text(front.get("description")))
    if own:
        return own
    if (
        entry.article is not None
        and body is not None
        and (start := html_start(body.html, _DESCRIPTION_CHARACTERS))
    ):
        return start
    from_meta = _one_line(fill(wording(entry.page.meta, values.code)[1], values))
    if from_meta:
        return from_meta
    if entry.record is not None:
        return _one_line(as_text(entry.record.get("excerpt")) or as_text(entry.record.get("description")))
    return _one_line(view.site.description or "") if is_home(entry) else ""


def _canonical(entry: Entry, view: PageView) -> str | None:
    if not entry.canonical:
        return None
    named = safe_url(entry.canonical)
    if not named or not named.startswith(("http://", "https://", "/")) or named.startswith("//"):
        return None
    return absolute(view.origin, named)


def _image(view: PageView, values: Values) -> str | None:
    article = view.entry.article
    chosen = (article.front.image if article else None) or as_text(view.frontmatter.get("image"))
    chosen = chosen or fill(view.entry.page.meta.open_graph.get("image", ""), values)
    return image_url(view, chosen)


def _published(view: PageView) -> str | None:
    entry = view.entry
    if entry.article is not None:
        return entry.article.front.published
    if entry.record is None:
        return None
    names = ["published_at"]
    table = view.site.table(entry.page.collection.table) if entry.page.collection else None
    names += [field.name for field in table.fields if field.type == "created-at"] if table else []
    dates = (entry.record.get(name) for name in names)
    return next((date for date in dates if isinstance(date, str) and shown_date(date, "en")), None)


def _seo(front: Mapping[str, Any]) -> Mapping[str, Any]:
    seo = front.get("seo")
    return seo if isinstance(seo, Mapping) else {}


def _one_line(text: str) -> str:
    return _SPACE.sub(" ", drop_forbidden(text)).strip(" ")
