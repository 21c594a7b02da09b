"""A page's component tree as HTML, rendered on the server.

A type that has no form without script is left out; `skipped_types` names each for `check`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fingerpost.documents import component_data, component_layout, component_text
from fingerpost.documents.component_scope import Component, Scope
from fingerpost.documents.component_templates import place, template_name
from fingerpost.limits import COMPONENT_DEPTH
from fingerpost.site.model import Page, Site

_RENDERERS: Mapping[str, Callable[[Component, Scope], str]] = {
    **component_text.RENDERERS,
    **component_layout.RENDERERS,
    **component_data.RENDERERS,
}

# `visibility.when` of components that a visitor who is not signed in sees.
_SEEN_BY_ALL = frozenset({"always", "all", "unauthenticated", "anonymous", "guest"})
# Where a component keeps others.
_NESTING = ("content", "children", "items", "panels", "tabs", "itemTemplate", "template", "listDisplay")


def render_components(components: Any, scope: Scope) -> str:
    """The HTML of a component, a text, or a list of them, within a scope.

    A component whose `visibility` asks for more than an anonymous visitor is left out: a page's HTML is the
    same for everyone who may open it.
    """
    if isinstance(components, str):
        return scope.text(components)
    if isinstance(components, list | tuple):
        return "\n".join(filter(None, (render_components(member, scope) for member in components)))
    if not isinstance(components, Mapping):
        return ""
    if scope.depth >= COMPONENT_DEPTH or scope.budget.left <= 0:
        return ""
    scope.budget.left -= 1
    inner = scope.deeper()
    component = _in_language(components, scope.values.code)
    if not _seen_by_all(component):
        return ""
    template = _template_of(component, scope.view.site)
    if template is not None:
        return render_components(place(template, component), inner)
    renderer = _RENDERERS.get(str(component.get("type")))
    return "" if renderer is None else renderer(component, inner)


def skipped_types(page: Page, site: Site) -> list[tuple[str, str]]:
    """Each component of a page that is not rendered: its type, and where (`pages[2].components[0]`).

    A component inside a template is named where the template declares it. A `button` that leads nowhere is
    named too, and so is a template that does not exist.
    """
    number = next((index for index, other in enumerate(site.pages) if other is page), 0)
    found: dict[tuple[str, str], None] = {}
    placed: set[str] = set()
    for kind, path in _skipped(page.components, f"pages[{number}].components", site, placed):
        found[kind, path] = None
    return list(found)


def _template_of(component: Component, site: Site) -> Any:
    name = template_name(component)
    if name is not None:
        return site.templates.get(name)
    kind = component.get("type")
    return site.templates.get(kind) if isinstance(kind, str) and kind not in _RENDERERS else None


def _in_language(component: Component, code: str | None) -> Component:
    variants = component.get("i18n")
    variant = variants.get(code) if isinstance(variants, Mapping) and code else None
    if isinstance(variant, str):
        return {**component, "content": variant}
    return {**component, **variant} if isinstance(variant, Mapping) else component


def _seen_by_all(component: Component) -> bool:
    visibility = component.get("visibility")
    if visibility in (None, True):
        return True
    return isinstance(visibility, Mapping) and all(
        key == "when" and value in _SEEN_BY_ALL for key, value in visibility.items()
    )


def _skipped(node: Any, path: str, site: Site, placed: set[str]) -> Iterator[tuple[str, str]]:
    if isinstance(node, list | tuple):
        for number, member in enumerate(node):
            yield from _skipped(member, f"{path}[{number}]", site, placed)
    if not isinstance(node, Mapping):
        return
    kind = node.get("type")
    name = template_name(node) or (kind if isinstance(kind, str) and kind not in _RENDERERS else None)
    if name is not None and name in site.templates:
        if name not in placed:
            placed.add(name)
            yield from _skipped(site.templates[name], f"components.{name}", site, placed)
    elif name is not None:
        yield name, path
        return
    elif kind == "button" and component_text.destination(node) is None:
        yield "button", path
    for key in _NESTING:
        if isinstance(node.get(key), list | tuple | Mapping):
            yield from _skipped(node[key], f"{path}.{key}", site, placed)
