"""What an audit says, in each of its three forms."""

import json
from datetime import UTC, datetime

import pytest
from lxml import html

from fingerpost.site.problems import Severity
from fingerpost_tools.auditing import html_report
from fingerpost_tools.auditing import report as reports
from fingerpost_tools.auditing.facts import Facts
from fingerpost_tools.auditing.lastmod_chart import lastmod_chart
from fingerpost_tools.auditing.registry import CHECKS, Check, Finding, Outcome
from fingerpost_tools.auditing.report import Report, make_report
from fingerpost_tools.auditing.robots_file import read_robots
from fingerpost_tools.auditing.terminal_report import lines, printable
from fingerpost_tools.auditing.urls import Scope
from tests.unit.tools.auditing.audited import audit
from tests.unit.tools.auditing.served_site import healthy_site

EVIL = '<script>alert("x")</script>\x1b[31m\x07\u202e'


def report_of(*findings: Finding, severity: Severity = Severity.ERROR) -> Report:
    """A report with one outcome."""
    check = Check("x-y", severity, "Says.", "Do.", lambda facts: iter(findings))
    facts = Facts(Scope("https://example.com"), datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC))
    return Report(facts, (Outcome(check, findings),) if findings else (), (), 1)


def test_json_has_its_stable_form() -> None:
    """Keys and types are a promise; a later version only adds to them."""
    site = healthy_site()
    site.link("/about", "/gone")
    site.link("/fr/", "/gone")
    written = json.loads(json.dumps(audit(site).to_json()))
    assert written.keys() == {
        *("site", "audited", "complete", "errors", "warnings", "hints", "checks", "pages", "requests"),
        *("seconds", "notes", "findings", "ai", "lastmod"),
    }
    (finding,) = written["findings"]
    assert finding == {
        "id": "link-dead",
        "severity": "hint",
        "message": CHECKS["link-dead"].says,
        "advice": CHECKS["link-dead"].advice,
        "addresses": [
            {
                "address": f"{site.origin}/gone",
                "detail": f"answers 404; linked on {site.origin}/fr/ and 1 more",
                "pages": [f"{site.origin}/fr/", f"{site.origin}/about"],
            }
        ],
    }
    assert (written["errors"], written["warnings"], written["hints"]) == (0, 0, 1)
    assert written["lastmod"] == {"2026-01": 8, "2026-02": 1, "2026-03": 2}
    robot = next(each for each in written["ai"] if each["robot"] == "GPTBot")
    assert robot == {
        "robot": "GPTBot",
        "operator": "OpenAI",
        "purpose": "training",
        "group": "GPTBot",
        "may_fetch": "nothing",
        "signals": "",
    }


def test_the_policy_is_what_each_robot_obeys() -> None:
    """A robot without a group of its own obeys `*`; without any rule it may fetch everything."""
    facts = Facts(Scope("https://example.com"), datetime(2026, 3, 14, tzinfo=UTC))
    facts.robots = read_robots(
        b"User-agent: *\nContent-Signal: ai-train=no\nDisallow: /a\nDisallow: /b\nDisallow: /c\n"
        b"Disallow: /d\nUser-agent: GPTBot\nDisallow: /\nUser-agent: CCBot\nDisallow:\n"
    )
    by_token = {policy.agent.token: policy for policy in make_report(facts).policies}
    assert by_token["GPTBot"].may_fetch == "nothing"
    assert (by_token["CCBot"].group, by_token["CCBot"].may_fetch) == ("CCBot", "everything")
    shared = by_token["ClaudeBot"]
    assert (shared.group, shared.may_fetch, shared.signals) == (
        "*",
        "everything but /a, /b, /c …",
        "ai-train=no",
    )
    facts.robots = read_robots(b"")
    assert {(policy.group, policy.may_fetch) for policy in make_report(facts).policies} == {
        ("", "everything")
    }


def test_errors_come_first_and_ignored_checks_not_at_all() -> None:
    """What was ignored is neither told nor counted."""
    site = healthy_site()
    site.link("/about", "/gone")
    site.list_entry(f"{site.origin}$O/lost")
    facts = audit(site).facts
    full, less = make_report(facts), make_report(facts, frozenset({"link-dead"}))
    assert [outcome.check.id for outcome in full.outcomes] == ["sitemap-loc-dead", "link-dead"]
    assert [outcome.check.id for outcome in less.outcomes] == ["sitemap-loc-dead"]
    assert less.checks == full.checks - 1 == len(CHECKS) - 1
    assert full.summary == f"1 error, 1 hint in {len(CHECKS)} checks"


def test_the_terminal_shows_some_addresses_and_counts_the_rest() -> None:
    """Five addresses, then how many more; what to do comes last."""
    findings = [Finding(f"https://example.com/{number}", "answers 404") for number in range(8)]
    shown = list(lines(report_of(*findings)))
    assert "error x-y: Says." in shown
    assert "  https://example.com/4  answers 404" in shown
    assert "  https://example.com/5  answers 404" not in shown
    assert shown[shown.index("  and 3 more") + 1] == "  → Do."
    assert shown[-1] == "1 error in 1 check"


def test_nothing_from_the_site_steers_the_terminal() -> None:
    """Control characters are written out, and a text that never ends is cut."""
    text = "\n".join(lines(report_of(Finding(f"https://example.com/{EVIL}", EVIL * 50))))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text
    assert "\\x1b[31m" in text
    assert max(map(len, text.split("\n"))) < 500
    assert printable("Grêle 雹") == "Grêle 雹"


def test_the_page_needs_nothing_and_runs_nothing() -> None:
    """No script, no reference to anything else than the addresses at fault; what the site said is text."""
    page = html_report.html_report(
        report_of(
            Finding(EVIL, EVIL), Finding("javascript:alert(1)"), Finding('https://example.com/a?b=1&c="2')
        )
    )
    tree = html.fromstring(page)
    assert tree.xpath("//script | //@src | //link | //@onclick | //iframe") == []
    assert tree.xpath("//a/@href") == ['https://example.com/a?b=1&c="2']
    assert [text for text in tree.xpath("//li/text()") if "alert" in text]
    assert "default-src 'none'" in tree.xpath("//meta[@http-equiv]/@content")[0]
    assert tree.xpath("//title/text()") == ["Audit of https://example.com/"]


def test_the_page_tells_all() -> None:
    """Counts, every finding with all its addresses, the policy of every robot, and the chart."""
    site = healthy_site()
    for number in range(12):
        site.link("/about", f"/gone-{number}")
    site.link("/fr/", "/gone-3")
    report = audit(site)
    tree = html.fromstring(html_report.html_report(report))
    assert tree.xpath("//ul[@class='counts']//b/text()") == ["0", "0", "1"]
    assert len(tree.xpath("//details/ul/li[not(ancestor::li)]")) == 12
    (other,) = tree.xpath("//li/details")
    assert other.xpath("summary/text()") == ["2 pages"]
    assert other.xpath(".//a/@href") == [f"{site.origin}/fr/", f"{site.origin}/about"]
    assert len(tree.xpath("//tbody/tr")) == len(report.policies)
    assert len(tree.xpath("//svg")) == 1


def test_a_healthy_page_says_so() -> None:
    """Without findings and dates the page has neither list nor chart."""
    page = html_report.html_report(report_of())
    assert "<p>None.</p>" in page
    assert "<svg" not in page


def test_the_chart_leaves_room_for_months_without_change() -> None:
    """A gap is seen as one; each bar says its month and count."""
    chart = html.fromstring(lastmod_chart({"2026-01": 1, "2026-04": 4}))
    assert chart.xpath("//title/text()") == ["2026-01: 1", "2026-04: 4"]
    lefts = [float(left) for left in chart.xpath("//rect/@x")]
    tall = [float(height) for height in chart.xpath("//rect/@height")]
    assert lefts[1] - lefts[0] == pytest.approx(3 * 720 / 4, abs=0.2)
    assert tall[1] == pytest.approx(4 * tall[0], abs=0.2)


def test_many_months_become_years() -> None:
    """A long history, and a date that is no real one, still make a chart of bounded size."""
    chart = lastmod_chart({"0001-01": 1, "2020-05": 2, "2026-03": 3, "2026-04": 3})
    assert "<title>2026: 6</title>" in chart
    assert chart.count("<rect") == 2
    assert lastmod_chart({}) == ""


def test_plural() -> None:
    """English counts."""
    assert [reports.plural(count, "page") for count in (0, 1, 2)] == ["0 pages", "1 page", "2 pages"]
