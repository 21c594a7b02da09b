"""What the operator gets to see: log lines and metrics, without anything a visitor keeps secret.

In Lambda, lines are structured by Powertools and counts become CloudWatch metrics (Embedded Metric Format,
namespace `Fingerpost`). Elsewhere lines go to the standard logger `fingerpost`, whose program decides where
they end up, and counts are dropped: nothing there collects them. Importing this module costs nothing; the
logger is only loaded when something is to be said.
"""

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from aws_lambda_powertools import Logger

NAMESPACE: Final = "Fingerpost"
_NAME: Final = "fingerpost"
_HIDDEN: Final = "[hidden]"

_SECRET_FIELD = re.compile(r"cookie|token|passw|secret|authorization|credential|dsn", re.IGNORECASE)
# User information in a URL (RFC 3986 3.2.1), a JSON Web Token (RFC 7519), `password=` in several spellings.
_SECRET_TEXT = re.compile(
    r"(?<=://)[^/\s@:]*:[^/\s@]*(?=@)"
    r"|\beyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?"
    r"|(?<=password=)[^\s&]+|(?<=passwd=)[^\s&]+|(?<=pwd=)[^\s&]+",
    re.IGNORECASE,
)


def log_error(message: str, **fields: object) -> None:
    """Say that something failed. While an exception is being handled, its traceback is added."""
    _log("error", message, fields, _traceback())


def log_warning(message: str, **fields: object) -> None:
    """Say that something is not as it should be, though the answer is right."""
    _log("warning", message, fields, None)


def count(metric: str) -> None:
    """Add one to a metric of namespace `Fingerpost`."""
    if not _in_lambda():
        return
    from aws_lambda_powertools.metrics import MetricUnit, single_metric

    with single_metric(
        name=metric,
        unit=MetricUnit.Count,
        value=1,
        namespace=NAMESPACE,
        default_dimensions={"function": os.environ["AWS_LAMBDA_FUNCTION_NAME"]},
    ):
        pass


def without_secrets(text: str) -> str:
    """`text` with passwords in URLs, `password=` values and session tokens replaced."""
    return _SECRET_TEXT.sub(_HIDDEN, text)


def _in_lambda() -> bool:
    return "AWS_LAMBDA_FUNCTION_NAME" in os.environ


def _log(level: str, message: str, fields: dict[str, object], traceback: str | None) -> None:
    detail = {
        name: _HIDDEN if _SECRET_FIELD.search(name) else _plain(value)
        for name, value in fields.items()
        if value is not None
    }
    text = without_secrets(message)
    if _in_lambda():
        # Under one key, since the names of a log record (`name`, `args`, `module`, ...) can't be used again.
        extra: dict[str, Any] = {"detail": detail} if detail else {}
        if traceback:
            extra["traceback"] = traceback
        getattr(_powertools_logger(), level)(text, extra=extra)
        return
    import logging

    words = [text, *(f"{name}={value}" for name, value in detail.items())]
    line = " ".join(words) + (f"\n{traceback}" if traceback else "")
    getattr(logging.getLogger(_NAME), level)("%s", line)


def _plain(value: object) -> object:
    return value if isinstance(value, bool | int | float) else without_secrets(str(value))


def _traceback() -> str | None:
    """The traceback of the exception being handled, as text: a log formatter would hide nothing in it."""
    import sys

    if sys.exc_info()[0] is None:
        return None
    import traceback

    return without_secrets(traceback.format_exc().rstrip())


@cache
def _powertools_logger() -> "Logger":
    from aws_lambda_powertools import Logger

    return Logger(service=_NAME)
