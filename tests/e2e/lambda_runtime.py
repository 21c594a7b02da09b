"""Lambda's own runtime without Lambda: its emulator and its client, from beside the SAM CLI."""

import contextlib
import http.client
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.e2e.processes import free_ports, listening
from tests.lambda_build import ARCHITECTURE, NO_SAM, SAM

# The client and what it needs; what else is installed beside it is none of a function's business.
_CLIENT: Final = ("awslambdaric", "simplejson", "snapshot_restore_py", "runtime_client")
# Lambda's order: the function, its layers, the runtime's own; and nothing of this machine's environment.
_BOOTSTRAP: Final = """\
import sys
sys.path[:0] = {path!r}
from awslambdaric.__main__ import main
main(["bootstrap", "app.handler"])
"""
_FIND: Final = """\
import importlib.util, json, sys
specs = {name: importlib.util.find_spec(name) for name in sys.argv[1:]}
print(json.dumps({name: spec and spec.origin for name, spec in specs.items()}))
"""
_INVOKE_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Runtime:
    """Where the emulator is, and the modules of the client by name."""

    emulator: Path
    client: Mapping[str, Path]


@cache
def find_runtime() -> Runtime | str:
    """What runs functions as Lambda does, or the reason why nothing here can."""
    if SAM is None:
        return NO_SAM
    python = Path(SAM).resolve().with_name("python")
    if not python.is_file():
        return f"{SAM} has no interpreter beside it"
    names = ("samcli", *_CLIENT)
    found = subprocess.run([str(python), "-c", _FIND, *names], capture_output=True, text=True, check=True)
    origins: dict[str, str | None] = json.loads(found.stdout)
    missing = [name for name, origin in origins.items() if origin is None]
    if missing:
        return (
            f"the environment of {SAM} lacks {', '.join(missing)}: it is made from .ci/sam-requirements.txt"
        )
    paths = {name: Path(str(origin)) for name, origin in origins.items()}
    if f"cpython-{sys.version_info.major}{sys.version_info.minor}-" not in paths["runtime_client"].name:
        return f"the runtime client beside {SAM} is for another Python than this one"
    emulator = paths["samcli"].parent / "local" / "rapid" / f"aws-lambda-rie-{ARCHITECTURE}"
    client = {
        name: path.parent if path.name == "__init__.py" else path
        for name, path in paths.items()
        if name in _CLIENT
    }
    return Runtime(emulator, client)


@dataclass(slots=True)
class Function:
    """A running function. One invocation at a time, as an instance of Lambda's has it."""

    port: int
    log: Path

    def invoke(self, event: Mapping[str, Any]) -> Any:
        """What the function returns for `event`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_INVOKE_SECONDS)
        with contextlib.closing(connection):
            connection.request("POST", "/2015-03-31/functions/function/invocations", json.dumps(event))
            return json.loads(connection.getresponse().read())

    def logged(self) -> str:
        """What the function has written to its log, among the emulator's own lines."""
        return self.log.read_text("utf-8", "replace")


@contextlib.contextmanager
def running(
    runtime: Runtime, name: str, function: Path, layer: Path, settings: Mapping[str, str], folder: Path
) -> Iterator[Function]:
    """The built `function` with its built `layer` in Lambda's runtime, `settings` as environment variables.

    `folder`, empty or missing, takes the runtime's files and the log.
    """
    own = folder / "runtime"
    own.mkdir(parents=True)
    for path in runtime.client.values():
        (own / path.name).symlink_to(path)
    bootstrap = own / "bootstrap.py"
    bootstrap.write_text(_BOOTSTRAP.format(path=[str(function), str(layer), str(own)]), "utf-8")
    log, (port, api) = folder / "log", free_ports(2)
    command = [
        str(runtime.emulator),
        *("--runtime-interface-emulator-address", f"127.0.0.1:{port}"),
        *("--runtime-api-address", f"127.0.0.1:{api}"),
        # -I keeps the environment's paths and the user's packages out, -S this environment's own; -B leaves
        # the build as it is.
        *(sys.executable, "-I", "-S", "-B", str(bootstrap)),
    ]
    variables = {**_environment(name, function, own), **settings}
    # The emulator ends its runtime before itself.
    with listening(command, port, log, cwd=function, env=variables):
        yield Function(port, log)


def _environment(name: str, function: Path, runtime: Path) -> dict[str, str]:
    """The variables that Lambda defines for every function (Developer Guide, "Defined runtime environment
    variables"), as far as a process may have them."""
    return {
        "_HANDLER": "app.handler",
        "AWS_DEFAULT_REGION": "eu-west-3",
        "AWS_EXECUTION_ENV": f"AWS_Lambda_python{sys.version_info.major}.{sys.version_info.minor}",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512",
        "AWS_LAMBDA_FUNCTION_NAME": name,
        "AWS_LAMBDA_FUNCTION_VERSION": "1",
        "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{name}",
        "AWS_LAMBDA_LOG_STREAM_NAME": "2026/07/30/[1]0123456789abcdef",
        "AWS_REGION": "eu-west-3",
        "LAMBDA_RUNTIME_DIR": str(runtime),
        "LAMBDA_TASK_ROOT": str(function),
        "LANG": "en_US.UTF-8",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "TZ": ":UTC",
    }
