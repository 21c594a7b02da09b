"""Who asks, and the one comparison between a reader and a rule (SPEC section 4)."""

from typing import Final

from fingerpost.site.model import Readers
from fingerpost.values import dataclass

ADMIN: Final = "admin"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks: anonymous, or signed in with the roles that a verified session gave."""

    signed_in: bool = False
    roles: frozenset[str] = frozenset()


ANONYMOUS: Final = Visitor()


def may_read(readers: Readers, visitor: Visitor) -> bool:
    """Whether `visitor` is among `readers`. Roles count only in a session; `admin` reads everything,
    even what nobody else may."""
    if readers.everyone:
        return True
    if not visitor.signed_in:
        return False
    return ADMIN in visitor.roles or readers.signed_in or not readers.roles.isdisjoint(visitor.roles)
