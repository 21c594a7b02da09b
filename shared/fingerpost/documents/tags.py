"""The grammar of an HTML tag (CommonMark 6.6): pattern texts without groups, to be put into others."""

from typing import Final

_NAME = r"[A-Za-z][A-Za-z0-9-]*"
_ATTRIBUTE = r"""\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?"""

TAG_REST: Final = rf"(?:{_ATTRIBUTE})*\s*/?>"
"""What follows the name of an opening tag."""

OPEN_TAG: Final = rf"<{_NAME}{TAG_REST}"
CLOSING_TAG: Final = rf"</{_NAME}\s*>"
