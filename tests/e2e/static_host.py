"""A plain static host, as `python -m http.server` is one, that also looks for a file with `.html`."""

import contextlib
import http.server
import os
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any


class _Handler(http.server.SimpleHTTPRequestHandler):
    """nginx's `try_files $uri $uri.html`, and a folder's index where the path ends in a slash."""

    protocol_version = "HTTP/1.1"
    # Head and body are written one after the other: the second would wait 40 ms for the first.
    disable_nagle_algorithm = True

    def translate_path(self, path: str) -> str:
        file = super().translate_path(path)
        if not path.endswith("/") and not os.path.isfile(file) and os.path.isfile(f"{file}.html"):
            return f"{file}.html"
        return file

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        self.send_error(404)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name http.server calls it by
        """Silence."""


@contextlib.contextmanager
def hosting(folder: Path) -> Iterator[str]:
    """The origin (`http://host:port`) at which the files below `folder` are served, until the end of the
    block."""
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(_Handler, directory=str(folder))
    ) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
