"""The way of the crawl: what is asked for, in which order, and what never is."""

import pytest

from fingerpost_tools.auditing.crawl import Limits
from fingerpost_tools.auditing.fetcher import PATIENCE
from tests.unit.tools.auditing.audited import LIMITS, audit, crawl, found, slept
from tests.unit.tools.auditing.served_site import (
    HangUp,
    O,
    Reply,
    Request,
    Resource,
    healthy_site,
    page,
    serving,
)


def paths(site_requests: list[Request], method: str = "GET") -> list[str]:
    return [request.path for request in site_requests if request.method == method]


def test_robots_txt_comes_first_and_then_what_it_names() -> None:
    """Nothing is asked for before robots.txt has been read."""
    site = healthy_site()
    audit(site)
    assert paths(site.requests)[:5] == [
        "/robots.txt",
        "/",
        "/sitemap.xml",
        "/sitemap-1.xml",
        "/sitemap-2.xml",
    ]


def test_only_safe_methods_are_sent_unless_one_is_asked_for() -> None:
    """One POST, without a body, to the home page, and only with --post."""
    site = healthy_site()
    audit(site, Limits(sample=2))
    assert {request.method for request in site.requests} == {"GET", "HEAD"}
    site = healthy_site()
    audit(site, Limits(sample=2, post=True))
    (posted,) = [request for request in site.requests if request.method == "POST"]
    assert (posted.path, posted.headers.get("content-length", "0")) == ("/", "0")


def test_no_cookie_is_sent_unless_one_is_given() -> None:
    """A given one goes to the sample alone, a received one nowhere."""
    site = healthy_site()
    site.resources["/about"].headers["set-cookie"] = "visitor=1"
    audit(site, Limits(sample=2))
    assert all("cookie" not in request.headers for request in site.requests)


def test_what_robots_txt_forbids_is_never_asked_for() -> None:
    """Not when it is linked, listed, canonical, announced or redirected to."""
    site = healthy_site()
    site.replace(
        "/robots.txt", "Disallow: /_private", "Disallow: /_private\nDisallow: /posts/\nDisallow: /feed.xml"
    )
    site.redirect("/way-in", "/posts/2")
    site.link("/about", "/way-in")
    report = audit(site)
    asked = set(paths(site.requests)) | set(paths(site.requests, "HEAD"))
    assert "/way-in" in asked
    assert not [path for path in asked if path.startswith(("/posts/", "/_private", "/feed.xml"))]
    assert report.facts.forbidden
    assert any("robots.txt forbids" in note for note in report.notes())


def test_its_own_group_binds_the_robot() -> None:
    """A site that turns this robot away is left alone after robots.txt."""
    site = healthy_site()
    site.resources["/robots.txt"].body += "\nUser-agent: fingerpost-audit\nDisallow: /\n"
    report = audit(site)
    assert paths(site.requests) == ["/robots.txt"]
    assert found(report) == {}
    assert any("forbids fingerpost-audit the home page" in note for note in report.notes())


def test_a_crawl_delay_is_kept() -> None:
    """The pace is the slower of the operator's and the site's."""
    site = healthy_site()
    site.replace("/robots.txt", "Allow: /\n", "Allow: /\nCrawl-delay: 3\n")
    assert set(slept(site, Limits(pages=3, sample=1), 0.2)) == {3.0}


@pytest.mark.parametrize("most", [1, 5, 9])
def test_no_more_pages_than_wished_for_are_visited(most: int) -> None:
    """The rest is counted and told; nothing is said of a sitemap that was not compared."""
    site = healthy_site()
    report = audit(site, Limits(pages=most, sample=0))
    html = [url for url, found_page in report.facts.pages.items() if found_page.html is not None]
    assert len(html) <= most
    assert report.facts.unvisited > 0
    assert any("raise --max-pages" in note for note in report.notes())
    assert found(report) == {}


def test_an_endless_site_ends() -> None:
    """Links without end are followed up to the limit."""
    site = healthy_site()

    def shape(request: Request, reply: Reply) -> None:
        if request.path.startswith("/calendar/"):
            number = int(request.path.rpartition("/")[2])
            text = page(request.path, f"Day {number}", body=f'<a href="/calendar/{number + 1}">next</a>')
            reply.status, reply.body = 200, text.replace(O, site.origin).encode()

    site.shapes.append(shape)
    site.link("/about", "/calendar/1")
    report = audit(site, Limits(pages=30, sample=1))
    assert len(report.facts.pages) == 30


def test_only_the_site_is_visited() -> None:
    """Other hosts are not, nor are pages beside the base path; a file may lie there if the site names it."""
    site, other = healthy_site(), healthy_site()
    for path in list(site.resources):
        if path not in ("/robots.txt", "/sitemap.xml"):
            site.resources[f"/wren{path}"] = site.resources.pop(path)
    with serving(other) as elsewhere, serving(site) as origin:
        site.link("/wren/about", f"{elsewhere}/")
        site.link("/wren/", "/wren/about")
        site.link("/wren/", "/beside")
        site.resources["/beside"] = Resource(page("/beside", "Beside"))
        facts = crawl(f"{origin}/wren/")
    assert other.requests == []
    visited = {path for path in paths(site.requests) if not path.startswith("/wren/")}
    assert visited <= {"/robots.txt", "/sitemap.xml", "/sitemap-1.xml", "/sitemap-2.xml", "/feed.xml"}
    assert facts.page(f"{origin}/wren/about") is not None


def test_a_home_page_that_leads_elsewhere_is_followed_there() -> None:
    """`example.com` that redirects to `www.example.com` is that site, and its robots.txt counts."""
    old, new = healthy_site(), healthy_site()
    with serving(new) as origin, serving(old) as before:
        old.redirect("/", f"{origin}/")
        facts = crawl(f"{before}/")
    assert facts.scope.origin == origin
    assert paths(old.requests) == ["/robots.txt", "/"]
    assert paths(new.requests)[0] == "/robots.txt"
    assert len(facts.pages) == 14


def test_two_hosts_that_lead_to_each_other_end() -> None:
    """The walk from host to host is short."""
    one, two = healthy_site(), healthy_site()
    with serving(one) as first, serving(two) as second:
        one.redirect("/", f"{second}/")
        two.redirect("/", f"{first}/")
        facts = crawl(f"{first}/")
    assert len(one.requests) + len(two.requests) <= 6
    assert facts.notes


def test_a_redirected_home_page_is_fetched_once() -> None:
    """What stands at the end of a redirect is a page of its own, without another request."""
    site = healthy_site()
    site.resources["/en/"] = Resource(page("/en/", "Home", body='<a href="/about">about</a>'))
    site.redirect("/", "/en/")
    with serving(site) as origin:
        facts = crawl(f"{origin}/", Limits(sample=0))
        reached = facts.page(f"{origin}/en/")
    assert paths(site.requests).count("/en/") == 1
    assert reached is not None
    assert reached.ok
    assert facts.page(f"{origin}/about") is not None


def test_a_site_that_dies_ends_the_crawl() -> None:
    """After five requests without an answer nobody asks a sixth time, and what was found is kept."""
    site = healthy_site()

    def shape(request: Request, reply: Reply) -> None:
        if len(site.requests) > 8:
            raise HangUp

    site.shapes.append(shape)
    with serving(site) as origin:
        facts = crawl(f"{origin}/")
    assert len(site.requests) == 8 + PATIENCE
    assert any("gave no answer 5 times in a row" in note for note in facts.notes)
    assert facts.pages


@pytest.mark.parametrize("dies_at", [20, 40, 55])
def test_a_site_may_die_at_any_time(dies_at: int) -> None:
    """Among the pages, the twins or the probes: five more requests, and the report."""
    site = healthy_site()

    def shape(request: Request, reply: Reply) -> None:
        if len(site.requests) > dies_at:
            raise HangUp

    site.shapes.append(shape)
    report = audit(site)
    assert len(site.requests) == dies_at + PATIENCE
    assert any("gave no answer" in note for note in report.notes())


def test_sitemaps_without_end_are_not_all_read() -> None:
    """An index that lists itself, and more sitemaps than anyone reads, end."""
    site = healthy_site()
    many = "".join(f"<sitemap><loc>{O}/more-{number}.xml</loc></sitemap>" for number in range(500))
    site.replace(
        "/sitemap.xml",
        "</sitemapindex>",
        f"<sitemap><loc>{O}/sitemap.xml</loc></sitemap>{many}</sitemapindex>",
    )
    report = audit(site, Limits(pages=5, sample=0))
    assert len(report.facts.sitemaps) == 100
    assert any("Only the first 100 sitemaps" in note for note in report.notes())


def test_a_gzipped_sitemap_and_a_bomb_in_its_place() -> None:
    """A bomb is a fault of the sitemap, not the end of the audit."""
    import gzip

    site = healthy_site()

    def hook(request: Request, reply: Reply) -> None:
        if request.path == "/sitemap-2.xml":
            reply.headers.pop("content-encoding", None)
            reply.headers["content-type"] = "application/gzip"
            reply.body = gzip.compress(b" " * 60_000_000, 1)

    site.hooks.append(hook)
    report = audit(site)
    assert list(found(report)) == ["sitemap-size"]


@pytest.mark.parametrize(
    "path", ["/robots.txt", "/", "/sitemap.xml", "/feed.xml", "/llms.txt", "/docs/next.md"]
)
def test_any_file_may_be_garbage(path: str) -> None:
    """Octets that mean nothing, whatever they claim to be, end in a report."""
    site = healthy_site()

    def hook(request: Request, reply: Reply) -> None:
        if request.path == path:
            reply.body = bytes(range(256)) * 20
            reply.headers.pop("content-encoding", None)

    site.hooks.append(hook)
    report = audit(site, LIMITS)
    assert report.facts.requests > 0
    assert not report.facts.interrupted
