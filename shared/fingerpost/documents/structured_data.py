"""JSON-LD for search engines (schema.org): WebSite on the home page, Article, BreadcrumbList.

What the author declares in `meta.schema` stands beside these, or in place of the one of its own `@type`.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fingerpost.documents.escape import drop_from_html
from fingerpost.documents.summary import Summary, absolute
from fingerpost.documents.view import PageView
from fingerpost.site.placeholders import Values, fill_deep

_CONTEXT = "https://schema.org"
# In a script element only `</script` and `<!--` matter (HTML 13.1.2.6); every `<` is escaped, and the two
# line separators that are not allowed in JavaScript strings with it.
_IN_SCRIPT = {ord("<"): "\\u003c", ord("\u2028"): "\\u2028", ord("\u2029"): "\\u2029"}


def json_ld(view: PageView, summary: Summary, values: Values) -> str:
    """The page's structured data as one script element, "" where there is nothing to say."""
    authored = list(_authored(fill_deep(view.entry.page.meta.schema, values)))
    replaced = {kind for thing in authored for kind in _kinds(thing)}
    ours = [thing for thing in _derived(view, summary) if thing["@type"] not in replaced]
    things = [{"@context": _CONTEXT, **thing} for thing in [*ours, *authored]]
    if not things:
        return ""
    data = things[0] if len(things) == 1 else things
    text = drop_from_html(json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return f'<script type="application/ld+json">{text.translate(_IN_SCRIPT)}</script>'


def _derived(view: PageView, summary: Summary) -> Iterator[dict[str, Any]]:
    if summary.is_home:
        yield _known(
            {
                "@type": "WebSite",
                "name": view.site.name,
                "url": summary.url,
                "description": summary.description,
                "inLanguage": summary.tag,
            }
        )
    if summary.is_article:
        yield _known(
            {
                "@type": "Article",
                "headline": summary.title,
                "description": summary.description,
                "url": summary.url,
                "mainEntityOfPage": summary.url,
                "image": summary.image,
                "datePublished": summary.published,
                "dateModified": summary.changed,
                "inLanguage": summary.tag,
                "author": {"@type": "Person", "name": summary.author} if summary.author else None,
                "publisher": {"@type": "Organization", "name": view.site.name},
            }
        )
    if len(view.breadcrumbs) > 1:
        yield {
            "@type": "BreadcrumbList",
            "itemListElement": [
                {
                    "@type": "ListItem",
                    "position": position,
                    "name": link.title,
                    "item": absolute(view.origin, link.address),
                }
                for position, link in enumerate(view.breadcrumbs, 1)
            ],
        }


def _authored(schema: Any) -> Iterator[dict[str, Any]]:
    """The things that `meta.schema` declares: one, a list, or one under each key."""
    if isinstance(schema, list | tuple):
        for member in schema:
            yield from _authored(member)
    elif isinstance(schema, Mapping):
        if any(key.startswith("@") for key in schema):
            yield dict(schema)
        else:
            yield from _authored(list(schema.values()))


def _kinds(thing: Mapping[str, Any]) -> tuple[str, ...]:
    kind = thing.get("@type")
    return tuple(map(str, kind)) if isinstance(kind, list | tuple) else (str(kind),)


def _known(thing: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in thing.items() if value}
