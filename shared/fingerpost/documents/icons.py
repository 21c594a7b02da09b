"""Icons drawn on a grid of 24 by 24 with a line of the text's colour; no font and no request."""

from collections.abc import Mapping

from fingerpost.documents.escape import html_attribute

_PATHS: Mapping[str, str] = {
    "arrow-down": "M12 4v16M6 14l6 6 6-6",
    "arrow-left": "M20 12H4M10 6l-6 6 6 6",
    "arrow-right": "M4 12h16M14 6l6 6-6 6",
    "arrow-up": "M12 20V4M6 10l6-6 6 6",
    "book": "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11",
    "calendar": "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
    "check": "M4 13l5 5L20 7",
    "chevron-down": "M5 9l7 7 7-7",
    "chevron-left": "M15 5l-7 7 7 7",
    "chevron-right": "M9 5l7 7-7 7",
    "chevron-up": "M5 15l7-7 7 7",
    "clock": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 3",
    "download": "M12 4v11M7 11l5 5 5-5M5 20h14",
    "external-link": "M13 4h7v7M20 4l-9 9M17 14v6H4V7h6",
    "file": "M6 3h8l5 5v13H6zM14 3v5h5",
    "heart": "M12 20C6 16 3 12 3 8.5a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1C21 12 18 16 12 20z",
    "home": "M4 11l8-7 8 7v9H4zM10 20v-6h4v6",
    "info": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 11v5M12 7.5v.5",
    "mail": "M3 6h18v12H3zM3 7l9 7 9-7",
    "menu": "M4 7h16M4 12h16M4 17h16",
    "minus": "M5 12h14",
    "phone": "M5 4h4l2 5-2.5 2a11 11 0 0 0 4.5 4.5l2-2.5 5 2v4a1 1 0 0 1-1 1A16 16 0 0 1 4 5a1 1 0 0 1 1-1z",
    "plus": "M12 5v14M5 12h14",
    "rss": "M5 11a8 8 0 0 1 8 8M5 5a14 14 0 0 1 14 14M5 18.5h.5",
    "search": "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5L21 21",
    "star": "M12 3l2.7 5.9 6.3.7-4.7 4.3 1.3 6.3L12 17l-5.6 3.2 1.3-6.3L3 9.6l6.3-.7z",
    "user": "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21a8 8 0 0 1 16 0",
    "warning": "M12 4l9 16H3zM12 10v4M12 17v.5",
    "x": "M6 6l12 12M18 6L6 18",
}


def icon(name: str, label: str = "") -> str:
    """The icon as inline SVG, "" for a name we can't draw. Without a label it is decoration."""
    path = _PATHS.get(name.strip().lower())
    if path is None:
        return ""
    told = f'role="img" aria-label="{html_attribute(label)}"' if label else 'aria-hidden="true"'
    return f'<svg class="fp-icon" viewBox="0 0 24 24" {told}><path d="{path}"/></svg>'
