"""`sam build` for real: what comes out is linted, weighed and imported as Lambda would import it."""

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.template.cloudformation import ROOT

SAM = os.environ.get("SAM") or shutil.which("sam")
FUNCTIONS = ("Sitemap", "Robots", "Feed", "Llms", "Page")
RUNTIME = f"python{sys.version_info.major}.{sys.version_info.minor}"
ARCHITECTURE = "arm64" if platform.machine() in ("aarch64", "arm64") else "x86_64"

# Lambda: "250 MB (the maximum size of a deployment package, including layers)", unpacked.
LARGEST_LAYER = 100 * 1024 * 1024

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(SAM is None, reason="the AWS SAM CLI is neither on PATH nor named by SAM"),
]


def sam(*arguments: str) -> subprocess.CompletedProcess[str]:
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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build for the interpreter and the processor at hand."""
    folder = tmp_path_factory.mktemp("build")
    done = sam(
        *("build", "--build-dir", str(folder), "--no-cached"),
        *("--parameter-overrides", f"PythonRuntime={RUNTIME} Architecture={ARCHITECTURE}"),
    )
    assert done.returncode == 0, done.stderr
    return folder


def run(code: str, *path: Path) -> str:
    """What `code` prints in an interpreter that finds nothing but the standard library and `path`."""
    script = f"import sys; sys.path[:0] = {[str(each) for each in path]!r}; {code}"
    environment = {"PATH": os.environ["PATH"], "AWS_DEFAULT_REGION": "eu-west-3", "SITE_BUCKET": "site"}
    done = subprocess.run(
        # -I keeps the environment's paths and the user's packages out, -S this environment's own; -B leaves
        # the build as it is.
        [sys.executable, "-I", "-S", "-B", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_template_is_clean() -> None:
    """`sam validate --lint` has nothing to say."""
    done = sam("validate", "--lint", "--template", str(ROOT / "template.yaml"))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_built_handler_is_importable_with_the_built_layer_alone(built: Path, name: str) -> None:
    """The layer's code lies under python/, and each handler finds all it needs there; case 69."""
    code = "import app, fingerpost; print(callable(app.handler), fingerpost.__file__)"
    printed = run(code, built / f"{name}Function", built / "SharedLayer" / "python")
    assert printed.split() == ["True", str(built / "SharedLayer" / "python" / "fingerpost" / "__init__.py")]


def test_the_built_layer_can_do_all_its_work(built: Path) -> None:
    """Compiled parts fit the interpreter, and the AWS libraries find the services that are asked."""
    code = (
        "import aws_lambda_powertools, boto3, comrak, frontmatter, jwt, nh3, pg8000, yaml; "
        "import cryptography.hazmat.primitives.asymmetric.ec; "
        "boto3.client('s3'), boto3.client('secretsmanager'); "
        "print(comrak.render_markdown('*x*'), nh3.clean('<b>x</b>'))"
    )
    assert run(code, built / "SharedLayer" / "python").split() == ["<p><em>x</em></p>", "<b>x</b>"]


def test_the_built_layer_is_small_enough(built: Path) -> None:
    """The layer leaves more than half of Lambda's 250 MB free, and holds no compiled leftovers."""
    files = [path for path in (built / "SharedLayer").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < LARGEST_LAYER
    assert not [path for path in files if path.suffix == ".pyc"]


def test_a_function_is_its_own_few_lines(built: Path) -> None:
    """A built function holds its app.py and nothing else: all the rest is the layer's."""
    for name in FUNCTIONS:
        assert [path.name for path in (built / f"{name}Function").iterdir()] == ["app.py"]


def test_a_recorded_event_gets_an_answer_from_the_built_function(built: Path) -> None:
    """Without its bucket the built robots function still answers as a function URL does: 503, unstored."""
    event = (ROOT / "infra" / "events" / "robots.json").read_text("utf-8")
    code = (
        "import json, os; os.environ.update(AWS_ENDPOINT_URL='http://127.0.0.1:9', AWS_ACCESS_KEY_ID='x', "
        "AWS_SECRET_ACCESS_KEY='x', AWS_MAX_ATTEMPTS='1'); import app; "
        f"print(json.dumps(app.handler(json.loads({event!r}), None)))"
    )
    printed = run(code, built / "RobotsFunction", built / "SharedLayer" / "python")
    answer = json.loads(printed.splitlines()[-1])
    assert answer["statusCode"] == 503
    assert answer["headers"]["cache-control"] == "no-store"
