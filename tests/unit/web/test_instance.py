"""One warm function instance: what it remembers between requests."""

from typing import Any

import pytest

from fingerpost.errors import SettingError
from fingerpost.settings import Settings
from fingerpost.sources.records import NoRecords
from fingerpost.web.instance import Instance
from fingerpost.web.visitor import SessionReader
from tests.support import Clock, MemoryStore

DOCS = "name: x\npages: [{name: d, path: '/:slug', contentDir: {directory: c}}]"


def instance(files: dict[str, str | bytes], clock: Clock | None = None, **settings: Any) -> Instance:
    return Instance(
        Settings(directory="unused", check_seconds=0, **settings),
        MemoryStore(files),
        NoRecords(),
        SessionReader(None, None),
        clock or Clock(),
    )


def test_catalogue_is_kept() -> None:
    """The catalogue is built once for a publication, and anew when a file changes or a date falls due."""
    clock = Clock()
    held = instance({"app.yaml": DOCS, "c/a.md": "---\ndate: 2026-01-02T03:04:35Z\n---\n"}, clock)
    first = held.catalogue()
    assert held.catalogue() is first
    clock.seconds += 29
    assert held.catalogue() is first
    assert held.page_age(first, 300) == 1
    clock.seconds += 1
    due = held.catalogue()
    assert due is not first
    assert held.page_age(due, 300) == 300
    assert isinstance(held.store, MemoryStore)
    held.store.files["c/b.md"] = b""
    assert held.catalogue() is not due


def test_outline_has_no_articles() -> None:
    """The outline is a catalogue of pages alone, kept like the whole one."""
    held = instance({"app.yaml": DOCS, "c/a.md": ""})
    outline = held.outline()
    assert not list(outline.all_entries())
    assert held.outline() is outline
    assert len(list(held.catalogue().all_entries())) == 1


@pytest.mark.parametrize("url", ["example.com", "https://example.com/?x", "ftp://example.com"])
def test_wrong_base_url(url: str) -> None:
    """A `BASE_URL` that is no origin is an error before the first answer."""
    with pytest.raises(SettingError, match="BASE_URL"):
        instance({"app.yaml": DOCS}, base_url=url)


def test_address_left_out_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """What has no address of its own is logged, once for each publication."""
    held = instance({"app.yaml": DOCS, "c/a.md": "", "c/d/a.md": ""})
    for _ in range(2):
        held.catalogue()
    assert caplog.text.count("An address is left out") == 1


def test_connecting_begins_once_for_each_start() -> None:
    """Whoever expects records has connecting begin, once; and once more after a restore."""
    begun: list[str] = []
    held = Instance(
        Settings(directory="unused"),
        MemoryStore({"app.yaml": DOCS}),
        NoRecords(),
        SessionReader(None, None),
        disconnect=lambda: begun.append("disconnect"),
        connect_early=lambda: begun.append("connect"),
    )
    held.expect_records()
    held.expect_records()
    assert begun == ["connect"]
    held.restored()
    held.expect_records()
    assert begun == ["connect", "disconnect", "connect"]
