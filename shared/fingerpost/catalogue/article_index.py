"""The index of a publication's articles: their front matter in one object, so that none need be read for it.

An article counts as indexed while its object has the ETag that stands beside its name; any other is read.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from fingerpost.catalogue.articles import ArticleFile
from fingerpost.site.dates import instant, to_w3c
from fingerpost.site.frontindex import from_json, to_json

INDEX: Final = ".fingerpost/articles.json"
_FORMAT: Final = 1


def write_index(articles: Iterable[ArticleFile]) -> bytes:
    """The index as UTF-8 JSON: `{"format": 1, "articles": {key: {etag, modified, front}}}`, the same bytes
    for the same articles."""
    documents = {
        article.key: {
            "etag": article.etag,
            "modified": to_w3c(article.modified),
            "front": to_json(article.front),
        }
        for article in sorted(articles, key=lambda article: article.key)
    }
    document = {"format": _FORMAT, "articles": documents}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def read_index(body: bytes) -> dict[str, ArticleFile]:
    """The articles by key that `write_index` wrote; none where the bytes are of another form, which costs a
    reader no more than reading the articles themselves."""
    try:
        document = json.loads(body)
        if document["format"] != _FORMAT:
            return {}
        return {key: _article(key, article) for key, article in document["articles"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}


def _article(key: str, document: Mapping[str, Any]) -> ArticleFile:
    return ArticleFile(key, document["etag"], from_json(document["front"]), instant(document["modified"]))
