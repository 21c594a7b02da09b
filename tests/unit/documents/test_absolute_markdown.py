"""Markdown links made absolute in the source. The judge is the Markdown renderer itself: rendering the
rewritten source must give the same page as making the rendered source's links absolute."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fingerpost.catalogue.addresses import paths_of
from fingerpost.documents.absolute_markdown import absolute_markdown
from fingerpost.documents.blocks import structure
from fingerpost.documents.gfm import gfm_to_html
from fingerpost.documents.references import AbsoluteReferences
from fingerpost.documents.url_attributes import with_references

PAGE = "https://example.com/docs/a/b"
# Beside the project where it is developed, nowhere else.
REAL_SITES = Path(__file__).resolve().parents[4] / "shared" / "real-sites"
REAL_DOCUMENTS = sorted(REAL_SITES.glob("**/*.md"))


UNBASED = AbsoluteReferences(PAGE)
BASED = AbsoluteReferences(PAGE, paths_of("/base", ()))


def absolute(markdown: str, references: AbsoluteReferences = UNBASED) -> str:
    return absolute_markdown(markdown, structure(markdown), references)


def render(markdown: str) -> str:
    return str(gfm_to_html(markdown)).replace("&#x27;", "'")  # comrak alone escapes it


def same_page(markdown: str) -> bool:
    """Whether rewriting then rendering equals rendering then rewriting: all links, nothing but links."""
    rewritten = absolute(markdown, BASED)
    return render(rewritten) == with_references(render(markdown), BASED)


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
        ("> [t\n> u](/x)", "> [t\n> u](https://example.com/x)"),
        ('- <img\n  src="/x.png">', '- <img\n  src="https://example.com/x.png">'),
        ("[r]: /x\n'title'", "[r]: https://example.com/x\n'title'"),
        ("| a |\n|---|\n| [t](/x\\|y) |", "| a |\n|---|\n| [t](https://example.com/x\\|y) |"),
        ("| a |\n|---|\n| [t](#x\\|y) |", "| a |\n|---|\n| [t](#x\\|y) |"),
    ],
)
def test_links(markdown: str, expected: str) -> None:
    """Every form of link becomes absolute and keeps the form it was written in."""
    assert absolute(markdown) == expected


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
    assert absolute(markdown) == markdown


def test_root_relative_links_gain_the_base_path_once() -> None:
    """The base path comes before a link from the site's root, and is not doubled where it was written."""
    markdown = absolute("[a](/x) [b](/base/y)", BASED)
    assert markdown == "[a](https://example.com/base/x) [b](https://example.com/base/y)"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_are_kept(ending: str) -> None:
    """Code blocks are found and line ends kept, whichever kind the file has."""
    lines = ["[a](/x)", "", "```", "[b](/y)", "```", "", "[c](/z)", ""]
    expected = [
        line.replace("(/x)", "(https://example.com/x)").replace("(/z)", "(https://example.com/z)")
        for line in lines
    ]
    assert absolute(ending.join(lines)) == ending.join(expected)


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


# What the rewriter and the renderer once read differently, each cut down to its kind.
@pytest.mark.parametrize(
    "markdown",
    [
        "`` `a` [b](/c) `",  # after a search to the end, cmark closes a span at the first run of its length
        "[x [r] y](/z)\n\n[r]: /q",  # a reference link inside makes the outer one text
        "[x][r] [r][] [R](/z)\n\n[r]: /q",
        "[r]: <a",  # no destination begins with `<`
        "[r]: <>\n[r]",
        "[a]:\n===",  # a heading, and no definition
        "[a]: /b\n===\n[c]: /d",  # no heading, since nothing is left of its text
        "[a]: /b\n-\n[a]",
        "[a]: /b\n---\n[c]: /d\n\n[c]",
        "# [r]: /x",  # definitions are in paragraphs alone
        "[r]:a|b\n-|-\n[s]: /x",
        "[r]: /u\na|b\n-|-\n\n[r]",
        "- [ ] [r]: /x",
        "| a |\n|---|\n|\n    [b](/c)",  # a row without a cell ends the table
        ":\n-|-\n`|b\n-|-\n[a](/b)`",  # the second delimiter row of a paragraph makes no table
        "[a\n](b)\n    -",  # nor does an indented one
        "[^1]: a\n  \n    [b](/c)\n\nd[^1]",  # a footnote ends at spaces: what follows is code
        "www.a.b/[c](/d) http://a.b[c](/d) http://a[c](/d) [http://a.b](/d) xwww.a.b[c](/d)",  # bare URLs
        "a <!X[b](/c)> <!X [b](/c)>",
        "[a]( /b\n'c' ) [a](< >) [a](/b'c')",
    ],
)
def test_what_was_read_otherwise(markdown: str) -> None:
    """The rewriter reads a source as the renderer does."""
    assert same_page(f"{markdown}\n")


# Pieces of Markdown in which every construct that can hide or hold a link occurs: ⏎ is a line's end, ␣ a
# space, ⇥ a tab. Left out is what an HTML parser reads otherwise than Markdown (a comment that is not
# closed) and where comrak departs from the standard (a title that is not closed).
WRITTEN = r"""
    ```⏎ ~~~⏎ ` `` ``` ␣␣␣␣ ␣␣ ␣ ⇥ ⏎ ⏎⏎ ↵ ␣␣⏎ \⏎ >␣ >⇥ -␣ -⇥ *␣ -⏎ 1.␣ 2)␣ 1.⏎ ***⏎ ---⏎ ===⏎ text⏎===⏎ #␣
    [ [ ] ]( ( ) < > ␣_ * | : - = \ & \` \[ \| &#47;x &lt; it's foo é 日 -␣[␣]␣foo␣ [x]␣
    [a](/b) [x␣[y](/z)␣w](/v) [p](</q␣r>) [n](#f) [z](//c.d/e) [m](mailto:a@example.com) [t](x(y)z)
    [e](/a\(b&amp;c) [w](/a&#32;b) ![i](../x.png␣"t") [![a](/b)](/c)
    (/u) (/u␣'t') (/u␣"t") (/u␣(t)) (</u>) (<>) () (␣/u␣) (/u⏎'t') (/ü)
    [r] [R][r] [r][] [a] ⏎⏎[r]:␣/url␣'x'⏎⏎ [r]:␣/u⏎ [r]:␣< [r]:␣<>␣ [a]:␣/u␣"t"␣x⏎ [a]:␣/v␣(t)⏎ [^1]:␣ [^1]
    <div>⏎ </div> <pre>⏎ </pre> <!--␣[c](/d)␣--> <?␣[c](/d)␣?> <a␣href="/q"> <a␣href=/u> <a⏎href="/u"> </a>
    <b> <code> <http://x.y/z> http://x.y/z www.x.y
    ⏎⏎|␣a␣|␣b␣|⏎|---|---|⏎ |␣`x`␣|␣[c](/d)␣|⏎ |-|⏎ a␣|␣b⏎--|--⏎
"""
PIECES = [
    piece.translate({ord("␣"): " ", ord("⇥"): "\t", ord("⏎"): "\n", ord("↵"): "\r\n"})
    for piece in WRITTEN.split()
]
MARKDOWN = st.lists(st.sampled_from(PIECES), max_size=14).map(lambda pieces: "".join([*pieces, "\n"]))
# Comrak makes a link in a link of `[[a](/b)[c]](/d)`, which no HTML can hold.
LINK_IN_LINK = re.compile(r"<a [^>]*>(?:(?!</a>).)*<a ", re.DOTALL)


@given(MARKDOWN)
def test_the_renderer_sees_the_same_page_with_absolute_links(markdown: str) -> None:
    """Rewriting then rendering equals rendering then rewriting: all links, nothing but links."""
    assume(not LINK_IN_LINK.search(render(markdown)))
    assert same_page(markdown)


@given(MARKDOWN)
def test_absolute_markdown_stays_as_it_is(markdown: str) -> None:
    """Making links absolute twice changes nothing the second time."""
    once = absolute(markdown, BASED)
    assert absolute(once, BASED) == once


@given(st.text())
def test_any_text_is_survived(text: str) -> None:
    """No input raises, and text without a bracket or tag comes back as it is."""
    result = absolute(text)
    if "[" not in text and "<" not in text:
        assert result == text


@pytest.mark.slow
@pytest.mark.skipif(not REAL_DOCUMENTS, reason="the real sites are not here")
def test_real_documents() -> None:
    """In other people's documents every code block is byte for byte what it was, and every link absolute."""
    for document in REAL_DOCUMENTS:
        text = document.read_bytes().decode()
        markdown = re.sub(r"\A---\r?\n.*?\n---\r?\n", "", text, flags=re.DOTALL)
        rewritten = absolute(markdown, BASED)
        before, after = render(markdown), render(rewritten)
        assert _Code(after).texts == _Code(before).texts, document
        assert after == with_references(before, BASED), document
