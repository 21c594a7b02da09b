"""The arguments of `fingerpost build`: where to, behind which origin, and what is refused."""

import fcntl
import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.unit.tools.building.sites import ORIGIN, PAGES, Build, files, fingerprint, text, write

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def test_the_origin_is_asked_for(build: Build, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """BASE_URL is a running server's and counts for nothing; the message names the flag."""
    monkeypatch.setenv("BASE_URL", "https://localhost:8000")
    result = build(origin=None)
    assert result.code == 2
    assert "give --base-url URL (or set FINGERPOST_BASE_URL), or --no-sitemap" in result.err
    assert not out.exists()


def test_where_the_origin_comes_from(build: Build, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The flag, else the build's own variable, else the site's own word."""
    write(site, {"app.yaml": PAGES + "deployment: {site: https://declared.example, base: /b}\n"})
    assert build(origin=None).report["origin"] == "https://declared.example/b"
    monkeypatch.setenv("FINGERPOST_BASE_URL", "https://variable.example/")
    assert build(origin=None).report["origin"] == "https://variable.example/b"
    assert build().report["origin"] == f"{ORIGIN}/b"


@pytest.mark.parametrize("url", ["example.com", "ftp://example.com", "https://example.com/?x", "https://"])
def test_a_wrong_origin_is_refused(build: Build, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no http or https address is told under the name it was given by."""
    result = build(origin=url)
    assert (result.code, "--base-url: expected an http or https address" in result.err) == (2, True)
    monkeypatch.setenv("FINGERPOST_BASE_URL", url)
    result = build(origin=None)
    assert (result.code, "FINGERPOST_BASE_URL: expected an http" in result.err) == (2, True)


def test_without_a_sitemap_no_origin_is_needed(build: Build, out: Path) -> None:
    """Nothing names a sitemap then, and addresses start at the root of the host."""
    assert build("--no-sitemap", origin=None).code == 0
    assert "sitemap.xml" not in files(out)
    assert "Sitemap:" not in text(out, "robots.txt")
    assert "sitemap" not in json.loads(text(out, "agent-readability.json"))["artifacts"]
    assert '<link rel="canonical" href="/about">' in text(out, "about.html")


def test_a_site_that_wants_no_sitemap(build: Build, site: Path, out: Path) -> None:
    """`seo.sitemap: false` leaves out the sitemap, and with it the need of an origin."""
    write(site, {"app.yaml": PAGES + "seo: {sitemap: false}\n"})
    assert build(origin=None).code == 0
    assert "sitemap.xml" not in files(out)
    assert "docs/guide/start.html" in files(out)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("site", "holds the site itself"),
        ("", "holds the site itself"),
        ("site/public/dist", "is within .*/public, whose files are the site's"),
        ("site/content/dist", "is within .*/content, whose files are the site's"),
    ],
)
def test_an_output_that_would_take_the_site_with_it(
    build: Build, tmp_path: Path, target: str, message: str
) -> None:
    """Neither the site nor its content is a place to build in, not even with --force."""
    result = build("--force", to=tmp_path / target)
    assert result.code == 2
    assert re.search(message, result.err)


def test_an_output_beside_the_content(build: Build, site: Path) -> None:
    """A directory of its own within the site is one, and no part of the site at the next build."""
    assert build(to=site / "dist").code == 0
    assert build(to=site / "dist").report["unchanged"] == len(files(site / "dist"))


def test_a_directory_that_no_build_wrote(build: Build, out: Path) -> None:
    """It is refused with what it holds, and replaced with --force."""
    write(out, {"thesis.txt": "mine"})
    result = build()
    assert (result.code, files(out)) == (2, {"thesis.txt"})
    assert "holds thesis.txt, which no build wrote" in result.err
    assert build("--force").code == 0
    assert "thesis.txt" not in files(out)


def test_a_build_needs_somewhere_to_go(build: Build) -> None:
    """Without --out and --to, the command says what to give."""
    result = build(to=None)
    assert (result.code, "Give --out DIR, --to s3://BUCKET/PREFIX, or both" in result.err) == (2, True)


def test_a_broken_site_is_not_built(build: Build, site: Path, out: Path) -> None:
    """Every problem of the configuration is told, and the old output stays."""
    build()
    before = fingerprint(out)
    write(site, {"app.yaml": "pages: 3\n"})
    result = build()
    assert result.code == 2
    assert "app.yaml" in result.err
    assert fingerprint(out) == before


@pytest.mark.parametrize("number", ["0", "-1", "many", "1000"])
def test_a_number_of_processes(build: Build, number: str) -> None:
    """At least one, and no more than anybody has cores."""
    with pytest.raises(SystemExit) as caught:
        build("--processes", number)
    assert caught.value.code == 2


def test_a_build_goes_to_s3(build: Build, site: Path, s3: "S3Client") -> None:
    """With --to the site is uploaded, from a directory of the command's own unless --out names one."""
    report = build("--to", "s3://sites/www", to=None).report
    assert report["uploaded"] == {
        "put": report["files"],
        "unchanged": 0,
        "deleted": 0,
        "bytes": report["bytes"],
    }
    assert s3.head_object(Bucket="sites", Key="www/docs/guide/start.html")["ContentType"].startswith(
        "text/html"
    )
    (site / "content/hidden.md").unlink()
    again = build("--to", "s3://sites/www", to=None, json=False)
    assert f"uploaded 0 objects (0 B), {report['files'] - 2} unchanged, 2 deleted" in again.out


def test_old_output_survives_an_error_in_the_lock(build: Build, out: Path) -> None:
    """A build that is refused because another one is running leaves the output alone."""
    build()
    before = fingerprint(out)
    lock = out.with_name(".out.fingerpost-lock")
    with lock.open("w") as handle, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(handle, fcntl.LOCK_EX)
        patch.setattr("fingerpost_tools.building.output._LOCK_SECONDS", 0.1)
        began = time.monotonic()
        result = build()
    assert (result.code, "another build is writing" in result.err) == (2, True)
    assert time.monotonic() - began < 5
    assert fingerprint(out) == before
