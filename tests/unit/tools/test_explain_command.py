"""`fingerpost explain` as a command: what it says, and with which exit code; and on real sites."""

import json
import re
from pathlib import Path

import pytest

from fingerpost.catalogue.entry import Drop, Rule
from fingerpost.catalogue.origin import resolve_origin
from fingerpost.catalogue.publication import read_publication
from fingerpost.sources.directory import DirectoryStore
from fingerpost_tools.explaining.explainer import Explainer
from fingerpost_tools.explaining.facts import Explanation, Named
from fingerpost_tools.main import main
from tests.support import ORIGIN, REAL_SITES, Functions
from tests.unit.tools.explained import (
    DOCS,
    NOW,
    documents,
)

S, H, F, L, LF, HTML, T, R = Named


@pytest.fixture
def site(tmp_path: Path) -> str:
    """A site in a directory: a page, an article and a draft."""
    (tmp_path / "app.yaml").write_text(
        f"name: Acme\ndeployment: {{site: 'https://example.com'}}\n{DOCS}- {{name: home, path: /}}\n",
        encoding="utf-8",
    )
    (tmp_path / "content").mkdir()
    (tmp_path / "content/a.md").write_text("---\ntitle: A\nnoindex: true\n---\nA\n", encoding="utf-8")
    (tmp_path / "content/b.md").write_text("---\ndraft: true\n---\nB\n", encoding="utf-8")
    return str(tmp_path)


def test_one_address_in_full(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Address, source, lastmod, and a line for each document with the place of the setting."""
    assert main(["explain", site, "/docs/a"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "https://example.com/docs/a"
    assert "  source     article content/a.md, page `docs`  app.yaml:4 pages[0]" in shown
    assert "  sitemap    no  noindex: `noindex` asks for it  content/a.md:3 noindex" in shown
    assert "  twin       yes /docs/a.md" in shown
    assert len([line for line in shown if line.startswith("  ")]) == 2 + len(Named)


def test_a_file_is_named_from_anywhere(
    site: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the site's root, from where the command is given, or absolute."""
    monkeypatch.chdir(f"{site}/content")
    for name in ("content/a.md", "a.md", f"{site}/content/a.md"):
        assert main(["explain", site, name]) == 0
        assert capsys.readouterr().out.startswith("https://example.com/docs/a\n")


def test_what_is_not_served_is_exit_code_1(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A draft, by file and by address, and a misspelt address with the nearest one."""
    assert main(["explain", site, "content/b.md"]) == 1
    assert main(["explain", site, "/docs/b"]) == 1
    assert "not served draft: `draft: true`  content/b.md:2 draft" in capsys.readouterr().out
    assert main(["explain", site, "/", "/doc/a"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "  nearest    /docs/a"


def test_the_table_has_counts(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--all`, and no target at all: a row for each entry, then how often each rule decided."""
    assert main(["explain", site, "--all"]) == 0
    shown = capsys.readouterr().out
    assert main(["explain", site]) == 0
    assert capsys.readouterr().out == shown
    rows = [line.split() for line in shown.splitlines()]
    assert rows[0] == ["address", *map(str, Named)]
    assert ["/docs/b", *["draft"] * 7, "yes"] in rows
    assert "sitemap    1 in, 1 draft, 1 noindex" in shown.splitlines()


def test_the_json_form_is_stable(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Programs read these keys; new ones may join them, none may go."""
    assert main(["explain", site, "/docs/a", "/nowhere", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert set(report) >= {"site", "origin", "entries", "absent", "counts"}
    (entry,), (absent,) = report["entries"], report["absent"]
    assert set(entry) >= {"address", "source", "language", "languages", "lastmod", "documents"}
    assert entry["documents"]["sitemap"] == {
        "in": False,
        "rule": "noindex",
        "reason": "`noindex` asks for it",
        "place": {"file": "content/a.md", "line": 3, "path": "noindex"},
    }
    assert set(absent) >= {"asked", "served", "rule", "reason", "place", "nearest"}
    assert report["counts"]["sitemap"] == {"noindex": 1}
    assert main(["explain", site, "--all", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["html"] == {"in": 2, "draft": 1}


def test_a_broken_site_is_told_with_its_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and every problem of the configuration."""
    (tmp_path / "app.yaml").write_text("name: x\npages: 3\n", encoding="utf-8")
    assert main(["explain", str(tmp_path)]) == 2
    assert "app.yaml:2 pages: error: expected a list" in capsys.readouterr().err


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in REAL_SITES.glob("*/app.yaml")))
def test_real_sites_are_as_they_are_explained(folder: str) -> None:
    """Sitemap and llms.txt of sites that other people run hold what is said, their articles at least."""
    store = DirectoryStore(REAL_SITES / folder)
    publication = read_publication(store)
    explainer = Explainer(publication, store, resolve_origin(ORIGIN, publication.site), NOW)
    answers = [answer for answer in explainer.everything() if isinstance(answer, Explanation)]
    served = Functions(store)
    for document, file, pattern in (
        (S, "/sitemap.xml", f"<loc>{ORIGIN}([^<]+)</loc>"),
        (L, "/llms.txt", rf"\]\({ORIGIN}(\S+)\.md\)"),
    ):
        response = served.get(file)
        if response.status == 503:  # its records are in a database that this test has not
            continue
        found = set(re.findall(pattern, response.text)) if response.status == 200 else set()
        assert found == {answer.address for answer in answers if document in documents(answer)}


def test_the_documentation_lists_every_rule() -> None:
    """infra/README.md has each rule that this module's tests and the code name."""
    root = Path(__file__).parents[3]
    section = (root / "infra/README.md").read_text(encoding="utf-8").split("### fingerpost explain\n")[1]
    told = set(re.findall(r"`([a-z-]+)`", section.split("\n### ")[0]))
    code = "".join(
        (root / "infra/fingerpost_tools/explaining" / f"{name}.py").read_text()
        for name in ("absence", "documents", "explainer", "records")
    )
    named = set(re.findall(r'(?:Decision\(\s*(?:True|False),|Absence\(\s*[^"\n]+?,)\s*"([a-z-]+)"', code))
    assert len(named) > 25
    assert named | set(Rule) | set(Drop) <= told
