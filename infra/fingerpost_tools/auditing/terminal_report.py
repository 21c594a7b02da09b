"""The report for a person at a terminal."""

from collections.abc import Iterator
from typing import Final

from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.registry import Outcome
from fingerpost_tools.auditing.report import Report
from fingerpost_tools.terminal import styled

_STYLES: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.HINT: "cyan"}
# Addresses shown of one finding; the JSON and the HTML have all.
_SHOWN: Final = 5
_WIDTH: Final = 200


def lines(report: Report) -> Iterator[str]:
    """The lines of the report, in colour where stdout takes it."""
    yield styled(printable(report.facts.scope.home), "bold")
    yield report.extent
    for note in report.notes():
        yield styled(printable(note), "yellow")
    for outcome in report.outcomes:
        yield ""
        yield from _outcome(outcome)
    yield ""
    yield from _policies(report)
    yield ""
    style = "red" if report.count(Severity.ERROR) else "yellow" if report.outcomes else "green"
    yield styled(report.summary, style)


def _outcome(outcome: Outcome) -> Iterator[str]:
    check = outcome.check
    yield f"{styled(str(check.severity), _STYLES[check.severity])} {styled(check.id, 'bold')}: {check.says}"
    for finding in outcome.findings[:_SHOWN]:
        detail = f"  {styled(printable(finding.detail), 'dim')}" if finding.detail else ""
        yield f"  {printable(finding.address)}{detail}"
    if len(outcome.findings) > _SHOWN:
        yield f"  and {len(outcome.findings) - _SHOWN} more"
    yield f"  {styled('→', 'dim')} {check.advice}"


def _policies(report: Report) -> Iterator[str]:
    """Which AI robots may fetch what, those of one answer in one line."""
    yield styled("What robots.txt lets AI robots fetch", "bold")
    together: dict[tuple[str, str, str], list[str]] = {}
    for policy in report.policies:
        key = (str(policy.agent.purpose), policy.may_fetch, policy.signals)
        together.setdefault(key, []).append(policy.agent.token)
    for (purpose, may_fetch, signals), tokens in together.items():
        said = f" ({printable(signals)})" if signals else ""
        yield f"  {purpose}: {printable(may_fetch)}{said}: {styled(', '.join(tokens), 'dim')}"


def printable(text: str) -> str:
    """`text` from the site with whatever could steer a terminal written out, and not too long for a line."""
    safe = "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )
    return safe if len(safe) <= _WIDTH else f"{safe[: _WIDTH - 1]}…"
