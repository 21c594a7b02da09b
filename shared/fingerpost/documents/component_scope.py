"""What a component is rendered within: the page, the values of its placeholders, and how deep it stands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fingerpost.documents.attributes import attributes, props_of, safe_image_url, safe_url
from fingerpost.documents.escape import html_text
from fingerpost.documents.markdown import Outline, render_body
from fingerpost.documents.view import PageView
from fingerpost.documents.words import Words, time_element
from fingerpost.limits import COMPONENTS_PER_PAGE
from fingerpost.site.model import Table
from fingerpost.site.placeholders import (
    Values,
    as_text,
    fill,
    look_up,
    single_reference,
)
from fingerpost.sources.records import Record
from fingerpost.values import dataclass

Component = Mapping[str, Any]

_RICH_TYPES = frozenset({"rich-text", "markdown"})
_DATE_TYPES = frozenset({"date", "datetime", "created-at", "updated-at"})


@dataclass(slots=True)
class Budget:
    """How many components the page may still render."""

    left: int = COMPONENTS_PER_PAGE


@dataclass(frozen=True, slots=True)
class Scope:
    """One component's surroundings. `table` is the table `values.record` comes from; `tag` the page's
    BCP 47 tag; `render` renders one component, one text or a list of them within a scope."""

    view: PageView
    values: Values
    words: Words
    tag: str
    outline: Outline
    budget: Budget
    render: "Callable[[Any, Scope], str]"
    table: Table | None = None
    depth: int = 0

    def fill(self, value: Any) -> str:
        """A text of the author's with its placeholders filled, still to be escaped."""
        return fill(as_text(value), self.values)

    def text(self, value: Any) -> str:
        """A text of the author's, filled and escaped for an element's content."""
        return html_text(self.fill(value))

    def inner(self, component: Component) -> str:
        """The HTML inside a component: its `content` (text, or a list of components), then its `children`."""
        content = component.get("content")
        parts = [
            self.render(content, self) if isinstance(content, list | tuple | Mapping) else self.value(content)
        ]
        parts.append(self.render(component.get("children"), self))
        return "\n".join(filter(None, parts))

    def value(self, text: Any) -> str:
        """A text of the author's as HTML; where it is one date and nothing else, as `<time>`."""
        return self._whole_date(text) or self.text(text)

    def rich_text(self, text: Any) -> str | None:
        """The sanitised HTML of a text that is one rich-text or Markdown field, else None."""
        reference = single_reference(text) if isinstance(text, str) else None
        if reference is None or reference.source != "record":
            return None
        if self.field_type(reference.path) not in _RICH_TYPES:
            return None
        return self.markdown(as_text(look_up(reference, self.values)))

    def markdown(self, text: str) -> str:
        """Markdown, or a rich-text editor's HTML, as sanitised HTML of this page."""
        return render_body(text, self.words, self.outline, references=self.view.references).html

    def is_long_text(self, text: Any) -> bool:
        """Whether a text is one `long-text` field and nothing else: its line breaks are meant."""
        reference = single_reference(text) if isinstance(text, str) else None
        return (
            reference is not None
            and reference.source == "record"
            and self.field_type(reference.path) == "long-text"
        )

    def field_type(self, name: str) -> str | None:
        """The declared type of a field of the record's table, None where it is not declared."""
        fields = self.table.fields if self.table else ()
        return next((field.type for field in fields if field.name == name), None)

    def shows_dates(self, name: str) -> bool:
        """Whether a field's values may be shown as dates: by its type, or as a column nobody declared."""
        declared = self.field_type(name)
        return declared is None or declared in _DATE_TYPES

    def href(self, url: Any) -> str | None:
        """A link's URL, filled and checked; None where it is missing or unsafe."""
        text = self.fill(url)
        safe = safe_url(text) if text else None
        return None if safe is None else self.view.references.link(safe)

    def image(self, url: Any) -> str | None:
        """An image's URL, filled and checked; None where it is missing or unsafe."""
        text = self.fill(url)
        safe = safe_image_url(text) if text else None
        return None if safe is None else self.view.references.resource(safe)

    def attributes(self, component: Component, classes: str = "", **own: str | None) -> str:
        """The attributes of a component's own element."""
        return attributes(props_of(component), self.fill, classes, **own)

    def with_record(self, record: Record, table: Table | None) -> "Scope":
        """The scope of one item of a listing."""
        return replace(self, values=replace(self.values, record=record), table=table)

    def deeper(self) -> "Scope":
        """The scope of a component's children."""
        return replace(self, depth=self.depth + 1)

    def _whole_date(self, text: Any) -> str | None:
        reference = single_reference(text) if isinstance(text, str) else None
        if reference is None or (reference.source == "record" and not self.shows_dates(reference.path)):
            return None
        value = look_up(reference, self.values)
        return time_element(value, self.tag) if isinstance(value, str) else None


def first(component: Component, *keys: str) -> Any:
    """The first of these keys that the component or its `props` gives a value."""
    props = props_of(component)
    for key in keys:
        for source in (component, props):
            if source.get(key) not in (None, ""):
                return source[key]
    return None


def items_of(component: Component, *keys: str) -> Sequence[Any]:
    """The first of these keys that holds a list, else nothing."""
    for key in keys:
        value = first(component, key)
        if isinstance(value, list | tuple):
            return value
    return ()
