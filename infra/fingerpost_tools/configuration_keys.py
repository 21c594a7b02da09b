"""Every key of a configuration: its type, what it means, and what is said where it is wrong.

One table for two readers: the JSON Schema that editors use (fingerpost_tools.schema) and the reference in
shared/README.md. The product's own readers are in fingerpost.site; a test holds that all three know the same.
"""

# ruff: noqa: E501 - a table with one row a line

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from fingerpost.limits import FEED_ITEMS_MOST
from fingerpost.site.model import Changefreq, Operator

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A type that a value may have: its name in the reference, and the JSON Schema of its values."""

    name: str
    schema: Schema


# Text is what the author wrote, so that YAML's numbers and booleans are texts too.
_TEXT: Final[Schema] = {"type": ["string", "number", "boolean"]}

TEXT: Final = Kind("text", _TEXT)
TEXTS: Final = Kind("list of texts", {"type": "array", "items": _TEXT})
TEXT_MAP: Final = Kind("mapping of texts", {"type": "object", "additionalProperties": _TEXT})
FLAG: Final = Kind("boolean", {"type": "boolean"})
ANYTHING: Final = Kind("anything", {})
# What these hold stands in the table as keys of their own.
MAPPING: Final = Kind("mapping", {"type": "object"})
LIST: Final = Kind("list", {"type": "array"})
PATH: Final = Kind("path", {"type": "string", "pattern": "^/"})
INSIDE: Final = Kind("path in the site", {"type": "string", "pattern": r"^(?!/)[^\\]+$"})
TAG: Final = Kind("language tag", {"type": "string", "pattern": "^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$"})
ORIGIN: Final = Kind("origin", {"type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]+[^?#]*$"})
RULES: Final = Kind("rule", {"type": "string", "pattern": "^([/*].*)?$"})
RULE_LIST: Final = Kind("list of rules", {"type": "array", "items": RULES.schema})
ALL: Final = Kind("`all`, `authenticated`", {"enum": ["all", "authenticated"]})
ROLES: Final = Kind("list of roles", TEXTS.schema)


def choice(*values: str) -> Kind:
    """One of some words."""
    return Kind(", ".join(f"`{value}`" for value in values), {"enum": [str(value) for value in values]})


def integer(least: int, most: int | None = None) -> Kind:
    """A whole number from `least` to `most`, both included."""
    bounds: dict[str, Any] = {"minimum": least} if most is None else {"minimum": least, "maximum": most}
    name = f"integer from {least}" + (f" to {most}" if most is not None else "")
    return Kind(name, {"type": "integer", **bounds})


def number(least: int, most: int | None = None) -> Kind:
    """A decimal number from `least` to `most`, both included."""
    bounds: dict[str, Any] = {"minimum": least} if most is None else {"minimum": least, "maximum": most}
    name = f"number from {least}" + (f" to {most}" if most is not None else "")
    return Kind(name, {"type": "number", **bounds})


@dataclass(frozen=True, slots=True)
class Key:
    """One key. `path` is its config path, with `[]` for the members of a list and `{code}` for any key of a
    mapping by language; `default` is what holds without it, in words. `problems` are the ids that `check`
    reports beside `wrong-type` and, for a required key, `missing`."""

    path: str
    kinds: tuple[Kind, ...]
    meaning: str
    default: str = ""
    problems: tuple[str, ...] = ()
    required: bool = False


def _key(path: str, *kinds: Kind, means: str, default: str = "", problems: str = "") -> Key:
    return Key(path, kinds, means, default, tuple(problems.split()))


def _required(path: str, *kinds: Kind, means: str, problems: str = "") -> Key:
    return Key(path, kinds, means, "required", tuple(problems.split()), required=True)


_FREQUENCY: Final = choice(*Changefreq)
_PRIORITY: Final = number(0, 1)

KEYS: Final[tuple[Key, ...]] = (
    _required("name", TEXT, means="the site's name: the title of llms.txt and the manifest"),
    _key("description", TEXT, means="one sentence about the site"),
    # ---- languages
    _key("languages", MAPPING, means="makes the site multilingual", default="one language"),
    _required("languages.default", TEXT, means="the code whose addresses are x-default", problems="unknown-language"),
    _required("languages.supported", LIST, means="the languages, in the order they are listed in"),
    _required(
        "languages.supported[].code",
        TAG,
        means="the first segment of its addresses, as written: `fr`, `pt-br`",
        problems="bad-language duplicate-language",
    ),
    _key("languages.supported[].locale", TAG, means="its BCP 47 tag in hreflang and lang", default="`code`", problems="bad-language"),
    _key("languages.supported[].label", TEXT, means="its name for people", default="`code`"),
    _key("languages.supported[].direction", choice("ltr", "rtl"), means="where its lines begin", default="`ltr`", problems="unknown-value"),
    _key("languages.fallback", TEXT, means="where a translation is taken from that a language lacks", default="`default`", problems="unknown-language"),
    _key("languages.detectBrowser", ANYTHING, means="accepted and without effect: an address alone decides the language"),
    _key("languages.translations", MAPPING, means="texts for `$t:key`, by code", problems="unknown-language"),
    _key("languages.translations.{code}", MAPPING, means="texts by key; nested keys are joined with dots (`nav.home`)"),
    # ---- tables
    _key("tables", LIST, means="the tables of Postgres that pages publish records of"),
    _required("tables[].name", TEXT, means="the relation in schema `public`: lower-cased, `_` for what is no letter, digit or `_`", problems="duplicate-table"),
    _key("tables[].fields", LIST, means="its columns; `id`, `created_at`, `updated_at` and `deleted_at` are always there"),
    _required("tables[].fields[].name", TEXT, means="the column", problems="duplicate-field"),
    _required("tables[].fields[].type", TEXT, means="`single-line-text`, `decimal`, `datetime`, `updated-at`, `relationship`, ..."),
    _key("tables[].fields[].relatedTable", TEXT, means="of a `relationship`: the other table"),
    _key("tables[].fields[].relationType", TEXT, means="of a `relationship`: `many-to-one`, ..."),
    _key("tables[].fields[].displayField", TEXT, means="of a `relationship`: the other table's field that is shown"),
    _key("tables[].permissions", MAPPING, means="who may read its records", default="nobody but `admin`"),
    _key("tables[].permissions.read", ALL, ROLES, means="who may read a record", default="nobody but `admin`"),
    _key("tables[].permissions.fields", LIST, means="fields that fewer may read"),
    _required("tables[].permissions.fields[].field", TEXT, means="the field", problems="unknown-field"),
    _key("tables[].permissions.fields[].read", ALL, ROLES, means="who may read it", default="as inherited, else as the record"),
    _key("tables[].permissions.inherit", TEXT, means="the table whose permissions hold where this one says nothing, of its rows or of a field; a missing one or a cycle lets nobody read", problems="unknown-table"),
    _key("tables[].permissions.override", MAPPING, means="what is not inherited"),
    _key("tables[].permissions.override.read", ALL, ROLES, means="who may read, in place of what is inherited", default="as inherited"),
    _key("tables[].permissions.override.fields", LIST, means="fields that others may read than what is inherited says"),
    _required("tables[].permissions.override.fields[].field", TEXT, means="the field", problems="unknown-field"),
    _key("tables[].permissions.override.fields[].read", ALL, ROLES, means="who may read it", default="as inherited"),
    _key("tables[].rowLevelPermissions", ANYTHING, means="any rule about reading keeps the table out of everything public"),
    # ---- pages
    _key("pages", LIST, means="the pages; of two whose paths match, the first answers"),
    _required("pages[].name", TEXT, means="its name, and its title where it has none"),
    _required("pages[].path", PATH, means="its address: `/about`, `/blog/:slug`, `/docs/:path*`", problems="bad-path"),
    _key("pages[].meta", MAPPING, means="what its head says"),
    _key("pages[].meta.title", TEXT, means="the title; may hold `$record.x`, `$t:key`"),
    _key("pages[].meta.description", TEXT, means="the description, likewise"),
    _key("pages[].meta.keywords", TEXT, TEXTS, means="the meta tag `keywords`"),
    _key("pages[].meta.author", TEXT, means="the meta tag `author`"),
    _key("pages[].meta.canonical", TEXT, means="another address that counts instead: an absolute URL or a path; may hold placeholders", default="its own address", problems="bad-url"),
    _key("pages[].meta.robots", TEXT, TEXTS, means="the meta tag `robots`; `noindex` and `none` count as `noindex: true`"),
    _key("pages[].meta.noindex", FLAG, means="open to everyone, in no index", default="`false`"),
    _key("pages[].meta.priority", _PRIORITY, means="see `sitemap.priority`, which wins", problems="out-of-range"),
    _key("pages[].meta.changefreq", _FREQUENCY, means="see `sitemap.changefreq`, which wins", problems="unknown-value"),
    _key("pages[].meta.openGraph", TEXT_MAP, means="Open Graph properties, without `og:`"),
    _key("pages[].meta.twitter", TEXT_MAP, means="Twitter card properties, without `twitter:`"),
    _key("pages[].meta.schema", ANYTHING, means="JSON-LD, as written"),
    _key("pages[].meta.lang", TAG, means="the page's language on a site without `languages`", problems="bad-language"),
    _key("pages[].meta.i18n", MAPPING, means="title and description by language code", problems="unknown-language"),
    _key("pages[].meta.i18n.{code}", MAPPING, means="those of one language"),
    _key("pages[].meta.i18n.{code}.title", TEXT, means="the title in it"),
    _key("pages[].meta.i18n.{code}.description", TEXT, means="the description in it"),
    _key("pages[].access", ALL, ROLES, MAPPING, means="who may open it; `admin` always may, an empty list is `admin` alone", default="`all`"),
    _required("pages[].access.require", ALL, ROLES, means="who may open it"),
    _key("pages[].access.redirectTo", PATH, means="where its HTML addresses send everyone else", default="they get 404", problems="bad-path"),
    _key("pages[].components", LIST, means="what the page shows, in Sovrium's component language"),
    _key("pages[].sitemap", FLAG, MAPPING, means="`false` keeps it out of the sitemap", default="`true`"),
    _key("pages[].sitemap.priority", _PRIORITY, means="`<priority>`, as written", default="no tag", problems="out-of-range"),
    _key("pages[].sitemap.changefreq", _FREQUENCY, means="`<changefreq>`", default="no tag", problems="unknown-value"),
    _key("pages[].rss", FLAG, MAPPING, means="the first public page that says so makes `/feed.xml`", default="`false`", problems="empty-feed"),
    _key("pages[].rss.limit", integer(1, FEED_ITEMS_MOST), means="items in the feed", default="20", problems="out-of-range"),
    _key("pages[].collection", MAPPING, means="one address for each record of a table", problems="no-parameter many-parameters"),
    _required("pages[].collection.table", TEXT, means="the table", problems="unknown-table"),
    _required("pages[].collection.slugField", TEXT, means="the field that fills the path's parameter", problems="unknown-field"),
    _key("pages[].collection.filter", LIST, means="conditions that all hold for a published record"),
    _required("pages[].collection.filter[].field", TEXT, means="a field of the table", problems="unknown-field"),
    _key("pages[].collection.filter[].operator", choice(*Operator), means="how it is compared", default="`eq`", problems="unknown-value"),
    _required("pages[].collection.filter[].value", TEXT, TEXTS, means="what with, typed by the column; a list for `in`"),
    _key("pages[].contentDir", MAPPING, means="one address for each Markdown file of a directory", problems="no-parameter many-parameters no-languages"),
    _required("pages[].contentDir.directory", INSIDE, means="where the files are; `{lang}` stands for each language's code", problems="bad-path"),
    _key("pages[].contentDir.slugFrom", choice("filename", "filepath"), means="what fills the parameter: the file's name, or its path from the directory", default="`filename`", problems="unknown-value"),
    _key("pages[].contentDir.index", TEXT, means="the slug that is served at the page's base path"),
    _key("pages[].contentDir.include", TEXT, means="which files are articles, as a glob", default="`**/*.md`"),
    _key("pages[].contentDir.filter", TEXT_MAP, means="front matter that an article must have; `false` also takes files without the key"),
    _key("pages[].contentDir.sort", MAPPING, means="the order of articles", default="by front matter `order`, then by name"),
    _required("pages[].contentDir.sort.field", TEXT, means="a key of the front matter"),
    _key("pages[].contentDir.sort.order", choice("asc", "desc"), means="which way", default="`asc`", problems="unknown-value"),
    _key("pages[].contentDir.sort.direction", choice("asc", "desc"), means="another name of `order`", default="`asc`", problems="unknown-value"),
    _key("pages[].contentDir.nav", FLAG, MAPPING, means="a navigation beside each article", default="`false`"),
    _key("pages[].contentDir.nav.enabled", FLAG, means="whether there is one", default="`true`"),
    _key("pages[].contentDir.nav.groupBy", TEXT, means="the key of the front matter that groups articles, in llms.txt too"),
    _key("pages[].contentDir.nav.labelFrom", TEXT, means="the key that names an article there", default="`title`"),
    _key("pages[].contentDir.nav.groupLabels", TEXT_MAP, means="what groups are called, by their value"),
    _key("pages[].markdown", MAPPING, means="Markdown as the page's content, or how its articles look", problems="too-many"),
    _key("pages[].markdown.content", TEXT, means="the Markdown itself"),
    _key("pages[].markdown.file", INSIDE, means="a file that holds it", problems="bad-path"),
    _key("pages[].markdown.layout", TEXT, means="a name of Sovrium's layouts"),
    _key("pages[].markdown.toc", FLAG, MAPPING, means="a list of the headings", default="`false`"),
    _key("pages[].markdown.toc.maxDepth", integer(1, 6), means="down to which level", default="3", problems="out-of-range"),
    _key("pages[].markdown.toc.position", TEXT, means="`inline`, or `sidebar`", default="`inline`"),
    # ---- the rest
    _key("components", LIST, MAPPING, means="templates that pages place: by name, or as a list with `name`", problems="duplicate-template"),
    _required("components[].name", TEXT, means="the template's name, in a list"),
    _key("llms", FLAG, MAPPING, means="llms.txt and llms-full.txt", default="`true`"),
    _key("llms.enabled", FLAG, means="whether there are any", default="`true`"),
    _key("llms.title", TEXT, means="their title", default="`name`"),
    _key("llms.description", TEXT, means="their introduction", default="`description`"),
    _key("llms.full", FLAG, means="whether there is a llms-full.txt", default="`true`"),
    _key("seo", MAPPING, means="sitemap and robots.txt"),
    _key("seo.sitemap", FLAG, MAPPING, means="`false`: there is no sitemap, its address is 404", default="`true`"),
    _key("seo.sitemap.alternates", FLAG, means="hreflang clusters in the sitemap", default="`true`"),
    _key("seo.sitemap.maxRecords", integer(1), means="the most records that are read of one collection", default="50,010", problems="out-of-range"),
    _key("seo.robots", FLAG, means="`false`: there is no robots.txt, its address is 404", default="`true`"),
    _key("agents", MAPPING, LIST, means="what AI agents are told; a list of an application's own agents is ignored"),
    _key("agents.contentSignals", FLAG, MAPPING, means="a `Content-Signal` line in robots.txt; `true` and `{}` allow everything", default="no line"),
    _key("agents.contentSignals.search", FLAG, means="may be found by searching", default="`true`"),
    _key("agents.contentSignals.aiInput", FLAG, means="may be read to answer a question", default="`true`"),
    _key("agents.contentSignals.aiTrain", FLAG, means="may be trained on", default="`true`"),
    _key("agents.readability", FLAG, means="whether there is an `/agent-readability.json`", default="`true`"),
    _key("deployment", MAPPING, means="where the site is"),
    _key("deployment.site", ORIGIN, means="scheme and host (and base path) of every absolute URL, where `BASE_URL` is not set", default="the host that was asked for", problems="bad-url"),
    _key("deployment.base", PATH, means="the path that the whole site lives under", default="the root", problems="bad-path"),
    _key("robots", MAPPING, means="the owner's own rules for robots"),
    _key("robots.groups", LIST, means="groups of robots.txt; a robot that one names gets it in place of `*`"),
    _required("robots.groups[].userAgents", TEXT, TEXTS, means="the robots' names, or `*`", problems="bad-user-agent"),
    _key("robots.groups[].allow", RULES, RULE_LIST, means="paths they may fetch; `*` and a last `$` are wildcards", problems="bad-path"),
    _key("robots.groups[].disallow", RULES, RULE_LIST, means="paths they may not", problems="bad-path"),
    _key("robots.groups[].crawlDelay", number(0), means="`Crawl-delay`, in seconds", problems="out-of-range"),
    _key("robots.groups[].comment", TEXT, means="a comment above the group"),
    _key("robots.ai", MAPPING, means="a policy for the robots of AI companies, by a list that is kept up to date"),
    _key("robots.ai.training", choice("allow", "disallow"), means="those that collect what models are trained on", default="as `*`", problems="unknown-value"),
    _key("robots.ai.answers", choice("allow", "disallow"), means="those that fetch pages to answer a question", default="as `*`", problems="unknown-value"),
)  # fmt: skip


def children(path: str) -> list[Key]:
    """The keys of the mapping at `path`: "" is the whole configuration, `pages[]` one page."""
    prefix = f"{path}." if path else ""
    return [key for key in KEYS if key.path.startswith(prefix) and "." not in key.path[len(prefix) :]]


def reference_row(key: Key) -> str:
    """A key's row in the reference: key, type, default, meaning, and the problems of its own."""
    types = " or ".join(kind.name for kind in key.kinds)
    problems = ", ".join(f"`{problem}`" for problem in key.problems)
    return f"| `{key.path}` | {types} | {key.default} | {key.meaning} | {problems} |"
