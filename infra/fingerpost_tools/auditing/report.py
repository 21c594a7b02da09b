"""What an audit found, as one value, and in its stable JSON form."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from fingerpost.site.dates import to_w3c
from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.facts import Facts
from fingerpost_tools.auditing.policy import Policy, policies
from fingerpost_tools.auditing.registry import CHECKS, Outcome, judge
from fingerpost_tools.auditing.sitemap_file import moment


@dataclass(frozen=True, slots=True)
class Report:
    """The facts of a crawl and what the checks say of them, errors first. `checks` is how many checks ran."""

    facts: Facts
    outcomes: tuple[Outcome, ...]
    policies: tuple[Policy, ...]
    checks: int

    def count(self, severity: Severity) -> int:
        """How many checks of one severity found something."""
        return sum(outcome.check.severity is severity for outcome in self.outcomes)

    @property
    def summary(self) -> str:
        """`2 errors, 1 hint in 97 checks`."""
        counted = [(self.count(severity), str(severity)) for severity in Severity]
        said = [plural(count, name) for count, name in counted if count]
        return f"{', '.join(said) or 'nothing found'} in {plural(self.checks, 'check')}"

    @property
    def extent(self) -> str:
        """What was looked at: `120 pages, 2 sitemaps, 1 feed, 431 requests in 92 s`."""
        facts = self.facts
        parts = [
            plural(len(facts.pages), "page"),
            plural(sum(sitemap.file is not None for sitemap in facts.sitemaps.values()), "sitemap"),
            plural(sum(feed.file is not None for feed in facts.feeds.values()), "feed"),
            f"{plural(facts.requests, 'request')} in {facts.seconds:.0f} s",
        ]
        return ", ".join(parts)

    def notes(self) -> list[str]:
        """In sentences, what was not looked at."""
        facts = self.facts
        notes = list(facts.notes)
        if facts.interrupted:
            notes.append("The crawl was interrupted; this is what it had found by then.")
        if facts.unvisited:
            notes.append(f"{plural(facts.unvisited, 'more page')} known and not visited: raise --max-pages.")
        if facts.forbidden:
            notes.append(f"{plural(len(facts.forbidden), 'page')} not visited because robots.txt forbids it.")
        return notes

    def lastmods(self) -> Counter[str]:
        """How many listed addresses changed in each month (`2026-03`), where a valid lastmod tells it."""
        dates = (entry.lastmod for entry in self.facts.listed().values())
        return Counter(date[:7] for date in dates if len(date) >= 7 and moment(date) is not None)

    def to_json(self) -> dict[str, Any]:
        """The JSON form. Its keys stay: later versions only add to them."""
        facts = self.facts
        return {
            "site": facts.scope.home,
            "audited": to_w3c(facts.now),
            "complete": not (facts.interrupted or facts.unvisited),
            "errors": self.count(Severity.ERROR),
            "warnings": self.count(Severity.WARNING),
            "hints": self.count(Severity.HINT),
            "checks": self.checks,
            "pages": len(facts.pages),
            "requests": facts.requests,
            "seconds": round(facts.seconds, 1),
            "notes": self.notes(),
            "findings": [
                {
                    "id": outcome.check.id,
                    "severity": str(outcome.check.severity),
                    "message": outcome.check.says,
                    "advice": outcome.check.advice,
                    "addresses": [
                        {"address": finding.address, "detail": finding.detail, "pages": list(finding.pages)}
                        for finding in outcome.findings
                    ],
                }
                for outcome in self.outcomes
            ],
            "ai": [
                {
                    "robot": policy.agent.token,
                    "operator": policy.agent.operator,
                    "purpose": str(policy.agent.purpose),
                    "group": policy.group,
                    "may_fetch": policy.may_fetch,
                    "signals": policy.signals,
                }
                for policy in self.policies
            ],
            "lastmod": dict(sorted(self.lastmods().items())),
        }


def make_report(facts: Facts, ignored: frozenset[str] = frozenset()) -> Report:
    """Judge the facts by every check that is not ignored."""
    outcomes = tuple(outcome for outcome in judge(facts) if outcome.check.id not in ignored)
    return Report(facts, outcomes, tuple(policies(facts)), len(CHECKS.keys() - ignored))


def plural(count: int, name: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{count} {name}" if count == 1 else f"{count} {name}s"
