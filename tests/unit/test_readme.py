"""README's first screen: its commands are the ones that CI runs and that packaging offers."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def commands() -> list[str]:
    """The shell commands of README's first two code blocks."""
    return [block.strip() for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)][:2]


def test_ci_runs_the_readmes_test_command() -> None:
    """The command that passes the tests stands in .ci/run to the letter."""
    assert commands()[1] in (ROOT / ".ci" / "run").read_text("utf-8").splitlines()


def test_the_first_command_is_one_that_packaging_offers() -> None:
    """The command installs an extra that exists and runs the script that the package declares."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extra = re.search(r"-e '\.\[(\w+)\]'", commands()[0])
    assert extra is not None
    assert extra[1] in project["optional-dependencies"]
    assert re.search(r"\.venv/bin/(\w+) serve", commands()[0])[1] in project["scripts"]  # type: ignore[index]


def test_every_link_leads_somewhere() -> None:
    """Each relative link and picture of the documents at the top is a file of the checkout."""
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", (ROOT / name).read_text("utf-8")):
            assert "://" in link or (ROOT / link).exists(), f"{name}: {link}"
