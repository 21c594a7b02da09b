"""The distribution: what is in the cache key, which function gets which address, how long errors are kept."""

import re
from typing import Any

import pytest

from fingerpost.web.content_policy import OWNERS
from tests.template.cloudformation import EVERYTHING, of_type, resolve

UNREMOVABLE = re.compile(
    "connection|content-(encoding|length)|expect|host|keep-alive|proxy-(authenticate|authorization|connection)"
    "|trailer|transfer-encoding|upgrade|via|warning|x-accel-(buffering|charset|limit-rate|redirect)|x-amz-cf-.*"
    "|x-amzn-(auth|cf-(billing|id|xff)|errortype|fle-profile|header-(count|order)|lambda-integration-tag|requestid)"
    "|x-cache|x-edge-.*|x-forwarded-proto|x-real-ip",
    re.IGNORECASE,
)
Resources = dict[str, Any]
Distribution = dict[str, Any]


def policies(resources: Resources) -> dict[str, Any]:
    found = of_type(resources, "AWS::CloudFront::CachePolicy")
    return {name: properties["CachePolicyConfig"] for name, properties in found.items()}


def key(policy: dict[str, Any]) -> dict[str, Any]:
    held: dict[str, Any] = policy["ParametersInCacheKeyAndForwardedToOrigin"]
    return held


def behaviours(distribution: Distribution) -> list[dict[str, Any]]:
    return [*distribution["CacheBehaviors"], distribution["DefaultCacheBehavior"]]


def target(distribution: Distribution, path: str) -> str:
    """The origin of `path`, by CloudFront's rule: the first pattern that fits, where `*` is any text."""
    for behaviour in distribution["CacheBehaviors"]:
        pattern = re.escape(behaviour["PathPattern"]).replace(r"\*", ".*")
        if re.fullmatch(pattern, path, re.DOTALL):
            return str(behaviour["TargetOriginId"])
    return str(distribution["DefaultCacheBehavior"]["TargetOriginId"])


def test_no_lifetime_is_forced(resources: Resources) -> None:
    """Every cache policy has MinTTL 0, since above it CloudFront stores what says `private`; case 70."""
    assert {policy["MinTTL"] for policy in policies(resources).values()} == {0}


def test_documents_and_pages_live_as_long_as_they_say(resources: Resources) -> None:
    """Without a lifetime of its own an answer is not kept, and no answer is kept longer than a day."""
    for name in ("DocumentCachePolicy", "PageCachePolicy"):
        policy = policies(resources)[name]
        assert (policy["DefaultTTL"], policy["MaxTTL"]) == (0, 86_400)


def test_no_query_string_is_in_a_key(resources: Resources) -> None:
    """No cache key holds the query; case 68."""
    for policy in policies(resources).values():
        assert key(policy)["QueryStringsConfig"] == {"QueryStringBehavior": "none"}


def test_both_compressions_are_in_every_key(resources: Resources, distribution: Distribution) -> None:
    """gzip and brotli are negotiated by CloudFront for every behaviour."""
    for policy in policies(resources).values():
        assert key(policy)["EnableAcceptEncodingGzip"] is True
        assert key(policy)["EnableAcceptEncodingBrotli"] is True
    assert {behaviour["Compress"] for behaviour in behaviours(distribution)} == {True}


def test_a_page_is_keyed_by_accept_host_and_session(template: dict[str, Any]) -> None:
    """The page key holds Accept, the viewer's host and the session cookie, no more; cases 6 and 70."""
    page = key(policies(resolve(template, EVERYTHING))["PageCachePolicy"])
    assert sorted(page["HeadersConfig"]["Headers"]) == ["accept", "x-viewer-host"]
    assert page["CookiesConfig"] == {"CookieBehavior": "whitelist", "Cookies": ["sid"]}


def test_without_sessions_no_cookie_reaches_anything(template: dict[str, Any]) -> None:
    """Where nobody can sign in, no cookie splits the cache or reaches a function."""
    for policy in policies(resolve(template)).values():
        assert key(policy)["CookiesConfig"] == {"CookieBehavior": "none"}


def test_a_document_is_keyed_by_host_alone(resources: Resources) -> None:
    """A document's key holds the path and the viewer's host; the same for everyone, it knows no cookie."""
    document = key(policies(resources)["DocumentCachePolicy"])
    assert document["HeadersConfig"] == {"HeaderBehavior": "whitelist", "Headers": ["x-viewer-host"]}
    assert document["CookiesConfig"] == {"CookieBehavior": "none"}


def test_host_is_never_forwarded(resources: Resources) -> None:
    """No policy forwards Host (it would break the signature) or a header that the key does not hold."""
    for policy in policies(resources).values():
        headers = key(policy)["HeadersConfig"].get("Headers", [])
        assert "host" not in {header.lower() for header in headers}
    for policy in of_type(resources, "AWS::CloudFront::OriginRequestPolicy").values():
        assert policy["OriginRequestPolicyConfig"]["HeadersConfig"] == {"HeaderBehavior": "none"}
        assert policy["OriginRequestPolicyConfig"]["CookiesConfig"] == {"CookieBehavior": "none"}


def test_every_policy_is_this_stacks_own(distribution: Distribution) -> None:
    """No behaviour uses a managed policy: those have MinTTL 1 or a key on Host."""
    for behaviour in behaviours(distribution):
        assert behaviour["CachePolicyId"]["Ref"].endswith("CachePolicy")
        assert behaviour["ResponseHeadersPolicyId"] == {"Ref": "SecurityHeaders"}
        assert behaviour["ViewerProtocolPolicy"] == "redirect-to-https"
        assert behaviour["AllowedMethods"] == ["GET", "HEAD"]


def test_every_function_is_reached_through_the_viewer_function(distribution: Distribution) -> None:
    """Whatever ends at a function has been normalised first; only assets have no need of it."""
    for behaviour in behaviours(distribution):
        events = [each["EventType"] for each in behaviour.get("FunctionAssociations", [])]
        assert events == ([] if behaviour["TargetOriginId"] == "assets" else ["viewer-request"])


ROUTES = [
    ("/sitemap.xml", "sitemap"),
    ("/sitemap-1.xml", "sitemap"),
    ("/sitemap-20.xml", "sitemap"),
    ("/feed.xml", "feed"),
    ("/llms.txt", "llms"),
    ("/llms-full.txt", "llms"),
    ("/llms-full-2.txt", "llms"),
    ("/agent-readability.json", "llms"),
    ("/robots.txt", "robots"),
    ("/", "page"),
    ("/fr/", "page"),
    ("/docs/start", "page"),
    ("/docs/start.md", "page"),
    ("/index.md", "page"),
    ("/sitemap", "page"),
    ("/sitemap.xml/", "page"),
    ("/docs/robots.txt.md", "page"),
    ("/blog/feed.xml", "page"),
    ("/.well-known/security.txt", "page"),
]


@pytest.mark.parametrize(("path", "origin"), ROUTES)
def test_an_address_reaches_its_function(template: dict[str, Any], path: str, origin: str) -> None:
    """Each well-known file goes to its own function, and anything else to the page function."""
    configuration = resolve(template)["Distribution"]["Properties"]["DistributionConfig"]
    assert target(configuration, path) == origin


@pytest.mark.parametrize(("path", "origin"), ROUTES)
def test_an_address_below_the_base_path_reaches_its_function(
    template: dict[str, Any], path: str, origin: str
) -> None:
    """With a base path the same files are found below it; case 40."""
    resources = resolve(template, {"BasePath": "/base"})
    assert target(resources["Distribution"]["Properties"]["DistributionConfig"], f"/base{path}") == origin


def test_robots_stays_at_the_root_of_the_host(template: dict[str, Any]) -> None:
    """With a base path, robots.txt is also at the host's root, where robots look (RFC 9309 2.3)."""
    resources = resolve(template, {"BasePath": "/base"})
    configuration = resources["Distribution"]["Properties"]["DistributionConfig"]
    assert target(configuration, "/robots.txt") == "robots"
    assert target(configuration, "/sitemap.xml") == "page"


def test_assets_come_from_the_bucket(template: dict[str, Any]) -> None:
    """A file below /assets/ is read from public/assets/ in the bucket; a missing one is the site's 404."""
    configuration = resolve(template, EVERYTHING)["Distribution"]["Properties"]["DistributionConfig"]
    assert target(configuration, "/assets/logo.svg") == "assets"
    (group,) = configuration["OriginGroups"]["Items"]
    assert [member["OriginId"] for member in group["Members"]["Items"]] == ["bucket", "page"]
    assert group["FailoverCriteria"]["StatusCodes"]["Items"] == [403, 404]
    (bucket,) = [origin for origin in configuration["Origins"] if origin["Id"] == "bucket"]
    assert bucket["OriginPath"] == "/sites/main/public"


def test_every_origin_is_signed_for(resources: Resources, distribution: Distribution) -> None:
    """Each origin has an access control of its kind that signs every request."""
    controls = of_type(resources, "AWS::CloudFront::OriginAccessControl")
    for origin in distribution["Origins"]:
        control = controls[origin["OriginAccessControlId"]["Ref"]]["OriginAccessControlConfig"]
        kind = "s3" if origin["Id"] == "bucket" else "lambda"
        assert control["OriginAccessControlOriginType"] == kind
        assert (control["SigningBehavior"], control["SigningProtocol"]) == ("always", "sigv4")


def test_every_function_is_an_origin(resources: Resources, distribution: Distribution) -> None:
    """Each function's origin is the host of its own function URL."""
    for origin in distribution["Origins"]:
        if origin["Id"] != "bucket":
            name = f"{origin['Id'].capitalize()}FunctionUrl"
            url = {"Fn::GetAtt": [name, "FunctionUrl"]}
            assert origin["DomainName"] == {"Fn::Select": [2, {"Fn::Split": ["/", url]}]}
            assert name.removesuffix("Url") in resources


def test_no_error_is_kept(distribution: Distribution) -> None:
    """CloudFront's ten seconds for errors are set to none, for every status that it would keep; case 68."""
    kept = {each["ErrorCode"]: each["ErrorCachingMinTTL"] for each in distribution["CustomErrorResponses"]}
    assert kept == dict.fromkeys((400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504), 0)
    assert not [each for each in distribution["CustomErrorResponses"] if "ResponsePagePath" in each]


def test_answers_carry_the_security_headers(resources: Resources) -> None:
    """HSTS for two years, nosniff, a referrer policy, and a content policy that allows no script."""
    policy = resources["SecurityHeaders"]["Properties"]["ResponseHeadersPolicyConfig"]
    headers = policy["SecurityHeadersConfig"]
    assert headers["StrictTransportSecurity"]["AccessControlMaxAgeSec"] == 63_072_000
    assert headers["ContentTypeOptions"]["Override"] is True
    assert headers["ReferrerPolicy"]["ReferrerPolicy"] == "strict-origin-when-cross-origin"
    assert headers["ContentSecurityPolicy"]["ContentSecurityPolicy"] == OWNERS
    directives = dict(directive.split(maxsplit=1) for directive in OWNERS.split("; "))
    assert directives["default-src"] == "'none'"
    assert directives["frame-ancestors"] == "'none'"
    assert "script-src" not in directives


def test_only_what_may_be_removed_is(resources: Resources) -> None:
    """CloudFront refuses a policy, and with it the stack, that would remove a header of the connection or one
    of its own ("Headers that you can't remove" in its developer guide)."""
    policy = resources["SecurityHeaders"]["Properties"]["ResponseHeadersPolicyConfig"]
    removed = {each["Header"] for each in policy["RemoveHeadersConfig"]["Items"]}
    assert removed
    assert not [name for name in removed if UNREMOVABLE.fullmatch(name)]


def test_a_page_keeps_its_own_content_policy(resources: Resources) -> None:
    """What a function says of its page, the hash of its stylesheet, is not replaced by the general policy."""
    policy = resources["SecurityHeaders"]["Properties"]["ResponseHeadersPolicyConfig"]
    assert policy["SecurityHeadersConfig"]["ContentSecurityPolicy"]["Override"] is False


def test_the_distribution_speaks_current_protocols(distribution: Distribution) -> None:
    """HTTP/2 and 3, IPv6, and with a domain of one's own TLS 1.2 at least."""
    assert distribution["HttpVersion"] == "http2and3"
    assert distribution["IPV6Enabled"] is True
    certificate = distribution["ViewerCertificate"]
    if "Aliases" in distribution:
        assert certificate["MinimumProtocolVersion"] == "TLSv1.2_2021"
    else:
        assert certificate == {"CloudFrontDefaultCertificate": True}


def test_logging_is_the_owners_choice(template: dict[str, Any]) -> None:
    """Access logs are off unless a bucket is named, and never hold cookies."""
    configuration = resolve(template)["Distribution"]["Properties"]["DistributionConfig"]
    assert "Logging" not in configuration
    configuration = resolve(template, EVERYTHING)["Distribution"]["Properties"]["DistributionConfig"]
    assert configuration["Logging"]["IncludeCookies"] is False
