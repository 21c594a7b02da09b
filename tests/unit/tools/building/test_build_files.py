"""Files of addresses: the name a static host looks for, and names that get in each other's way."""

import os
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalogue.addresses import build_path, is_addressable
from fingerpost_tools.building.files import FileNames, NameTaken, UnsafeName, page_file, twin_file

segments = st.lists(st.text(min_size=1, max_size=12).filter(is_addressable), min_size=1, max_size=4)
names = st.lists(
    st.sampled_from(["a", "A", "é", "e\u0301", "É", "ß", "SS", "b.html"]), min_size=1, max_size=3
)


@pytest.mark.parametrize(
    ("address", "base", "file"),
    [
        ("/", "", "index.html"),
        ("/about", "", "about.html"),
        ("/fr/", "", "fr/index.html"),
        ("/docs/start", "", "docs/start.html"),
        ("/v1.2", "", "v1.2.html"),
        ("/base/", "/base", "index.html"),
        ("/base/about", "/base", "about.html"),
        ("/b%C3%BCcher/100%2525", "", "bücher/100%25.html"),
        ("/a/.htaccess", "", "a/.htaccess.html"),
        ("/blog/a%2Fb", "", "blog/a/b.html"),
        ("/" + "x" * 250, "", "x" * 250 + ".html"),
    ],
)
def test_a_page_is_where_a_static_host_looks(address: str, base: str, file: str) -> None:
    """The path below the base, decoded once, with `.html`; a root is its folder's index."""
    assert page_file(address, base) == file


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("/" + "x" * 251, "at most 255 bytes, found 256"),
        ("/" + "%C3%A9" * 126, "at most 255 bytes, found 257"),
        ("/" + "x" * 256 + "/y", "at most 255 bytes, found 256"),
        ("/%2Fetc/passwd", "can be called ''"),
        ("/a%2F..%2F..%2Fb", r"can be called '\.\.'"),
        ("/a%2F", "takes it for a folder's"),
    ],
)
def test_what_no_name_can_hold_is_told(address: str, message: str) -> None:
    """A name too long for a file system, and one that would lead out of its folder, is no file."""
    with pytest.raises(UnsafeName, match=message):
        page_file(address, "")


def test_a_markdown_form_is_at_its_own_address() -> None:
    """`/docs/start.md` is that file; a root's is `index.md` below it."""
    assert twin_file("/base/docs/start.md", "/base") == "docs/start.md"
    assert twin_file("/fr/index.md", "") == "fr/index.md"


@given(segments)
def test_every_address_has_a_file_within_the_output_or_none(parts: list[str]) -> None:
    """Whatever an address says, its file is below the output, is named as the host decodes it, and fits."""
    address = build_path("", parts)
    try:
        file = page_file(address, "")
    except UnsafeName:
        return
    assert f"/{file}" == f"{unquote(address)}.html"
    assert os.path.normpath(file) == file
    assert not file.startswith(("/", "../"))
    assert all(0 < len(name.encode()) <= 255 for name in file.split("/"))


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("a.html", "a.html", "a.html is there already"),
        ("About.html", "about.html", "about.html and About.html are one name"),
        ("caf\u00e9.html", "cafe\u0301.html", "one name"),
        ("STRASSE.html", "straße.html", "one name"),
        ("docs/a.html", "Docs/b.html", "the folders Docs/ and docs/ are one name"),
        ("a.html", "a.html/b.html", "needs a folder a.html/, and a.html is a file"),
        ("a.html/b.html", "A.html", "can't be a file: a.html/ is a folder"),
    ],
)
def test_names_that_get_in_each_others_way(first: str, second: str, message: str) -> None:
    """The second of two names that some file system takes for one is refused, and says why."""
    given_away = FileNames()
    given_away.claim(first)
    with pytest.raises(NameTaken, match=message):
        given_away.claim(second)


@pytest.mark.parametrize(
    "pages", [("a.html", "a.html.html"), ("a.html.html", "a.html"), ("x/index.html",) * 2]
)
def test_a_page_that_hides_another(pages: tuple[str, str]) -> None:
    """`/a.html` would be answered with the page `/a`, whichever comes first: the second is refused."""
    given_away = FileNames()
    given_away.claim_page(pages[0])
    given_away.claim_page("b.html")
    given_away.claim("a.md")
    with pytest.raises(NameTaken):
        given_away.claim_page(pages[1])
    given_away.claim_page("a.css.html")


def test_a_refused_name_takes_nothing() -> None:
    """What was refused does not stand in the way of others."""
    given_away = FileNames()
    given_away.claim("a/b.html")
    with pytest.raises(NameTaken):
        given_away.claim("a/b.html/c/d.html")
    with pytest.raises(NameTaken):
        given_away.claim("A/c/b.html")
    given_away.claim("a/c/d.html")
    assert "a/C/D.html" in given_away
    assert "a/c/e.html" not in given_away


@given(st.lists(names.map("/".join), max_size=12))
def test_names_that_were_given_never_meet(wanted: list[str]) -> None:
    """Whatever is claimed, no two names given away are one to a file system that folds them, nor is a file
    of one a folder of another."""
    given_away, given_names = FileNames(), []
    for name in wanted:
        try:
            given_away.claim(name)
        except NameTaken:
            continue
        given_names.append(name)
    folded = [_folded(name) for name in given_names]
    assert len(set(folded)) == len(folded)
    folders = {folder for name in given_names for folder in _folders(name)}
    assert len({_folded(folder) for folder in folders}) == len(folders)
    assert not set(folded) & {_folded(folder) for folder in folders}


def _folders(name: str) -> list[str]:
    parts = name.split("/")[:-1]
    return ["/".join(parts[: end + 1]) for end in range(len(parts))]


def _folded(name: str) -> str:
    from unicodedata import normalize

    return normalize("NFC", normalize("NFD", name).casefold())
