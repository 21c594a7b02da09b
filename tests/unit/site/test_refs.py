"""A configuration in many files, joined by `$ref`."""

import json
from collections.abc import Callable, Iterable, Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingerpost.site.loading import Loaded, load_site
from fingerpost.site.problems import NotASite, Place, Problem, SiteError

Load = Callable[[Mapping[str, str]], Loaded]
Errors = Callable[[Mapping[str, str]], list[Problem]]


def test_references_are_relative_to_their_file(load: Load) -> None:
    """A reference is resolved from the file it stands in, as deep as they go."""
    loaded = load(
        {
            "app.yaml": "name: x\npages: [{$ref: ./config/pages/home.yaml}, {$ref: config/pages/about.yaml}]",
            "config/pages/home.yaml": "name: home\npath: /\nmeta: {$ref: ../meta.yaml}\n",
            "config/pages/about.yaml": "name: about\npath: /about\nmeta:\n  $ref: ./../meta.yaml\n",
            "config/meta.yaml": "title: Shared\n",
        }
    )
    assert [(page.path, page.meta.title) for page in loaded.site.pages] == [
        ("/", "Shared"),
        ("/about", "Shared"),
    ]
    assert loaded.site.files == (
        "app.yaml",
        "config/pages/home.yaml",
        "config/pages/about.yaml",
        "config/meta.yaml",
    )
    assert list(loaded.problems) == []


def test_files_are_read_level_by_level() -> None:
    """All files of one level are asked for in one call, and no file twice."""
    files = {
        "app.yaml": b"name: x\npages: [{$ref: ./a.yaml}, {$ref: ./b.yaml}]",
        "a.yaml": b"{name: a, path: /a, meta: {$ref: ./c.yaml}}",
        "b.yaml": b"{name: b, path: /b, meta: {$ref: ./c.yaml}}",
        "c.yaml": b"title: {$ref: ./a-title.yaml}",
        "a-title.yaml": b"T",
    }
    calls: list[list[str]] = []

    def read(keys: Iterable[str]) -> Mapping[str, bytes]:
        calls.append(list(keys))
        return {key: files[key] for key in calls[-1] if key in files}

    assert [page.meta.title for page in load_site(read).site.pages] == ["T", "T"]
    assert calls == [["app.yaml"], ["a.yaml", "b.yaml"], ["c.yaml"], ["a-title.yaml"]]


def test_problems_name_the_file_that_was_referred_to(errors: Errors) -> None:
    """A problem in another file has that file's line and the config path from the root."""
    found = errors(
        {"app.yaml": "name: x\npages:\n  - $ref: ./p.yaml\n", "p.yaml": "name: p\npath: nowhere\n"}
    )
    assert [problem.place for problem in found] == [Place("p.yaml", 2, "pages[0].path")]


@pytest.mark.parametrize(
    ("named", "id"),
    [
        ("./missing.yaml", "ref-missing"),
        ("../outside.yaml", "ref-outside"),
        ("/etc/passwd.yaml", "ref-outside"),
        ("./a/../../outside.yaml", "ref-outside"),
        ("https://example.com/a.yaml", "ref-outside"),
        ("./app.yaml", "ref-cycle"),
        ("./loop.yaml", "ref-cycle"),
    ],
)
def test_references_that_lead_nowhere(errors: Errors, named: str, id: str) -> None:  # noqa: A002
    """A missing file, a path that leaves the site and a cycle are problems at the place of the `$ref`."""
    found = errors(
        {
            "app.yaml": f"name: x\npages:\n  - name: p\n    path: /p\n    meta:\n      $ref: {named}\n",
            "loop.yaml": "openGraph: {$ref: ./loop2.yaml}\n",
            "loop2.yaml": "{$ref: ./loop.yaml}\n",
        }
    )
    assert [problem.id for problem in found] == [id]
    where = (
        Place("loop2.yaml", 1, "pages[0].meta.openGraph")
        if "loop" in named
        else Place("app.yaml", 6, "pages[0].meta")
    )
    assert found[0].place == where


def test_nothing_outside_the_site_is_asked_for() -> None:
    """A path that leaves the site is refused without being read."""
    asked: list[str] = []

    def read(keys: Iterable[str]) -> Mapping[str, bytes]:
        asked.extend(keys)
        return {"app.yaml": b"name: x\npages: [{$ref: ../secret.yaml}, {$ref: /secret.yaml}]"}

    with pytest.raises(SiteError):
        load_site(read)
    assert asked == ["app.yaml"]


def test_a_broken_file_is_reported_once(errors: Errors) -> None:
    """A file that is no YAML is one problem, and the rest of the site is still checked."""
    found = errors(
        {
            "app.yaml": "pages: [{$ref: ./p.yaml}, {name: q, path: q}]\nllms: {full: maybe}\n",
            "p.yaml": "name: [\n",
        }
    )
    assert sorted((problem.id, problem.place.path) for problem in found) == [
        ("bad-path", "pages[1].path"),
        ("missing", "name"),
        ("wrong-type", "llms.full"),
        ("yaml", ""),
    ]


def test_a_chain_of_files_is_bounded(errors: Errors) -> None:
    """Files that lead on and on are refused by name, not by a stack that overflows."""
    files = {f"f{n}.yaml": f"{{$ref: ./f{n + 1}.yaml}}" for n in range(2_000)}
    found = errors({"app.yaml": "name: x\nllms: {$ref: ./f0.yaml}", **files})
    assert [problem.id for problem in found] == ["too-deep"]


def test_a_bomb_made_of_files(errors: Errors) -> None:
    """Files that name one another many times over are bounded like aliases."""
    files = {f"f{n}.yaml": "[" + ", ".join([f"{{$ref: ./f{n + 1}.yaml}}"] * 10) + "]" for n in range(9)}
    found = errors({"app.yaml": "name: x\ntheme: {$ref: ./f0.yaml}", **files, "f9.yaml": "[x]"})
    assert {problem.id for problem in found} == {"too-large"}


def test_references_to_templates_are_left_alone(load: Load) -> None:
    """`$ref` to a template of the same configuration is a component's own business."""
    loaded = load(
        {
            "app.yaml": """name: x
pages:
  - name: p
    path: /
    components: [{$ref: '#/components/hero'}, {$ref: hero, $vars: {a: 1}}]
"""
        }
    )
    assert loaded.site.pages[0].components == (
        {"$ref": "#/components/hero"},
        {"$ref": "hero", "$vars": {"a": "1"}},
    )
    assert list(loaded.problems) == []


def test_a_reference_beside_other_keys_is_a_warning(load: Load) -> None:
    """An object with more than `$ref` is no reference, and its author is told."""
    loaded = load({"app.yaml": "name: x\nllms: {$ref: ./llms.yaml, full: false}"})
    assert [problem.id for problem in loaded.problems] == ["ref-beside-keys"]
    assert loaded.site.llms.full is False


def test_no_app_yaml_is_no_site() -> None:
    """A place without `app.yaml` is told apart from a site that is broken."""
    with pytest.raises(NotASite, match=r"app\.yaml: error: expected a site"):
        load_site(lambda keys: {})


def test_an_empty_app_yaml_is_a_broken_site(errors: Errors) -> None:
    """An empty `app.yaml` is a site without anything it needs."""
    assert [problem.id for problem in errors({"app.yaml": ""})] == ["wrong-type"]


_TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0") | st.sampled_from('\\u"😀')
)


@given(st.dictionaries(_TEXTS, _TEXTS | st.booleans() | st.none()))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_json_is_read_as_what_it_says(load: Load, document: dict[str, str | bool | None]) -> None:
    """Whatever a JSON library writes is read as it was, its escapes of one character in two included."""
    templates = {"t": {**document, "written": "\\ud83d\\ude00 and 😀😁"}}
    files = {
        "app.yaml": "name: x\ncomponents: {$ref: ./c.json}\n",
        "c.json": json.dumps(templates, indent="\t"),
    }
    assert load(files).site.templates == templates
