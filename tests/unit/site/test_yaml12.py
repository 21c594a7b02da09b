"""YAML 1.2: composing, checking and typing."""

import itertools
import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.limits import YAML_DEPTH, YAML_VALUES
from fingerpost.site import yaml12
from fingerpost.site.problems import Place, Problem, Problems


@pytest.fixture(params=["libyaml", "python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs on libyaml's parser and on the one in Python."""
    if request.param == "libyaml":
        assert yaml.__with_libyaml__
    else:
        monkeypatch.setattr(yaml12, "_Composer", yaml12._composer(yaml.SafeLoader))


def read(text: str) -> tuple[object, list[Problem]]:
    problems = Problems()
    node = yaml12.compose(text, "app.yaml", problems)
    return (None if node is None else yaml12.plain(yaml12.verify(node, problems))), problems.found


def typed(text: str) -> object:
    problems = Problems()
    node = yaml12.compose(text, "app.yaml", problems)
    assert node is not None
    return yaml12.json_typed(yaml12.verify(node, problems))


def fault(text: str) -> tuple[str, Place]:
    _, problems = read(text)
    assert len(problems) == 1
    return problems[0].id, problems[0].place


def test_plain_scalars_of_yaml_11_are_text() -> None:
    """What YAML 1.1 takes for booleans, sexagesimals and dates is text (case 18)."""
    value, problems = read(
        "{code: no, tags: [on, yes, Off, y], time: 10:30, day: 2024-01-01, n: 1.10, s: 0123, u: 1_000}"
    )
    assert value == {
        "code": "no",
        "tags": ["on", "yes", "Off", "y"],
        "time": "10:30",
        "day": "2024-01-01",
        "n": "1.10",
        "s": "0123",
        "u": "1_000",
    }
    assert problems == []


def test_booleans_and_null() -> None:
    """The core schema's booleans and nulls are typed when plain, and text when quoted."""
    value, _ = read("[true, True, FALSE, 'true', ~, null, NULL, '', 'null', nUll, !!str true, !!bool true]")
    assert value == [True, True, False, "true", None, None, None, "", "null", "nUll", "true", True]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12", 12), ("-12", -12), ("+12", 12), ("0o17", 15), ("0xFF", 255), ("0123", 123), ("1.10", 1.1),
        (".5", 0.5), ("1.", 1.0), ("1e3", 1000.0), ("-.5E-1", -0.05), ("1_000", "1_000"), ("0b1", "0b1"),
        (".inf", ".inf"), (".nan", ".nan"), ("1e999", "1e999"), ("'12'", "12"), ("1:30", "1:30"),
        ("9" * 5000, "9" * 5000),
    ],
)  # fmt: skip
def test_json_types(written: str, value: object) -> None:
    """Numbers take the core schema's forms, and nothing that JSON lacks becomes one."""
    assert typed(f"a: [{written}]") == {"a": [value]}


def test_empty_text_is_null() -> None:
    """A file that says nothing is null and no fault."""
    assert read("# nothing\n") == (None, [])


def test_crlf_and_nel() -> None:
    """CRLF lines are lines, and block texts keep what they say."""
    assert read("a: 1\r\nb: |\r\n  x\r\n  y\r\n") == ({"a": "1", "b": "x\ny\n"}, [])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: [", 3),
        ("a: b: c", 1),
        ("a: 1\n---\nb: 2", 2),
        ("\ta: 1", 1),
        ("a: *nowhere", 1),
        ("a: 1\nb: \x00", 2),
        ("a: 1\nb: \x01", 2),
        ("a: \ud800", 1),
        ('a: "\\UDEADBEEF"', None),
    ],
)
def test_faults_name_their_line(text: str, line: int | None) -> None:
    """Text that is not YAML is one problem at the line that is at fault."""
    kind, place = fault(text)
    assert (kind, place.file) == ("yaml", "app.yaml")
    if line == 3:
        assert place.line in (2, 3)  # the parsers disagree on whether the end of the text is a line
    elif line is not None:
        assert place.line == line


def test_nul_written_as_an_escape() -> None:
    """A NUL that an escape writes is a problem at its path."""
    assert fault('a:\n  b: "x\\0y"') == ("bad-character", Place("app.yaml", 2, "a.b"))


def test_a_lone_surrogate_never_passes() -> None:
    """A surrogate that an escape writes is a problem, in both parsers."""
    _, problems = read('a: "\\ud800"')
    assert [problem.id for problem in problems] in (["yaml"], ["bad-character"])


def test_duplicate_keys() -> None:
    """A key that stands twice is a problem at the second one, and the first one's line is told."""
    _, problems = read("a:\n  b: 1\n  'b': 2\n")
    assert [(p.id, p.place) for p in problems] == [("duplicate-key", Place("app.yaml", 3, "a.b"))]
    assert "line 2" in problems[0].message


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("? [a]\n: b", "wrong-type"),
        ("a: &x {b: 1}\nc:\n  <<: *x", "merge-key"),
        ("a: !!python/object:os.system x", "unknown-tag"),
        ("a: !!timestamp 2024-01-01", "unknown-tag"),
        ("a: !!set {b}", "unknown-tag"),
        ("a: &x [*x]", "alias-cycle"),
        ("&x {a: {b: *x}}", "alias-cycle"),
    ],
)
def test_what_yaml_12_or_no_reader_can_take(text: str, id: str) -> None:  # noqa: A002
    """Foreign tags, merge keys, keys that are no text and values that hold themselves are problems."""
    assert fault(text)[0] == id


def test_a_quoted_merge_key_is_a_key() -> None:
    """A key that is the text `<<` is a key like any other."""
    assert read("'<<': 1") == ({"<<": "1"}, [])


def test_aliases_are_values() -> None:
    """An alias is its anchor's value, as often as it is used."""
    assert read("a: &x {b: 1}\nc: *x\nd: [*x]") == ({"a": {"b": "1"}, "c": {"b": "1"}, "d": [{"b": "1"}]}, [])


def test_alias_bomb() -> None:
    """Aliases that would come to billions of values are cut off, soon and by name."""
    names = "abcdefghijkl"
    lines = ["a: &a [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"{b}: &{b} [{','.join([f'*{a}'] * 10)}]" for a, b in itertools.pairwise(names)]
    value, problems = read("\n".join(lines))
    assert {problem.id for problem in problems} == {"too-large"}
    assert str(YAML_VALUES) in problems[0].message
    assert isinstance(value, dict | None)


@pytest.mark.parametrize("unit", ["[", "- ", "{a: "])
def test_nesting_is_bounded(unit: str) -> None:
    """Collections nested without end are a problem, never an overflow of the stack."""
    value, problems = read(unit * 50_000)
    assert value is None
    assert [problem.id for problem in problems] in (["too-deep"], ["yaml"])


def test_ordinary_nesting_is_not() -> None:
    """Nesting up to the bound is read."""
    assert read("[" * YAML_DEPTH + "]" * YAML_DEPTH)[1] == []


def test_nesting_by_aliases_is_bounded() -> None:
    """Levels that aliases add up to are counted too."""
    lines = ["a0: &a0 [x]"]
    lines += [f"a{n}: &a{n} {'[' * 150}*a{n - 1}{']' * 150}" for n in range(1, 50)]
    value, problems = read("\n".join(lines))
    assert {problem.id for problem in problems} == {"too-deep"}
    assert isinstance(value, dict)


SCALARS = st.one_of(st.none(), st.booleans(), st.text(st.characters(codec="utf-8"), max_size=8))
KEYS = st.text("abc.é", min_size=1, max_size=3)


@given(
    st.recursive(
        SCALARS,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
        max_leaves=12,
    )
)
def test_json_is_read_as_what_it_says(value: object) -> None:
    """JSON is YAML 1.2: it is read back, or refused by name for an escape that holds half a character."""
    found, problems = read(json.dumps(value, ensure_ascii=False))
    if problems:
        assert {problem.id for problem in problems} <= {"yaml", "bad-character"}
    else:
        assert found == value


def test_old_line_ends_are_characters() -> None:
    """U+0085, U+2028 and U+2029 end lines in YAML 1.1 and are ordinary characters in 1.2 (5.4)."""
    found, problems = read('quoted: "a\u2028b\u2029c\x85d"\nplain: a\u2028b\n')
    assert found == {"quoted": "a\u2028b\u2029c\x85d", "plain": "a\u2028b"}
    assert list(problems) == []


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text makes the reader raise."""
    read(text)
    read(f"{{a: {text}}}")


@given(st.binary())
def test_any_bytes_are_decoded_or_refused(body: bytes) -> None:
    """No bytes make the decoder raise, and what is not UTF-8 is named with its line."""
    problems = Problems()
    text = yaml12.decode(body, "a.md", problems)
    assert (text is None) == bool(problems.errors)


def test_not_utf8_names_line_and_byte() -> None:
    """A Latin-1 file is a problem at the line of the byte that is not UTF-8 (case 20)."""
    problems = Problems()
    assert yaml12.decode(b"a: 1\nb: caf\xe9\n", "a.md", problems) is None
    assert str(problems.errors[0]) == "a.md:2: error: expected UTF-8 text, found byte 0xE9"
