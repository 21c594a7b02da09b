"""A built site in S3: with the headers of the functions, what changed alone, the sitemap last."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingerpost.sources.directory import BUILD_MARK
from fingerpost_tools.building import upload
from fingerpost_tools.building.upload import Target, Uploaded, headers_of, target_of
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.progress import NoProgress

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

TARGET = Target("sites", "www/")
PAGE = "public, max-age=300"
DOCUMENT = "public, max-age=300, stale-if-error=86400"
XML = "application/xml; charset=utf-8"
FILES = {
    BUILD_MARK: '{"generator": "fingerpost 1"}\n',
    "index.html": "<!doctype html>home",
    "docs/start.html": "<!doctype html>start",
    "docs/start.md": "# Start",
    "sitemap.xml": "<urlset/>",
    "robots.txt": "User-agent: *\n",
    "bücher/100% & more.html": "<!doctype html>",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def requests(s3: "S3Client") -> Iterator[list[tuple[str, Any]]]:
    """What every client asks of S3, in order: operation and key."""
    import boto3

    asked: list[tuple[str, Any]] = []

    def note(params: dict[str, Any], model: Any, **_: Any) -> None:
        asked.append((model.name, params.get("Key")))

    boto3.setup_default_session()
    assert boto3.DEFAULT_SESSION is not None
    boto3.DEFAULT_SESSION.events.register("before-parameter-build.s3", note)
    yield asked
    boto3.DEFAULT_SESSION = None


def put(folder: Path, *, owned: frozenset[str] = frozenset(), force: bool = False) -> Uploaded:
    return upload.upload(folder, TARGET, owned, NoProgress(), force=force)


def keys(s3: "S3Client") -> set[str]:
    return {entry["Key"] for entry in s3.list_objects_v2(Bucket="sites").get("Contents", ())}


def test_every_file_is_an_object(s3: "S3Client", folder: Path) -> None:
    """Each file is at its path below the prefix, with its bytes; what else the bucket holds stays."""
    s3.put_object(Bucket="sites", Key="elsewhere.txt", Body=b"mine")
    done = put(folder)
    assert keys(s3) == {"elsewhere.txt", *(f"www/{name}" for name in FILES)}
    for name, text in FILES.items():
        assert s3.get_object(Bucket="sites", Key=f"www/{name}")["Body"].read() == text.encode()
    assert done == Uploaded(put=len(FILES), size=sum(len(text.encode()) for text in FILES.values()))


def test_objects_have_the_functions_headers(s3: "S3Client", folder: Path) -> None:
    """Media type and caching are stored with the object, since a bucket knows no others."""
    put(folder)
    found = s3.head_object(Bucket="sites", Key="www/docs/start.md")
    assert found["ContentType"] == "text/markdown; charset=utf-8"
    assert found["CacheControl"] == "public, max-age=300"


@pytest.mark.parametrize(
    ("file", "owned", "content_type", "cache_control"),
    [
        ("about.html", False, "text/html; charset=utf-8", "public, max-age=300"),
        ("sitemap.xml", False, "application/xml; charset=utf-8", "public, max-age=60, stale-if-error=86400"),
        (
            "sitemap-2.xml",
            False,
            "application/xml; charset=utf-8",
            "public, max-age=60, stale-if-error=86400",
        ),
        ("robots.txt", False, "text/plain; charset=utf-8", "public, max-age=300, stale-if-error=86400"),
        ("llms-full-2.txt", False, "text/plain; charset=utf-8", "public, max-age=300, stale-if-error=86400"),
        (
            "agent-readability.json",
            False,
            "application/json; charset=utf-8",
            "public, max-age=300, stale-if-error=86400",
        ),
        ("feed.xml", True, "application/rss+xml; charset=utf-8", "public, max-age=300, stale-if-error=86400"),
        ("404.html", False, "text/html; charset=utf-8", "private, no-cache"),
        ("assets/app.3f2a9c1b.css", True, "text/css; charset=utf-8", "public, max-age=31536000, immutable"),
        ("blog/app.3f2a9c1b.html", False, "text/html; charset=utf-8", "public, max-age=300"),
        ("assets/app.css", True, "text/css; charset=utf-8", "public, max-age=300"),
        ("docs/sitemap.xml", True, "application/xml; charset=utf-8", "public, max-age=300"),
        ("CNAME", True, "application/octet-stream", "public, max-age=300"),
    ],
)
def test_headers_by_file(file: str, owned: bool, content_type: str, cache_control: str) -> None:
    """The policy of each file is that of the function that would answer it."""
    assert headers_of(file, owned=owned) == (content_type, cache_control)


def test_only_what_changed_is_put(s3: "S3Client", folder: Path, requests: list[tuple[str, Any]]) -> None:
    """A second upload puts what is new or different and deletes what is gone."""
    put(folder)
    requests.clear()
    (folder / "docs/start.html").write_text("<!doctype html>changed", encoding="utf-8")
    (folder / "new.html").write_text("<!doctype html>", encoding="utf-8")
    (folder / "docs/start.md").unlink()
    done = put(folder)
    assert sorted(key for name, key in requests if name == "PutObject") == [
        "www/docs/start.html",
        "www/new.html",
    ]
    assert "www/docs/start.md" not in keys(s3)
    assert (done.put, done.unchanged, done.deleted) == (2, len(FILES) - 2, 1)


def test_the_sitemap_comes_last(folder: Path, requests: list[tuple[str, Any]]) -> None:
    """When the sitemap names an address it is there, and what it no longer names was deleted before."""
    put(folder)
    assert requests[-2:] == [("PutObject", f"www/{BUILD_MARK}"), ("PutObject", "www/sitemap.xml")]
    (folder / "docs/start.md").unlink()
    (folder / "index.html").write_text("<!doctype html>other", encoding="utf-8")
    (folder / "sitemap.xml").write_text("<urlset> </urlset>", encoding="utf-8")
    requests.clear()
    put(folder)
    assert [name for name, _ in requests] == ["ListObjectsV2", "PutObject", "DeleteObjects", "PutObject"]
    assert requests[-1] == ("PutObject", "www/sitemap.xml")


def test_what_no_build_put_is_not_deleted(s3: "S3Client", folder: Path) -> None:
    """A prefix with somebody's objects is refused as it is; `--force` replaces them."""
    s3.put_object(Bucket="sites", Key="www/photo.jpg", Body=b"mine")
    with pytest.raises(CommandError, match=r"s3://sites/www/ holds 1 objects .* photo\.jpg among them"):
        put(folder)
    assert keys(s3) == {"www/photo.jpg"}
    assert put(folder, force=True).deleted == 1
    assert keys(s3) == {f"www/{name}" for name in FILES}


def test_an_upload_that_was_interrupted_is_taken_up(s3: "S3Client", folder: Path) -> None:
    """What an upload left half done is its own to replace, and none of it is trusted."""
    file = folder / "bücher"
    file.rename(folder / "away")
    (folder / "bücher").symlink_to(folder / "nowhere")
    with pytest.raises(CommandError, match=r"--to s3://sites/www/: .*bücher"):
        put(folder)
    assert f"www/{BUILD_MARK}" in keys(s3)
    assert "www/sitemap.xml" not in keys(s3)
    (folder / "bücher").unlink()
    (folder / "away").rename(file)
    assert put(folder).put == len(FILES)
    assert put(folder).put == 0


@pytest.mark.usefixtures("s3")
def test_another_version_puts_everything_anew(folder: Path) -> None:
    """Headers are not compared, so objects that another version put are put again."""
    put(folder)
    (folder / BUILD_MARK).write_text('{"generator": "fingerpost 2"}\n', encoding="utf-8")
    assert put(folder).put == len(FILES)


@pytest.mark.usefixtures("s3")
def test_trouble_with_s3_is_told(folder: Path) -> None:
    """A bucket that is not there ends the command with a sentence."""
    with pytest.raises(CommandError, match=r"no bucket nobodys-bucket: create it"):
        upload.upload(folder, Target("nobodys-bucket", ""), frozenset(), NoProgress(), force=False)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("s3://sites", Target("sites", "")),
        ("s3://sites/", Target("sites", "")),
        ("s3://my.sites-1/a/b", Target("my.sites-1", "a/b/")),
        ("s3://sites//a//b/", Target("sites", "a/b/")),
    ],
)
def test_where_to(text: str, target: Target) -> None:
    """Bucket and prefix, however many slashes."""
    assert target_of(text) == target


@pytest.mark.parametrize(
    "text", ["sites/www", "s3://", "s3:///www", "s3://UPPER/x", "https://sites", "s3://a"]
)
def test_what_is_no_bucket(text: str) -> None:
    """Anything but s3://BUCKET/PREFIX is refused with what was expected."""
    with pytest.raises(CommandError, match="expected s3://BUCKET or s3://BUCKET/PREFIX, found"):
        target_of(text)
