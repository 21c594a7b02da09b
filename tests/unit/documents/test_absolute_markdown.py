"""Markdown links made absolute in the source. The judge is the Markdown renderer itself: rendering the
rewritten source must give the same page as making the rendered source's links absolute."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.documents.absolute import absolute_html
from fingerpost.documents.absolute_markdown import absolute_markdown
from fingerpost.documents.blocks import structure
from fingerpost.documents.gfm import gfm_to_html

PAGE = "https://example.com/docs/a/b"
# Beside the project where it is developed, nowhere else.
REAL_SITES = Path(__file__).resolve().parents[4] / "shared" / "real-sites"
REAL_DOCUMENTS = sorted(REAL_SITES.glob("**/*.md"))


def render(markdown: str) -> str:
    return str(gfm_to_html(markdown))


class _Code(HTMLParser):
    """The texts of all code elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._depth = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "code":
            self._depth += 1
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "code":
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        if self._depth > 0:
            self.texts[-1] += data


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("[t](/x)", "[t](https://example.com/x)"),
        ("[t](../y 'title')", "[t](https://example.com/docs/y 'title')"),
        ('![i](img/a.png "a (b) [c]")', '![i](https://example.com/docs/a/img/a.png "a (b) [c]")'),
        ("[![i](/i.png)](/x)", "[![i](https://example.com/i.png)](https://example.com/x)"),
        ("[t](</a b>)", "[t](<https://example.com/a b>)"),
        ("[t](/a_(b))", "[t](https://example.com/a_(b))"),
        (r"[t](/a\)b)", r"[t](https://example.com/a\)b)"),
        ("[t](/a?x=1&amp;y=2)", "[t](https://example.com/a?x=1&y=2)"),
        ("[t](//cdn.example/x)", "[t](https://cdn.example/x)"),
        ("[r]: /x 'title'", "[r]: https://example.com/x 'title'"),
        ("> [r]: /x\n> [s]: </y>", "> [r]: https://example.com/x\n> [s]: <https://example.com/y>"),
        ("[r]:\n  /x\n", "[r]:\n  https://example.com/x\n"),
        ('a <img src="/x.png"> b', 'a <img src="https://example.com/x.png"> b'),
        ('<div>\n<a href="/x">\n</div>', '<div>\n<a href="https://example.com/x">\n</div>'),
        ("# [t](/x) #", "# [t](https://example.com/x) #"),
        ("| a |\n|---|\n| [t](/x) |", "| a |\n|---|\n| [t](https://example.com/x) |"),
        ("a[^1]\n\n[^1]: note\n\n    [t](/x)", "a[^1]\n\n[^1]: note\n\n    [t](https://example.com/x)"),
        ("[a [b](/x) c](/y)", "[a [b](https://example.com/x) c](/y)"),
    ],
)
def test_links(markdown: str, expected: str) -> None:
    """Every form of link becomes absolute and keeps the form it was written in."""
    assert absolute_markdown(markdown, PAGE) == expected


@pytest.mark.parametrize(
    "markdown",
    [
        "[t](#x) [u](mailto:a@example.com) <https://example.com/y> [v](https://example.com/)",
        "```\n[t](/x)\n```",
        '~~~md\n[r]: /x\n<a href="/x">\n~~~',
        "- item\n\n  ```\n  [t](/x)\n  ```",
        "> ```\n> [t](/x)\n> ```",
        "    [t](/x)",
        "text\n\n\t[t](/x)",
        "`[t](/x)` and ``a ` [t](/x)``",
        "`over two\nlines [t](/x)`",
        "<pre>\n[t](/x)\n\n[u](/y)\n</pre>",
        "<!-- [t](/x)\n\n[u](/y) -->",
        r"\[t](/x)",
        "[t] (/x)",
        "[t](/x y)",
        "t](/x)",
        "| ` | `[t](/x)` |\n|---|---|\n| ` | `[t](/x)` |",
        "[^1]: /x",
        "para\n[r]: /x",
    ],
)
def test_what_is_no_link_stays(markdown: str) -> None:
    """Code, comments, escapes, other schemes and text that only looks like a link are untouched."""
    assert absolute_markdown(markdown, PAGE) == markdown


def test_root_relative_links_gain_the_base_path_once() -> None:
    """The base path comes before a link from the site's root, and is not doubled where it was written."""
    markdown = absolute_markdown("[a](/x) [b](/base/y)", "https://example.com/base/docs", "/base")
    assert markdown == "[a](https://example.com/base/x) [b](https://example.com/base/y)"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_are_kept(ending: str) -> None:
    """Code blocks are found and line ends kept, whichever kind the file has."""
    lines = ["[a](/x)", "", "```", "[b](/y)", "```", "", "[c](/z)", ""]
    expected = [
        line.replace("(/x)", "(https://example.com/x)").replace("(/z)", "(https://example.com/z)")
        for line in lines
    ]
    assert absolute_markdown(ending.join(lines), PAGE) == ending.join(expected)


@pytest.mark.parametrize(
    ("markdown", "unclosed"),
    [
        ("```\ncode", "```"),
        ("~~~~\ncode\n~~~", "~~~~"),
        ("```\ncode\n```", ""),
        ("> ```\n> code", ""),
        ("<!-- note", "-->"),
        ("<pre>\ncode", "</pre>"),
        ("<div>\ntext", ""),
        ("text", ""),
        ("", ""),
    ],
)
def test_what_a_document_leaves_open(markdown: str, unclosed: str) -> None:
    """A fence or comment without its end is named, so that what follows can be kept out of it."""
    assert structure(markdown).unclosed == unclosed
    if unclosed:
        assert structure(f"{markdown}\n{unclosed}").unclosed == ""


# Pieces of Markdown in which every construct that can hide or hold a link occurs. Left out is what the
# renderer itself reads otherwise than the standard: parentheses out of balance, a setext underline below
# nothing but definitions, and bare URLs that swallow what follows them.
PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "```\n",
                "~~~\n",
                "    ",
                "\t",
                "> ",
                "- ",
                "1. ",
                "2) ",
                "\n",
                "\n\n",
                "`",
                "``",
                "***\n",
                "# ",
            ),
            *(
                "[a](/b)",
                '![i](../x.png "t")',
                "\n\n[r]: /url 'x'\n\n",
                "[r]",
                "[x [y](/z) w](/v)",
                "[p](</q r>)",
            ),
            *(
                "<div>\n",
                "</div>",
                "<pre>\n",
                "</pre>",
                "<!-- c -->",
                '<a href="/q">',
                "<b>",
                "<code>",
                "<?php ?>",
            ),
            *(
                "\n\n| a | b |\n|---|---|\n",
                "| `x` | [c](/d) |\n",
                "|",
                "foo",
                "*",
                " ",
                "  \n",
                "\r\n",
                "text\n===\n",
            ),
            *(
                "[^1]: ",
                "[^1]",
                "&#47;x",
                "[n](#f)",
                "[m](mailto:a@example.com)",
                "[z](//c.d/e)",
                "[t](x(y)z)",
            ),
            *("[e](/a\\(b&amp;c)", "\\`", "\\[", "é", "- [ ] foo ", "[w](/a&#32;b)"),
        ]
    ),
    max_size=14,
).map("".join)


# The renderer departs from CommonMark in rare heaps of pieces; the same ones are tried in every run.
@settings(derandomize=True)
@given(PIECES)
def test_the_renderer_sees_the_same_page_with_absolute_links(markdown: str) -> None:
    """Rewriting then rendering equals rendering then rewriting: all links, nothing but links."""
    rewritten = absolute_markdown(markdown, PAGE, "/base")
    assert render(rewritten) == absolute_html(render(markdown), PAGE, "/base")


@given(PIECES)
def test_absolute_markdown_stays_as_it_is(markdown: str) -> None:
    """Making links absolute twice changes nothing the second time."""
    once = absolute_markdown(markdown, PAGE, "/base")
    assert absolute_markdown(once, PAGE, "/base") == once


@given(st.text())
def test_any_text_is_survived(text: str) -> None:
    """No input raises, and text without a bracket or tag comes back as it is."""
    result = absolute_markdown(text, PAGE)
    if "[" not in text and "<" not in text:
        assert result == text


@pytest.mark.slow
@pytest.mark.skipif(not REAL_DOCUMENTS, reason="the real sites are not here")
def test_real_documents() -> None:
    """In other people's documents every code block is byte for byte what it was, and every link absolute."""
    for document in REAL_DOCUMENTS:
        text = document.read_bytes().decode()
        markdown = re.sub(r"\A---\r?\n.*?\n---\r?\n", "", text, flags=re.DOTALL)
        rewritten = absolute_markdown(markdown, PAGE, "/base")
        before, after = render(markdown), render(rewritten)
        assert _Code(after).texts == _Code(before).texts, document
        assert after == absolute_html(before, PAGE, "/base"), document
