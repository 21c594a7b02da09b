"""Sanitising: HTML that authors and records bring, reduced to what can't run, load a frame or submit.

The allow-list is applied by a real HTML parser (nh3), always as the last step before the page.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from fingerpost.documents.escape import drop_forbidden, drop_from_html

if TYPE_CHECKING:
    import nh3

_TAG_NAMES = """
    a abbr address article aside audio b bdi bdo blockquote br caption cite code col colgroup data dd del
    details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd li mark
    nav ol p picture pre q rp rt ruby s samp section small source span strike strong sub summary sup table
    tbody td tfoot th thead time tr u ul var video wbr
"""
_TAGS = frozenset(_TAG_NAMES.split())

# Elements whose content means nothing to a reader once they are gone.
_DROPPED_NAMES = "script style template noscript iframe object svg textarea title xmp noembed noframes"
_DROPPED_WHOLE = frozenset(_DROPPED_NAMES.split())

_ATTRIBUTES: dict[str, frozenset[str]] = {
    "*": frozenset({"id", "class", "title", "lang", "dir", "role"}),
    "a": frozenset({"href", "hreflang"}),
    "audio": frozenset({"src", "controls", "loop", "muted", "preload"}),
    "col": frozenset({"span", "align"}),
    "colgroup": frozenset({"span"}),
    "data": frozenset({"value"}),
    "del": frozenset({"datetime"}),
    "details": frozenset({"open"}),
    "div": frozenset({"align"}),
    "img": frozenset({"src", "srcset", "sizes", "alt", "width", "height", "align", "loading", "decoding"}),
    "input": frozenset({"checked", "disabled"}),
    "ins": frozenset({"datetime"}),
    "li": frozenset({"value"}),
    "ol": frozenset({"start", "type", "reversed"}),
    "p": frozenset({"align"}),
    "source": frozenset({"src", "srcset", "sizes", "type", "media"}),
    "table": frozenset({"align"}),
    "td": frozenset({"align", "colspan", "rowspan"}),
    "th": frozenset({"align", "colspan", "rowspan", "scope"}),
    "time": frozenset({"datetime"}),
    "tr": frozenset({"align"}),
    "video": frozenset({"src", "poster", "controls", "loop", "muted", "preload", "width", "height"}),
}

SCHEMES = frozenset({"http", "https", "mailto", "tel"})

# Tag, attribute and value -> the value to keep, None for none.
_Judge = Callable[[str, str, str], str | None]

_DATA_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*", re.IGNORECASE)
_SCHEME = re.compile(r"[\x00-\x20]*([A-Za-z][A-Za-z0-9+.\-]*):")
# Where HTML holds one of these, only the slower, attribute by attribute cleaner can judge its values.
_NEED_CARE = ("data:", "srcset")


def sanitise(html: str) -> str:
    """`html` with everything outside the allow-list removed, well formed.

    No script, style, form, frame or event attribute is left. URLs are http, https, mailto, tel or relative;
    `data:` only as a PNG, JPEG, GIF or WebP in an image's `src`. An `input` is always a disabled checkbox.
    """
    lowered = html.lower()
    judge = _keep if any(text in lowered for text in _NEED_CARE) else None
    clean = _cleaner(judge, "type", "checkbox").clean(drop_forbidden(html))
    # nh3 adds attributes in an order of the process; one in each pass keeps the bytes alike.
    clean = _cleaner(judge, "disabled", "").clean(clean) if "<input" in clean else clean
    return drop_from_html(clean)  # only now are character references (`&#1;`) characters


def strip_tags(html: str) -> str:
    """The text of `html`, still escaped as HTML; the content of scripts, styles and frames is gone."""
    return drop_from_html(_stripper().clean(drop_forbidden(html)))


def is_data_image(url: str) -> bool:
    """Whether a URL is an embedded raster image, which can't carry script."""
    return _DATA_IMAGE.fullmatch(url) is not None


def scheme_of(url: str) -> str | None:
    """The scheme of a URL in lower case, None where it is relative (RFC 3986 4.1), read as browsers do."""
    match = _SCHEME.match(url)
    return match[1].lower() if match else None


def _keep(tag: str, attribute: str, value: str) -> str | None:
    if attribute == "srcset":
        addresses = (part.split()[0] for part in value.split(",") if part.strip())
        return value if all(scheme_of(url) in (None, "http", "https") for url in addresses) else None
    if scheme_of(value) != "data" or attribute not in ("href", "src", "poster"):
        return value
    return value if (tag, attribute) == ("img", "src") and is_data_image(value) else None


@cache
def _cleaner(judge: _Judge | None, forced: str, value: str) -> "nh3.Cleaner":
    """A cleaner that gives every input the attribute `forced`; `judge` looks at each attribute's value."""
    import nh3

    return nh3.Cleaner(
        tags=set(_TAGS),
        clean_content_tags=set(_DROPPED_WHOLE),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        attribute_filter=judge,
        url_schemes=set(SCHEMES | {"data"} if judge else SCHEMES),
        generic_attribute_prefixes={"aria-"},
        tag_attribute_values={"a": {"tabindex": {"-1"}}, "input": {"type": {"checkbox"}}},
        set_tag_attribute_values={"input": {forced: value}},
        link_rel=None,
    )


@cache
def _stripper() -> "nh3.Cleaner":
    import nh3

    return nh3.Cleaner(tags=set(), clean_content_tags=set(_DROPPED_WHOLE), attributes={})
