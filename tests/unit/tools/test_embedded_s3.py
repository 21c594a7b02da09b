"""The embedded S3: filled from a directory through moto, read through boto3, and kept up to date."""

import os
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fingerpost.catalogue.article_index import INDEX, read_index
from fingerpost.sources.s3 import S3Store
from fingerpost_tools import embedded_s3, environment
from fingerpost_tools.embedded_s3 import EmbeddedS3


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A directory with one of each sort of file."""
    for name, body in {
        "app.yaml": b"name: x\n",
        "content/docs/caf\u00e9 & co.md": b"# Caf\xc3\xa9\n",
        "content/docs/._hidden.md": b"\0\5\x16\7",
        "public/.well-known/security.txt": b"Contact: mailto:a@b.example\n",
        ".git/config": b"[core]\n",
        ".fingerpost/state": b"mine\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return tmp_path


@pytest.fixture
def store(site: Path) -> Iterator[EmbeddedS3]:
    """The store of `site`, and the environment its readers need."""
    with (
        embedded_s3.running(site, lambda keys: None) as running,
        environment.settings(running.environment()),
    ):
        yield running


def test_the_production_reader_finds_the_sites_files(store: EmbeddedS3, site: Path) -> None:
    """S3Store lists the site and the index of its articles: no AppleDouble file, nothing of git or of the
    local state."""
    reader = S3Store(embedded_s3.BUCKET)
    assert list(reader.list()) == [
        INDEX,
        "app.yaml",
        "content/docs/café & co.md",
        "public/.well-known/security.txt",
    ]
    assert reader.read("content/docs/café & co.md").body == "# Café\n".encode()


def test_an_object_carries_the_time_its_file_was_modified(site: Path) -> None:
    """The object's metadata holds the file's own modification time, as publication records it."""
    os.utime(site / "app.yaml", (1_700_000_000, 1_700_000_000))
    with (
        embedded_s3.running(site, lambda keys: None) as store,
        environment.settings(store.environment()),
    ):
        found = S3Store(embedded_s3.BUCKET).read("app.yaml")
    assert found.modified == datetime.fromtimestamp(1_700_000_000, UTC)


def test_changes_are_followed(site: Path) -> None:
    """An edited, a new and a deleted file are in the bucket within moments, and each is told once."""
    told: list[frozenset[str]] = []
    seen = threading.Event()

    def changed(keys: frozenset[str]) -> None:
        told.append(keys)
        if frozenset().union(*told) >= {"app.yaml", "content/new.md", "content/docs/café & co.md"}:
            seen.set()

    with (
        embedded_s3.running(site, changed) as store,
        environment.settings(store.environment()),
    ):
        (site / "content/docs/café & co.md").unlink()
        (site / "content/new.md").write_text("new", encoding="utf-8")
        (site / "app.yaml").write_text("name: y\n", encoding="utf-8")
        assert seen.wait(10)
        reader = S3Store(embedded_s3.BUCKET)
        listing = reader.list()
        assert list(listing) == [INDEX, "app.yaml", "content/new.md", "public/.well-known/security.txt"]
        (indexed,) = read_index(reader.read(INDEX).body).values()
        assert (indexed.key, indexed.etag) == ("content/new.md", listing["content/new.md"].etag)
        assert reader.read("app.yaml").body == b"name: y\n"
    assert sum(len(keys) for keys in told) == 3


def test_an_object_put_aside_outlives_a_refresh(store: EmbeddedS3, site: Path) -> None:
    """What is no file of the site is not taken for a deleted one."""
    store.put_aside(".fingerpost/jwks.json", b"{}")
    (site / "app.yaml").write_text("name: z\n", encoding="utf-8")
    store.refresh()
    assert S3Store(embedded_s3.BUCKET).read(".fingerpost/jwks.json").body == b"{}"


def test_it_listens_on_this_machine_alone(store: EmbeddedS3) -> None:
    """The endpoint is on the loopback interface."""
    assert store.endpoint.startswith("http://127.0.0.1:")


def test_the_users_own_credentials_are_out_of_reach(
    monkeypatch: pytest.MonkeyPatch, store: EmbeddedS3
) -> None:
    """Within the settings nothing of the user's AWS environment is left; afterwards all of it is back."""
    before: dict[str, Any] = {"AWS_PROFILE": "production", "DATABASE_URL": "postgresql://real"}
    for name, value in before.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("EXTRA", raising=False)
    with environment.settings({"EXTRA": "1"}):
        assert "AWS_PROFILE" not in os.environ
        assert "DATABASE_URL" not in os.environ
        assert os.environ["AWS_SHARED_CREDENTIALS_FILE"] == os.devnull
        assert "127.0.0.1" in os.environ["NO_PROXY"].split(",")
    assert {name: os.environ[name] for name in before} == before
    assert "EXTRA" not in os.environ
