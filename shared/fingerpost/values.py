"""`dataclass` for frozen classes that are quick to make, otherwise as the standard library has it.

The standard decorator writes and compiles six methods for each frozen class: half a millisecond of a cold
start, and there are a hundred such classes. Here only `__init__` is compiled; the other methods are the same
few functions for all. A class that asks for more than fields with defaults is made by the standard decorator.
"""

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **options):
        """`dataclasses.dataclass`, quick where `options` are `frozen=True` and `slots` at most."""
        if cls is None:
            return lambda each: dataclass(each, **options)
        if options.get("frozen") and options.keys() <= {"frozen", "slots"} and _is_plain(cls):
            return _quick(cls, options.get("slots", False))
        return dataclasses.dataclass(cls, **options)


def _is_plain(cls: type) -> bool:
    """Whether the class has no base, no such method of its own, and no field with more than a default."""
    if cls.__bases__ != (object,) or not {*_METHODS, "__init__", "__post_init__"}.isdisjoint(vars(cls)):
        return False
    fields = (each for each in vars(cls).values() if isinstance(each, dataclasses.Field))
    return all(
        (field.init, field.repr, field.hash, field.compare) == (True, True, None, True) for field in fields
    )


def _quick(cls: type, slots: bool) -> type:
    made: Any = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots)
    made.__init__ = _initialiser(dataclasses.fields(made))
    for name, method in _METHODS.items():
        setattr(made, name, method)
    params = made.__dataclass_params__
    params.frozen = params.init = params.repr = params.eq = True
    return made  # type: ignore[no-any-return]


def _initialiser(fields: tuple[dataclasses.Field[Any], ...]) -> Any:
    """`__init__` with one parameter for each field; a default that is made is made by each call."""
    names: dict[str, Any] = {"assign": object.__setattr__, "missing": dataclasses.MISSING}
    parameters, lines = ["self"], ["pass"]
    for field in fields:
        name, value = field.name, field.name
        if field.default is not dataclasses.MISSING:
            names[f"default_{name}"] = field.default
            parameters.append(f"{name}=default_{name}")
        elif field.default_factory is not dataclasses.MISSING:
            names[f"make_{name}"] = field.default_factory
            parameters.append(f"{name}=missing")
            value = f"make_{name}() if {name} is missing else {name}"
        else:
            parameters.append(name)
        lines.append(f"assign(self, {name!r}, {value})")
    source = f"def __init__({', '.join(parameters)}):\n  " + "\n  ".join(lines)
    exec(source, names)  # noqa: S102 - made of the names of fields alone
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
