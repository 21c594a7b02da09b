"""Served sites and what they answer, once for the whole session."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import sites
from tests.e2e.crawling import Crawl, crawl
from tests.e2e.serving import Served, serving


class Sites:
    """Sites that are copied, served and crawled when a test first asks for them.

    One at a time, since a served site looks for changes all the while; the tests of one stand together
    (tests.scheduling).
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: tuple[str, Served] | None = None
        self._crawl: Crawl | None = None
        self._stack = contextlib.ExitStack()

    def served(self, name: str) -> Served:
        if not sites.is_here(name):
            pytest.skip(f"the site {name} is not on this machine")
        if self._open is None or self._open[0] != name:
            self.close()
            root = sites.copy(name, self._folder)
            self._stack.callback(shutil.rmtree, root)
            self._open = name, self._stack.enter_context(serving(root))
        return self._open[1]

    def crawl(self, name: str) -> Crawl:
        served = self.served(name)
        if self._crawl is None:
            self._crawl = crawl(name, served)
        return self._crawl

    def close(self) -> None:
        self._open = self._crawl = None
        self._stack.close()


@pytest.fixture(scope="session")
def reachable() -> Iterator[Path]:
    """A directory every user may pass through; pytest's own are closed, and Postgres never runs as root."""
    folder = Path(tempfile.mkdtemp(prefix="fingerpost-e2e-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def all_sites(reachable: Path) -> Iterator[Sites]:
    """Every site by name."""
    with contextlib.closing(Sites(reachable)) as found:
        yield found


@pytest.fixture(scope="session", params=sites.ALL)
def site(request: pytest.FixtureRequest, all_sites: Sites) -> Crawl:
    """Each site in turn, crawled."""
    return all_sites.crawl(request.param)


# One parameter each: it puts the site's name into the test's own, by which tests.scheduling goes.
@pytest.fixture(scope="session", params=[sites.DEMO])
def demo(request: pytest.FixtureRequest, all_sites: Sites) -> Crawl:
    """The demo site, crawled."""
    return all_sites.crawl(request.param)


@pytest.fixture(scope="session", params=[sites.BLOG])
def blog(request: pytest.FixtureRequest, all_sites: Sites) -> Crawl:
    """The blog with generated rows, crawled."""
    return all_sites.crawl(request.param)


@pytest.fixture(scope="session", params=[sites.GATED])
def handbook(request: pytest.FixtureRequest, all_sites: Sites) -> Crawl:
    """The gated handbook, crawled."""
    return all_sites.crawl(request.param)
