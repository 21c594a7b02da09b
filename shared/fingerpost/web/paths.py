"""Requested paths: under the base path, decoded once, with the trailing slash where it belongs."""

from fingerpost.catalogue.addresses import author_segments, build_path, decode_path
from fingerpost.catalogue.origin import Origin
from fingerpost.site.model import Site
from fingerpost.values import dataclass


@dataclass(frozen=True, slots=True)
class SitePath:
    """A path below the base path: its decoded segments. `redirect` is the form the path should have had."""

    segments: tuple[str, ...]
    redirect: str | None = None


def base_segments(origin: Origin) -> tuple[str, ...]:
    """The decoded segments of the base path."""
    return author_segments(origin.base)


def site_path(raw: str, query: str, site: Site, origin: Origin) -> SitePath | None:
    """Read a requested path (still encoded); None where it can be no address of the site.

    Only the root and each language's root end in a slash. Every other path that does, and a root that
    does not, is redirected once, with its query.
    """
    segments = decode_path(raw)
    base = base_segments(origin)
    if segments is None or segments[: len(base)] != base:
        return None
    rest = segments[len(base) :]
    slashed = bool(rest) and rest[-1] == ""
    inner = rest[:-1] if slashed else rest
    if not all(inner):
        return None
    languages = site.languages
    is_root = not inner or (languages is not None and len(inner) == 1 and languages.get(inner[0]) is not None)
    if slashed == is_root:
        return SitePath(inner)
    return SitePath(inner, build_path(origin.base, inner, root=is_root) + (f"?{query}" if query else ""))


def document_name(raw: str, origin: Origin) -> str | None:
    """The name of the file that was asked for directly below the base path; None for other paths."""
    segments = decode_path(raw)
    base = base_segments(origin)
    if segments is None or len(segments) != len(base) + 1 or segments[:-1] != base:
        return None
    return segments[-1]
