"""CONTRIBUTING.md: the steps of its worked example, taken on a copy of the checkout, end in a served file."""

import re
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(python|diff) (\S+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def take(kind: str, path: Path, text: str) -> None:
    """Write a new file, or change one as a diff without line numbers says: its old lines stand there once."""
    if kind == "python":
        assert not path.exists()
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return
    lines = text.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    new = "".join(line[1:] for line in lines if line[0] in " +")
    before = path.read_text("utf-8")
    assert before.count(old) == 1
    path.write_text(before.replace(old, new), "utf-8")


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout after all steps."""
    copy = tmp_path_factory.mktemp("contributing") / "checkout"
    for folder in ("functions", "shared", "infra", "tests"):
        shutil.copytree(
            ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "node_modules")
        )
    for file in ("pyproject.toml", "template.yaml"):
        shutil.copy(ROOT / file, copy)
    for kind, path, text in BLOCKS:
        take(kind, copy / path, text)
    return copy


def run(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=checkout, capture_output=True, text=True, check=False
    )


def test_the_example_passes_its_own_tests(checkout: Path) -> None:
    """The tests that the guide writes pass, and with them those of imports and addresses."""
    written = [path for _, path, _ in BLOCKS if Path(path).name.startswith("test_")]
    assert len(written) == 2
    done = run(checkout, "pytest", "-n0", "-p", "no:cacheprovider", *written, "tests/unit/test_arrows.py")
    assert done.returncode == 0, done.stdout


def test_the_example_is_of_the_house(checkout: Path) -> None:
    """What the guide writes passes the formatter, the linter and the type checker."""
    files = sorted({path for _, path, _ in BLOCKS})
    for command in (["ruff", "format", "--check"], ["ruff", "check"]):
        done = run(checkout, *command, *files)
        assert done.returncode == 0, done.stdout
    done = run(checkout, "mypy", *files)
    assert done.returncode == 0, done.stdout


def test_the_stack_is_asked_for_the_rest(checkout: Path) -> None:
    """Where the template lacks the new function, its tests say so by name."""
    done = run(
        checkout,
        "pytest",
        "-n0",
        "-p",
        "no:cacheprovider",
        "tests/template/test_functions.py",
        "-k",
        "folder",
    )
    assert done.returncode == 1
    assert "functions/humans" in done.stdout


def test_every_dependency_is_justified() -> None:
    """The table of dependencies names what pyproject.toml asks for, and nothing else."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = chain(project["dependencies"], *project["optional-dependencies"].values())
    names = {re.split(r"[\[<>=;]", each)[0].lower() for each in asked} - {"fingerpost"}
    table = GUIDE.partition("| package | what for")[2].partition("\n\n")[0].replace("\\[crypto\\]", "")
    rows = [row.split(" | ")[0] for row in table.splitlines()[2:]]
    told = {name.lower() for row in rows for name in re.sub(r"\|| |`\w+`:", "", row).split(",")}
    assert told == names
