"""Markdown bodies: GitHub's flavour, outline, titles, plain text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from fingerpost.catalogue.addresses import paths_of
from fingerpost.documents.markdown import (
    Heading,
    Outline,
    body_text,
    heading_list,
    insert_below_title,
    markdown_to_html,
    render_body,
    slug,
)
from fingerpost.documents.references import AT_ROOT, PageReferences
from fingerpost.documents.words import Words
from tests.unit.documents.payloads import PAYLOADS, assert_harmless

WORDS = Words()
BASED = PageReferences("/base/docs/start", paths_of("/base", ()))


def body(markdown: str, references: PageReferences = AT_ROOT, title: str | None = None) -> str:
    """The HTML of a body on a page of its own."""
    return render_body(markdown, WORDS, Outline(), references=references, title=title).html.strip()


@pytest.mark.parametrize(
    ("markdown", "part"),
    [
        ("| a | b |\n|---|--:|\n| 1 | 2 |", '<td align="right">2</td>'),
        ("~~gone~~", "<del>gone</del>"),
        ("- [x] done", '<li><input type="checkbox" checked="" disabled=""> done</li>'),
        ("www.example.com", '<a href="http://www.example.com">www.example.com</a>'),
        ("x[^1]\n\n[^1]: note", '<sup class="footnote-ref"><a href="#fn-1" id="fnref-1">1</a></sup>'),
        ("```python\na < b\n```", '<pre><code class="language-python">a &lt; b\n</code></pre>'),
        ("<details><summary>S</summary>\n\n**b**\n\n</details>", "<strong>b</strong>"),
    ],
)
def test_github_flavour(markdown: str, part: str) -> None:
    """Tables, strikethrough, task lists, bare links, footnotes, code and harmless HTML are rendered."""
    assert part in body(markdown)


def test_headings_have_anchors_as_on_github() -> None:
    """A heading's fragment keeps Unicode, drops punctuation, and is unique on the page."""
    markdown = "# Title\n## `Code` & more!\n## Über 日本 हिन्दी\n## Same\n## Same\n## Same 1\n## 😀\n##"
    assert heading_list(markdown) == (
        Heading(1, "Title", "title"),
        Heading(2, "Code & more!", "code--more"),
        Heading(2, "Über 日本 हिन्दी", "über-日本-हिन्दी"),
        Heading(2, "Same", "same"),
        Heading(2, "Same", "same-1"),
        Heading(2, "Same 1", "same-1-1"),
        Heading(2, "😀", "section"),
        Heading(2, "", "section-1"),
    )


def test_anchor_links_point_at_their_heading() -> None:
    """Each heading below the title carries a link to itself that assistive technology skips."""
    assert body("## Two words") == (
        '<h2 id="two-words">Two words<a class="fp-anchor" href="#two-words" aria-hidden="true" tabindex="-1">'
        "</a></h2>"
    )


@given(st.lists(st.text(st.characters(categories=("L", "N", "Zs", "Pd")), max_size=6), max_size=12))
def test_anchors_are_unique(texts: list[str]) -> None:
    """However headings are worded, no two of a page share a fragment."""
    outline = Outline()
    taken = [outline.take(text) for text in texts]
    assert len(set(taken)) == len(taken)


def test_slug_keeps_underscores_and_hyphens() -> None:
    """A fragment is what GitHub would make of the same heading."""
    assert slug("The `snake_case` — a-b?") == "the-snake_case--a-b"


def test_front_matter_title_becomes_the_title() -> None:
    """A body without a first-level heading gets one from its front matter, escaped."""
    assert body("text", title="A < B").startswith('<h1 id="a--b">A &lt; B</h1>')
    assert body("# Own\n\ntext", title="Other").count("<h1") == 1
    for own in ("# Own\n\ntext", '<h1 align="center">Own</h1>\n\ntext'):
        assert "Other" not in body(own, title="Other")


def test_addition_stands_below_the_title() -> None:
    """What the page adds comes below the first-level heading, else at the top."""

    with_title = insert_below_title(body("intro\n\n# T\n\n## S"), "<nav></nav>")
    assert with_title.index("</h1>") < with_title.index("<nav></nav>") < with_title.index("<h2")
    assert insert_below_title('<h1 class="x">T</h1>y', "<nav></nav>").startswith(
        '<h1 class="x">T</h1>\n<nav>'
    )
    assert insert_below_title(body("text"), "<nav></nav>").strip().startswith("<nav></nav>")


@pytest.mark.parametrize(
    ("link", "written"),
    [
        ("/docs/a", "/base/docs/a"),
        ("/base/docs", "/base/docs"),
        ("/base", "/base/"),
        ("/docs/a/", "/base/docs/a"),
        ("/based", "/base/based"),
        ("//cdn.example/x", "//cdn.example/x"),
        ("../x", "../x"),
        ("#part", "#part"),
        ("https://example.org/x", "https://example.org/x"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_links_have_the_form_that_is_published(link: str, written: str) -> None:
    """Case 40: the base path is in every root-relative link exactly once, and no slash at its end."""
    assert f'<a href="{written}">x</a>' in body(f"[x]({link})", references=BASED)


def test_images_gain_the_base_path() -> None:
    """Case 40: whatever a page loads is found below the base path; code that shows it is untouched."""
    rendered = body('<img srcset="/a.png 2x" src="/a.png">\n\n`<img src="/a.png">`', references=BASED)
    assert 'srcset="/base/a.png 2x"' in rendered
    assert 'src="/base/a.png"' in rendered
    assert 'poster="/base/p"' in body('<video src="/v" poster="/p"></video>', references=BASED)
    assert '<code>&lt;img src="/a.png"&gt;</code>' in rendered


def test_tables_scroll_in_their_own_box() -> None:
    """A wide table never makes the page scroll sideways."""
    assert body("| a |\n|---|\n| b |").startswith('<div class="fp-scroll"><table>')


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize(
    "around", ["{}", "# {}", "> {}", "- {}", "`{}`", "| {} |\n|---|\n| {} |", "<p>{}</p>"]
)
def test_payloads_in_markdown_are_harmless(payload: str, around: str) -> None:
    """Nothing that an author or a record writes in Markdown runs, wherever it stands."""
    markdown = around.replace("{}", payload)
    for rendered in (
        render_body(markdown, WORDS, Outline(), references=BASED, title=payload).html,
        markdown_to_html(markdown),
    ):
        assert_harmless(html.document_fromstring(f"<body>{rendered}</body>"))


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_markdown(markdown: str) -> None:
    """No text, control characters and lone surrogates included, stops a page."""
    rendered = render_body(markdown, WORDS, Outline(), title="T", references=BASED)
    rendered.html.encode()
    assert all(heading.anchor for heading in rendered.headings)
    body_text(markdown, 40).encode()


def test_markdown_to_html_adds_nothing() -> None:
    """For feeds and fields: sanitised HTML without outline, boxes or base path."""
    assert markdown_to_html("## A\n\n[x](/y)").strip() == '<h2>A</h2>\n<p><a href="/y">x</a></p>'


def test_rich_text_html_is_kept_whole() -> None:
    """A rich-text editor's HTML is not read as Markdown, even where code holds a blank line."""
    written = "<p>a *b*</p><pre><code>x\n\n# y</code></pre><p>c</p>"
    assert markdown_to_html(written) == written


def test_markdown_between_html_is_markdown() -> None:
    """HTML with Markdown between its blocks, as README files have it, is read as Markdown."""
    assert "<h1>T</h1>" in markdown_to_html('<p align="center">x</p>\n\n# T\n\n<p>y</p>')


@pytest.mark.parametrize(
    ("markdown", "characters", "text"),
    [
        ("# Title\n\nFirst *words* here.", 100, "First words here."),
        ("one two three four", 9, "one two…"),
        ("one two, three four", 9, "one two…"),
        ("日本語の文章です", 4, "日本語…"),
        ("a[^1] b\n\n[^1]: n", 5, "a b"),
        ("<p>a</p><p>b</p>", 10, "a b"),
        ("- x\n- y\n\n| c |\n|---|\n| d |", 20, "x y c d"),
        ("<script>alert(1)</script>text &amp; &lt;b&gt;", 40, "text & <b>"),
        (":::note\nInside.\n:::", 40, "Inside."),
        ("> [!TIP]\n> Quoted.", 40, "Quoted."),
        ("", 10, ""),
    ],
)
def test_body_text(markdown: str, characters: int, text: str) -> None:
    """The start of a body is plain text on one line, without its title, cut between words."""
    assert body_text(markdown, characters) == text


@given(st.text(), st.integers(5, 50))
def test_body_text_is_never_longer_than_asked(markdown: str, characters: int) -> None:
    """What is asked for is the most there is, the ellipsis included."""
    assert len(body_text(markdown, characters)) <= characters
