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
    """Sites that are copied, served and crawled when a test first asks for them, and stay so."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._served: dict[str, Served] = {}
        self._crawls: dict[str, Crawl] = {}

    def served(self, name: str) -> Served:
        if not sites.is_here(name):
            pytest.skip(f"the site {name} is not on this machine")
        if name not in self._served:
            self._served[name] = self._stack.enter_context(serving(sites.copy(name, self._folder)))
        return self._served[name]

    def stop(self) -> None:
        """Tell all servers to end, so that none is waited for while another still runs."""
        for served in self._served.values():
            served.stop()

    def crawl(self, name: str) -> Crawl:
        if name not in self._crawls:
            self._crawls[name] = crawl(name, self.served(name))
        return self._crawls[name]


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
    with contextlib.ExitStack() as stack:
        found = Sites(reachable, stack)
        yield found
        found.stop()


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
