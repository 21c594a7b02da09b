"""Which form a client prefers: Markdown or HTML (RFC 9110 12.5.1), gzip or not (12.5.3).

The CDN's viewer function decides by the same rule for Markdown, so that a cache holds two forms and not one
per spelling of the header; both are tested against one table of cases.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

# RFC 9110 5.6.2, 5.6.4 and 12.4.2.
_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105 - the grammar's name
_RANGE = re.compile(rf"{_TOKEN}/{_TOKEN}")
_CODING = re.compile(_TOKEN)
_PARAMETER = re.compile(rf'({_TOKEN})(?:=({_TOKEN}|"(?:[^"\\]|\\.)*"))?', re.DOTALL)
_QUALITY = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")
_SPACE: Final = " \t"

# How precisely a media range names a type, least first.
_NOT, _ANY, _GROUP, _OTHER_PARAMETERS, _NAMED, _OUR_PARAMETERS = range(6)


class _Member(NamedTuple):
    """One member of an Accept or Accept-Encoding list, lower case; `quality` is in thousandths."""

    name: str
    parameters: tuple[str, ...]
    quality: int


def prefers_markdown(accept: str | None) -> bool:
    """Whether an Accept value prefers `text/markdown` to `text/html`.

    True where Markdown is named, its q is above 0 and not below that of HTML. A wildcard never names it, and
    nothing acceptable still gets HTML. A malformed member counts as absent.
    """
    ranges = list(_members(accept or "", _RANGE))
    precision, markdown = _decisive("text/markdown", ranges)
    _, html = _decisive("text/html", ranges)
    return precision > _GROUP and markdown > 0 and markdown >= html


def accepts_gzip(accept_encoding: str | None) -> bool:
    """Whether an Accept-Encoding value wants gzip: named (`x-gzip` is an alias) or covered by `*`, with a q
    above 0 that is not below the q of an `identity` it names."""
    qualities: dict[str, int] = {}
    for name, _, quality in _members(accept_encoding or "", _CODING):
        coding = "gzip" if name == "x-gzip" else name
        qualities[coding] = max(quality, qualities.get(coding, 0))
    gzip = qualities.get("gzip", qualities.get("*", 0))
    return gzip > 0 and gzip >= qualities.get("identity", 0)


def _decisive(media_type: str, ranges: list[_Member]) -> tuple[int, int]:
    """Precision and q of the most specific range that covers `media_type`; of equally specific ones, the
    highest q. Nothing covers it: q is 0."""
    found = ((_precision(member, media_type), member.quality) for member in ranges)
    return max((pair for pair in found if pair[0] != _NOT), default=(_NOT, 0))


def _precision(member: _Member, media_type: str) -> int:
    """How precisely a range names `media_type`.

    Parameters that our form does not carry (`level=1`, `variant=GFM`) make a range a wish for something
    else; it counts only where no plain range names the type.
    """
    if member.name == media_type:
        if not member.parameters:
            return _NAMED
        return _OUR_PARAMETERS if member.parameters == ("charset=utf-8",) else _OTHER_PARAMETERS
    if member.name == "text/*":
        return _GROUP
    return _ANY if member.name == "*/*" else _NOT


def _members(field: str, wanted: re.Pattern[str]) -> Iterator[_Member]:
    """The members of a list whose name has the `wanted` form and whose parameters are well formed."""
    for text in _split(field, ","):
        name, *rest = (part.strip(_SPACE) for part in _split(text, ";"))
        if not wanted.fullmatch(name):
            continue
        parameters: list[str] = []
        quality: int | None = None
        for part in filter(None, rest):
            parameter = _PARAMETER.fullmatch(part)
            if parameter is None:
                break
            key, value = parameter[1].lower(), parameter[2] or ""
            if key != "q" or quality is not None:
                parameters.append(f"{key}={value.lower()}".replace('"', ""))
            elif _QUALITY.fullmatch(value):
                quality = round(float(value) * 1000)
            else:
                break
        else:
            yield _Member(name.lower(), tuple(parameters), 1000 if quality is None else quality)


def _split(text: str, separator: str) -> list[str]:
    """`text` cut at every `separator` outside a quoted string (RFC 9110 5.6.4). A quoted string that never
    ends reaches to the end of the text."""
    if '"' not in text:
        return text.split(separator)
    parts, start = [], 0
    quoted = escaped = False
    for index, character in enumerate(text):
        if escaped:
            escaped = False
        elif quoted and character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character == separator and not quoted:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]]
