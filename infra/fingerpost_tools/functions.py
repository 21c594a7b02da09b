"""The real Lambda functions, loaded beside each other, each behind the address the CDN gives it."""

import importlib.util
import json
import re
import threading
import time
import traceback
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from fingerpost.limits import PLATFORM_RESPONSE_BYTES
from fingerpost_tools.command_error import CommandError

Event = Mapping[str, Any]
Answer = dict[str, Any]
Handler = Callable[[Event, Any], Answer]

PAGE: Final = "page"
# The CDN's behaviours, in their order: a pattern for the path below the base path, and its function.
ROUTES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("sitemap", re.compile(r"/sitemap(-\d+)?\.xml")),
    ("robots", re.compile(r"/robots\.txt")),
    ("feed", re.compile(r"/feed\.xml")),
    ("llms", re.compile(r"/llms[^/]*\.txt|/agent-readability\.json")),
)
TIMEOUT_SECONDS: Final = 30


@dataclass(slots=True)
class Context:
    """The context object Lambda hands over, as far as a function may look at it."""

    function_name: str
    function_version: str = "$LATEST"
    memory_limit_in_mb: int = 1024
    aws_request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    _end: float = field(default_factory=lambda: time.monotonic() + TIMEOUT_SECONDS)

    @property
    def invoked_function_arn(self) -> str:
        return f"arn:aws:lambda:us-east-1:000000000000:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        return max(0, int((self._end - time.monotonic()) * 1000))


@dataclass(slots=True)
class Function:
    """One function: its handler, and the promise that an instance handles one event at a time."""

    name: str
    handler: Handler
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock)

    def invoke(self, event: Event) -> Answer:
        """The function's answer to `event`. One that raises, or whose answer is larger than Lambda carries,
        gets the 502 that a function URL gives then; the reason goes to stderr."""
        try:
            with self._one_at_a_time:
                answer = self.handler(event, Context(self.name))
            size = len(json.dumps(answer))
        except Exception:
            traceback.print_exc()
            return _failed()
        if size > PLATFORM_RESPONSE_BYTES:
            complaint = f"{self.name}: the answer has {size} bytes; Lambda carries {PLATFORM_RESPONSE_BYTES}"
            traceback.print_exception(ValueError(complaint))
            return _failed()
        return answer


@dataclass(frozen=True, slots=True)
class Functions:
    """All functions of the site. `base` is the base path ("" or "/docs"), under which requests arrive."""

    by_name: Mapping[str, Function]
    base: str = ""

    def invoke(self, event: Event) -> Answer:
        """Send an event to the function its path belongs to."""
        return self.by_name[self.route(str(event["rawPath"]))].invoke(event)

    def route(self, raw_path: str) -> str:
        """The name of the function that answers `raw_path`, compared undecoded as the CDN does."""
        for name, pattern in ROUTES:
            below = self._below_base(raw_path, name)
            if name in self.by_name and any(pattern.fullmatch(path) for path in below):
                return name
        return PAGE

    def _below_base(self, raw_path: str, name: str) -> tuple[str, ...]:
        if not self.base:
            return (raw_path,)
        # RFC 9309 2.3: robots.txt is at the root of the host, wherever the site begins.
        at_root = (raw_path,) if name == "robots" else ()
        if raw_path.startswith(f"{self.base}/"):
            return (*at_root, raw_path.removeprefix(self.base))
        return at_root


def load(folder: Path, base: str = "") -> Functions:
    """The functions below `folder`, one per folder with an `app.py`, each in a module of its own name.

    Loading runs a function's start-up code, which reads its settings from the environment: set them first.
    """
    found = {path.parent.name: path for path in sorted(folder.glob("*/app.py"))}
    if PAGE not in found:
        raise CommandError(f"{folder} was expected to hold {PAGE}/app.py and its like; found {sorted(found)}")
    return Functions({name: Function(name, _handler(name, path)) for name, path in found.items()}, base)


def _handler(name: str, path: Path) -> Handler:
    # All are called `app` where they run; here they stand side by side.
    spec = importlib.util.spec_from_file_location(f"fingerpost_function_{name}", path)
    if spec is None or spec.loader is None:
        raise CommandError(f"{path} can't be loaded as a module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    handler: Handler = module.handler
    return handler


def _failed() -> Answer:
    return {
        "statusCode": 502,
        "headers": {"content-type": "text/plain; charset=utf-8", "cache-control": "no-store"},
        "body": "The function failed; its error stands in the terminal.\n",
        "isBase64Encoded": False,
    }
