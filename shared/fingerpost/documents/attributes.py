"""A component's `props` as HTML attributes: an allow-list, with URLs that can't run script."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from fingerpost.documents.escape import drop_forbidden, html_attribute
from fingerpost.documents.sanitise import SCHEMES, is_data_image, scheme_of
from fingerpost.site.placeholders import as_text

# What browsers remove from a URL before they read it (WHATWG URL, basic URL parser, steps 1 to 3).
_IGNORED_IN_URL = re.compile(r"[\t\n\r]|^[\x00-\x20]+|[\x00-\x20]+$")
_OPEN_NAME = re.compile(r"(?:aria|data)-[a-z0-9-]+")
_ARIA_CAMEL = re.compile(r"aria([A-Z][A-Za-z]*)")

_TEXT_NAMES = {
    "id": "id",
    "title": "title",
    "lang": "lang",
    "dir": "dir",
    "role": "role",
    "alt": "alt",
    "width": "width",
    "height": "height",
    "loading": "loading",
    "rel": "rel",
    "target": "target",
    "hreflang": "hreflang",
    "dateTime": "datetime",
    "datetime": "datetime",
    "colSpan": "colspan",
    "rowSpan": "rowspan",
}


def safe_url(url: str) -> str | None:
    """A link's URL; None where its scheme is not http, https, mailto or tel.

    Whatever escaping would drop goes first: what is left must be what is judged.
    """
    url = _IGNORED_IN_URL.sub("", drop_forbidden(url))
    scheme = scheme_of(url)
    return url if scheme is None or scheme in SCHEMES else None


def safe_image_url(url: str) -> str | None:
    """An image's URL, which may also be an embedded PNG, JPEG, GIF or WebP; None where it is unsafe."""
    return url if is_data_image(url) else safe_url(url)


def attributes(
    props: Mapping[str, Any], fill: Callable[[str], str], classes: str = "", **own: str | None
) -> str:
    """The attributes of one element, each with a space before it, escaped.

    `classes` come before the author's `className`. `own` are the component's attributes (`_` written as `-`);
    they win over `props`, and None leaves one out. URLs are never taken from `props`: a component gives its
    own, checked. Everything else in `props` that is not on the list is dropped.
    """
    named: dict[str, str] = {}
    given = fill(as_text(props.get("className") or props.get("class")))
    if joined := " ".join(filter(None, (classes, given.strip()))):
        named["class"] = joined
    for key, value in props.items():
        name = _attribute_name(key)
        if name is None or value is None or isinstance(value, Mapping):
            continue
        named[name] = fill(as_text(value))
    for key, text in own.items():
        name = key.strip("_").replace("_", "-")
        if text is None:
            named.pop(name, None)
        else:
            named[name] = text
    return "".join(f' {name}="{html_attribute(text)}"' for name, text in named.items())


def props_of(component: Mapping[str, Any]) -> Mapping[str, Any]:
    """A component's `props`, empty where it has none."""
    props = component.get("props")
    return props if isinstance(props, Mapping) else {}


def _attribute_name(key: str) -> str | None:
    if key in _TEXT_NAMES:
        return _TEXT_NAMES[key]
    if _OPEN_NAME.fullmatch(key):
        return key
    camel = _ARIA_CAMEL.fullmatch(key)
    return f"aria-{camel[1].lower()}" if camel else None
