"""What looks like a fault and is none, and what a finding names where there is one."""

import pytest

from fingerpost_tools.auditing.registry import Finding
from tests.unit.tools.auditing.audited import audit, found
from tests.unit.tools.auditing.served_site import Reply, Request, Resource, ServedSite, healthy_site


@pytest.fixture
def site() -> ServedSite:
    return healthy_site()


def findings(site: ServedSite) -> dict[str, tuple[Finding, ...]]:
    return {outcome.check.id: outcome.findings for outcome in audit(site).outcomes}


def test_language_versions_may_share_a_title(site: ServedSite) -> None:
    """`Contact` is English and French: the announced language tells the pages apart, whatever `lang` says."""
    site.replace("/fr/", "<title>Girouette et troglodyte", "<title>Vane and Wren")
    site.replace("/fr/", "All about Girouette et troglodyte.", "All about Vane and Wren.")
    site.replace("/fr/", '<html lang="fr">', "<html>")
    assert found(audit(site)) == {"lang-missing": [f"{site.origin}/fr/"]}


def test_a_text_that_many_pages_share_names_them_all(site: ServedSite) -> None:
    """One finding for each text; the pages are those of one language."""
    for path in ("/about", "/posts/4", "/fr/"):
        title = {"/about": "Who we are", "/posts/4": "Post 4", "/fr/": "Girouette et troglodyte"}[path]
        site.replace(path, f"<title>{title}", "<title>Post 1")
    ((finding,),) = findings(site).values()
    pages = {finding.address, *finding.pages}
    assert pages == {f"{site.origin}{path}" for path in ("/about", "/posts/1", "/posts/4")}
    assert finding.detail.endswith("and 1 more")


def test_a_page_that_names_another_as_canonical_may_share_its_title(site: ServedSite) -> None:
    """Engines list the canonical page alone, so nobody has to tell the two apart."""
    site.add_page("/print", "Who we are", canonical="$O/about")
    site.offer("$O/print")
    assert found(audit(site)) == {}


@pytest.mark.parametrize("fragment", ["top", "Top", "", ":~:text=wind", "!/view", "/route", "page=2"])
def test_a_fragment_that_is_no_id_may_mean_something(site: ServedSite, fragment: str) -> None:
    """The top of a page, a text fragment, a state of an app or a parameter of a viewer has no element."""
    site.link("/about", f"/fr/#{fragment}")
    assert found(audit(site)) == {}


@pytest.mark.parametrize(("anchor", "fragment"), [("café", "caf%C3%A9"), ("a%20b", "a%20b"), ("x", "x")])
def test_a_fragment_is_compared_decoded_and_as_written(site: ServedSite, anchor: str, fragment: str) -> None:
    """An id may be written either way; case counts."""
    site.replace("/fr/", '<h1 id="top-of-page"', f'<h1 id="{anchor}"')
    site.link("/about", f"/fr/#{fragment}")
    assert found(audit(site)) == {}
    site.link("/about", f"/fr/#{fragment.upper()}X")
    assert list(found(audit(site))) == ["link-fragment"]


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("fr-UK", "engines know no country `UK`; is `GB` meant?"),
        ("jp", "engines know no language `jp`; is `ja` meant?"),
        ("fr_FR", "it is no language tag"),
        ("fr-EU", "engines know no country `EU`"),
    ],
)
def test_a_language_code_that_engines_do_not_know_says_why(site: ServedSite, code: str, fault: str) -> None:
    """The same rule as that of `check`, with what was probably meant."""
    for path, form in (("/", '"{}" href'), ("/fr/", '"{}" href')):
        site.replace(path, form.format("fr"), form.format(code))
    site.resources["/sitemap-1.xml"].body = site.resources["/sitemap-1.xml"].body.replace('"fr"', f'"{code}"')
    told = {finding.detail for finding in findings(site)["hreflang-code"]}
    assert told == {f"{code!r} in the head: {fault}", f"{code!r} in the sitemap: {fault}"}


@pytest.mark.parametrize("media_type", ["application/json", "text/plain", "image/png"])
def test_a_home_page_that_is_no_page_is_told(site: ServedSite, media_type: str) -> None:
    """A crawl that finds nothing to look at says so, rather than that all is well."""
    site.resources["/"] = Resource("{}", media_type)
    (finding,) = findings(site)["http-home"]
    assert finding == Finding(f"{site.origin}/", f"Content-Type: {media_type}")


@pytest.mark.parametrize(("media_type", "mark"), [("application/xhtml+xml", ""), ("text/html", "\ufeff")])
def test_xml_and_a_byte_order_mark_name_the_encoding(site: ServedSite, media_type: str, mark: str) -> None:
    """Neither needs a charset in Content-Type or in the head."""
    site.replace("/about", '<meta charset="utf-8">', "")
    site.resources["/about"].body = mark + site.resources["/about"].body
    site.resources["/about"].type = media_type
    assert found(audit(site)) == {}


def test_an_https_site_may_send_plain_http_on(site: ServedSite) -> None:
    """A redirect to https is what plain http is for; it is asked once, and nothing else is found."""
    site.secure = True
    report = audit(site)
    assert site.origin.startswith("https://")
    assert found(report) == {}
    assert [request.path for request in site.requests if not request.secure] == ["/"]


def test_an_http_site_is_not_asked_twice(site: ServedSite) -> None:
    """Where there is no https, plain http is all there is."""
    assert audit(site).facts.plain is None


def test_an_https_site_may_refuse_plain_http(site: ServedSite) -> None:
    """An error, or no answer at all, tells nobody anything."""

    def refuse(request: Request, reply: Reply) -> None:
        if not request.secure:
            reply.status = 400

    site.secure = site.answers_in_plain = True
    site.shapes.append(refuse)
    assert found(audit(site)) == {}


def test_plain_http_that_leads_to_plain_http_is_named(site: ServedSite) -> None:
    """The first redirect is the one that can be changed on the way."""

    def lead_on(request: Request, reply: Reply) -> None:
        if not request.secure:
            reply.status, reply.headers["location"] = 301, "http://www.example.com/"

    site.secure = site.answers_in_plain = True
    site.shapes.append(lead_on)
    ((finding,),) = findings(site).values()
    assert finding == Finding(
        f"http://{site.origin.partition('://')[2]}/", "leads to http://www.example.com/"
    )
