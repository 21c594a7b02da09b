"""`dataclass` for frozen classes that are quick to make, otherwise as the standard library has it.

The standard decorator examines each class, then writes and compiles six methods for it: half a millisecond of
a cold start, and there are a hundred such classes. Here the methods are the same few functions for all.
`__init__` alone is compiled, once something is made of the class, and the standard library's own description
of it is drawn up when somebody asks. A class that wants more than fields with defaults is made by the
standard decorator.
"""

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **options):
        """`dataclasses.dataclass`, quick where `options` are `frozen=True` and `slots=True`."""
        if cls is None:
            return lambda each: dataclass(each, **options)
        if options == {"frozen": True, "slots": True} and _is_plain(cls):
            return _quick(cls)
        return dataclasses.dataclass(cls, **options)


def _is_plain(cls: type) -> bool:
    """Whether the class has no base, no method that is made here, and no field with more than a default."""
    members = vars(cls)
    return (
        (type(cls), cls.__bases__) == (type, (object,))
        and {*_METHODS, "__init__", "__post_init__"}.isdisjoint(members)
        and all(_is_plain_field(kind, members.get(name)) for name, kind in cls.__annotations__.items())
    )


def _is_plain_field(annotation: Any, default: Any) -> bool:
    if isinstance(default, dataclasses.Field):
        traits = (default.init, default.repr, default.hash, default.compare, default.kw_only)
        return traits == (True, True, None, True, dataclasses.MISSING)
    is_field = annotation is not dataclasses.KW_ONLY and not isinstance(annotation, dataclasses.InitVar)
    is_shared = annotation is ClassVar or getattr(annotation, "__origin__", None) is ClassVar
    return is_field and not is_shared and type(default).__hash__ is not None


def _quick(cls: type) -> type:
    """The class again, with slots for its fields."""
    names = tuple(cls.__annotations__)
    left_out = {*names, "__dict__", "__weakref__"}
    body = {name: member for name, member in vars(cls).items() if name not in left_out}
    body |= _METHODS
    body["__slots__"] = body["__match_args__"] = names
    for description in ("__dataclass_fields__", "__dataclass_params__"):
        body[description] = _Description(cls, description)
    made: Any = type(cls.__name__, (), body)
    made.__qualname__ = cls.__qualname__
    made.__init__ = _first_initialiser(made, {name: vars(cls)[name] for name in names if name in vars(cls)})
    return made  # type: ignore[no-any-return]


class _Description:
    """One attribute by which the standard library knows a dataclass, as it would have made it."""

    def __init__(self, cls: type, name: str) -> None:
        self._cls = cls
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        if self._name not in vars(self._cls):
            dataclasses.dataclass(self._cls, frozen=True)
        return getattr(self._cls, self._name)


def _first_initialiser(made: Any, defaults: dict[str, Any]) -> Any:
    """`__init__` of a class of which nothing was made yet: puts the compiled one in its place."""

    def initialise(self: Any, /, *arguments: Any, **named: Any) -> None:
        made.__init__ = _initialiser(made.__match_args__, defaults)
        made.__init__(self, *arguments, **named)

    return initialise


def _initialiser(fields: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    """`__init__` with one parameter for each field; a default that is made is made by each call."""
    names: dict[str, Any] = {"assign": object.__setattr__, "missing": dataclasses.MISSING}
    parameters, lines = ["self"], ["pass"]
    for name in fields:
        value, default = name, defaults.get(name, dataclasses.MISSING)
        make: Any = dataclasses.MISSING
        if isinstance(default, dataclasses.Field):
            make, default = default.default_factory, default.default
        if default is not dataclasses.MISSING:
            names[f"default_{name}"] = default
            parameters.append(f"{name}=default_{name}")
        elif make is not dataclasses.MISSING:
            names[f"make_{name}"] = make
            parameters.append(f"{name}=missing")
            value = f"make_{name}() if {name} is missing else {name}"
        else:
            parameters.append(name)
        lines.append(f"assign(self, {name!r}, {value})")
    source = f"def __init__({', '.join(parameters)}):\n  " + "\n  ".join(lines)
    # Compiled first: CPython takes a Ctrl-C that arrives while it runs a text for one that nobody handled,
    # and in the end lets the process die of it, whatever its exit code.
    exec(compile(source, __name__, "exec"), names)  # noqa: S102 - made of the names of fields alone
    return names["__init__"]


def _state(self: Any) -> tuple[Any, ...]:
    return tuple([getattr(self, name) for name in self.__match_args__])


def _restore(self: Any, state: tuple[Any, ...]) -> None:
    for name, value in zip(self.__match_args__, state, strict=True):
        object.__setattr__(self, name, value)


def _equal(self: Any, other: object) -> bool:
    return _state(self) == _state(other) if other.__class__ is self.__class__ else NotImplemented


def _hashed(self: Any) -> int:
    return hash(_state(self))


def _shown(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{self.__class__.__qualname__}({shown})"


def _refuse_to_set(self: Any, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_METHODS = {
    "__eq__": _equal,
    "__hash__": _hashed,
    "__repr__": _shown,
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_delete,
    "__getstate__": _state,
    "__setstate__": _restore,
}
