"""Front matter as JSON and back: what a publication's index keeps of every article.

Nothing here reads YAML, so that a function which trusts the index need not load a parser.
"""

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Final

from fingerpost.site.model import FrontMatter, SitemapHints

_DEFAULTS: Final = FrontMatter()
_HINTS: Final = SitemapHints()
_MAPPINGS: Final = frozenset({"data", "lines"})


def to_json(front: FrontMatter) -> dict[str, Any]:
    """The front matter as JSON values, without what it says nothing of."""
    document: dict[str, Any] = {}
    for field in fields(front):
        value = getattr(front, field.name)
        if value == getattr(_DEFAULTS, field.name):
            continue
        if isinstance(value, SitemapHints):
            document[field.name] = {
                hint.name: getattr(value, hint.name)
                for hint in fields(value)
                if getattr(value, hint.name) != getattr(_HINTS, hint.name)
            }
        else:
            document[field.name] = dict(value) if field.name in _MAPPINGS else value
    return document


def from_json(document: Mapping[str, Any]) -> FrontMatter:
    """The front matter that `to_json` wrote. Raises TypeError where `document` is of another form."""
    values = dict(document)
    if "sitemap" in values:
        values["sitemap"] = SitemapHints(**values["sitemap"])
    for name in _MAPPINGS & values.keys():
        values[name] = MappingProxyType(dict(values[name]))
    return FrontMatter(**values)
