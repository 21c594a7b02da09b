"""A site held in memory: its files by key, as a store would hand them over."""

from collections.abc import Callable, Iterable, Mapping

import pytest

from fingerpost.site.loading import Loaded, load_site
from fingerpost.site.model import Page, Site
from fingerpost.site.problems import Problem, SiteError

Files = str | Mapping[str, str]


def _reader(files: Files) -> Callable[[Iterable[str]], Mapping[str, bytes]]:
    texts = {"app.yaml": files} if isinstance(files, str) else files
    return lambda keys: {key: texts[key].encode() for key in keys if key in texts}


@pytest.fixture
def load() -> Callable[[Files], Loaded]:
    """Load the files, or one `app.yaml`."""
    return lambda files: load_site(_reader(files))


@pytest.fixture
def site(load: Callable[[Files], Loaded]) -> Callable[[str], Site]:
    """Load `app.yaml` with `name: x` before the given text."""
    return lambda text: load(f"name: x\n{text}").site


@pytest.fixture
def page(site: Callable[[str], Site]) -> Callable[[str], Page]:
    """The one page of a site, from its keys in flow style."""
    return lambda keys: site(f"pages: [{{name: p, path: /p, {keys}}}]").pages[0]


@pytest.fixture
def errors(load: Callable[[Files], Loaded]) -> Callable[[Files], list[Problem]]:
    """The errors that keep the files from being a site."""

    def refused(files: Files) -> list[Problem]:
        with pytest.raises(SiteError) as caught:
            load(files)
        return caught.value.problems.errors

    return refused


@pytest.fixture
def page_errors(errors: Callable[[Files], list[Problem]]) -> Callable[[str], list[tuple[str, str]]]:
    """Identifier and config path of each error of a page, from its keys in flow style."""

    def found(keys: str) -> list[tuple[str, str]]:
        return [(p.id, p.place.path) for p in errors(f"name: x\npages: [{{name: p, path: /p, {keys}}}]")]

    return found
