"""Which tests run in one process."""

import pytest

from tests.e2e import sites
from tests.scheduling import MODULES, bundle
from tests.template.cloudformation import ROOT


@pytest.mark.parametrize(
    ("nodeid", "name"),
    [
        ("tests/e2e/test_pages.py::test_html_has_no_parse_error[hugo-docs]", "hugo-docs"),
        ("tests/e2e/test_privacy.py::test_it_is_nowhere_else[demo below /wren-noindex page]", sites.BASED),
        ("tests/e2e/test_browser.py::test_a_page_looks_right[demo-home-1280-light]", "demo"),
        ("tests/e2e/test_browser.py::test_stored_attacks_run_nothing[sovrium-blog]", sites.BLOG),
        ("tests/e2e/test_fleet.py::test_every_set_is_whole", "timed"),
        ("tests/e2e/test_clients.py::test_x", "tests/e2e/test_clients.py"),
        ("tests/unit/tools/test_demo.py::test_x[demo]", "tests/unit/tools/test_demo.py"),
    ],
)
def test_a_test_is_bundled_by_what_it_shares(nodeid: str, name: str) -> None:
    """Tests of one served site share a bundle, whatever their other parameters; all others go by module."""
    assert bundle(nodeid) == name


def test_every_module_that_is_named_is_there() -> None:
    """No module that was renamed drops out of its bundle unnoticed."""
    assert [name for name in MODULES if not (ROOT / name).is_file()] == []


def test_no_site_is_served_in_two_processes(request: pytest.FixtureRequest) -> None:
    """Each test of this session that asks a served site is in that site's bundle."""
    asking = [item for item in request.session.items if "all_sites" in getattr(item, "fixturenames", ())]
    assert {bundle(item.nodeid) for item in asking} <= set(sites.ALL)
