"""`fingerpost check`: each kind of finding from the smallest site that has it, and nothing else."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost.site.problems import Severity
from fingerpost_tools import places
from fingerpost_tools.checking.kinds import KINDS
from fingerpost_tools.checking.report import lines
from fingerpost_tools.main import main
from tests.support import REAL_SITES
from tests.unit.tools.checked import CLEAN, HEAD, found, problems_of

_ROOT = Path(__file__).parents[3]
_DIRECTORY = "contentDir: {directory: c, slugFrom: filepath}"
_DOCS = f"{CLEAN}- {{name: docs, path: '/docs/:path*', {HEAD}, {_DIRECTORY}}}\n"
_HIDDEN = "meta: {noindex: true}"
_TWO = "languages: {default: en, supported: [{code: en}, {code: fr}]}\n"
_THREE = "languages: {default: en, supported: [{code: en}, {code: fr}, {code: de}]}\n"
_FRONT = "---\ntitle: A\ndescription: B.\n---\n"


def test_a_clean_site_has_no_finding() -> None:
    """A site with a title, a description and an origin is left in peace."""
    assert (
        found(_TWO + _DOCS, {"c/a.md": f"{_FRONT}See [home](/en/), ![logo](/l.svg).\n", "public/l.svg": "x"})
        == []
    )


_ARTICLES = [
    (["title-missing c/a.md:1"], "---\ndescription: B.\n---\n# A\n"),
    (["description-missing c/a.md:1"], "---\ntitle: A\n---\nText.\n"),
    (["title-long c/a.md:2"], f"---\ntitle: {'x' * 121}\ndescription: B.\n---\n"),
    (["description-long c/a.md:3"], f"---\ntitle: A\ndescription: {'x' * 321}\n---\n"),
    (["date-future c/a.md:4"], "---\ntitle: A\ndescription: B.\ndate: 2999-01-01\n---\n"),
    (["changed-future c/a.md:4"], "---\ntitle: A\ndescription: B.\nupdated: 2999-01-01\n---\n"),
    (["canonical-nowhere c/a.md:4"], "---\ntitle: A\ndescription: B.\ncanonical: /docs/x\n---\n"),
    ([], "---\ntitle: A\ndescription: B.\ncanonical: https://other.example/\n---\n"),
    ([], "---\nnoindex: true\n---\nNot in search results.\n"),
    ([], "---\ndraft: true\ndate: 2999-01-01\n---\nNowhere at all.\n"),
    (["bad-date c/a.md:2"], "---\ndate: 2024-02-30\n---\n"),
    (["guard-misspelt c/a.md:4"], "---\ntitle: A\ndescription: B.\nDraft: true\n---\n"),
    (["guard-misspelt c/a.md:4"], "---\ntitle: A\ndescription: B.\nhiden: true\n---\n"),
    ([], "---\ntitle: A\ndescription: B.\nindex: 1\nhero: x\nedit: y\n---\n"),
    (["link-dead c/a.md:6"], f"{_FRONT}\n[b](b)\n"),
    (["link-dead c/a.md:7"], f"{_FRONT}[self](a), [b][b]\n\n[b]: ../nowhere 'B'\n"),
    (["link-dead c/a.md:5"], f"{_FRONT}[a](/docs/missing#part) twice: [a](/docs/missing#part)\n"),
    (["link-dead c/a.md:5"], f"{_FRONT}![A picture](/missing.png)\n"),
    (["link-dead c/a.md:5"], f"{_FRONT}<a href='/missing'>x</a>\n"),
    (["link-dead c/a.md:5"], f"{_FRONT}[u](/docs/ü%20b)\n"),
    (["link-dead c/a.md:5"], f"{_FRONT}[here](https://example.com/nowhere)\n"),
    ([], f"{_FRONT}[out](https://other.example/x) [m](mailto:a@b.example) [f](#f) [t](a.md) [s](/docs/a/)\n"),
    ([], f"{_FRONT}`[code](nowhere)`\n\n    [indented](nowhere)\n"),
]


@pytest.mark.parametrize(("expected", "article"), _ARTICLES, ids=[str(n) for n in range(len(_ARTICLES))])
def test_an_article(expected: list[str], article: str) -> None:
    """What is found in one article, with its line."""
    assert found(_DOCS, {"c/a.md": article}) == expected


def _page(settings: str) -> str:
    return f"{CLEAN}- {{name: p, path: /p, {settings}}}\n"


def _robots(group: str) -> str:
    return f"robots: {{groups: [{group}]}}\n"


_ELSEWHERE = "- {name: q, path: /q, meta: {canonical: 'https://o.example/'}}\n"
_SITES = [
    (["title-missing app.yaml:5"], _page("meta: {description: D}")),
    (["description-missing app.yaml:5"], _page("meta: {title: T}")),
    (["title-long app.yaml:5"], _page(f"meta: {{title: {'x' * 121}, description: D}}")),
    ([], _page("meta: {noindex: true}")),
    (["address-collision app.yaml:6"], f"{_page(HEAD)}- {{name: q, path: /p, {HEAD}}}\n"),
    (["address-too-long app.yaml:5"], _page(HEAD).replace("/p", f"/{'x' * 2048}")),
    (["no-origin app.yaml:1"], _TWO + CLEAN),
    (["redirect-nowhere app.yaml:5"], _page("access: {require: [member], redirectTo: /in}")),
    (["redirect-restricted app.yaml:5"], _page("access: {require: [member], redirectTo: /p}")),
    ([], _page("access: {require: [member], redirectTo: '/?from=p'}")),
    (["hreflang-unknown app.yaml:5"], _page("meta: {title: T, description: D, lang: en-UK}")),
    (["component-skipped app.yaml:5"], _page(f"{HEAD}, components: [{{type: text}}, {{type: form}}]")),
    (["noindex-disallowed app.yaml:6"], _page(_HIDDEN) + _robots("{userAgents: '*', disallow: [/p]}")),
    (["noindex-disallowed app.yaml:6"], _page(_HIDDEN) + _robots("{userAgents: Bingbot, disallow: [/p]}")),
    ([], _page(_HIDDEN) + _robots("{userAgents: Bingbot, disallow: [/]}")),
    ([], _page(_HIDDEN) + _robots("{userAgents: xBot, disallow: [/p]}")),
    ([], f"{CLEAN}- {{name: p, path: /_p}}\n"),
    (["robots-too-large app.yaml:5"], CLEAN + _robots(f"{{userAgents: '*', disallow: [/{'x' * 520_000}]}}")),
    (["canonical-chain app.yaml:5"], _page("meta: {canonical: /q}") + _ELSEWHERE),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "app"), _SITES, ids=[str(n) for n in range(len(_SITES))])
def test_a_configuration(expected: list[str], app: str) -> None:
    """What is found in a configuration, with its line."""
    base_url = None if "no-origin" in str(expected) else "https://example.com"
    assert found(app, base_url=base_url) == expected


@pytest.mark.parametrize(
    ("permissions", "reason"),
    [("{}", "declares no"), ("{inherit: t}", "from itself"), ("{inherit: u}", "`u`, which is not declared")],
)
def test_a_table_that_no_one_may_read(permissions: str, reason: str) -> None:
    """A public collection page without any record is a hint that says why."""
    table = f"{{name: t, permissions: {permissions}, fields: [{{name: s, type: text}}]}}"
    app = f"name: A\ndescription: D.\ntables: [{table}]\n"
    app += f"pages:\n- {{name: p, path: '/p/:s', {HEAD}, collection: {{table: t, slugField: s}}}}\n"
    (problem,) = [problem for problem in problems_of(app) if problem.id == "collection-unreadable"]
    assert problem.severity is Severity.HINT
    assert reason in problem.message


def test_files_that_replace_derived_ones() -> None:
    """Each is a hint at the file; any other file of the owner's is none."""
    files = {"public/robots.txt": "User-agent: *\nAllow: /\n", "public/llms.txt": "x", "public/a.txt": "x"}
    assert found(CLEAN, files) == ["file-replaces public/robots.txt:0", "file-replaces public/llms.txt:0"]


def test_a_rule_of_the_owners_own_robots_has_its_line() -> None:
    """The owner's robots.txt is read as robots read it."""
    robots = "\ufeffUser-agent: *\r\nAllow: /\r\nDisallow: /p\r\n"
    expected = ["noindex-disallowed public/robots.txt:3", "file-replaces public/robots.txt:0"]
    assert found(_page("meta: {noindex: true}"), {"public/robots.txt": robots}) == expected


def test_one_date_on_every_article() -> None:
    """Five articles that all changed within two minutes tell of a copy; four do not, nor two dates."""
    files = {f"c/{n}.md": _FRONT for n in range(5)}
    assert found(_DOCS, files) == ["dates-equal c/0.md:1"]
    assert found(_DOCS, dict(list(files.items())[:4])) == []
    dated = _FRONT.replace("description", "updated: 2024-01-01\ndescription")
    assert found(_DOCS, {**files, "c/4.md": dated}) == []


def test_a_hole_in_a_cluster_is_told_once_for_a_page() -> None:
    """Articles that exist in all languages but one are counted; those with two missing are not."""
    page = f"{_THREE}{CLEAN}- name: d\n  path: /d/:s\n  {HEAD}\n  contentDir:\n    directory: 'c/{{lang}}'\n"
    names = [
        ("a", "en"),
        ("a", "fr"),
        ("b", "en"),
        ("b", "fr"),
        ("b", "de"),
        ("c", "en"),
        ("d", "de"),
        ("d", "en"),
    ]
    problems = problems_of(page, {f"c/{code}/{name}.md": f"{_FRONT}{name}\n" for name, code in names})
    holes = {
        problem.message: problem.place.line for problem in problems if problem.id == "translation-missing"
    }
    assert holes == {
        "1 article of page `d` exists in every language but de; /en/d/a is one": 10,
        "1 article of page `d` exists in every language but fr; /en/d/d is one": 10,
    }


@pytest.mark.slow
@pytest.mark.skipif(not REAL_SITES.is_dir(), reason="the real sites stand beside a checkout, if anywhere")
def test_real_sites_have_no_error() -> None:
    """No site that other people run is told to be certainly broken."""
    for folder in sorted(path for path in REAL_SITES.iterdir() if path.is_dir()):
        code = main(["check", str(folder)])
        assert code == 0, folder.name


# The registry


def test_every_finding_has_a_kind() -> None:
    """Each id that the code reports stands in the registry, and each there is reported somewhere."""
    used: set[str] = set()
    for folder in (
        "shared/fingerpost/site",
        "shared/fingerpost/catalogue",
        "infra/fingerpost_tools/checking",
    ):
        for file in (_ROOT / folder).glob("*.py"):
            if file.name != "kinds.py":
                used |= set(_ids_in(ast.parse(file.read_text())))
    known = set(KINDS) - {"title-long", "description-long"}  # put together from two words
    assert known <= used
    reported = set(re.findall(r'\.(?:error|warning)\(\s*"([a-z-]+)"', _source("shared/fingerpost/site")))
    assert reported <= set(KINDS)


def _ids_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in KINDS:
            yield node.value


def _source(folder: str) -> str:
    return "".join(file.read_text() for file in (_ROOT / folder).glob("*.py"))


def test_advice_is_one_sentence() -> None:
    """Each kind says what to do, in one sentence, and can be an error, a warning or a hint."""
    for name, kind in KINDS.items():
        assert re.fullmatch(r"[A-Z].*[A-Za-z0-9`)]\.", kind.advice), name
        assert ". " not in kind.advice.replace(".co", ""), name
        assert list(kind.severities) == sorted(kind.severities, key=list(Severity).index), name


def test_the_documentation_lists_every_kind() -> None:
    """The table in infra/README.md is the registry: ids, severities and advice, in its order."""
    document = (_ROOT / "infra/README.md").read_text(encoding="utf-8")
    table = document.split("### fingerpost check\n")[1].split("| finding |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| ([a-z, ]+) \| (.+) \|$", table, re.MULTILINE)
    assert rows == [(name, ", ".join(kind.severities), kind.advice) for name, kind in KINDS.items()]


# The command


def _site(folder: Path, app: str, **files: str) -> str:
    (folder / "app.yaml").write_text(app, encoding="utf-8")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return str(folder)


def test_strict_fails_on_warnings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Warnings alone are exit code 0, and 1 with --strict; hints never fail."""
    warned = _site(tmp_path, _page("meta: {description: D}"))
    assert main(["check", warned]) == 0
    assert main(["check", warned, "--strict"]) == 1
    hinted = _site(tmp_path, _page("meta: {title: T}"))
    assert main(["check", hinted, "--strict"]) == 0
    assert capsys.readouterr().out.endswith("1 hint\n")


def test_advice_stands_below_the_first_of_a_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line of advice however many findings, and the id at the end of each line."""
    pages = "".join(f"- {{name: p{n}, path: /p{n}, meta: {{title: T}}}}\n" for n in range(3))
    assert main(["check", _site(tmp_path, CLEAN + pages)]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.endswith(" [description-missing]") for line in shown] == [True, False, True, True, False]
    assert shown[1] == f"  {KINDS['description-missing'].advice}"


def test_many_of_a_kind_are_counted() -> None:
    """Beyond ten warnings of a kind the rest is a number, and JSON has them all; errors are always listed."""
    links = "".join(f"[x{n}](nowhere{n}) " for n in range(14))
    problems = problems_of(_DOCS, {"c/a.md": f"{_FRONT}{links}\n"})
    shown = list(lines(problems))
    assert sum("[link-dead]" in line for line in shown) == 10
    assert shown[-2] == "  and 4 more of link-dead; --format json lists them all"
    broken = problems_of("name: A\npages: [" + "{name: x}, " * 14 + "]\n")
    assert sum("[missing]" in line for line in lines(broken)) == 14


def test_json_has_advice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--format json` and `--json` are one, and each problem has its advice."""
    site = _site(tmp_path, _page("meta: {title: T}"))
    assert main(["check", site, "--format", "json"]) == 0
    written = capsys.readouterr().out
    assert main(["check", site, "--json"]) == 0
    assert written == capsys.readouterr().out
    (problem,) = json.loads(written)["problems"]
    assert problem["advice"] == KINDS["description-missing"].advice


def test_sarif_is_what_code_review_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """SARIF 2.1.0: one run, rules by index, levels, and files relative to where the command was given."""
    (tmp_path / "my site").mkdir()
    _site(tmp_path / "my site", _page("meta: {title: T}, access: 3"))
    monkeypatch.chdir(tmp_path)
    assert main(["check", "my site", "--format", "sarif"]) == 1
    log = json.loads(capsys.readouterr().out)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "wrong-type"
    assert result["level"] == "error"
    assert result["message"]["text"].startswith("expected ")
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "my%20site/app.yaml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 5},
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "pages[1].access"}]
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"{tmp_path.as_uri()}/"


def test_sarif_of_a_site_elsewhere_is_relative_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A site that is not below the working directory is its own root; a clean one has no result."""
    (tmp_path / "site").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    _site(tmp_path / "site", CLEAN)
    assert main(["check", "../site", "--format", "sarif"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["results"] == run["tool"]["driver"]["rules"] == []
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"{(tmp_path / 'site').as_uri()}/"


@pytest.mark.parametrize("command", ["check", "explain"])
def test_a_base_url_that_is_none_is_exit_code_2(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--base-url` wants an origin."""
    assert main([command, str(places.demo()), "--base-url", "ftp://x"]) == 2
    assert "--base-url: expected an http or https address" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "target"), [("check", []), ("explain", ["posts:1"])], ids=["check", "explain"]
)
def test_a_database_that_does_not_answer_is_exit_code_2(
    command: str, target: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says which database, and why."""
    url = "postgresql://me@127.0.0.1:1/x"
    assert main([command, str(places.demo()), *target, "--database-url", url]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "could not be reached" in err


def test_a_database_url_that_is_none_is_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where the site has no records, which nobody would ask for."""
    assert main(["check", _site(tmp_path, CLEAN), "--database-url", "mysql://me:secret@host/x"]) == 2
    err = capsys.readouterr().err
    assert "expected it to begin with postgresql://" in err
    assert "secret" not in err
