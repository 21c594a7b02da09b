"""Explanations for a terminal: one thing in full, or a table of everything with counts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from fingerpost_tools.explaining.facts import PUBLIC, Absence, Answer, Decision, Explanation, Named, as_json
from fingerpost_tools.terminal import styled

_NOT_SERVED: Final = "not served"
_SHORTEST_ADDRESS: Final = 20
# Rules as columns of a table show them.
_IN: Final = "yes"
# Under which what a document holds is counted.
_IN_DOCUMENT: Final = "in"


def in_full(answer: Answer, origin: str) -> Iterator[str]:
    """The lines about one address. `origin` is what its path stands behind, "" where that is not known."""
    if isinstance(answer, Absence):
        yield from _absence(answer)
        return
    source, lastmod = answer.source, answer.lastmod
    yield styled(f"{origin}{answer.address}", "bold")
    made_from = source.file or (f"{source.table}:{source.key}" if source.table else source.place.file)
    yield _line("source", f"{source.kind} {made_from}, page `{source.page}`", f"{source.place}")
    if answer.language is not None:
        others = [tag for tag in answer.languages if tag != answer.language]
        yield _line("language", answer.language + (f", also in {', '.join(others)}" if others else ""))
    place = f"{lastmod.place}" if lastmod.place is not None else ""
    yield _line("lastmod", f"{lastmod.value or 'none'}: {lastmod.origin}", place)
    for name, decision in answer.decisions.items():
        mark = styled("yes", "green") if decision.included else styled("no ", "yellow")
        rule = "" if decision.rule == PUBLIC else f"{decision.rule}: "
        place = f"{decision.place}" if decision.place is not None else ""
        yield _line(name, f"{mark} {rule}{decision.reason}", place)


def _absence(answer: Absence) -> Iterator[str]:
    yield styled(answer.asked, "bold")
    place = f"{answer.place}" if answer.place is not None else ""
    label = "served" if answer.served else _NOT_SERVED
    yield _line(label, f"{answer.rule}: {answer.reason}", place)
    if answer.nearest:
        yield _line("nearest", "  ".join(answer.nearest))


def _line(label: str, text: str, place: str = "") -> str:
    return f"  {label.ljust(10)} {text}{'  ' + styled(place, 'dim') if place else ''}"


def table(answers: Iterable[Answer], width: int) -> Iterator[str]:
    """One line for each address with the rule of each document, then how often each rule decided."""
    found = list(answers)
    explained = [answer for answer in found if isinstance(answer, Explanation)]
    widths = {name: _column(name, explained) for name in Named}
    longest = max((len(answer.address) for answer in explained), default=0)
    left = max(_SHORTEST_ADDRESS, min(longest, width - sum(widths.values()) - 2 * len(widths)))
    if explained:
        heads = "  ".join(str(name).ljust(widths[name]) for name in Named)
        yield styled(f"{'address'.ljust(left)}  {heads}".rstrip(), "bold")
    for answer in explained:
        cells = "  ".join(_cell(answer.decisions[name], widths[name]) for name in Named)
        yield f"{answer.address.ljust(left)}  {cells}".rstrip()
    absences = [answer for answer in found if isinstance(answer, Absence)]
    if absences:
        yield ""
        yield styled("without an address", "bold")
    for absence in absences:
        place = f"  {styled(str(absence.place), 'dim')}" if absence.place is not None else ""
        yield f"{absence.asked}  {absence.rule}: {absence.reason}{place}"
    yield ""
    yield from _counts(found)


def _column(name: Named, explained: Sequence[Explanation]) -> int:
    return max([len(name), *(len(_shown(answer.decisions[name])) for answer in explained)])


def _shown(decision: Decision) -> str:
    if decision.included:
        return _IN if decision.rule == PUBLIC else f"{_IN} ({decision.rule})"
    return decision.rule


def _cell(decision: Decision, width: int) -> str:
    return styled(_shown(decision).ljust(width), "green" if decision.included else "yellow")


def counts(answers: Iterable[Answer]) -> dict[str, dict[str, int]]:
    """How often each rule decided, for each document: `{"sitemap": {"in": 40, "noindex": 2}}`, and under
    `absent` why things have no address."""
    counted: dict[str, Counter[str]] = {str(name): Counter() for name in Named}
    absent: Counter[str] = Counter()
    for answer in answers:
        if isinstance(answer, Absence):
            absent[answer.rule] += 1
            continue
        for name, decision in answer.decisions.items():
            counted[str(name)][_IN_DOCUMENT if decision.included else str(decision.rule)] += 1
    return {name: _most_first(rules) for name, rules in (*counted.items(), ("absent", absent))}


def _most_first(rules: Counter[str]) -> dict[str, int]:
    """What is in, then the rules by how often they decided, then by name."""
    return dict(sorted(rules.items(), key=lambda item: (item[0] != _IN_DOCUMENT, -item[1], item[0])))


def _counts(answers: Sequence[Answer]) -> Iterator[str]:
    for name, rules in counts(answers).items():
        if rules:
            said = ", ".join(f"{count} {rule}" for rule, count in rules.items())
            yield f"{name.ljust(10)} {said}"


def report(site: str, origin: str | None, answers: Sequence[Answer]) -> dict[str, Any]:
    """The JSON form of everything that was explained."""
    return {
        "site": site,
        "origin": origin,
        "entries": [as_json(answer) for answer in answers if isinstance(answer, Explanation)],
        "absent": [as_json(answer) for answer in answers if isinstance(answer, Absence)],
        "counts": counts(answers),
    }
