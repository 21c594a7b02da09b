"""Every check, on a server that is broken in exactly the way it is for."""

import re

import pytest

from fingerpost_tools.auditing import checks
from fingerpost_tools.auditing.registry import CHECKS, Finding, check
from tests.unit.tools.auditing.audited import audit, found
from tests.unit.tools.auditing.faults import FAULTS
from tests.unit.tools.auditing.served_site import healthy_site

assert checks.__all__


def test_nothing_is_found_on_a_healthy_site() -> None:
    """A site in which all is well gets no finding, not even a hint."""
    report = audit(healthy_site())
    assert found(report) == {}
    assert report.notes() == []
    assert len(report.facts.pages) == 14
    assert len(report.facts.probes) == 8


def test_there_is_one_fault_for_each_check() -> None:
    """No check goes untested, and there are at least sixty."""
    assert FAULTS.keys() == CHECKS.keys()
    assert len(CHECKS) >= 60


@pytest.mark.parametrize("name", CHECKS)
def test_a_fault_is_named_and_nothing_else(name: str) -> None:
    """On a site with one fault, its check finds it and no other check finds anything."""
    site = healthy_site()
    FAULTS[name](site)
    assert list(found(audit(site))) == [name]


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_says_what_and_what_to_do(name: str) -> None:
    """Ids are kebab-case; meaning and advice are one sentence each."""
    each = CHECKS[name]
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", each.id)
    for sentence in (each.says, each.advice):
        assert sentence[0].isupper() or sentence.startswith(("llms.txt", "robots.txt"))
        assert sentence.endswith(".")
        assert "\n" not in sentence


def test_an_id_is_given_once() -> None:
    """A second check of one name is refused."""
    with pytest.raises(ValueError, match="two checks are called link-dead"):
        check("link-dead", CHECKS["link-dead"].severity, "Says.", "Advice.")(
            lambda facts: iter([Finding("x")])
        )
