"""What each function loads: imports are the cold start, and every one more is paid by a visitor who waits."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support import make_event
from tests.unit.sources.database import connection

ROOT = Path(__file__).resolve().parents[2]
BUCKET = "imports"
APP = """\
name: Imports
tables: [{name: imported, fields: [{name: slug, type: single-line-text}], permissions: {read: all}}]
pages:
  - {name: home, path: /}
  - {name: docs, path: "/docs/:path*", rss: true, contentDir: {directory: content, slugFrom: filepath}}
  - {name: post, path: "/posts/:slug", collection: {table: imported, slugField: slug}}
"""
ARTICLE = "---\ntitle: Start\n---\n# Start\n\nA *word*.\n"

# Modules of the standard library that take milliseconds, and that importing a handler needs none of.
HEAVY = {
    "asyncio",
    "concurrent",
    "difflib",
    "email",
    "html",
    "http",
    "logging",
    "socket",
    "ssl",
    "urllib.request",
}
# What asks S3: botocore and what it stands on. Never boto3, which adds what is not used here.
AWS = {"botocore", "urllib3", "jmespath", "dateutil", "six"}
YAML = {"yaml"}
POSTGRES = {"pg8000", "scramp", "asn1crypto"}
MARKDOWN = {"comrak", "nh3"}

# All that shared/requirements.txt puts beside our own code.
LAYER = AWS | YAML | POSTGRES | MARKDOWN | {"aws_lambda_powertools", "boto3", "s3transfer"}
LAYER |= {"cffi", "cryptography", "frontmatter", "jwt"}

# botocore takes these where they happen to be installed; the layer has neither.
_PROBE = """\
import sys
sys.modules.update(OpenSSL=None, awscrt=None)
before = set(sys.modules)
sys.path[:0] = [{function!r}, {layer!r}]
import json, app
def loaded():
    return sorted(set(sys.modules) - before)
at_import, event = loaded(), json.loads({event!r})
status = app.handler(event, None)["statusCode"] if event else None
print(json.dumps([at_import, loaded(), status]))
"""


@dataclass(frozen=True)
class Loaded:
    """The modules loaded by importing a handler, those loaded once it has answered, and the status."""

    at_import: set[str]
    answered: set[str]
    status: int | None

    @staticmethod
    def foreign(modules: set[str]) -> set[str]:
        """The packages of the layer among `modules`, our own aside."""
        return {name.partition(".")[0] for name in modules} & LAYER


def load(function: str, event: dict[str, Any] | None = None, **environment: str) -> Loaded:
    """Load a function in a process of its own, and have it answer `event`."""
    code = _PROBE.format(
        function=str(ROOT / "functions" / function), layer=str(ROOT / "shared"), event=json.dumps(event)
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_LAMBDA", "COV_"))}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**kept, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    at_import, answered, status = json.loads(done.stdout.splitlines()[-1])
    return Loaded(set(at_import), set(answered), status)


@pytest.fixture(scope="module")
def environment(postgres_url: str) -> Iterator[dict[str, str]]:
    """A site in an S3 of this process, and its table in Postgres."""
    import boto3
    from moto.moto_server.threaded_moto_server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    client = boto3.client("s3", endpoint_url=address, region_name="us-east-1")
    for bucket in (BUCKET, f"{BUCKET}-generations"):
        client.create_bucket(Bucket=bucket)
    client.put_object(Bucket=BUCKET, Key="app.yaml", Body=APP.encode())
    client.put_object(Bucket=BUCKET, Key="content/start.md", Body=ARTICLE.encode())
    admin = connection(postgres_url)
    admin.run("CREATE TABLE imported (id serial PRIMARY KEY, slug text)")
    admin.run("INSERT INTO imported (slug) VALUES ('one')")
    yield {
        "AWS_ENDPOINT_URL": address,
        "AWS_DEFAULT_REGION": "us-east-1",
        "SITE_BUCKET": BUCKET,
        "BASE_URL": "https://example.com",
        "DATABASE_URL": postgres_url,
    }
    admin.run("DROP TABLE imported")
    admin.close()
    server.stop()


@pytest.mark.parametrize(
    ("function", "foreign"),
    [
        ("robots", YAML),
        ("sitemap", YAML),
        ("llms", {*YAML, "frontmatter"}),
        ("feed", {*YAML, "frontmatter"}),
        ("page", {*YAML, "frontmatter"}),
    ],
)
def test_importing_a_handler_loads_next_to_nothing(function: str, foreign: set[str]) -> None:
    """A handler's import loads its own code and a YAML reader: no SDK, no driver, no renderer, no logger."""
    loaded = load(function)
    assert loaded.foreign(loaded.at_import) == foreign
    assert {name.partition(".")[0] for name in loaded.at_import} & HEAVY == set()


@pytest.mark.parametrize(
    ("function", "path", "foreign"),
    [
        ("robots", "/robots.txt", AWS | YAML),
        ("sitemap", "/sitemap.xml", AWS | YAML | POSTGRES | {"frontmatter"}),
        ("llms", "/llms.txt", AWS | YAML | {"frontmatter"}),
        ("feed", "/feed.xml", AWS | YAML | POSTGRES | MARKDOWN | {"frontmatter"}),
        ("page", "/docs/start", AWS | YAML | MARKDOWN | {"frontmatter"}),
        ("page", "/docs/start.md", AWS | YAML | {"frontmatter"}),
        ("page", "/posts/one", AWS | YAML | POSTGRES | {"frontmatter"}),
        ("page", "/nothing", AWS | YAML | {"frontmatter"}),
    ],
)
def test_an_answer_loads_what_it_needs(
    environment: dict[str, str], function: str, path: str, foreign: set[str]
) -> None:
    """The first answer loads the SDK, and of driver and renderer what its document is made with."""
    loaded = load(function, make_event(path), **environment)
    assert loaded.status == (404 if path == "/nothing" else 200)
    assert loaded.foreign(loaded.answered) == foreign


@pytest.mark.parametrize(
    ("function", "path", "unneeded"),
    [
        ("robots", "/robots.txt", ("documents.html", "documents.sitemap", "sources.postgres")),
        ("sitemap", "/sitemap.xml", ("documents.html", "documents.markdown", "documents.feed")),
        ("llms", "/llms.txt", ("documents.html", "documents.sitemap", "sources.postgres")),
        ("feed", "/feed.xml", ("documents.html", "documents.sitemap")),
        ("page", "/docs/start", ("documents.sitemap", "sources.postgres")),
    ],
)
def test_no_function_loads_the_documents_of_another(
    environment: dict[str, str], function: str, path: str, unneeded: tuple[str, ...]
) -> None:
    """Of our own modules too a function loads what its document is made with."""
    without_records = {name: value for name, value in environment.items() if name != "DATABASE_URL"}
    settings = environment if function == "sitemap" else without_records
    loaded = load(function, make_event(path), **settings)
    assert loaded.status == 200
    assert {f"fingerpost.{name}" for name in unneeded} & loaded.answered == set()


def test_a_stored_sitemap_needs_no_database(environment: dict[str, str]) -> None:
    """An instance that serves what another has computed does not even load the driver."""
    shared = {**environment, "GENERATIONS_BUCKET": f"{BUCKET}-generations"}
    first = load("sitemap", make_event("/sitemap.xml"), **shared)
    second = load("sitemap", make_event("/sitemap.xml"), **shared)
    assert (first.status, second.status) == (200, 200)
    assert first.foreign(first.answered) >= POSTGRES
    assert second.foreign(second.answered) & POSTGRES == set()
