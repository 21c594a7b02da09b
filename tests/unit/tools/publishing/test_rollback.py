"""Earlier publications: gone back to, kept, and let go."""

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fingerpost.sources.published import CURRENT, OBJECTS, read_manifest
from fingerpost_tools.publishing.live import PUBLICATIONS
from tests.unit.tools.publishing.sites import (
    BUCKET,
    PREFIX,
    Captured,
    Publish,
    live,
    put,
    report,
    stored,
    write,
)

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


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
