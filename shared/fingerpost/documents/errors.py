"""The pages of the answers that have no document: one text for every visitor, address and reason.

They name no site and link only to the start of the host, so that nothing in them tells one case from another.
"""

from typing import Final

from fingerpost.documents.stylesheet import STYLE_ELEMENT


def _page(status: int, title: str, sentence: str) -> bytes:
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
        '<p><a class="fp-button" href="/">Go to the start page</a></p>\n'
        "</main>\n</body>\n</html>\n"
    ).encode()


NOT_FOUND_PAGE: Final = _page(404, "Page not found", "There is nothing at this address.")
UNAVAILABLE_PAGE: Final = _page(503, "Temporarily unavailable", "Please try again in a moment.")
