"""The site's functions behind an HTTP server on loopback that plays the CDN's edge: what shared caches ask.

    python -m tests.e2e.origin

Settings come from the environment. The port is printed once the server listens; it ends with its stdin.
"""

import sys
import threading

from fingerpost_tools import functions, places
from fingerpost_tools.local_server import Edge, LocalServer


def main() -> None:
    loaded = functions.load(places.functions())
    server = LocalServer("127.0.0.1", 0, Edge(), lambda method, target, status, seconds: None)

    def follow_stdin() -> None:
        sys.stdin.read()
        server.shutdown()

    threading.Thread(target=follow_stdin, daemon=True).start()
    print(server.port, flush=True)
    with server:
        server.serve(loaded.invoke)


if __name__ == "__main__":
    main()
