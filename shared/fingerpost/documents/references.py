"""References in an author's text, resolved as a browser would on the page (RFC 3986 5.2), with two additions
of the product's: a path that begins with `/` starts at the site's root, so it gains the base path, and a link
within the site gets the form of address that answers without a redirect, which ends in no slash.

What names a scheme, a fragment alone, or nothing is left as it stands.
"""

import re
from collections.abc import Callable
from typing import Protocol

from fingerpost.catalogue.addresses import Paths, split_path, with_base
from fingerpost.values import dataclass

# RFC 3986 3.1, as far as telling a scheme from a path needs.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# Where a path names what is below or beside a folder, and not the folder alone.
_NAMED = re.compile(r"(?:^|/)(?!\.{1,2}/)[^/]+/$")


class References(Protocol):
    """How the references of one text are written anew."""

    def link(self, reference: str) -> str:
        """What a reader follows."""

    def resource(self, reference: str) -> str:
        """What a page loads: images, media."""


@dataclass(frozen=True, slots=True)
class PageReferences:
    """For a text on its own page, whose address (a path) is `address`: relative references stay relative."""

    address: str = "/"
    paths: Paths = Paths()

    def link(self, reference: str) -> str:
        if _is_elsewhere(reference):
            return reference
        path, rest = split_path(reference)
        if not path:
            return reference
        target = _target(path, self.address, self.paths)
        published = self.paths.published(target)
        if path.startswith("/"):
            return published + rest
        if published == target:
            return reference
        return (path[:-1] if _NAMED.search(path) else published) + rest

    def resource(self, reference: str) -> str:
        is_rooted = reference.startswith("/") and not _is_elsewhere(reference)
        return with_base(reference, self.paths.base) if is_rooted else reference


AT_ROOT = PageReferences()
"""On a page of which nothing is known: of a site at its host's root, without languages."""


@dataclass(frozen=True, slots=True)
class AbsoluteReferences:
    """For a text that is read away from its page, whose absolute URL is `page_url`: each becomes a URL."""

    page_url: str
    paths: Paths = Paths()

    def link(self, reference: str) -> str:
        return self._absolute(reference, self.paths.published)

    def resource(self, reference: str) -> str:
        return self._absolute(reference, str)

    def _absolute(self, reference: str, form: Callable[[str], str]) -> str:
        scheme, _, rest = self.page_url.partition("://")
        if reference.startswith("//"):
            return f"{scheme}:{reference}"
        if _is_elsewhere(reference):
            return reference
        host, slash, page = split_path(rest)[0].partition("/")
        path, behind = split_path(reference)
        if not path:
            return f"{scheme}://{host}{slash}{page or '/'}{behind}"
        return f"{scheme}://{host}{form(_target(path, f'/{page}', self.paths))}{behind}"


def _is_elsewhere(reference: str) -> bool:
    """Whether a reference names no path of the site's."""
    return not reference or reference.startswith(("#", "//")) or _SCHEME.match(reference) is not None


def _target(path: str, address: str, paths: Paths) -> str:
    """The path that `path` leads to from the page at `address`."""
    if path.startswith("/"):
        return _without_dots(with_base(path, paths.base))
    return _without_dots(f"{address.rpartition('/')[0]}/{path}")


def _without_dots(path: str) -> str:
    """RFC 3986 5.2.4."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)
