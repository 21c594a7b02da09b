"""What others wrote and the layer ships: pinned, hashed, under known licences, and told in full."""

import json
import re
import subprocess
import sys
from email.message import Message
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from fingerpost_tools.sbom import render_sbom
from fingerpost_tools.supply.licences import is_permissive, render_licences
from fingerpost_tools.supply.shipped import REQUIREMENTS, Pin, licence_of, name_of, read_pins, shipped
from tests.template.cloudformation import ROOT

PINS = read_pins((ROOT / REQUIREMENTS).read_text(encoding="utf-8"))
LICENCES = ROOT / "shared" / "LICENSES.md"
# Parts whose licence covers their own source files alone, which are used as they came.
WEAK_COPYLEFT = {("nh3", "cssparser", "MPL-2.0"), ("nh3", "dtoa-short", "MPL-2.0")}


def installed(pin: Pin) -> str | None:
    """The version of a package in this environment, None where this interpreter does not need it."""
    try:
        return version(pin.name)
    except PackageNotFoundError:
        return None


PACKAGES = shipped([pin for pin in PINS if installed(pin) is not None])


@pytest.mark.parametrize(
    "path", [REQUIREMENTS, Path("tests", "requirements.txt"), Path(".ci", "sam-requirements.txt")], ids=str
)
def test_no_package_is_installed_unseen(path: Path) -> None:
    """Every requirement has hashes, so that pip verifies all of them (one without would be refused), and no
    file stands for two packages."""
    pins = read_pins((ROOT / path).read_text(encoding="utf-8"))
    assert all(pin.hashes for pin in pins)
    hashes = [each for pin in pins for each in pin.hashes]
    assert len(hashes) > len(pins)
    owners: dict[str, str] = {}
    for pin in pins:
        for each in pin.hashes:
            assert owners.setdefault(each, pin.name) == pin.name


def test_pip_refuses_a_file_with_another_hash(tmp_path: Path) -> None:
    """A hash in the requirements is all it takes: a file that is not the one pinned is not installed."""
    wheel = tmp_path / "thing-1.0-py3-none-any.whl"
    _write_wheel(wheel)
    (tmp_path / "requirements.txt").write_text(f"thing==1.0 --hash=sha256:{'0' * 64}\n")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--no-index", f"--find-links={tmp_path}"),
            *("--target", str(tmp_path / "target"), "-r", str(tmp_path / "requirements.txt")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert not list(tmp_path.glob("target/thing*"))


def _write_wheel(path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("thing.py", "")
        archive.writestr("thing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
        archive.writestr(
            "thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("thing-1.0.dist-info/RECORD", "")


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.pin.name)
def test_licences_are_known_and_permissive(package: Any) -> None:
    """Each package's licence asks for a notice at most; of what is compiled into it, all but two known parts'
    do."""
    assert is_permissive(package.licence), package.licence
    others = {
        (package.pin.name, part.name, part.licence)
        for part in package.parts
        if not is_permissive(part.licence)
    }
    assert others <= WEAK_COPYLEFT


def test_the_list_of_licences_is_true() -> None:
    """shared/LICENSES.md is what the installed packages say; where another version is installed than the
    pinned one, that holds for its licence alone."""
    text = LICENCES.read_text(encoding="utf-8")
    for package in PACKAGES:
        assert f"| {package.pin.name} | {package.pin.version} | {package.licence} |\n" in text
    listed = re.findall(r"^\| ([a-z0-9-]+) \| [0-9][^|]*\|", text, re.MULTILINE)
    assert listed == [pin.name for pin in PINS]
    if [installed(pin) for pin in PINS] == [pin.version for pin in PINS]:
        assert text == render_licences(PACKAGES)


@pytest.mark.parametrize(
    ("expression", "permissive"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("", False),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("(MIT OR GPL-3.0-only) AND Unicode-3.0", True),
        ("(MIT AND GPL-3.0-only) OR LGPL-3.0-only", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("MIT OR (Apache-2.0 AND (BSD-3-Clause OR GPL-2.0-only))", True),
    ],
)
def test_expressions(expression: str, permissive: bool) -> None:
    """OR leaves the choice, AND leaves none."""
    assert is_permissive(expression) == permissive


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        ([("License-Expression", "MIT-0"), ("License", "GPL")], "MIT-0"),
        ([("License", "BSD 3-Clause License")], "BSD-3-Clause"),
        ([("License", "Dual"), ("Classifier", "License :: OSI Approved :: MIT License")], "MIT"),
        ([("License", "see the file")], ""),
        ([("Classifier", "License :: OSI Approved :: GNU General Public License v3 (GPLv3)")], ""),
        ([], ""),
    ],
)
def test_licences_are_made_out_from_metadata(fields: list[tuple[str, str]], licence: str) -> None:
    """The expression counts most, then what the field says where that is a licence's name, then classifiers;
    anything else is unknown, and an unknown licence is not permissive."""
    metadata = Message()
    for name, value in fields:
        metadata[name] = value
    assert licence_of(metadata) == licence
    assert is_permissive(licence) == bool(licence)


def test_a_line_without_a_pin_is_refused() -> None:
    """What is not pinned can't be told about."""
    with pytest.raises(ValueError, match="expected a pinned requirement, found 'boto3>=1'"):
        read_pins("boto3>=1\n")


@pytest.fixture(scope="module")
def sbom() -> dict[str, Any]:
    """The bill of materials, as it would be written."""
    done = subprocess.run(
        [sys.executable, "-m", "fingerpost_tools.sbom"],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}/shared:{ROOT}/infra", "PYTHONWARNINGS": "error"},
        capture_output=True,
        check=True,
    )
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_the_bill_of_materials_has_its_form(sbom: dict[str, Any]) -> None:
    """The fields that CycloneDX 1.6 requires, in the form it requires them."""
    assert sbom["bomFormat"] == "CycloneDX"
    assert sbom["specVersion"] == "1.6"
    assert sbom["version"] == 1
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", sbom["serialNumber"])
    components = _all_components(sbom)
    for component in components:
        assert component["type"] in ("application", "library")
        assert component["name"]
        assert component["version"]
        for each in component.get("hashes", ()):
            assert each["alg"] == "SHA-256"
            assert re.fullmatch("[0-9a-f]{64}", each["content"])
        for each in component.get("licenses", ()):
            assert each.keys() <= {"expression", "license"}
    references = [component["bom-ref"] for component in components]
    assert len(set(references)) == len(references)


def test_the_bill_of_materials_is_complete(sbom: dict[str, Any]) -> None:
    """Every pin with its version and hashes, what is compiled into it, and who needs it."""
    told = {component["name"]: component for component in sbom["components"]}
    assert [(name, each["version"]) for name, each in told.items()] == [
        (pin.name, pin.version) for pin in PINS
    ]
    for pin in PINS:
        assert [each["content"] for each in told[pin.name]["hashes"]] == list(pin.hashes)
        assert told[pin.name]["purl"] == f"pkg:pypi/{pin.name}@{pin.version}"
    assert "openssl" in {part["name"] for part in told["cryptography"]["components"]}
    references = {component["bom-ref"] for component in _all_components(sbom)}
    reached, waiting = set(), [sbom["metadata"]["component"]["bom-ref"]]
    needs = {each["ref"]: each["dependsOn"] for each in sbom["dependencies"]}
    while waiting:
        reference = waiting.pop()
        if reference not in reached:
            reached.add(reference)
            waiting += needs[reference]
    assert reached == needs.keys() <= references
    assert len(reached) == len(PINS) + 1


def test_the_bill_of_materials_is_the_same_each_time(sbom: dict[str, Any]) -> None:
    """Neither time nor chance is in it: what changes it is a change of what is shipped."""
    asked = {name_of(each) for each in ("boto3", "PyYAML>=6", "pyjwt[crypto]")}
    assert render_sbom(shipped(PINS), asked) == render_sbom(shipped(PINS), asked)
    assert sbom["serialNumber"] != render_sbom(shipped(PINS[1:]), asked)["serialNumber"]


def _all_components(sbom: dict[str, Any]) -> list[dict[str, Any]]:
    own = [sbom["metadata"]["component"], *sbom["components"]]
    return [*own, *(part for each in own for part in each.get("components", ()))]
