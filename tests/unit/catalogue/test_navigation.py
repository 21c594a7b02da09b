"""Navigation among articles: groups, windows, neighbours."""

from fingerpost.catalogue.navigation import GROUP_LINKS, NO_NEIGHBOURS, Navigation, label_of
from tests.unit.catalogue.catalogues import LANGUAGES, articles, catalogue_of, entry_at, titles

PAGE = "pages: [{name: docs, path: '/docs/:slug', %s contentDir: {directory: content, nav: %s}}]"


def _front(**keys: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in keys.items()) + "---\n"


def test_groups() -> None:
    """Articles stand in the group that their front matter names, in the author's order, under its label."""
    catalogue = catalogue_of(
        PAGE % ("", "{groupBy: part, labelFrom: short, groupLabels: {one: First steps}}"),
        {
            "content/a.md": _front(part="one", order="2", title="A"),
            "content/b.md": _front(part="two", title="B"),
            "content/c.md": _front(part="one", order="1", title="C", short="See"),
            "content/d.md": _front(title="D"),
        },
    )
    navigation = Navigation(catalogue)
    around = navigation.around(entry_at(catalogue, "/docs/a"))
    assert around.title == "First steps"
    assert titles(around.group) == ["C", "A"]
    assert [label_of(entry) for entry in around.group] == ["See", "A"]
    assert around.previous is not None
    assert around.previous.address == "/docs/c"
    assert around.next is not None
    assert around.next.address == "/docs/b"
    assert navigation.around(entry_at(catalogue, "/docs/b")).title == "two"
    assert navigation.around(entry_at(catalogue, "/docs/d")).title is None


def test_window() -> None:
    """A long group is shown as a window around the article, so that no page grows with the site (case 78)."""
    catalogue = catalogue_of(PAGE % ("", "true"), articles(*(f"content/{n:03}.md" for n in range(200))))
    navigation = Navigation(catalogue)
    for slug, first in (("000", 0), ("010", 0), ("100", 80), ("199", 160)):
        around = navigation.around(entry_at(catalogue, f"/docs/{slug}"))
        assert titles(around.group) == [f"{n:03}" for n in range(first, first + GROUP_LINKS)]


def test_ends() -> None:
    """The first article has no previous one and the last no next one."""
    catalogue = catalogue_of(PAGE % ("", "true"), articles("content/a.md", "content/b.md"))
    navigation = Navigation(catalogue)
    first, last = (navigation.around(entry_at(catalogue, f"/docs/{slug}")) for slug in "ab")
    assert (first.previous, last.next) == (None, None)
    assert first.next is not None
    assert last.previous is not None


def test_without_navigation() -> None:
    """A directory without navigation shows no group; a page has no neighbours at all."""
    catalogue = catalogue_of(
        "pages: [{name: p, path: /p}, {name: docs, path: '/docs/:slug', contentDir: {directory: content}}]",
        articles("content/a.md", "content/b.md"),
    )
    navigation = Navigation(catalogue)
    around = navigation.around(entry_at(catalogue, "/docs/a"))
    assert around.group == ()
    assert around.next is not None
    assert navigation.around(entry_at(catalogue, "/p")) is NO_NEIGHBOURS


def test_hidden_and_absent() -> None:
    """What is hidden, drafted or left out is not named, on a restricted page either."""
    files: dict[str, str | bytes] = {
        "content/a.md": "",
        "content/b.md": _front(hidden="true"),
        "content/c.md": _front(draft="true"),
        "content/d.md": _front(date="2999-01-01"),
        "content/e.md": _front(noindex="true"),
    }
    for access in ("", "access: [member],"):
        catalogue = catalogue_of(PAGE % (access, "true"), files)
        navigation = Navigation(catalogue)
        assert titles(navigation.around(entry_at(catalogue, "/docs/a")).group) == ["a", "e"]
        assert navigation.around(entry_at(catalogue, "/docs/b")) is NO_NEIGHBOURS


def test_each_language_alone() -> None:
    """Articles of one language never neighbour those of another."""
    catalogue = catalogue_of(
        LANGUAGES
        + "pages: [{name: d, path: '/:slug', contentDir: {directory: 'content/{lang}', nav: true}}]",
        articles("content/en/a.md", "content/en/b.md", "content/fr/a.md"),
    )
    navigation = Navigation(catalogue)
    around = navigation.around(entry_at(catalogue, "/fr/a"))
    assert [entry.address for entry in around.group] == ["/fr/a"]
    assert (around.previous, around.next) == (None, None)
