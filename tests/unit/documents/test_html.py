"""Whole pages: golden documents, the frame, and what a page never does."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fingerpost.catalogue.addresses import paths_of
from fingerpost.catalogue.entry import Alternate
from fingerpost.documents.html import render_page
from fingerpost.documents.view import Link, LinkGroup, PageView
from fingerpost.site.model import Language, Languages, MarkdownPage, Meta, Toc
from tests.unit.documents.views import (
    article_view,
    body_html,
    document,
    listing_of,
    page_view,
    parsed,
    record_view,
)

GOLDEN = Path(__file__).parent / "golden"
LANGUAGES = Languages(
    "en",
    (Language("en", "en", "English"), Language("fr", "fr-FR", "Français")),
    translations={"en": {"home.title": "Welcome"}, "fr": {"home.title": "Bienvenue & plus"}},
)
FRENCH = LANGUAGES.supported[1]

HOME = page_view(
    {"type": "hero", "title": "$t:home.title", "children": [
        {"type": "button", "content": "Docs", "props": {"href": "/docs"}},
    ]},
    {"type": "data-table", "dataSource": {"table": "posts"}, "columns": [{"field": "title"}]},
    meta=Meta(title="$t:home.title", description="A place & its notes"),
    address="/fr/",
    spoken=LANGUAGES,
    language=FRENCH,
    alternates=(Alternate("en", "/en/"), Alternate("fr-FR", "/fr/"), Alternate("x-default", "/en/")),
    feed=("Blog", "/feed.xml"),
    listing=lambda source: listing_of({"title": "A < B"}, addresses=("/blog/a",)),
)  # fmt: skip

ARTICLE = article_view(
    "Some *words*.\n\n## First\n\n:::tip\nTry it.\n:::\n\n### Deep\n\n| a |\n|---|\n| 1 |\n\n## Second\n\n"
    "```sh\nls < x\n```\n\n- [x] done\n",
    {"title": "Start & go", "description": "How to start", "date": "2026-03-14", "author": "Ada"},
    MarkdownPage(layout="docs", toc=Toc(3, "sidebar")),
    lastmod="2026-04-01T10:00:00Z",
    nav=(LinkGroup("Guides", (Link("Start & go", "/docs/start", True), Link("Next", "/docs/next"))),),
    previous=Link("Before", "/docs/before"),
    next=Link("Next", "/docs/next"),
    breadcrumbs=(Link("Docs", "/docs"), Link("Start & go", "/docs/start", True)),
)

RECORD = record_view(
    {
        "title": "Tom & <Jerry>",
        "slug": "one",
        "excerpt": "About them",
        "body": "## Big\n\nSome **bold** <script>alert(1)</script>",
        "published_at": "2026-03-14T23:26:53Z",
        "tags": ["x", "y"],
    },
    {"type": "text", "element": "h1", "content": "$record.title"},
    {"type": "text", "content": "$record.published_at"},
    {"type": "text", "element": "pre", "content": "$record.body"},
    {"type": "text", "content": "Tags: $record.tags"},
    meta=Meta(title="$record.title", description="$record.excerpt"),
    lastmod="2026-04-01T10:00:00Z",
)


@pytest.mark.parametrize(("name", "view"), [("home", HOME), ("article", ARTICLE), ("record", RECORD)])
def test_golden_documents(name: str, view: PageView) -> None:
    """A page, an article and a record are these documents to the byte, the stylesheet aside."""
    assert document(view) == (GOLDEN / f"{name}.html").read_text("utf-8")


@pytest.mark.parametrize("view", [HOME, ARTICLE, RECORD])
def test_rendering_is_repeatable(view: PageView) -> None:
    """Case 31: the same view gives the same bytes."""
    assert render_page(view) == render_page(view)


@pytest.mark.parametrize("view", [HOME, ARTICLE, RECORD])
def test_pages_are_sound(view: PageView) -> None:
    """One main, one title, unique ids, and every link within the page leads to one of them."""
    root = parsed(view)
    ids = root.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert len(root.findall(".//main")) == len(root.findall(".//h1")) == len(root.findall(".//title")) == 1
    for fragment in root.xpath("//a[starts-with(@href, '#')]/@href"):
        assert fragment[1:] in ids


@pytest.mark.parametrize("view", [HOME, ARTICLE, RECORD])
def test_pages_need_no_script_and_no_request(view: PageView) -> None:
    """The one script element is data; nothing is loaded from elsewhere."""
    root = parsed(view)
    assert {script.get("type") for script in root.findall(".//script")} == {"application/ld+json"}
    assert root.xpath("//link[@rel='stylesheet' or @rel='preload'] | //iframe | //@style") == []


def contents(toc: Toc | None, markdown: str = "# T\n\n## A\n\n### B\n\n## C") -> list[str]:
    """The entries of an article's list of contents."""
    root = parsed(article_view(markdown, markdown_page=MarkdownPage(toc=toc)))
    return [str(href) for href in root.xpath("//details[contains(@class, 'fp-toc')]//a/@href")]


def test_contents_only_where_asked() -> None:
    """`markdown.toc` lists headings from the second level to its depth; without it there is no list."""
    assert contents(None) == []
    assert contents(Toc(2)) == ["#a", "#c"]
    assert contents(Toc(3)) == ["#a", "#b", "#c"]
    assert contents(Toc(3), "# T\n\n## Alone") == []


def test_contents_stand_where_asked() -> None:
    """A list of contents stands below the title, or beside the text."""
    for position, aside in (("inline", False), ("sidebar", True)):
        html = body_html(
            article_view("# T\n\n## A\n\n## B", markdown_page=MarkdownPage(toc=Toc(3, position)))
        )
        assert html.index("</h1>") < html.index("fp-toc") < html.index("<h2")
        assert ("fp-aside" in html) is aside


def test_article_without_title_gets_one() -> None:
    """The front matter's title is the heading of a body that has none, and of no other."""
    assert '<h1 id="own">Own</h1>' in body_html(article_view("text", {"title": "Own"}))
    assert body_html(article_view("# Other\n\ntext", {"title": "Own"})).count("<h1") == 1


def test_inline_markdown_replaces_components() -> None:
    """A page with Markdown shows it, with the title of its front matter."""
    html = body_html(
        page_view({"type": "text", "content": "tree"}, markdown="*body*", frontmatter={"title": "T"})
    )
    assert "<em>body</em>" in html
    assert '<h1 id="t">T</h1>' in html
    assert "tree" not in html


def test_placeholders_in_a_body_are_text() -> None:
    """An article that explains `$record.title` shows it: bodies are not filled."""
    assert "$record.title" in body_html(article_view("Use `$record.title` and $t:key."))


@pytest.mark.parametrize(
    ("changes", "home"),
    [
        ({}, "/"),
        ({"paths": paths_of("/base", ())}, "/base/"),
        ({"language": FRENCH, "spoken": LANGUAGES}, "/fr/"),
    ],
)
def test_site_name_leads_home(changes: dict[str, Any], home: str) -> None:
    """Case 40: the site's name leads to the root of the page's language, behind the base path."""
    assert parsed(page_view(**changes)).xpath("//a[@class='fp-site']/@href") == [home]


def test_frame_follows_the_view() -> None:
    """Menu, neighbours and languages are those of the view, and are not there where it has none."""
    root = parsed(ARTICLE)
    assert root.xpath("//nav[@aria-label='Menu']//a/@href") == ["/docs/start", "/docs/next"]
    assert root.xpath("//nav[@aria-label='Menu']//a[@aria-current='page']/@href") == ["/docs/start"]
    assert root.xpath("//a[@rel='prev']/@href") == ["/docs/before"]
    assert root.xpath("//a[@rel='next']/@href") == ["/docs/next"]
    bare = parsed(page_view())
    assert bare.xpath("//main//nav | //div//details | //header//nav") == []
    switched = page_view(spoken=LANGUAGES)
    assert parsed(switched).xpath("//header//nav") == []


def test_language_switcher() -> None:
    """The languages of the page are links in the header, the current one marked."""
    links = (Link("English", "/en/"), Link("Français", "/fr/", True))
    root = parsed(replace(HOME, languages=links))
    assert root.xpath("//header/nav[@aria-label='Langues']//a/text()") == ["English", "Français"]
    assert root.xpath("//header/nav//a[@aria-current]/@href") == ["/fr/"]


def test_page_size_does_not_grow_with_the_site() -> None:
    """Case 78: a page holds its own navigation only, so a site of many pages makes no page larger."""
    crowded = replace(ARTICLE.site, pages=ARTICLE.site.pages * 1000)
    assert render_page(replace(ARTICLE, site=crowded)) == render_page(ARTICLE)
    assert len(render_page(ARTICLE)) < 24_000


def test_control_characters_cost_nothing() -> None:
    """Case 1: a title with a control character and a lone surrogate leaves the page readable."""
    text = render_page(record_view({"title": "a\x1db\ud800c", "published_at": "2026-03-14"})).decode()
    assert "<title>abc</title>" in text
