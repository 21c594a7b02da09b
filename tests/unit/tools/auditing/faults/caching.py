"""Faults of what caches do with the answers."""

from collections.abc import Callable

from tests.unit.tools.auditing.faults.registry import FAULTS, fault, on_html
from tests.unit.tools.auditing.served_site import Reply, Request, ServedSite


def _without_vary(name: str) -> Callable[[Request, Reply], None]:
    def hook(request: Request, reply: Reply) -> None:
        kept = [token for token in reply.headers.get("vary", "").split(", ") if token != name]
        reply.headers["vary"] = ", ".join(kept)

    return hook


FAULTS["cache-vary-accept"] = lambda site: site.shapes.append(_without_vary("Accept"))
FAULTS["cache-vary-encoding"] = lambda site: site.shapes.append(_without_vary("Accept-Encoding"))


@fault("cache-etag-forms")
def cache_etag_forms(site: ServedSite) -> None:
    def shape(request: Request, reply: Reply) -> None:
        if request.path == "/docs/start":
            reply.headers["etag"] = f'"one-{reply.headers.get("content-encoding", "plain")}"'

    site.shapes.append(shape)


@fault("cache-etag-codings")
def cache_etag_codings(site: ServedSite) -> None:
    def shape(request: Request, reply: Reply) -> None:
        if request.path == "/docs/start":
            reply.headers["etag"] = f'"{reply.headers["content-type"][:9]}"'

    site.shapes.append(shape)


@fault("cache-validators")
def cache_validators(site: ServedSite) -> None:
    def shape(request: Request, reply: Reply) -> None:
        request.headers.pop("if-none-match", None)

    site.shapes.append(shape)


@fault("cache-304-fields")
def cache_304_fields(site: ServedSite) -> None:
    def hook(request: Request, reply: Reply) -> None:
        if reply.status == 304:
            del reply.headers["vary"]

    site.hooks.append(hook)


@fault("cache-set-cookie")
def cache_set_cookie(site: ServedSite) -> None:
    site.resources["/about"].headers["set-cookie"] = "visitor=1"


@fault("cache-cookie")
def cache_cookie(site: ServedSite) -> None:
    def change(request: Request, reply: Reply) -> None:
        if request.headers.get("cookie") == "session=one":
            reply.headers.pop("content-encoding", None)
            reply.body = b"<!doctype html><title>Hello Ada</title>"

    site.shapes.append(on_html(change))


@fault("cache-missing")
def cache_missing(site: ServedSite) -> None:
    def hook(request: Request, reply: Reply) -> None:
        if reply.status == 404:
            reply.headers["cache-control"] = "public, max-age=600"

    site.hooks.append(hook)
