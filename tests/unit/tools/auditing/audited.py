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


def slept(site: ServedSite, limits: Limits, seconds: float) -> list[float]:
    """How long the robot slept before each request but the first, on a clock that moves only then."""
    pauses: list[float] = []
    clock = [0.0]

    def sleep(pause: float) -> None:
        pauses.append(pause)
        clock[0] += pause

    with serving(site) as origin:
        fetcher = Fetcher(Pace(seconds, lambda: clock[0], sleep))
        Crawl(fetcher, Facts(Scope.of(f"{origin}/"), datetime.now(UTC)), limits, Silent()).run()
        fetcher.close()
    assert len(pauses) == fetcher.count - 1
    return pauses


def audit(site: ServedSite, limits: Limits = LIMITS) -> Report:
    """The report on a site that is served for as long as the crawl takes."""
    with serving(site) as origin:
        return make_report(crawl(f"{origin}/", limits))


def found(report: Report) -> dict[str, list[str]]:
    """The addresses at fault by check."""
    return {
        outcome.check.id: [finding.address for finding in outcome.findings] for outcome in report.outcomes
    }
