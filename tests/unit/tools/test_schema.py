"""The JSON Schema of a configuration: true to the readers, to real sites, and to the file that is shipped."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fingerpost.site import reading, value
from fingerpost.site.problems import Problems
from fingerpost.site.refs import join
from fingerpost.site.value import Section, Value
from fingerpost.site.yaml12 import compose, verify
from fingerpost.sources.directory import DirectoryStore
from fingerpost_tools import places, schema
from fingerpost_tools.configuration_keys import KEYS, LIST, MAPPING, TEXT, children
from fingerpost_tools.main import main
from tests.support import REAL_SITES

VALIDATOR = jsonschema.Draft202012Validator(schema.schema())
SITES = [places.demo(), *(sorted(REAL_SITES.glob("*/")) if REAL_SITES.is_dir() else ())]


def configuration(text: str) -> Any:
    """A configuration as JSON values, typed by YAML 1.2's core schema."""
    node = compose(text, "app.yaml", Problems())
    assert node is not None
    return Value(verify(node, Problems()), "", Problems()).json()


def faults(document: Any) -> list[str]:
    return [error.json_path for error in VALIDATOR.iter_errors(document)]


def test_the_schema_is_one() -> None:
    """It is valid itself, and knows no type that draft 2020-12 doesn't."""
    jsonschema.Draft202012Validator.check_schema(schema.schema())


@pytest.mark.parametrize("site", SITES, ids=lambda path: path.name)
def test_real_sites_are_valid(site: Path) -> None:
    """Every site that the readers accept is valid: its app.yaml alone, with its references, and the whole
    with each file in its place."""
    assert faults(configuration((site / "app.yaml").read_text(encoding="utf-8"))) == []
    store, problems = DirectoryStore(site), Problems()

    def read(keys: Iterable[str]) -> Mapping[str, bytes]:
        return {key: stored.body for key, stored in store.read_many(keys).items()}

    joined = join("app.yaml", read, problems)
    assert joined.root is not None
    assert faults(Value(verify(joined.root, problems), "", problems).json()) == []


@pytest.mark.parametrize(
    "text",
    [
        "pages: []",
        "name: x\npages: {}",
        "name: x\npages: [{name: home}]",
        "name: x\npages: [{name: home, path: about}]",
        "name: x\npages: [{name: home, path: /, sitemap: {priority: 2}}]",
        "name: x\npages: [{name: home, path: /, sitemap: {changefreq: often}}]",
        "name: x\npages: [{name: home, path: /, sitemap: 'yes'}]",
        "name: x\npages: [{name: home, path: /, meta: {noindex: yes}}]",
        "name: x\npages: [{name: home, path: /, access: everyone}]",
        "name: x\npages: [{name: home, path: /, access: {redirectTo: /login}}]",
        "name: x\npages: [{name: home, path: /, access: {require: all, redirectTo: login}}]",
        "name: x\npages: [{name: home, path: '/:s', rss: {limit: 201}}]",
        "name: x\npages: [{name: home, path: '/:s', rss: {limit: 1.5}}]",
        "name: x\npages: [{name: home, path: '/:s', collection: {table: t}}]",
        "name: x\npages: [{name: h, path: '/:s', collection: {table: t, slugField: s, filter: [{field: a, operator: like, value: 1}]}}]",  # noqa: E501
        "name: x\npages: [{name: home, path: '/:s', contentDir: {directory: /etc}}]",
        "name: x\npages: [{name: home, path: '/:s', contentDir: {directory: c, slugFrom: title}}]",
        "name: x\npages: [{name: home, path: '/:s', contentDir: {directory: c, sort: {field: a, order: u}}}]",
        "name: x\npages: [{name: home, path: /, markdown: {toc: {maxDepth: 7}}}]",
        "name: x\nlanguages: {default: en}",
        "name: x\nlanguages: {default: en, supported: [{code: 'not a tag'}]}",
        "name: x\ntables: [{fields: []}]",
        "name: x\ntables: [{name: t, fields: [{name: a}]}]",
        "name: x\ntables: [{name: t, permissions: {read: everyone}}]",
        "name: x\ntables: [{name: t, permissions: ~, rowLevelPermissions: ~}]",
        "name: x\npages: [{name: home, path: /, access: }]",
        "name: x\nseo: {sitemap: {maxRecords: 0}}",
        "name: x\nseo: {robots: no}",
        "name: x\nagents: {contentSignals: {search: maybe}}",
        "name: x\ndeployment: {site: example.com}",
        "name: x\ndeployment: {site: 'https://example.com/?x'}",
        "name: x\ndeployment: {base: docs}",
        "name: x\nrobots: {groups: [{disallow: /}]}",
        "name: x\nrobots: {groups: [{userAgents: '*', disallow: private}]}",
        "name: x\nrobots: {groups: [{userAgents: '*', crawlDelay: -1}]}",
        "name: x\nrobots: {ai: {training: never}}",
        "name: x\nllms: {full: yes}",
    ],
)
def test_what_the_readers_refuse_is_invalid(text: str) -> None:
    """Each fault is one for the schema and for the readers alike."""
    assert faults(configuration(text))
    problems = Problems()
    node = compose(text, "app.yaml", problems)
    assert node is not None
    reading.read_site(Value(verify(node, problems), "", problems), ("app.yaml",))
    assert problems.errors


@pytest.mark.parametrize(
    "text",
    [
        "name: x",
        "name: 1.10\ndescription: null\npages:\n",
        "name: x\npages: [{$ref: ./config/home.yaml}]",
        "name: x\npages: [{name: home, path: /, meta: {keywords: [a, b], robots: [none], schema: {a: b}}}]",
        "name: x\npages: [{name: home, path: /, access: [editor], sitemap: false, rss: true}]",
        "name: x\ncomponents: {hero: {type: text}}",
        "name: x\ncomponents: [{name: hero, type: text}]",
        "name: x\nagents: [{name: helper, model: x}]",
        "name: x\nauth: {strategies: []}\ntheme: {}",
        "name: x\nllms: false\nseo: {sitemap: {alternates: false}}\nagents: {contentSignals: true}",
        "name: x\nrobots: {groups: [{userAgents: [GPTBot], disallow: ['/*.pdf$', '']}]}",
    ],
)
def test_what_the_readers_take_is_valid(text: str) -> None:
    """Short forms, texts that look like numbers, references and keys of others are valid for both."""
    assert faults(configuration(text)) == []
    problems = Problems()
    node = compose(text, "app.yaml", problems)
    assert node is not None
    reading.read_site(Value(verify(node, problems), "", problems), ("app.yaml",))
    assert [problem for problem in problems.errors if problem.id != "missing"] == []


def test_lists_and_mappings_may_stand_in_other_files() -> None:
    """A reference is valid in the place of any list or mapping, and never with keys beside it."""
    assert faults({"name": "x", "pages": {"$ref": "./config/pages.yaml"}, "llms": {"$ref": "./l.yaml"}}) == []
    assert faults({"name": "x", "pages": [{"$ref": "./config/home.yaml", "name": "home"}]}) != []
    assert faults({"name": "x", "pages": {"$ref": "elsewhere"}}) != []


def test_the_table_knows_what_the_readers_know(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a configuration that has every key of the table asks for exactly these keys: a key that a
    reader learns is missing in the table, one that none reads any more is too much."""
    asked: set[str] = set()
    real_value, real_section = Section.value, Value.section

    def noted(whole: Value, key: str) -> None:
        asked.add(_normal(f"{whole.path}.{key}" if whole.path else key))

    def of_section(self: Section, key: str) -> Value | None:
        noted(self.whole, key)
        return real_value(self, key)

    def section(self: Value, known: Iterable[str] = ()) -> Section:
        for key in known:
            noted(self, key)
        return real_section(self, known)  # type: ignore[arg-type]

    monkeypatch.setattr(value.Section, "value", of_section)
    monkeypatch.setattr(value.Value, "section", section)
    for prefer in (MAPPING, LIST):
        text = json.dumps(_sample("", prefer))
        problems = Problems()
        node = compose(text, "app.yaml", problems)
        assert node is not None
        reading.read_site(Value(verify(node, problems), "", problems), ("app.yaml",))
        assert [problem.id for problem in problems if problem.id in ("wrong-type", "unknown-key")] == []
    table = {key.path for key in KEYS if not key.path.endswith("}")}
    assert asked == table


def _normal(path: str) -> str:
    """A config path as the table has it: members of lists alike, languages alike."""
    path = re.sub(r"\[\d+\]", "[]", path)
    return re.sub(r"(?<=i18n\.)en(?=\.|$)", "{code}", path)


def _sample(path: str, prefer: Any) -> Any:
    """A mapping with every key of the table below `path`; of several forms of a value, the one preferred."""
    found: dict[str, Any] = {}
    for key in children(path):
        name = key.path.rpartition(".")[2].replace("{code}", "en")
        kinds = key.kinds
        if MAPPING in kinds and not (LIST in kinds and prefer is LIST):
            found[name] = _sample(key.path, prefer)
        elif LIST in kinds:
            found[name] = [_sample(f"{key.path}[]", prefer)]
        elif TEXT in kinds:
            found[name] = "en"
        else:
            found[name] = _example(kinds[0].schema)
    return found


def _example(of: Mapping[str, Any]) -> Any:
    if "enum" in of:
        return of["enum"][0]
    kind = of.get("type")
    if kind == "array":
        return ["en"]
    if kind == "object":
        return {"key": "en"}
    if kind == "boolean":
        return True
    if kind in ("integer", "number"):
        return of["minimum"]
    return {"^/": "/x", None: "en"}.get(of.get("pattern"), "https://x.example" if "Hh" in str(of) else "en")


def test_the_demo_is_edited_with_the_schema() -> None:
    """The demo's first line names the schema, and the file beside it is the one this version makes: after a
    change of the language, `fingerpost schema --out infra/demo/app.schema.json` renews it."""
    first = (places.demo() / "app.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert first == schema.MODELINE
    assert (places.demo() / schema.FILE).read_text(encoding="utf-8") == schema.text()


def test_the_command_writes_the_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To standard output, or to a file; a file that can't be written is one line."""
    assert main(["schema"]) == 0
    assert capsys.readouterr().out == schema.text()
    assert main(["schema", "--out", str(tmp_path / "s.json")]) == 0
    assert (tmp_path / "s.json").read_text(encoding="utf-8") == schema.text()
    assert main(["schema", "--out", str(tmp_path / "none" / "s.json")]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "could not be written" in err
