"""Faults of llms.txt and of Markdown twins."""

from tests.unit.tools.auditing.faults.registry import FAULTS, fault, replacing
from tests.unit.tools.auditing.served_site import O, Reply, Request, Resource, ServedSite


@fault("llms-type")
def llms_type(site: ServedSite) -> None:
    site.resources["/llms.txt"].type = "application/octet-stream"


@fault("llms-empty")
def llms_empty(site: ServedSite) -> None:
    site.resources["/llms.txt"].body = "# Vane and Wren\n\nNothing to read yet.\n"


@fault("llms-link-redirects")
def llms_link_redirects(site: ServedSite) -> None:
    site.redirect("/docs/old.md", "/docs/start.md")
    site.offer(f"{O}/docs/old.md")


@fault("llms-link-type")
def llms_link_type(site: ServedSite) -> None:
    site.resources["/docs/raw.md"] = Resource("# Raw\n", "application/octet-stream")
    site.offer(f"{O}/docs/raw.md")


FAULTS["llms-link-dead"] = lambda site: site.offer(f"{O}/docs/gone.md")
FAULTS["llms-link-duplicate"] = lambda site: site.offer(f"{O}/docs/start.md")
FAULTS["llms-link-disallowed"] = lambda site: site.offer(f"{O}/_private/plans.md")
replacing("llms-title", "/llms.txt", "# Vane and Wren", "Vane and Wren")
replacing("llms-link-relative", "/llms.txt", f"({O}/docs/start.md)", "(/docs/start.md)")


def _next_guide(site: ServedSite, text: str) -> None:
    """Both Markdown forms of one guide."""
    site.resources["/docs/next"].markdown = site.resources["/docs/next.md"].body = text


FAULTS["twin-html"] = lambda site: _next_guide(site, "<!doctype html>\n<html><body>Guide</body></html>")
FAULTS["twin-front-matter"] = lambda site: _next_guide(site, "---\ntitle: Guide\ndraft: no\n---\n\n# Guide\n")
replacing("twin-dead", "/docs/next", "/docs/next.md", "/docs/gone.md")


@fault("twin-type")
def twin_type(site: ServedSite) -> None:
    site.resources["/docs/next.md"].type = "text/plain; charset=utf-8"


@fault("twin-unequal")
def twin_unequal(site: ServedSite) -> None:
    site.resources["/docs/next"].markdown = "# Another text\n"


@fault("twin-forced")
def twin_forced(site: ServedSite) -> None:
    def shape(request: Request, reply: Reply) -> None:
        resource = site.resources.get(request.path)
        if (
            resource is not None
            and resource.markdown
            and "q=0" in request.headers["accept"].replace("q=0.", "")
        ):
            reply.headers["content-type"] = "text/markdown"

    site.shapes.append(shape)


@fault("twin-canonical")
def twin_canonical(site: ServedSite) -> None:
    del site.resources["/docs/next.md"].headers["link"]
