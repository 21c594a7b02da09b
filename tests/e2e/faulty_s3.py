"""An S3 that fails as the real one does: moto's server, behind faults that a test chooses."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

HOST: Final = "127.0.0.1"
REGION: Final = "eu-west-3"

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]
# What happens to a request in place of, before or after what moto does with it.
Fault = Callable[[Application, Environ, StartResponse], Iterable[bytes]]


def refused(status: str, code: str) -> Fault:
    """S3's own form of an error (S3 API reference, "Error responses")."""
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code><Message>no</Message></Error>'
    return answered(status, body.encode(), "application/xml")


def answered(status: str, body: bytes, content_type: str) -> Fault:
    """Another answer than S3's, as some machine in between may give."""

    def fault(application: Application, environ: Environ, start: StartResponse) -> Iterable[bytes]:
        start(status, [("Content-Type", content_type), ("Content-Length", str(len(body)))])
        return [body]

    return fault


def truncated(application: Application, environ: Environ, start: StartResponse) -> Iterable[bytes]:
    """The first half of the body, although the whole of it was announced."""
    body = b"".join(application(environ, start))
    return [body[: len(body) // 2]]


def late(seconds: float) -> Fault:
    """The right answer, `seconds` later."""

    def fault(application: Application, environ: Environ, start: StartResponse) -> Iterable[bytes]:
        time.sleep(seconds)
        return application(environ, start)

    return fault


INTERNAL_ERROR: Final = refused("500 Internal Server Error", "InternalError")
SLOW_DOWN: Final = refused("503 Slow Down", "SlowDown")
ACCESS_DENIED: Final = refused("403 Forbidden", "AccessDenied")
BAD_GATEWAY: Final = answered("502 Bad Gateway", b"<html>upstream</html>", "text/html")
CAPTIVE_PORTAL: Final = answered("200 OK", b"<html><p>Sign in to the network", "text/html")


@dataclass(slots=True, eq=False)
class FaultyS3:
    """A running server. `fault` meets the requests that `strikes` is true of, `times` of them at most (None:
    every one); `asked` are the requests as `GET /bucket/key`."""

    port: int = 0
    fault: Fault | None = None
    strikes: Callable[[str], bool] = lambda request: True
    times: int | None = None
    asked: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def endpoint(self) -> str:
        return f"http://{HOST}:{self.port}"

    def fail(
        self, fault: Fault, strikes: Callable[[str], bool] = lambda request: True, times: int | None = None
    ) -> None:
        """Begin to fail."""
        self.fault, self.strikes, self.times = fault, strikes, times

    def heal(self) -> None:
        """Answer as S3 does."""
        self.fault = None

    def client(self) -> "S3Client":
        """A client beside the product's own; no fault must be on when it is used."""
        import boto3

        return boto3.client("s3", endpoint_url=self.endpoint, region_name=REGION)

    def fill(self, bucket: str, keys: Iterable[str]) -> None:
        """Make many small objects at once, straight in moto's memory."""
        from moto.core.models import DEFAULT_ACCOUNT_ID
        from moto.s3.models import s3_backends

        for key in keys:
            s3_backends[DEFAULT_ACCOUNT_ID]["aws"].put_object(bucket, key, b"x")

    def around(self, application: Application) -> Application:
        """The application behind the faults."""

        def wrapped(environ: Environ, start: StartResponse) -> Iterable[bytes]:
            query = environ.get("QUERY_STRING", "")
            request = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}{'?' if query else ''}{query}"
            fault = self._next(request)
            return application(environ, start) if fault is None else fault(application, environ, start)

        return wrapped

    def _next(self, request: str) -> Fault | None:
        with self._lock:
            self.asked.append(request)
            if self.fault is None or self.times == 0 or not self.strikes(request):
                return None
            if self.times is not None:
                self.times -= 1
            return self.fault


@contextlib.contextmanager
def faulty_s3() -> Iterator[FaultyS3]:
    """A server on a free port, until the end of the block."""
    import logging

    from moto.moto_server.werkzeug_app import (
        DomainDispatcherApplication,
        MotoRequestHandler,
        create_backend_app,
    )
    from werkzeug.serving import make_server

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    faulty = FaultyS3()
    application = faulty.around(DomainDispatcherApplication(create_backend_app))
    server = make_server(HOST, 0, application, threaded=True, request_handler=MotoRequestHandler)
    faulty.port = server.port
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield faulty
    finally:
        faulty.heal()
        server.shutdown()
        server.server_close()
        thread.join(10)
