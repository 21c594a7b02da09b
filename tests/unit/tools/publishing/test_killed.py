"""A publisher killed at any moment, and readers that never see a mix of two sites."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fingerpost_tools import embedded_s3
from fingerpost_tools.main import main
from fingerpost_tools.publishing.lock import LOCK
from tests.unit.tools.publishing.sites import BUCKET, PREFIX, live, make_site, write

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_PUBLISHER = Path(__file__).with_name("killed_publisher.py")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> "Iterator[S3Client]":
    """S3 behind a port, so that a process that dies can talk to it, with an empty bucket."""
    import boto3

    moto, backend = embedded_s3._server()
    try:
        host, port = moto.get_host_and_port()
        monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)  # it remembers the endpoint
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        monkeypatch.setenv("AWS_DEFAULT_REGION", embedded_s3.REGION)
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET)
        yield client
    finally:
        moto.stop()
        backend.reset()


_ARGUMENTS = ("--bucket", BUCKET, "--prefix", PREFIX, "--delete", "--quiet")


def publish(site: Path) -> None:
    """Publish here and now."""
    assert main(["publish", str(site), *_ARGUMENTS]) == 0


def killed(site: Path, writes: int) -> bool:
    """Publish in a process that is killed after so many writes; False where it came to its end before."""
    done = subprocess.run(
        [sys.executable, str(_PUBLISHER), str(writes), "publish", str(site), *_ARGUMENTS],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0


@pytest.mark.slow
def test_killed_at_any_moment_the_site_is_the_old_one_or_the_new(
    server: "S3Client", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after any number of its writes, a publisher leaves one of two sites: all files of the old one or
    all of the new one. The next publisher ends what was begun."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    site = make_site(tmp_path / "site")
    publish(site)
    old = live(server)
    sides = set()
    for writes in range(40):
        # Every kind of change at once: configuration, a changed, a new and a removed article, an asset.
        write(site, "app.yaml", f"# {writes}\n{(site / 'app.yaml').read_text()}")
        write(site, "content/pruning.md", f"---\ntitle: Pruning {writes}\n---\n\nIn winter.\n")
        write(site, f"content/new{writes}.md", f"# New {writes}\n")
        (site / f"content/new{writes - 1}.md").unlink(missing_ok=True)
        write(site, "public/assets/logo.svg", f"<svg id='{writes}'/>\n")
        unfinished = killed(site, writes)
        left = live(server)
        # Whoever was killed holds the lock until its lease ends: here nobody waits for that.
        server.delete_object(Bucket=BUCKET, Key=f"{PREFIX}/{LOCK}")
        publish(site)
        new = live(server)
        assert left in (old, new)
        sides.add(left == new)
        old = new
        if not unfinished:
            break
    assert not unfinished
    assert sides == {True, False}


def test_readers_beside_a_publisher_see_whole_sites(
    server: "S3Client", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a site is published over and over, each look at it is one of the published states."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    site = make_site(tmp_path / "site")
    publish(site)
    allowed = [live(server)]
    seen: list[dict[str, bytes]] = []
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            seen.append(live(server))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for step in range(3):
            for name in ("pruning", "grafting", f"new{step}"):
                write(site, f"content/{name}.md", f"# {name} {step}\n")
            publish(site)
            allowed.append(live(server))
    finally:
        ended.set()
        reader.join()
    assert len(seen) > 3
    assert all(state in allowed for state in seen)
