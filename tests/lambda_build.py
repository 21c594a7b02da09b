"""`sam build` for the interpreter and the processor at hand, and what comes with the SAM CLI."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
# The last is the one that .ci/run installs.
SAM: Final = os.environ.get("SAM") or shutil.which("sam") or shutil.which(f"{ROOT}/.venv-sam/bin/sam")
NO_SAM: Final = "the AWS SAM CLI is neither named by SAM, nor on PATH, nor in .venv-sam"
FUNCTIONS: Final = ("Sitemap", "Robots", "Feed", "Llms", "Page")
RUNTIME: Final = f"python{sys.version_info.major}.{sys.version_info.minor}"
ARCHITECTURE: Final = "arm64" if platform.machine() in ("aarch64", "arm64") else "x86_64"

needs_sam = pytest.mark.skipif(SAM is None, reason=NO_SAM)


def sam(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the SAM CLI at the project's root."""
    # The build looks for the functions' interpreter on PATH; the one at hand is this one.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {
        **os.environ,
        "PATH": path,
        "SAM_CLI_TELEMETRY": "0",
        "AWS_DEFAULT_REGION": "eu-west-3",
    }
    return subprocess.run(
        [str(SAM), *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def build(folder: Path, *names: str, architecture: str = ARCHITECTURE) -> None:
    """Build the resources of these `names` into `folder`: layer and functions where none is named."""
    done = sam(
        *("build", *names, "--build-dir", str(folder), "--no-cached"),
        *("--parameter-overrides", f"PythonRuntime={RUNTIME} Architecture={architecture}"),
    )
    assert done.returncode == 0, done.stderr


def layer(built: Path) -> Path:
    """The folder of a build that Lambda puts on the path as /opt/python."""
    return built / "SharedLayer" / "python"
