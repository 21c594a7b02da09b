"""The component tree, rendered on the server."""

from typing import Any

import pytest

from fingerpost.documents.components import skipped_types
from fingerpost.documents.view import Link
from fingerpost.site.model import Language, Languages
from tests.unit.documents.views import body_html, component_html, page_view, parsed, record_view

RECORD = {
    "title": "Tom & <Jerry>",
    "body": "# Big\n\nSome **bold** <script>alert(1)</script>",
    "excerpt": "One\nTwo",
    "published_at": "2026-03-14T23:26:53Z",
    "event_day": "2026-03-14",
    "version": "2024-01-01",
    "tags": ["x", "y"],
}


@pytest.mark.parametrize(
    ("component", "html"),
    [
        ({"type": "text", "content": "a < b"}, "<p>a &lt; b</p>"),
        ({"type": "text", "element": "h1", "content": "T", "props": {"id": "t"}}, '<h1 id="t">T</h1>'),
        ({"type": "text", "element": "script", "content": "alert(1)"}, "<p>alert(1)</p>"),
        ({"type": "text", "element": "pre", "content": "\nx"}, "<pre>\n\nx</pre>"),
        ({"type": "heading", "level": "3", "content": "T"}, "<h3>T</h3>"),
        ({"type": "text", "content": ["a ", {"type": "badge", "content": "b"}]},
         '<p>a \n<span class="fp-badge">b</span></p>'),
        ({"type": "text", "content": "**a**", "props": {"format": "markdown"}},
         '<div class="fp-prose"><p><strong>a</strong></p>\n</div>'),
        ({"type": "container", "element": "section", "children": [{"type": "text", "content": "x"}]},
         "<section><p>x</p></section>"),
        ({"type": "container", "element": "main", "content": "x"}, "<div>x</div>"),
        ({"type": "container", "element": "form", "content": "x"}, "<div>x</div>"),
        ({"type": "link", "content": "x", "props": {"href": "/a?b&c"}}, '<a href="/a?b&amp;c">x</a>'),
        ({"type": "link", "content": "x", "props": {"href": "javascript:alert(1)"}}, "<a>x</a>"),
        ({"type": "button", "content": "Go", "props": {"href": "/go"}},
         '<a class="fp-button" href="/go">Go</a>'),
        ({"type": "button", "label": "Go", "action": {"type": "navigate", "path": "/go"}},
         '<a class="fp-button" href="/go">Go</a>'),
        ({"type": "button", "label": "Go", "variant": "ghost", "interactions": {"click": {"url": "/go"}}},
         '<a class="fp-button fp-quiet" href="/go">Go</a>'),
        ({"type": "button", "content": "Delete", "action": {"type": "crud", "operation": "delete"}}, ""),
        ({"type": "image", "props": {"src": "/a.png", "alt": "A"}},
         '<img alt="A" src="/a.png" loading="lazy" decoding="async">'),
        ({"type": "image", "src": "javascript:alert(1)"}, ""),
        ({"type": "icon", "name": "no-such-icon"}, ""),
        ({"type": "icon", "name": "no-such-icon", "label": "Phone"}, "Phone"),
        ({"type": "divider"}, "<hr>"),
        ({"type": "code", "language": "sh", "content": "a < b"},
         '<figure class="fp-code"><pre><code class="language-sh">a &lt; b</code></pre></figure>'),
        ({"type": "alert", "variant": "error", "title": "T", "content": "x"},
         '<div class="fp-callout fp-danger" role="note"><p class="fp-callout-title">T</p>x</div>'),
        ({"type": "customHTML", "html": "<b onclick=x>$t:k</b><script>x</script>"}, "<div><b>k</b></div>"),
        ({"type": "customHTML", "html": "<script>x</script>"}, ""),
        ({"type": "grid", "columns": "2", "children": [{"type": "card", "title": "T", "href": "/x"}]},
         '<div class="fp-grid fp-grid-2"><div class="fp-card"><h3><a href="/x">T</a></h3>\n</div></div>'),
        ({"type": "hero", "title": "T", "description": "D"},
         '<section class="fp-hero"><h1>T</h1>\n<p>D</p>\n</section>'),
        ({"type": "flex", "props": {"direction": "column"}, "content": "x"},
         '<div class="fp-flex fp-column">x</div>'),
        ({"type": "static-table", "caption": "C", "tableHeaders": ["A"], "tableRows": [["<1>"]]},
         '<div class="fp-scroll"><table><caption>C</caption><thead><tr><th scope="col">A</th></tr></thead>'
         "<tbody><tr><td>&lt;1&gt;</td></tr></tbody></table></div>"),
        ({"type": "list", "items": ["a", {"type": "text", "element": "b", "content": "c"}]},
         '<ul class="fp-list"><li>a</li><li><b>c</b></li></ul>'),
        ({"type": "kanban", "content": "x"}, ""),
    ],
)  # fmt: skip
def test_types(component: dict[str, Any], html: str) -> None:
    """Each type has its HTML, with text escaped and unsafe elements and URLs replaced or left out."""
    assert component_html(component) == html


def test_icon_is_inline_svg() -> None:
    """An icon needs no font and no request; without a label it is hidden from assistive technology."""
    assert 'aria-hidden="true"' in component_html({"type": "icon", "name": "check"})
    labelled = component_html({"type": "icon", "name": "Check", "label": "Done"})
    assert labelled.startswith('<svg class="fp-icon" viewBox="0 0 24 24" role="img" aria-label="Done">')


def test_accordion_works_without_script() -> None:
    """Sections are details elements; those named open are open, and a single one shares a name."""
    html = component_html(
        {
            "type": "accordion",
            "accordionType": "single",
            "defaultOpen": ["b"],
            "items": [{"id": "a", "title": "A", "content": "x"}, {"id": "b", "title": "B", "content": "y"}],
        }
    )
    assert html == (
        '<div class="fp-accordion"><details name="accordion"><summary>A</summary><p>x</p></details>'
        '<details name="accordion" open><summary>B</summary><p>y</p></details></div>'
    )


def test_tabs_show_every_panel() -> None:
    """Panels are sections reached by links; a body is its own, or the child at its place."""
    html = component_html(
        {
            "type": "tabs",
            "panels": [{"label": "One", "body": "x"}, {"label": "Two"}],
            "children": [None, {"type": "text", "content": "y"}],
        }
    )
    assert '<a href="#one">One</a> <a href="#two">Two</a>' in html
    assert '<section id="one"><h3>One</h3><p>x</p></section>' in html
    assert '<section id="two"><h3>Two</h3><p>y</p></section>' in html


def test_breadcrumb_is_the_page_own_unless_given() -> None:
    """A breadcrumb shows its items, else the page's; the page itself is no link."""
    own = component_html({"type": "breadcrumb", "items": [{"label": "A", "href": "/a"}, {"label": "B"}]})
    assert '<li><a href="/a">A</a></li><li><span aria-current="page">B</span></li>' in own
    trail = (Link("Home", "/"),)
    assert '<li><a href="/">Home</a></li>' in component_html({"type": "breadcrumb"}, breadcrumbs=trail)
    assert component_html({"type": "breadcrumb"}) == ""


def record_html(content: str, **more: Any) -> str:
    """A text component of a record page."""
    html = body_html(record_view(RECORD, {"type": "text", "content": content, **more}))
    return html.removeprefix('<div class="fp-page">').removesuffix("</div>")


@pytest.mark.parametrize(
    ("content", "html"),
    [
        ("$record.title", "<p>Tom &amp; &lt;Jerry&gt;</p>"),
        ("By $record.title.", "<p>By Tom &amp; &lt;Jerry&gt;.</p>"),
        ("$record.tags", "<p>x, y</p>"),
        ("$record.nothing", "<p></p>"),
        ("$record.excerpt", '<p class="fp-lines">One\nTwo</p>'),
        ("$record.version", "<p>2024-01-01</p>"),
        ("$record.event_day", '<p><time datetime="2026-03-14">14 March 2026</time></p>'),
        ("$record.published_at", '<p><time datetime="2026-03-14T23:26:53Z">14 March 2026</time></p>'),
        ("On $record.event_day", "<p>On 2026-03-14</p>"),
    ],
)
def test_record_fields(content: str, html: str) -> None:
    """Cases 13 and 26: fields are escaped once; a date alone is shown in words, its day kept."""
    assert record_html(content) == html


def test_rich_text_is_a_block_whatever_the_element() -> None:
    """A rich-text field alone becomes sanitised HTML in a div, even where `pre` was asked for."""
    assert record_html("$record.body", element="pre") == (
        '<div class="fp-prose"><h1 id="big">Big</h1>\n<p>Some <strong>bold</strong> </p>\n</div>'
    )
    assert "&lt;script&gt;" in record_html("See $record.body")


@pytest.mark.parametrize(
    ("title", "body", "headings"),
    [
        ("Big", "# Big\n\n## A\n\n# Also", ["h1 Big", "h3 A", "h2 Also"]),
        ("Big", "# Big\n\n## A", ["h1 Big", "h2 A"]),
        ("Tom & <b>", "# Tom &amp; \\<b>\n\ntext", ["h1 Tom & <b>"]),
        ("Big", "# Other\n\n## A\n\n###### F", ["h1 Big", "h2 Other", "h3 A", "h6 F"]),
        ("Big", "## A", ["h1 Big", "h2 A"]),
        ("", "# Own\n\n## A", ["h1 Own", "h2 A"]),
        ("Big", '<h1 align="center">Big</h1>\n\n## A', ["h1 Big", "h2 A"]),
        ("Big", '<h1 class="x">Other</h1>\n\n## A', ["h1 Big", "h2 Other", "h3 A"]),
    ],
)
@pytest.mark.parametrize("component", ["text", "hero"])
def test_a_page_has_one_h1(title: str, body: str, headings: list[str], component: str) -> None:
    """A record's text below the page's own title does not repeat it, and begins a level lower."""
    titles = {
        "text": {"type": "text", "element": "h1", "content": "$record.title"},
        "hero": {"type": "hero", "title": "$record.title"},
    }
    record = {"title": title, "body": body}
    components = ([titles[component]] if title else []) + [{"type": "text", "content": "$record.body"}]
    found = parsed(record_view(record, *components)).xpath(
        "//main//*[self::h1 or self::h2 or self::h3 or self::h6]"
    )
    assert [f"{each.tag} {each.text_content()}" for each in found] == headings


LANGUAGES = Languages(
    "en",
    (Language("en", "en"), Language("fr", "fr-FR")),
    translations={"en": {"hi": "Hello", "only": "Only"}, "fr": {"hi": "Bonjour <b>"}},
)


def test_translations_and_variants() -> None:
    """`$t:` speaks the page's language, then the default one, then the key; `i18n` replaces content."""
    french = LANGUAGES.supported[1]
    components = (
        {"type": "text", "content": "$t:hi $t:only $t:none"},
        {"type": "text", "content": "Yes", "i18n": {"fr": {"content": "Oui"}}},
    )
    html = component_html(*components, spoken=LANGUAGES, language=french)
    assert html == "<p>Bonjour &lt;b&gt; Only none</p>\n<p>Oui</p>"


TEMPLATES = {
    "quote": {
        "type": "container",
        "element": "figure",
        "props": {"id": "$id"},
        "children": [{"type": "text", "content": "$vars.text by $who.name, not $other"}, "$children"],
    },
    "loop": {"type": "container", "children": [{"component": "loop"}, {"component": "loop"}]},
}


@pytest.mark.parametrize(
    "placed",
    [
        {"$ref": "quote", "vars": {"id": "q", "text": "<T>", "who": {"name": "$t:ada"}}},
        {"component": "quote", "variables": {"id": "q", "text": "<T>", "who": {"name": "$t:ada"}}},
        {"type": "quote", "vars": {"id": "q", "text": "<T>", "who": {"name": "$t:ada"}}},
    ],
)
def test_templates(placed: dict[str, Any]) -> None:
    """A template is placed by each of three forms, its variables filled, its slot holding the children."""
    html = component_html({**placed, "children": [{"type": "text", "content": "$who"}]}, templates=TEMPLATES)
    assert html == '<figure id="q"><p>&lt;T&gt; by ada, not $other</p>\n<p>$who</p></figure>'


def test_a_template_that_names_itself_ends() -> None:
    """Endless templates end, and the rest of the page is there."""
    html = component_html({"type": "text", "content": "before"}, {"component": "loop"}, templates=TEMPLATES)
    assert html.startswith("<p>before</p>")
    assert len(html) < 2_000_000


@pytest.mark.parametrize(
    ("visibility", "shown"),
    [
        (None, True),
        ({"when": "always"}, True),
        ({"when": "unauthenticated"}, True),
        ({"when": "authenticated"}, False),
        ({"roles": ["admin"]}, False),
        ({"when": "always", "roles": ["admin"]}, False),
        ({"somethingNew": "x"}, False),
        (False, False),
    ],
)
def test_visibility(visibility: Any, shown: bool) -> None:
    """A component that asks for more than an anonymous visitor is in no page, whatever its rule."""
    html = component_html({"type": "text", "content": "secret", "visibility": visibility})
    assert ("secret" in html) is shown


def test_own_header_and_footer_replace_the_frame() -> None:
    """A tree with a header and a footer of its own gets no second ones; the language links stay."""
    view = page_view(
        {"type": "container", "element": "header", "content": "Mine"},
        {"type": "footer", "content": "Mine too"},
        spoken=LANGUAGES,
    )
    assert len(parsed(view).findall(".//header")) == len(parsed(view).findall(".//footer")) == 1


def test_skipped_types_are_named_with_their_place() -> None:
    """`check` learns each type without a server form, on the page and once in each template."""
    view = page_view(
        {
            "type": "container",
            "children": [{"type": "form"}, {"type": "text", "content": [{"type": "chart"}]}],
        },
        {"type": "tabs", "panels": [{"label": "x", "children": [{"type": "kanban"}]}]},
        {"component": "box"},
        {"component": "box"},
        {"component": "missing"},
        {"type": "button", "content": "dead"},
        {"type": "button", "content": "x", "props": {"href": "/x"}},
        {"type": "list", "dataSource": {"table": "posts"}, "children": [{"type": "calendar"}]},
        templates={"box": {"type": "card", "children": [{"type": "toast"}, {"component": "box"}]}},
    )
    assert skipped_types(view.entry.page, view.site) == [
        ("form", "pages[0].components[0].children[0]"),
        ("chart", "pages[0].components[0].children[1].content[0]"),
        ("kanban", "pages[0].components[1].panels[0].children[0]"),
        ("toast", "components.box.children[0]"),
        ("missing", "pages[0].components[4]"),
        ("button", "pages[0].components[5]"),
        ("calendar", "pages[0].components[7].children[0]"),
    ]


def test_rendered_types_are_not_named() -> None:
    """A page that is shown whole has nothing to report."""
    view = page_view({"type": "hero", "title": "T", "children": [{"type": "text", "content": "x"}, "plain"]})
    assert skipped_types(view.entry.page, view.site) == []
