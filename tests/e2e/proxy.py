"""A proxy on loopback that does to a connection what networks do: cuts it, holds it up, makes it slow."""

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_CHUNK: Final = 16 * 1024
# How often a connection that is held up looks whether it may go on (seconds).
_LOOK: Final = 0.01
# SO_LINGER with a time of zero: closing sends RST, as a host does that knows nothing of the connection.
_RESET: Final = struct.pack("ii", 1, 0)

Address = tuple[str, int]


@dataclass(slots=True, eq=False)
class Proxy:
    """Passes connections on to `target`. Its attributes may be changed at any time, also under way.

    `refuses` resets new connections, `stalled` lets no answer pass, `delay` (seconds) holds up each piece of
    an answer, `pace` (bytes per second) slows answers down, `cut_after` (bytes) resets a connection once so
    much of its answers has passed. What clients send always passes at once.
    """

    target: Address
    address: Address = ("", 0)
    refuses: bool = False
    stalled: bool = False
    delay: float = 0.0
    pace: float | None = None
    cut_after: int | None = None
    accepted: int = 0
    _open: set[socket.socket] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def port(self) -> int:
        return self.address[1]

    def cut(self) -> None:
        """Reset every connection there is."""
        with self._lock:
            for each in self._open:
                _reset(each)

    def heal(self) -> None:
        """Pass everything on as it comes."""
        self.refuses = self.stalled = False
        self.delay, self.pace, self.cut_after = 0.0, None, None

    def listen(self, listener: socket.socket) -> None:
        """Accept connections until the listener is shut down."""
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            self.accepted += 1
            if self.refuses:
                _reset(client)
                client.close()
                continue
            try:
                server = socket.create_connection(self.target, 5)
            except OSError:
                _reset(client)
                client.close()
                continue
            with self._lock:
                self._open |= {client, server}
            threading.Thread(target=self._connection, args=(client, server), daemon=True).start()

    def _connection(self, client: socket.socket, server: socket.socket) -> None:
        requests = threading.Thread(target=_pass_on, args=(client, server), daemon=True)
        requests.start()
        try:
            self._answers(server, client)
        except OSError:
            _reset(client)
        finally:
            requests.join(5)
            with self._lock:
                self._open -= {client, server}
            client.close()
            server.close()

    def _answers(self, server: socket.socket, client: socket.socket) -> None:
        passed = 0
        while chunk := server.recv(self._size()):
            while self.stalled:
                time.sleep(_LOOK)
            time.sleep(self.delay)
            if self.pace is not None:
                time.sleep(len(chunk) / self.pace)
            if self.cut_after is not None and passed + len(chunk) > self.cut_after:
                client.sendall(chunk[: max(0, self.cut_after - passed)])
                _reset(client)
                _reset(server)
                return
            client.sendall(chunk)
            passed += len(chunk)
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_WR)

    def _size(self) -> int:
        """Pieces small enough for a slow pace to be an even one."""
        return _CHUNK if self.pace is None else max(1, min(_CHUNK, int(self.pace / 20)))


def _pass_on(client: socket.socket, server: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := client.recv(_CHUNK):
            server.sendall(chunk)
    with contextlib.suppress(OSError):
        server.shutdown(socket.SHUT_WR)


def _reset(connection: socket.socket) -> None:
    """End a connection for whoever waits on either side of it."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def proxy(target: Address) -> Iterator[Proxy]:
    """A proxy to `target` on a free port of 127.0.0.1, until the end of the block."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        running = Proxy(target, listener.getsockname()[:2])
        thread = threading.Thread(target=running.listen, args=(listener,), daemon=True)
        thread.start()
        try:
            yield running
        finally:
            running.heal()
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            running.cut()
            thread.join(10)
