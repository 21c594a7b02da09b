"""Stored attacks: a payload in every input of a page, and the rendered page runs none."""

from collections.abc import Callable

import pytest

from fingerpost.catalogue.addresses import paths_of
from fingerpost.catalogue.entry import Alternate
from fingerpost.documents.view import Link, LinkGroup, PageView
from fingerpost.site.model import Language, Languages, MarkdownPage, Meta, Toc, Wording
from tests.unit.documents.payloads import PAYLOADS, assert_harmless
from tests.unit.documents.views import article_view, listing_of, page_view, parsed, record_view

EVERY_FIELD = ("title", "slug", "excerpt", "body", "published_at", "event_day", "version", "created_at")


def in_record(payload: str) -> PageView:
    """Every field of a record, shown in every way there is."""
    record = dict.fromkeys(EVERY_FIELD, payload) | {"tags": [payload]}
    texts = [f"$record.{name}" for name in record]
    return record_view(
        record,
        *({"type": "text", "content": text, "element": "pre"} for text in texts),
        *({"type": "text", "content": f"x {text}", "props": {"format": "markdown"}} for text in texts),
        {"type": "link", "content": "$record.title", "props": {"href": "$record.slug"}},
        {
            "type": "link",
            "content": "x",
            "href": "$record.slug",
            "props": {"title": "$record.title", "id": "$record.slug"},
        },
        {"type": "image", "src": "$record.slug", "alt": "$record.title", "caption": "$record.title"},
        {"type": "card", "title": "$record.title", "href": "$record.slug", "image": "$record.slug"},
        {"type": "code", "language": "$record.title", "filename": "$record.title", "content": "$record.body"},
        {"type": "customHTML", "html": "<a href=$record.slug title='$record.title'>$record.body</a>"},
        {"type": "icon", "name": "check", "label": "$record.title"},
        {"type": "accordion", "items": [{"title": "$record.title", "content": "$record.body"}]},
        {"type": "tabs", "panels": [{"label": "$record.title", "body": "$record.body"}]},
        {"type": "button", "content": "$record.title", "action": {"type": "navigate", "url": "$record.slug"}},
        meta=Meta(
            title="$record.title",
            description="$record.excerpt",
            keywords="$record.title",
            author="$record.title",
            open_graph={"image": "$record.slug", "title": "$record.title"},
            twitter={"image": "$record.slug"},
            schema={"@type": "Thing", "name": "$record.title"},
        ),
    )


def in_listing(payload: str) -> PageView:
    """Every field of a listing's record, in a list and in a table."""
    record = dict.fromkeys(EVERY_FIELD, payload) | {"tags": [payload]}
    source = {"table": "posts"}
    return page_view(
        {"type": "data-table", "dataSource": source, "columns": [{"field": name} for name in record]},
        {"type": "list", "dataSource": source, "itemTemplate": {
            "title": "$record.title", "image": "$record.slug", "badge": "$record.body", "metadata": ["body"],
        }},
        {"type": "list", "dataSource": source, "children": [{"type": "text", "content": "$record.body"}]},
        listing=lambda source: listing_of(record, addresses=("/blog/x",)),
    )  # fmt: skip


def in_front_matter(payload: str) -> PageView:
    """Every key of an article's front matter that a page reads."""
    keys = ("title", "description", "author", "keywords", "robots", "image", "date", "updated")
    return article_view("text\n\n## A\n\n## B", dict.fromkeys(keys, payload), MarkdownPage(toc=Toc()))


def in_markdown(payload: str) -> PageView:
    """An article's body, its headings and its list of contents."""
    heads = f"# {payload}\n\n## {payload}\n\n## {payload}"
    body = f"{payload}\n\n{heads}\n\n`{payload}`\n\n```{payload}\n{payload}\n```"
    return article_view(body, markdown_page=MarkdownPage(toc=Toc(3, "sidebar")), paths=paths_of("/base", ()))


def in_translations(payload: str) -> PageView:
    """Every translated text, the page's own words included."""
    texts = {
        "x": payload,
        **{f"chrome.{word}": payload for word in ("skip", "menu", "languages", "next", "note")},
    }
    languages = Languages("en", (Language("en", "en", payload),), translations={"en": texts})
    return page_view(
        {"type": "text", "content": "$t:x"},
        {"type": "link", "content": "$t:x", "href": "$t:x"},
        {"type": "customHTML", "html": "<b title=$t:x>$t:x</b>"},
        meta=Meta(title="$t:x", i18n={"en": Wording(payload, payload)}),
        spoken=languages,
        nav=(LinkGroup("x", (Link("x", "/x"),)),),
        next=Link("x", "/x"),
        markdown=None,
    )


def in_props(payload: str) -> PageView:
    """Names and values of props, types, elements, variables and template names."""
    props = {
        payload: payload,
        "className": payload,
        "id": payload,
        "aria-label": payload,
        "src": payload,
        "href": payload,
        "title": payload,
        "onclick": payload,
        "style": payload,
        "data-x": payload,
    }
    types = (
        "text",
        "link",
        "image",
        "badge",
        "alert",
        "code",
        "card",
        "hero",
        "grid",
        "flex",
        "list",
        "breadcrumb",
    )
    return page_view(
        *({"type": kind, "props": props, "content": payload, "element": payload} for kind in types),
        {"type": payload, "content": payload},
        {"component": "box", "vars": {"x": payload}},
        {"type": "breadcrumb", "items": [{"label": payload, "href": payload}]},
        {"type": "static-table", "caption": payload, "tableHeaders": [payload], "tableRows": [[payload]]},
        {"type": "customHTML", "html": payload},
        templates={"box": {"type": "link", "content": "$x", "props": {"href": "$x", "title": "$x"}}},
        meta=Meta(lang=payload, robots=payload, open_graph={payload: payload}, twitter={payload: payload},
                  schema={payload: payload, "@type": payload}),
    )  # fmt: skip


def in_surroundings(payload: str) -> PageView:
    """Titles that come from elsewhere in the site, and an address that the author names."""
    link = Link(payload, "/x")
    return page_view(
        markdown="x",
        canonical=payload,
        nav=(LinkGroup(payload, (link,)),),
        previous=link,
        next=link,
        breadcrumbs=(link, link),
        languages=(link,),
        feed=(payload, "/feed.xml"),
        alternates=(Alternate(payload, "/x"),),
    )


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize(
    "place",
    [in_record, in_listing, in_front_matter, in_markdown, in_translations, in_props, in_surroundings],
)
def test_no_payload_runs(place: Callable[[str], PageView], payload: str) -> None:
    """Whatever an author or a record brings, no page holds a script, an event attribute or a script URL."""
    root = parsed(place(payload))
    assert_harmless(root)
    assert (
        root.xpath("//head/*[not(self::meta or self::title or self::link or self::script or self::style)]")
        == []
    )
    assert len(root.findall(".//style")) == 1
