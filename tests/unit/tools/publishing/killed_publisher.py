"""Runs `fingerpost` as a process that dies by SIGKILL in the middle of its work.

The first argument is how many writes S3 gets to see; at the next one the process is gone. The rest is the
command line.
"""

import os
import signal
import sys
import threading
from typing import Any

import botocore.client

from fingerpost_tools.main import main

allowed = int(sys.argv[1])
seen = 0
one_at_a_time = threading.Lock()
real = botocore.client.BaseClient._make_api_call  # type: ignore[attr-defined]


def call(client: Any, operation: str, arguments: dict[str, Any]) -> Any:
    """An S3 call, the fatal one included."""
    global seen
    if operation not in ("PutObject", "CopyObject", "DeleteObject", "DeleteObjects"):
        return real(client, operation, arguments)
    with one_at_a_time:
        seen += 1
        if seen > allowed:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(client, operation, arguments)


botocore.client.BaseClient._make_api_call = call  # type: ignore[attr-defined]
sys.exit(main(sys.argv[2:]))
