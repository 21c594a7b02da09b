"""The one stylesheet, inlined in every page: no request, no font, no script."""

import re
from base64 import b64encode
from hashlib import sha256
from typing import Final

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINE_START = re.compile(r"\s*\n\s*")


def _read() -> str:
    # The file stands beside this module; pathlib would cost the cold start more than all the rest here.
    with open(f"{__file__.removesuffix('.py')}.css", encoding="utf-8") as file:
        return _LINE_START.sub("\n", _COMMENT.sub("", file.read())).strip()


STYLE: Final = _read()
"""The stylesheet as the page holds it: comments and indentation removed."""

STYLE_ELEMENT: Final = f"<style>{STYLE}</style>"

STYLE_SHA256: Final = f"sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}"
"""The hash (CSP 3, 2.3.1) that lets this stylesheet and no other apply: `style-src 'sha256-…'`."""
