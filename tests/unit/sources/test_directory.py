"""The store in a directory."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fingerpost.sources.directory import BUILD_MARK, DirectoryStore
from fingerpost.sources.objects import ObjectChanged, ObjectMissing, StoreUnavailable


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A site's folder, with a secret beside it."""
    site = tmp_path / "site"
    (site / "content" / "docs").mkdir(parents=True)
    (site / "app.yaml").write_text("name: x")
    (site / "content" / "docs" / "a.md").write_text("# A")
    (site / "content" / "b.md").write_text("# B")
    (tmp_path / "secret.txt").write_text("secret")
    return site


def test_a_listing_is_sorted_and_relative(root: Path) -> None:
    """Keys are relative to the root and come in order of code points; a prefix is a prefix of text."""
    store = DirectoryStore(root)
    assert list(store.list()) == ["app.yaml", "content/b.md", "content/docs/a.md"]
    assert list(store.list("content/d")) == ["content/docs/a.md"]
    assert list(store.list("content/docs/")) == ["content/docs/a.md"]
    assert store.list("none/") == {}
    assert store.list("../") == {}


def test_a_listing_leaves_out_what_is_no_file_of_the_site(root: Path) -> None:
    """AppleDouble files, `.git`, `.fingerpost`, odd names and pipes don't exist; dot-files do (case 20)."""
    for name in (
        "._app.yaml",
        ".git/config",
        ".fingerpost/index",
        "content/.git/x",
        ".well-known/x",
        "a\\b",
        "a\nb",
    ):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("x")
    os.mkfifo(root / "pipe")
    (root / os.fsdecode(b"caf\xe9.md")).write_text("x")
    store = DirectoryStore(root)
    assert list(store.list()) == [".well-known/x", "app.yaml", "content/b.md", "content/docs/a.md"]
    for key in (".git/config", ".fingerpost/index", "content/.git/x", "pipe"):
        with pytest.raises(ObjectMissing):
            store.read(key)


@pytest.mark.parametrize(
    "made", ["node_modules/left-pad/index.md", "content/node_modules/a.md", ".venv/a.md", "work/dist/a.md"]
)
def test_a_listing_passes_over_what_programs_put_into_a_site(root: Path, made: str) -> None:
    """Installed packages and a build of the site are no files of it; in `public/` they are what was meant."""
    for key in (made, f"public/{made}"):
        (root / key).parent.mkdir(parents=True)
        (root / key).write_text("x")
        folder = (root / key).parent
        if folder.name == ".venv":
            (folder / "pyvenv.cfg").touch()
        if folder.name == "dist":
            (folder / BUILD_MARK).touch()
    keys = set(DirectoryStore(root).list())
    assert made not in keys
    assert {"app.yaml", f"public/{made}"} <= keys


def test_a_read_tells_the_files_own_time(root: Path) -> None:
    """The file's modification time is both the recorded and the stored one."""
    os.utime(root / "app.yaml", (1_700_000_000, 1_700_000_000))
    found = DirectoryStore(root).read("app.yaml")
    assert found.body == b"name: x"
    assert found.modified == found.stored == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)


def test_the_etag_is_of_the_content_alone(root: Path, tmp_path: Path) -> None:
    """A touched file keeps its ETag and a changed one does not, even of one size; two machines agree."""
    store = DirectoryStore(root)
    before = store.list()["app.yaml"].etag
    os.utime(root / "app.yaml", (1, 1))
    assert store.list()["app.yaml"].etag == before
    (root / "app.yaml").write_text("name: y")
    after = store.list()["app.yaml"].etag
    assert after != before
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "app.yaml").write_text("name: y")
    assert DirectoryStore(tmp_path / "copy").read("app.yaml").etag == after


def test_a_file_is_hashed_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second listing of unchanged files reads none of them."""
    store = DirectoryStore(root)
    first = store.list()
    monkeypatch.setattr(Path, "read_bytes", lambda self: pytest.fail(f"{self} was read again"))
    assert store.list() == first


def test_an_unchanged_file_is_not_read(root: Path) -> None:
    """With the ETag known there is nothing to give, before and after a touch; a change comes whole."""
    store = DirectoryStore(root)
    etag = store.read("app.yaml").etag
    assert store.read_if_changed("app.yaml", etag) is None
    os.utime(root / "app.yaml", (1, 1))
    assert store.read_if_changed("app.yaml", etag) is None
    (root / "app.yaml").write_text("name: changed")
    changed = store.read_if_changed("app.yaml", etag)
    assert changed is not None
    assert changed.body == b"name: changed"


@pytest.mark.parametrize(
    "key",
    [
        "../secret.txt",
        "content/../../secret.txt",
        "/etc/passwd",
        "a\0",
        "",
        "content",
        "x" * 300,
        "a/" * 400 + "b",
    ],
)
def test_nothing_outside_the_root_is_read(root: Path, key: str) -> None:
    """Traversal, absolute paths, folders and impossible names are missing, never an error of another kind."""
    store = DirectoryStore(root)
    with pytest.raises(ObjectMissing):
        store.read(key)
    with pytest.raises(ObjectMissing):
        store.read_if_changed(key, "x")
    with pytest.raises(ObjectMissing):
        store.read_listed(key, "x")
    assert store.read_many([key]) == {}
    assert store.read_many_listed({key: "x"}) == {}


def test_a_file_as_it_was_listed(root: Path) -> None:
    """With the ETag of the listing it is those bytes or none, also where it was only touched since."""
    store = DirectoryStore(root)
    etags = {key: info.etag for key, info in store.list("content/").items()}
    os.utime(root / "content" / "b.md", (1, 1))
    assert store.read_listed("content/b.md", etags["content/b.md"]) == b"# B"
    assert store.read_many_listed(etags) == {"content/b.md": b"# B", "content/docs/a.md": b"# A"}
    (root / "content" / "b.md").write_text("# Another")
    with pytest.raises(ObjectChanged):
        store.read_listed("content/b.md", etags["content/b.md"])
    with pytest.raises(ObjectChanged):
        store.read_many_listed(etags)


def test_a_file_deleted_while_it_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is taken away between the look at it and the reading is missing, and the rest is listed."""
    read = Path.read_bytes

    def taken_away(self: Path) -> bytes:
        if self.name == "b.md":
            self.unlink()
        return read(self)

    monkeypatch.setattr(Path, "read_bytes", taken_away)
    assert list(DirectoryStore(root).list()) == ["app.yaml", "content/docs/a.md"]
    (root / "content" / "b.md").write_text("# B")
    with pytest.raises(ObjectMissing):
        DirectoryStore(root).read("content/b.md")


def test_links_are_followed_only_inside(root: Path, tmp_path: Path) -> None:
    """A link within the site is what it names; one that leaves it does not exist; a circle ends."""
    (root / "inside.md").symlink_to("content/b.md")
    (root / "more").symlink_to("content")
    (root / "out.txt").symlink_to(tmp_path / "secret.txt")
    (root / "outside").symlink_to(tmp_path)
    (root / "content" / "back").symlink_to(root)
    (root / "content" / "round").symlink_to(root / "content")
    (root / "gone").symlink_to("nowhere")
    (root / "hidden").symlink_to(".git")
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("x")
    store = DirectoryStore(root)
    keys = set(store.list())
    assert {"inside.md", "more/b.md", "more/docs/a.md"} <= keys
    assert not any("secret" in key or "out" in key or "round" in key or "hidden" in key for key in keys)
    assert store.read("inside.md").body == b"# B"
    for key in ("out.txt", "outside/secret.txt", "gone", "hidden/config"):
        with pytest.raises(ObjectMissing):
            store.read(key)


def test_a_neighbour_whose_name_begins_alike_is_outside(root: Path, tmp_path: Path) -> None:
    """`site-old` is not below `site`."""
    (tmp_path / "site-old").mkdir()
    (tmp_path / "site-old" / "x.md").write_text("x")
    (root / "old.md").symlink_to(tmp_path / "site-old" / "x.md")
    with pytest.raises(ObjectMissing):
        DirectoryStore(root).read("old.md")


def test_many_files_are_read_but_for_the_missing(root: Path) -> None:
    """Missing files are left out and repeated keys are read once, in the order asked."""
    found = DirectoryStore(root).read_many(["content/b.md", "none.md", "app.yaml", "content/b.md"])
    assert list(found) == ["content/b.md", "app.yaml"]


def test_a_missing_root_is_unavailable(tmp_path: Path) -> None:
    """A folder that isn't there is not an empty site."""
    with pytest.raises(StoreUnavailable, match="expected a folder"):
        DirectoryStore(tmp_path / "none").list()


def test_an_unreadable_file_is_unavailable(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that the system refuses to read is named, with the reason."""

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(StoreUnavailable, match=r"app\.yaml: could not be read: Permission denied"):
        DirectoryStore(root).read("app.yaml")
