"""References: a configuration in many files, joined where an object says `$ref: ./config/x.yaml`.

Files are read level by level, all of one level in one call, so that a store can read them in parallel.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode

from fingerpost.limits import YAML_DEPTH
from fingerpost.site.problems import Place, Problems
from fingerpost.site.yaml12 import broken, compose, decode, place
from fingerpost.values import dataclass

Read = Callable[[Iterable[str]], Mapping[str, bytes]]
"""Keys of a site's files -> the bytes of those that exist."""

_KEY = "$ref"
_SUFFIXES = (".yaml", ".yml", ".json")
# JSON escapes a character beyond U+FFFF as two (RFC 8259 7); YAML, which reads JSON otherwise, as one.
_PAIR = re.compile(r"((?<!\\)(?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")


@dataclass(slots=True)
class _Slot:
    """A `$ref` object: the collection it stands in, where in it, the file it names, and its own place."""

    holder: Any
    index: int
    target: str | None  # None where it leaves the site
    place: Place
    node: MappingNode

    def fill(self, node: Node) -> None:
        old = self.holder[self.index]
        self.holder[self.index] = (old[0], node) if isinstance(old, tuple) else node


@dataclass(slots=True)
class _File:
    """One file: its root and its references. The root stands in a list, so that a reference can be filled in
    there too; the list is empty where the file is no YAML."""

    root: list[Node]
    slots: list[_Slot] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Joined:
    """A configuration whose references are filled in. `root` is None where the first file is missing
    or no YAML; `files` are the keys of all that were read, the first one first."""

    root: Node | None
    files: tuple[str, ...]


def join(first: str, read: Read, problems: Problems) -> Joined:
    """Read `first` and everything it reaches. Each reference to a file that is missing, lies outside the
    site, can't be read or closes a cycle is a problem at its place, and its value stays broken."""
    files: dict[str, _File] = {}
    wanted = {first: ""}  # key -> the config path it was first reached at
    asked: set[str] = set()
    while wanted:
        asked.update(wanted)
        bodies = read(tuple(wanted))
        reached: dict[str, str] = {}
        for key, path in wanted.items():
            if key not in bodies:
                continue
            files[key] = _open(key, bodies[key], path, problems)
            for slot in files[key].slots:
                if slot.target is not None and slot.target not in asked:
                    reached.setdefault(slot.target, slot.place.path)
        wanted = reached
    if first not in files:
        return Joined(None, ())
    _fill(first, files, [], set(), problems)
    root = files[first].root
    return Joined(root[0] if root else None, tuple(files))


def _open(key: str, body: bytes, path: str, problems: Problems) -> _File:
    text = decode(body, key, problems)
    if text is not None and key.endswith(".json"):
        text = _PAIR.sub(_as_yaml, text)
    node = None if text is None else compose(text, key, problems)
    if node is None:
        return _File([])
    file = _File([node])
    if _KEY in (text or ""):
        file.slots.extend(_slots(key, file.root, path, problems))
    return file


def _as_yaml(pair: re.Match[str]) -> str:
    before, high, low = pair.groups()
    return f"{before}\\U{0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00:08X}"


def _slots(file: str, root: list[Node], path: str, problems: Problems) -> Iterator[_Slot]:
    """The references below `root`, in the file's order. Aliased collections are visited once."""
    pending: list[tuple[Any, int, Node, str]] = [(root, 0, root[0], path)]
    seen: set[int] = set()
    while pending:
        holder, index, node, inner = pending.pop()
        if isinstance(node, MappingNode) and (named := _named_file(node, inner, problems)) is not None:
            target = _resolve(file, named)
            if target is None:
                problems.error(
                    "ref-outside",
                    place(node, inner),
                    f"expected a file of the site, found `{named}`, which leaves it",
                )
            yield _Slot(holder, index, target, place(node, inner), node)
        elif not isinstance(node, ScalarNode) and id(node) not in seen:
            seen.add(id(node))
            pending.extend(reversed(list(_children(node, inner))))


def _children(node: Node, path: str) -> Iterator[tuple[Any, int, Node, str]]:
    for index, child in enumerate(node.value):
        if isinstance(child, tuple):
            key, value = child
            yield node.value, index, value, f"{path}.{key.value}" if path else str(key.value)
        else:
            yield node.value, index, child, f"{path}[{index}]"


def _named_file(node: MappingNode, path: str, problems: Problems) -> str | None:
    """The file that an object refers to, None where it is no reference to a file.

    `$ref: "#/components/hero"` and `$ref: hero` name a template of the same configuration.
    """
    named = next((value for key, value in node.value if key.value == _KEY), None)
    if not isinstance(named, ScalarNode):
        return None
    text = str(named.value)
    if not (text.startswith(("./", "../", "/")) or text.endswith(_SUFFIXES)):
        return None
    if len(node.value) > 1:
        problems.warning(
            "ref-beside-keys",
            place(node, path),
            f"expected `$ref` alone, found keys beside it; `{text}` is not read",
        )
        return None
    return text


def _resolve(file: str, named: str) -> str | None:
    """The key that `named` means in `file`, None where it leaves the site."""
    if named.startswith("/") or "://" in named:
        return None
    parts = file.split("/")[:-1]
    for part in named.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _fill(key: str, files: Mapping[str, _File], chain: list[str], done: set[str], problems: Problems) -> None:
    """Put each file where it is referred to, the innermost first."""
    chain.append(key)
    for slot in files[key].slots:
        slot.fill(broken(slot.node))
        if slot.target is None:
            continue
        if slot.target in chain:
            circle = " -> ".join([*chain[chain.index(slot.target) :], slot.target])
            problems.error(
                "ref-cycle", slot.place, f"expected files that end somewhere, found the cycle {circle}"
            )
        elif len(chain) > YAML_DEPTH:
            problems.error("too-deep", slot.place, f"expected at most {YAML_DEPTH} nested files, found more")
        elif slot.target not in files:
            problems.error("ref-missing", slot.place, f"expected the file {slot.target}, found nothing there")
        else:
            if slot.target not in done:
                _fill(slot.target, files, chain, done, problems)
            for root in files[slot.target].root:
                slot.fill(root)
    done.add(key)
    chain.pop()
