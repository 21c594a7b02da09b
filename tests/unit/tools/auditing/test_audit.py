"""`fingerpost audit` as a person types it."""

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost_tools import audit
from fingerpost_tools.auditing import progress
from fingerpost_tools.main import main
from tests.unit.tools.auditing.served_site import ServedSite, healthy_site, serving


@pytest.fixture
def site() -> ServedSite:
    return healthy_site()


def test_a_healthy_site_passes(site: ServedSite, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0, the extent of the crawl and the verdict."""
    with serving(site) as origin:
        assert main(["audit", f"{origin}/"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"{origin}/\n14 pages, 3 sitemaps, 1 feed, ")
    assert "nothing found in" in out.splitlines()[-1]
    assert "training: nothing: GPTBot" in out
    assert err == ""


def test_errors_fail_warnings_only_when_strict(site: ServedSite) -> None:
    """A hint never fails, a warning with --strict, an error always; an ignored check is silent."""
    with serving(site) as origin:
        site.link("/about", "/gone")
        assert main(["audit", f"{origin}/", "--strict"]) == 0
        site.list_entry("https://other.example/")
        assert main(["audit", f"{origin}/"]) == 0
        assert main(["audit", f"{origin}/", "--strict"]) == 1
        assert main(["audit", f"{origin}/", "--strict", "--ignore", "sitemap-loc-foreign"]) == 0
        site.list_entry(f"{origin}/lost")
        assert main(["audit", f"{origin}/"]) == 1


def test_json_and_html_are_written(
    site: ServedSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--json is one object on stdout, --html a file beside whatever stdout gets."""
    file = tmp_path / "report.html"
    with serving(site) as origin:
        assert main(["audit", f"{origin}/", "--json", "--html", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["site"] == f"{origin}/"
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(("path", "home"), [("about", ""), ("docs/start?x=1", "docs/")])
def test_a_page_within_the_site_is_told_from_its_home(
    site: ServedSite, path: str, home: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The site begins at the last `/` of the address given; where that is not all of it, a note says so."""
    with serving(site) as origin:
        main(["audit", f"{origin}/{path}", "--sample", "1"])
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"{origin}/{home}"
    assert told[2] == f"{origin}/{path} is a page of {origin}/{home}; end it in `/` if the site begins there."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["example.com"],
            "expected an http:// or https:// address, found 'example.com'; did you mean https://example.com?",
        ),
        (["ftp://example.com/"], "did you mean https://example.com/?"),
        ([""], "expected an http:// or https:// address, found ''"),
        (["http://me:secret@example.com/"], "without a user name"),
        (["http://127.0.0.1:1/"], "http://127.0.0.1:1/robots.txt gives no answer: Connection refused"),
        (["http://example.com/", "--ignore", "link-ded"], "there is no check 'link-ded'; 'link-dead'?"),
        (
            ["http://example.com/", "--html", "/no/such/folder/x.html"],
            "--html: /no/such/folder/x.html can't be written",
        ),
    ],
)
def test_what_cannot_start_says_why(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, one line on stderr, nothing on stdout."""
    assert main(["audit", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "option",
    [
        *(
            "--max-pages=0",
            "--max-pages=",
            "--sample=few",
            "--sample=²",
            "--rate=0",
            "--rate=nan",
            "--rate=x",
        ),
        *("--timeout=-1", "--cookie=session", "--cookie==x", "--cookie=a=b\nc: d", "--cookie=a=é"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """argparse's own exit code 2, with the option's name, what was expected and what was found."""
    with pytest.raises(SystemExit) as ended:
        main(["audit", "http://example.com/", option])
    assert ended.value.code == 2
    name, _, value = option.partition("=")
    assert re.search(
        rf"argument {name}: expected .+, found {re.escape(repr(value))}", capsys.readouterr().err
    )


def test_an_interrupted_crawl_says_what_it_has_found(
    site: ServedSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C ends the crawl, not the report; the exit code is that of an interruption."""

    class Interrupting(progress.Silent):
        def stage(self, name: str, total: int) -> None:
            if name == "feeds":
                raise KeyboardInterrupt

    @contextlib.contextmanager
    def shown() -> Iterator[progress.Progress]:
        yield Interrupting()

    monkeypatch.setattr(progress, "shown", shown)
    with serving(site) as origin:
        assert main(["audit", f"{origin}/"]) == 130
    out = capsys.readouterr().out
    assert "The crawl was interrupted" in out
    assert "nothing found" in out


@pytest.mark.parametrize(
    ("url", "rate", "seconds"),
    [
        ("https://example.com/", None, 0.2),
        ("https://example.com/", 2.0, 0.5),
        ("http://127.0.0.1:8000/", None, 0.0),
        ("http://localhost/", None, 0.0),
        ("http://[::1]/", None, 0.0),
        ("http://127.0.0.1:8000/", 10.0, 0.1),
        ("http://localhost.example/", None, 0.2),
    ],
)
def test_other_peoples_machines_are_asked_slowly(url: str, rate: float | None, seconds: float) -> None:
    """Five requests a second unless told otherwise; this machine may be asked at once."""
    assert audit._seconds_between(url, rate) == seconds
