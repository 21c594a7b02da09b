"""Loading: a site's files as its checked configuration, or every reason why not."""

from typing import Final

from fingerpost.site.model import Site
from fingerpost.site.problems import NotASite, Place, Problems, SiteError
from fingerpost.site.reading import read_site
from fingerpost.site.refs import Read, join
from fingerpost.site.value import Value
from fingerpost.site.yaml12 import verify
from fingerpost.values import dataclass

CONFIGURATION: Final = "app.yaml"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A site that can be used, and what is still worth a warning about it."""

    site: Site
    problems: Problems


def load_site(read: Read) -> Loaded:
    """Load `app.yaml` and every file it reaches.

    `read` is asked for all files of one level in one call, and leaves out those that do not exist. What it
    raises passes through. Raises NotASite where there is no `app.yaml`, SiteError with all problems where
    any of them is an error.
    """
    problems = Problems()
    joined = join(CONFIGURATION, read, problems)
    if not joined.files:
        problems.error("no-site", Place(CONFIGURATION), f"expected a site, found no {CONFIGURATION}")
        raise NotASite(problems)
    site = None
    if joined.root is not None:
        site = read_site(Value(verify(joined.root, problems), "", problems), joined.files)
    if site is None or problems.errors:
        raise SiteError(problems)
    return Loaded(site, problems)
