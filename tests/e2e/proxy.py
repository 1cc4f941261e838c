"""A TCP proxy on loopback that can cut every connection through it, refuse new ones, or fall silent."""

import socket
import threading


class Proxy:
    def __init__(self, port):
        self._server_port = port
        self._lock = threading.Lock()
        self._pairs = []
        self._muted = []
        self.refusing = False
        self.accepted = 0
        self._bytes_left = None  # from the server, until the cut; None for no cut
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes up accept()
        except OSError:
            pass  # closed already
        self._listener.close()
        self.cut()

    def cut(self):
        """Breaks every connection."""
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # gone already

    def cut_after(self, count):
        """Breaks the connections after so many more bytes from the server."""
        with self._lock:
            self._bytes_left = count

    def fall_silent(self):
        """Drops everything that arrives on the present connections from now on, including their ends."""
        with self._lock:
            self._muted = list(self._pairs)

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.accepted += 1
            if self.refusing:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self._server_port))
            except OSError:
                client.close()
                continue
            pair = (client, server)
            with self._lock:
                self._pairs.append(pair)
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._carry, args=(pair, source, sink), daemon=True).start()

    def _may_pass(self, pair, source, data):
        """What of `data` goes on, and whether the connections are to be cut behind it."""
        with self._lock:
            if pair in self._muted:
                return b"", False
            if source is pair[0] or self._bytes_left is None:
                return data, False
            if len(data) < self._bytes_left:
                self._bytes_left -= len(data)
                return data, False
            passed, self._bytes_left = data[:self._bytes_left], None
            return passed, True

    def _carry(self, pair, source, sink):
        try:
            while data := source.recv(65536):
                passed, over = self._may_pass(pair, source, data)
                sink.sendall(passed)
                if over:
                    self.cut()
                    break
        except OSError:
            pass
        with self._lock:
            if pair in self._muted:
                return  # nor does the other end hear that this one is gone
        for end in pair:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        source.close()
