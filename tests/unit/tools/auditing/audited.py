"""What a test gets when it audits the server of its own."""

from datetime import UTC, datetime

from fingerpost_tools.auditing.crawl import Crawl, Limits
from fingerpost_tools.auditing.facts import Facts
from fingerpost_tools.auditing.fetcher import Fetcher
from fingerpost_tools.auditing.pace import Pace
from fingerpost_tools.auditing.progress import Silent
from fingerpost_tools.auditing.report import Report, make_report
from fingerpost_tools.auditing.urls import Scope
from tests.unit.tools.auditing.served_site import ServedSite, serving

LIMITS = Limits(pages=60, sample=4, post=True, cookie="session=one")


def crawl(url: str, limits: Limits = LIMITS, seconds: float = 10.0) -> Facts:
    """The facts of the site at `url`, gathered without a pause."""
    facts = Facts(Scope.of(url), datetime.now(UTC))
    fetcher = Fetcher(Pace(0), seconds)
    try:
        Crawl(fetcher, facts, limits, Silent()).run()
    finally:
        fetcher.close()
    return facts


def audit(site: ServedSite, limits: Limits = LIMITS) -> Report:
    """The report on a site that is served for as long as the crawl takes."""
    with serving(site) as origin:
        return make_report(crawl(f"{origin}/", limits))


def found(report: Report) -> dict[str, list[str]]:
    """The addresses at fault by check."""
    return {
        outcome.check.id: [finding.address for finding in outcome.findings] for outcome in report.outcomes
    }
