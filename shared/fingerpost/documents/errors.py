"""The pages of the answers that have no document: one text for every visitor, address and reason.

They name no page and link only to the site's root, so that nothing in them tells one case from another.
"""

from functools import lru_cache
from typing import Final

from fingerpost.documents.escape import html_attribute
from fingerpost.documents.stylesheet import STYLE_ELEMENT

# Base paths whose page is remembered; a function serves one, and another only once it is configured anew.
_BASES: Final = 4


def _page(status: int, title: str, sentence: str, href: str, link: str) -> bytes:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n'
        '<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="robots" content="noindex">\n'
        f"<title>{title}</title>\n"
        f"{STYLE_ELEMENT}\n"
        '</head>\n<body>\n<main class="fp-error">\n'
        f'<p class="fp-status">{status}</p>\n<h1>{title}</h1>\n<p>{sentence}</p>\n'
        f'<p><a class="fp-button" href="{html_attribute(href)}">{link}</a></p>\n'
        "</main>\n</body>\n</html>\n"
    ).encode()


@lru_cache(_BASES)
def not_found_page(base: str) -> bytes:
    """The page of every 404 of the site below the base path ("" or "/base", as its addresses begin)."""
    return _page(
        404, "Page not found", "There is nothing at this address.", f"{base}/", "Go to the start page"
    )


# RFC 3986 4.4: an empty reference is the address itself.
UNAVAILABLE_PAGE: Final = _page(
    503, "Temporarily unavailable", "Please try again in a moment.", "", "Try again"
)
