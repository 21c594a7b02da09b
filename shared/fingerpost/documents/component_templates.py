"""Component templates: a tree under `components:` that pages place by name with their own `vars`.

Placed by `{$ref: name}`, `{component: name}` or a `type` that is the template's name. In the template,
`$x` and `$vars.x` stand for the variable `x`, and `children: $children` for what the page hands over.
"""

import re
from collections.abc import Mapping
from typing import Any

from fingerpost.documents.component_scope import Component
from fingerpost.site.placeholders import as_text

_VARIABLE = re.compile(r"\$(?:vars\.)?([A-Za-z]\w*(?:\.\w+)*)")
_SLOT = "$children"


def template_name(component: Component) -> str | None:
    """The template a component is placed from by `$ref` or `component`, None where it is an ordinary one."""
    for key in ("$ref", "component"):
        name = component.get(key)
        if isinstance(name, str) and name:
            return name
    return None


def place(template: Any, component: Component) -> Any:
    """A template's tree with the placing component's variables and children put into it."""
    variables: dict[str, Any] = {}
    for key in ("vars", "variables"):
        given = component.get(key)
        if isinstance(given, Mapping):
            variables.update(given)
    return _substitute(template, variables, component.get("children"))


def _substitute(value: Any, variables: Mapping[str, Any], slot: Any) -> Any:
    if isinstance(value, str):
        return slot if value.strip() == _SLOT else _substitute_text(value, variables)
    if isinstance(value, Mapping):
        return {key: _substitute(member, variables, slot) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_substitute(member, variables, slot) for member in value]
    return value


def _substitute_text(text: str, variables: Mapping[str, Any]) -> Any:
    whole = _VARIABLE.fullmatch(text.strip())
    if whole is not None:
        found, value = _look_up(whole[1], variables)
        if found and not isinstance(value, str):
            return value

    def replace(match: re.Match[str]) -> str:
        found, value = _look_up(match[1], variables)
        return as_text(value) if found else match[0]

    return _VARIABLE.sub(replace, text)


def _look_up(path: str, variables: Mapping[str, Any]) -> tuple[bool, Any]:
    value: Any = variables
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return False, None
        value = value[name]
    return True, value
