"""Strategies for sites and what is asked of them, shared by the properties."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

import yaml
from hypothesis import strategies as st

# What Postgres, YAML's double quotes and a key of S3 can hold: Unicode but NUL and surrogates.
any_text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
_KNOWN_TROUBLE = (
    "q-&-a", "a b", "100%25", "%2F", "a/b", "..", ".", "...", "index", "x.md", "index.md", "\u00e9",
    "e\u0301", "\U0001f986", "?", "#", "a\\b", " a", "a ", "&quot;", "a;b", "\u2028", "\ufeff", "\x7f",
    "\x85", "\U0010ffff", "sitemap.xml", "en",
)  # fmt: skip
# Slugs that have caught programs out, next to any others.
slugs = st.one_of(st.sampled_from(_KNOWN_TROUBLE), any_text, st.text("ab.%/\\ é-&+", min_size=1, max_size=6))
moments = st.datetimes(datetime(1971, 1, 1), datetime(2025, 12, 31)).map(
    lambda moment: f"{moment:%Y-%m-%dT%H:%M:%SZ}"
)
# Paths as clients send them: any characters a request line may hold, well encoded or not.
paths = st.one_of(
    st.lists(slugs, max_size=4).map(lambda parts: "/" + "/".join(quote(part, safe="") for part in parts)),
    st.text("/.%2fFeE0c5ab\\~:;?#&=+", max_size=20).map(lambda text: f"/{text}"),
)


def quoted(text: str) -> str:
    """A text as a YAML scalar in double quotes, every character of it an escape where that may be needed."""
    dumped: str = yaml.safe_dump(text, default_style='"', allow_unicode=False, width=10**6)
    return dumped.removesuffix("\n")


@dataclass(frozen=True, slots=True)
class Flags:
    """What an article or its page says of its visibility, each flag of SPEC section 4's table."""

    draft: bool = False
    future: bool = False
    filtered: bool = False
    hidden: bool = False
    noindex: bool = False
    elsewhere: bool = False
    unlisted: bool = False
    ai_exclude: bool = False

    def front_matter(self) -> str:
        """The front matter that says so."""
        data: dict[str, Any] = {"kind": "other" if self.filtered else "guide"}
        if self.draft:
            data["draft"] = True
        if self.future:
            data["date"] = "2999-01-01"
        if self.hidden:
            data["hidden"] = True
        if self.noindex:
            data["robots"] = "NoIndex, follow"
        if self.elsewhere:
            data["canonical"] = "https://elsewhere.example/x"
        if self.unlisted:
            data["sitemap"] = False
        if self.ai_exclude:
            data["ai"] = {"exclude": True}
        return f"---\n{yaml.safe_dump(data)}---\n"


flags = st.builds(Flags, **{name: st.booleans() for name in Flags.__dataclass_fields__})
accesses = st.sampled_from(["all", "authenticated", "[member]", "{require: [member], redirectTo: /sign-in}"])


# Sites of any mixture of flags, whose names collide as often as not.
_PATHS = ["/", "/about", "/_preview", "/docs/a", "/fr", "/fr/about", "/en/docs/a", "/:lang/b", "/about.md"]
_OWNED = ["sitemap.xml", "llms.txt", "feed.xml", "docs/b", "about"]
_ROBOTS: list[dict[str, Any]] = [
    {"groups": [{"userAgents": "*", "disallow": ["/docs", "/*/docs"], "allow": "/docs/a$"}]},
    {"groups": [{"userAgents": "GPTBot", "disallow": "/"}]},
]

_file_names = st.sampled_from(["a", "b", "Ü", "a b", "100%", "index", "a.md", "x&y", "_z", "a'b"])
_dates = st.sampled_from(["2024-05-06", "2025-01-01T10:00:00Z", "2030-01-01", "1999-12-31"])
_canonicals = st.sampled_from(
    [
        *("/a", "/docs/a", "/docs/a/", "https://example.com/docs/b", "https://o.example/"),
        *("$frontmatter.first", "/docs/$frontmatter.status", "/blog/$frontmatter.title/", "/docs/:path*"),
    ]
)

_fronts = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from(["One", "Two [x]", "no"]),
        "draft": st.booleans(),
        "hidden": st.booleans(),
        "noindex": st.booleans(),
        "robots": st.sampled_from(["all", "NoIndex", "none", "nofollow"]),
        "canonical": _canonicals,
        "first": st.sampled_from(["/docs/b", "https://o.example/a b", "https://example.com/docs/a"]),
        "sitemap": st.booleans(),
        "date": _dates,
        "updated": _dates,
        "status": st.sampled_from(["live", "dead"]),
        "ai": st.fixed_dictionaries({"exclude": st.booleans()}),
        "seo": st.fixed_dictionaries({"noindex": st.booleans()}),
    },
)
_access = st.sampled_from(
    ["all", "authenticated", ["member"], {"require": "authenticated", "redirectTo": "/about"}]
)
_metas = st.fixed_dictionaries(
    {},
    optional={
        "noindex": st.booleans(),
        "robots": st.sampled_from(["none", "all"]),
        "canonical": _canonicals,
    },
)
_page = st.fixed_dictionaries({}, optional={"access": _access, "meta": _metas, "sitemap": st.booleans()})


def _listed(path: str, **content: Any) -> st.SearchStrategy[dict[str, Any]]:
    """A page with articles."""
    directory: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
        {key: st.just(value) for key, value in content.items()},
        optional={
            "index": st.sampled_from(["index", "a"]),
            "filter": st.sampled_from([{"draft": "false"}, {"status": "live"}]),
        },
    )
    return st.builds(
        lambda page, inner, rss: {**page, "path": path, "contentDir": inner, "rss": rss},
        _page,
        directory,
        st.sampled_from([False, True, {"limit": 1}, {"limit": 2}]),
    )


@st.composite
def sites(draw: st.DrawFn) -> dict[str, str | bytes]:
    """A site's files: declared pages and articles with any mixture of flags, with and without languages."""
    languages = draw(st.booleans())
    lang = "/{lang}" if languages and draw(st.booleans()) else ""
    pages = [{**draw(_page), "path": path} for path in draw(st.sets(st.sampled_from(_PATHS), min_size=1))]
    pages += draw(
        st.lists(
            st.one_of(
                _listed("/docs/:path*", directory=f"content{lang}", slugFrom="filepath"),
                _listed("/blog/:slug", directory=f"blog{lang}"),
            ),
            min_size=1,
            max_size=2,
            unique_by=lambda page: str(page["path"]),
        )
    )
    app: dict[str, Any] = {"name": "Acme", "pages": [{"name": f"p{n}", **p} for n, p in enumerate(pages)]}
    if languages:
        app["languages"] = {"default": "en", "supported": [{"code": "en"}, {"code": "fr", "locale": "fr-CA"}]}
    app |= draw(
        st.fixed_dictionaries(
            {},
            optional={
                "seo": st.sampled_from(
                    [{"sitemap": False}, {"sitemap": {"alternates": False}}, {"robots": False}]
                ),
                "llms": st.sampled_from([{"enabled": False}, {"full": False}]),
                "robots": st.sampled_from(_ROBOTS),
            },
        )
    )
    files: dict[str, str | bytes] = {"app.yaml": yaml.safe_dump(app, sort_keys=False, allow_unicode=True)}
    folders = [f"{top}{code}" for top in ("content", "blog") for code in (["/en", "/fr"] if lang else [""])]
    for folder in folders:
        for slug in draw(st.lists(_file_names, max_size=4, unique=True)):
            front = draw(_fronts)
            block = f"---\n{yaml.safe_dump(front, sort_keys=False)}---\n" if front else ""
            files[f"{folder}/{slug}.md"] = f"{block}Text of {slug}.\n"
    for name in draw(st.sets(st.sampled_from(_OWNED), max_size=1)):
        files[f"public/{name}"] = b"own"
    return files
