"""The comparison between a reader and a rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalogue.visitor import ANONYMOUS, Visitor, may_read
from fingerpost.site.model import EVERYONE, NOBODY, SIGNED_IN, Readers

MEMBERS = Readers(roles=frozenset({"member", "editor"}))
SOMEONE = Visitor(signed_in=True)
MEMBER = Visitor(signed_in=True, roles=frozenset({"member"}))
GUEST = Visitor(signed_in=True, roles=frozenset({"guest"}))
ADMIN = Visitor(signed_in=True, roles=frozenset({"admin"}))
UNPROVEN = Visitor(signed_in=False, roles=frozenset({"admin", "member"}))


@pytest.mark.parametrize(
    ("readers", "readable_by"),
    [
        (EVERYONE, {ANONYMOUS, SOMEONE, MEMBER, GUEST, ADMIN, UNPROVEN}),
        (SIGNED_IN, {SOMEONE, MEMBER, GUEST, ADMIN}),
        (MEMBERS, {MEMBER, ADMIN}),
        (NOBODY, {ADMIN}),
    ],
    ids=["everyone", "signed in", "members", "nobody"],
)
def test_table(readers: Readers, readable_by: set[Visitor]) -> None:
    """Each rule admits exactly its readers and admins; roles without a session admit nobody."""
    everybody = {ANONYMOUS, SOMEONE, MEMBER, GUEST, ADMIN, UNPROVEN}
    assert {visitor for visitor in everybody if may_read(readers, visitor)} == readable_by


@given(
    st.builds(Readers, st.booleans(), st.booleans(), st.frozensets(st.sampled_from("abc"))),
    st.frozensets(st.sampled_from("abc")),
    st.frozensets(st.sampled_from("abc")),
)
def test_more_roles_never_read_less(readers: Readers, roles: frozenset[str], more: frozenset[str]) -> None:
    """Signing in and gaining roles only ever opens things."""
    steps = [
        ANONYMOUS,
        Visitor(True, roles),
        Visitor(True, roles | more),
        Visitor(True, frozenset({"admin"})),
    ]
    verdicts = [may_read(readers, visitor) for visitor in steps]
    assert verdicts == sorted(verdicts)
