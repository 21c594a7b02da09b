"""One function in a process of its own: `python -m tests.e2e.one_function NAME PATH...`.

Prints, as JSON, the status of each path, the size of each answer as Lambda carries it, and how much memory
the process needed at most (bytes), which is what Lambda holds against its limit.
"""

import json
import resource
import sys
from pathlib import Path

from fingerpost_tools import functions, places
from tests.support import Context, make_event

_SECONDS = 25
# getrusage(2): kilobytes on Linux, bytes on macOS.
_UNIT = 1 if sys.platform == "darwin" else 1024


def _most_memory() -> int:
    """The most memory that this process ever held. Linux's getrusage(2) also counts what the process that
    started it held, which for a whole test session is far more."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (each for each in status.read_text("ascii", "replace").splitlines() if "VmHWM" in each)
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


def main(name: str, *paths: str) -> None:
    function = functions.load(places.functions()).by_name[name]
    answers = [function.handler(make_event(path), Context(_SECONDS)) for path in paths]
    report = {
        "statuses": [answer["statusCode"] for answer in answers],
        "sizes": [len(json.dumps(answer)) for answer in answers],
        "memory": _most_memory(),
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main(*sys.argv[1:])
