"""What the served sites have logged, once the other tests have asked them for everything."""

import re

import pytest

from tests.e2e import sites
from tests.e2e.crawling import Crawl

pytestmark = pytest.mark.slow

# The blog has two slugs that are longer than an address may be in a sitemap.
EXPECTED = {sites.BLOG: r"An address is too long for a sitemap and left out.*"}
ALWAYS = r"seed\.sql has filled the new database|updated: .*|"


def test_nothing_failed(site: Crawl) -> None:
    """No function of any site raised, warned or complained, whatever it was asked for."""
    allowed = re.compile(ALWAYS + EXPECTED.get(site.name, ""))
    lines = site.served.logged().splitlines()
    assert [line for line in lines if not allowed.fullmatch(line)] == []
