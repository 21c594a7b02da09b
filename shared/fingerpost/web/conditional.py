"""Conditional requests: entity tags and whether a client's copy is still good (RFC 9110 8.8, 13.1, 13.2)."""

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


def is_unchanged(headers: Mapping[str, str], tag: str, last_modified: str | None) -> bool:
    """Whether a GET or HEAD with these request headers (lower-case names) is to be answered 304.

    If-None-Match decides where it is sent, by weak comparison; only without it does If-Modified-Since count,
    and only where the answer has a `last_modified` (IMF-fixdate). A malformed date counts as absent.
    """
    if "if-none-match" in headers:
        return _matches(headers["if-none-match"].strip(" \t"), tag)
    since = headers.get("if-modified-since")
    if since is None or last_modified is None:
        return False
    return since.strip() == last_modified or _is_not_after(last_modified, since)


def _matches(if_none_match: str, tag: str) -> bool:
    return if_none_match == "*" or any(found[1] == tag for found in _ENTITY_TAG.finditer(if_none_match))


def _is_not_after(last_modified: str, since: str) -> bool:
    """Whether the first HTTP date is not after the second, which may have any of the three forms of 5.6.7."""
    from datetime import UTC
    from email.utils import parsedate_to_datetime

    try:
        dates = [parsedate_to_datetime(text) for text in (last_modified, since)]
    except (ValueError, OverflowError):
        return False
    # An asctime date carries no zone; it is in UTC like every HTTP date.
    modified, seen = (date if date.tzinfo else date.replace(tzinfo=UTC) for date in dates)
    return modified <= seen
