"""What a build tells at its end: a few lines for people, one JSON object for machines."""

from pathlib import Path
from typing import Any

from fingerpost.catalogue.origin import Origin
from fingerpost.site.dates import to_w3c
from fingerpost_tools.building.static_site import Report
from fingerpost_tools.building.upload import Uploaded
from fingerpost_tools.checking.report import line, told_to_machines
from fingerpost_tools.checking.report import summary as counted
from fingerpost_tools.progress import duration
from fingerpost_tools.terminal import say, styled


def summary(
    root: Path, target: Path, origin: Origin, report: Report, seconds: float, uploaded: Uploaded | None
) -> dict[str, Any]:
    """The JSON form. Its keys stay: later versions only add to them. `bytes` is the size of all files, and
    `seconds` the time until they were in place; `rebuild_after` is a W3C datetime or null, `uploaded` null
    without --to."""
    outcome, tally = report.outcome, report.outcome.tally
    return {
        "site": str(root),
        "out": str(target),
        "origin": f"{origin.known or ''}{origin.base}",
        "pages": outcome.pages,
        "articles": outcome.articles,
        "records": outcome.records,
        "twins": outcome.twins,
        "documents": outcome.documents,
        "owned": len(report.owned),
        "sitemap_entries": report.sitemap_entries,
        "files": tally.files,
        "unchanged": tally.unchanged,
        "bytes": tally.size,
        "seconds": round(seconds, 3),
        "rebuild_after": to_w3c(report.due) if report.due is not None else None,
        "uploaded": None
        if uploaded is None
        else {
            "put": uploaded.put,
            "unchanged": uploaded.unchanged,
            "deleted": uploaded.deleted,
            "bytes": uploaded.size,
        },
        "problems": [told_to_machines(problem) for problem in outcome.problems],
    }


def tell(target: Path, report: Report, seconds: float, uploaded: Uploaded | None) -> None:
    """The lines: problems first, so that what was built stands last."""
    outcome, tally = report.outcome, report.outcome.tally
    for problem in outcome.problems:
        say(line(problem))
    parts = [
        (outcome.pages, "page"),
        (outcome.articles, "article"),
        (outcome.records, "record"),
        (outcome.twins, "Markdown twin"),
        (outcome.documents, "document"),
        (len(report.owned), "file of public/"),
    ]
    say(f"{styled(str(target), 'bold')}: {', '.join(_count(*part) for part in parts if part[0])}")
    say(
        f"{_count(tally.files, 'file')}, {size(tally.size)}, {tally.unchanged:,} unchanged; "
        f"{duration(seconds)}, {outcome.addresses / seconds:,.0f} pages/s"
    )
    if uploaded is not None:
        say(
            f"uploaded {_count(uploaded.put, 'object')} ({size(uploaded.size)}), "
            f"{uploaded.unchanged:,} unchanged, {uploaded.deleted:,} deleted"
        )
    if report.due is not None:
        say(f"build again after {to_w3c(report.due)}, when an article is due")
    if outcome.problems:
        say(counted(outcome.problems))


def size(count: int) -> str:
    """Bytes as people read them: `512 B`, `3.4 MB`."""
    for unit, divisor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= divisor:
            return f"{count / divisor:.1f} {unit}"
    return f"{count} B"


def _count(count: int, noun: str) -> str:
    if count == 1:
        return f"1 {noun}"
    head, space, tail = noun.partition(" of ")
    return f"{count:,} {head}s{space}{tail}"
