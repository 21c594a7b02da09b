"""The head of an HTML page: title, robots, canonical, Open Graph, Twitter card, alternates, JSON-LD."""

import re
from collections.abc import Iterator, Mapping

from fingerpost.documents.escape import html_attribute, html_text
from fingerpost.documents.structured_data import json_ld
from fingerpost.documents.stylesheet import STYLE_ELEMENT
from fingerpost.documents.summary import Summary, absolute, image_url
from fingerpost.documents.view import PageView
from fingerpost.site.placeholders import Values, as_text, fill

_CAPITAL = re.compile(r"([a-z])([A-Z])")
_PROPERTY = re.compile(r"[a-z][a-z0-9_:]*")
# Robots tokens that contradict or repeat `noindex` (Google's robots meta tag specification).
_INDEXING = frozenset({"index", "noindex", "all"})


def head(view: PageView, summary: Summary, values: Values) -> str:
    """Everything inside `<head>`, each value escaped once."""
    return "\n".join(
        [
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{html_text(summary.title)}</title>",
            *_meta(view, summary, values),
            _link("canonical", summary.url),
            *_open_graph(view, summary, values),
            *_twitter(view, summary, values),
            *_alternates(view),
            *filter(None, [json_ld(view, summary, values)]),
            *view.extra_head,
            STYLE_ELEMENT,
        ]
    )


def robots_content(view: PageView) -> str:
    """The robots meta tag's content: the author's own tokens, and `noindex` where the verdict asks."""
    written = as_text(view.frontmatter.get("robots")) or view.entry.page.meta.robots or ""
    tokens = list(dict.fromkeys(token for part in written.split(",") if (token := part.strip().lower())))
    if not view.entry.verdict.noindex or "none" in tokens:
        return ", ".join(tokens)
    return ", ".join(["noindex", *(token for token in tokens if token not in _INDEXING)])


def _meta(view: PageView, summary: Summary, values: Values) -> Iterator[str]:
    keywords = view.frontmatter.get("keywords") or fill(view.entry.page.meta.keywords or "", values)
    for name, content in (
        ("description", summary.description),
        ("keywords", as_text(keywords)),
        ("author", summary.author),
        ("robots", robots_content(view)),
    ):
        if content:
            yield f'<meta name="{name}" content="{html_attribute(content)}">'


def _open_graph(view: PageView, summary: Summary, values: Values) -> Iterator[str]:
    """The Open Graph protocol (ogp.me): `og:url` is always the canonical URL."""
    authored = _properties(view.entry.page.meta.open_graph, "og:", values)
    properties = {
        "title": summary.title,
        "description": summary.description,
        "type": "article" if summary.is_article else "website",
        "site_name": view.site.name,
        **authored,
        "url": summary.url,
        "locale": _locale(summary.tag),
        "image": summary.image,
    }
    for name, content in properties.items():
        if content:
            yield _property(f"og:{name}", content)
    for alternate in view.alternates:
        if alternate.hreflang not in ("x-default", summary.tag):
            yield _property("og:locale:alternate", _locale(alternate.hreflang))
    if summary.is_article:
        for name, content in (("published", summary.published), ("modified", summary.changed)):
            if content:
                yield _property(f"article:{name}_time", content)


def _twitter(view: PageView, summary: Summary, values: Values) -> Iterator[str]:
    authored = _properties(view.entry.page.meta.twitter, "twitter:", values)
    shown = image_url(view, authored.pop("image", "")) or summary.image
    properties = {
        "card": "summary_large_image" if shown else "summary",
        "title": summary.title,
        "description": summary.description,
        **authored,
        "image": shown,
    }
    for name, content in properties.items():
        if content:
            yield f'<meta name="twitter:{name}" content="{html_attribute(content)}">'


def _alternates(view: PageView) -> Iterator[str]:
    for alternate in view.alternates:
        url = absolute(view.origin, alternate.address)
        yield _link("alternate", url, f' hreflang="{html_attribute(alternate.hreflang)}"')
    if view.entry.twin is not None:
        yield _link("alternate", absolute(view.origin, view.entry.twin), ' type="text/markdown"')
    if view.feed is not None:
        title, address = view.feed
        kind = f' type="application/rss+xml" title="{html_attribute(title)}"'
        yield _link("alternate", absolute(view.origin, address), kind)


def _properties(authored: Mapping[str, str], prefix: str, values: Values) -> dict[str, str]:
    """The author's properties by their names in the protocol: `siteName` and `og:site_name` are one."""
    named = {}
    for key, text in authored.items():
        name = _CAPITAL.sub(r"\1_\2", key).lower().removeprefix(prefix)
        if _PROPERTY.fullmatch(name):
            named[name] = fill(text, values)
    return named


def _locale(tag: str) -> str:
    return tag.replace("-", "_")


def _property(name: str, content: str) -> str:
    return f'<meta property="{name}" content="{html_attribute(content)}">'


def _link(rel: str, url: str, more: str = "") -> str:
    return f'<link rel="{rel}"{more} href="{html_attribute(url)}">'
