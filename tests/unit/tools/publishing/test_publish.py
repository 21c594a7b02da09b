"""`fingerpost publish`: what it writes, and what a reader then sees."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingerpost.catalogue.article_index import INDEX, read_index
from fingerpost.catalogue.publication import Publications
from fingerpost.sources.published import CURRENT, OBJECTS, PublishedStore, read_manifest
from fingerpost.sources.s3 import S3Store
from fingerpost_tools.publishing.lock import LOCK
from tests.unit.tools.publishing.sites import (
    BUCKET,
    PREFIX,
    PUBLISHED,
    Captured,
    Publish,
    live,
    local,
    put,
    report,
    stored,
    write,
)

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


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
