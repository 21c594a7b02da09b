"""Which files are articles, at which slugs, in which order."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalogue.articles import article_keys, sort_value
from fingerpost.catalogue.entry import Document
from fingerpost.catalogue.globs import compile_glob
from fingerpost.catalogue.publication import read_publication
from fingerpost.site.model import ContentDir
from fingerpost.sources.directory import DirectoryStore
from tests.unit.catalogue.catalogues import addresses, articles, catalogue_of, entry_at, titles

PAGE = """pages:
  - {{name: docs, path: '/docs/:path*', contentDir: {{directory: content, slugFrom: filepath, {more}}}}}
"""


def listed(files: dict[str, str | bytes], more: str = "") -> list[str]:
    return [each.removeprefix("/docs/") for each in addresses(catalogue_of(PAGE.format(more=more), files))]


@pytest.mark.parametrize(
    ("include", "keys"),
    [
        ("**/*.md", ["a.md", "b/c.md", "b/d/e.MD"]),
        ("*.md", ["a.md"]),
        ("b/*", ["b/c.md"]),
        ("b/**", ["b/c.md", "b/d/e.MD"]),
        ("**/[ac].md", ["a.md", "b/c.md"]),
        ("**/[!a].md", ["b/c.md", "b/d/e.MD"]),
        ("{a,b/c}.md", ["a.md", "b/c.md"]),
        ("?.md", ["a.md"]),
        ("a.md.md", []),
    ],
)
def test_include(include: str, keys: list[str]) -> None:
    """`include` is a glob below the directory; only Markdown files are articles, whatever their case."""
    content = ContentDir("content", include=include)
    files = ["a.md", "b/c.md", "b/d/e.MD", "b/x.txt", "amd"]
    prefixed = [f"content/{file}" for file in files] + ["contents/z.md", "z.md"]
    assert article_keys(content, None, prefixed) == [f"content/{key}" for key in keys]


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_glob_compiles(glob: str, key: str) -> None:
    """Whatever an author writes as a glob is one, and plain text matches itself."""
    compile_glob(glob).matches(key)
    plain = "".join(character for character in key if character not in "*?[]{},\\")
    assert compile_glob(plain).matches(plain)


@pytest.mark.parametrize(
    ("front", "kept"),
    [("", True), ("live: false", True), ("live: False", True), ("live:", True), ("live: no", False),
     ("live: true", False), ("live: off", False)],
)  # fmt: skip
def test_filter_of_false(front: str, kept: bool) -> None:
    """A filter for false takes files without the key too; `no` and `off` are texts (case 18)."""
    files: dict[str, str | bytes] = {"content/a.md": f"---\n{front}\n---\n"}
    assert listed(files, "filter: {live: false}") == (["a"] if kept else [])


@pytest.mark.parametrize(
    ("wanted", "front", "kept"),
    [
        ("guide", "guide", True),
        ("guide", "Guide", False),
        ("1.10", "1.10", True),
        ("1.10", "1.1", False),
        ("true", "true", True),
        ("2024-01-01", "2024-01-01", True),
        ("0123", "123", False),
    ],
)
def test_filter_compares_text(wanted: str, front: str, kept: bool) -> None:
    """Other values of a filter compare as text, and a file without the key is left out."""
    files: dict[str, str | bytes] = {"content/a.md": f"---\nkind: {front}\n---\n", "content/b.md": ""}
    assert listed(files, f"filter: {{kind: {wanted}}}") == (["a"] if kept else [])


def _file(**front: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in front.items()) + "---\n"


def test_sort_dates() -> None:
    """Dates, times without a zone and times with one sort as the moments they are (case 25)."""
    files: dict[str, str | bytes] = {
        "content/a.md": _file(date="2024-01-08"),
        "content/b.md": _file(date="2024-01-08 01:00"),
        "content/c.md": _file(date="2024-01-08T03:00:00+05:30"),
        "content/d.md": _file(date="2024-01-07T23:59:59Z"),
        "content/e.md": _file(title="none"),
    }
    assert listed(files, "sort: {field: date}") == ["c", "d", "a", "b", "e"]
    assert listed(files, "sort: {field: date, order: desc}") == ["b", "a", "d", "c", "e"]
    assert listed(files, "sort: {field: date, direction: desc}") == ["b", "a", "d", "c", "e"]


def test_sort_numbers_and_texts() -> None:
    """Numbers sort as numbers, before dates and texts; texts whatever their case; lists count as nothing."""
    values = {"a": "10", "b": "9", "c": "-1.5", "d": "beta", "e": "Alpha", "f": "2024-01-08", "g": "[1, 2]"}
    files: dict[str, str | bytes] = {f"content/{name}.md": _file(at=value) for name, value in values.items()}
    assert listed(files, "sort: {field: at}") == ["c", "b", "a", "f", "e", "d", "g"]


def test_author_order() -> None:
    """Without a sort, articles stand by their `order`, then by their file."""
    values = {"a": "2", "b": "10", "c": "1"}
    files: dict[str, str | bytes] = {
        f"content/{name}.md": _file(order=value) for name, value in values.items()
    }
    assert listed({**files, "content/0.md": ""}) == ["c", "a", "b", "0"]


def test_ties_keep_key_order() -> None:
    """Equal values stay in the order of their files, descending too."""
    files: dict[str, str | bytes] = {f"content/{name}.md": _file(order="1") for name in "cab"}
    assert listed(files) == ["a", "b", "c"]
    assert listed(files, "sort: {field: order, order: desc}") == ["a", "b", "c"]


@given(
    st.lists(
        st.one_of(
            st.integers().map(str),
            st.floats(allow_nan=False, allow_infinity=False).map(lambda number: f"{number:f}"),
            st.dates().map(str),
            st.datetimes().map(str),
            st.text(),
            st.sampled_from([True, False, None, [], {}]),
        )
    )
)
def test_any_values_sort(values: list[object]) -> None:
    """Whatever front matter holds, values compare (case 25)."""
    sorted(found for value in values if (found := sort_value({"x": value}, "x")) is not None)


def test_order_is_stable() -> None:
    """The catalogue does not depend on the order in which files are listed."""
    names = [f"content/{number}.md" for number in range(20)]
    shuffled = random.Random(1).sample(names, len(names))
    assert listed(articles(*names)) == listed(articles(*shuffled))


@pytest.mark.parametrize(
    ("key", "title"),
    [("content/my-page.md", "my-page"), ("content/guide/index.md", "guide"), ("content/index.md", "index")],
)
def test_title_from_the_slug(key: str, title: str) -> None:
    """An article without a title, an empty one too, is called by its slug (case 20)."""
    for body in ("", "Text"):
        catalogue = catalogue_of(PAGE.format(more=""), {key: body})
        assert titles(catalogue.all_entries()) == [title]


@pytest.mark.parametrize(
    ("front", "lastmod"),
    [
        ("lastmod: 2024-01-08", "2024-01-08"),
        ("updated: 2024-01-08T17:28:15+05:30", "2024-01-08T11:58:15Z"),
        ("lastModified: 2024-01-08 17:28", "2024-01-08T17:28:00Z"),
        ("date: 2020-01-01", "2026-01-02T03:04:05Z"),
        ("", "2026-01-02T03:04:05Z"),
    ],
)
def test_lastmod(front: str, lastmod: str) -> None:
    """A date stays a date, a time goes to UTC, and without one the file's time counts (cases 21, 22)."""
    catalogue = catalogue_of(PAGE.format(more=""), {"content/a.md": f"---\n{front}\n---\n"})
    assert entry_at(catalogue, "/docs/a").lastmod == lastmod


def test_a_date_falls_due() -> None:
    """An article dated in the future is nowhere until then, and the catalogue says when that is."""
    due = datetime(2026, 6, 1, 10, tzinfo=UTC)
    files: dict[str, str | bytes] = {
        "content/a.md": "---\ndate: 2026-06-01T12:00:00+02:00\n---\n",
        "content/b.md": "---\ndate: 2026-07-01\n---\n",
    }
    before = catalogue_of(PAGE.format(more=""), files, now=due - timedelta(seconds=1))
    assert addresses(before, Document.HTML) == []
    assert before.valid_until == due
    after = catalogue_of(PAGE.format(more=""), files, now=due)
    assert addresses(after) == ["/docs/a"]
    assert after.valid_until == datetime(2026, 7, 1, tzinfo=UTC)


def test_files_that_are_none(tmp_path: Path) -> None:
    """`._*` is ignored, an unreadable article left out by name, an empty one published (case 20)."""
    (tmp_path / "content" / "dir.md").mkdir(parents=True)
    (tmp_path / "app.yaml").write_text("name: x\n" + PAGE.format(more=""))
    for name, body in {
        "a.md": b"A",
        "._a.md": b"\0\1",
        "empty.md": b"",
        "latin.md": b"caf\xe9",
        "bad.md": b"---\na: [\n---\n",
        "date.md": b"---\ndate: 2024-02-30\n---\n",
    }.items():
        (tmp_path / "content" / name).write_bytes(body)
    publication = read_publication(DirectoryStore(tmp_path))
    assert sorted(publication.articles) == ["content/a.md", "content/empty.md"]
    unreadable = [problem.place.file for problem in publication.unreadable]
    assert unreadable == ["content/bad.md", "content/date.md", "content/latin.md"]
