"""A value of a configuration, read as the type that a key asks for.

A reader that finds another type reports it, with file, line and config path, and answers None, so that one
reading finds every problem of a site.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Self, TypeVar

from yaml.error import Mark
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from fingerpost.site.keys import GUARDS, suggestion
from fingerpost.site.problems import Place, Problems
from fingerpost.site.yaml12 import (
    BROKEN,
    PLAIN,
    boolean_of,
    float_of,
    integer_of,
    is_null,
    json_typed,
    plain,
)

T = TypeVar("T")
_SHOWN = 60  # characters of a value that a message repeats


class Value:
    """One value and where it stands: `path` is its config path, such as `pages[2].sitemap.priority`."""

    __slots__ = ("_mark", "node", "path", "problems")

    def __init__(self, node: Node, path: str, problems: Problems, key: Mark | None = None) -> None:
        self.node = node
        self.path = path
        self.problems = problems
        # The key's line is where an author looks, unless a $ref put the value into another file.
        self._mark = key if key is not None and key.name == node.start_mark.name else node.start_mark

    @property
    def place(self) -> Place:
        return Place(self._mark.name, self._mark.line + 1, self.path)

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.node, MappingNode)

    @property
    def is_list(self) -> bool:
        return isinstance(self.node, SequenceNode)

    @property
    def is_absent(self) -> bool:
        """Whether it is null, or could not be read at all (which is already reported)."""
        return is_null(self.node) or self.node.tag == BROKEN

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing: absent, false, or a collection without members."""
        return self.is_absent or boolean_of(self.node) is False or self.node.value in ([], "")

    def describe(self) -> str:
        """The value in words, for a message."""
        if self.is_mapping:
            return "a mapping"
        if self.is_list:
            return "a list"
        if self.is_absent:
            return "nothing"
        text = self.node.value
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        return f"`{shown}`" if self.node.tag == PLAIN else f"the text {shown!r}"

    def error(self, id: str, message: str) -> None:  # noqa: A002 - the field's own name
        self.problems.error(id, self.place, message)

    def warning(self, id: str, message: str) -> None:  # noqa: A002
        self.problems.warning(id, self.place, message)

    def expected(self, what: str, id: str = "wrong-type") -> None:  # noqa: A002
        """Report that `what` was expected here and something else was found."""
        self.error(id, f"expected {what}, found {self.describe()}")

    def text(self) -> str | None:
        """The scalar as its author wrote it, whatever type the core schema gives it."""
        if isinstance(self.node, ScalarNode) and not self.is_absent:
            return str(self.node.value)
        self.expected("text")
        return None

    def boolean(self) -> bool | None:
        """True or false; `yes`, `on` and `"true"` are text and no booleans."""
        found = boolean_of(self.node)
        if found is None:
            self.expected("true or false")
        return found

    @property
    def literal(self) -> bool | None:
        """True or false where the value is one of them, else None: for keys that take more than a boolean."""
        return boolean_of(self.node)

    def integer(self, least: int, most: int | None = None) -> int | None:
        """An integer from `least` to `most`, both included."""
        found = integer_of(self.node)
        if found is not None and found >= least and (most is None or found <= most):
            return found
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        self.expected(f"an integer {bounds}", "wrong-type" if found is None else "out-of-range")
        return None

    def number(self, least: float, most: float | None = None) -> str | None:
        """A decimal number in range, as its author wrote it (no exponent)."""
        found = float_of(self.node)
        decimal = found is not None and "e" not in self.node.value.lower()
        if found is not None and decimal and found >= least and (most is None or found <= most):
            return str(self.node.value)
        bounds = f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"
        self.expected(f"a decimal number {bounds}", "out-of-range" if decimal else "wrong-type")
        return None

    def choice(self, choices: Iterable[str]) -> str | None:
        """One of `choices`, spelt exactly so."""
        known = tuple(choices)
        if isinstance(self.node, ScalarNode) and self.node.value in known:
            return str(self.node.value)
        nearest = suggestion(self.node.value, known) if isinstance(self.node, ScalarNode) else None
        hint = f"; did you mean `{nearest}`?" if nearest else ""
        self.error("unknown-value", f"expected one of {', '.join(known)}, found {self.describe()}{hint}")
        return None

    def items(self) -> list[Self]:
        """The members of a list; members that could not be read are left out."""
        if not isinstance(self.node, SequenceNode):
            self.expected("a list")
            return []
        return [
            type(self)(item, f"{self.path}[{index}]", self.problems)
            for index, item in enumerate(self.node.value)
            if item.tag != BROKEN
        ]

    def texts(self) -> tuple[str, ...]:
        """The texts of a list."""
        return tuple(text for item in self.items() if (text := item.text()) is not None)

    def one_or_many(self) -> tuple[str, ...]:
        """The texts of a list, or a lone text as a list of one."""
        if self.is_list:
            return self.texts()
        text = self.text()
        return () if text is None else (text,)

    def section(self, known: Collection[str] = ()) -> "Section":
        """A mapping by its keys. Where `known` is given, a key that resembles one of them is a warning, and
        one of them that guards something has to have a value."""
        if not isinstance(self.node, MappingNode):
            self.expected("a mapping")
            return Section(self, {})
        prefix = f"{self.path}." if self.path else ""
        values: dict[str, Value] = {}
        for key, node in self.node.value:
            values.setdefault(key.value, Value(node, prefix + key.value, self.problems, key.start_mark))
        section = Section(self, values)
        if known:
            section.suggest(known)
            section.refuse_empty_guards(known)
        return section

    def plain(self) -> Any:
        """Plain data: dicts, lists, texts as written, True, False, and None for null."""
        return plain(self.node)

    def json(self) -> Any:
        """Data typed by the core schema, numbers included."""
        return json_typed(self.node)


class Section:
    """A mapping by its keys. A key whose value is null counts as absent, where it guards nothing."""

    __slots__ = ("_values", "whole")

    def __init__(self, whole: Value, values: Mapping[str, Value]) -> None:
        self.whole = whole
        self._values = values

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        return ((key, value) for key, value in self._values.items() if not value.is_absent)

    def __contains__(self, key: str) -> bool:
        return self.value(key) is not None

    def holds(self, key: str) -> bool:
        """Whether the key is written at all, be its value null."""
        return key in self._values

    def value(self, key: str) -> Value | None:
        """The value of a key, None where it is absent."""
        value = self._values.get(key)
        return None if value is None or value.is_absent else value

    def first(self, *keys: str) -> Value | None:
        """The value of the first of `keys` that is not absent."""
        return next((value for key in keys if (value := self.value(key)) is not None), None)

    def read(self, key: str, reader: Callable[[Value], T | None]) -> T | None:
        """What `reader` makes of a key's value, None where it is absent or of another type."""
        value = self.value(key)
        return None if value is None else reader(value)

    def text(self, key: str) -> str | None:
        """A key's text as written, None where it is absent."""
        return self.read(key, Value.text)

    def flag(self, key: str, default: bool) -> bool:
        """A key's boolean, `default` where it is absent."""
        found = self.read(key, Value.boolean)
        return default if found is None else found

    def required(self, key: str) -> str:
        """A key's text, which must be there and not be empty; "" and a problem where it is not."""
        value = self.value(key)
        if value is not None:
            text = value.text()
            if text == "":
                value.expected("text that is not empty", "missing")
            return text or ""
        if self.whole.is_mapping and (not self.holds(key) or is_null(self._values[key].node)):
            place = self.whole.place
            path = f"{place.path}.{key}" if place.path else key
            self.whole.problems.error(
                "missing", Place(place.file, place.line, path), f"expected `{key}`, found nothing"
            )
        return ""

    def texts(self) -> dict[str, str]:
        """Every key's text."""
        return {key: text for key, value in self if (text := value.text()) is not None}

    def places(self, prefix: str = "") -> Iterator[tuple[str, Place]]:
        """Where each key stands, nested ones by their dotted key below `prefix`."""
        for key, value in self:
            yield prefix + key, value.place
            if value.is_mapping:
                yield from value.section().places(f"{prefix}{key}.")

    def suggest(self, known: Collection[str]) -> None:
        """Warn of every key that resembles a known one and is none; where that one guards something, refuse
        the site, which would show to everyone what its author meant to keep."""
        for key, value in self._values.items():
            if key not in known and (nearest := suggestion(key, known)) is not None:
                report = value.error if nearest in GUARDS else value.warning
                report("unknown-key", f"expected a known key, found `{key}`; did you mean `{nearest}`?")

    def refuse_empty_guards(self, known: Collection[str]) -> None:
        """Refuse the site where a key that guards something is there and says nothing: `access:` with its
        value forgotten would open the page to everyone."""
        for key, value in self._values.items():
            if key in GUARDS and key in known and is_null(value.node):
                value.error("missing", f"expected a value for `{key}`, found nothing")
