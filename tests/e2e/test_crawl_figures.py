"""What tests/README.md tells of the sites that are crawled."""

from typing import Final

import pytest

from tests import figures
from tests.e2e.crawling import Crawl
from tests.e2e.markdown import links
from tests.template.cloudformation import ROOT

pytestmark = pytest.mark.slow

README: Final = ROOT / "tests" / "README.md"


def test_the_readme_counts_what_is_published(site: Crawl) -> None:
    """Pages, Markdown twins, documents, alternates, links of llms.txt and items of the feed, site by site."""
    pages = site.pages.values()
    llms, feed = (site.documents.get(name) for name in ("llms.txt", "feed.xml"))
    counts = (
        len(pages),
        sum(page.twin is not None for page in pages),
        len(site.documents),
        sum(len(page.alternates) for page in pages),
        0 if llms is None else len(links(llms.text)),
        0 if feed is None else feed.text.count("<item>"),
    )
    figures.hold_row(README, "crawl", [site.name, *(f"{count:,}" for count in counts)])
