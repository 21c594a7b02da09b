"""The agent-readability manifest and the home page's Link header: where an agent finds what is made for it.

The manifest's form is the one that documentation sites already publish at /agent-readability.json; its
`contentUsage` mirrors the Content-Signal line of robots.txt for agents that never read that file.
"""

from collections.abc import Mapping
from typing import Any

from fingerpost.documents.robots import content_usage
from fingerpost.site.model import ContentSignals
from fingerpost.values import dataclass


@dataclass(frozen=True, slots=True)
class Artifacts:
    """Absolute URLs of what the site has; None or empty where it has none. `markdown` is the pattern of the
    twins' addresses, `{route}` standing for the page's path: `https://example.com/{route}.md`; `negotiation`
    the header that asks a page's own address for its twin, None where a host knows no such thing."""

    markdown: str | None = None
    negotiation: str | None = "Accept: text/markdown"
    llms: str | None = None
    llms_full: str | None = None
    sitemap: str | None = None
    robots: str | None = None
    feeds: tuple[str, ...] = ()


def render_manifest(
    name: str,
    site: str,
    artifacts: Artifacts,
    *,
    description: str | None = None,
    signals: ContentSignals | None = None,
) -> bytes:
    """/agent-readability.json: UTF-8 JSON, keys in one fixed order, only what the site has and declares.

    `site` is the site's root as an absolute URL.
    """
    import json

    markdown = (
        None
        if artifacts.markdown is None
        else _present({"pattern": artifacts.markdown, "negotiation": artifacts.negotiation})
    )
    manifest = _present(
        {
            "name": name,
            "description": description,
            "site": site,
            "artifacts": _present(
                {
                    "markdown": markdown,
                    "llms": artifacts.llms,
                    "llmsFull": artifacts.llms_full,
                    "sitemap": artifacts.sitemap,
                    "robots": artifacts.robots,
                    "feeds": list(artifacts.feeds),
                }
            ),
            "contentUsage": None if signals is None else content_usage(signals),
        }
    )
    text = json.dumps(manifest, ensure_ascii=False, indent=2)
    # A lone surrogate has no UTF-8 form; JSON can only escape it.
    return (text + "\n").encode(errors="backslashreplace")


def home_link_header(
    *, llms: str | None = None, manifest: str | None = None, sitemap: str | None = None
) -> str | None:
    """The home page's Link header (RFC 8288 3), None where there is nothing to name.

    Each argument is an address, absolute or a path. llms.txt and the manifest tell what the site is, which
    is `describedby` (the Protocol for Web Description Resources registered it); `sitemap` is no registered
    relation but the one that crawlers and the sitemap's own users know.
    """
    links = (
        (llms, "describedby", "text/plain"),
        (manifest, "describedby", "application/json"),
        (sitemap, "sitemap", "application/xml"),
    )
    return (
        ", ".join(f'<{address}>; rel="{rel}"; type="{media}"' for address, rel, media in links if address)
        or None
    )


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, [])}
