"""Faults of feeds."""

import re

from tests.unit.tools.auditing.faults.registry import fault, replacing
from tests.unit.tools.auditing.served_site import O, Reply, Request, ServedSite


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
replacing("feed-dead", "/", _ANNOUNCEMENT, _ANNOUNCEMENT + _ANNOUNCEMENT.replace("/feed.xml", "/old.xml"))
replacing("feed-unannounced", "/", _ANNOUNCEMENT, "")
replacing("feed-broken", "/feed.xml", "</channel>", "")
replacing("feed-elements", "/feed.xml", "<description>What we write</description>", "")
replacing(
    "feed-date-invalid", "/feed.xml", "Sat, 10 Jan 2026 09:26:53 GMT", "Sam., 10 janv. 2026 09:26:53 GMT"
)
replacing("feed-date-future", "/feed.xml", "Sat, 10 Jan 2026", "Sat, 10 Jan 2999")
replacing("feed-link-relative", "/feed.xml", f"<link>{O}/posts/1</link>", "<link>/posts/1</link>")
replacing("feed-content-relative", "/feed.xml", f'src="{O}/wren.png"', 'src="/wren.png"')
replacing("feed-guid-missing", "/feed.xml", f"<guid>{O}/posts/1</guid>", "")
replacing("feed-guid-duplicate", "/feed.xml", f"<guid>{O}/posts/1</guid>", f"<guid>{O}/posts/2</guid>")
replacing("feed-guid-permalink", "/feed.xml", f"<guid>{O}/posts/1</guid>", "<guid>post-1</guid>")
replacing("feed-item-dead", "/feed.xml", f"<link>{O}/posts/1</link>", f"<link>{O}/gone</link>")
replacing("feed-self", "/feed.xml", f'rel="self" href="{O}/feed.xml"', f'rel="self" href="{O}/old.xml"')
