"""`fingerpost build`: what it writes, and what it says of it."""

import json
import os
from functools import partial
from pathlib import Path

import pytest

from fingerpost.documents.errors import not_found_page
from fingerpost.sources.directory import BUILD_MARK
from fingerpost_tools.building import static_site
from tests.unit.tools.building.sites import LANGUAGES, ORIGIN, PAGES, Build, files, text, write


def test_what_a_build_writes(build: Build, out: Path) -> None:
    """Every page and article that everyone may open, the Markdown of those to be indexed, and the documents;
    nothing that is restricted or not there yet."""
    assert build().code == 0
    assert files(out) == {
        *("index.html", "about.html", "terms.html", "unlisted.html", "_preview.html", "404.html"),
        *("docs.html", "docs.md", "docs/guide.html", "docs/guide.md", "docs/guide/start.html"),
        *("docs/guide/start.md", "docs/hidden.html", "docs/hidden.md", "docs/noindex.html"),
        *("sitemap.xml", "robots.txt", "llms.txt", "llms-full.txt", "agent-readability.json", BUILD_MARK),
    }
    assert text(out, "docs/guide/start.md") == "Begin\n"
    assert "/hidden" not in text(out, "sitemap.xml")
    assert (out / "404.html").read_bytes() == not_found_page("")


def test_the_summary_counts_it(build: Build, out: Path) -> None:
    """Pages, articles, forms, files and bytes are those on the disk; a second build changes none."""
    report = build().report
    counted = ("pages", "articles", "records", "twins", "documents", "owned")
    assert {name: report[name] for name in counted} == {
        "pages": 5,
        "articles": 5,
        "records": 0,
        "twins": 4,
        "documents": 6,
        "owned": 0,
    }
    assert report["files"] == len(files(out))
    assert report["bytes"] == sum((out / file).stat().st_size for file in files(out))
    assert (report["origin"], report["uploaded"], report["unchanged"]) == (ORIGIN, None, 0)
    again = build().report
    assert again["unchanged"] == again["files"] == report["files"]


def test_the_lines_for_people(build: Build, out: Path) -> None:
    """Without --json: what was built, how large it is and how fast, and what it is at on stderr."""
    result = build(json=False)
    assert result.out.splitlines()[0] == f"{out}: 5 pages, 5 articles, 4 Markdown twins, 6 documents"
    assert " files, " in result.out
    assert " pages/s" in result.out
    assert result.err.startswith("rendering: 10, ")
    assert build("--quiet", json=False).err == ""


def test_noindex_is_in_the_page_where_no_header_can_be(build: Build, out: Path) -> None:
    """What is not to be indexed has its tag, and neither a Markdown form nor a word of one."""
    build()
    for name in ("terms.html", "docs/noindex.html", "_preview.html"):
        assert '<meta name="robots" content="noindex">' in text(out, name)
        assert "text/markdown" not in text(out, name)
        assert ">Markdown</a>" not in text(out, name)
    assert f'type="text/markdown" href="{ORIGIN}/docs/hidden.md"' in text(out, "docs/hidden.html")


def test_nothing_is_announced_that_no_static_host_has(build: Build, site: Path, out: Path) -> None:
    """No feed and no negotiation, unless the owner wrote the feed."""
    write(site, {"app.yaml": PAGES.replace("path: /docs/:path*", "path: /docs/:path*\n    rss: true")})
    build()
    manifest = json.loads(text(out, "agent-readability.json"))
    assert "feeds" not in manifest["artifacts"]
    assert manifest["artifacts"]["markdown"] == {"pattern": f"{ORIGIN}/{{route}}.md"}
    assert "rss+xml" not in text(out, "docs/guide/start.html")
    write(site, {"public/feed.xml": "<rss/>"})
    build()
    manifest = json.loads(text(out, "agent-readability.json"))
    assert manifest["artifacts"]["feeds"] == [f"{ORIGIN}/feed.xml"]
    assert text(out, "feed.xml") == "<rss/>"


def test_the_owners_files_win(build: Build, site: Path, out: Path) -> None:
    """Files of public/ are copied as they are, robots.txt as it is served; what they stand in for is not
    made, and a page that they take the place of is named."""
    write(
        site,
        {
            "public/robots.txt": b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /x\r\n",
            "public/sitemap.xml": "<urlset/>",
            "public/llms-full.txt": "mine",
            "public/404.html": "my 404",
            "public/about.html": "my about",
            "public/assets/logo.svg": "<svg/>",
            "public/docs/guide.md": "my guide",
        },
    )
    os.utime(site / "public/assets/logo.svg", (1_700_000_000, 1_700_000_000))
    result = build()
    assert result.code == 0
    assert (out / "robots.txt").read_bytes() == b"User-agent: *\nDisallow: /x\n"
    assert text(out, "sitemap.xml") == "<urlset/>"
    assert text(out, "llms-full.txt") == "mine"
    assert text(out, "404.html") == "my 404"
    assert text(out, "about.html") == "my about"
    assert text(out, "docs/guide.md") == "my guide"
    assert "docs/guide.md" in text(out, "docs/guide.html")
    assert (out / "assets/logo.svg").stat().st_mtime == 1_700_000_000
    assert result.report["owned"] == 7
    assert result.problems("warning") == ["/about is not written: public/about.html stands in its place"]
    assert json.loads(text(out, "agent-readability.json"))["artifacts"]["sitemap"] == f"{ORIGIN}/sitemap.xml"


def test_a_page_at_404_is_the_page_for_what_is_missing(build: Build, site: Path, out: Path) -> None:
    """Hosts show 404.html for what they have not: the author's own page, where there is one."""
    write(
        site,
        {"app.yaml": PAGES + "  - {name: missing, path: /404, components: [{type: text, content: Lost}]}"},
    )
    assert build().code == 0
    assert "Lost" in text(out, "404.html")


def test_the_root_of_a_site_in_several_languages(build: Build, site: Path, out: Path) -> None:
    """The default language's page stands at the root too, as on a server, and says where it belongs."""
    write(site, {"app.yaml": LANGUAGES + PAGES})
    assert build().code == 0
    assert {"index.html", "en/index.html", "fr/index.html", "en/about.html", "fr/about.html"} <= files(out)
    assert "about.html" not in files(out)
    assert text(out, "index.html") == text(out, "en/index.html")
    assert f'<link rel="canonical" href="{ORIGIN}/en/">' in text(out, "index.html")


def test_the_base_path_is_no_folder(build: Build, out: Path) -> None:
    """Files are relative to the base path; every address has it once."""
    build(origin=f"{ORIGIN}/base/")
    assert {"index.html", "about.html", "docs/guide/start.html"} <= files(out)
    assert f"<loc>{ORIGIN}/base/docs/guide/start</loc>" in text(out, "sitemap.xml")
    assert f"Sitemap: {ORIGIN}/base/sitemap.xml" in text(out, "robots.txt")


def test_unchanged_files_keep_their_time(build: Build, site: Path, out: Path) -> None:
    """Only what changed gets a new time, so that a sync uploads no more."""
    build()
    for name in files(out):
        os.utime(out / name, (1_700_000_000, 1_700_000_000))
    write(
        site,
        {"content/guide/start.md": "---\ntitle: Start\ndate: 2024-01-08\nupdated: 2024-02-01\n---\nAgain\n"},
    )
    build()
    changed = {name for name in files(out) if (out / name).stat().st_mtime > 1_700_000_000}
    assert changed == {"docs/guide/start.html", "docs/guide/start.md", "sitemap.xml", "llms-full.txt"}


def test_an_article_that_is_still_to_come(build: Build, site: Path, out: Path) -> None:
    """It is not written, and the summary says when the site should be built again."""
    write(site, {"content/later.md": "---\ndate: 2999-01-01\n---\nLater\n"})
    assert build().report["rebuild_after"] == "2999-01-01T00:00:00Z"
    assert "docs/later.html" not in files(out)
    assert "build again after 2999-01-01T00:00:00Z" in build(json=False).out


def test_processes_make_no_difference(build: Build, out: Path) -> None:
    """However many processes render, the files are the same."""
    build("--processes", "1")
    one = {name: (out / name).read_bytes() for name in files(out)}
    assert build("--processes", "3").report["unchanged"] == len(one)


def test_processes_that_are_no_copies_write_the_same(
    build: Build, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where processes start afresh (macOS), each reads the site again and writes the same."""
    build()
    monkeypatch.setattr(static_site, "Wanted", partial(static_site.Wanted, method="spawn"))
    result = build()
    assert (result.code, result.report["unchanged"]) == (0, len(files(out)))
