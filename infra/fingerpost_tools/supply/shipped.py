"""What the layer ships: the pins of its requirements, with what the installed packages say of themselves.

A wheel of compiled code tells what went into it in bills of materials of its own (PEP 770).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

REQUIREMENTS: Final = Path("shared", "requirements.txt")

_PIN: Final = re.compile(r"([a-z0-9.-]+)(?:\[[a-z0-9, -]+\])?==([^ ]+)(?: ; ([^\\]+?))? *\\?$", re.MULTILINE)
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
# What packages call their licence in fields that take any text.
_SPDX: Final = {
    "MIT License": "MIT",
    "Apache License 2.0": "Apache-2.0",
    "BSD 3-Clause License": "BSD-3-Clause",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
}
_IDENTIFIERS: Final = frozenset(
    {"MIT", "MIT-0", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "PSF-2.0", "ISC"}
)
# Components whose bill of materials names no licence.
_UNTOLD: Final = {"openssl": "Apache-2.0"}


@dataclass(frozen=True, slots=True)
class Pin:
    """One line of the requirements; `hashes` are SHA-256 in hexadecimal, of each file that may be used."""

    name: str
    version: str
    hashes: tuple[str, ...]
    marker: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """Something that is compiled into a package. `licence` is an SPDX expression, "" where it is not told."""

    name: str
    version: str
    licence: str
    purl: str = ""


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the layer. `licence` is an SPDX expression, "" where none could be made out; `requires`
    are names of other packages of the layer."""

    pin: Pin
    licence: str
    requires: tuple[str, ...] = ()
    parts: tuple[Part, ...] = field(default_factory=tuple)


def read_pins(requirements: str) -> list[Pin]:
    """The pins of a requirements file, in its order."""
    pins = []
    for block in re.split(r"\n(?=\S)", requirements.strip()):
        found = _PIN.match(block)
        if found is None:
            raise ValueError(f"expected a pinned requirement, found {block.splitlines()[0]!r}")
        pins.append(Pin(found[1], found[2], tuple(_HASH.findall(block)), found[3] or ""))
    return pins


def shipped(pins: Sequence[Pin]) -> list[Package]:
    """What is pinned, as the installed packages describe it; one that this interpreter does not need is left
    without a description."""
    names = {pin.name for pin in pins}
    return [_package(pin, names) for pin in pins]


def _package(pin: Pin, names: set[str]) -> Package:
    try:
        found = distribution(pin.name)
    except PackageNotFoundError:
        return Package(pin, "")
    required = {name_of(line) for line in found.requires or () if "extra ==" not in line}
    return Package(pin, licence_of(found.metadata), tuple(sorted(required & names)), tuple(_parts(found)))


def name_of(requirement: str) -> str:
    """The normalised name (PEP 503) of the package that a requirement asks for."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]).lower()


def licence_of(metadata: Any) -> str:
    """The SPDX expression of a package's licence (core metadata 2.4, `License-Expression`); made out from the
    older fields where there is none, "" where that can't be done."""
    if expression := metadata.get("License-Expression"):
        return str(expression)
    said = str(metadata.get("License") or "")
    if said in _IDENTIFIERS or said in _SPDX:
        return _SPDX.get(said, said)
    classified = [_SPDX[each] for each in metadata.get_all("Classifier") or () if each in _SPDX]
    return " OR ".join(sorted(classified))


def _parts(found: Distribution) -> Iterator[Part]:
    files = [file for file in found.files or () if ".dist-info/sboms/" in file.as_posix()]
    for file in sorted(files, key=lambda each: each.as_posix()):
        document = json.loads(file.read_text(encoding="utf-8"))
        for component in document.get("components", ()):
            yield _part(component)


def _part(component: Mapping[str, Any]) -> Part:
    licences = [
        each.get("expression") or each.get("license", {}).get("id", "")
        for each in component.get("licenses", ())
    ]
    name = component["name"]
    # Registries of packages are told by the kind and the name alone.
    purl = component.get("purl", "").partition("?")[0]
    return Part(name, component["version"], " AND ".join(licences) or _UNTOLD.get(name, ""), purl)
