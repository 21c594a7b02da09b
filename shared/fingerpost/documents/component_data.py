"""Components that show records: `list` and `data-table`, whose `dataSource` names a table."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fingerpost.documents.component_scope import Component, Scope, first, items_of
from fingerpost.documents.escape import html_attribute, html_text
from fingerpost.documents.markdown import body_text
from fingerpost.documents.view import Listing
from fingerpost.documents.words import time_element
from fingerpost.site.model import Table
from fingerpost.site.placeholders import as_text, fill_deep
from fingerpost.sources.records import Record

# A long body in a table's cell is shown by its start.
_CELL_CHARACTERS = 200
_BODY_TYPES = frozenset({"rich-text", "markdown", "long-text"})


def list_component(component: Component, scope: Scope) -> str:
    """`list`: one item per record from a template, or the component's own items where it has no source."""
    if not isinstance(component.get("dataSource"), Mapping):
        items = [
            scope.render(item, scope)
            for item in (*items_of(component, "items"), *items_of(component, "children"))
        ]
        return _list_of(component, scope, items)
    listing, table = _read(component, scope)
    if listing is None or not listing.records:
        return _empty(component, scope)
    items = [
        _item(component, scope.with_record(record, table), address)
        for record, address in _rows(component, listing)
    ]
    return _list_of(component, scope, items)


def data_table(component: Component, scope: Scope) -> str:
    """`data-table`: one row per record; its first cell leads to the record's own address."""
    listing, table = _read(component, scope)
    if listing is None or not listing.records:
        return _empty(component, scope)
    columns = list(_columns(component, listing, table))
    heads = "".join(f'<th scope="col">{scope.text(label)}</th>' for _, label in columns)
    rows = []
    for record, address in _rows(component, listing):
        inner = scope.with_record(record, table)
        cells = [_cell(inner, record.get(name), name) for name, _ in columns]
        if address and cells:
            cells[0] = f'<a href="{html_attribute(address)}">{cells[0] or html_text(address)}</a>'
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return (
        f"<div{scope.attributes(component, 'fp-scroll')}><table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _read(component: Component, scope: Scope) -> tuple[Listing | None, Table | None]:
    source = component.get("dataSource")
    if not isinstance(source, Mapping):
        return None, None
    source = fill_deep(source, scope.values)
    pagination = component.get("pagination")
    size = pagination.get("pageSize") if isinstance(pagination, Mapping) else None
    if size is not None and "limit" not in source:
        source = {**source, "limit": size}
    return scope.view.listing(source), scope.view.site.table(as_text(source.get("table")))


def _rows(component: Component, listing: Listing) -> list[tuple[Record, str | None]]:
    rows = list(zip(listing.records, listing.addresses, strict=True))
    most = as_text(first(_display(component), "maxItems") or component.get("maxItems"))
    return rows[: int(most)] if most.isdecimal() else rows


def _display(component: Component) -> Mapping[str, Any]:
    display = component.get("listDisplay")
    return display if isinstance(display, Mapping) else component


def _item(component: Component, scope: Scope, address: str | None) -> str:
    template = first(_display(component), "itemTemplate", "template")
    if isinstance(template, Mapping) and "type" not in template:
        return _described_item(template, scope, address)
    html = scope.render(template if template is not None else component.get("children"), scope)
    if address and html and "<a " not in html and "<summary" not in html:
        return f'<a class="fp-item" href="{html_attribute(address)}">{html}</a>'
    return html


def _described_item(template: Mapping[str, Any], scope: Scope, address: str | None) -> str:
    parts = []
    if src := scope.image(template.get("image")):
        parts.append(f'<img src="{html_attribute(src)}" alt="" loading="lazy" decoding="async">')
    title = scope.value(template.get("title"))
    if address:
        title = f'<a href="{html_attribute(address)}">{title or html_text(address)}</a>'
    if title:
        parts.append(f'<p class="fp-item-title">{title}</p>')
    lines = (scope.value(template.get(key)) for key in ("subtitle", "description"))
    parts.extend(f"<p>{line}</p>" for line in lines if line)
    small = (
        [f'<span class="fp-badge">{badge}</span>'] if (badge := scope.value(template.get("badge"))) else []
    )
    record = scope.values.record or {}
    for entry in items_of(template, "metadata"):
        name = as_text(entry.get("field") if isinstance(entry, Mapping) else entry)
        if cell := _cell(scope, record.get(name), name):
            small.append(f"<span>{cell}</span>")
    if small:
        parts.append(f'<p class="fp-meta">{" ".join(small)}</p>')
    return "\n".join(parts)


def _columns(component: Component, listing: Listing, table: Table | None) -> Iterator[tuple[str, str]]:
    """(field, label) of each column: those declared, else the table's fields that hold no long body."""
    declared = items_of(component, "columns")
    for column in declared:
        name = as_text(column.get("field") if isinstance(column, Mapping) else column)
        if name:
            label = column.get("label") if isinstance(column, Mapping) else None
            yield name, as_text(label) or _label(name)
    if not declared and table is not None:
        for field in table.fields:
            if field.type not in _BODY_TYPES and any(field.name in record for record in listing.records):
                yield field.name, _label(field.name)


def _label(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").strip().capitalize()


def _cell(scope: Scope, value: Any, name: str) -> str:
    if isinstance(value, str):
        if scope.shows_dates(name) and (date := time_element(value, scope.tag)):
            return date
        if scope.field_type(name) in _BODY_TYPES:
            return html_text(body_text(value, _CELL_CHARACTERS))
    return html_text(as_text(value))


def _list_of(component: Component, scope: Scope, items: list[str]) -> str:
    rows = "".join(f"<li>{item}</li>" for item in items if item)
    return f"<ul{scope.attributes(component, 'fp-list')}>{rows}</ul>"


def _empty(component: Component, scope: Scope) -> str:
    message = scope.text(first(component, "emptyMessage") or first(_display(component), "emptyMessage"))
    return f'<p class="fp-empty">{message}</p>' if message else ""


RENDERERS: Mapping[str, Callable[[Component, Scope], str]] = {
    "list": list_component,
    "data-table": data_table,
    "table": data_table,
}
