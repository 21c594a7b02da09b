"""How fast `fingerpost build` is, how much memory it takes, and how far from the least that is possible.

    python -m tests.bench.build [--articles 5000] [--records 50000] [--processes N]

A site is made up, its records put into an embedded Postgres, and built by the command in a process of its
own; once at a tenth of the size and once whole, so that growth shows. The floor is the same Markdown through
the same library, each page written to the same disk, by as many processes.

On a machine that does other things as well, `pages_per_cpu_second` (of all processes together, times the
cores is what the machine could do) says more than `pages_per_second`.

Memory is the proportional set size (a page shared by three processes counts a third for each) of the command
and the processes it starts, Postgres aside.
"""

import argparse
import json
import multiprocessing
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fingerpost.documents.gfm import gfm_to_html
from fingerpost_tools import embedded_postgres
from fingerpost_tools.building.crew import cores
from fingerpost_tools.embedded_postgres import Database

_SAMPLE_SECONDS: Final = 0.05
_ARTICLES_PER_FOLDER: Final = 50

APP: Final = """\
name: Bench
description: A site of this size.
tables:
  - name: posts
    permissions: {read: all}
    fields:
      - {name: slug, type: single-line-text}
      - {name: title, type: single-line-text}
      - {name: excerpt, type: long-text}
      - {name: body, type: rich-text}
      - {name: published_at, type: datetime}
      - {name: updated_at, type: updated-at}
pages:
  - {name: home, path: /, meta: {title: Bench}, components: [{type: text, element: h1, content: Bench}]}
  - name: post
    path: /blog/:slug
    collection: {table: posts, slugField: slug}
    meta: {title: $record.title, description: $record.excerpt}
    components:
      - {type: text, element: h1, content: $record.title}
      - {type: text, element: p, content: $record.published_at}
      - {type: text, content: $record.body}
  - name: docs
    path: /docs/:path*
    meta: {title: Handbook}
    contentDir:
      directory: content
      slugFrom: filepath
      sort: {field: order, direction: asc}
      nav: {enabled: true, groupBy: category}
    markdown: {toc: {maxDepth: 3}}
"""

_VOCABULARY: Final = """
wind rain soil vane wren garden gauge mast battery register station degree listen measure report north hedge
frost morning quiet screw thread copper sensor logger interval clean place turn read
"""
_WORDS: Final = _VOCABULARY.split()


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: addresses, seconds by the clock and of the processors, and peak memory in bytes."""

    addresses: int
    seconds: float
    cpu_seconds: float
    peak: int = 0

    @property
    def rate(self) -> float:
        return self.addresses / self.seconds


def markdown(chance: random.Random, paragraphs: int) -> str:
    """A text as authors write them: headings, paragraphs with links and code, a list, a table, a fence."""

    def sentence() -> str:
        return " ".join(chance.choices(_WORDS, k=chance.randint(6, 16))).capitalize() + "."

    blocks = []
    for number in range(paragraphs):
        if number % 4 == 0:
            blocks.append(f"## {sentence()[:-1]}")
        blocks.append(
            " ".join(sentence() for _ in range(4)) + f" See [the {number}th](/docs/{number}) and `code`."
        )
    blocks.append("\n".join(f"- {sentence()}" for _ in range(4)))
    blocks.append("| a | b |\n|---|---|\n" + "\n".join(f"| {w} | {n} |" for n, w in enumerate(_WORDS[:5])))
    blocks.append("```sh\ncurl -s http://station.local/now | jq .wind\n```")
    return "\n\n".join(blocks) + "\n"


def write_site(folder: Path, articles: int) -> list[str]:
    """A site with `articles` articles; their bodies."""
    chance = random.Random(7)
    folder.mkdir()
    (folder / "app.yaml").write_text(APP, encoding="utf-8")
    bodies = []
    for number in range(articles):
        body = markdown(chance, 10)
        section = number // _ARTICLES_PER_FOLDER
        path = folder / "content" / f"section-{section}" / f"article-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        front = (
            f"title: Article {number}\ndescription: About {number}.\norder: {number}\ncategory: S{section}"
        )
        path.write_text(f"---\n{front}\n---\n{body}", encoding="utf-8")
        bodies.append(body)
    return bodies


def fill_table(database: Database, records: int) -> list[str]:
    """`records` rows of the site's table, their bodies chosen from a hundred; the bodies, one per row."""
    chance = random.Random(11)
    texts = [markdown(chance, 4) for _ in range(100)]
    connection = database.connect()
    connection.run("DROP TABLE IF EXISTS posts")
    connection.run(
        "CREATE TABLE posts (id serial PRIMARY KEY, slug varchar, title varchar, excerpt text, body text, "
        "published_at timestamptz, updated_at timestamp, deleted_at timestamptz)"
    )
    connection.run(
        "INSERT INTO posts (slug, title, excerpt, body, published_at, updated_at) "
        "SELECT 'post-' || n, 'Post ' || n, 'About ' || n, (CAST(:texts AS json)->>(n % 100)::int) || n, "
        "timestamptz '2024-01-01Z' + n * interval '1 min', timestamp '2025-01-01' + n * interval '1 min' "
        "FROM generate_series(1, CAST(:records AS int)) n",
        texts=json.dumps(texts),
        records=records,
    )
    connection.run("ANALYZE posts")
    connection.close()
    return [texts[number % 100] for number in range(1, records + 1)]


def build(site: Path, out: Path, database: Database, processes: int) -> Measured:
    """Build the site by the command."""
    began, used = time.monotonic(), _cpu_seconds()
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "fingerpost_tools", "build", str(site), "--out", str(out), "--json"),
            *("--base-url", "https://example.com", "--database-url", database.url),
            *("--processes", str(processes)),
        ],
        stdout=subprocess.PIPE,
    )
    with _peak_memory(process.pid) as peak:
        output, _ = process.communicate()
    seconds = time.monotonic() - began
    if process.returncode:
        raise SystemExit(f"the build failed: {output.decode()}")
    summary = json.loads(output)
    addresses = summary["pages"] + summary["articles"] + summary["records"]
    return Measured(addresses, seconds, _cpu_seconds() - used, max(peak))


def floor(bodies: Sequence[str], folder: Path, processes: int) -> Measured:
    """The same Markdown through the same library alone, every page written to a file of its own."""
    folder.mkdir()
    context = multiprocessing.get_context("fork")
    began, used = time.monotonic(), _cpu_seconds()
    shares = [
        context.Process(target=_render_share, args=(bodies[first::processes], folder / str(first)))
        for first in range(processes)
    ]
    for share in shares:
        share.start()
    for share in shares:
        share.join()
    return Measured(len(bodies), time.monotonic() - began, _cpu_seconds() - used)


def _cpu_seconds() -> float:
    """What the processes that were started here, and are over, took of the processors."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _render_share(bodies: Sequence[str], folder: Path) -> None:
    folder.mkdir()
    for number, body in enumerate(bodies):
        (folder / f"{number}.html").write_bytes(gfm_to_html(body).encode())


@contextmanager
def _peak_memory(root: int) -> Iterator[list[int]]:
    """A list whose largest member is, at the end, the most that the process `root` and its children took."""
    samples, over = [0], threading.Event()

    def sample() -> None:
        while not over.wait(_SAMPLE_SECONDS):
            samples.append(sum(map(_proportional_size, _tree(root))))

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield samples
    finally:
        over.set()
        thread.join()


def _tree(root: int) -> Iterator[int]:
    yield root
    try:
        children = Path(f"/proc/{root}/task/{root}/children").read_text(encoding="ascii").split()
    except OSError:
        return
    for child in children:
        yield from _tree(int(child))


def _proportional_size(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:  # ended since it was listed
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def measure(folder: Path, database: Database, articles: int, records: int, processes: int) -> dict[str, Any]:
    """Build a site of this size twice, the second time over the first, and compare with the floor."""
    bodies = write_site(folder / "site", articles) + fill_table(database, records)
    first = build(folder / "site", folder / "out", database, processes)
    again = build(folder / "site", folder / "out", database, processes)
    least = floor(bodies, folder / "floor", processes)
    return {
        "articles": articles,
        "records": records,
        "pages": first.addresses,
        "seconds": round(first.seconds, 2),
        "pages_per_second": round(first.rate),
        "pages_per_cpu_second": round(first.addresses / first.cpu_seconds),
        "seconds_unchanged": round(again.seconds, 2),
        "peak_mb": round(max(first.peak, again.peak) / 1e6),
        "floor_pages_per_second": round(least.rate),
        "floor_pages_per_cpu_second": round(least.addresses / least.cpu_seconds),
        "times_the_floor": round(first.cpu_seconds / least.cpu_seconds, 1),
    }


def main() -> None:
    """Measure at a tenth and whole, and print one JSON object for each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--articles", type=int, default=5_000)
    parser.add_argument("--records", type=int, default=50_000)
    parser.add_argument("--processes", type=int, default=cores())
    arguments = parser.parse_args()
    for part in (10, 1):
        with tempfile.TemporaryDirectory(prefix="fingerpost-bench-") as name:
            folder = Path(name)
            folder.chmod(0o755)  # Postgres, which never runs as root, has to get in
            (folder / "state").mkdir()
            with embedded_postgres.running(folder / "state") as database:
                print(
                    json.dumps(
                        measure(
                            folder,
                            database,
                            arguments.articles // part,
                            arguments.records // part,
                            arguments.processes,
                        )
                    ),
                    flush=True,
                )


if __name__ == "__main__":
    main()
