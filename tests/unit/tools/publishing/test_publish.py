"""`fingerpost publish`: what it writes, what a reader then sees, and what stops it."""

import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingerpost.catalogue.article_index import INDEX, read_index
from fingerpost.catalogue.publication import Publications
from fingerpost.sources.published import CURRENT, OBJECTS, PublishedStore, read_manifest
from fingerpost.sources.s3 import S3Store
from fingerpost_tools.main import main
from fingerpost_tools.publishing.live import PUBLICATIONS
from fingerpost_tools.publishing.lock import LOCK
from tests.unit.tools.publishing.sites import BUCKET, PREFIX, Publish, live, report, write

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

Captured = pytest.CaptureFixture[str]
PUBLISHED = (
    "app.yaml",
    "config/guides.yaml",
    "content/grafting.md",
    "content/pruning.md",
    "public/.well-known/security.txt",
    "public/assets/app.3f2a9c1b.css",
    "public/assets/logo.svg",
)


def stored(s3: "S3Client", prefix: str = "") -> list[str]:
    """Keys in the bucket below the site's prefix."""
    lines = s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{PREFIX}/{prefix}").get("Contents", [])
    return [line["Key"].removeprefix(f"{PREFIX}/") for line in lines]


def put(s3: "S3Client", key: str, body: str = "x", **metadata: str) -> None:
    s3.put_object(Bucket=BUCKET, Key=f"{PREFIX}/{key}", Body=body.encode(), Metadata=metadata)


def local(site: Path) -> dict[str, bytes]:
    return {key: (site / key).read_bytes() for key in PUBLISHED if (site / key).exists()}


def test_a_reader_sees_the_site(publish: Publish, s3: "S3Client", site: Path) -> None:
    """All files of the site are live, byte for byte; seed.sql and hidden files outside public/ are not."""
    assert publish() == 0
    assert live(s3) == local(site)
    assert tuple(live(s3)) == PUBLISHED
    assert LOCK not in stored(s3)


def test_the_second_time_nothing_is_written(publish: Publish, writes: list[str], capsys: Captured) -> None:
    """Published twice in a row, the second run finds everything there and writes nothing at all, not even
    where the files were written anew with other times."""
    assert publish() == 0
    assert writes
    writes.clear()
    assert publish() == 0
    assert writes == []
    assert "is up to date" in capsys.readouterr().out


def test_other_times_alone_change_nothing(publish: Publish, site: Path, writes: list[str]) -> None:
    """A checkout elsewhere gives every file another time: what is recorded for the same content stays."""
    assert publish() == 0
    writes.clear()
    for path in site.rglob("*.md"):
        os.utime(path, (1_800_000_000, 1_800_000_000))
    assert publish() == 0
    assert writes == []


def test_only_what_changed_is_uploaded(
    publish: Publish, site: Path, s3: "S3Client", writes: list[str], capsys: Captured
) -> None:
    """One changed and one new article are two uploads, beside the index and the manifest; a renamed file is
    none."""
    publish()
    capsys.readouterr()
    writes.clear()
    write(site, "content/pruning.md", "---\ntitle: Pruning\n---\n\nIn late winter.\n")
    write(site, "content/new.md", "# New\n")
    (site / "public/assets/logo.svg").rename(site / "public/logo.svg")
    assert publish("--json", "--delete") == 0
    said = report(capsys)
    assert (said["added"], said["changed"]) == (["content/new.md", "public/logo.svg"], ["content/pruning.md"])
    assert said["removed"] == ["public/assets/logo.svg"]
    assert said["uploaded"] == len([key for key in writes if OBJECTS in key and "objects" in key]) == 3
    assert said["switched"]
    assert live(s3)["content/new.md"] == b"# New\n"


def test_articles_carry_the_time_of_their_file(publish: Publish, s3: "S3Client") -> None:
    """Without git the file's own time is the article's lastmod, not the time of upload."""
    publish()
    publication = Publications(PublishedStore(S3Store(BUCKET, PREFIX, s3))).current()
    assert publication.articles["content/pruning.md"].modified == datetime.fromtimestamp(1_700_000_000, UTC)


def test_articles_carry_the_time_of_their_commit(
    publish: Publish, site: Path, s3: "S3Client", capsys: Captured
) -> None:
    """In a repository lastmod is what `git log -1` says of the file; a later commit of the same content dates
    it anew."""
    identity = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for role in ("AUTHOR", "COMMITTER"):
        identity |= {f"GIT_{role}_NAME": "n", f"GIT_{role}_EMAIL": "n@e.example"}

    def git(*arguments: str, date: str) -> str:
        environment = {**os.environ, **identity, "GIT_COMMITTER_DATE": date}
        return subprocess.run(
            ("git", *arguments), cwd=site, env=environment, check=True, capture_output=True, text=True
        ).stdout

    def lastmod(key: str) -> datetime:
        return Publications(PublishedStore(S3Store(BUCKET, PREFIX, s3))).current().articles[key].modified

    publish()
    git("init", "-q", date="")
    git("add", "content/pruning.md", date="")
    git("commit", "-q", "-m", "x", date="2024-05-06T07:08:09+02:00")
    capsys.readouterr()
    assert publish("--json") == 0
    assert report(capsys)["redated"] == ["content/pruning.md"]
    said = git("log", "-1", "--format=%cI", "--", "content/pruning.md", date="")
    assert lastmod("content/pruning.md") == datetime.fromisoformat(said.strip())
    assert lastmod("content/grafting.md") == datetime.fromtimestamp(1_700_000_000, UTC)


def test_a_shallow_clone_keeps_what_was_recorded(
    publish: Publish, site: Path, s3: "S3Client", tmp_path: Path, capsys: Captured
) -> None:
    """Published from a shallow clone, articles keep their recorded dates, a new one gets none but the moment
    of publication, and that is said (case 77)."""
    publish()
    git = ["git", "-c", "user.name=n", "-c", "user.email=n@e.example"]
    write(site, "content/new.md", "# New\n")
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["commit", "-q", "-m", "1"],
        ["commit", "-q", "--allow-empty", "-m", "2"],
    ):
        subprocess.run([*git, *command], cwd=site, check=True)
    clone = tmp_path / "clone"
    subprocess.run([*git, "clone", "-q", "--depth", "1", f"file://{site}", str(clone)], check=True)
    capsys.readouterr()
    began = datetime.now(UTC).replace(microsecond=0)
    assert main(["publish", str(clone), "--bucket", BUCKET, "--prefix", PREFIX]) == 0
    assert "this clone is shallow" in capsys.readouterr().err
    articles = Publications(PublishedStore(S3Store(BUCKET, PREFIX, s3))).current().articles
    assert articles["content/pruning.md"].modified == datetime.fromtimestamp(1_700_000_000, UTC)
    assert articles["content/new.md"].modified >= began


def test_the_index_holds_every_article(publish: Publish, s3: "S3Client", site: Path) -> None:
    """The index names each article with the ETag that the listing shows, so that none need be read; those
    that are live and no longer in the site stay in it."""
    publish()
    (site / "content/grafting.md").unlink()
    publish()
    store = PublishedStore(S3Store(BUCKET, PREFIX, s3))
    index = read_index(store.read(INDEX).body)
    listing = store.list()
    assert sorted(index) == ["content/grafting.md", "content/pruning.md"]
    assert all(listing[key].etag == article.etag for key, article in index.items())
    assert index["content/grafting.md"].front.title == "Grafting"


def test_a_cold_start_asks_for_two_objects(
    publish: Publish, s3: "S3Client", monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new instance lists nothing and reads no article: it takes the manifest, which carries the
    configuration, and the index. robots.txt takes the manifest alone."""
    import botocore.client

    publish()
    asked: list[str] = []
    real = botocore.client.BaseClient._make_api_call  # type: ignore[attr-defined]

    def call(client: Any, operation: str, arguments: dict[str, Any]) -> Any:
        asked.append(operation)
        return real(client, operation, arguments)

    monkeypatch.setattr(botocore.client.BaseClient, "_make_api_call", call)
    Publications(PublishedStore(S3Store(BUCKET, PREFIX, s3)), 0).outline()
    assert asked == ["GetObject"]
    asked.clear()
    publications = Publications(PublishedStore(S3Store(BUCKET, PREFIX, s3)), 0)
    publications.current()
    assert asked == ["GetObject"] * 2
    asked.clear()
    publications.current()
    assert asked == ["GetObject"]


def test_a_large_configuration_stays_in_its_objects(publish: Publish, site: Path, s3: "S3Client") -> None:
    """What is too large for the manifest is left where it is, and read from there."""
    (site / "app.yaml").write_text((site / "app.yaml").read_text() + "# long\n" * 50_000)
    publish()
    manifest = read_manifest(S3Store(BUCKET, PREFIX, s3).read(CURRENT).body)
    assert manifest.files["app.yaml"].text is None
    published = Publications(PublishedStore(S3Store(BUCKET, PREFIX, s3)), 0).current()
    assert published.site.files[0] == "app.yaml"


def test_what_is_gone_stays_unless_told(
    publish: Publish, site: Path, s3: "S3Client", capsys: Captured
) -> None:
    """Without --delete a removed article stays live, and that is said; with it, it goes."""
    publish()
    (site / "content/pruning.md").unlink()
    capsys.readouterr()
    assert publish() == 0
    assert "content/pruning.md" in live(s3)
    assert "still live: content/pruning.md (--delete takes them out)" in capsys.readouterr().out
    assert publish("--delete") == 0
    assert "content/pruning.md" not in live(s3)


def test_most_of_a_site_does_not_go_by_accident(
    publish: Publish, site: Path, s3: "S3Client", writes: list[str], capsys: Captured
) -> None:
    """--delete refuses to take away more than half of what is live, before anything is written; --force
    means it."""
    publish()
    for name in (
        "content/pruning.md",
        "public/assets/logo.svg",
        "public/assets/app.3f2a9c1b.css",
        "public/.well-known/security.txt",
    ):
        (site / name).unlink()
    before, writes[:] = live(s3), []
    capsys.readouterr()
    assert publish("--delete") == 2
    assert "--delete would take away 4 of the 7 files" in capsys.readouterr().err
    assert writes == []
    assert live(s3) == before
    assert publish("--delete", "--force") == 0
    assert live(s3) == local(site)


def test_nothing_outside_the_prefix_is_touched(
    publish: Publish, site: Path, s3: "S3Client", writes: list[str]
) -> None:
    """Every write is below the prefix; a neighbour whose name begins alike stays."""
    for key in ("mine2/content/a.md", "content/a.md", "mine.md"):
        s3.put_object(Bucket=BUCKET, Key=key, Body=b"x")
    writes.clear()
    publish()
    write(site, "content/pruning.md", "# Other\n")
    publish("--delete")
    assert all(key.startswith(f"{PREFIX}/") for key in writes)
    assert set(writes).isdisjoint({"mine2/content/a.md", "content/a.md", "mine.md"})


def test_a_plain_tree_is_taken_over(publish: Publish, site: Path, s3: "S3Client") -> None:
    """A site that was put there by `aws s3 sync` stays live until the first publication is; its files that
    the site lacks stay with their dates, other things in the bucket do not become part of it."""
    put(s3, "app.yaml", "name: old\n")
    put(s3, "content/old.md", "# Old\n", modified="2020-02-02T02:02:02Z")
    put(s3, "notes/private.txt", "not the site's")
    assert publish() == 0
    assert set(live(s3)) == {*PUBLISHED, "content/old.md"}
    articles = Publications(PublishedStore(S3Store(BUCKET, PREFIX, s3))).current().articles
    assert articles["content/old.md"].modified == datetime(2020, 2, 2, 2, 2, 2, tzinfo=UTC)
    assert "notes/private.txt" in stored(s3)


def test_assets_stand_at_their_own_names_too(publish: Publish, site: Path, s3: "S3Client") -> None:
    """What S3 serves to the CDN itself has its media type and its policy; it follows changes and removals."""
    publish()
    hashed = s3.head_object(Bucket=BUCKET, Key=f"{PREFIX}/public/assets/app.3f2a9c1b.css")
    assert (hashed["ContentType"], hashed["CacheControl"]) == (
        "text/css; charset=utf-8",
        "public, max-age=31536000, immutable",
    )
    logo = s3.head_object(Bucket=BUCKET, Key=f"{PREFIX}/public/assets/logo.svg")
    assert (logo["ContentType"], logo["CacheControl"]) == ("image/svg+xml", "public, max-age=300")
    assert [key for key in stored(s3) if not key.startswith(".fingerpost/")] == [
        "public/assets/app.3f2a9c1b.css",
        "public/assets/logo.svg",
    ]
    write(site, "public/assets/logo.svg", "<svg xmlns='http://www.w3.org/2000/svg' id='new'/>\n")
    (site / "public/assets/app.3f2a9c1b.css").unlink()
    publish("--delete")
    assert stored(s3, "public/") == ["public/assets/logo.svg"]
    body = s3.get_object(Bucket=BUCKET, Key=f"{PREFIX}/public/assets/logo.svg")["Body"].read()
    assert body == (site / "public/assets/logo.svg").read_bytes()


def test_damage_is_mended(publish: Publish, s3: "S3Client", site: Path, capsys: Captured) -> None:
    """Objects that somebody removed by hand are uploaded again, without another publication."""
    publish()
    before = s3.get_object(Bucket=BUCKET, Key=f"{PREFIX}/{CURRENT}")["Body"].read()
    for key in [stored(s3, OBJECTS)[0], "public/assets/logo.svg"]:
        s3.delete_object(Bucket=BUCKET, Key=f"{PREFIX}/{key}")
    assert publish() == 0
    assert "is mended" in capsys.readouterr().out
    assert live(s3) == local(site)
    assert "public/assets/logo.svg" in stored(s3)
    assert s3.get_object(Bucket=BUCKET, Key=f"{PREFIX}/{CURRENT}")["Body"].read() == before


def test_a_dry_run_writes_nothing(publish: Publish, site: Path, writes: list[str], capsys: Captured) -> None:
    """--dry-run names each file and what would become of it."""
    publish()
    writes.clear()
    capsys.readouterr()
    write(site, "content/pruning.md", "# Other\n")
    write(site, "content/new.md", "# New\n")
    (site / "content/grafting.md").unlink()
    assert publish("--dry-run", "--delete") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:3] == ["+ content/new.md", "~ content/pruning.md", "- content/grafting.md"]
    assert "would be live" in said[3]
    assert writes == []


def test_errors_of_the_site_stop_it(
    publish: Publish, site: Path, writes: list[str], capsys: Captured
) -> None:
    """A site with errors is not published: exit code 1, each error with its place, nothing written. Warnings
    do not stop it."""
    write(site, "content/broken.md", "---\ntitle: [\n---\n")
    assert publish() == 1
    assert "content/broken.md:" in capsys.readouterr().err
    write(site, "content/broken.md", "# Fine\n")
    write(site, "app.yaml", "pages: []\n")
    assert publish() == 1
    assert "expected `name`" in capsys.readouterr().err
    assert writes == []
    write(site, "app.yaml", "name: x\nlanguage: en\npages: []\n")
    assert publish() == 0
    assert "1 warning" in capsys.readouterr().err


def test_rollback_goes_back_and_forth(publish: Publish, site: Path, s3: "S3Client", capsys: Captured) -> None:
    """--rollback makes the publication before live again, whole; by its id any other one too. It needs no
    site, and uploads nothing."""
    states, ids = [], []
    for text in ("one", "two", "three"):
        write(site, "content/pruning.md", f"# {text}\n")
        write(site, f"content/{text}.md", "# Own\n")
        write(site, "public/assets/logo.svg", f"<svg id='{text}'/>\n")
        capsys.readouterr()
        assert publish("--json", "--delete") == 0
        ids.append(report(capsys)["publication"])
        states.append(live(s3))
        # Ids sort by the second.
        _age_publications(s3)
    assert publish("--rollback", site_too=False) == 0
    assert live(s3) == states[1]
    assert publish("--rollback", site_too=False) == 0
    assert live(s3) == states[0]
    assert (
        s3.get_object(Bucket=BUCKET, Key=f"{PREFIX}/public/assets/logo.svg")["Body"].read()
        == b"<svg id='one'/>\n"
    )
    capsys.readouterr()
    assert publish("--rollback", site_too=False) == 2
    assert "the first publication" in capsys.readouterr().err
    assert publish("--rollback", "nonsense", site_too=False) == 2
    assert "expected one of the publications" in capsys.readouterr().err
    newest = sorted(key for key in stored(s3, PUBLICATIONS))[-1]
    name = newest.removeprefix(PUBLICATIONS).removesuffix(".json")
    assert publish("--rollback", name, "--json", site_too=False) == 0
    assert report(capsys)["uploaded"] == 0
    assert live(s3) == states[2]


def _age_publications(s3: "S3Client") -> None:
    """Move every publication an hour back: ids count seconds, and a test has none to lose."""
    for key in [*stored(s3, PUBLICATIONS), CURRENT]:
        document = json.loads(s3.get_object(Bucket=BUCKET, Key=f"{PREFIX}/{key}")["Body"].read())
        stamp, _, digest = document["id"].partition("-")
        aged = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").timestamp() - 3600
        document["id"] = f"{datetime.fromtimestamp(aged):%Y%m%dT%H%M%SZ}-{digest}"
        s3.delete_object(Bucket=BUCKET, Key=f"{PREFIX}/{key}")
        put(s3, CURRENT if key == CURRENT else f"{PUBLICATIONS}{document['id']}.json", json.dumps(document))


def test_there_is_nothing_to_go_back_to(publish: Publish, capsys: Captured) -> None:
    """A rollback of what was never published is one line."""
    assert publish("--rollback", site_too=False) == 2
    assert "nothing was published to s3://sites/mine/ yet" in capsys.readouterr().err


def test_a_rollback_to_lost_content_is_refused(
    publish: Publish, site: Path, s3: "S3Client", capsys: Captured
) -> None:
    """A publication whose content somebody removed can't be gone back to, and what is live stays."""
    publish()
    first = read_manifest(s3.get_object(Bucket=BUCKET, Key=f"{PREFIX}/{CURRENT}")["Body"].read())
    _age_publications(s3)
    write(site, "content/pruning.md", "# Other\n")
    publish()
    before = live(s3)
    s3.delete_object(Bucket=BUCKET, Key=f"{PREFIX}/{OBJECTS}{first.files['content/pruning.md'].etag}")
    assert publish("--rollback", site_too=False) == 2
    assert "the content of content/pruning.md (1 in all)" in capsys.readouterr().err
    assert live(s3) == before


def test_only_the_newest_publications_stay(
    publish: Publish, site: Path, s3: "S3Client", monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --delete, publications beyond the newest go, with the contents that none of the rest has."""
    from fingerpost_tools.publishing import earlier

    monkeypatch.setattr(earlier, "KEPT", 2)
    for number in range(4):
        write(site, "content/pruning.md", f"# {number}\n")
        assert publish("--delete") == 0
        _age_publications(s3)
    assert len(stored(s3, PUBLICATIONS)) == 2
    bodies = {
        s3.get_object(Bucket=BUCKET, Key=f"{PREFIX}/{key}")["Body"].read() for key in stored(s3, OBJECTS)
    }
    assert {b"# 2\n", b"# 3\n"} <= bodies
    assert {b"# 0\n", b"# 1\n"}.isdisjoint(bodies)
    assert publish("--rollback", site_too=False) == 0
    assert live(s3)["content/pruning.md"] == b"# 2\n"


def test_a_file_that_changes_meanwhile_stops_it(
    publish: Publish, site: Path, s3: "S3Client", monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """What was checked is what is published: a file that changes while the rest is sent ends the command, and
    the old site stays."""
    from fingerpost_tools.publishing import lock

    publish()
    before = live(s3)
    write(site, "content/pruning.md", "# Checked\n")
    acquire = lock._acquire

    def slow(*arguments: Any) -> str:
        write(site, "content/pruning.md", "# Not checked\n", 1_700_000_001)
        return acquire(*arguments)

    monkeypatch.setattr(lock, "_acquire", slow)
    assert publish() == 2
    assert "content/pruning.md was changed while the site was published" in capsys.readouterr().err
    assert live(s3) == before
    assert LOCK not in stored(s3)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("AccessDenied", "access denied: these credentials need s3:ListBucket there"),
        ("ExpiredToken", "ExpiredToken"),
    ],
)
def test_a_refusal_is_one_line(
    publish: Publish, monkeypatch: pytest.MonkeyPatch, capsys: Captured, code: str, said: str
) -> None:
    """No permission and an expired login each are one line and exit code 2."""
    import botocore.client
    from botocore.exceptions import ClientError

    real = botocore.client.BaseClient._make_api_call  # type: ignore[attr-defined]

    def call(client: Any, operation: str, arguments: dict[str, Any]) -> Any:
        if operation == "ListObjectsV2":
            raise ClientError({"Error": {"Code": code, "Message": "no"}}, operation)
        return real(client, operation, arguments)

    monkeypatch.setattr(botocore.client.BaseClient, "_make_api_call", call)
    assert publish() == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_wrong_arguments_are_one_line(
    publish: Publish, site: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A site that is none, a bucket that is none, a prefix that leaves it, and no network."""
    for arguments, said in (
        ([str(tmp_path / "none"), "--bucket", BUCKET], "there is no such directory"),
        ([str(tmp_path), "--bucket", BUCKET], "holds no app.yaml"),
        (["--bucket", BUCKET], "which site?"),
        ([str(site), "--bucket", "nowhere"], "no bucket nowhere"),
        ([str(site), "--bucket", "no/bucket"], "no bucket can have that name"),
        ([str(site), "--bucket", f"s3://{BUCKET}"], "--bucket: expected a bucket's name alone"),
        ([str(site), "--bucket", BUCKET, "--prefix", "a/../b"], "--prefix: expected a path"),
    ):
        assert main(["publish", *arguments]) == 2
        err = capsys.readouterr().err
        assert said in err
        assert err.count("\n") == 1


def test_no_network_is_one_line(site: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """An endpoint that nobody listens on ends the command with one line."""
    import boto3

    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)  # it remembers the endpoint
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    assert main(["publish", str(site), "--bucket", BUCKET]) == 2
    err = capsys.readouterr().err
    assert "S3 can't be reached" in err
    assert err.count("\n") == 1


def test_ctrl_c_leaves_the_old_site_and_no_lock(
    publish: Publish, site: Path, s3: "S3Client", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted among the uploads: exit code 130, the old site is live, and the next publisher need not
    wait."""
    from fingerpost_tools.publishing import transfer

    publish()
    before = live(s3)
    write(site, "content/pruning.md", "# Other\n")

    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(transfer, "switch", interrupted)
    assert publish() == 130
    assert live(s3) == before
    assert LOCK not in stored(s3)


def test_an_invalidation_is_made_once_for_each_switch(publish: Publish, site: Path, capsys: Captured) -> None:
    """--invalidate asks CloudFront to look anew, once for what is live; a distribution that is none is one
    line, and the site is published all the same."""
    import boto3

    distribution = _distribution(boto3.client("cloudfront"))
    ids = []
    for _ in range(2):
        assert publish("--invalidate", distribution, "--json") == 0
        ids.append(report(capsys)["invalidation"])
    assert ids[0]
    batches = boto3.client("cloudfront").list_invalidations(DistributionId=distribution)["InvalidationList"][
        "Items"
    ]
    detail = [
        boto3.client("cloudfront").get_invalidation(DistributionId=distribution, Id=batch["Id"])[
            "Invalidation"
        ]
        for batch in batches
    ]
    assert {batch["InvalidationBatch"]["Paths"]["Items"][0] for batch in detail} == {"/*"}
    assert len({batch["InvalidationBatch"]["CallerReference"] for batch in detail}) == 1
    assert publish("--invalidate", "NONE") == 2
    assert "the site is published, but --invalidate NONE failed" in capsys.readouterr().err


def _distribution(client: Any) -> str:
    made = client.create_distribution(
        DistributionConfig={
            "CallerReference": "x",
            "Comment": "",
            "Enabled": True,
            "Origins": {
                "Quantity": 1,
                "Items": [
                    {
                        "Id": "o",
                        "DomainName": "sites.s3.amazonaws.com",
                        "S3OriginConfig": {"OriginAccessIdentity": ""},
                    }
                ],
            },
            "DefaultCacheBehavior": {
                "TargetOriginId": "o",
                "ViewerProtocolPolicy": "https-only",
                "MinTTL": 0,
                "ForwardedValues": {"QueryString": False, "Cookies": {"Forward": "none"}},
            },
        }
    )
    return str(made["Distribution"]["Id"])
