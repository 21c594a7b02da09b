"""The head: what a page says about itself to browsers, search engines and social networks."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalogue.addresses import paths_of
from fingerpost.catalogue.entry import Alternate, Document, Rule, Verdict
from fingerpost.documents.escape import drop_from_html
from fingerpost.documents.head import robots_content
from fingerpost.documents.view import Link, PageView
from fingerpost.site.model import Language, Languages, MarkdownPage, Meta, Toc, Wording
from tests.unit.documents.views import (
    article_view,
    document,
    links,
    meta_content,
    page_view,
    parsed,
    record_view,
    structured_data,
)

ASCII_SPACE = re.compile(r"[ \t\n\r\f]+")
NOINDEX = Verdict({Document.SITEMAP: Rule.NOINDEX}, noindex=True)
LANGUAGES = Languages(
    "en", (Language("en", "en"), Language("fr", "fr-FR"), Language("ar", "ar", direction="rtl"))
)
FRENCH, ARABIC = LANGUAGES.supported[1:]


def title(view: PageView) -> str:
    """The title a browser shows."""
    return str(parsed(view).findtext(".//title"))


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (page_view(meta=Meta(title="About <us>")), "About <us>"),
        (page_view(), "about"),
        (page_view(address="/"), "Acme & Sons"),
        (
            page_view(
                meta=Meta(title="About", i18n={"fr": Wording(title="À propos")}),
                spoken=LANGUAGES,
                language=FRENCH,
            ),
            "À propos",
        ),
        (page_view(meta=Meta(title="About", i18n={"fr": Wording(title="À propos")})), "About"),
        (article_view("text", {"title": "Start", "seo": {"title": "For engines"}}), "For engines"),
        (article_view("# Body", {"title": "Start"}, meta=Meta(title="Docs")), "Start"),
        (article_view("# Body *title*"), "Body title"),
        (article_view("text"), "start"),
        (article_view("x", {"title": "Start"}, meta=Meta(title="$frontmatter.title · Docs")), "Start · Docs"),
        (record_view({"title": "One"}, meta=Meta(title="$record.title — Blog")), "One — Blog"),
        (record_view({"title": "One"}), "One"),
        (record_view({"slug": "one"}, meta=Meta(title="$record.title")), "one"),
        (record_view({}), "post"),
    ],
)
def test_title(view: PageView, expected: str) -> None:
    """An article's own words come before its page's, a record's title fills in, and there always is one."""
    assert title(view) == expected


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (page_view(meta=Meta(description="Two\n  lines & more")), ["Two lines & more"]),
        (page_view(), []),
        (article_view("# T\n\nThe *start*.", {"description": "Own"}, meta=Meta(description="Docs")), ["Own"]),
        (article_view("# T\n\nThe *start*.", meta=Meta(description="Docs")), ["The start."]),
        (
            article_view(
                "# T\n\nThe start.\n\n## A\n\n## B",
                {"date": "2024-01-08", "author": "Ann"},
                markdown_page=MarkdownPage(toc=Toc()),
            ),
            ["The start. A B"],
        ),
        (record_view({"excerpt": "Short"}, meta=Meta(description="$record.excerpt!")), ["Short!"]),
        (record_view({"excerpt": "Short"}), ["Short"]),
    ],
)
def test_description(view: PageView, expected: list[str]) -> None:
    """A description is the author's on one line, else the start of the article, else none."""
    assert meta_content(view, "description") == expected


@pytest.mark.parametrize(
    ("canonical", "url"),
    [
        (None, "https://example.com/about"),
        ("https://other.example/x", "https://other.example/x"),
        ("/base/other", "https://example.com/base/other"),
        ("javascript:alert(1)", "https://example.com/about"),
        ("//evil.example/x", "https://example.com/about"),
    ],
)
def test_canonical(canonical: str | None, url: str) -> None:
    """Case 74: canonical and `og:url` are the real absolute address, or the one the author names."""
    view = page_view(canonical=canonical)
    assert links(view, "canonical") == [{"href": url}]
    assert meta_content(view, "og:url") == [url]


@pytest.mark.parametrize(
    ("robots", "verdict", "content"),
    [
        (None, None, ""),
        (None, NOINDEX, "noindex"),
        ("nofollow, max-snippet:20", None, "nofollow, max-snippet:20"),
        ("index, Follow", NOINDEX, "noindex, follow"),
        ("NOINDEX,nofollow", NOINDEX, "noindex, nofollow"),
        ("none", NOINDEX, "none"),
        ("all", NOINDEX, "noindex"),
    ],
)
def test_robots(robots: str | None, verdict: Verdict | None, content: str) -> None:
    """The verdict decides on `noindex`; the author's other tokens stay; no tokens, no tag."""
    view = page_view(meta=Meta(robots=robots), verdict=verdict or Verdict({}))
    assert robots_content(view) == content
    assert meta_content(view, "robots") == ([content] if content else [])


def test_robots_of_an_article() -> None:
    """An article's own robots tokens stand in place of its page's."""
    view = article_view("x", {"robots": "nofollow"}, meta=Meta(robots="noarchive"))
    assert meta_content(view, "robots") == ["nofollow"]


def test_open_graph_and_twitter() -> None:
    """The author's properties win, in either spelling, except for the URL; an image is absolute."""
    view = page_view(
        meta=Meta(
            title="T",
            open_graph={
                "title": "OG $t:x",
                "siteName": "Named",
                "image": "/a b.png",
                "url": "/nope",
                'x" y': "z",
            },
            twitter={"card": "summary", "site": "@acme", "twitter:image": "t.png"},
        ),
        paths=paths_of("/base", ()),
        address="/base/about",
    )
    expected: dict[str, str] = {
        "og:title": "OG x",
        "og:site_name": "Named",
        "og:type": "website",
        "og:url": "https://example.com/base/about",
        "og:image": "https://example.com/base/a%20b.png",
        "og:locale": "en",
        "twitter:card": "summary",
        "twitter:title": "T",
        "twitter:site": "@acme",
        "twitter:image": "https://example.com/base/t.png",
    }
    assert {name: meta_content(view, name) for name in expected} == {k: [v] for k, v in expected.items()}


def test_article_image() -> None:
    """An article's image is absolute, and makes the large card."""
    view = article_view("x", {"title": "T", "image": "cover.png"})
    assert meta_content(view, "og:image") == ["https://example.com/docs/cover.png"]
    assert meta_content(view, "twitter:card") == ["summary_large_image"]
    assert meta_content(article_view("x", {"image": "javascript:alert(1)"}), "og:image") == []


def test_alternates() -> None:
    """Case 41: each member is one absolute link, byte for byte the address it was given."""
    cluster = (Alternate("en", "/en/"), Alternate("fr-FR", "/fr/"), Alternate("x-default", "/en/"))
    view = page_view(alternates=cluster, spoken=LANGUAGES, language=FRENCH, address="/fr/")
    assert links(view, "alternate") == [
        {"hreflang": "en", "href": "https://example.com/en/"},
        {"hreflang": "fr-FR", "href": "https://example.com/fr/"},
        {"hreflang": "x-default", "href": "https://example.com/en/"},
    ]
    assert meta_content(view, "og:locale") == ["fr_FR"]
    assert meta_content(view, "og:locale:alternate") == ["en"]
    assert links(page_view(), "alternate") == []


def test_twin_and_feed_are_announced() -> None:
    """An article names its Markdown form, and the feed's page its feed, with their types."""
    view = article_view("x", feed=('News & "more"', "/feed.xml"))
    assert links(view, "alternate") == [
        {"type": "text/markdown", "href": "https://example.com/docs/start.md"},
        {"type": "application/rss+xml", "title": 'News & "more"', "href": "https://example.com/feed.xml"},
    ]


@pytest.mark.parametrize(
    ("view", "lang", "direction"),
    [
        (page_view(), "en", "ltr"),
        (page_view(spoken=LANGUAGES), "en", "ltr"),
        (page_view(spoken=LANGUAGES, language=FRENCH), "fr-FR", "ltr"),
        (page_view(spoken=LANGUAGES, language=ARABIC), "ar", "rtl"),
        (page_view(meta=Meta(lang="pt_BR")), "pt-BR", "ltr"),
        (page_view(meta=Meta(lang="fr"), spoken=LANGUAGES), "fr-FR", "ltr"),
        (page_view(meta=Meta(lang="he")), "he", "rtl"),
    ],
)
def test_language_and_direction(view: PageView, lang: str, direction: str) -> None:
    """Case 45: `lang` is a BCP 47 tag, from the entry, else the page, else the site; `dir` follows it."""
    root = parsed(view)
    assert (root.get("lang"), root.get("dir")) == (lang, direction)


def test_home_is_a_web_site() -> None:
    """The root tells the site's name and address."""
    (site,) = structured_data(page_view(address="/", meta=Meta(description="D")))
    assert site == {
        "@context": "https://schema.org",
        "@type": "WebSite",
        "name": "Acme & Sons",
        "url": "https://example.com/",
        "description": "D",
        "inLanguage": "en",
    }
    assert structured_data(page_view()) == []


def test_article_has_its_dates() -> None:
    """Case 33: an article says when it was published and when it changed, each as written."""
    view = article_view(
        "x", {"title": "T", "date": "2026-03-14", "author": "Ada"}, lastmod="2026-04-01T10:00:00Z"
    )
    (article,) = structured_data(view)
    assert article["@type"] == "Article"
    assert article["headline"] == "T"
    assert (article["datePublished"], article["dateModified"]) == ("2026-03-14", "2026-04-01T10:00:00Z")
    assert article["author"] == {"@type": "Person", "name": "Ada"}
    assert meta_content(view, "article:published_time") == ["2026-03-14"]
    assert meta_content(view, "og:type") == ["article"]


@pytest.mark.parametrize(
    ("record", "published"),
    [
        (
            {"published_at": "2026-03-14T09:26:53Z", "created_at": "2026-01-01T00:00:00Z"},
            "2026-03-14T09:26:53Z",
        ),
        ({"published_at": None, "created_at": "2026-01-01T00:00:00Z"}, "2026-01-01T00:00:00Z"),
        ({"published_at": "soon"}, None),
    ],
)
def test_record_with_a_date_is_an_article(record: dict[str, Any], published: str | None) -> None:
    """A record with a date of publication is an article; without one it is a page."""
    things = structured_data(record_view({"title": "One", **record}))
    assert [thing["datePublished"] for thing in things] == ([published] if published else [])


def test_breadcrumbs() -> None:
    """The way to a page is told by absolute addresses, in order."""
    trail = (Link("Home", "/"), Link("Docs", "/docs"), Link("Start", "/docs/start", current=True))
    *_, crumbs = structured_data(article_view("x", breadcrumbs=trail))
    assert crumbs["@type"] == "BreadcrumbList"
    assert [(step["position"], step["name"], step["item"]) for step in crumbs["itemListElement"]] == [
        (1, "Home", "https://example.com/"),
        (2, "Docs", "https://example.com/docs"),
        (3, "Start", "https://example.com/docs/start"),
    ]


@pytest.mark.parametrize(
    ("schema", "kinds"),
    [
        ({"@type": "Organization", "name": "$t:acme"}, ["WebSite", "Organization"]),
        ([{"@type": "WebSite", "name": "Mine"}], ["WebSite"]),
        ({"@type": ["WebSite", {"not": "text"}], "name": "Mine"}, [["WebSite", {"not": "text"}]]),
        (
            {"organization": {"@type": "Organization"}, "faq": {"@type": "FAQPage"}},
            ["WebSite", "Organization", "FAQPage"],
        ),
        ({"@context": "https://schema.org", "@graph": []}, ["WebSite", None]),
    ],
)
def test_authored_schema(schema: Any, kinds: list[Any]) -> None:
    """The author's things stand beside ours, or in place of the one of their type, placeholders filled."""
    things = structured_data(page_view(address="/", meta=Meta(schema=schema)))
    assert [thing.get("@type") for thing in things] == kinds
    assert "$t:" not in str(things)
    assert "Mine" in str(things) or "@type" not in schema or things[-1].get("name") == "acme"


@given(st.text(st.characters(codec="utf-8", min_codepoint=32)))
def test_structured_data_holds_any_text(text: str) -> None:
    """Whatever a title holds, `</script` included, the JSON reads back and its element ends once."""
    view = record_view({"title": f"x{text}</script><!--", "published_at": "2026-03-14"})
    (thing,) = structured_data(view)
    headline = " ".join(ASCII_SPACE.split(f"x{text}</script><!--"))
    assert thing["headline"] == drop_from_html(headline)
    source = document(view)
    assert source.count("</script") == 1
    assert source.count("<!--") == 0


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"))))
def test_every_value_is_escaped_once(text: str) -> None:
    """Case 13: title, description and properties read back as they were written."""
    words = (
        " ".join(ASCII_SPACE.split(f"a{text}b")).replace("\ufffe", "").replace("\uffff", "").replace("$", "")
    )
    view = page_view(meta=Meta(title=words, description=words, open_graph={"title": words}))
    assert title(view) == words
    assert meta_content(view, "description") == meta_content(view, "og:title") == [words]


def test_extra_head_is_kept() -> None:
    """What the caller adds to the head stands there as it is."""
    assert '<link rel="me" href="/x">' in document(page_view(extra_head=('<link rel="me" href="/x">',)))
