"""How old a site's pages are: its lastmod dates over time, as a chart in SVG."""

from collections import Counter
from collections.abc import Mapping
from html import escape
from typing import Final

_WIDTH: Final = 720
_HEIGHT: Final = 160
_BASE: Final = 24
# More months than this are drawn as years.
_MONTHS: Final = 48


def lastmod_chart(months: Mapping[str, int]) -> str:
    """An `<svg>` with one bar a month (`2026-03`), a year where months would be too many; "" without dates.

    Months in which nothing changed have their place, so that a gap is seen as one.
    """
    if not months:
        return ""
    counted, spans = Counter(months), _months(min(months), max(months))
    if len(spans) > _MONTHS:
        counted = Counter()
        for month, count in months.items():
            counted[month[:4]] += count
        spans = [str(year) for year in range(int(min(counted)), int(max(counted)) + 1)][-_MONTHS:]
    most = max(counted[span] for span in spans) or 1
    step = _WIDTH / len(spans)
    bars = [_bar(span, counted[span], most, index * step, step) for index, span in enumerate(spans)]
    label = f"Pages by the date of their last change, {spans[0]} to {spans[-1]}"
    axis = _HEIGHT - _BASE
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}">'
        f'<line x1="0" y1="{axis}" x2="{_WIDTH}" y2="{axis}"/>{"".join(bars)}'
        f'<text x="0" y="{_HEIGHT - 6}">{escape(spans[0])}</text>'
        f'<text x="{_WIDTH}" y="{_HEIGHT - 6}" text-anchor="end">{escape(spans[-1])}</text></svg>'
    )


def _bar(span: str, count: int, most: int, left: float, step: float) -> str:
    if not count:
        return ""
    tall = max(2.0, count / most * (_HEIGHT - _BASE - 8))
    wide = max(1.0, min(40.0, step * 0.8))
    x, y = left + (step - wide) / 2, _HEIGHT - _BASE - tall
    title = f"<title>{escape(span)}: {count}</title>"
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" rx="1">{title}</rect>'


def _months(first: str, last: str) -> list[str]:
    """Every month from `first` to `last`."""
    start, end = _index(first), _index(last)
    return [f"{index // 12:04}-{index % 12 + 1:02}" for index in range(start, end + 1)]


def _index(month: str) -> int:
    year, _, number = month.partition("-")
    return int(year) * 12 + int(number) - 1
