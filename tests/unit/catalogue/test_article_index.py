"""The index of articles: what was written is read, and what is no index costs nothing but time."""

from datetime import UTC, datetime

import pytest

from fingerpost.catalogue.article_index import read_index, write_index
from fingerpost.catalogue.articles import ArticleFile
from fingerpost.site.frontmatter import read_front_matter

MODIFIED = datetime(2024, 1, 8, 11, 58, 15, tzinfo=UTC)


def article(key: str, text: str) -> ArticleFile:
    return ArticleFile(key, f"etag of {key}", read_front_matter(text.encode(), key)[0], MODIFIED)


ARTICLES = [
    article(
        "content/b.md", "---\ntitle: 1.10\ndate: 2024-01-08\nsitemap: {priority: 0}\nx: [no, {y: 1}]\n---\nB"
    ),
    article("content/a \u00e9.md", "# Without a block"),
    article("content/c.md", "---\ndraft: true\nseo: {noindex: true, title: S}\nai: {exclude: true}\n---\n"),
]


def test_articles_survive_the_index() -> None:
    """Every article comes back as it was, with its ETag, its date and every key of its front matter."""
    assert read_index(write_index(ARTICLES)) == {each.key: each for each in ARTICLES}


def test_the_order_of_articles_does_not_matter() -> None:
    """The same articles make the same bytes, so that an unchanged index is not uploaded again."""
    assert write_index(ARTICLES) == write_index(reversed(ARTICLES))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'{"format": 2, "articles": {}}',
        b'{"format": 1, "articles": []}',
        b'{"format": 1, "articles": {"a.md": {"etag": "x"}}}',
        b'{"format": 1, "articles": {"a.md": {"etag": "x", "modified": "soon", "front": {}}}}',
        b'{"format": 1, "articles": {"a.md": {"etag": "x", "modified": "2024-01-01", "front": {"new": 1}}}}',
    ],
)
def test_another_form_is_an_empty_index(body: bytes) -> None:
    """An index of another version, or none at all, indexes nothing: articles are then read themselves."""
    assert read_index(body) == {}
