"""Addresses worth trying first: the well-known files and one article of a site, those that answer."""

import base64
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from fingerpost_tools.functions import Functions
from fingerpost_tools.local_server import Edge, event

_OVERVIEW: Final = "/llms.txt"
_DOCUMENTS: Final = {
    "/": "the home page",
    "/sitemap.xml": "the sitemap",
    "/robots.txt": "rules for robots",
    "/feed.xml": "the feed",
    _OVERVIEW: "the overview for assistants",
    "/agent-readability.json": "what agents may use",
}
# A home page may send visitors on to their language.
_ANSWERS: Final = frozenset({200, 301, 302, 307, 308})
_ARTICLE: Final = "an article"
_ITS_TWIN: Final = "its Markdown twin"
LABEL_WIDTH: Final = max(map(len, (*_DOCUMENTS.values(), _ARTICLE, _ITS_TWIN)))
_TWIN: Final = re.compile(r"\]\((\S+\.md)\)")
# What a twin says of its page (SPEC section 10).
_HTML: Final = re.compile(r'<([^>]+)>; rel="canonical"')


class Stop(NamedTuple):
    """One address (absolute) and what is there."""

    url: str
    label: str


def stops(functions: Functions, address: str) -> Iterator[Stop]:
    """What answers at `address` (scheme and host), asked of the functions themselves."""
    host = urlsplit(address).netloc
    for path, label in _DOCUMENTS.items():
        below = f"{functions.base}{path}"
        answer = _get(functions, host, below)
        if answer["statusCode"] not in _ANSWERS:
            continue
        yield Stop(f"{address}{below}", label)
        if path == _OVERVIEW and (twin := _TWIN.search(_text(answer))):
            # Absolute links may lead to the site's public address.
            path = urlsplit(twin[1]).path
            if page := _HTML.search(_get(functions, host, path)["headers"].get("link", "")):
                yield Stop(f"{address}{urlsplit(page[1]).path}", _ARTICLE)
            yield Stop(f"{address}{path}", _ITS_TWIN)


def _get(functions: Functions, host: str, path: str) -> Mapping[str, Any]:
    return functions.invoke(event("GET", path, Edge().headers({"host": host})))


def _text(answer: Mapping[str, Any]) -> str:
    """The body of an answer that was asked for without compression."""
    body = str(answer.get("body") or "")
    return base64.b64decode(body).decode("utf-8", "replace") if answer.get("isBase64Encoded") else body
