"""Faults of how the site speaks HTTP."""

import re

from tests.unit.tools.auditing.faults.registry import fault, on_html, replacing
from tests.unit.tools.auditing.served_site import HangUp, O, Reply, Request, Resource, ServedSite, page


@fault("http-home")
def http_home(site: ServedSite) -> None:
    site.resources["/"].status = 403
    # It takes the announcement of the feed, and its place in the sitemap, along.
    del site.resources["/feed.xml"]
    site.resources["/sitemap-1.xml"].body = re.sub(
        r"<url><loc>\$O/</loc>.*?</url>", "", site.resources["/sitemap-1.xml"].body
    )


@fault("http-failing")
def http_failing(site: ServedSite) -> None:
    site.resources["/broken"] = Resource("<title>Oops</title>", status=500)
    site.link("/about", "/broken")


@fault("http-unanswered")
def http_unanswered(site: ServedSite) -> None:
    def shape(request: Request, reply: Reply) -> None:
        if request.path == "/posts/6":
            raise HangUp

    site.shapes.append(shape)


@fault("http-huge")
def http_huge(site: ServedSite) -> None:
    site.replace("/posts/6", "</body>", "<p>and so on</p>" * 400_000 + "</body>")


@fault("http-type")
def http_type(site: ServedSite) -> None:
    site.resources["/posts/6"].type = "text/plain"


@fault("http-charset")
def http_charset(site: ServedSite) -> None:
    site.resources["/about"].type = "text/html"
    site.replace("/about", '<meta charset="utf-8">', "")


replacing("http-encoding", "/about", "Who we are</h1>", "Who we are, \udce9crit</h1>")


@fault("http-plain")
def http_plain(site: ServedSite) -> None:
    site.secure = site.answers_in_plain = True


@fault("http-soft-404")
def http_soft_404(site: ServedSite) -> None:
    def hook(request: Request, reply: Reply) -> None:
        if reply.status == 404:
            reply.status = 200

    site.hooks.append(hook)


@fault("http-head-status")
def http_head_status(site: ServedSite) -> None:
    def hook(request: Request, reply: Reply) -> None:
        if request.method == "HEAD":
            reply.status = 404

    site.hooks.append(hook)


@fault("http-head-fields")
def http_head_fields(site: ServedSite) -> None:
    def hook(request: Request, reply: Reply) -> None:
        if request.method == "HEAD":
            reply.headers["content-length"] = "0"

    site.hooks.append(hook)


@fault("http-method")
def http_method(site: ServedSite) -> None:
    def hook(request: Request, reply: Reply) -> None:
        if request.method == "POST":
            reply.status = 404

    site.hooks.append(hook)


@fault("http-uncompressed")
def http_uncompressed(site: ServedSite) -> None:
    def change(request: Request, reply: Reply) -> None:
        text = page("/posts/6", "Post 6", body="<p>The wind turned.</p>" * 1_000)
        if request.path == "/posts/6":
            reply.body = text.replace(O, site.origin).encode()
            reply.headers.pop("content-encoding", None)

    site.shapes.append(on_html(change))
