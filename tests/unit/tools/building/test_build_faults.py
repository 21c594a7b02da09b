"""What a build can't write: each is named, and the rest is built; or nothing is, and the old output stays."""

from pathlib import Path
from typing import Any

import pytest

from fingerpost.documents.html import render_page
from fingerpost_tools.building import writing
from fingerpost_tools.building.planning import plan
from tests.unit.tools.building.sites import ORIGIN, Build, files, fingerprint, text, write


def test_an_unreadable_article_is_named(build: Build, site: Path, out: Path) -> None:
    """Exit code 1 and the file's place; the rest of the site is built."""
    write(site, {"content/bad.md": "---\ntitle: [\n---\n", "content/latin.md": b"caf\xe9"})
    result = build()
    assert result.code == 1
    places = [(p["file"], p["severity"]) for p in result.report["problems"]]
    assert sorted(places) == [("content/bad.md", "error"), ("content/latin.md", "error")]
    assert "docs/guide/start.html" in files(out)
    assert "docs/bad.html" not in files(out)
    assert "content/bad.md:" in build(json=False).out


def test_names_that_differ_in_case_alone(build: Build, site: Path, out: Path) -> None:
    """The second is named and not written over the first; the sitemap is the served one all the same."""
    write(site, {"content/guide/Start.md": "Other\n"})
    result = build()
    assert result.code == 1
    (problem,) = result.report["problems"]
    assert problem["file"] == "content/guide/start.md"
    assert problem["message"].startswith("/docs/guide/start is not written: ")
    assert text(out, "docs/guide/Start.md") == "Other\n"
    assert "docs/guide/start.html" not in files(out)
    assert f"<loc>{ORIGIN}/docs/guide/start</loc>" in text(out, "sitemap.xml")


def test_names_that_no_disk_can_hold(build: Build, site: Path, out: Path) -> None:
    """A name that is too long with `.html` is told by address, and its Markdown, which fits, not written."""
    write(site, {f"content/{'x' * 252}.md": "Long\n"})
    result = build()
    assert result.code == 1
    assert result.problems() == [
        f"/docs/{'x' * 252} is not written: expected file names of at most 255 bytes, found 257"
    ]
    assert not any("xxx" in name for name in files(out))


def test_a_page_that_can_not_be_rendered(build: Build, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One page that fails is named, and the others are written."""

    def fail(view: Any) -> bytes:
        if view.entry.address == "/about":
            raise RecursionError("too deep")
        return render_page(view)

    monkeypatch.setattr("fingerpost_tools.building.rendering.render_page", fail)
    result = build()
    assert result.code == 1
    assert result.problems() == ["/about can't be rendered: RecursionError: too deep"]
    assert "index.html" in files(out)


def test_a_file_that_changes_while_it_is_built(
    build: Build, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An article edited or removed after the site was read is named: its title and date are the old ones."""

    def edit(catalogue: Any) -> Any:
        write(site, {"content/guide/start.md": "---\ntitle: Start\n---\nOther\n"})
        (site / "content/hidden.md").unlink()
        return plan(catalogue)

    monkeypatch.setattr("fingerpost_tools.building.static_site.plan", edit)
    result = build()
    assert result.code == 1
    assert sorted(result.problems()) == [
        "/docs/guide/start: the file changed while the site was built: build again",
        "/docs/hidden is not written: content/hidden.md is gone",
    ]


def test_a_full_disk_ends_the_build(
    build: Build, out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Trouble with the disk is no problem of a page: nothing is published, and the old output stays."""
    build()
    before = fingerprint(out)

    def fail(body: bytes, path: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "_create", fail)
    monkeypatch.setattr(writing, "_holds", lambda old, body: False)
    result = build()
    assert (result.code, result.out) == (2, "")
    assert "No space left on device" in result.err
    assert fingerprint(out) == before
