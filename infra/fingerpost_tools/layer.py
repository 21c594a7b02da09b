"""Makes a built layer small and quick to load: `python -m fingerpost_tools.layer [FOLDER]` after `sam build`.

What goes is what no function opens: descriptions of AWS services that are never asked, type stubs, tests, and
lists of installed files. What comes is compiled code: a layer can't be written to, so that without it Python
compiles every module anew at every cold start, and takes longer for that than for all the rest. FOLDER is
.aws-sam/build/SharedLayer unless given.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from fingerpost_tools.command_error import CommandError

BUILT: Final = Path(".aws-sam", "build", "SharedLayer")
# S3 and Secrets Manager are asked; STS is where credentials may come from.
SERVICES: Final = frozenset({"s3", "secretsmanager", "sts"})

_COMPILED_FOR = re.compile(r"\.cpython-3(\d+)-")
_NEVER_OPENED: Final = ("*.pyi", "py.typed", "RECORD", "__pycache__", "tests", "examples-1.json", "bin")


def trim(layer: Path) -> None:
    """Take from a built layer what no function opens, and add compiled code. CommandError where `layer` is
    none, or the interpreter that it was built for is not on this machine."""
    packages = layer / "python"
    if not (packages / "fingerpost").is_dir():
        raise CommandError(f"{layer} was expected to be a built layer, with python/fingerpost in it")
    for path in _superfluous(packages):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    _trim_endpoints(packages / "botocore" / "data" / "endpoints.json")
    _compile(packages)


def size(folder: Path) -> int:
    """The bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _superfluous(packages: Path) -> Iterator[Path]:
    for pattern in _NEVER_OPENED:
        yield from sorted(packages.rglob(pattern))
    data = packages / "botocore" / "data"
    yield from (path for path in sorted(data.iterdir()) if path.is_dir() and path.name not in SERVICES)


def _trim_endpoints(file: Path) -> None:
    """Leave the regions of every partition, and the endpoints of the services that are asked."""
    document: dict[str, Any] = json.loads(file.read_bytes())
    for partition in document["partitions"]:
        services = partition["services"]
        partition["services"] = {name: services[name] for name in sorted(SERVICES & services.keys())}
    file.write_text(json.dumps(document, separators=(",", ":")), "utf-8")


def _compile(packages: Path) -> None:
    # "Unchecked": the sources of a layer never change, and their dates mean nothing.
    done = subprocess.run(
        [
            _interpreter(packages),
            "-m",
            "compileall",
            "-q",
            "--invalidation-mode",
            "unchecked-hash",
            str(packages),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CommandError(f"{packages} could not be compiled: {done.stdout or done.stderr}")


def _interpreter(packages: Path) -> str:
    """The Python that the layer was built for, as the names of its compiled parts tell."""
    minors = {int(found[1]) for path in packages.rglob("*.so") if (found := _COMPILED_FOR.search(path.name))}
    if len(minors) != 1:
        raise CommandError(f"{packages} was expected to be built for one Python, found {sorted(minors)}")
    (minor,) = minors
    if sys.version_info[:2] == (3, minor):
        return sys.executable
    interpreter = shutil.which(f"python3.{minor}")
    if interpreter is None:
        raise CommandError(f"python3.{minor}, which the layer was built for, is not on PATH")
    return interpreter


def main(arguments: list[str]) -> int:
    """Trim the layer in the folder that `arguments` name, and say what it weighs."""
    layer = Path(arguments[0]) if arguments else BUILT
    try:
        before = size(layer)
        trim(layer)
    except CommandError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{layer}: {before / 1e6:.0f} MB before, {size(layer) / 1e6:.0f} MB now, compiled code included")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
