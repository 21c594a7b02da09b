"""The pinned requirements: complete, hashed, and silent about where packages come from."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.template.cloudformation import ROOT

LAYER = ROOT / "shared" / "requirements.txt"
TESTS = ROOT / "tests" / "requirements.txt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def pins(path: Path) -> dict[str, list[str]]:
    """The lines of each pinned package, its hashes included, by normalised name (PEP 503)."""
    found: dict[str, list[str]] = {}
    for block in re.split(r"\n(?=\S)", path.read_text("utf-8").strip()):
        name = re.match(r"[A-Za-z0-9._-]+", block)
        assert name, block
        found.setdefault(normal(name[0]), []).extend(block.splitlines())
    return found


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def without_marker(line: str) -> str:
    """A pin without the interpreters it is for: another package of the set may want it for more of them."""
    return re.sub(r" ; [^\\]+", "", line)


def required(*lists: list[str]) -> set[str]:
    """Names of the packages that requirements ask for, without the project itself."""
    names = {normal(re.split(r"[\[<>=!~; ]", line, maxsplit=1)[0]) for each in lists for line in each}
    return names - {PROJECT["name"]}


@pytest.mark.parametrize("path", [LAYER, TESTS])
def test_every_line_is_a_pin_or_its_hash(path: Path) -> None:
    """Each package is pinned to one version with hashes, and no line names a host or an option of pip."""
    for name, lines in pins(path).items():
        heads = [line for line in lines if not line.startswith(" ")]
        hashes = [line for line in lines if line.startswith(" ")]
        for head in heads:
            assert re.fullmatch(r"[a-z0-9.-]+==[0-9][^ ]*( ; [^\\]+)? \\", head), head
        assert hashes, name
        for line in hashes:
            assert re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line), line
    assert "://" not in path.read_text("utf-8")


def test_the_layer_holds_what_the_package_depends_on() -> None:
    """Each dependency of pyproject.toml is pinned for the layer, boto3 included."""
    assert required(PROJECT["dependencies"]) <= pins(LAYER).keys()


def test_the_tests_install_everything_they_need() -> None:
    """The extras `local` and `test` are pinned for the tests, with the layer's own set."""
    extras = PROJECT["optional-dependencies"]
    assert required(PROJECT["dependencies"], extras["local"], extras["test"]) <= pins(TESTS).keys()


def test_the_tests_run_what_the_layer_ships() -> None:
    """A package that both sets hold has the same version and the same hashes in both."""
    layer, tests = pins(LAYER), pins(TESTS)
    for name, lines in layer.items():
        assert [without_marker(line) for line in tests[name]] == [without_marker(line) for line in lines], (
            name
        )
