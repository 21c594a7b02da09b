"""The sitemap's files, written one by one while the records that they list are read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.documents.sitemap import Report, RowReader, render_children, render_index
from fingerpost.site.loading import CONFIGURATION
from fingerpost.site.problems import Place, Problem, Severity
from fingerpost_tools.building.documents import SITEMAP

_PLACE = Place(CONFIGURATION)


@dataclass(slots=True)
class Listed:
    """How many entries the sitemap has, and what it leaves out."""

    entries: int = 0
    report: Report = field(default_factory=Report)

    def problems(self) -> Iterator[Problem]:
        """What is left out, as warnings."""
        for table in self.report.capped:
            message = f"table {table} has more records than are read: raise seo.sitemap.maxRecords"
            yield Problem("record-cap", _PLACE, message, Severity.WARNING)
        for address in self.report.too_long:
            message = f"{address[:200]} is too long for a sitemap and left out there"
            yield Problem("loc-length", _PLACE, message, Severity.WARNING)
        if self.report.too_many:
            message = "the sitemap has more entries than an index may name, and the rest is left out"
            yield Problem("sitemap-size", _PLACE, message, Severity.WARNING)


def write_sitemap(
    catalogue: Catalogue, origin: str, rows: RowReader, put: Callable[[str, bytes], None]
) -> Listed:
    """Hand each file of the set to `put`, as soon as it is complete: the children, and last `sitemap.xml`.

    Nothing is put where there is nothing to list. Raises what `rows` raises.
    """
    listed = Listed()
    lastmods: list[str | None] = []
    body = b""
    for number, child in enumerate(render_children(catalogue, origin, rows, listed.report), 1):
        if number == 1:
            body = child.body  # the whole sitemap, unless another child follows
        else:
            if number == 2:
                put("sitemap-1.xml", body)
            put(f"sitemap-{number}.xml", child.body)
        listed.entries += child.entries
        lastmods.append(child.lastmod)
    if len(lastmods) > 1:
        body = render_index(catalogue, origin, lastmods)
    if lastmods:
        put(SITEMAP, body)
    return listed
