"""The bill of materials of what the layer ships: `python -m fingerpost_tools.sbom > sbom.json`.

CycloneDX 1.6 as JSON (ECMA-424): the pinned packages with the hashes of the files that may be installed,
their licences, what is compiled into them, and who needs whom. The same pins make the same bytes: there is no
time and no random number in it.
"""

import json
import sys
import tomllib
import uuid
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

from fingerpost import __version__
from fingerpost_tools.supply.shipped import REQUIREMENTS, Package, Part, name_of, read_pins, shipped

_ROOT: Final = f"pkg:pypi/fingerpost@{__version__}"
_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "https://cyclonedx.org/fingerpost")


def render_sbom(packages: Sequence[Package], asked: Collection[str]) -> dict[str, Any]:
    """The document; `asked` are the packages that Fingerpost itself imports. A package's `hashes` are one for
    each file of its version: which of them is installed depends on the platform."""
    content: dict[str, Any] = {
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": _ROOT,
                "name": "fingerpost",
                "version": __version__,
                "purl": _ROOT,
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [_component(package) for package in packages],
        "dependencies": _dependencies(packages, asked),
    }
    serial = uuid.uuid5(_NAMESPACE, json.dumps(content, sort_keys=True))
    head = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
    }
    return {"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", **head, **content}


def _component(package: Package) -> dict[str, Any]:
    pin = package.pin
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": _reference(package),
        "name": pin.name,
        "version": pin.version,
        "purl": _reference(package),
        "hashes": [{"alg": "SHA-256", "content": each} for each in pin.hashes],
        **_licences(package.licence),
    }
    if package.parts:
        component["components"] = [_part(package, part) for part in package.parts]
    return component


def _part(package: Package, part: Part) -> dict[str, Any]:
    reference = f"{_reference(package)}#{part.name}@{part.version}"
    purl = {"purl": part.purl} if part.purl else {}
    described = {"type": "library", "bom-ref": reference, "name": part.name, "version": part.version}
    return {**described, **purl, **_licences(part.licence)}


def _licences(expression: str) -> dict[str, Any]:
    return {"licenses": [{"expression": expression}]} if expression else {}


def _reference(package: Package) -> str:
    return f"pkg:pypi/{package.pin.name}@{package.pin.version}"


def _dependencies(packages: Sequence[Package], asked: Collection[str]) -> list[dict[str, Any]]:
    """Who needs whom. What no other package needs is here for Fingerpost's sake too, by an extra."""
    references = {package.pin.name: _reference(package) for package in packages}
    needed = {name for package in packages for name in package.requires}
    own = [reference for name, reference in references.items() if name in asked or name not in needed]
    return [
        {"ref": _ROOT, "dependsOn": own},
        *(
            {"ref": _reference(package), "dependsOn": [references[name] for name in package.requires]}
            for package in packages
        ),
    ]


if __name__ == "__main__":
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = read_pins(REQUIREMENTS.read_text(encoding="utf-8"))
    document = render_sbom(shipped(pins), {name_of(line) for line in project["dependencies"]})
    sys.stdout.write(json.dumps(document, indent=2) + "\n")
