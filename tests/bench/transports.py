#!/usr/bin/env python3
"""Compares the transports of a server with plain TCP, in turn, round after round, and measures what
idle connections and half-open handshakes of TLS cost it.

    transports.py BIN_DIR OUTPUT_DIR [OPTIONS]

Writes transports.md. The server has core 0, the load core 1. Standard library only.
"""

import argparse
import contextlib
import datetime
import pathlib
import re
import socket
import ssl
import statistics

from reporting import processor
from server_bench import PEERS, Bench
from server_report import Figures, cpu_us, spread

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
WANTED_OF_WS = 2
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
    def measure_all(self) -> None:
        ws = PEERS / "ws" / "bench"
        for self.round in range(1, self.options.rounds + 1):
            for name, options in TRANSPORTS.items():
                self.measure("moves-50", name, *options, *self.games(50))
            if self.options.peers and (PEERS / "node_modules").is_dir():
                self.peer(ws, 50)
            for name, options in TRANSPORTS.items():
                self.measure("idle", name, *options, "idle", "--rooms",
                             str(self.options.connections // 2), "--seconds", "2")
            self.open_half()

    def open_half(self) -> None:
        with contextlib.ExitStack() as opened, self.running("server") as (process, options):
            port = int(options[options.index("--port") + 1])
            # The first handshake makes tables that stay.
            half_open(port).close()
            before = resident_bytes(process.pid)
            for _ in range(HALF_OPEN):
                opened.enter_context(half_open(port))
            grown = resident_bytes(process.pid) - before
            self.keep("half-open", "server", {"bytes": grown / HALF_OPEN})


def moves_table(figures: Figures):
    yield "| | moves/s | of plain TCP | wanted | CPU a move, us | of plain TCP |"
    yield "|---|---:|---:|---:|---:|---:|"
    for name in figures.contestants("moves-50"):
        def ratio(key, name=name):
            return spread(figures.ratios("moves-50", name, "plain TCP", key))

        label = "Node's `ws`, by hand" if name == "ws" else name
        wanted = f"at least {WANTED[name]}" if name in WANTED else ""
        yield (f"| {label} | {figures.median('moves-50', name, 'moves_per_second'):,.0f} | "
               f"{ratio('moves_per_second')} | {wanted} | "
               f"{statistics.median(figures.values('moves-50', name, cpu_us)):.1f} | "
               f"{ratio(cpu_us)} |")
    if "ws" in figures.contestants("moves-50"):
        times = figures.ratios("moves-50", "WebSocket, binary", "ws", "moves_per_second")
        yield ""
        yield (f"Over binary WebSockets it makes {spread(times)} times the moves of the server on "
               f"Node's `ws`; wanted: at least {WANTED_OF_WS}.")


def memory_table(figures: Figures):
    yield "| | bytes of an idle connection | wanted |"
    yield "|---|---:|---:|"
    for name in figures.contestants("idle"):
        wanted = f"at most {LONGEST_IDLE:,}" if name.startswith("TLS") else ""
        values = figures.values("idle", name, "server_bytes_per_connection")
        yield f"| {name} | {spread(values, '{:,.0f}')} | {wanted} |"
    yield ""
    yield (f"Each of {HALF_OPEN} half-open handshakes of TLS takes "
           f"{spread(figures.values('half-open', 'server', 'bytes'), '{:,.0f}')} bytes, until the "
           "time for the hello is over.")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement of moves")
    parser.add_argument("--connections", type=int, default=2_000, help="that are idle")
    parser.add_argument("--no-peers", dest="peers", action="store_false")
    return parser.parse_args()


def main() -> None:
    options = read_options()
    bench = Transports(options)
    bench.measure_all()
    figures = Figures(bench.figures)
    shares = [figure["generator_core"] for figure in figures.all() if "generator_core" in figure]
    text = "\n".join([
        "# Transports beside plain TCP",
        "",
        f"Written by `./run bench transports` on {datetime.date.today()}: {processor()}. The server "
        f"had one core, the load another; medians of {options.rounds} rounds of {options.seconds:g} s "
        "with 50 rooms, in which all took turns, with lowest and highest; ratios are of the same "
        f"round. {options.connections:,} connections were idle. The generator had "
        f"{min(shares):.0f} % of its core at worst.",
        "",
        *moves_table(figures),
        "",
        *memory_table(figures),
        "",
    ])
    (options.output / "transports.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
