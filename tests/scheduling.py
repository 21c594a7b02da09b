"""Which tests pytest-xdist gives to one process, to run one after the other; and which of these bundles
begin.

A plugin of pytest. What is costly to set up is set up once: a module's tests stay together, and so do all
that ask one served site, and all that need the built stack. Tests that measure time stay together too, so
that none is held up by another.

The names of tests alone decide. The marks of `--dist loadgroup` do nothing since pytest 9.2
(pytest-dev/pytest-xdist#1386).
"""

import re
from typing import Any, Final

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.e2e import sites

TIMED: Final = "timed"
BUILT: Final = "built"
# Modules that are not a bundle by themselves.
MODULES: Final = {
    "tests/e2e/test_faults_postgres.py": TIMED,
    "tests/e2e/test_faults_s3.py": TIMED,
    "tests/e2e/test_fleet.py": TIMED,
    "tests/e2e/test_load.py": TIMED,
    "tests/e2e/test_shared_caches.py": TIMED,
    "tests/e2e/test_runtime.py": BUILT,
    "tests/template/test_build.py": BUILT,
}
# What takes longest begins, so that no process is left with it in the end.
FIRST: Final = (TIMED, "hugo-docs", BUILT, "astro-docs", sites.DEMO)
# Looks at what all other tests of its bundle have left behind.
LAST: Final = "test_site_logs.py"
# An end-to-end test of a served site has the site's name among its parameters.
_SITE: Final = re.compile(
    rf"tests/e2e/.*[\[-]({'|'.join(re.escape(name) for name in sorted(sites.ALL, reverse=True))})[\]-]"
)


def bundle(nodeid: str) -> str:
    """The bundle of a test: the served site, what else it shares with other modules, or its module."""
    if found := _SITE.match(nodeid):
        return found[1]
    module = nodeid.partition("::")[0]
    return MODULES.get(module, module)


class BundleScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Gives a process one bundle after the other."""

    def _split_scope(self, nodeid: str) -> str:
        return bundle(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> BundleScheduling:
    """Schedule by bundles; they are handed out in the order in which their first tests stand."""
    return BundleScheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the tests of a bundle together, and the longest bundles to the front."""
    bundles = [bundle(item.nodeid) for item in items]
    order = {name: place for place, name in enumerate(dict.fromkeys([*FIRST, *bundles]))}
    items.sort(key=lambda item: (order[bundle(item.nodeid)], item.path.name == LAST))
