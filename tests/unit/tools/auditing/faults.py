"""One way to break the healthy site for each check: it makes that check speak, and no other."""

import re
from collections.abc import Callable
from typing import Final

from tests.unit.tools.auditing.served_site import HOST, HangUp, O, Reply, Request, Resource, ServedSite, page

Fault = Callable[[ServedSite], None]

FAULTS: Final[dict[str, Fault]] = {}


def fault(check: str) -> Callable[[Fault], Fault]:
    """Enter the function below as the fault of a check."""

    def enter(breaks: Fault) -> Fault:
        assert check not in FAULTS, check
        FAULTS[check] = breaks
        return breaks

    return enter


def _replacing(check: str, path: str, old: str, new: str) -> None:
    FAULTS[check] = lambda site: site.replace(path, old, new)


def _on_html(change: Callable[[Request, Reply], None]) -> Callable[[Request, Reply], None]:
    """A hook that touches nothing but HTML pages that are there."""

    def hook(request: Request, reply: Reply) -> None:
        if reply.status == 200 and reply.headers.get("content-type", "").startswith("text/html"):
            change(request, reply)

    return hook


def _without_vary(name: str) -> Callable[[Request, Reply], None]:
    def hook(request: Request, reply: Reply) -> None:
        kept = [token for token in reply.headers.get("vary", "").split(", ") if token != name]
        reply.headers["vary"] = ", ".join(kept)

    return hook


# robots.txt


@fault("robots-unreachable")
def robots_unreachable(site: ServedSite) -> None:
    site.resources["/robots.txt"].status = 503


@fault("robots-missing")
def robots_missing(site: ServedSite) -> None:
    del site.resources["/robots.txt"]


@fault("robots-type")
def robots_type(site: ServedSite) -> None:
    site.resources["/robots.txt"].type = "text/html"


@fault("robots-size")
def robots_size(site: ServedSite) -> None:
    site.resources["/robots.txt"].body += "# and so on\n" * 50_000


@fault("robots-bom")
def robots_bom(site: ServedSite) -> None:
    site.resources["/robots.txt"].body = "\ufeff" + site.resources["/robots.txt"].body


@fault("robots-sitemap-dead")
def robots_sitemap_dead(site: ServedSite) -> None:
    site.resources["/robots.txt"].body += f"Sitemap: {O}/old.xml\n"


@fault("robots-turns-away")
def robots_turns_away(site: ServedSite) -> None:
    site.resources["/robots.txt"].body += "\nUser-agent: Googlebot\nDisallow: /\n"


@fault("robots-grants-more")
def robots_grants_more(site: ServedSite) -> None:
    site.resources["/robots.txt"].body += "\nUser-agent: Bingbot\nCrawl-delay: 1\n"


@fault("robots-hides-noindex")
def robots_hides_noindex(site: ServedSite) -> None:
    site.resources["/robots.txt"].body += "\nUser-agent: Bingbot\nDisallow: /thanks\nDisallow: /_private\n"


_replacing("robots-syntax", "/robots.txt", "Allow: /\n", "Allow: /\nDissallow /x\n")
_replacing("robots-sitemap-relative", "/robots.txt", f"{O}/sitemap.xml", "/sitemap.xml")
_replacing("robots-sitemap-missing", "/robots.txt", f"Sitemap: {O}/sitemap.xml\n", "")


# Sitemaps


@fault("sitemap-missing")
def sitemap_missing(site: ServedSite) -> None:
    del site.resources["/sitemap.xml"]
    site.replace("/robots.txt", f"Sitemap: {O}/sitemap.xml\n", "")


def _third_sitemap(site: ServedSite, body: str) -> None:
    site.replace(
        "/sitemap.xml", "</sitemapindex>", f"<sitemap><loc>{O}/sitemap-3.xml</loc></sitemap></sitemapindex>"
    )
    site.resources["/sitemap-3.xml"] = Resource(body, "application/xml")


@fault("sitemap-empty")
def sitemap_empty(site: ServedSite) -> None:
    _third_sitemap(site, '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>')


@fault("sitemap-size")
def sitemap_size(site: ServedSite) -> None:
    _third_sitemap(site, " " * 52_428_801)


@fault("sitemap-index-nested")
def sitemap_index_nested(site: ServedSite) -> None:
    _third_sitemap(site, site.resources["/sitemap.xml"].body)


@fault("sitemap-redirects")
def sitemap_redirects(site: ServedSite) -> None:
    site.replace("/robots.txt", "/sitemap.xml", "/old-sitemap.xml")
    site.redirect("/old-sitemap.xml", "/sitemap.xml")


@fault("sitemap-type")
def sitemap_type(site: ServedSite) -> None:
    site.resources["/sitemap-1.xml"].type = "text/plain"


@fault("sitemap-lastmod-now")
def sitemap_lastmod_now(site: ServedSite) -> None:
    def hook(request: Request, reply: Reply) -> None:
        if request.path == "/sitemap-1.xml":
            site.resources[request.path].body = re.sub(
                r"<lastmod>[^<]*",
                f"<lastmod>2026-01-{len(site.requests) % 28 + 1:02}",
                site.resources[request.path].body,
            )

    site.hooks.append(hook)


_replacing("sitemap-broken", "/sitemap-2.xml", "</urlset>", "")
_replacing("sitemap-schema", "/sitemap-2.xml", "<priority>0.5<", "<priority>high<")
_replacing(
    "sitemap-order",
    "/sitemap-1.xml",
    f"<loc>{O}/about</loc><lastmod>2026-02-01</lastmod>",
    f"<lastmod>2026-02-01</lastmod><loc>{O}/about</loc>",
)
_replacing(
    "sitemap-index-dead",
    "/sitemap.xml",
    "</sitemapindex>",
    f"<sitemap><loc>{O}/gone.xml</loc></sitemap></sitemapindex>",
)
_replacing(
    "sitemap-index-relative",
    "/sitemap.xml",
    "</sitemapindex>",
    "<sitemap><loc>/more.xml</loc></sitemap></sitemapindex>",
)


# What sitemaps list

FAULTS["sitemap-loc-relative"] = lambda site: site.list_entry("/posts/1")
FAULTS["sitemap-loc-foreign"] = lambda site: site.list_entry("https://other.example/")
FAULTS["sitemap-loc-long"] = lambda site: site.list_entry(f"{O}/{'x' * 2048}")
FAULTS["sitemap-loc-duplicate"] = lambda site: site.list_entry(f"{O}/about")
FAULTS["sitemap-loc-dead"] = lambda site: site.list_entry(f"{O}/gone")
FAULTS["sitemap-loc-noindex"] = lambda site: site.list_entry(f"{O}/thanks")
FAULTS["sitemap-loc-disallowed"] = lambda site: site.list_entry(f"{O}/_private/plans")
FAULTS["sitemap-loc-twin"] = lambda site: site.list_entry(f"{O}/docs/start.md")


@fault("sitemap-loc-refused")
def sitemap_loc_refused(site: ServedSite) -> None:
    site.resources["/members"] = Resource("<title>Members</title>", status=403)
    site.list_entry(f"{O}/members")


@fault("sitemap-loc-encoding")
def sitemap_loc_encoding(site: ServedSite) -> None:
    site.add_page("/caf%C3%A9", "Coffee")
    site.list_entry(f"{O}/café")


@fault("sitemap-loc-redirects")
def sitemap_loc_redirects(site: ServedSite) -> None:
    site.redirect("/old", "/about")
    site.list_entry(f"{O}/old")


@fault("sitemap-loc-canonical")
def sitemap_loc_canonical(site: ServedSite) -> None:
    site.add_page("/print", "Who we are", canonical=f"{O}/about")
    site.list_entry(f"{O}/print")


@fault("sitemap-lastmod-same")
def sitemap_lastmod_same(site: ServedSite) -> None:
    for path in ("/sitemap-1.xml", "/sitemap-2.xml"):
        site.resources[path].body = re.sub(
            r"<lastmod>[^<]*", "<lastmod>2026-03-14", site.resources[path].body
        )


_replacing("sitemap-lastmod-invalid", "/sitemap-1.xml", "2026-02-01", "2026-02-30")
_replacing("sitemap-lastmod-future", "/sitemap-1.xml", "2026-02-01", "2999-01-01")
_replacing(
    "sitemap-incomplete",
    "/sitemap-1.xml",
    f"<url><loc>{O}/about</loc><lastmod>2026-02-01</lastmod></url>",
    "",
)


# Canonical addresses and redirects


def _canonical(site: ServedSite, target: str, path: str = "/extra") -> None:
    """A page that names another as canonical, and that no page and no sitemap knows of."""
    site.add_page(path, f"Extra {path}", canonical=target)
    site.offer(f"{O}{path}")


FAULTS["canonical-dead"] = lambda site: _canonical(site, f"{O}/gone")
FAULTS["canonical-scheme"] = lambda site: _canonical(site, f"https://{HOST}/extra")
FAULTS["canonical-noindex"] = lambda site: _canonical(site, f"{O}/thanks")


@fault("canonical-redirects")
def canonical_redirects(site: ServedSite) -> None:
    site.redirect("/old", "/about")
    _canonical(site, f"{O}/old")


@fault("canonical-chain")
def canonical_chain(site: ServedSite) -> None:
    _canonical(site, f"{O}/print")
    site.add_page("/print", "Print", canonical=f"{O}/about")


@fault("canonical-loop")
def canonical_loop(site: ServedSite) -> None:
    _canonical(site, f"{O}/print")
    site.add_page("/print", "Print", canonical=f"{O}/extra")


@fault("canonical-header")
def canonical_header(site: ServedSite) -> None:
    site.resources["/about"].headers["link"] = f'<{O}/fr/>; rel="canonical"'


_ABOUT_CANONICAL = f'<link rel="canonical" href="{O}/about">'
_replacing("canonical-missing", "/about", _ABOUT_CANONICAL, "")
_replacing(
    "canonical-several",
    "/about",
    _ABOUT_CANONICAL,
    f'{_ABOUT_CANONICAL}<link rel="canonical" href="{O}/fr/">',
)
_replacing("canonical-relative", "/about", _ABOUT_CANONICAL, '<link rel="canonical" href="/about">')
_replacing("canonical-fragment", "/about", _ABOUT_CANONICAL, f'<link rel="canonical" href="{O}/about#us">')


@fault("redirect-loop")
def redirect_loop(site: ServedSite) -> None:
    site.redirect("/a", "/b")
    site.redirect("/b", "/a")
    site.offer(f"{O}/a")


@fault("redirect-chain")
def redirect_chain(site: ServedSite) -> None:
    site.redirect("/a", "/b")
    site.redirect("/b", "/about")
    site.replace("/feed.xml", f"<link>{O}/posts/1</link>", f"<link>{O}/a</link>")


# Language versions

_HEAD_VERSION = '<link rel="alternate" hreflang="{}" href="{}">'
_SITEMAP_VERSION = '<xhtml:link rel="alternate" hreflang="{}" href="{}"/>'


def _both_places(site: ServedSite, old: tuple[str, str], new: tuple[str, str] | None) -> None:
    """Replace one language version wherever it is named, or take it out."""
    for paths, form in ((("/", "/fr/"), _HEAD_VERSION), (("/sitemap-1.xml",), _SITEMAP_VERSION)):
        for path in paths:
            site.replace(path, form.format(*old), form.format(*new) if new else "")


def _one_more_version(site: ServedSite, code: str, url: str) -> None:
    for paths, form in ((("/", "/fr/"), _HEAD_VERSION), (("/sitemap-1.xml",), _SITEMAP_VERSION)):
        for path in paths:
            last = form.format("x-default", f"{O}/")
            site.replace(path, last, last + form.format(code, url))


FAULTS["hreflang-code"] = lambda site: _both_places(site, ("fr", f"{O}/fr/"), ("fr-UK", f"{O}/fr/"))
FAULTS["hreflang-default"] = lambda site: _both_places(site, ("x-default", f"{O}/"), None)
FAULTS["hreflang-duplicate"] = lambda site: _one_more_version(site, "fr", "https://fr.example/")
FAULTS["hreflang-dead"] = lambda site: _one_more_version(site, "de", f"{O}/de/")


@fault("hreflang-target")
def hreflang_target(site: ServedSite) -> None:
    site.redirect("/de/", "/about")
    _one_more_version(site, "de", f"{O}/de/")


@fault("hreflang-self")
def hreflang_self(site: ServedSite) -> None:
    site.replace("/fr/", _HEAD_VERSION.format("fr", f"{O}/fr/"), "")
    before, after = site.resources["/sitemap-1.xml"].body.split(f"<loc>{O}/fr/</loc>")
    after = after.replace(_SITEMAP_VERSION.format("fr", f"{O}/fr/"), "", 1)
    site.resources["/sitemap-1.xml"].body = f"{before}<loc>{O}/fr/</loc>{after}"


@fault("hreflang-return")
def hreflang_return(site: ServedSite) -> None:
    site.resources["/sitemap-1.xml"].body = re.sub(
        r"<xhtml:link[^>]*>", "", site.resources["/sitemap-1.xml"].body
    )
    site.replace("/fr/", _HEAD_VERSION.format("en", f"{O}/"), "")
    site.replace(
        "/fr/", _HEAD_VERSION.format("x-default", f"{O}/"), _HEAD_VERSION.format("x-default", f"{O}/fr/")
    )


_replacing("hreflang-relative", "/", 'hreflang="fr" href="$O/fr/"', 'hreflang="fr" href="/fr/"')
_replacing(
    "hreflang-disagrees",
    "/sitemap-1.xml",
    _SITEMAP_VERSION.format("x-default", f"{O}/"),
    _SITEMAP_VERSION.format("x-default", f"{O}/fr/"),
)
_replacing("hreflang-lang", "/fr/", '<html lang="fr">', '<html lang="en">')


# Feeds


@fault("feed-type")
def feed_type(site: ServedSite) -> None:
    site.resources["/feed.xml"].type = "text/plain"


@fault("feed-empty")
def feed_empty(site: ServedSite) -> None:
    site.resources["/feed.xml"].body = re.sub(r"<item>.*</item>", "", site.resources["/feed.xml"].body)


@fault("feed-unstable")
def feed_unstable(site: ServedSite) -> None:
    def hook(request: Request, reply: Reply) -> None:
        if request.path == "/feed.xml":
            # Without a validator nobody can ask whether it changed.
            reply.headers.pop("etag")
            feed = site.resources[request.path]
            feed.body = feed.body.replace("<description>", f"<description>{len(site.requests)} ", 1)

    site.hooks.append(hook)


_ANNOUNCEMENT = '<link rel="alternate" type="application/rss+xml" title="Posts" href="$O/feed.xml">'
_replacing("feed-dead", "/", _ANNOUNCEMENT, _ANNOUNCEMENT + _ANNOUNCEMENT.replace("/feed.xml", "/old.xml"))
_replacing("feed-unannounced", "/", _ANNOUNCEMENT, "")
_replacing("feed-broken", "/feed.xml", "</channel>", "")
_replacing("feed-elements", "/feed.xml", "<description>What we write</description>", "")
_replacing(
    "feed-date-invalid", "/feed.xml", "Sat, 10 Jan 2026 09:26:53 GMT", "Sam., 10 janv. 2026 09:26:53 GMT"
)
_replacing("feed-date-future", "/feed.xml", "Sat, 10 Jan 2026", "Sat, 10 Jan 2999")
_replacing("feed-link-relative", "/feed.xml", f"<link>{O}/posts/1</link>", "<link>/posts/1</link>")
_replacing("feed-content-relative", "/feed.xml", f'src="{O}/wren.png"', 'src="/wren.png"')
_replacing("feed-guid-missing", "/feed.xml", f"<guid>{O}/posts/1</guid>", "")
_replacing("feed-guid-duplicate", "/feed.xml", f"<guid>{O}/posts/1</guid>", f"<guid>{O}/posts/2</guid>")
_replacing("feed-guid-permalink", "/feed.xml", f"<guid>{O}/posts/1</guid>", "<guid>post-1</guid>")
_replacing("feed-item-dead", "/feed.xml", f"<link>{O}/posts/1</link>", f"<link>{O}/gone</link>")
_replacing("feed-self", "/feed.xml", f'rel="self" href="{O}/feed.xml"', f'rel="self" href="{O}/old.xml"')


# llms.txt and twins


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
_replacing("llms-title", "/llms.txt", "# Vane and Wren", "Vane and Wren")
_replacing("llms-link-relative", "/llms.txt", f"({O}/docs/start.md)", "(/docs/start.md)")


def _next_guide(site: ServedSite, text: str) -> None:
    """Both Markdown forms of one guide."""
    site.resources["/docs/next"].markdown = site.resources["/docs/next.md"].body = text


FAULTS["twin-html"] = lambda site: _next_guide(site, "<!doctype html>\n<html><body>Guide</body></html>")
FAULTS["twin-front-matter"] = lambda site: _next_guide(site, "---\ntitle: Guide\ndraft: no\n---\n\n# Guide\n")
_replacing("twin-dead", "/docs/next", "/docs/next.md", "/docs/gone.md")


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


# HTTP and caching


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


_replacing("http-encoding", "/about", "Who we are</h1>", "Who we are, \udce9crit</h1>")


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

    site.shapes.append(_on_html(change))


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

    site.shapes.append(_on_html(change))


@fault("cache-missing")
def cache_missing(site: ServedSite) -> None:
    def hook(request: Request, reply: Reply) -> None:
        if reply.status == 404:
            reply.headers["cache-control"] = "public, max-age=600"

    site.hooks.append(hook)


# Heads and links

_TITLE = "<title>Who we are</title>"
_DESCRIPTION = '<meta name="description" content="All about Who we are.">'
_replacing("head-misplaced", "/about", _ABOUT_CANONICAL, f"<div></div>{_ABOUT_CANONICAL}")
_replacing("title-missing", "/about", _TITLE, "")
_replacing("title-several", "/about", _TITLE, f"{_TITLE}<title>Us</title>")
_replacing("title-long", "/about", _TITLE, f"<title>{'Who we are ' * 20}</title>")
_replacing("title-duplicate", "/about", _TITLE, "<title>Post 1</title>")
_replacing("description-missing", "/about", _DESCRIPTION, "")
_replacing("description-long", "/about", "All about Who we are.", "All about who we are. " * 30)
_replacing("description-duplicate", "/about", "All about Who we are.", "All about Post 1.")
_replacing("robots-meta-unknown", "/about", _TITLE, f'{_TITLE}<meta name="robots" content="no-index">')
_replacing("og-url", "/about", f'property="og:url" content="{O}/about"', f'property="og:url" content="{O}/"')
_replacing("og-relative", "/about", f'content="{O}/wren.png"', 'content="/wren.png"')
_replacing("json-ld-broken", "/about", '"https://schema.org"}', '"https://schema.org",}')
_replacing("lang-missing", "/about", '<html lang="en">', "<html>")
_replacing("lang-invalid", "/about", '<html lang="en">', '<html lang="en_GB">')

FAULTS["link-dead"] = lambda site: site.link("/about", "/gone")
FAULTS["link-fragment"] = lambda site: site.link("/about", "/fr/#nowhere")


@fault("link-redirects")
def link_redirects(site: ServedSite) -> None:
    site.redirect("/old", "/about")
    site.link("/about", "/old")


@fault("link-not-canonical")
def link_not_canonical(site: ServedSite) -> None:
    site.add_page("/print", "Print", canonical=f"{O}/about")
    site.link("/about", "/print")
