"""Trimming a built layer."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fingerpost_tools.command_error import CommandError
from fingerpost_tools.layer import main, size, trim

HERE = f"cpython-3{sys.version_info.minor}"
ENDPOINTS = {
    "version": 3,
    "partitions": [
        {
            "partition": "aws",
            "regions": {"eu-west-3": {"description": "Paris"}},
            "services": {"s3": {"endpoints": {}}, "ec2": {"endpoints": {}}},
        }
    ],
}


@pytest.fixture
def layer(tmp_path: Path) -> Path:
    """A layer as `sam build` leaves it, in small."""
    files = {
        "fingerpost/__init__.py": "VALUE = 1\n",
        "other/__init__.py": "",
        "other/__init__.pyi": "",
        "other/py.typed": "",
        "other/tests/test_other.py": "",
        "other/__pycache__/old.pyc": "",
        f"other/_fast.{HERE}-x86_64-linux-gnu.so": "",
        "other-1.0.dist-info/METADATA": "Name: other",
        "other-1.0.dist-info/RECORD": "a,b,c",
        "bin/other": "#!python",
        "botocore/data/endpoints.json": json.dumps(ENDPOINTS, indent=1),
        "botocore/data/partitions.json": "{}",
        "botocore/data/s3/2006-03-01/service-2.json.gz": "x",
        "botocore/data/s3/2006-03-01/examples-1.json": "x",
        "botocore/data/secretsmanager/2017-10-17/service-2.json.gz": "x",
        "botocore/data/ec2/2016-11-15/service-2.json.gz": "x",
    }
    for name, text in files.items():
        path = tmp_path / "python" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def kept(layer: Path) -> set[str]:
    packages = layer / "python"
    return {str(path.relative_to(packages)) for path in packages.rglob("*") if path.is_file()}


def test_only_what_is_opened_stays(layer: Path) -> None:
    """Of AWS only the services that are asked are described; stubs, tests and lists of files are gone."""
    trim(layer)
    assert {name for name in kept(layer) if not name.endswith(".pyc")} == {
        "fingerpost/__init__.py",
        "other/__init__.py",
        f"other/_fast.{HERE}-x86_64-linux-gnu.so",
        "other-1.0.dist-info/METADATA",
        "botocore/data/endpoints.json",
        "botocore/data/partitions.json",
        "botocore/data/s3/2006-03-01/service-2.json.gz",
        "botocore/data/secretsmanager/2017-10-17/service-2.json.gz",
    }


def test_every_region_stays(layer: Path) -> None:
    """The endpoints lose services, and no partition or region."""
    trim(layer)
    partition = {**ENDPOINTS["partitions"][0], "services": {"s3": {"endpoints": {}}}}  # type: ignore[index]
    found = json.loads((layer / "python/botocore/data/endpoints.json").read_text())
    assert found == {"version": 3, "partitions": [partition]}


def test_the_code_is_compiled_for_good(layer: Path) -> None:
    """Compiled code is used whatever the dates of the sources say."""
    trim(layer)
    source = layer / "python/fingerpost/__init__.py"
    assert (source.parent / "__pycache__" / f"__init__.{HERE}.pyc").is_file()
    source.write_text("VALUE = 2\n")
    path = str(layer / "python")
    code = f"import sys; sys.path.insert(0, {path!r}); import fingerpost; print(fingerpost.VALUE)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def test_a_second_time_changes_nothing(layer: Path) -> None:
    """Trimming a trimmed layer leaves it as it is."""
    trim(layer)
    before = {name: (layer / "python" / name).read_bytes() for name in kept(layer)}
    trim(layer)
    assert {name: (layer / "python" / name).read_bytes() for name in kept(layer)} == before


def test_another_python_is_looked_for(layer: Path) -> None:
    """A layer for a Python that this machine lacks is refused by name."""
    (layer / "python/other" / f"_fast.{HERE}-x86_64-linux-gnu.so").rename(
        layer / "python/other/_fast.cpython-399-x86_64-linux-gnu.so"
    )
    with pytest.raises(CommandError, match=r"python3\.99"):
        trim(layer)


def test_the_command_says_what_it_did(layer: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command tells the size before and now, and fails with a reason where there is no layer."""
    assert main([str(layer)]) == 0
    assert "MB before" in capsys.readouterr().out
    assert main([str(layer / "python")]) == 1
    assert "expected to be a built layer" in capsys.readouterr().err
    assert size(layer) > 0
