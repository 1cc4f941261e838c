"""A proxy between clients and a server of this machine, which stands for the network: it can break every
connection through it, refuse new ones, fall silent, or change what is sent. Needs no rights, unlike network
namespaces; what it can't show is a lost or delayed packet below TCP."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Callable

Change = Callable[[bytes], bytes]  # of a chunk, as it comes


def as_it_is(data: bytes) -> bytes:
    return data


class Proxy:
    """Works in threads of its own, which end after close()."""

    def __init__(self, server: int | str | Callable[[], int | str], path: str | None = None,
                 to_server: Change = as_it_is,
                 to_client: Callable[[], Change] = lambda: as_it_is) -> None:
        """The server is at a port of the loopback or at the path of a Unix socket; a function is asked again
        for each connection. Listens at `path`, or at a free port. What goes to the server is passed through
        `to_server`, what goes to a client through what `to_client` returns for its connection."""
        self._server = server if callable(server) else lambda: server
        self._to_server, self._to_client = to_server, to_client
        self._lock = threading.Lock()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []  # client and server
        self._bytes_left: int | None = None  # from the server, until the cut; None for no cut
        self._passes, self._answers = threading.Event(), threading.Event()
        self.refusing = False
        self.accepted = 0
        self.heal()
        if path is None:
            self._listener = socket.create_server(("127.0.0.1", 0))
            self.port = self._listener.getsockname()[1]
        else:
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(path)
            self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        _shut(self._listener)  # wakes up accept()
        self._listener.close()
        self.cut()
        self._passes.set()

    def cut(self) -> None:
        """Breaks every connection."""
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            _shut(*pair)
        self._answers.set()

    def cut_after(self, count: int) -> None:
        """Breaks the connections after so many more bytes from the server."""
        with self._lock:
            self._bytes_left = count

    def stall(self) -> None:
        """Passes nothing, not even ends, until heal(). What was sent meanwhile arrives then."""
        self._passes.clear()

    def withhold_answers(self) -> None:
        """Passes what goes to the server, but nothing that comes back, until heal() or cut()."""
        self._answers.clear()

    def heal(self) -> None:
        self.refusing = False
        self._passes.set()
        self._answers.set()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.accepted += 1
            threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        self._passes.wait()
        try:
            where = self._server()
            if self.refusing:
                raise ConnectionRefusedError
            if isinstance(where, int):
                server = socket.create_connection(("127.0.0.1", where))
            else:
                server = socket.socket(socket.AF_UNIX)
                server.connect(where)
        except OSError:
            client.close()
            return
        pair = (client, server)
        with self._lock:
            self._pairs.append(pair)
        threading.Thread(target=self._carry, args=(pair, server, client, self._to_client()), daemon=True).start()
        self._carry(pair, client, server, self._to_server)

    def _may_pass(self, pair, source: socket.socket, data: bytes) -> tuple[bytes, bool]:
        """What of `data` goes on, and whether the connections are to be cut behind it."""
        self._passes.wait()
        if source is pair[1]:
            self._answers.wait()
        with self._lock:
            if source is pair[0] or self._bytes_left is None:
                return data, False
            if len(data) < self._bytes_left:
                self._bytes_left -= len(data)
                return data, False
            passed, self._bytes_left = data[:self._bytes_left], None
            return passed, True

    def _carry(self, pair, source: socket.socket, sink: socket.socket, change: Change) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                passed, over = self._may_pass(pair, source, data)
                sink.sendall(change(passed))
                if over:
                    self.cut()
                    break
        self._passes.wait()
        with self._lock:
            if pair in self._pairs:
                self._pairs.remove(pair)
        _shut(*pair)
        source.close()


def _shut(*ends: socket.socket) -> None:
    for end in ends:
        with contextlib.suppress(OSError):  # gone already
            end.shutdown(socket.SHUT_RDWR)
