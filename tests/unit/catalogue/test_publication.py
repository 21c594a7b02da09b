"""A site's files as one publication: read once, revalidated, never replaced by a broken one."""

from collections.abc import Mapping

import pytest

from fingerpost.catalogue.publication import Publications, read_publication
from fingerpost.errors import ConfigurationUnavailable
from fingerpost.site.problems import NotASite
from fingerpost.sources.objects import ObjectInfo, StoreUnavailable
from tests.support import Clock, MemoryStore

APP = "name: {name}\npages: [{{name: docs, path: '/docs/:slug', contentDir: {{directory: content}}}}]\n"
FILES = {
    "app.yaml": APP.format(name="One"),
    "content/a.md": "---\ntitle: A\n---\n",
    "content/b.md": "---\ntitle: B\n---\n",
    "public/robots.txt": "User-agent: *\n",
    "other/c.md": "---\ntitle: C\n---\n",
}
BROKEN = "name: [\n"


def opened(files: Mapping[str, str | bytes] = FILES) -> tuple[MemoryStore, Publications]:
    store = MemoryStore(files)
    return store, Publications(store, check_seconds=0)


def test_reads_what_it_needs() -> None:
    """The configuration and the articles are read, and no other file."""
    store, publications = opened()
    publication = publications.current()
    assert sorted(publication.articles) == ["content/a.md", "content/b.md"]
    assert store.reads == ["app.yaml", "content/a.md", "content/b.md"]
    assert publication.public_file("robots.txt") == "public/robots.txt"
    assert publication.public_file("sitemap.xml") is None
    assert publication.public_file("") is None


def test_only_changes_are_read_again() -> None:
    """A changed, a new and a removed article cost no more than the changed and the new one."""
    store, publications = opened()
    publications.current()
    store.reads.clear()
    assert publications.current() is publications.current()
    assert store.reads == []
    store.files |= {"content/a.md": b"---\ntitle: A2\n---\n", "content/d.md": b""}
    del store.files["content/b.md"]
    publication = publications.current()
    assert store.reads == ["content/a.md", "content/d.md"]
    assert sorted(publication.articles) == ["content/a.md", "content/d.md"]
    assert publication.articles["content/a.md"].front.title == "A2"


def test_checks_once_in_a_while() -> None:
    """Between two checks the store is not asked at all."""
    store, clock = MemoryStore(FILES), Clock(0)
    publications = Publications(store, check_seconds=5, clock=clock)
    first = publications.current()
    store.files["content/a.md"] = b""
    clock.seconds = 4.9
    assert publications.current() is first
    assert publications.outline() is first
    clock.seconds = 5
    assert publications.current() is not first


def test_last_good_configuration() -> None:
    """A configuration that breaks after a good one leaves the good one in place, and is counted once."""
    store, publications = opened()
    good = publications.current()
    outline = publications.outline()
    for broken in (BROKEN, "pages: 3\n", None):
        if broken is None:
            del store.files["app.yaml"]
        else:
            store.files["app.yaml"] = broken.encode()
        assert publications.current() is good
        assert publications.current() is good
        assert publications.outline() is outline
    store.files["app.yaml"] = APP.format(name="Two").encode()
    assert publications.current().site.name == "Two"
    assert publications.outline().site.name == "Two"


def test_files_beside_a_refused_configuration() -> None:
    """Files that come with a configuration that is refused are not taken in, nor the owner's alone for
    robots.txt."""
    store, publications = opened()
    whole, (other, alone) = publications.current(), opened()
    outline = alone.outline()
    for each in (store, other):
        each.files |= {"app.yaml": BROKEN.encode(), "public/robots.txt": b"new", "content/a.md": b"New"}
    assert publications.current() is publications.outline() is whole
    assert alone.outline() is outline


def test_refusal_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """A broken configuration is one line in the log, not one a second."""
    store, publications = opened()
    publications.current()
    store.files["app.yaml"] = BROKEN.encode()
    for _ in range(3):
        publications.current()
    assert caplog.text.count("The configuration is refused") == 1


@pytest.mark.parametrize("files", [{"app.yaml": BROKEN}, {}, {"app.yaml": ""}])
def test_cold_start_without_a_good_one(files: dict[str, str | bytes]) -> None:
    """A broken or missing configuration at the start is unavailable, until there is a good one."""
    store, publications = opened(files)
    for ask in (publications.current, publications.outline):
        with pytest.raises(ConfigurationUnavailable):
            ask()
    store.files["app.yaml"] = b"name: x\n"
    assert publications.current().site.name == "x"


def test_store_down() -> None:
    """While the store is down the last good content is served, and nothing at a cold start."""
    store, publications = opened()
    store.down = True
    for ask in (publications.current, publications.outline):
        with pytest.raises(StoreUnavailable):
            ask()
    store.down = False
    good, outline = publications.current(), publications.outline()
    store.down = True
    assert publications.current() is good
    assert publications.outline() is outline


def test_outline_after_a_broken_start_of_the_whole() -> None:
    """A configuration that the outline knows serves the whole, too."""
    store, publications = opened()
    publications.outline()
    store.files["app.yaml"] = BROKEN.encode()
    publication = publications.current()
    assert publication.site.name == "One"
    assert sorted(publication.articles) == ["content/a.md", "content/b.md"]


def test_outline_reads_no_article() -> None:
    """The outline knows the configuration and the owner's own files, and reads nothing else."""
    store, publications = opened()
    outline = publications.outline()
    assert store.reads == ["app.yaml"]
    assert outline.public_file("robots.txt") == "public/robots.txt"
    assert not outline.articles
    assert publications.outline() is outline


class Forgetful(MemoryStore):
    """A store in which `content/b.md` is listed, and removed before it is read."""

    def list(self, prefix: str = "") -> Mapping[str, ObjectInfo]:
        listing = super().list(prefix)
        self.files.pop("content/b.md", None)
        return listing


def test_removed_while_reading() -> None:
    """An article that is removed between the listing and its reading is not there."""
    publications = Publications(Forgetful(FILES), check_seconds=0)
    assert sorted(publications.current().articles) == ["content/a.md"]


def test_unreadable_articles() -> None:
    """An unreadable article is left out by name, read again only when it changes, and returns once mended."""
    store, publications = opened({**FILES, "content/a.md": "---\ndate: 2024-02-30\n---\n"})
    publication = publications.current()
    assert sorted(publication.articles) == ["content/b.md"]
    assert [problem.place.file for problem in publication.unreadable] == ["content/a.md"]
    store.reads.clear()
    store.files["other/d.md"] = b""
    publication = publications.current()
    assert store.reads == []
    assert [problem.place.file for problem in publication.unreadable] == ["content/a.md"]
    store.files["content/a.md"] = b"mended"
    publication = publications.current()
    assert sorted(publication.articles) == ["content/a.md", "content/b.md"]
    assert publication.unreadable == ()


def test_fingerprint() -> None:
    """The fingerprint is the same for the same files, and another for any change."""
    first = read_publication(MemoryStore(FILES)).fingerprint
    assert read_publication(MemoryStore(dict(reversed(FILES.items())))).fingerprint == first
    assert read_publication(MemoryStore({**FILES, "content/a.md": "x"})).fingerprint != first
    assert read_publication(MemoryStore({**FILES, "content/x.md": ""})).fingerprint != first


def test_no_site() -> None:
    """Where there is no `app.yaml` there is no site to build or check."""
    with pytest.raises(NotASite):
        read_publication(MemoryStore({"content/a.md": ""}))


def test_files_shared_by_directories() -> None:
    """An article that two pages publish is read once and published twice."""
    store = MemoryStore(
        {
            "app.yaml": "name: x\npages: [{name: a, path: '/a/:slug', contentDir: {directory: c}}, "
            "{name: b, path: '/b/:slug', contentDir: {directory: ./c/}}]",
            "c/x.md": "",
        }
    )
    assert sorted(read_publication(store).articles) == ["c/x.md"]
    assert store.reads == ["app.yaml", "c/x.md"]
