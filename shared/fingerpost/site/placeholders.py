"""Placeholders in the author's texts: `$record.x`, `$frontmatter.x` and `$t:key`.

What a placeholder gives is never read for placeholders again, so a record can't name another one. A missing
value is empty; a missing translation is its key.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, NamedTuple

from fingerpost.site.model import EMPTY, Languages
from fingerpost.values import dataclass

# A dot or hyphen belongs to a name only between two parts of it: `By $record.author.` ends a sentence.
_PLACEHOLDER = re.compile(r"\$(?:(record|frontmatter)\.(\w+(?:\.\w+)*)|t:(\w+(?:[.-]\w+)*))")


@dataclass(frozen=True, slots=True)
class Values:
    """What placeholders stand for. `code` is the current language, as in `languages.supported[].code`."""

    record: Mapping[str, Any] | None = None
    frontmatter: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    languages: Languages | None = None
    code: str | None = None


class Reference(NamedTuple):
    """The one value that a whole text stands for: `record` or `frontmatter`, and the dotted path in it."""

    source: str
    path: str


def fill(text: str, values: Values) -> str:
    """`text` with its placeholders filled, as plain text that is still to be escaped."""
    return _fill(text, values, str)


def fill_if_known(text: str, values: Values) -> str | None:
    """`text` with its placeholders filled; None where one of them stands for nothing: half an address is no
    address."""
    for match in _PLACEHOLDER.finditer(text):
        source, path, key = match.groups()
        if source is None:
            known = bool(translation(key, values.languages, values.code))
        else:
            known = bool(as_text(_descend(_source(source, values), path)[0]))
        if not known:
            return None
    return fill(text, values)


def record_fields(text: str) -> tuple[str, ...]:
    """The fields of a record that the placeholders of `text` name, each once."""
    names = (match[2].partition(".")[0] for match in _PLACEHOLDER.finditer(text) if match[1] == "record")
    return tuple(dict.fromkeys(names))


def fill_html(html: str, values: Values, escape: Callable[[str], str]) -> str:
    """`html` with its placeholders filled, each value passed through `escape` on its way in."""
    return _fill(html, values, escape)


def fill_deep(data: Any, values: Values) -> Any:
    """Plain data with the placeholders of every text in it filled; keys are left as they are."""
    if isinstance(data, str):
        return fill(data, values)
    if isinstance(data, Mapping):
        return {key: fill_deep(value, values) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [fill_deep(value, values) for value in data]
    return data


def single_reference(text: str) -> Reference | None:
    """The reference that is all of `text`, None where there is more in it, or a translation."""
    match = _PLACEHOLDER.fullmatch(text.strip())
    if match is None or match[1] is None:
        return None
    return Reference(match[1], match[2])


def look_up(reference: Reference, values: Values) -> Any:
    """The value that a reference names, None where there is none."""
    value, rest = _descend(_source(reference.source, values), reference.path)
    return None if rest else value


def translation(key: str, languages: Languages | None, code: str | None) -> str | None:
    """The text of a translation key: in `code`, else the fallback language, else the default one."""
    if languages is None:
        return None
    for candidate in (code, languages.fallback, languages.default):
        text: str | None = languages.translations.get(candidate or "", {}).get(key)
        if text is not None:
            return text
    return None


def as_text(value: Any) -> str:
    """A plain value as a reader sees it: nothing for null, a list's members joined by commas."""
    if value is None or isinstance(value, Mapping):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | tuple):
        return ", ".join(filter(None, map(as_text, value)))
    return str(value)


def _fill(text: str, values: Values, escape: Callable[[str], str]) -> str:
    if "$" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        source, path, key = match.groups()
        if source is None:
            return escape(translation(key, values.languages, values.code) or key)
        value, rest = _descend(_source(source, values), path)
        return escape(as_text(value)) + rest

    return _PLACEHOLDER.sub(replace, text)


def _source(name: str, values: Values) -> Mapping[str, Any]:
    return (values.record or EMPTY) if name == "record" else values.frontmatter


def _descend(data: Mapping[str, Any], path: str) -> tuple[Any, str]:
    """The value at a dotted path, and the part of the path behind it that names nothing (`.Next` where a
    sentence without a space follows)."""
    value: Any = data
    rest = path
    while rest and isinstance(value, Mapping):
        name, _, rest = rest.partition(".")
        value = value.get(name)
    return value, f".{rest}" if rest else ""
