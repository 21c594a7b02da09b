"""`sam build` for real: what comes out is linted, weighed and imported as Lambda would import it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fingerpost_tools.layer import size, trim
from tests.lambda_build import ARCHITECTURE, FUNCTIONS, ROOT, build, layer, needs_sam, sam

# Lambda: "250 MB (the maximum size of a deployment package, including layers)", unpacked.
LARGEST_LAYER = 100 * 1024 * 1024
# What infra/README.md says of the trimmed one, with room for the next release of a library.
LARGEST_TRIMMED = 50 * 1000 * 1000

pytestmark = [pytest.mark.slow, needs_sam]


@pytest.fixture(scope="module")
def trimmed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built layer as it is deployed: without what no function opens, and compiled."""
    folder = tmp_path_factory.mktemp("trimmed") / "SharedLayer"
    shutil.copytree(layer(built).parent, folder)
    trim(folder)
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
    printed = run(code, built / f"{name}Function", layer(built))
    assert printed.split() == ["True", str(layer(built) / "fingerpost" / "__init__.py")]


def test_the_built_layer_can_do_all_its_work(built: Path) -> None:
    """Compiled parts fit the interpreter, and the AWS libraries find the services that are asked."""
    code = (
        "import aws_lambda_powertools, boto3, comrak, frontmatter, jwt, nh3, pg8000, yaml; "
        "import cryptography.hazmat.primitives.asymmetric.ec; "
        "boto3.client('s3'), boto3.client('secretsmanager'); "
        "print(comrak.render_markdown('*x*'), nh3.clean('<b>x</b>'))"
    )
    assert run(code, layer(built)).split() == ["<p><em>x</em></p>", "<b>x</b>"]


# ELF, "e_machine", the two bytes at 18.
MACHINES = {"x86_64": 62, "arm64": 183}


def machines(folder: Path) -> set[int]:
    """The processors that the compiled modules below `folder` are for."""
    return {int.from_bytes(path.read_bytes()[18:20], "little") for path in folder.rglob("*.so")}


def test_the_layer_builds_for_both_processors(built: Path, tmp_path: Path) -> None:
    """Every compiled module of the layer is for the processor that was asked for, also where it is another
    than the builder's own."""
    (other,) = MACHINES.keys() - {ARCHITECTURE}
    build(tmp_path / "other", "SharedLayer", architecture=other)
    assert machines(layer(built)) == {MACHINES[ARCHITECTURE]}
    assert machines(layer(tmp_path / "other")) == {MACHINES[other]}


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
    printed = run(code, built / "RobotsFunction", layer(built))
    answer = json.loads(printed.splitlines()[-1])
    assert answer["statusCode"] == 503
    assert answer["headers"]["cache-control"] == "no-store"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_trimmed_layer_is_enough_for_each_handler(built: Path, trimmed: Path, name: str) -> None:
    """What is taken away no handler misses."""
    code = "import app, fingerpost; print(callable(app.handler), fingerpost.__file__)"
    printed = run(code, built / f"{name}Function", trimmed / "python")
    assert printed.split() == ["True", str(trimmed / "python" / "fingerpost" / "__init__.py")]


def test_a_trimmed_layer_still_asks_aws(trimmed: Path) -> None:
    """The services that are asked are found in every partition, at their own addresses."""
    code = (
        "import boto3, aws_lambda_powertools, comrak, frontmatter, jwt, nh3, pg8000, yaml; "
        "import cryptography.hazmat.primitives.asymmetric.ec; "
        "clients = [boto3.client(service, region_name=region) "
        "for region in ('eu-west-3', 'cn-north-1') for service in ('s3', 'secretsmanager', 'sts')]; "
        "print(*(client.meta.endpoint_url for client in clients))"
    )
    assert run(code, trimmed / "python").split() == [
        "https://s3.eu-west-3.amazonaws.com",
        "https://secretsmanager.eu-west-3.amazonaws.com",
        "https://sts.eu-west-3.amazonaws.com",
        "https://s3.cn-north-1.amazonaws.com.cn",
        "https://secretsmanager.cn-north-1.amazonaws.com.cn",
        "https://sts.cn-north-1.amazonaws.com.cn",
    ]


def test_a_trimmed_layer_is_smaller(built: Path, trimmed: Path) -> None:
    """Although it holds compiled code, a trimmed layer weighs less than before."""
    assert size(trimmed) < size(layer(built).parent)
    assert size(trimmed) < LARGEST_TRIMMED
    assert list(trimmed.rglob("*.pyc"))
