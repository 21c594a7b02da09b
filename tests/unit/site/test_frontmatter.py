"""Front matter: where it ends, what it says, and what is refused."""

import contextlib

import frontmatter
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fingerpost.site.frontmatter import HANDLER, ArticleError, body_behind, body_of, read_front_matter
from fingerpost.site.model import FrontMatter, SitemapHints


def read(block: str) -> FrontMatter:
    return read_front_matter(f"---\n{block}\n---\nBody\n".encode(), "a.md")[0]


def refused(body: bytes) -> list[str]:
    with pytest.raises(ArticleError) as caught:
        read_front_matter(body, "docs/a.md")
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("file", "title", "body"),
    [
        ("---\ntitle: T\n---\nBody\n", "T", "Body\n"),
        ("---\r\ntitle: T\r\n---\r\nBody\r\n", "T", "Body\r\n"),
        ("\ufeff---\ntitle: T\n---\nBody", "T", "Body"),
        ("\ufeff---\r\ntitle: T\r\n---\r\n\r\nBody", "T", "\r\nBody"),
        ("---  \ntitle: T\n---   \n\n\nBody\n\n", "T", "\n\nBody\n\n"),
        ("---\ntitle: T\n---", "T", ""),
        ("---\ntitle: T\n---\n---\nmore\n---\n", "T", "---\nmore\n---\n"),
        ("---\ntitle: T\nx: '----'\n---\nB", "T", "B"),
        ("---\ntitle: T\n----\n---\nB", None, None),
        ("---\n---\nBody", None, "Body"),
        ("---\n# nothing\n---\nBody", None, "Body"),
        ("----\ntitle: T\n----\nBody", None, "----\ntitle: T\n----\nBody"),
        ("--\ntitle: T\n--\n", None, "--\ntitle: T\n--\n"),
        ("\n---\ntitle: T\n---\n", None, "\n---\ntitle: T\n---\n"),
        (" ---\ntitle: T\n---\n", None, " ---\ntitle: T\n---\n"),
        ("---\ntitle: T\n", None, "---\ntitle: T\n"),
        ("---\ntitle: T\n ---\n", None, "---\ntitle: T\n ---\n"),
        ("---\nA quiet line.\n---\nBody", None, "---\nA quiet line.\n---\nBody"),
        ("---\n- a\n- b\n---\nBody", None, "---\n- a\n- b\n---\nBody"),
        ("--- yaml\ntitle: T\n---\n", None, "--- yaml\ntitle: T\n---\n"),
        ("---\ttitle: T\n---\n", None, "---\ttitle: T\n---\n"),
        ("Body\n\n---\n\nMore", None, "Body\n\n---\n\nMore"),
        ("", None, ""),
        ("---", None, "---"),
        ("\ufeffBody", None, "Body"),
    ],
)
def test_where_the_block_ends(file: str, title: str | None, body: str | None) -> None:
    """Fences are exactly three dashes, the first on line 1; anything else is body (case 15, case 60)."""
    if body is None:
        assert refused(file.encode())
        return
    front, rest = read_front_matter(file.encode(), "a.md")
    assert (front.title, rest) == (title, body)
    assert body_of(file.encode()) == body.encode()


@given(st.text(st.characters(codec="utf-8", exclude_characters="\ufeff")))
@example("\r\n---\r\n")
@example("---\n")
def test_any_body_survives(body: str) -> None:
    """Whatever stands behind the block comes back untouched."""
    for block in ("---\ntitle: T\n---\n", "\ufeff---\r\ntitle: T\r\n--- \r\n"):
        file = (block + body).encode()
        assert read_front_matter(file, "a.md") == (read("title: T"), body)
        assert body_of(file) == body.encode()


@given(st.binary())
@example(b"---\n\xff\n---\n")
@example(b"---\ndate: 2024-02-30\n---\n")
def test_any_file_is_read_or_refused(body: bytes) -> None:
    """No file makes the reader raise anything but a named error."""
    for file in (body, b"---\n" + body + b"\n---\n"):
        with contextlib.suppress(ArticleError):
            read_front_matter(file, "a.md")


def test_every_key() -> None:
    """All keys of front matter, each as its type."""
    front = read(
        """title: 1.10
description: 2024-01-01
date: 2024-01-08
updated: 2024-01-08T17:28:15+05:30
draft: true
hidden: true
noindex: true
canonical: https://example.com/x
sitemap: {priority: 0, changefreq: weekly}
image: /a.png
category: no
order: 010
ai: {exclude: true}
seo: {title: Head, description: Short}
tags: [on, yes, true]"""
    )
    assert front == FrontMatter(
        title="1.10",
        description="2024-01-01",
        seo_title="Head",
        seo_description="Short",
        published="2024-01-08",
        changed="2024-01-08T11:58:15Z",
        draft=True,
        hidden=True,
        noindex=True,
        canonical="https://example.com/x",
        sitemap=SitemapHints(True, "0.0", "weekly"),
        image="/a.png",
        category="no",
        order="010",
        ai_exclude=True,
        data=front.data,
        lines=front.lines,
    )
    assert front.data["tags"] == ["on", "yes", True]
    assert (front.data["order"], front.data["draft"], front.data["date"]) == ("010", True, "2024-01-08")
    assert (front.lines["title"], front.lines["tags"]) == (2, 16)


@pytest.mark.parametrize(
    ("block", "published", "changed"),
    [
        ("published_at: 2024-01-02", "2024-01-02", None),
        ("created_at: 2024-01-03", "2024-01-03", None),
        ("created_at: 2024-01-03\ndate: 2024-01-01\npublished_at: 2024-01-02", "2024-01-01", None),
        ("lastmod: 2024-01-08", None, "2024-01-08"),
        ("lastModified: 2024-01-08 17:28:15 +0530", None, "2024-01-08T11:58:15Z"),
        ("lastmod: 2024-01-02\nupdated: 2024-01-01", None, "2024-01-01"),
        ("date:\nupdated: ~", None, None),
    ],
)
def test_dates(block: str, published: str | None, changed: str | None) -> None:
    """Publication and change each have several names, of which the first counts (cases 21, 22 and 33)."""
    front = read(block)
    assert (front.published, front.changed) == (published, changed)


@pytest.mark.parametrize(
    ("block", "noindex"),
    [
        ("noindex: false", False),
        ("robots: 'NoIndex, follow'", True),
        ("robots: [nofollow, none]", True),
        ("seo: {noindex: true}", True),
        ("robots: index", False),
    ],
)
def test_noindex(block: str, noindex: bool) -> None:
    """An article is noindex by its key, by `seo`, or by a token of `robots`."""
    assert read(block).noindex is noindex


@pytest.mark.parametrize(
    ("block", "name", "value"),
    [
        ("seo: {canonical: /x}\ncanonical: /y", "canonical", "/x"),
        ("canonical: /y", "canonical", "/y"),
        ("seo: {image: /s.png}\nogImage: /o.png\nimage: /i.png", "image", "/s.png"),
        ("ogImage: /o.png\nimage: /i.png", "image", "/o.png"),
        ("section: guides", "category", "guides"),
        ("section: guides\ncategory: docs", "category", "docs"),
        ("sitemap: false", "sitemap", SitemapHints(listed=False)),
        ("title: ~", "title", None),
        ("title: ''", "title", ""),
        ("title: >-\n  a\n  b", "title", "a b"),
    ],
)
def test_which_key_counts(block: str, name: str, value: object) -> None:
    """The more specific of two keys counts, and null says nothing."""
    assert getattr(read(block), name) == value


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (
            "title: T\ndate: 2024-02-30",
            "docs/a.md:3 date: error: expected a date that exists, found '2024-02-30'",
        ),
        ("date: '{{ .Date }}'", "docs/a.md:2 date: error: expected a date such as 2024-01-08"),
        ("date: 2024-01-01\ncreated_at: soon", "docs/a.md:3 created_at: error: expected a date"),
        ("draft: maybe", "docs/a.md:2 draft: error: expected true or false, found `maybe`"),
        ("draft: yes", "docs/a.md:2 draft: error: expected true or false, found `yes`"),
        ("draft: 'true'", "docs/a.md:2 draft: error: expected true or false, found the text 'true'"),
        ("title: [a]", "docs/a.md:2 title: error: expected text, found a list"),
        ("title: {a: b}", "docs/a.md:2 title: error: expected text, found a mapping"),
        ("title: a: b", "docs/a.md:2: error: expected YAML, found a fault"),
        ("a: 1\na: 2", "docs/a.md:3 a: error: expected each key once"),
        ("a: &x [*x]", "docs/a.md:2 a[0]: error: expected a value, found one that holds itself"),
        ('title: "a\\0b"', "docs/a.md:2 title: error: expected characters, found U+0000"),
        ("canonical: x", "docs/a.md:2 canonical: error: expected an absolute URL or a path, found `x`"),
        (
            "sitemap: {priority: 2}",
            "docs/a.md:2 sitemap.priority: error: expected a decimal number from 0 to 1",
        ),
        ("ai: {exclude: no}", "docs/a.md:2 ai.exclude: error: expected true or false, found `no`"),
        ("ai: true", "docs/a.md:2 ai: error: expected a mapping, found `true`"),
        ("<<: {draft: true}", "docs/a.md:2 <<: error: expected the keys themselves"),
    ],
)
def test_unreadable_articles_are_named(block: str, message: str) -> None:
    """A value that is not what its key asks for names file, line, key and both sides (case 20)."""
    (problem,) = refused(f"---\n{block}\n---\nBody".encode())
    assert problem.startswith(message)


def test_all_problems_of_an_article() -> None:
    """An article with several problems names them all."""
    assert len(refused(b"---\ndraft: maybe\ndate: never\ntitle: [a]\n---\n")) == 3


def test_not_utf8() -> None:
    """A Latin-1 article is named with the line at fault (case 20)."""
    assert refused(b"---\ntitle: T\n---\ncaf\xe9") == [
        "docs/a.md:4: error: expected UTF-8 text, found byte 0xE9"
    ]


def test_a_twin_of_an_unreadable_file() -> None:
    """A file that can't be read has no Markdown twin either."""
    for file in (b"---\na: [\n---\nBody", b"\xff"):
        with pytest.raises(ArticleError):
            body_of(file)


def test_the_handler_serves_python_frontmatter() -> None:
    """python-frontmatter reads by the same rules with this handler, and writes what it can read again."""
    post = frontmatter.loads("\ufeff---\ncode: no\nday: 2024-01-01\n---\nBody\n---\nmore", handler=HANDLER)
    assert (post.metadata, post.content) == ({"code": "no", "day": "2024-01-01"}, "Body\n---\nmore")
    assert (
        frontmatter.loads(frontmatter.dumps(post, handler=HANDLER), handler=HANDLER).metadata == post.metadata
    )
    assert frontmatter.loads("----\na: b\n----\n", handler=HANDLER).metadata == {}
    with pytest.raises(ArticleError):
        frontmatter.loads("---\na: [\n---\n", handler=HANDLER)


@given(st.sampled_from(["", "\ufeff"]), st.sampled_from(["\n", "\r\n"]), st.text(max_size=40))
def test_the_body_behind_known_front_matter(mark: str, end: str, text: str) -> None:
    """Whoever knows a file's front matter gets the same body without its block being read again."""
    for block in (
        "",
        f"---{end}---{end}",
        f"---{end}title: A{end}--- {end}",
        f"---{end}- a list{end}---{end}",
    ):
        file = f"{mark}{block}{text}".encode(errors="surrogatepass")
        try:
            front, body = read_front_matter(file, "a.md")
        except ArticleError:
            continue
        assert body_behind(front, file) == body
