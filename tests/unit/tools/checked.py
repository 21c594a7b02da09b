"""Sites to check: written in the test, with nothing but what it says."""

from collections.abc import Mapping

from fingerpost.site.problems import Problem
from fingerpost_tools.check import examine
from tests.support import ORIGIN, MemoryStore

# Nothing is found in a site with these lines and no more.
CLEAN = "name: Acme\ndescription: A site.\npages:\n- {name: home, path: /}\n"
HEAD = "meta: {title: T, description: D}"

Files = Mapping[str, str | bytes]


def problems_of(app: str, files: Files | None = None, *, base_url: str | None = ORIGIN) -> list[Problem]:
    """What is found in the site `app` with its other files by key."""
    return examine(MemoryStore({"app.yaml": app, **(files or {})}), base_url)


def found(app: str, files: Files | None = None, *, base_url: str | None = ORIGIN) -> list[str]:
    """The same, as `id file:line`."""
    return [
        f"{problem.id} {problem.place.file}:{problem.place.line}"
        for problem in problems_of(app, files, base_url=base_url)
    ]
