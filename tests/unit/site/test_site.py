"""The site's own keys, apart from its pages and tables."""

from collections.abc import Callable

import pytest

from fingerpost.site.loading import Loaded
from fingerpost.site.model import ContentSignals, Language, Llms, RobotsGroup, RobotsPolicy, Seo, Site
from fingerpost.site.problems import Place, Problem, Severity

Load = Callable[[str], Loaded]
Errors = Callable[[str], list[Problem]]
Sites = Callable[[str], Site]


def test_the_smallest_site(load: Load) -> None:
    """A name is all a site needs."""
    loaded = load("name: x")
    assert loaded.site == Site("x")
    assert list(loaded.problems) == []


def test_texts_are_kept_as_written(load: Load) -> None:
    """A text that looks like a number, a date or a boolean stays what its author wrote."""
    site = load(
        "name: 1.10\ndescription: 2024-01-01\npages: [{name: 0123, path: /no, meta: {title: yes}}]"
    ).site
    assert (site.name, site.description) == ("1.10", "2024-01-01")
    assert (site.pages[0].name, site.pages[0].path, site.pages[0].meta.title) == ("0123", "/no", "yes")


def test_all_problems_are_reported_together(errors: Errors) -> None:
    """One reading finds every problem, each with line, config path, what was expected and what was found."""
    found = errors(
        """description: [x]
pages:
  - name: a
    path: a
  - path: /b
    sitemap: {priority: 1.5, changefreq: dayly}
    rss: {limit: 0}
llms: {enabled: maybe}
"""
    )
    assert sorted(map(str, found)) == sorted(
        [
            "app.yaml:1 description: error: expected text, found a list",
            "app.yaml:1 name: error: expected `name`, found nothing",
            "app.yaml:4 pages[0].path: error: expected a path such as /blog/:slug, found `a`: it does not "
            "begin with /",
            "app.yaml:5 pages[1].name: error: expected `name`, found nothing",
            "app.yaml:6 pages[1].sitemap.priority: error: expected a decimal number from 0 to 1, found `1.5`",
            "app.yaml:6 pages[1].sitemap.changefreq: error: expected one of always, hourly, daily, weekly, "
            "monthly, yearly, never, found `dayly`; did you mean `daily`?",
            "app.yaml:7 pages[1].rss.limit: error: expected an integer from 1 to 200, found `0`",
            "app.yaml:8 llms.enabled: error: expected true or false, found `maybe`",
        ]
    )


def test_keys_of_the_language_are_ignored(load: Load) -> None:
    """An application's other settings are accepted without a word."""
    loaded = load(
        """name: x
version: 1.0.0
auth: {strategies: []}
theme: {colors: {}}
env: []
automations: []
buckets: []
connections: []
analytics: true
agents: [{name: editor, role: editor}]
pages: [{name: p, path: /, id: 1, vars: {a: b}, scripts: {}, layout: {}, dataSource: {table: x}}]
"""
    )
    assert list(loaded.problems) == []
    assert (loaded.site.content_signals, loaded.site.readability) == (None, True)


@pytest.mark.parametrize(
    ("text", "path", "meant"),
    [
        ("lagnuages: {}", "lagnuages", "languages"),
        ("pages: [{name: p, path: /, sitmap: false}]", "pages[0].sitmap", "sitemap"),
        ("pages: [{name: p, path: /, content_dir: {}}]", "pages[0].content_dir", "contentDir"),
        ("seo: {sitemap: {alternate: false}}", "seo.sitemap.alternate", "alternates"),
        ("agents: {contentSignal: true}", "agents.contentSignal", "contentSignals"),
    ],
)
def test_misspelt_keys_get_a_suggestion(load: Load, text: str, path: str, meant: str) -> None:
    """A key that resembles a known one is a warning that names it."""
    (warning,) = load(f"name: x\n{text}").problems
    assert (warning.id, warning.severity, warning.place) == (
        "unknown-key",
        Severity.WARNING,
        Place("app.yaml", 2, path),
    )
    assert warning.message.endswith(f"did you mean `{meant}`?")


@pytest.mark.parametrize(
    ("text", "path", "meant"),
    [
        ("pages: [{name: p, path: /, acces: all}]", "pages[0].acces", "access"),
        ("pages: [{name: p, path: /, meta: {noIndex: true}}]", "pages[0].meta.noIndex", "noindex"),
        ("tables: [{name: t, permisions: {read: [editor]}}]", "tables[0].permisions", "permissions"),
    ],
)
def test_a_misspelt_guard_refuses_the_site(errors: Errors, text: str, path: str, meant: str) -> None:
    """A slip in a key that keeps something from someone is an error, never a page that everyone may read."""
    (error,) = errors(f"name: x\n{text}")
    assert (error.id, error.place) == ("unknown-key", Place("app.yaml", 2, path))
    assert error.message.endswith(f"did you mean `{meant}`?")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("pages: [{name: p, path: /, access: }]", "pages[0].access"),
        ("pages: [{name: p, path: /, meta: {noindex: }}]", "pages[0].meta.noindex"),
        (
            "pages: [{name: p, path: '/:x', contentDir: {directory: a, filter: }}]",
            "pages[0].contentDir.filter",
        ),
        ("tables: [{name: t, permissions: }]", "tables[0].permissions"),
        ("tables: [{name: t, permissions: {read: ~}}]", "tables[0].permissions.read"),
        ("tables: [{name: t, rowLevelPermissions: null}]", "tables[0].rowLevelPermissions"),
    ],
)
def test_an_empty_guard_refuses_the_site(errors: Errors, text: str, path: str) -> None:
    """A key that keeps something from someone, with its value forgotten, is an error: it opens nothing."""
    (error,) = errors(f"name: x\n{text}")
    assert (error.id, error.place) == ("missing", Place("app.yaml", 2, path))


@pytest.mark.parametrize("text", ["colour: red", "pages: [{name: p, path: /, weight: 1}]"])
def test_other_unknown_keys_are_ignored(load: Load, text: str) -> None:
    """A key that resembles no known one is nobody's business."""
    assert list(load(f"name: x\n{text}").problems) == []


def test_llms(site: Sites) -> None:
    """`llms` is a mapping, or false for none."""
    assert site("").llms == Llms()
    assert site("llms: {title: T, description: D, full: false}").llms == Llms(True, "T", "D", False)
    assert site("llms: false").llms.enabled is False
    assert site("llms: {enabled: false}").llms.enabled is False


@pytest.mark.parametrize(
    ("text", "seo"),
    [
        ("", Seo()),
        ("seo: {sitemap: true, robots: true}", Seo()),
        ("seo: {sitemap: false}", Seo(sitemap=False)),
        ("seo: {robots: false}", Seo(robots=False)),
        ("seo: {sitemap: {}}", Seo()),
        ("seo: {sitemap: {alternates: false, maxRecords: 10}}", Seo(alternates=False, max_records=10)),
        ("seo: ~", Seo()),
    ],
)
def test_seo(site: Sites, text: str, seo: Seo) -> None:
    """`seo` turns documents off and limits records."""
    assert site(text).seo == seo


@pytest.mark.parametrize("most", ["0", "-1", "1.5", "'10'", "many"])
def test_max_records_is_a_positive_integer(errors: Errors, most: str) -> None:
    """`maxRecords` takes nothing but a positive integer."""
    (problem,) = errors(f"name: x\nseo: {{sitemap: {{maxRecords: {most}}}}}")
    assert problem.place.path == "seo.sitemap.maxRecords"


@pytest.mark.parametrize(
    ("written", "signals"),
    [
        ("", None),
        ("agents: {contentSignals: false}", None),
        ("agents: {contentSignals: ~}", None),
        ("agents: {contentSignals: true}", ContentSignals()),
        ("agents: {contentSignals: {}}", ContentSignals()),
        ("agents: {contentSignals: {aiTrain: false}}", ContentSignals(ai_train=False)),
        ("agents: {contentSignals: {search: false, aiInput: false}}", ContentSignals(False, False, True)),
    ],
)
def test_content_signals(site: Sites, written: str, signals: ContentSignals | None) -> None:
    """Consent is given only where it is written; each signal is yes unless it is false."""
    assert site(written).content_signals == signals


def test_readability(site: Sites) -> None:
    """The manifest is on unless it is turned off."""
    assert site("agents: {}").readability is True
    assert site("agents: {readability: false}").readability is False


@pytest.mark.parametrize(
    ("written", "origin", "base"),
    [
        ("{site: 'https://example.com'}", "https://example.com", ""),
        ("{site: 'https://example.com/', base: /docs/}", "https://example.com", "/docs"),
        ("{site: 'http://localhost:8080', base: /}", "http://localhost:8080", ""),
        ("{base: /a/b}", None, "/a/b"),
    ],
)
def test_deployment(site: Sites, written: str, origin: str | None, base: str) -> None:
    """Origin and base path lose their trailing slash."""
    found = site(f"deployment: {written}")
    assert (found.deployment_site, found.deployment_base) == (origin, base)


@pytest.mark.parametrize(
    "url",
    ["example.com", "/docs", "//example.com", "ftp://example.com", "https://", "https://a b.example", "https://ex.com?x",
     "https://ex.com#x", "https://user@ex.com", "https://ex.com:port", "https://[::1", "https://bücher.example"],
)  # fmt: skip
def test_deployment_site_is_an_absolute_origin(errors: Errors, url: str) -> None:
    """A relative or otherwise unusable `deployment.site` is refused, and says why."""
    (problem,) = errors(f"name: x\ndeployment: {{site: '{url}'}}")
    assert (problem.id, problem.place.path) == ("bad-url", "deployment.site")


@pytest.mark.parametrize("base", ["docs", "//docs", "/a?b", "/a#b", "/a//b"])
def test_deployment_base_is_a_path(errors: Errors, base: str) -> None:
    """A base that is no path is refused."""
    (problem,) = errors(f"name: x\ndeployment: {{base: '{base}'}}")
    assert (problem.id, problem.place.path) == ("bad-path", "deployment.base")


def test_robots(site: Sites) -> None:
    """Groups and the policy on AI robots are read as written; a lone text is a list of one."""
    policy = site(
        """robots:
  groups:
    - {userAgents: [GPTBot, CCBot], disallow: /private/, crawlDelay: 2.5, comment: no training}
    - {userAgents: '*', allow: ['/', '*.css$'], disallow: ''}
  ai: {training: disallow, answers: allow}
"""
    ).robots
    assert policy == RobotsPolicy(
        (
            RobotsGroup(
                ("GPTBot", "CCBot"),
                (),
                ("/private/",),
                "2.5",
                "no training",
                Place("app.yaml", 4, "robots.groups[0]"),
            ),
            RobotsGroup(("*",), ("/", "*.css$"), ("",), place=Place("app.yaml", 5, "robots.groups[1]")),
        ),
        training=False,
        answers=True,
    )


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("{groups: [{disallow: /}]}", "robots.groups[0].userAgents"),
        ("{groups: [{userAgents: []}]}", "robots.groups[0].userAgents"),
        ('{groups: [{userAgents: ["a\\nDisallow: /"]}]}', "robots.groups[0].userAgents"),
        ("{groups: [{userAgents: a, allow: x}]}", "robots.groups[0].allow"),
        ('{groups: [{userAgents: a, allow: "/x\\nAllow: /"}]}', "robots.groups[0].allow"),
        ("{groups: [{userAgents: a, crawlDelay: -1}]}", "robots.groups[0].crawlDelay"),
        ("{groups: [{userAgents: a, crawlDelay: soon}]}", "robots.groups[0].crawlDelay"),
        ("{ai: {training: no}}", "robots.ai.training"),
        ("{ai: {answers: false}}", "robots.ai.answers"),
        ("[x]", "robots"),
    ],
)
def test_robots_refused(errors: Errors, written: str, path: str) -> None:
    """Rules that could not be written, or would forge other lines, are refused at their place."""
    assert [problem.place.path for problem in errors(f"name: x\nrobots: {written}")] == [path]


LANGUAGES = """languages:
  default: en
  fallback: en
  detectBrowser: true
  supported:
    - {code: en, locale: en-us, label: English}
    - {code: pt-br}
    - {code: zh_cn, locale: zh_hans, label: 中文}
    - {code: ar, direction: rtl}
  translations:
    en: {nav.home: Home, nav: {about: About}}
"""


def test_languages(site: Sites) -> None:
    """Tags take their canonical case, the URL segment stays as written (case 45)."""
    languages = site(LANGUAGES).languages
    assert languages is not None
    assert languages.supported == (
        Language("en", "en-US", "English"),
        Language("pt-br", "pt-BR"),
        Language("zh_cn", "zh-Hans", "中文"),
        Language("ar", "ar", "", "rtl"),
    )
    assert (languages.default, languages.fallback) == ("en", "en")
    assert languages.translations == {"en": {"nav.home": "Home", "nav.about": "About"}}


@pytest.mark.parametrize(
    ("written", "id", "path"),
    [
        ("{supported: [{code: en}]}", "missing", "languages.default"),
        ("{default: en}", "missing", "languages.supported"),
        ("{default: en, supported: []}", "missing", "languages.supported"),
        ("{default: fr, supported: [{code: en}]}", "unknown-language", "languages.default"),
        ("{default: en, fallback: fr, supported: [{code: en}]}", "unknown-language", "languages.fallback"),
        (
            "{default: en, supported: [{code: en}, {code: en}]}",
            "duplicate-language",
            "languages.supported[1]",
        ),
        (
            "{default: en, supported: [{code: en}, {code: EN}]}",
            "duplicate-language",
            "languages.supported[1]",
        ),
        (
            "{default: en, supported: [{code: en, locale: en-GB}, {code: uk, locale: en-gb}]}",
            "duplicate-language",
            "languages.supported[1]",
        ),
        (
            "{default: en, supported: [{code: en}, {code: english}]}",
            "bad-language",
            "languages.supported[1].code",
        ),
        (
            "{default: en, supported: [{code: en}, {code: a/b}]}",
            "bad-language",
            "languages.supported[1].code",
        ),
        (
            "{default: en, supported: [{code: en, locale: e}]}",
            "bad-language",
            "languages.supported[0].locale",
        ),
        (
            "{default: en, supported: [{code: en, direction: up}]}",
            "unknown-value",
            "languages.supported[0].direction",
        ),
        ("{default: en, supported: [en]}", "wrong-type", "languages.supported[0]"),
        ("en", "wrong-type", "languages"),
    ],
)
def test_languages_refused(errors: Errors, written: str, id: str, path: str) -> None:  # noqa: A002
    """What would make an address or a hreflang wrong is refused at its place."""
    found = [(problem.id, problem.place.path) for problem in errors(f"name: x\nlanguages: {written}")]
    assert (id, path) in found


def test_translations_of_an_unsupported_language(load: Load) -> None:
    """Texts in a language that the site does not have are a warning."""
    loaded = load("name: x\nlanguages: {default: en, supported: [{code: en}], translations: {fr: {a: b}}}")
    assert [problem.id for problem in loaded.problems] == ["unknown-language"]


@pytest.mark.parametrize(
    "written", ["{hero: {type: text, content: 1.10}}", "[{name: hero, type: text, content: 1.10}]"]
)
def test_templates(site: Sites, written: str) -> None:
    """Templates are found by name, in both forms, with their texts as written."""
    template = site(f"components: {written}").templates["hero"]
    assert (template["type"], template["content"]) == ("text", "1.10")


def test_templates_refused(errors: Errors) -> None:
    """A template without a name, and a name that stands twice, are refused."""
    found = errors("name: x\ncomponents: [{type: a}, {name: b}, {name: b}]")
    assert [(problem.id, problem.place.path) for problem in found] == [
        ("missing", "components[0].name"),
        ("duplicate-template", "components[2]"),
    ]
