"""Readers of sitemaps: valid by our own schema always, and by the published ones where they are at hand."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lxml import etree

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
_HERE = Path(__file__).parent
_PUBLISHED = Path(__file__).parents[4] / "shared" / "schemas"


class Element(NamedTuple):
    """One `<url>` or `<sitemap>`: what it holds, None where it does not, and its alternates as `tag url`."""

    loc: str
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    alternates: tuple[str, ...] = ()


@cache
def _schema(path: Path) -> Any:
    return etree.XMLSchema(etree.parse(path))


def read(body: bytes | None) -> list[Element]:
    """The elements of a valid sitemap or index."""
    assert body is not None
    root = etree.fromstring(body)
    _schema(_HERE / "sitemap.xsd").assertValid(root)
    published = "siteindex.xsd" if root.tag == f"{NAMESPACE}sitemapindex" else "sitemap-with-alternates.xsd"
    if (_PUBLISHED / published).exists():
        _schema(_PUBLISHED / published).assertValid(root)
    return [_element(child) for child in root]


def locs(body: bytes | None) -> list[str]:
    """The locs of a valid sitemap or index, in its order."""
    return [element.loc for element in read(body)]


def _element(element: Any) -> Element:
    texts = {name: element.findtext(f"{NAMESPACE}{name}") for name in Element._fields[:-1]}
    links = element.findall("{http://www.w3.org/1999/xhtml}link")
    return Element(**texts, alternates=tuple(f"{link.get('hreflang')} {link.get('href')}" for link in links))
