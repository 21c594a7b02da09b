"""The faults as one table, by the check that each of them makes speak."""

from collections.abc import Callable
from typing import Final

from tests.unit.tools.auditing.served_site import O, Reply, Request, ServedSite

Fault = Callable[[ServedSite], None]

FAULTS: Final[dict[str, Fault]] = {}
ABOUT_CANONICAL: Final = f'<link rel="canonical" href="{O}/about">'


def fault(check: str) -> Callable[[Fault], Fault]:
    """Enter the function below as the fault of a check."""

    def enter(breaks: Fault) -> Fault:
        assert check not in FAULTS, check
        FAULTS[check] = breaks
        return breaks

    return enter


def replacing(check: str, path: str, old: str, new: str) -> None:
    """Enter as the fault of a check that one text stands in place of another."""
    fault(check)(lambda site: site.replace(path, old, new))


def on_html(change: Callable[[Request, Reply], None]) -> Callable[[Request, Reply], None]:
    """A hook that touches nothing but HTML pages that are there."""

    def hook(request: Request, reply: Reply) -> None:
        if reply.status == 200 and reply.headers.get("content-type", "").startswith("text/html"):
            change(request, reply)

    return hook
