"""What a misspelt key was meant to be, and the keys of the language that others read."""

import re
from collections.abc import Collection
from typing import Final

# The language is Sovrium's: an application's other settings stand in the same files. They are listed so that
# none is taken for a misspelt key of ours.
OTHERS: Final = frozenset(
    {
        "$ref", "$vars", "actions", "allowedTables", "allowMultiple", "analytics", "api", "auth",
        "automations", "badge", "buckets", "collapsed", "connections", "constraints", "create",
        "customElements", "dataSource", "defaultRole", "delete", "design", "detectBrowser",
        "displayField", "dnsPrefetch", "editUrl", "env", "favicon", "favicons", "forms", "groupIcons",
        "icon", "id", "indexed", "indexes", "issueUrl", "layout", "links", "mcp", "options", "palette",
        "params", "permanentDelete", "persistSelection", "preload", "presence", "primaryKey", "props",
        "query", "redirects", "relatedTable", "relationType", "required", "requires", "restore",
        "roles", "scripts", "source", "strategies", "stylesheet", "systemSources", "tabs", "theme",
        "themes", "toasts", "unique", "update", "vars", "version", "viewTransition", "views", "window",
        "write",
    }
)  # fmt: skip
# Keys that keep something from someone. Left out by a slip, or left empty, they would publish it.
GUARDS: Final = frozenset(
    {
        "access",
        "filter",
        "inherit",
        "noindex",
        "override",
        "permissions",
        "read",
        "require",
        "rowLevelPermissions",
    }
)
_RESEMBLANCE: Final = 0.8  # difflib's ratio: one or two letters of a usual key
_SEPARATORS: Final = re.compile("[^a-z0-9]+")


def suggestion(word: str, known: Collection[str]) -> str | None:
    """The known word that `word` was probably meant to be (`slug_field`, `SlugFeild` -> `slugField`).

    None where it resembles none, or is a key of the language that others read.
    """
    if word in OTHERS:
        return None
    from difflib import get_close_matches

    folded = {_SEPARATORS.sub("", name.lower()): name for name in known}
    nearest = get_close_matches(_SEPARATORS.sub("", word.lower()), folded, 1, _RESEMBLANCE)
    return folded[nearest[0]] if nearest else None
