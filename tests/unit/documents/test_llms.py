"""llms.txt and llms-full.txt, read back by a Markdown renderer."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.documents.gfm import gfm_to_html
from fingerpost.documents.llms import FullArticle, LlmsGroup, LlmsLink, render_llms, render_llms_full
from fingerpost.limits import RESPONSE_BYTES

SITE = "https://example.com"


class _Outline(HTMLParser):
    """The headings, quotes, links and list items of a rendered document."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self.parts: list[tuple[str, str]] = []
        self.links: list[str] = []
        self._open: list[str] = []
        html = gfm_to_html(body.decode())
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("h1", "h2", "p", "a", "li", "pre"):
            self.parts.append((tag, ""))
            self._open.append(tag)
        if tag == "a":
            self.links.append(dict(attrs)["href"] or "")

    def handle_endtag(self, tag: str) -> None:
        if self._open and tag == self._open[-1]:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open:
            tag, text = self.parts[-1]
            self.parts[-1] = (tag, text + data)

    def texts(self, tag: str) -> list[str]:
        return [text for found, text in self.parts if found == tag]


def test_the_whole_file() -> None:
    """The form of llmstxt.org, byte for byte; a group without links is left out."""
    groups = [
        LlmsGroup(
            "Guides",
            (LlmsLink("Start", f"{SITE}/docs/start.md", "First steps"), LlmsLink("B", f"{SITE}/b.md")),
        ),
        LlmsGroup("Empty", ()),
        LlmsGroup("API", (LlmsLink("Z first", f"{SITE}/z.md"), LlmsLink("A last", f"{SITE}/a.md"))),
    ]
    optional = [LlmsLink("All articles", f"{SITE}/llms-full.txt")]
    assert render_llms("Site", "What it is", groups, optional).decode() == (
        "# Site\n\n> What it is\n\n"
        "## Guides\n\n- [Start](https://example.com/docs/start.md): First steps\n- [B](https://example.com/b.md)\n\n"
        "## API\n\n- [Z first](https://example.com/z.md)\n- [A last](https://example.com/a.md)\n\n"
        "## Optional\n\n- [All articles](https://example.com/llms-full.txt)\n"
    )


def test_a_site_without_description_or_articles() -> None:
    """Only the heading is required."""
    assert render_llms("Site", None, []) == b"# Site\n"


def test_brackets_and_newlines_are_escaped() -> None:
    """Case 76: an unbalanced bracket, a link in a title and a newline in a description break nothing."""
    link = LlmsLink("[Un]balanced [title](x) ]", f"{SITE}/a.md", "One\nline: [x](y)\n\n# no heading")
    body = render_llms("Site", None, [LlmsGroup("G", (link,))])
    assert body.decode().splitlines()[-1] == (
        r"- [\[Un\]balanced \[title\](x) \]](https://example.com/a.md): One line: \[x\](y) # no heading"
    )
    assert _Outline(body).links == [f"{SITE}/a.md"]


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("snake_case stays", "snake_case stays"),
        ("__init__.py", r"\_\_init\_\_.py"),
        ("a ` b", r"a \` b"),
        ("<!-- x", r"\<!-- x"),
        (r"C:\dir", r"C:\\dir"),
        ("AT&T &amp; co", r"AT&T \&amp; co"),
        ("f(x) = 1", "f(x) = 1"),
        ("  two\t words\u2028", "two words"),
        ("a\x1db\ud800", "ab"),
    ],
)
def test_titles(title: str, written: str) -> None:
    """Only what Markdown would read as markup is escaped, so that titles stay readable as they are."""
    body = render_llms("Site", None, [LlmsGroup("G", (LlmsLink(title, f"{SITE}/a.md"),))])
    assert body.decode().endswith(f"- [{written}]({SITE}/a.md)\n")


def test_parentheses_in_an_address_do_not_end_the_link() -> None:
    """An address is written so that the link ends where the address does."""
    body = render_llms("S", None, [LlmsGroup("G", (LlmsLink("T", f"{SITE}/a_(b).md"),))])
    assert _Outline(body).links == [f"{SITE}/a_%28b%29.md"]


def test_an_article_without_a_title_is_named_by_its_address() -> None:
    """A link always has a text."""
    body = render_llms("S", None, [LlmsGroup("G", (LlmsLink(" ", f"{SITE}/a.md"),))])
    assert b"- [https://example.com/a.md](https://example.com/a.md)\n" in body


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"]), max_size=30) | st.text(
    alphabet="[]()<>`*_\\#&~-+.!1:| ab\n", max_size=30
)


def _line(text: str) -> str:
    return " ".join(text.split())


@given(TEXT, TEXT, TEXT, st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=3))
def test_any_text_reads_back(title: str, description: str, group: str, links: list[tuple[str, str]]) -> None:
    """Whatever the texts hold, a Markdown reader finds the headings, the quote, and each link with its
    title, address and description."""
    entries = tuple(LlmsLink(name, f"{SITE}/{n}.md", told) for n, (name, told) in enumerate(links))
    outline = _Outline(render_llms(title, description, [LlmsGroup(group, entries)]))
    assert outline.texts("h1") == [_line(title)]
    assert outline.texts("h2") == [_line(group)]
    assert outline.texts("p") == ([_line(description)] if _line(description) else [])
    assert outline.links == [entry.url for entry in entries]
    told = [_line(entry.title) or entry.url for entry in entries]
    # A description stands behind its link, so the outline has both under the link.
    descriptions = [
        f": {_line(entry.description or '')}" if _line(entry.description or "") else "" for entry in entries
    ]
    assert outline.texts("a") == [name + text for name, text in zip(told, descriptions, strict=True)]


def test_links_beyond_the_platforms_size_are_counted() -> None:
    """Case 61: what does not fit is left out from the end of the author's order, and the file says so."""
    links = tuple(LlmsLink(f"Article {number}", f"{SITE}/{number}.md") for number in range(100))
    body = render_llms("Site", None, [LlmsGroup("G", links)], most=2_000)
    assert len(body) <= 2_000
    listed = _Outline(body).links
    assert listed == [link.url for link in links][: len(listed)]
    assert listed
    assert body.decode().endswith(f"\n\n{100 - len(listed)} more pages do not fit into this file.\n")
    assert b"do not fit" not in render_llms("Site", None, [LlmsGroup("G", links)])


def part(number: int) -> str:
    return f"{SITE}/llms-full{'' if number == 1 else f'-{number}'}.txt"


def test_llms_full_holds_every_article() -> None:
    """Each article has its title, its address and its text, links absolute and code as it was."""
    articles = [
        FullArticle("Start [here]", f"{SITE}/docs/start", "See [next](next).\n\n```\n[x](next)\n```\n"),
        FullArticle("Next", f"{SITE}/docs/next", "\nText"),
    ]
    assert list(render_llms_full(articles, part)) == [
        b"# Start \\[here\\]\n\nSource: <https://example.com/docs/start>\n\n"
        b"See [next](https://example.com/docs/next).\n\n```\n[x](next)\n```\n\n"
        b"# Next\n\nSource: <https://example.com/docs/next>\n\nText\n\n"
    ]


def test_no_articles_no_parts() -> None:
    """A site without articles has no llms-full.txt."""
    assert list(render_llms_full([], part)) == []


def test_an_open_fence_does_not_take_in_the_next_article() -> None:
    """An article that never closes its code block ends it before the next begins."""
    articles = [FullArticle("A", f"{SITE}/a", "````\ncode"), FullArticle("B", f"{SITE}/b", "text")]
    outline = _Outline(next(render_llms_full(articles, part)))
    assert outline.texts("h1") == ["A", "B"]
    assert b"".join(render_llms_full(articles, part)).count(b"````\n") == 2


def test_articles_are_whole_and_the_next_part_is_announced() -> None:
    """Case 61: every article is in exactly one part, and every part but the last names the next."""
    articles = [FullArticle(f"Article {n}", f"{SITE}/{n}", f"text {n}\n" * 20) for n in range(40)]
    parts = list(render_llms_full(articles, part, most=1_500))
    assert len(parts) > 5
    assert all(len(body) <= 1_500 for body in parts)
    for number, body in enumerate(parts, 1):
        announced = re.findall(rb"^Continued in <(.*)>$", body, re.MULTILINE)
        assert announced == ([] if number == len(parts) else [part(number + 1).encode()])
    joined = b"".join(re.sub(rb"\nContinued in <.*>\n\Z", b"", body) for body in parts)
    assert joined == next(render_llms_full(articles, part))


def test_an_article_larger_than_a_part_is_continued() -> None:
    """It is divided at line ends, each further piece says what it continues, and nothing is lost."""
    text = "".join(f"line {number}\n" for number in range(400))
    articles = [
        FullArticle("Small", f"{SITE}/s", "text"),
        FullArticle("Large", f"{SITE}/l", text),
        FullArticle("Last", f"{SITE}/z", "end"),
    ]
    parts = list(render_llms_full(articles, part, most=1_000))
    assert all(len(body) <= 1_000 for body in parts)
    assert parts[1].startswith(b"# Large\n\nSource: <https://example.com/l>\n\nline 0\n")
    assert all(
        body.startswith(b"# Large (continued)\n\nSource: <https://example.com/l>\n\nline ")
        for body in parts[2:]
    )
    kept = re.findall(rb"^line \d+$", b"".join(parts), re.MULTILINE)
    assert kept == text.encode().splitlines()
    assert b"# Last\n\nSource: <https://example.com/z>\n\nend\n\n" in parts[-1]


def test_a_line_larger_than_a_part_is_cut_between_characters() -> None:
    """A single endless line still gives parts that are UTF-8 and lose nothing."""
    parts = list(render_llms_full([FullArticle("É", f"{SITE}/é", "日本語" * 500)], part, most=999))
    assert all(len(body) <= 999 for body in parts)
    assert "".join(re.findall("[日本語]", "".join(body.decode() for body in parts))) == "日本語" * 500


def test_a_corpus_beyond_one_response() -> None:
    """Twenty megabytes of articles give parts that each fit the platform after base64."""
    article = "word " * 40_000
    parts = list(render_llms_full((FullArticle(f"A{n}", f"{SITE}/{n}", article) for n in range(100)), part))
    assert len(parts) == 5
    assert all(len(body) <= RESPONSE_BYTES for body in parts)
    assert sum(body.count(b"\nSource: ") for body in parts) == 100
