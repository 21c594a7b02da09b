"""What `fingerpost build` writes is what `fingerpost serve` answers: on the demo, real sites, a large one."""

import io
import json
import re
import time
from collections.abc import Iterator
from contextlib import closing, redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.origin import resolve_origin
from fingerpost.catalogue.publication import read_publication
from fingerpost.sources.directory import BUILD_MARK, DirectoryStore
from fingerpost.sources.login import UrlLogin
from fingerpost.sources.postgres import PostgresRecords
from fingerpost_tools.building.files import page_file, twin_file
from fingerpost_tools.main import main
from tests.e2e import caches
from tests.e2e.crawling import Crawl
from tests.e2e.serving import Client, Served
from tests.e2e.static_host import hosting
from tests.support import Clock, Functions, Response
from tests.unit.documents import sitemaps

pytestmark = pytest.mark.postgres


@dataclass(frozen=True)
class Built:
    """A built site beside the crawl of the served one; `root` is what a host would serve at `/`."""

    crawl: Crawl
    root: Path
    folder: Path
    report: dict[str, Any]

    @property
    def served(self) -> Served:
        return self.crawl.served

    @property
    def unwritten(self) -> set[str]:
        """The addresses that the build says no file can have."""
        messages = [problem["message"] for problem in self.report["problems"] if problem["id"] == "file-name"]
        named = [re.match(r"(?:record .* \()?(/\S*?)\)? is not written: ", message) for message in messages]
        assert all(named), messages
        return {found[1] for found in named if found is not None}

    def pages(self) -> Iterator[tuple[str, Path, Response]]:
        """Address, file and served answer of every address in the sitemap that a file can have."""
        for page in self.crawl.pages.values():
            address = page.listed.loc.removeprefix(self.served.address)
            if address not in self.unwritten:
                yield address, self.folder / page_file(address, self.served.base), page.html

    def files(self) -> set[str]:
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()}


def build(site: Path, folder: Path, *arguments: str) -> dict[str, Any]:
    """Build and give the summary; the command fails only where it says that something is missing."""
    with redirect_stdout(io.StringIO()) as said:
        code = main(["build", str(site), "--out", str(folder), "--json", *arguments])
    report: dict[str, Any] = json.loads(said.getvalue())
    assert code == (1 if any(p["severity"] == "error" for p in report["problems"]) else 0)
    return report


@pytest.fixture(scope="module")
def built_site(site: Crawl, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The site, built over the database that it is served from."""
    root = tmp_path_factory.mktemp("built") / "host"
    folder = Path(f"{root}{site.served.base}")
    folder.parent.mkdir(parents=True, exist_ok=True)
    report = build(site.served.root, folder, "--base-url", site.served.home)
    return Built(site, root, folder, report)


def without_feed(body: bytes) -> bytes:
    """A page as it is where there is no feed to announce."""
    body = re.sub(rb'<link rel="alternate" type="application/rss\+xml"[^>]*>\n', b"", body)
    return re.sub(rb'<a href="[^"]*/feed\.xml" rel="alternate">RSS</a>', b"", body)


def without_twin(body: bytes) -> bytes:
    """A page as it is where there is no Markdown form to announce."""
    body = re.sub(rb'<link rel="alternate" type="text/markdown"[^>]*>\n', b"", body)
    return re.sub(rb'<a href="[^"]*\.md" rel="alternate">Markdown</a>', b"", body)


def public_addresses(served: Served) -> Iterator[tuple[str, bool]]:
    """The address of every page and article that everyone may read, listed or not, and whether it is to be
    indexed."""
    publication = read_publication(DirectoryStore(served.root))
    catalogue = Catalogue(publication, resolve_origin(served.home, publication.site), datetime.now(UTC))
    for entry in catalogue.all_entries():
        if entry.verdict.public:
            yield entry.address, not entry.verdict.noindex


def test_a_build_is_what_is_served(built_site: Built) -> None:
    """Sitemaps are equal byte for byte, every page and Markdown form is, and so are the other documents."""
    served, crawl = built_site.served, built_site.crawl
    for name, found in crawl.documents.items():
        if name not in ("feed.xml", "agent-readability.json"):
            assert (built_site.folder / name).read_bytes() == found.body, name
    indexed = dict(public_addresses(served))
    for address, file, answer in built_site.pages():
        assert file.read_bytes() == without_feed(answer.body), address
    for page in crawl.pages.values():
        if page.twin is not None and page.twin_url is not None:
            twin = twin_file(page.twin_url.removeprefix(served.address), served.base)
            assert (built_site.folder / twin).read_bytes() == page.twin.body, twin
    listed = {page.listed.loc.removeprefix(served.address) for page in crawl.pages.values()}
    for address in indexed.keys() - listed - built_site.unwritten:
        answer = served.get(address)
        assert answer.status == 200, address
        expected = without_feed(answer.body)
        file = built_site.folder / page_file(address, served.base)
        assert file.read_bytes() == (expected if indexed[address] else without_twin(expected)), address


def test_nothing_else_is_built(built_site: Built) -> None:
    """Every HTML file of a build is at the address of something that everyone may read, is the owner's, or
    stands in for it: the root of a site in several languages, and the page for what is missing."""
    served = built_site.served
    addresses = {loc.removeprefix(served.address) for loc in built_site.crawl.pages}
    addresses |= {address for address, _ in public_addresses(served)}
    expected = {page_file(address, served.base) for address in addresses - built_site.unwritten}
    public = served.root / "public"
    owned = {str(path.relative_to(public)) for path in public.rglob("*") if path.is_file()}
    html = {file for file in built_site.files() if file.endswith(".html")}
    assert html - owned - {"index.html", "404.html"} == expected - {"index.html", "404.html"}
    assert (built_site.folder / "index.html").read_bytes() == without_feed(served.get(f"{served.base}/").body)
    assert "feed.xml" not in built_site.files() - owned
    assert BUILD_MARK in built_site.files()


def test_a_static_host_answers_every_address(built_site: Built) -> None:
    """Each address of the built sitemap, asked of a plain static host, is the page that was built for it."""
    with hosting(built_site.root) as origin, closing(Client(origin)) as client:
        for address, _, served in built_site.pages():
            answer = client.get(address)
            assert answer.status == 200, address
            assert answer.body == without_feed(served.body), address


@pytest.mark.skipif(caches.NGINX is None, reason="needs nginx")
def test_nginx_answers_every_address(built_site: Built, tmp_path: Path) -> None:
    """So does nginx with `try_files $uri $uri.html`."""
    with (
        caches.static_nginx(built_site.root, tmp_path / "nginx") as origin,
        closing(Client(origin)) as client,
    ):
        for address, _, served in built_site.pages():
            answer = client.get(address)
            assert (answer.status, answer.body) == (200, without_feed(served.body)), address


LARGE = """\
name: Large
languages:
  default: en
  supported: [{code: en}, {code: fr, locale: fr-FR}]
tables:
  - name: posts
    permissions: {read: all}
    fields: [{name: slug, type: single-line-text}, {name: updated_at, type: updated-at}]
pages:
  - {name: home, path: /, components: [{type: text, content: Home}]}
  - name: post
    path: /blog/:slug
    collection: {table: posts, slugField: slug}
    components: [{type: text, content: $record.slug}]
"""


@pytest.mark.slow
@pytest.mark.parametrize(("records", "children"), [(2_499, 0), (2_600, 2)])
def test_a_large_site_is_built_as_it_is_served(
    tmp_path: Path, postgres_url: str, records: int, children: int
) -> None:
    """With exactly 5,000 entries there is one sitemap, with more an index and its children: the same bytes as
    served, in two languages and below a base path, and every entry is a file."""
    source = PostgresRecords(UrlLogin(postgres_url))
    _fill(postgres_url, records)
    site, folder = tmp_path / "site", tmp_path / "out"
    site.mkdir()
    (site / "app.yaml").write_text(LARGE, encoding="utf-8")
    functions = Functions(
        DirectoryStore(site), source, "https://example.com/base", clock=Clock(time.time()), base="/base"
    )
    report = build(site, folder, "--base-url", "https://example.com/base", "--database-url", postgres_url)
    names = ["sitemap.xml", *(f"sitemap-{number}.xml" for number in range(1, children + 1))]
    assert sorted(path.name for path in folder.glob("sitemap*.xml")) == sorted(names)
    locs = []
    for name in names:
        body = (folder / name).read_bytes()
        assert body == functions.get(f"/base/{name}").body
        locs += [entry.loc for entry in sitemaps.read(body)]
    source.close()
    pages = [loc for loc in locs if not loc.endswith(".xml")]
    assert len(pages) == report["sitemap_entries"] == 2 * (records + 1)
    missing = [
        loc
        for loc in pages
        if not (folder / page_file(loc.removeprefix("https://example.com"), "/base")).is_file()
    ]
    assert missing == []


def _fill(url: str, records: int) -> None:
    from tests.unit.sources.database import connection

    database = connection(url)
    database.run("DROP TABLE IF EXISTS posts")
    database.run("CREATE TABLE posts (id serial PRIMARY KEY, slug text, updated_at timestamp)")
    database.run(
        "INSERT INTO posts (slug, updated_at) "
        "SELECT 'post ' || n, timestamp '2025-01-01' + n * interval '1 h' "
        "FROM generate_series(1, CAST(:records AS int)) n",
        records=records,
    )
    database.close()
