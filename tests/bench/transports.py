from __future__ import annotations

import contextlib
import pathlib
import re
import socket
import ssl

from runner import Bench, spread

TRANSPORTS = {
    "plain TCP": [],
    "WebSocket, binary": ["--websocket"],
    "WebSocket, JSON": ["--websocket-json"],
    "TLS": ["--tls"],
    "TLS, WebSocket, binary": ["--tls", "--websocket"],
    "TLS, WebSocket, JSON": ["--tls", "--websocket-json"],
}
# Moves a second, of those over plain TCP.
WANTED = {"WebSocket, binary": 0.75, "WebSocket, JSON": 0.35, "TLS": 0.7}
LONGEST_IDLE = 60 * 1024  # bytes of a connection over TLS
HALF_OPEN = 300


def resident_bytes(process: int) -> int:
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024


def half_open(port: int) -> socket.socket:
    """A connection on which TLS has begun: the server has answered, and waits for the client."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(received, sent)
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(sent.read())
    connection.recv(1 << 16)
    return connection


class Transports(Bench):
    """TLS and WebSockets beside plain TCP, and what idle connections and half-open handshakes of TLS cost."""

    title = "Transports beside plain TCP"
    short = ["--rounds", "2", "--seconds", "0.5"]

    @staticmethod
    def add_options(parser) -> None:
        parser.add_argument("--connections", type=int, default=2_000, help="that are idle [2000]")

    def round(self) -> None:
        idle = ["idle", "--rooms", str(self.options.connections // 2), "--seconds", "2"]
        for row, load in (("moves", self.games(50)), ("idle", idle)):
            for name, options in TRANSPORTS.items():
                with self.server() as server:
                    self.keep(row, name, self.load(server, *options, *load))
        with contextlib.ExitStack() as opened, self.server() as server:
            # The first handshake makes tables that stay.
            half_open(server.port).close()
            before = resident_bytes(server.pid)
            for _ in range(HALF_OPEN):
                opened.enter_context(half_open(server.port))
            self.keep("half-open", "server", {"bytes": (resident_bytes(server.pid) - before) / HALF_OPEN})

    def report(self):
        yield "| | moves/s | of plain TCP | wanted | CPU a move, us | of plain TCP |"
        yield "|---|---:|---:|---:|---:|---:|"
        for name in TRANSPORTS:
            moves, cost = (spread(self.figures.ratios("moves", name, "plain TCP", key))
                           for key in ("moves_per_second", "server_us_per_move"))
            wanted = f"at least {WANTED[name]}" if name in WANTED else ""
            yield (f"| {name} | {self.figures.median('moves', name, 'moves_per_second'):,.0f} | {moves} | {wanted} | "
                   f"{self.figures.median('moves', name, 'server_us_per_move'):.1f} | {cost} |")
        yield from ("", "| | bytes of an idle connection | wanted |", "|---|---:|---:|")
        for name in TRANSPORTS:
            wanted = f"at most {LONGEST_IDLE:,}" if name.startswith("TLS") else ""
            values = self.figures.values("idle", name, "server_bytes_per_connection")
            yield f"| {name} | {spread(values, '{:,.0f}')} | {wanted} |"
        yield ""
        yield (f"{self.options.connections:,} connections were idle. Each of {HALF_OPEN} half-open handshakes of TLS "
               f"takes {spread(self.figures.values('half-open', 'server', 'bytes'), '{:,.0f}')} bytes, until the time "
               "for the hello is over.")
