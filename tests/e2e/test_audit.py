"""`fingerpost audit` on sites that Fingerpost itself serves: the demo and every real site."""

import json
from typing import Final

import pytest

from fingerpost_tools.main import main
from tests.e2e import sites
from tests.e2e.conftest import Sites

# What the content of the real sites brings along, which is other people's and stays as it is: links to pages
# that were not copied with it, texts that several pages share, files that were all written at one moment.
OF_THE_CONTENT: Final = frozenset(
    {
        "description-duplicate",
        "description-long",
        "description-missing",
        "link-dead",
        "link-fragment",
        "link-redirects",
        "sitemap-lastmod-same",
        "title-duplicate",
        "title-long",
    }
)


@pytest.mark.parametrize("name", sites.ALL)
def test_a_served_site_has_no_fault(name: str, all_sites: Sites, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is found on the demo; on a real site nothing but hints at faults of its own content."""
    home = f"{all_sites.served(name).home}/"
    code = main(["audit", home, "--json", "--post", "--max-pages", "200", "--strict"])
    report = json.loads(capsys.readouterr().out)
    found = {finding["id"]: finding for finding in report["findings"]}
    allowed = OF_THE_CONTENT if name in sites.REAL else frozenset()
    assert {key: value for key, value in found.items() if key not in allowed} == {}
    assert code == 0
    assert report["site"] == home
    assert report["pages"] > 1
