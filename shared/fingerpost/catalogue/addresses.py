"""Addresses: percent-encoding, decoding and route patterns. The one builder of every published path.

Two kinds of text become addresses (SPEC section 3). A slug from a record or a file name is literal text.
A path that the author wrote may already be percent-encoded, and is then not encoded again.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from urllib.parse import quote, unquote_to_bytes

from fingerpost.limits import PATH_CHARACTERS
from fingerpost.values import dataclass

# RFC 3986 3.3 pchar, less the five characters that Markdown links (`&quot;` is one character in them), quoted
# attributes and robots patterns give a meaning of their own: ' ( ) * ;
_SAFE = "!$&+,=:@"
# RFC 3986 2.2 and 2.1: what a URL may hold as it is, percent-encodings included.
_URL_CHARACTERS = "%:/?#[]@!$&'()*+,;=~"
_HEX = frozenset("0123456789abcdefABCDEF")
_DOTS = frozenset({".", ".."})
# Files that a function of their own answers, directly below the base path.
_RESERVED = re.compile(r"sitemap(-[0-9]+)?\.xml|robots\.txt|feed\.xml|llms[^/]*\.txt|agent-readability\.json")


def encode_segment(text: str) -> str:
    """One path segment from its decoded form, percent-encoded once (RFC 3986 2.1, UTF-8).

    Raises UnicodeEncodeError on lone surrogates, which no URL can carry.
    """
    return quote(text, safe=_SAFE)


def encode_url(url: str) -> str:
    """A URL that somebody wrote, with what no URL may hold percent-encoded; what is encoded stays so."""
    return quote(url, safe=_URL_CHARACTERS, errors="replace")


def build_path(base: str, segments: Iterable[str], *, root: bool = False) -> str:
    """The path of decoded `segments` behind `base` ("" or "/base"); `root` keeps the trailing slash of
    the site's and a language's root. No segments are the root itself, always `/`."""
    path = "".join(f"/{encode_segment(segment)}" for segment in segments)
    return f"{base}{path}/" if root or not path else f"{base}{path}"


def _well_encoded(text: str) -> bool:
    """Whether every `%` in `text` starts an octet, and the octets are UTF-8."""
    parts = text.split("%")[1:]
    if not all(len(part) >= 2 and part[0] in _HEX and part[1] in _HEX for part in parts):
        return False
    try:
        unquote_to_bytes(text).decode()
    except UnicodeError:
        return False
    return True


def author_segment(text: str) -> str:
    """The decoded form of a segment as an author wrote it: `B%C3%BCcher` and `Bücher` are one."""
    return unquote_to_bytes(text).decode() if "%" in text and _well_encoded(text) else text


def decode_path(raw: str) -> tuple[str, ...] | None:
    """The segments of a requested path, each decoded exactly once; None where it can be no address of ours.

    `/a%2Fb` is one segment. A path that is too long, not UTF-8, badly encoded, or holds a control
    character or a dot segment, encoded or not, is None. A trailing slash gives a last segment "".
    """
    if not raw.startswith("/") or len(raw) > PATH_CHARACTERS:
        return None
    segments = []
    for part in raw[1:].split("/"):
        if "%" in part and not _well_encoded(part):
            return None
        try:
            segment = unquote_to_bytes(part).decode()
        except UnicodeError:
            return None
        if not is_addressable(segment, empty=True):
            return None
        segments.append(segment)
    return tuple(segments)


def is_addressable(segment: str, *, empty: bool = False) -> bool:
    """Whether a client can ask for `segment`: every client removes dot segments, encoded ones too
    (RFC 3986 5.2.4, WHATWG URL), and control characters do not survive the way.

    Nor may it hide a dot segment behind an encoded slash or a backslash (`..%2Fx`), which every path that
    tries to leave the site has, and which is refused for that alone.
    """
    if not segment:
        return empty
    if "." in segment and not _DOTS.isdisjoint(segment.replace("\\", "/").split("/")):
        return False
    if segment.isascii():
        return segment.isprintable()
    return not any(
        character < " " or "\x7f" <= character <= "\x9f" or "\ud800" <= character <= "\udfff"
        for character in segment
    )


def is_reserved(segments: Sequence[str]) -> bool:
    """Whether a well-known file answers at `segments`, whatever the pages say."""
    return len(segments) == 1 and "." in segments[0] and _RESERVED.fullmatch(segments[0]) is not None


class Kind(Enum):
    """The kinds of pattern segment: a literal, `:x` for one segment, `:x*` for the rest."""

    LITERAL = 0
    ONE = 1
    REST = 2


@dataclass(frozen=True, slots=True)
class Part:
    """One segment of a pattern; `text` is a literal's decoded form or a parameter's name."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A page's `path`, parsed. Literals are held decoded."""

    parts: tuple[Part, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(part.text for part in self.parts if part.kind is not Kind.LITERAL)

    @property
    def static_part(self) -> tuple[str, ...]:
        """The literals before the first parameter."""
        literals: list[str] = []
        for part in self.parts:
            if part.kind is not Kind.LITERAL:
                break
            literals.append(part.text)
        return tuple(literals)

    def match(self, segments: Sequence[str]) -> Mapping[str, str] | None:
        """The parameters of `segments` by name, None where they do not fit.

        `:x*` joins its segments with `/`.
        """
        found: dict[str, str] = {}
        for position, part in enumerate(self.parts):
            if part.kind is Kind.REST:
                rest = segments[position:]
                if not rest or not all(rest) or any("/" in segment for segment in rest):
                    return None  # `/a%2Fb` is not `/a/b`
                found[part.text] = "/".join(rest)
                return found
            if position >= len(segments) or not segments[position]:
                return None
            if part.kind is Kind.ONE:
                found[part.text] = segments[position]
            elif part.text != segments[position]:
                return None
        return found if len(segments) == len(self.parts) else None

    def fill(self, values: Mapping[str, str]) -> tuple[str, ...]:
        """The decoded segments with each parameter replaced: `:x*` by a value of several segments, and an
        empty value by nothing (the index of a content directory)."""
        segments: list[str] = []
        for part in self.parts:
            if part.kind is Kind.LITERAL:
                segments.append(part.text)
            elif not values[part.text]:
                continue
            elif part.kind is Kind.ONE:
                segments.append(values[part.text])
            else:
                segments.extend(values[part.text].split("/"))
        return tuple(segments)

    def without(self, parameter: str) -> "Pattern":
        """The pattern without one of its parameters: where a content directory's index is served."""
        return Pattern(tuple(p for p in self.parts if p.kind is Kind.LITERAL or p.text != parameter))

    def overlaps(self, other: "Pattern") -> bool:
        """Whether some path fits both patterns."""
        for mine, theirs in zip(self.parts, other.parts, strict=False):
            if Kind.REST in (mine.kind, theirs.kind):
                return True
            if mine.kind is theirs.kind is Kind.LITERAL and mine.text != theirs.text:
                return False
        return len(self.parts) == len(other.parts)

    def covers(self, other: "Pattern") -> bool:
        """Whether every path that fits `other` fits this pattern too."""
        for position, mine in enumerate(self.parts):
            if position >= len(other.parts):
                return False
            if mine.kind is Kind.REST:
                return True
            theirs = other.parts[position]
            if theirs.kind is Kind.REST or (mine.kind is Kind.LITERAL and mine != theirs):
                return False
        return len(self.parts) == len(other.parts)


def parse_pattern(path: str) -> Pattern:
    """Parse a page's `path`; `/` has no parts. Anything after a `:x*` is ignored, since it takes the rest."""
    parts: list[Part] = []
    for segment in path.split("/"):
        if not segment:
            continue
        if segment.startswith(":") and len(segment) > 1:
            if segment.endswith("*"):
                parts.append(Part(Kind.REST, segment[1:-1]))
                break
            parts.append(Part(Kind.ONE, segment[1:]))
        else:
            parts.append(Part(Kind.LITERAL, author_segment(segment)))
    return Pattern(tuple(parts))


def author_path(base: str, path: str) -> str:
    """A path that the author wrote (`/sign-in`, `/B%C3%BCcher?x=1#top`), encoded once and put behind `base`.

    Query and fragment stay as they are.
    """
    path, rest = split_path(path)
    segments = author_segments(path)
    return with_base(build_path("", segments, root=path.endswith("/") and bool(segments)), base) + rest


def with_base(reference: str, base: str) -> str:
    """A root-relative reference behind the base path, which it gains where its author left it out: a base
    path is in every URL exactly once (SPEC section 3)."""
    return reference if is_based(reference, base) else f"{base}{reference}"


@dataclass(frozen=True, slots=True)
class Paths:
    """The form of a site's published paths: they begin with `base` ("" or "/base"), and of them only `roots`,
    the site's and each language's, end in a slash."""

    base: str = ""
    roots: frozenset[str] = frozenset({"/"})

    def address(self, segments: Iterable[str]) -> str:
        """The published path of decoded segments below the base path."""
        return self.published(build_path(self.base, segments))

    def published(self, path: str) -> str:
        """A root-relative path in the form that answers without a redirect; one outside the site as it is."""
        if f"{path}/" in self.roots:
            return f"{path}/"
        if not path.endswith("/") or path.endswith("//") or path in self.roots:
            return path
        return path[:-1] if is_based(path, self.base) else path


def paths_of(base: str, codes: Iterable[str]) -> Paths:
    """The form of the paths of a site in these languages, below `base`."""
    roots = (build_path(base, (code,), root=True) for code in codes)
    return Paths(base, frozenset({build_path(base, ()), *roots}))


def is_based(reference: str, base: str) -> bool:
    """Whether a root-relative reference leads to the base path ("" or "/base") or below it."""
    return not base or reference == base or reference.startswith((f"{base}/", f"{base}?", f"{base}#"))


def author_segments(path: str) -> tuple[str, ...]:
    """The decoded segments of a path that the author wrote; empty ones do not count."""
    return tuple(author_segment(segment) for segment in path.split("/") if segment)


def split_path(reference: str) -> tuple[str, str]:
    """A reference's path, and what stands behind it: query and fragment with their marks, or ""."""
    end = next((at for at, character in enumerate(reference) if character in "?#"), len(reference))
    return reference[:end], reference[end:]
