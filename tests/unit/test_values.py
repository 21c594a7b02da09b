"""A quick dataclass is a dataclass: whatever can be told of it from outside is as with the standard one."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, FrozenInstanceError, field, fields, replace
from threading import Barrier
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.values import dataclass

Make = Callable[[], type]


def _standard() -> type:
    @dataclasses.dataclass(frozen=True, slots=True)
    class Thing:
        """A thing."""

        name: str
        size: int = 3
        parts: list[str] = field(default_factory=list)

        @property
        def label(self) -> str:
            return f"{self.name}:{self.size}"

    return Thing


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing."""

    name: str
    size: int = 3
    parts: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        return f"{self.name}:{self.size}"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two values that can be hashed."""

    left: Any
    right: Any = None


ARGUMENTS = st.tuples(st.text(), st.integers(), st.lists(st.text()))


@given(ARGUMENTS, ARGUMENTS)
def test_it_compares_and_shows_itself_alike(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    """Equality, text and properties are those of the standard class with the same fields."""
    standard = _standard()
    assert (Thing(*one) == Thing(*other)) is (standard(*one) == standard(*other))
    assert repr(standard(*one)).endswith(repr(Thing(*one)))
    assert Thing(*one).label == standard(*one).label
    assert Thing(*one) != standard(*one)


@given(st.tuples(st.text(), st.integers()))
def test_equal_values_hash_alike(one: tuple[Any, ...]) -> None:
    """Equal values are one key; a value that holds a list can't be a key."""
    assert {Pair(*one): 1}[Pair(*one)] == 1
    with pytest.raises(TypeError):
        hash(Thing("a"))


def test_arguments_are_those_of_the_fields() -> None:
    """Fields are given by place or name, defaults made anew for each; the missing and the unknown fail."""
    assert Thing("a", parts=["x"]) == Thing("a", 3, ["x"])
    assert Thing("a").parts is not Thing("a").parts
    for arguments, named in (((), {}), (("a", 1, [], 2), {}), (("a",), {"colour": 1})):
        with pytest.raises(TypeError):
            Thing(*arguments, **named)  # type: ignore[arg-type]


def test_it_is_frozen() -> None:
    """Nothing can be set, added or deleted."""
    thing: Any = Thing("a")
    for name in ("name", "colour"):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, name, "b")
        with pytest.raises(FrozenInstanceError):
            delattr(thing, name)
    assert not hasattr(thing, "__dict__")


def test_the_library_knows_it() -> None:
    """`fields`, `replace`, `asdict`, pattern matching, copying and pickling work as with any dataclass."""
    thing = Thing("a", parts=["x"])
    assert [each.name for each in fields(thing)] == ["name", "size", "parts"]
    assert replace(thing, size=5) == Thing("a", 5, ["x"])
    assert dataclasses.asdict(thing) == {"name": "a", "size": 3, "parts": ["x"]}
    assert copy.deepcopy(thing) == thing == pickle.loads(pickle.dumps(thing))
    match thing:
        case Thing(name, size):
            assert (name, size) == ("a", 3)
        case _:
            pytest.fail("no match")


def _with_base() -> type:
    return dataclass(frozen=True)(type("Child", (Base,), {"__annotations__": {"b": int}, "b": 2}))


def _with_secret() -> type:
    return dataclass(frozen=True)(
        type("Secret", (), {"__annotations__": {"word": str}, "word": field(default="", repr=False)})
    )


def _with_method() -> type:
    return dataclass(frozen=True)(type("Odd", (), {"__repr__": lambda self: "odd", "__annotations__": {}}))


def _with_what_all_share() -> type:
    @dataclass(frozen=True, slots=True)
    class Counted:
        kinds: ClassVar[int] = 2
        a: int = 1

    return Counted


def _with_names_only() -> type:
    @dataclass(frozen=True, slots=True)
    class Named:
        a: int = 1
        _: KW_ONLY
        b: int = 2

    with pytest.raises(TypeError):
        Named(1, 2)  # type: ignore[call-arg]
    return Named


@dataclass(frozen=True)
class Base:
    """One that others are made from."""

    a: int = 1


@pytest.mark.parametrize(
    ("make", "shown"),
    [
        (_with_base, "Child(a=1, b=2)"),
        (_with_secret, "Secret()"),
        (_with_method, "odd"),
        (_with_what_all_share, "Counted(a=1)"),
        (_with_names_only, "Named(a=1, b=2)"),
    ],
)
def test_more_than_fields_is_made_by_the_standard_one(make: Make, shown: str) -> None:
    """A class with a base, an unusual field or a method of its own keeps all of it."""
    made = make()
    assert repr(made()).endswith(shown)


def test_a_default_that_all_would_share_is_refused() -> None:
    """A list as a default is an error at once, as it is with the standard decorator."""
    with pytest.raises(ValueError, match="mutable default"):
        dataclass(frozen=True, slots=True)(type("Bad", (), {"__annotations__": {"a": list}, "a": []}))


def test_many_threads_may_make_the_first() -> None:
    """Things that are made at once, before anything was made of their class, are all whole."""

    @dataclass(frozen=True, slots=True)
    class Fresh:
        number: int
        parts: tuple[str, ...] = ()

    start = Barrier(8)

    def make(number: int) -> Any:
        start.wait(10)
        return Fresh(number)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(make, range(8))) == [Fresh(number) for number in range(8)]


def test_a_class_that_is_not_frozen_stays_so() -> None:
    """Without `frozen` the standard decorator does its work."""

    @dataclass
    class Open:
        a: int = 1

    made = Open()
    made.a = 2
    assert made == Open(2)
