"""For how long the documents may be kept: SPEC section 10, to the letter."""

import pytest

from tests.support import Clock
from tests.unit.web.answers import functions

PAGES = """pages:
  - {name: home, path: /}
  - {name: docs, path: "/docs/:slug", contentDir: {directory: content}, rss: true}
agents: {contentSignals: true}
"""
FILES: dict[str, str | bytes] = {"content/start.md": "---\ndate: 2025-01-01\n---\n# Start\n"}
FIVE_MINUTES = ("/robots.txt", "/feed.xml", "/llms.txt", "/llms-full.txt", "/agent-readability.json")


class Ticking(Clock):
    """A clock that goes on each time it is looked at, as every real one does."""

    def __call__(self) -> float:
        self.seconds += 0.01
        return self.seconds


@pytest.mark.parametrize("path", FIVE_MINUTES)
def test_a_document_is_good_for_five_minutes(path: str) -> None:
    """Each answer says 300 s, the first one and one from memory, to GET and HEAD alike; case 9."""
    clock = Ticking()
    site = functions(PAGES, FILES, clock=clock)
    for method in ("GET", "GET", "HEAD"):
        response = site.get(path, method=method)
        assert response.status == 200
        assert response.headers["cache-control"] == "public, max-age=300, stale-if-error=86400"
        clock.seconds += 20


def test_a_sitemap_is_good_for_what_is_left_of_its_minute() -> None:
    """The sitemap counts down."""
    clock = Clock()
    site = functions(PAGES, FILES, clock=clock)
    for left in (60, 40, 20):
        response = site.get("/sitemap.xml")
        assert response.headers["cache-control"] == f"public, max-age={left}, stale-if-error=86400"
        clock.seconds += 20
