"""Sites beyond one document: a sitemap index with its children, the cap on records, a corpus in several
parts."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from usp.tree import sitemap_tree_for_homepage

from fingerpost.limits import PLATFORM_RESPONSE_BYTES, RECORD_PAGE_ROWS, RECORD_PAGES, SITEMAP_ENTRIES
from tests.e2e.crawling import Crawl, crawl_documents
from tests.e2e.serving import Served, serving
from tests.template.cloudformation import ROOT, load
from tests.unit.sources.database import connection

pytestmark = pytest.mark.slow

RECORDS = """\
name: Many records
tables:
  - name: notes
    permissions: {read: all}
    fields:
      - {name: slug, type: single-line-text}
      - {name: changed, type: updated-at}
pages:
  - {name: home, path: /, components: []}
  - {name: note, path: "/notes/:slug", collection: {table: notes, slugField: slug}, components: []}
"""
SEED = """\
INSERT INTO notes (slug, changed)
SELECT 'note-' || n, timestamp '2024-01-01' + n * interval '1 minute' FROM generate_series(1, {count}) AS n;
INSERT INTO notes (slug, deleted_at) SELECT 'gone-' || n, now() FROM generate_series(1, 50) AS n;
"""
ARTICLES = 40
ARTICLE_BYTES = 260_000


def records(folder: Path, count: int) -> Iterator[Crawl]:
    """A site with `count` public records, and the documents that it answers."""
    root = folder / f"records-{count}"
    root.mkdir()
    (root / "app.yaml").write_text(RECORDS, encoding="utf-8")
    (root / "seed.sql").write_text(SEED.format(count=count), encoding="utf-8")
    with serving(root) as served:
        yield crawl_documents(served)


@pytest.fixture(scope="module")
def twelve_thousand(reachable: Path) -> Iterator[Crawl]:
    """A site with 12,000 public records."""
    yield from records(reachable, 12_000)


@pytest.fixture(scope="module")
def sixty_thousand(reachable: Path) -> Iterator[Crawl]:
    """A site with more records than are listed."""
    yield from records(reachable, 60_000)


@pytest.fixture(scope="module")
def corpus(reachable: Path) -> Iterator[Served]:
    """A site whose articles are larger together than one response may be."""
    root = reachable / "corpus"
    (root / "content").mkdir(parents=True)
    (root / "app.yaml").write_text(
        'name: Corpus\npages: [{name: docs, path: "/docs/:slug", contentDir: {directory: content}}]\n',
        encoding="utf-8",
    )
    for number in range(ARTICLES):
        text = f"# Article {number}\n\nmark-{number:02}\n\n" + "Ein Wört mehr 🦆. " * (ARTICLE_BYTES // 20)
        (root / "content" / f"a{number:02}.md").write_text(text, encoding="utf-8")
    with serving(root) as served:
        yield served


def test_twelve_thousand_records_are_listed_once_each(twelve_thousand: Crawl) -> None:
    """The index names three children by absolute address, each as new as its newest entry; together they hold
    each public record once, with the lastmod of its row (cases 54 and 56)."""
    site = twelve_thousand
    index = site.index()
    home = site.served.home
    assert [child.loc for child in index] == [f"{home}/sitemap-{n}.xml" for n in (1, 2, 3)]
    found = {entry.loc: entry.lastmod for entry in site.listed}
    assert len(found) == len(site.listed) == 12_001
    wanted = {
        f"{home}/notes/note-{n}": f"2024-01-{1 + n // 1440:02}T{n % 1440 // 60:02}:{n % 60:02}:00Z"
        for n in range(1, 12_001)
    }
    assert found == {f"{home}/": None} | wanted
    assert index[1].lastmod == wanted[f"{home}/notes/note-9999"]
    for child in (site.documents[f"sitemap-{n}.xml"] for n in (1, 2, 3)):
        assert child.text.count("<url>") <= SITEMAP_ENTRIES
    assert site.served.get(f"{home}/sitemap-4.xml").status == 404


def test_another_parser_follows_the_index(twelve_thousand: Crawl) -> None:
    """ultimate-sitemap-parser gets from the home page to each of the 12,001 addresses."""
    tree = sitemap_tree_for_homepage(f"{twelve_thousand.served.home}/")
    assert sorted(page.url for page in tree.all_pages()) == sorted(
        entry.loc for entry in twelve_thousand.listed
    )


def test_records_at_the_ends_answer(twelve_thousand: Crawl) -> None:
    """The first and last entries of each child answer at their address."""
    served = twelve_thousand.served
    for number in (1, 4999, 5000, 5001, 9999, 10_000, 12_000):
        answer = served.get(f"/notes/note-{number}")
        assert answer.status == 200
        assert f'<link rel="canonical" href="{served.home}/notes/note-{number}">' in answer.text


def test_sixty_thousand_records_stop_at_the_cap_and_say_so(sixty_thousand: Crawl) -> None:
    """Ten pages of 5,001 rows are listed, and the log says that there are more."""
    assert len(sixty_thousand.listed) == 50_010 + 1
    assert len({entry.loc for entry in sixty_thousand.listed}) == 50_010 + 1
    assert len(sixty_thousand.index()) == 11
    assert re.search(r"more records than are listed.*notes", sixty_thousand.served.logged())


def test_a_large_corpus_continues_and_loses_nothing(corpus: Served) -> None:
    """llms-full.txt announces its continuation, every article is in one of the parts, whole, and no response
    is larger than the platform carries (case 61)."""
    url = f"{corpus.home}/llms-full.txt"
    parts = []
    while True:
        answer = corpus.get(url)
        assert answer.status == 200
        assert len(answer.body) * 4 / 3 < PLATFORM_RESPONSE_BYTES
        parts.append(answer.text)
        following = re.findall(rf"{re.escape(corpus.home)}/llms-full-{len(parts) + 1}\.txt", answer.text)
        if not following:
            break
        url = following[0]
    assert len(parts) > 1
    whole = "".join(parts)
    for number in range(ARTICLES):
        assert whole.count(f"mark-{number:02}") == 1
    assert whole.count("Ein Wört mehr 🦆.") == ARTICLES * (ARTICLE_BYTES // 20)
    assert corpus.get(f"{corpus.home}/llms-full-{len(parts) + 1}.txt").status == 404


@pytest.mark.postgres
def test_a_function_has_memory_for_all_records(postgres_url: str, tmp_path: Path) -> None:
    """As many records as a collection lists fit into half of the memory that the stack gives a function (its
    runtime needs some, too), and each answer into what Lambda carries."""
    (tmp_path / "app.yaml").write_text(RECORDS, encoding="utf-8")
    database = connection(postgres_url)
    database.run(
        "CREATE TABLE notes (id serial PRIMARY KEY, slug text, changed timestamp, deleted_at timestamptz); "
        + SEED.format(count=RECORD_PAGE_ROWS * RECORD_PAGES + 1)
    )
    children = [f"/sitemap-{number}.xml" for number in range(1, 13)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.one_function", "sitemap", "/sitemap.xml", *children],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "SITE_DIRECTORY": str(tmp_path),
            "BASE_URL": "https://example.com",
            "DATABASE_URL": postgres_url,
        },
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    database.run("DROP TABLE notes")
    database.close()
    report = json.loads(done.stdout)
    # 50,010 records and the home page: ten whole children and one of 11.
    assert report["statuses"] == [200] * 12 + [404]
    assert max(report["sizes"]) < PLATFORM_RESPONSE_BYTES
    assert report["memory"] < load()["Parameters"]["MemorySize"]["Default"] * 1024 * 1024 / 2
    assert "more records than are listed" in done.stderr
