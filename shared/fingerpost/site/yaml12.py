"""YAML 1.2: a text as composed nodes, each with its file and line, checked for what no reader could bear.

PyYAML resolves plain scalars by YAML 1.1 (`no` is false, `10:30` is 630). Here scalars stay as written
and are typed by the core schema (YAML 1.2.2, 10.3) only where a type is asked for.
"""

import io
import re
from typing import Any, Final, NamedTuple

import yaml
from yaml.error import Mark
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from fingerpost.limits import YAML_DEPTH, YAML_VALUES
from fingerpost.site.problems import Place, Problems

PLAIN: Final = "plain"  # an untagged plain scalar: typed by the core schema
TEXT: Final = "tag:yaml.org,2002:str"
BROKEN: Final = "broken"  # stands where a value could not be read; its problem is already told
_TAGS: Final = frozenset({PLAIN, TEXT, BROKEN, *(f"tag:yaml.org,2002:{name}" for name in ("map", "seq"))})
# The core schema's other tags ask for a type that the scalar's own form must have anyway.
_TYPED: Final = frozenset(f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float"))

# YAML 1.2.2 5.1, c-printable.
_UNPRINTABLE: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Line ends of YAML 1.1 that are ordinary characters in 1.2 (5.4); PyYAML would fold them into spaces and
# count them as lines. They travel as private characters that the text does not use.
_OLD_BREAKS: Final = "\x85\u2028\u2029"
_PRIVATE: Final = range(0xF0000, 0xFFFFE)
# What an escape may write but no document of ours could hold.
_UNBEARABLE: Final = re.compile("[\x00\ud800-\udfff]")

_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS: Final = {
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False
}  # fmt: skip
INTEGER: Final = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


class _Source(io.BytesIO):
    """Bytes with a name, which PyYAML copies into every mark."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text.encode())
        self.name = name


class _TooDeep(yaml.YAMLError):
    """Collections nest deeper than YAML_DEPTH."""


def _composer(base: Any) -> Any:
    """A composer on top of one of PyYAML's loaders that keeps scalars as written and bounds the nesting.

    The C parser calls itself for every level, so the bound also keeps it from running out of stack.
    """

    class Composer(base):  # type: ignore[misc]
        depth = 0

        def descend_resolver(self, parent: Node, index: object) -> None:
            self.depth += 1
            if self.depth > YAML_DEPTH:
                raise _TooDeep

        def ascend_resolver(self) -> None:
            self.depth -= 1

        def resolve(self, kind: type[Node], value: str | None, implicit: Any) -> str:
            if kind is ScalarNode:
                return PLAIN if implicit[0] else TEXT
            return "tag:yaml.org,2002:map" if kind is MappingNode else "tag:yaml.org,2002:seq"

    return Composer


# libyaml's parser is some twenty times faster; wheels without it exist.
_Composer = _composer(getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def place(node: Node, path: str = "") -> Place:
    """Where a node begins."""
    return Place(node.start_mark.name, node.start_mark.line + 1, path)


def broken(like: Node) -> ScalarNode:
    """A stand-in for a value whose problem is already told."""
    return ScalarNode(BROKEN, "", like.start_mark, like.end_mark)


def decode(body: bytes, file: str, problems: Problems) -> str | None:
    """The text of a UTF-8 file without its byte order mark; None and a problem where it is not UTF-8."""
    try:
        return body.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{body[error.start]:02X}"
        problems.error("not-utf8", Place(file, line), f"expected UTF-8 text, found {found}")
        return None


def compose(text: str, file: str, problems: Problems) -> Node | None:
    """The one document in `text`, null where it is empty; None and a problem where it is not YAML.

    Nodes are not yet safe to walk: aliases may make them recursive. See `verify`.
    """
    unprintable = _UNPRINTABLE.search(text)
    if unprintable is not None:
        line = text.count("\n", 0, unprintable.start()) + 1
        found = f"U+{ord(unprintable[0]):04X}"
        problems.error("yaml", Place(file, line), f"expected characters that YAML allows, found {found}")
        return None
    stand_ins = _stand_ins(text)
    try:
        parser = _Composer(_Source(text.translate(stand_ins) if stand_ins else text, file))
        try:
            node: Node | None = parser.get_single_node()
        finally:
            parser.dispose()
    except _TooDeep:
        problems.error("too-deep", Place(file), f"expected at most {YAML_DEPTH} nested levels, found more")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else 0
        found = ", ".join(part for part in (error.context, error.problem) if part)
        problems.error("yaml", Place(file, line), f"expected YAML, found a fault {found}")
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The Python parser lets `chr()` refuse an escape such as \UDEADBEEF.
        problems.error("yaml", Place(file), f"expected YAML, found a fault: {error}")
    else:
        if node is not None:
            if stand_ins:
                _restore(node, {ord(stand_in): original for original, stand_in in stand_ins.items()})
            return node
        start = Mark(file, 0, 0, 0, None, 0)
        return ScalarNode(PLAIN, "", start, start)
    return None


def _stand_ins(text: str) -> dict[int, str]:
    """For each old line end in `text`, a character that stands for it while it is parsed."""
    present = [ord(character) for character in _OLD_BREAKS if character in text]
    unused = (chr(code) for code in _PRIVATE if chr(code) not in text)
    return dict(zip(present, unused, strict=False)) if present else {}


def _restore(root: Node, originals: dict[int, int]) -> None:
    """Give every scalar its own characters back. Aliases may make nodes recursive: each is visited once."""
    waiting: list[Node] = [root]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, ScalarNode):
            node.value = node.value.translate(originals)
        elif isinstance(node, SequenceNode):
            waiting.extend(node.value)
        elif isinstance(node, MappingNode):
            waiting.extend(part for pair in node.value for part in pair)


def verify(root: Node, problems: Problems) -> Node:
    """Report duplicate and non-text keys, merge keys, foreign tags, NUL and surrogates; cut off what would
    not end: recursive aliases, too many levels, too many values. The result is safe to walk."""
    verifier = _Verifier(problems)
    return broken(root) if verifier.walk(root, "", 0) is None else root


class _Size(NamedTuple):
    """How many values a node comes to, and how many levels, with its aliases written out."""

    values: int = 1
    levels: int = 1


class _Verifier:
    """One walk. Every node is visited once, however many aliases lead to it."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.open: set[int] = set()
        self.sizes: dict[int, _Size | None] = {}

    def walk(self, node: Node, path: str, depth: int) -> _Size | None:
        """The size of a node; None where it must be cut off."""
        if isinstance(node, ScalarNode):
            self.check_scalar(node, path)
            return _Size()
        if id(node) in self.open:
            message = "expected a value, found one that holds itself"
            self.problems.error("alias-cycle", place(node, path), message)
            return None
        known = id(node) in self.sizes
        size = self.sizes[id(node)] if known else self.measure(node, path, depth)
        if size is not None and depth + size.levels > YAML_DEPTH:
            message = f"expected at most {YAML_DEPTH} nested levels, found more"
            self.problems.error("too-deep", place(node, path), message)
            size = None
        if not known:
            self.sizes[id(node)] = size
        return size

    def measure(self, node: Node, path: str, depth: int) -> _Size | None:
        """The size of a collection that is visited for the first time."""
        if depth > YAML_DEPTH:
            return _Size()
        self.check_tag(node, path)
        self.open.add(id(node))
        children = self.members(node, path, depth)
        self.open.remove(id(node))
        values = 1 + sum(child.values for child in children)
        if values > YAML_VALUES:
            message = f"expected at most {YAML_VALUES} values, found {values}"
            self.problems.error("too-large", place(node, path), message)
            return None
        return _Size(values, 1 + max((child.levels for child in children), default=0))

    def members(self, node: Node, path: str, depth: int) -> list[_Size]:
        """The sizes of a collection's members. What must be cut off is replaced by a stand-in."""
        sizes = []
        keys: dict[str, int] = {}
        for index, member in enumerate(node.value):
            key, value = member if isinstance(member, tuple) else (None, member)
            inner = f"{path}[{index}]" if key is None else self.check_key(key, path, keys)
            size = self.walk(value, inner, depth + 1)
            if size is None:
                node.value[index] = broken(value) if key is None else (key, broken(value))
            sizes.append(size or _Size())
            if key is not None and not isinstance(key, ScalarNode):
                node.value[index] = (broken(key), node.value[index][1])
        return sizes

    def check_key(self, key: Node, path: str, keys: dict[str, int]) -> str:
        """The config path of a key's value; `keys` are those seen before in its mapping, with their lines."""
        if not isinstance(key, ScalarNode):
            self.problems.error("wrong-type", place(key, path), "expected text as a key, found a collection")
            return path
        inner = f"{path}.{key.value}" if path else str(key.value)
        if key.value in keys:
            message = f"expected each key once, found `{key.value}` again (first on line {keys[key.value]})"
            self.problems.error("duplicate-key", place(key, inner), message)
        keys.setdefault(key.value, key.start_mark.line + 1)
        if key.value == "<<" and key.tag == PLAIN:
            message = "expected the keys themselves, found `<<`, which YAML 1.2 lacks"
            self.problems.error("merge-key", place(key, inner), message)
        self.check_scalar(key, inner)
        return inner

    def check_scalar(self, node: ScalarNode, path: str) -> None:
        self.check_tag(node, path)
        unbearable = _UNBEARABLE.search(node.value)
        if unbearable is not None:
            found = f"U+{ord(unbearable[0]):04X}"
            self.problems.error("bad-character", place(node, path), f"expected characters, found {found}")

    def check_tag(self, node: Node, path: str) -> None:
        if node.tag in _TAGS:
            return
        if node.tag not in _TYPED or not isinstance(node, ScalarNode):
            self.problems.error("unknown-tag", place(node, path), f"expected no tag, found {node.tag}")
            node.tag = TEXT
        else:
            node.tag = PLAIN


def is_null(node: Node) -> bool:
    """Whether a node is null, in any of the core schema's spellings."""
    return node.tag == PLAIN and isinstance(node, ScalarNode) and node.value in _NULLS


def boolean_of(node: Node) -> bool | None:
    """The boolean that a node is by the core schema, None where it is none."""
    return _BOOLEANS.get(node.value) if node.tag == PLAIN and isinstance(node, ScalarNode) else None


def integer_of(node: Node) -> int | None:
    """The integer that a node is by the core schema, None where it is none or has hundreds of digits."""
    if node.tag != PLAIN or not INTEGER.fullmatch(node.value) or len(node.value) > 300:
        return None
    return int(node.value, 0) if node.value[:2] in ("0o", "0x") else int(node.value)


def float_of(node: Node) -> float | None:
    """The finite number that a node is by the core schema, None where it is none."""
    if node.tag != PLAIN or not FLOAT.fullmatch(node.value):
        return None
    number = float(node.value)
    return number if abs(number) != float("inf") else None


def plain(node: Node) -> Any:
    """A node as plain data: dicts, lists, texts as written, True, False, and None for null."""
    if isinstance(node, MappingNode):
        return {key.value: plain(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.value]
    if is_null(node) or node.tag == BROKEN:
        return None
    boolean = boolean_of(node)
    return node.value if boolean is None else boolean


def json_typed(node: Node) -> Any:
    """A node as JSON holds it, typed by the core schema; a number that JSON lacks (`.inf`) stays text."""
    if isinstance(node, MappingNode):
        return {key.value: json_typed(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [json_typed(item) for item in node.value]
    if is_null(node) or node.tag == BROKEN:
        return None
    typed = (read(node) for read in (boolean_of, integer_of, float_of))
    return next((value for value in typed if value is not None), node.value)
