"""`access` of a page and `read` of a table: who may read."""

from fingerpost.site.model import EVERYONE, SIGNED_IN, Access, Readers
from fingerpost.site.value import Value

_NAMED = {"all": EVERYONE, "authenticated": SIGNED_IN}
_EXPECTED = "`all`, `authenticated` or a list of roles"


def read_readers(value: Value) -> Readers | None:
    """`all`, `authenticated`, or a list of roles; an empty list lets in `admin` alone."""
    if value.is_list:
        roles = value.texts()
        for role in roles:
            if role in _NAMED:
                value.warning(
                    "role-name", f"expected roles, found `{role}` in a list, where it is a role's name"
                )
        return Readers(roles=frozenset(roles))
    named = None if value.is_mapping else _NAMED.get(value.node.value)
    if named is None:
        value.expected(_EXPECTED)
    return named


def read_access(value: Value) -> Access | None:
    """One of the forms above, or `{require, redirectTo}`."""
    if not value.is_mapping:
        readers = read_readers(value)
        return None if readers is None else Access(readers)
    keys = value.section(("require", "redirectTo"))
    required = keys.value("require")
    if required is None:
        if not keys.holds("require"):
            value.error("missing", f"expected `require` with {_EXPECTED}, found nothing")
        return None
    readers = read_readers(required)
    return None if readers is None else Access(readers, keys.read("redirectTo", _read_redirect))


def _read_redirect(value: Value) -> str | None:
    path = value.text()
    if path is None:
        return None
    if not path.startswith("/") or path.startswith(("//", "/\\")) or not path.isprintable():
        value.expected("a path of the site that begins with /", "bad-path")
        return None
    return path
