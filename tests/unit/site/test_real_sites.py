"""Real sites of others, where they stand beside the project: nothing in them is refused."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from fingerpost.site.frontindex import from_json, to_json
from fingerpost.site.frontmatter import body_of, read_front_matter
from fingerpost.site.loading import load_site

FOLDER = Path(__file__).parents[4] / "shared" / "real-sites"
SITES = sorted(path.parent for path in FOLDER.glob("*/app.yaml"))

pytestmark = pytest.mark.skipif(not SITES, reason="the real sites are not here")


@pytest.fixture(params=SITES, ids=lambda path: path.name)
def folder(request: pytest.FixtureRequest) -> Path:
    """One real site."""
    found: Path = request.param
    return found


def articles(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*.md")):
        yield path.relative_to(folder).as_posix(), path.read_bytes()


def test_configuration_loads(folder: Path) -> None:
    """A real configuration loads unchanged, without an error or a warning."""

    def read(keys: Iterable[str]) -> Mapping[str, bytes]:
        return {key: (folder / key).read_bytes() for key in keys if (folder / key).is_file()}

    loaded = load_site(read)
    assert list(loaded.problems) == []
    assert loaded.site.pages
    assert set(loaded.site.files) == {path.relative_to(folder).as_posix() for path in folder.rglob("*.yaml")}


def test_every_article_is_read(folder: Path) -> None:
    """Every real article's front matter reads, round-trips through JSON, and leaves the rest untouched."""
    for key, body in articles(folder):
        front, rest = read_front_matter(body, key)
        assert from_json(to_json(front)) == front
        assert body.endswith(rest.encode())
        assert body_of(body) == rest.encode()
