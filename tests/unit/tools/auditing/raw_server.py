"""A server that speaks to the socket itself, for answers that no well-behaved server gives."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Behaviour = Callable[[socket.socket, str], None]


@contextmanager
def misbehaving(behaviour: Behaviour) -> Iterator[str]:
    """A port of this machine where each connection's first request is left to `behaviour`, which gets the
    socket and the request's path; the origin."""
    stopped = threading.Event()

    def serve(connection: socket.socket) -> None:
        # The other side gives up sooner or later, which is what is tested.
        with connection, suppress(OSError):
            received = b""
            while b"\r\n\r\n" not in received:
                received += connection.recv(4096) or b"\r\n\r\n"
            behaviour(connection, received.split(b" ", 2)[1].decode() if received.count(b" ") > 1 else "")

    def accept() -> None:
        while not stopped.is_set():
            with suppress(TimeoutError):
                connection, _ = listener.accept()
                connection.settimeout(5)
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        stopped.set()
        thread.join()
