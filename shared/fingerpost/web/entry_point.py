"""From a document's answer to a Lambda handler: what every function does around its own document."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from fingerpost.deadline import deadline
from fingerpost.errors import Unavailable
from fingerpost.limits import ANSWERING_SECONDS, PATH_CHARACTERS
from fingerpost.observe import count, log_error
from fingerpost.sources.objects import ObjectChanged
from fingerpost.web.answer import Answer
from fingerpost.web.request import Request, from_event
from fingerpost.web.response import FAILED, METHOD_NOT_ALLOWED, METHODS, UNAVAILABLE, to_event

Handler = Callable[[Mapping[str, Any], object], dict[str, Any]]


def handler_for(answer: Callable[[Request], Answer]) -> Handler:
    """A function-URL handler (event, context -> response) that serves `answer`.

    Methods other than GET and HEAD get 405, whatever is asked for. What `answer` raises never reaches the
    client: `Unavailable` becomes 503, anything else 500, each with a line in the log and a count
    (`Unavailable`, `Failed`); an answer that met a file of another state of the site is made once more first.
    Nothing is waited for beyond the function's own time-out.
    """

    def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
        request = Request("GET", "/")
        try:
            request = from_event(event)
            with deadline(_seconds_for(context)):
                return to_event(_answered(answer, request), request)
        except Unavailable as error:
            _report("Unavailable", error, request, context)
            return to_event(UNAVAILABLE, request)
        except Exception as error:
            _report("Failed", error, request, context)
            return to_event(FAILED, request)

    return handler


def _seconds_for(context: object) -> float:
    """How long the answer may take, as Lambda's context object says."""
    remaining = getattr(context, "get_remaining_time_in_millis", None)
    return inf if remaining is None else remaining() / 1000 - ANSWERING_SECONDS


def _answered(answer: Callable[[Request], Answer], request: Request) -> Answer:
    if request.method not in METHODS:
        return METHOD_NOT_ALLOWED
    try:
        return answer(request)
    except ObjectChanged:  # the site was changed meanwhile, and is looked at anew
        return answer(request)


def _report(metric: str, error: Exception, request: Request, context: object) -> None:
    """Log what went wrong, without the query and the headers: they are the visitor's."""
    log_error(
        f"{type(error).__name__}: {error}",
        method=request.method,
        path=request.path[:PATH_CHARACTERS],
        request_id=getattr(context, "aws_request_id", None),
    )
    count(metric)
