"""Dates that search engines would not believe."""

from collections.abc import Iterator
from datetime import timedelta

from fingerpost.catalogue.entry import Article, Document
from fingerpost.site.dates import instant
from fingerpost.site.frontmatter import CHANGED, PUBLISHED
from fingerpost.site.problems import Place, Problem
from fingerpost_tools.checking.kinds import finding
from fingerpost_tools.checking.subject import Subject

# With fewer articles, one date for all may well be true.
_ARTICLES = 5
# How long a copy of a site takes at most.
_COPYING = timedelta(minutes=2)


def future(subject: Subject) -> Iterator[Problem]:
    """Articles that are still to come, and dates of change that have not been yet."""
    now = subject.catalogue.now
    for article in _articles(subject):
        front = article.front
        if front.published is not None and instant(front.published) > now and not front.draft:
            message = f"its date, {front.published}, is still to come: it is not served before"
            yield finding("date-future", _line(article, PUBLISHED), message)
        if front.changed is not None and instant(front.changed) > now:
            message = f"expected a date of change that has been, found {front.changed}"
            yield finding("changed-future", _line(article, CHANGED), message)


def equal(subject: Subject) -> Iterator[Problem]:
    """One date on every article: that of a copy or a clone, or one that was written everywhere."""
    listed = subject.catalogue.entries(Document.SITEMAP)
    articles = {entry.article.key: entry.article for entry in listed if entry.article is not None}
    moments = [instant(article.lastmod) for article in articles.values() if article.lastmod]
    if len(moments) < _ARTICLES or max(moments) - min(moments) > _COPYING:
        return
    first = next(iter(articles.values()))
    if all(article.front.changed is None for article in articles.values()) and _has_history(subject):
        return
    message = f"all {len(moments)} articles changed within two minutes, on {first.lastmod}"
    yield finding("dates-equal", Place(first.key, 1), message)


def _articles(subject: Subject) -> Iterator[Article]:
    """Every article, once."""
    seen: set[str] = set()
    for entry in subject.catalogue.all_entries():
        if entry.article is not None and entry.article.key not in seen:
            seen.add(entry.article.key)
            yield entry.article


def _line(article: Article, keys: tuple[str, ...]) -> Place:
    key = next((key for key in keys if key in article.front.lines), None)
    return Place(article.key, article.front.lines[key], key) if key else Place(article.key, 1)


def _has_history(subject: Subject) -> bool:
    """Whether `publish` will find each file's own time in git, whatever time the file has here."""
    root = subject.root
    return root is not None and any((folder / ".git").exists() for folder in (root, *root.parents))
