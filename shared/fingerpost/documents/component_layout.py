"""Components that arrange others: containers, cards, heroes, grids, accordions, tabs, breadcrumbs, tables."""

from collections.abc import Callable, Mapping
from typing import Any

from fingerpost.documents.component_scope import Component, Scope, first, items_of
from fingerpost.documents.escape import html_attribute, html_text
from fingerpost.documents.markdown import slug
from fingerpost.site.placeholders import as_text

_ELEMENT_NAMES = """
    div section article aside header footer nav ul ol li dl dt dd figure figcaption blockquote address span p
    details summary
"""
# `main` is not among them: it is the page's own, once, and a component that asks for it gets a plain box.
_ELEMENTS = frozenset(_ELEMENT_NAMES.split())


def container(component: Component, scope: Scope) -> str:
    """`container`: a box of any element that only groups; its `dataSource` needs a list, and is not read."""
    return _box(component, scope, "")


def flex(component: Component, scope: Scope) -> str:
    """`flex`: children in a row that wraps, or in a column."""
    column = scope.fill(first(component, "direction")) in ("column", "col", "vertical")
    return _box(component, scope, "fp-flex fp-column" if column else "fp-flex")


def grid(component: Component, scope: Scope) -> str:
    """`grid`: children in up to six equal columns, fewer where there is no room."""
    columns = scope.fill(first(component, "columns", "cols"))
    known = columns.isdecimal() and 1 <= int(columns) <= 6
    return _box(component, scope, f"fp-grid fp-grid-{int(columns)}" if known else "fp-grid")


def card(component: Component, scope: Scope) -> str:
    """`card`: a bordered box; `title`, `description`, `image` and `href` come before its children."""
    inner = _introduced(component, scope, "h3")
    return f"<div{scope.attributes(component, 'fp-card', title=None)}>{inner}</div>"


def hero(component: Component, scope: Scope) -> str:
    """`hero`: the opening of a page."""
    inner = _introduced(component, scope, "h1")
    return f"<section{scope.attributes(component, 'fp-hero', title=None)}>{inner}</section>"


def accordion(component: Component, scope: Scope) -> str:
    """`accordion`: sections that open and close by themselves; of a `single` one, one at a time."""
    opened = {as_text(name) for name in items_of(component, "defaultOpen")}
    alone = scope.fill(first(component, "accordionType")) == "single"
    group = html_attribute(scope.outline.take("accordion")) if alone else ""
    sections = []
    for item in items_of(component, "items") or _list(component.get("children")):
        if not isinstance(item, Mapping):
            continue
        label = scope.text(first(item, "title", "label", "summary", "trigger"))
        name = f' name="{group}"' if group else ""
        shown = " open" if as_text(first(item, "id", "value")) in opened - {""} else ""
        sections.append(f"<details{name}{shown}><summary>{label}</summary>{_body(item, scope)}</details>")
    return f"<div{scope.attributes(component, 'fp-accordion')}>{''.join(sections)}</div>"


def tabs(component: Component, scope: Scope) -> str:
    """`tabs`: every panel as a section below its label, reached from links at the top."""
    panels = items_of(component, "panels", "items", "tabs")
    children = _list(component.get("children"))
    links, sections = [], []
    for number, panel in enumerate(panels):
        if not isinstance(panel, Mapping):
            continue
        label = scope.fill(first(panel, "label", "title"))
        anchor = html_attribute(scope.outline.take(as_text(panel.get("id")) or slug(label)))
        body = _body(panel, scope) or scope.render(
            children[number] if number < len(children) else None, scope
        )
        links.append(f'<a href="#{anchor}">{html_text(label)}</a>')
        sections.append(f'<section id="{anchor}"><h3>{html_text(label)}</h3>{body}</section>')
    strip = f'<p class="fp-tab-links">{" ".join(links)}</p>' if len(links) > 1 else ""
    return f"<div{scope.attributes(component, 'fp-tabs')}>{strip}{''.join(sections)}</div>"


def breadcrumb(component: Component, scope: Scope) -> str:
    """`breadcrumb`: its own `items`, else the page's."""
    items = [
        (scope.fill(first(item, "label", "title", "content")), scope.href(first(item, "href", "url", "path")))
        for item in items_of(component, "items", "breadcrumbItems")
        if isinstance(item, Mapping)
    ] or [(link.title, None if link.current else link.address) for link in scope.view.breadcrumbs]
    return breadcrumb_trail(items, scope.words.breadcrumb) if items else ""


def breadcrumb_trail(items: list[tuple[str, str | None]], label: str) -> str:
    """A trail of titles and addresses; one without an address is the page itself."""
    steps = "".join(
        f'<li><a href="{html_attribute(address)}">{html_text(title)}</a></li>'
        if address
        else f'<li><span aria-current="page">{html_text(title)}</span></li>'
        for title, address in items
    )
    return f'<nav class="fp-breadcrumb" aria-label="{html_attribute(label)}"><ol>{steps}</ol></nav>'


def static_table(component: Component, scope: Scope) -> str:
    """`static-table`: `tableHeaders` and `tableRows` as written."""
    caption = scope.text(component.get("caption"))
    heads = "".join(
        f'<th scope="col">{_cell(head, scope)}</th>'
        for head in items_of(component, "tableHeaders", "headers", "columns")
    )
    rows = "".join(
        f"<tr>{''.join(f'<td>{_cell(cell, scope)}</td>' for cell in _list(row))}</tr>"
        for row in items_of(component, "tableRows", "rows")
    )
    return (
        f"<div{scope.attributes(component, 'fp-scroll')}><table>"
        + (f"<caption>{caption}</caption>" if caption else "")
        + (f"<thead><tr>{heads}</tr></thead>" if heads else "")
        + f"<tbody>{rows}</tbody></table></div>"
    )


def _box(component: Component, scope: Scope, classes: str) -> str:
    wanted = as_text(component.get("element") or component.get("type")).lower()
    element = wanted if wanted in _ELEMENTS else "div"
    return f"<{element}{scope.attributes(component, classes)}>{scope.inner(component)}</{element}>"


def _introduced(component: Component, scope: Scope, heading: str) -> str:
    parts = []
    if src := scope.image(first(component, "image")):
        alt = html_attribute(scope.fill(first(component, "imageAlt", "alt")))
        parts.append(f'<img src="{html_attribute(src)}" alt="{alt}" loading="lazy" decoding="async">')
    if title := scope.text(first(component, "title")):
        href = scope.href(first(component, "href", "to", "url"))
        linked = f'<a href="{html_attribute(href)}">{title}</a>' if href else title
        parts.append(f"<{heading}>{linked}</{heading}>")
        if heading == "h1":
            scope.outline.entitle(title)
    if description := scope.text(first(component, "description", "subtitle")):
        parts.append(f"<p>{description}</p>")
    return "\n".join([*parts, scope.inner(component)])


def _body(item: Mapping[str, Any], scope: Scope) -> str:
    text = first(item, "body", "content", "description")
    told = f"<p>{scope.value(text)}</p>" if isinstance(text, str) else scope.render(text, scope)
    return told + scope.render(item.get("children"), scope)


def _cell(cell: Any, scope: Scope) -> str:
    if isinstance(cell, Mapping) and "type" not in cell:
        return scope.text(first(cell, "label", "title", "content"))
    return scope.render(cell, scope) if isinstance(cell, Mapping) else scope.text(cell)


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


RENDERERS: Mapping[str, Callable[[Component, Scope], str]] = {
    "container": container,
    **dict.fromkeys(
        ("div", "section", "article", "aside", "header", "footer", "nav", "main", "figure"), container
    ),
    "flex": flex,
    "grid": grid,
    "card": card,
    "hero": hero,
    "accordion": accordion,
    "tabs": tabs,
    "breadcrumb": breadcrumb,
    "static-table": static_table,
}
