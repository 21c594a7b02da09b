"""References as they are published: on their own page, and for readers away from it."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalogue.addresses import paths_of
from fingerpost.documents.references import AbsoluteReferences, PageReferences
from fingerpost.documents.url_attributes import with_references

PAGE = "https://example.com/base/blog/post"
BASED = AbsoluteReferences(PAGE, paths_of("/base", ("fr",)))
OF_POST = AbsoluteReferences("https://example.com/blog/post")


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("/a.png", "https://example.com/base/a.png"),
        ("/base/a.png", "https://example.com/base/a.png"),
        ("/based", "https://example.com/base/based"),
        ("/", "https://example.com/base/"),
        ("../x", "https://example.com/base/x"),
        ("x/y?z=1#top", "https://example.com/base/blog/x/y?z=1#top"),
        ("?page=2", "https://example.com/base/blog/post?page=2"),
        ("//cdn.example/a.js", "https://cdn.example/a.js"),
        ("https://other.example/", "https://other.example/"),
        ("HTTP://other.example/", "HTTP://other.example/"),
        ("#x", "#x"),
        ("", ""),
        ("mailto:a@example.com", "mailto:a@example.com"),
        ("tel:+3312", "tel:+3312"),
        ("data:image/png;base64,iVBO/+==", "data:image/png;base64,iVBO/+=="),
        ("//[", "https://["),
        ("a;", "https://example.com/base/blog/a;"),
        ("a?", "https://example.com/base/blog/a?"),
        ("..", "https://example.com/base/"),
        ("./", "https://example.com/base/blog/"),
        ("../../../../x", "https://example.com/x"),
        ("x?to=../y", "https://example.com/base/blog/x?to=../y"),
        ("/é ü", "https://example.com/base/é ü"),
    ],
)
def test_references(reference: str, url: str) -> None:
    """Case 34: every kind of reference resolves as on the item's page; what is no path stays."""
    assert BASED.resource(reference) == url


# RFC 3986 5.4: the examples of normal and abnormal resolution, less those that stay as they are here.
@pytest.mark.parametrize(
    ("reference", "url"),
    [
        *(
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
        ),
        *(
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("g#s", "http://a/b/c/g#s"),
        ),
        *(
            (";x", "http://a/b/c/;x"),
            ("g;x", "http://a/b/c/g;x"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
        ),
        *(
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
        ),
        *(
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"),
        ),
        *(("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/")),
        *(("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y")),
        *(("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g#s/../x")),
    ],
)
def test_the_examples_of_rfc_3986(reference: str, url: str) -> None:
    """References resolve as the standard's own table says."""
    assert AbsoluteReferences("http://a/b/c/d;p?q").resource(reference) == url


# A page below the base path `/base` of a site that has French: (reference, on the page, absolute).
LINKS = [
    ("/docs/x/", "/base/docs/x", "https://example.com/base/docs/x"),
    ("/base/docs/x/", "/base/docs/x", "https://example.com/base/docs/x"),
    ("/docs/x/?a=/b/#c/", "/base/docs/x?a=/b/#c/", "https://example.com/base/docs/x?a=/b/#c/"),
    ("/docs/x", "/base/docs/x", "https://example.com/base/docs/x"),
    ("/", "/base/", "https://example.com/base/"),
    ("/base", "/base/", "https://example.com/base/"),
    ("/fr/", "/base/fr/", "https://example.com/base/fr/"),
    ("/fr#top", "/base/fr/#top", "https://example.com/base/fr/#top"),
    ("/de/", "/base/de", "https://example.com/base/de"),
    ("../x/", "../x", "https://example.com/base/x"),
    ("x/?a", "x?a", "https://example.com/base/blog/x?a"),
    ("../x", "../x", "https://example.com/base/x"),
    ("./", "/base/blog", "https://example.com/base/blog"),
    ("..", "..", "https://example.com/base/"),
    ("../", "../", "https://example.com/base/"),
    ("../docs/..", "../docs/..", "https://example.com/base/"),
    ("../fr", "/base/fr/", "https://example.com/base/fr/"),
    ("../../other/", "../../other/", "https://example.com/other/"),
    ("x//", "x//", "https://example.com/base/blog/x//"),
    ("?a=/", "?a=/", "https://example.com/base/blog/post?a=/"),
    ("#/", "#/", "#/"),
    ("//cdn.example/x/", "//cdn.example/x/", "https://cdn.example/x/"),
    ("https://other.example/x/", "https://other.example/x/", "https://other.example/x/"),
    ("mailto:a@example.com/", "mailto:a@example.com/", "mailto:a@example.com/"),
]


@pytest.mark.parametrize(("reference", "on_page", "absolute"), LINKS)
def test_links_lead_to_where_things_are_published(reference: str, on_page: str, absolute: str) -> None:
    """Only a root ends in a slash, so that no link within the site meets a redirect."""
    assert PageReferences("/base/blog/post", BASED.paths).link(reference) == on_page
    assert BASED.link(reference) == absolute
    assert BASED.link(on_page) == absolute


@pytest.mark.parametrize(
    ("reference", "written"),
    [
        ("/a.png", "/base/a.png"),
        ("/base/a/", "/base/a/"),
        ("../a/", "../a/"),
        ("//cdn.example/a", "//cdn.example/a"),
    ],
)
def test_what_a_page_loads_keeps_its_slash(reference: str, written: str) -> None:
    """Images and media get the base path, and nothing else."""
    assert PageReferences("/base/blog/post", BASED.paths).resource(reference) == written


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a href="/x">t</a>', '<a href="https://example.com/x">t</a>'),
        ('<img alt="a" src="../a.png">', '<img alt="a" src="https://example.com/a.png">'),
        ("<img src='//cdn.example/a.png'/>", '<img src="https://cdn.example/a.png"/>'),
        ("<img src=/a.png>", '<img src="https://example.com/a.png">'),
        ('<IMG SRC="/a.png">', '<IMG SRC="https://example.com/a.png">'),
        (
            '<video poster="/p.jpg" src="v.mp4">',
            '<video poster="https://example.com/p.jpg" src="https://example.com/blog/v.mp4">',
        ),
        ('<blockquote cite="/s">', '<blockquote cite="https://example.com/s">'),
        ('<a href="/a?x=1&amp;y=2">', '<a href="https://example.com/a?x=1&amp;y=2">'),
        ('<a href="&#47;a">', '<a href="https://example.com/a">'),
        ('<a href=" /a\n">', '<a href="https://example.com/a">'),
        ("<a href='/\"'>", '<a href="https://example.com/&quot;">'),
        (
            '<iframe src="/e"><img src="/a"></iframe>',
            '<iframe src="https://example.com/e"><img src="/a"></iframe>',
        ),
    ],
)
def test_elements(html: str, expected: str) -> None:
    """Case 34: the attributes that hold a URL become absolute, whatever their quotes and case."""
    assert with_references(html, OF_POST) == expected


@pytest.mark.parametrize(
    ("srcset", "expected"),
    [
        ("/a.png 1x, b.png 2x", "https://example.com/a.png 1x, https://example.com/blog/b.png 2x"),
        ("a.png", "https://example.com/blog/a.png"),
        ("/a.png, /b.png 480w", "https://example.com/a.png, https://example.com/b.png 480w"),
        ("/a,b.png 2x", "https://example.com/a,b.png 2x"),
        (
            "data:image/png;base64,AA== 1x, /b.png 2x",
            "data:image/png;base64,AA== 1x, https://example.com/b.png 2x",
        ),
        ("https://cdn.example/a 1x", "https://cdn.example/a 1x"),
        ("  /a.png   2x  ", "https://example.com/a.png   2x"),
    ],
)
def test_image_candidates(srcset: str, expected: str) -> None:
    """Case 34: each candidate of a srcset becomes absolute, its descriptor kept."""
    html = with_references(f'<img srcset="{srcset}">', OF_POST)
    assert html == f'<img srcset="{expected}">'


@pytest.mark.parametrize(
    "html",
    [
        '<a href="#x">t</a>',
        '<a href="mailto:a@example.com?subject=x/y">t</a>',
        '<img src="data:image/svg+xml,<svg/>">',
        "<p>Write href=&quot;/x&quot; or &lt;img src=&quot;/a.png&quot;&gt;.</p>",
        '<pre><code>&lt;a href=&quot;/x&quot;&gt;\nsrc="/y"</code></pre>',
        "<a title='href=\"/x\"'>t</a>",
        '<a data-href="/x" name="/y">t</a>',
        '<!-- <a href="/x"> -->',
        '<!-- <a href="/x">',
        "<script>document.write('<a href=\"/x\">')</script>",
        '<textarea><img src="/a"></textarea>',
        "a < b and c > d",
        '<a href="/x',
    ],
)
def test_what_is_no_link_stays(html: str) -> None:
    """Case 34: fragments, other schemes, code, comments and scripts are byte for byte what they were."""
    assert with_references(html, BASED) == html


TAGS = st.sampled_from(["a", "img", "source", "b"])
NAMES = st.sampled_from(["href", "src", "srcset", "poster", "title", "alt"])
VALUES = st.one_of(
    st.text(alphabet='/.#?:,@ ax1%&;=\n"<>é()[]', max_size=12),
    st.sampled_from(["/a.png 1x, b.png 2x", "//cdn.example/x", "../../x", "#top", "mailto:x@example.com"]),
)


def _markup(tag: str, attributes: list[tuple[str, str]], text: str) -> str:
    written = "".join(
        f' {name}="{value.replace("&", "&amp;").replace(chr(34), "&quot;")}"' for name, value in attributes
    )
    return f"<{tag}{written}>{text.replace('&', '&amp;').replace('<', '&lt;')}</{tag}>"


MARKUP = st.lists(
    st.builds(_markup, TAGS, st.lists(st.tuples(NAMES, VALUES), max_size=3), st.text(max_size=9))
).map("".join)


@given(MARKUP)
def test_absolute_html_stays_as_it_is(html: str) -> None:
    """Making links absolute twice changes nothing the second time."""
    once = with_references(html, BASED)
    assert with_references(once, BASED) == once


class _Parsed(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: list[object] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            plain = (value or "").strip("\t\n\f\r ")
            if (
                name in ("href", "src", "poster")
                and plain
                and not re.match(r"#|[A-Za-z][A-Za-z0-9+.-]*:", plain)
            ):
                value = BASED.link(plain) if name == "href" else BASED.resource(plain)
            self.seen.append((tag, name, value))

    def handle_data(self, data: str) -> None:
        self.seen.append(data)


@given(MARKUP.filter(lambda html: "srcset" not in html))
def test_an_html_parser_sees_the_same_document_resolved(html: str) -> None:
    """Read by an HTML parser, text and other attributes are unchanged and every reference is resolved."""
    assert _Parsed(with_references(html, BASED)).seen == _Parsed(html).seen


@given(st.text())
def test_any_text_is_survived(text: str) -> None:
    """No input raises, and text without a tag comes back as it is."""
    result = with_references(text, BASED)
    if "<" not in text:
        assert result == text
