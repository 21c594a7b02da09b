"""Pages to render in tests: small builders, and readers of the HTML that comes out."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lxml import etree, html

from fingerpost.catalogue.entry import Article, Entry, Verdict
from fingerpost.documents.html import render_page
from fingerpost.documents.stylesheet import STYLE_ELEMENT
from fingerpost.documents.view import Listing, PageView
from fingerpost.site.model import (
    CollectionRef,
    ContentDir,
    Field,
    FrontMatter,
    Languages,
    MarkdownPage,
    Meta,
    Page,
    Site,
    Table,
)
from fingerpost.site.problems import Place

HERE = Place("app.yaml")
ORIGIN = "https://example.com"
PUBLIC = Verdict({})

POSTS = Table(
    "posts",
    HERE,
    tuple(
        Field(name, kind)
        for name, kind in {
            "title": "single-line-text",
            "slug": "single-line-text",
            "excerpt": "long-text",
            "body": "rich-text",
            "published_at": "datetime",
            "event_day": "date",
            "version": "single-line-text",
            "tags": "multi-select",
            "created_at": "created-at",
        }.items()
    ),
)


def page_view(*components: Any, meta: Meta | None = None, **changes: Any) -> PageView:
    """The view of a declared page, `/about` unless `address` says otherwise."""
    templates = changes.pop("templates", {})
    languages: Languages | None = changes.pop("spoken", None)
    address = changes.pop("address", "/about")
    language = changes.pop("language", None)
    verdict = changes.pop("verdict", PUBLIC)
    canonical = changes.pop("canonical", None)
    page = Page("about", address, HERE, meta=meta or Meta(), components=components)
    site = Site("Acme & Sons", tables=(POSTS,), pages=(page,), languages=languages, templates=templates)
    entry = Entry(page, address, verdict, language=language, canonical=canonical)
    return replace(PageView(site, entry, ORIGIN), **changes)


def article_view(
    markdown: str,
    front: Mapping[str, Any] | None = None,
    markdown_page: MarkdownPage | None = None,
    meta: Meta | None = None,
    **changes: Any,
) -> PageView:
    """The view of an article at `/docs/start`, its front matter given as plain data."""
    data = dict(front or {})
    typed = FrontMatter(
        title=data.get("title"),
        published=data.get("date"),
        changed=data.get("updated"),
        image=data.get("image"),
        data=data,
    )
    article = Article("content/docs/start.md", "e1", "start", data.get("title") or "start", typed, None)
    page = Page(
        "docs",
        "/docs/:path*",
        HERE,
        meta=meta or Meta(),
        content_dir=ContentDir("content/docs", by_path=True),
        markdown=markdown_page,
    )
    entry = Entry(
        page,
        "/docs/start",
        changes.pop("verdict", PUBLIC),
        language=changes.pop("language", None),
        article=article,
        lastmod=changes.pop("lastmod", None),
        twin="/docs/start.md",
    )
    site = Site("Acme & Sons", pages=(page,), languages=changes.pop("spoken", None))
    return replace(PageView(site, entry, ORIGIN, markdown=markdown, frontmatter=data), **changes)


def record_view(
    record: Mapping[str, Any], *components: Any, meta: Meta | None = None, **changes: Any
) -> PageView:
    """The view of a record of `posts` at `/blog/one`."""
    page = Page(
        "post",
        "/blog/:slug",
        HERE,
        meta=meta or Meta(),
        components=components,
        collection=CollectionRef("posts", "slug"),
    )
    entry = Entry(page, "/blog/one", PUBLIC, record=record, lastmod=changes.pop("lastmod", None))
    site = Site("Acme & Sons", tables=(POSTS,), pages=(page,), languages=changes.pop("spoken", None))
    return replace(PageView(site, entry, ORIGIN), **changes)


def listing_of(*records: Mapping[str, Any], addresses: Any = None) -> Listing:
    """A listing in which no record has an address, unless `addresses` says so."""
    return Listing(records, addresses or (None,) * len(records))


def document(view: PageView) -> str:
    """The rendered document with the stylesheet left out."""
    return render_page(view).decode().replace(STYLE_ELEMENT, "<style>…</style>")


def parsed(view: PageView) -> etree._Element:
    """The rendered document as a browser's parser sees it."""
    return html.document_fromstring(render_page(view))


def body_html(view: PageView) -> str:
    """What stands between the page's `<main>` tags."""
    text = document(view)
    return text[text.index("<main") : text.index("</main>")].partition(">\n")[2].strip()


def component_html(*components: Any, **changes: Any) -> str:
    """The HTML of components, without the page's own box around them."""
    inner = body_html(page_view(*components, **changes))
    return inner.removeprefix('<div class="fp-page">').removesuffix("</div>")


def meta_content(view: PageView, name: str) -> list[str]:
    """The content of each meta element of a name or property."""
    found = parsed(view).xpath("//meta[@name=$name or @property=$name]/@content", name=name)
    return [str(content) for content in found]


def links(view: PageView, rel: str) -> list[dict[str, str]]:
    """The attributes of each link element in the head with a relation, `rel` left out."""
    found = parsed(view).xpath("//head/link[@rel=$rel]", rel=rel)
    return [{key: value for key, value in link.attrib.items() if key != "rel"} for link in found]


def structured_data(view: PageView) -> list[dict[str, Any]]:
    """The page's JSON-LD things."""
    scripts = parsed(view).xpath("//script[@type='application/ld+json']/text()")
    if not scripts:
        return []
    data = json.loads(str(scripts[0]))
    return data if isinstance(data, list) else [data]
