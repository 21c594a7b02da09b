"""`fingerpost audit` on sites that Fingerpost itself serves: the demo and every real site, each page visited.

Three of the real sites are parts of larger ones: their articles link to pages that were not copied along.
What is found there is true, and nothing is found any more once their owner has done what the report advises.
"""

import contextlib
import io
import json
from pathlib import Path
from typing import Any, Final

import pytest

from fingerpost_tools.main import main
from tests.e2e import sites
from tests.e2e.conftest import Sites
from tests.e2e.evidence import untrue
from tests.e2e.mending import mend
from tests.e2e.serving import serving

pytestmark = pytest.mark.slow

PARTS_OF_A_SITE: Final = ("astro-docs", "hugo-docs", "prometheus-blog")


def audited(home: str) -> dict[str, Any]:
    """The report on the site at `home`, of whose pages none is left out and nothing fails."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        code = main(["audit", f"{home}/", "--json", "--post", "--max-pages", "10000", "--strict"])
    report: dict[str, Any] = json.loads(told.getvalue())
    assert (code, report["complete"], report["site"]) == (0, True, f"{home}/"), report["findings"]
    assert report["pages"] > 1
    return report


@pytest.fixture(scope="module")
def reports() -> dict[str, dict[str, Any]]:
    """The reports so far on the sites as they are, by name."""
    return {}


def report_on(name: str, all_sites: Sites, reports: dict[str, dict[str, Any]]) -> dict[str, Any]:
    served = all_sites.served(name)
    if name not in reports:
        reports[name] = audited(served.home)
    return reports[name]


@pytest.mark.parametrize("name", [name for name in sites.ALL if name not in PARTS_OF_A_SITE])
def test_nothing_is_found_on_a_whole_site(name: str, all_sites: Sites) -> None:
    """No error, no warning and no hint."""
    assert audited(all_sites.served(name).home)["findings"] == []


@pytest.mark.parametrize("name", PARTS_OF_A_SITE)
def test_every_hint_is_true(name: str, all_sites: Sites, reports: dict[str, dict[str, Any]]) -> None:
    """On part of a site nothing but hints is found, and the site's own files bear out each of them."""
    report = report_on(name, all_sites, reports)
    assert {finding["severity"] for finding in report["findings"]} == {"hint"}
    assert list(untrue(all_sites.served(name).root, report)) == []


@pytest.mark.parametrize("name", ["prometheus-blog"])
def test_a_hint_that_is_not_true_is_noticed(
    name: str, all_sites: Sites, reports: dict[str, dict[str, Any]]
) -> None:
    """A page that is there, a place that is there and a link that nobody wrote are no faults."""
    root, home = all_sites.served(name).root, report_on(name, all_sites, reports)["site"]
    pages = [
        f"{home}blog/2015-06-24-monitoring-dreamhack",
        f"{home}blog/2015-06-18-practical-anomaly-detection",
    ]
    false = [
        ("link-dead", {"address": pages[0], "pages": pages[1:]}),
        ("link-dead", {"address": f"{home}nobody/links/here", "pages": pages}),
        ("link-fragment", {"address": pages[0], "detail": f"{pages[0]}#the-equipment"}),
        ("title-duplicate", {"address": pages[0], "detail": "'PromQL'", "pages": pages[1:]}),
        ("description-missing", {"address": pages[0]}),
        ("no-such-check", {"address": home}),
    ]
    doctored = {"site": home, "findings": [{"id": check, "addresses": [each]} for check, each in false]}
    assert list(untrue(root, doctored)) == false


@pytest.mark.parametrize("name", PARTS_OF_A_SITE)
def test_nothing_is_found_once_the_advice_is_taken(
    name: str, all_sites: Sites, reports: dict[str, dict[str, Any]], reachable: Path
) -> None:
    """The report alone is enough to mend the site by: what it names is mended, and then it names nothing."""
    report = report_on(name, all_sites, reports)
    root = sites.copy(name, reachable / "mended")
    mend(root, report)
    with serving(root) as served:
        assert audited(served.home)["findings"] == []
