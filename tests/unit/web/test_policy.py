"""The table of caching policies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.web.policy import Policy


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (Policy.SITEMAP, "public, max-age=60, stale-if-error=86400"),
        (Policy.DOCUMENT, "public, max-age=300, stale-if-error=86400"),
        (Policy.PAGE, "public, max-age=300"),
        (Policy.HASHED, "public, max-age=31536000, immutable"),
        (Policy.PRIVATE, "private, no-cache"),
        (Policy.UNSTORED, "no-store"),
    ],
)
def test_table(policy: Policy, expected: str) -> None:
    """Each policy says what the contract's table says."""
    assert policy.cache_control() == expected


@given(st.sampled_from([Policy.SITEMAP, Policy.DOCUMENT, Policy.PAGE]), st.integers(-1000, 1000))
def test_an_age_of_its_own(policy: Policy, age: int) -> None:
    """An answer's own age replaces the usual one, and is never below 0 (RFC 9111 1.2.2)."""
    assert f"max-age={max(0, age)}" in policy.cache_control(age).split(", ")


@pytest.mark.parametrize("policy", [Policy.PRIVATE, Policy.UNSTORED])
def test_an_age_never_opens_what_is_closed(policy: Policy) -> None:
    """What is private or not to be stored stays so, whatever age comes with it."""
    assert policy.cache_control(300) == policy.cache_control()
