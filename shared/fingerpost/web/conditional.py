"""Conditional requests: entity tags and whether a client's copy is still good (RFC 9110 8.8, 13.1)."""

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

# RFC 9110 8.8.3: an opaque tag holds no quote, no space and no control character.
_ENTITY_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
_GZIP_SUFFIX: Final = "-gzip"


def entity_tag(body: bytes) -> str:
    """The strong entity tag of `body`, quotes included: equal exactly where the bytes are."""
    # SHA-256 is what processors have instructions for; half of it is more than enough to tell bodies apart.
    return f'"{sha256(body).hexdigest()[:32]}"'


def gzip_tag(tag: str) -> str:
    """The strong entity tag of the gzip form of what `tag` names (RFC 9110 8.8.3.3)."""
    return f'{tag[:-1]}{_GZIP_SUFFIX}"'


def is_unchanged(headers: Mapping[str, str], tag: str) -> bool:
    """Whether a GET or HEAD with these request headers (lower-case names) is to be answered 304.

    If-None-Match alone decides, by weak comparison. What an answer is made of has no one date, so none says
    Last-Modified, and If-Modified-Since is ignored as RFC 9110 13.1.3 then demands.
    """
    wanted = headers.get("if-none-match", "").strip(" \t")
    return wanted == "*" or any(found[1] == tag for found in _ENTITY_TAG.finditer(wanted))
