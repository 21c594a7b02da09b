"""`fingerpost explain`: the one rule that decides, with the place of its setting."""

from datetime import UTC, datetime

import pytest

from fingerpost.catalogue.publication import read_publication
from fingerpost_tools.configuration_places import ConfigurationPlaces
from fingerpost_tools.explaining.facts import Absence, Explanation, Named
from fingerpost_tools.explaining.reasons import Reasons
from tests.support import MemoryStore
from tests.unit.tools.explained import (
    DOCS,
    LANGUAGES,
    absence,
    documents,
    explainer_of,
    explanation,
    rules,
)

S, H, F, L, LF, HTML, T, R = Named
_FEED = DOCS.replace("{name: docs,", "{name: docs, rss: true,")


def _front(text: str) -> dict[str, str | bytes]:
    return {"content/a.md": f"---\ntitle: A\n{text}\n---\nText.\n"}


# SPEC section 4, row by row: front matter of an article of the feed's page, the documents it is in, the rule
# that keeps it out of each other one, and the line of the setting.
_ARTICLES = [
    ("public, indexable", "order: 1", {S, F, L, LF, HTML, T, R}, "", 0),
    ("noindex", "noindex: true", {F, HTML, T, R}, "noindex", 3),
    ("noindex as a robots token", "robots: 'Follow, NONE'", {F, HTML, T, R}, "noindex", 3),
    ("noindex in seo", "seo:\n  noindex: true", {F, HTML, T, R}, "noindex", 4),
    ("hidden", "hidden: true", {HTML, T, R}, "hidden", 3),
    ("canonical elsewhere", "canonical: https://other.example/a", {F, HTML, T, R}, "canonical-elsewhere", 3),
    ("canonical in seo", "seo:\n  canonical: /docs/b", {F, HTML, T, R}, "canonical-elsewhere", 4),
    ("sitemap: false", "sitemap: false", {F, L, LF, HTML, T, R}, "sitemap-false", 3),
    ("ai.exclude", "ai:\n  exclude: true", {S, F, HTML, T, R}, "ai-exclude", 4),
    ("draft", "draft: true", {R}, "draft", 3),
    ("date in the future", "date: 2027-01-01", {R}, "future", 3),
    ("published_at in the future", "published_at: 2027-01-01", {R}, "future", 3),
]


@pytest.mark.parametrize(("row", "front", "within", "rule", "line"), _ARTICLES, ids=[r[0] for r in _ARTICLES])
def test_an_article_is_where_the_table_says(
    row: str, front: str, within: set[Named], rule: str, line: int
) -> None:
    """Each row of SPEC section 4: the documents an article is in, else the rule and its setting's line."""
    answer = explanation(explainer_of(_FEED, _front(front)), "content/a.md")
    assert documents(answer) == within, row
    for name, decision in answer.decisions.items():
        if decision.included or name is H:
            continue
        assert decision.rule == rule
        assert decision.place is not None
        assert (decision.place.file, decision.place.line) == ("content/a.md", line)


def test_self_canonical_does_not_count() -> None:
    """An article whose canonical is its own address is in every document."""
    answer = explanation(explainer_of(_FEED, _front("canonical: /docs/a/")), "/docs/a")
    assert S in documents(answer)


def test_a_filtered_article_names_the_key() -> None:
    """The place is that of the filter's key, and the reason tells both values."""
    app = "pages:\n- name: docs\n  path: /docs/:slug\n  contentDir:\n    directory: content\n"
    app += "    filter:\n      status: live\n      kind: page\n"
    answer = explanation(explainer_of(app, _front("status: live\nkind: note")), "content/a.md")
    decision = answer.decisions[HTML]
    assert (decision.rule, decision.place and decision.place.line) == ("filtered", 9)
    assert decision.reason == "`contentDir.filter` wants `kind: page`, and it says `note`"


_PAGES = [
    ("noindex", "meta: {noindex: true}", {HTML, R}, "noindex", "meta.noindex"),
    ("robots", "meta: {robots: 'noindex, nofollow'}", {HTML, R}, "noindex", "meta.robots"),
    ("canonical", "meta: {canonical: /other}", {HTML, R}, "canonical-elsewhere", "meta.canonical"),
    ("sitemap: false", "sitemap: false", {HTML, R}, "sitemap-false", "sitemap"),
    ("restricted", "access: [member]", {HTML, R}, "restricted", "access"),
    ("restricted by require", "access: {require: authenticated}", {HTML, R}, "restricted", "access.require"),
]


@pytest.mark.parametrize(("row", "setting", "within", "rule", "key"), _PAGES, ids=[r[0] for r in _PAGES])
def test_a_page_is_where_the_table_says(
    row: str, setting: str, within: set[Named], rule: str, key: str
) -> None:
    """The same for declared pages, with the place in the configuration."""
    app = f"pages:\n- {{name: home, path: /}}\n- {{name: about, path: /about, {setting}}}\n"
    answer = explanation(explainer_of(app), "/about")
    assert documents(answer) == within, row
    decision = answer.decisions[S]
    assert decision.rule == rule
    assert str(decision.place) == f"app.yaml:4 pages[1].{key}"


def test_a_path_under_an_underscore_is_in_no_list() -> None:
    """It answers with noindex, and robots.txt disallows it, by the page's own path."""
    answer = explanation(explainer_of("pages:\n- {name: p, path: /_preview}\n"), "/_preview")
    assert rules(answer) == {
        "sitemap": "underscore",
        "hreflang": "underscore",
        "feed": "underscore",
        "llms": "underscore",
        "llms-full": "underscore",
        "html": "(underscore)",
        "twin": "no-markdown",
        "robots": "underscore",
    }
    assert str(answer.decisions[R].place) == "app.yaml:3 pages[0].path"


def test_restricted_html_says_for_whom() -> None:
    """The reason names the readers, and where others are sent."""
    app = "pages:\n- {name: p, path: /p, access: {require: [editor, member], redirectTo: /in}}\n"
    reason = explanation(explainer_of(app), "/p").decisions[HTML].reason
    assert reason.startswith("for editor, member; others are sent to /in")


_DOCUMENTS = [
    ("sitemap-off", "seo: {sitemap: false}\n", {}, S),
    ("own-file", "", {"public/sitemap.xml": "<urlset/>"}, S),
    ("no-languages", "", {}, H),
    ("own-file", "", {"public/feed.xml": "<rss/>"}, F),
    ("llms-off", "llms: {enabled: false}\n", {}, L),
    ("llms-off", "llms: false\n", {}, LF),
    ("llms-full-off", "llms: {full: false}\n", {}, LF),
    ("own-file", "", {"public/llms.txt": "# Mine\n"}, L),
]


@pytest.mark.parametrize(("rule", "app", "files", "document"), _DOCUMENTS)
def test_a_document_that_is_off_or_replaced_says_so(
    rule: str, app: str, files: dict[str, str], document: Named
) -> None:
    """What speaks of the whole document decides where the entry itself could be in."""
    answer = explanation(explainer_of(app + _FEED, {**_front("order: 1"), **files}), "/docs/a")
    assert (answer.decisions[document].included, answer.decisions[document].rule) == (False, rule)


def test_robots_that_are_switched_off_forbid_nothing() -> None:
    """Without robots.txt every robot may fetch everything."""
    answer = explanation(explainer_of("seo: {robots: false}\npages:\n- {name: p, path: /_p}\n"), "/_p")
    assert rules(answer)["robots"] == "(no-robots)"


def test_robots_name_the_rule_of_the_author() -> None:
    """The author's own Disallow has its place, and robots with a stricter group are named."""
    app = (
        "pages:\n- {name: p, path: /p/q}\n- {name: o, path: /o}\nrobots:\n  groups:\n"
        "  - {userAgents: '*', disallow: /p}\n  - {userAgents: [GPTBot, CCBot, xBot], disallow: /o}\n"
    )
    explainer = explainer_of(app)
    decision = explanation(explainer, "/p/q").decisions[R]
    assert (decision.included, decision.rule) == (False, "disallowed")
    assert str(decision.place) == "app.yaml:7 robots.groups[0].disallow"
    assert explanation(explainer, "/o").decisions[R].reason.endswith("GPTBot and 2 more may not")


_OTHER = "- {name: b, path: '/b/:s', rss: true, contentDir: {directory: b}}\n"
_FEEDS = [
    ("no-feed", DOCS, "/docs/a"),
    ("other-page", DOCS + _OTHER, "/docs/a"),
    ("not-an-item", f"{_FEED}- {{name: about, path: /about}}\n", "/about"),
    ("beyond-limit", _FEED.replace("rss: true", "rss: {limit: 1}"), "/docs/a"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "app", "address"), _FEEDS, ids=[row[0] for row in _FEEDS])
def test_what_is_not_in_the_feed_says_why(rule: str, app: str, address: str) -> None:
    """No feed, another page's, no item at all, or too old for it."""
    files = {**_front("date: 2024-01-01"), "content/b.md": "---\ndate: 2025-01-01\n---\n", "b/x.md": "x\n"}
    assert rules(explanation(explainer_of(app, files), address))["feed"] == rule


def test_the_feed_is_in_one_language() -> None:
    """An article in another language is left out for that, and both are one cluster."""
    app = f"{LANGUAGES}pages:\n- name: blog\n  path: /blog/:slug\n  rss: true\n"
    app += "  contentDir: {directory: 'c/{lang}'}\n"
    explainer = explainer_of(app, {"c/en/a.md": "A\n", "c/fr/a.md": "A\n", "c/en/b.md": "B\n"})
    english, french = explanation(explainer, "/en/blog/a"), explanation(explainer, "/fr/blog/a")
    assert (rules(english)["feed"], rules(french)["feed"]) == ("(public)", "other-language")
    assert english.languages == french.languages == ("en", "fr")
    assert rules(explanation(explainer, "/en/blog/b"))["hreflang"] == "one-version"


def test_alternates_need_an_origin_only_in_the_head() -> None:
    """Without an origin the sitemap still lists the cluster; with `alternates: false` nothing does."""
    pages = f"{LANGUAGES}pages:\n- {{name: about, path: /about}}\n"
    decision = explanation(explainer_of(pages, base_url=None), "/en/about").decisions[H]
    assert decision.included
    assert decision.reason.endswith("in the sitemap alone, since no origin is configured")
    switched_off = explainer_of(f"seo: {{sitemap: {{alternates: false}}}}\n{pages}", base_url=None)
    assert rules(explanation(switched_off, "/en/about"))["hreflang"] == "no-origin"


def test_an_address_too_long_for_a_loc_is_served_all_the_same() -> None:
    """SPEC section 3: a loc of 2,048 characters is left out of the sitemap, and of nothing else."""
    answer = explanation(explainer_of(f"pages:\n- {{name: p, path: /{'x' * 2050}}}\n"), f"/{'x' * 2050}")
    assert (rules(answer)["sitemap"], rules(answer)["html"]) == ("too-long", "(public)")


def test_a_twin_whose_address_is_taken_is_named() -> None:
    """An article at `a.md` leaves the article `a` without a Markdown form, and out of llms.txt."""
    files: dict[str, str | bytes] = {"content/a.md": "A\n", "content/a.md.md": "B\n"}
    answer = explanation(explainer_of(DOCS, files), "/docs/a")
    assert (rules(answer)["twin"], rules(answer)["llms"]) == ("twin-collision", "twin-collision")
    assert rules(answer)["llms-full"] == "(public)"


# SPEC section 3: what has no address, by file.
_DROPPED = [
    ("address-collision", "nav: false", {"content/x/a.md": "A\n", "content/y/a.md": "B\n"}, "content/y/a.md"),
    ("address-impossible", "slugFrom: filename", {"content/...md": "A\n"}, "content/...md"),
    ("unreadable", "slugFrom: filename", {"content/a.md": b"caf\xe9"}, "content/a.md"),
    ("not-an-article", "include: 'x/**'", {"content/a.md": "A\n"}, "content/a.md"),
    ("not-an-article", "slugFrom: filename", {"elsewhere/a.md": "A\n"}, "elsewhere/a.md"),
    ("not-an-article", "slugFrom: filename", {"content/a.txt": "A\n"}, "content/a.txt"),
    ("no-file", "slugFrom: filename", {}, "content/missing.md"),
    ("configuration", "slugFrom: filename", {}, "app.yaml"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "setting", "files", "asked"), _DROPPED, ids=[r[0] for r in _DROPPED])
def test_a_file_without_an_address_says_why(
    rule: str, setting: str, files: dict[str, str | bytes], asked: str
) -> None:
    """Each reason for which a file of the site is no entry."""
    app = f"pages:\n- {{name: docs, path: '/docs/:slug', contentDir: {{directory: content, {setting}}}}}\n"
    found = absence(explainer_of(app, files), asked)
    assert (found.rule, found.served) == (rule, False)


def test_a_collision_names_the_winner() -> None:
    """The loser's reason holds the place of the entry that has its address."""
    files: dict[str, str | bytes] = {"content/x/a.md": "A\n", "content/y/a.md": "B\n"}
    app = "pages:\n- {name: d, path: '/d/:s', contentDir: {directory: content}}\n"
    explainer = explainer_of(app, files)
    assert "content/x/a.md" in absence(explainer, "content/y/a.md").reason
    assert explanation(explainer, "/d/a").source.file == "content/x/a.md"


def test_a_shadowed_page_names_what_answers() -> None:
    """An earlier page, or a file of the owner's, has the address."""
    app = (
        "pages:\n- {name: a, path: '/docs/:x', contentDir: {directory: c}}\n- {name: b, path: /docs/start}\n"
    )
    app += "- {name: c, path: /logo.svg}\n"
    explainer = explainer_of(app, {"public/logo.svg": "<svg/>"})
    absent = [answer for answer in explainer.everything() if isinstance(answer, Absence)]
    assert [(a.asked, a.rule, a.place and a.place.line) for a in absent] == [
        ("/docs/start", "address-shadowed", 4),
        ("/logo.svg", "address-shadowed", 5),
    ]


_ADDRESSES = [
    ("no-page", "/nowhere", False),
    ("no-article", "/docs/b", False),
    ("draft", "/docs/draft", False),
    ("draft", "/docs/draft.md", False),
    ("future", "/docs/later", False),
    ("unreadable", "/docs/latin", False),
    ("no-source", "/x/y", False),
    ("many-parameters", "/y/1/2", False),
    ("address-impossible", "/docs/%2e%2e/x", False),
    ("address-impossible", "/docs/%FF", False),
    ("no-page", "//docs", False),
    ("other-site", "https://other.example/docs/a", False),
    ("other-site", "ftp://example.com/docs/a", False),
    ("document", "/robots.txt", True),
    ("document", "/llms-full.txt", True),
    ("no-document", "/feed.xml", False),
    ("own-file", "/favicon.ico", True),
    ("own-file", "public/favicon.ico", True),
]


@pytest.mark.parametrize(("rule", "asked", "served"), _ADDRESSES)
def test_an_address_without_an_entry_says_why(rule: str, asked: str, served: bool) -> None:
    """Each reason for which no entry has an address, and whether something else answers there."""
    app = DOCS + "- {name: x, path: '/x/:y'}\n- {name: y, path: '/y/:a/:b', contentDir: {directory: c}}\n"
    files: dict[str, str | bytes] = {
        "content/a.md": "A\n",
        "content/draft.md": "---\ndraft: true\n---\n",
        "content/later.md": "---\ndate: 2027-01-01\n---\n",
        "content/latin.md": b"caf\xe9",
        "public/favicon.ico": b"x",
    }
    found = absence(explainer_of(app, files), asked)
    assert (found.rule, found.served) == (rule, served)


def test_other_names_lead_to_the_entry() -> None:
    """A trailing slash, an index's own slug, a Markdown suffix and a path without its language."""
    app = f"{LANGUAGES}pages:\n- name: d\n  path: /d/:s\n  contentDir: {{directory: c, index: intro}}\n"
    explainer = explainer_of(app, {"c/intro.md": "I\n", "c/a.md": "A\n"})

    def found(asked: str) -> list[str]:
        return [a.rule if isinstance(a, Absence) else a.address for a in explainer.asked(asked)]

    assert found("/en/d/a/") == ["redirect", "/en/d/a"]
    assert found("/fr/d/intro") == ["redirect", "/fr/d"]
    assert found("/en/d/a.md") == ["/en/d/a"]
    assert found("/d/a") == ["other-name", "/en/d/a"]
    assert found("https://example.com/fr/d/a?x=1#top") == ["/fr/d/a"]


def test_a_missing_translation_names_the_file() -> None:
    """The reason is the file that would have to be there, and the nearest address is its other language."""
    app = f"{LANGUAGES}pages:\n- name: d\n  path: /d/:p*\n"
    app += "  contentDir: {directory: 'c/{lang}', slugFrom: filepath}\n"
    found = absence(explainer_of(app, {"c/en/x/a.md": "A\n"}), "/fr/d/x/a")
    assert (found.rule, found.nearest) == ("no-article", ("/en/d/x/a",))
    assert "c/fr/x/a.md is not there" in found.reason


def test_under_a_base_path_only_what_is_below_it_exists() -> None:
    """The base path is part of every address."""
    explainer = explainer_of(DOCS, {"content/a.md": "A\n"}, base_url="https://example.com/base")
    assert explanation(explainer, "/base/docs/a").address == "/base/docs/a"
    assert "not below the base path /base" in absence(explainer, "/docs/a").reason


def test_lastmod_says_where_it_comes_from() -> None:
    """A date of change in the front matter, the last commit that changed it, or the file's own."""
    files: dict[str, str | bytes] = {
        "content/a.md": "---\ntitle: A\nlastmod: 2024-05-06\n---\n",
        "content/b.md": "B\n",
        "content/c.md": "C\n",
    }
    recorded = {"content/b.md": datetime(2025, 1, 1, tzinfo=UTC)}
    explainer = explainer_of(f"{DOCS}- {{name: about, path: /about}}\n", files, modified=recorded)
    said = {
        answer.address: (answer.lastmod.origin, answer.lastmod.place and answer.lastmod.place.line)
        for answer in explainer.everything()
        if isinstance(answer, Explanation)
    }
    assert said == {
        "/docs/a": ("front matter, `lastmod`", 3),
        "/docs/b": ("the last commit that changed it", 0),
        "/docs/c": ("the file's own time", 0),
        "/about": ("a declared page has none", None),
    }


@pytest.mark.parametrize(
    ("permissions", "reason", "path"),
    [
        (
            "inherit: people, override: {read: all}",
            "the field `slug`, which its address is built from, may be read by member alone",
            "tables[0].permissions.fields",
        ),
        (
            "inherit: nowhere, read: all",
            "the table `staff` inherits from `nowhere`, which is not declared",
            "tables[1].permissions.inherit",
        ),
    ],
)
def test_a_slug_that_is_restricted_by_inheritance(permissions: str, reason: str, path: str) -> None:
    """Why records are not public is told where it stands, in the parent too."""
    fields = "fields: [{name: slug, type: single-line-text}]"
    app = (
        "name: Acme\ntables: [\n"
        f"{{name: people, {fields}, permissions: {{fields: [{{field: slug, read: [member]}}]}}}},\n"
        f"{{name: staff, {fields}, permissions: {{{permissions}}}}}]\n"
        "pages: [{name: p, path: '/staff/:slug', collection: {table: staff, slugField: slug}}]\n"
    )
    store = MemoryStore({"app.yaml": app})
    site = read_publication(store).site
    why = Reasons(site, ConfigurationPlaces(site, store)).restricted(site.pages[0])
    assert (why.reason, why.place and why.place.path) == (reason, path)
