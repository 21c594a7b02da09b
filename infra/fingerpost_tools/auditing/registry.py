"""The checks as one table: each a function from facts to findings, with an id, a severity and advice."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.facts import Facts


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: the address at fault, and what was found there. `pages` are the other pages it concerns:
    all that link to the address, or that say the same."""

    address: str
    detail: str = ""
    pages: tuple[str, ...] = ()


Judge = Callable[[Facts], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Check:
    """One check. `id` is stable and kebab-case, its first word the subject; `says` is what a finding means
    and `advice` what to do, one sentence each."""

    id: str
    severity: Severity
    says: str
    advice: str
    judge: Judge


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one check found, at least one finding, ordered as the crawl met them."""

    check: Check
    findings: tuple[Finding, ...]


CHECKS: Final[dict[str, Check]] = {}


def check(id: str, severity: Severity, says: str, advice: str) -> Callable[[Judge], Judge]:  # noqa: A002 - the field's own name
    """Enter the function below into the table."""

    def enter(judge: Judge) -> Judge:
        if id in CHECKS:
            raise ValueError(f"two checks are called {id}")
        CHECKS[id] = Check(id, severity, says, advice, judge)
        return judge

    return enter


def first_of(pages: Sequence[str]) -> str:
    """The first of some pages, and how many more there are."""
    return pages[0] if len(pages) == 1 else f"{pages[0]} and {len(pages) - 1} more"


def judge(facts: Facts) -> list[Outcome]:
    """What every check finds, errors first, then in the table's order."""
    # Importing the modules fills the table.
    from fingerpost_tools.auditing import checks  # noqa: F401

    severities = list(Severity)
    outcomes = [Outcome(each, tuple(dict.fromkeys(each.judge(facts)))) for each in CHECKS.values()]
    found = [outcome for outcome in outcomes if outcome.findings]
    return sorted(found, key=lambda outcome: severities.index(outcome.check.severity))
