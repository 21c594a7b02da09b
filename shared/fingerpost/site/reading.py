"""A configuration as a site: every key of the language that this product reads."""

from collections.abc import Mapping
from typing import Any, Final

from fingerpost.site.model import Llms, RobotsPolicy, Seo, Site
from fingerpost.site.reading_languages import read_languages
from fingerpost.site.reading_pages import Declared, read_pages
from fingerpost.site.reading_robots import read_content_signals, read_robots
from fingerpost.site.reading_tables import read_tables
from fingerpost.site.urls import origin_fault
from fingerpost.site.value import Value

_KEYS: Final = (
    "name", "description", "languages", "tables", "pages", "components", "llms", "seo", "agents",
    "deployment", "robots",
)  # fmt: skip


def read_site(value: Value, files: tuple[str, ...]) -> Site:
    """The site that `value` declares. Where its problems hold an error, the site is not to be used."""
    keys = value.section(_KEYS)
    declared = Declared(
        tables=keys.read("tables", read_tables) or (),
        languages=keys.read("languages", read_languages),
        multilingual="languages" in keys,
    )
    agents = keys.value("agents")
    # A list holds an application's own AI agents; only a mapping speaks of what is published.
    signals = agents.section(("contentSignals", "readability")) if agents and not agents.is_list else None
    site, base = keys.read("deployment", _read_deployment) or (None, "")
    return Site(
        name=keys.required("name"),
        description=keys.text("description"),
        languages=declared.languages,
        tables=declared.tables,
        pages=keys.read("pages", lambda found: read_pages(found, declared)) or (),
        templates=keys.read("components", _read_templates) or {},
        llms=keys.read("llms", _read_llms) or Llms(),
        seo=keys.read("seo", _read_seo) or Seo(),
        content_signals=signals.read("contentSignals", read_content_signals) if signals else None,
        readability=signals.flag("readability", True) if signals else True,
        deployment_site=site,
        deployment_base=base,
        robots=keys.read("robots", read_robots) or RobotsPolicy(),
        files=files,
    )


def _read_llms(value: Value) -> Llms:
    if value.literal is not None:
        return Llms(enabled=value.literal)
    keys = value.section(("enabled", "title", "description", "full"))
    return Llms(
        enabled=keys.flag("enabled", True),
        title=keys.text("title"),
        description=keys.text("description"),
        full=keys.flag("full", True),
    )


def _read_seo(value: Value) -> Seo:
    keys = value.section(("sitemap", "robots"))
    robots = keys.flag("robots", True)
    sitemap = keys.value("sitemap")
    if sitemap is None or sitemap.literal is not None:
        return Seo(sitemap=sitemap is None or sitemap.literal is True, robots=robots)
    inner = sitemap.section(("alternates", "maxRecords"))
    return Seo(
        alternates=inner.flag("alternates", True),
        max_records=inner.read("maxRecords", lambda found: found.integer(1)),
        robots=robots,
    )


def _read_deployment(value: Value) -> tuple[str | None, str]:
    """`deployment`: the origin without a trailing slash, and the base path ("" or "/base")."""
    keys = value.section(("site", "base"))
    return keys.read("site", _read_origin), keys.read("base", _read_base) or ""


def _read_origin(value: Value) -> str | None:
    url = value.text()
    fault = None if url is None else origin_fault(url)
    if fault is not None:
        value.error(
            "bad-url", f"expected an origin such as https://example.com, found {value.describe()}: {fault}"
        )
        return None
    return url.rstrip("/") if url is not None else None


def _read_base(value: Value) -> str | None:
    base = value.text()
    if base is None:
        return None
    if not base.startswith("/") or "//" in base or any(c in base for c in "?#\\") or not base.isprintable():
        value.expected("a path such as /docs", "bad-path")
        return None
    return base.rstrip("/")


def _read_templates(value: Value) -> Mapping[str, Any]:
    """`components` of a site: templates by name, declared as a mapping or as a list with `name`."""
    if value.is_mapping:
        return {name: template.plain() for name, template in value.section()}
    templates: dict[str, Any] = {}
    for item in value.items():
        name = item.section().required("name")
        if name in templates:
            item.error("duplicate-template", f"expected each template once, found `{name}` again")
        templates.setdefault(name, item.plain())
    return templates
