from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import subprocess
import threading
import time

from runner import Bench, cpu_seconds, spread

MOST_COST = 0.02  # of the moves
MOST_SCRAPE_MS = 10
BETWEEN_SCRAPES = 1  # seconds; Prometheus asks every 15 if it is not told otherwise
SCRAPES = 50  # of which the mean is taken
CHURN = 20  # connections a second that come and go, and leave lines in the log
RATE = 2_000  # moves a second while nobody reads the log


def give_way() -> None:
    """This thread runs only while nobody else wants its core: the load measures there."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


@contextlib.contextmanager
def beside(act):
    """Calls that function in a thread of its own, which is to end when the event that it gets is set."""
    ends = threading.Event()

    def run() -> None:
        give_way()
        act(ends)
    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()


def repeating(act, seconds: float):
    def run(ends: threading.Event) -> None:
        while not ends.wait(seconds):
            act()
    return beside(run)


class Operation(Bench):
    """What it costs a server to be observed: moves with logs and metrics beside those without, the event loop's
    time for a scrape, and the load's latency while nobody reads the log."""

    title = "The cost of being observed"
    rounds, seconds = 7, 3.0
    short = ["--rounds", "3", "--seconds", "0.5", "--blocked", "2"]

    @staticmethod
    def add_options(parser) -> None:
        parser.add_argument("--connections", type=int, default=10_000, help="while it is scraped [10000]")
        parser.add_argument("--blocked", type=float, default=20, help="seconds in which no log is read [20]")

    @contextlib.contextmanager
    def logging(self, is_read: bool = True):
        """A server with a log that a program reads, or nobody, and with metrics."""
        reader, writer = os.pipe()
        if not is_read:
            # Full from the start, so that not even the first line can be written.
            size = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
            os.write(writer, b"." * size)

        def drain(_ends: threading.Event) -> None:
            while os.read(reader, 1 << 16):
                pass  # until the server has ended
        with beside(drain if is_read else lambda ends: ends.wait()):
            with self.server("--log", "info", "--metrics", "127.0.0.1:0", stderr=writer) as server:
                os.close(writer)
                yield server
        os.close(reader)

    def round(self) -> None:
        with self.server() as server:
            self.keep("moves", "alone", self.load(server, *self.games(50)))
        with self.logging() as server, repeating(server.scrape, BETWEEN_SCRAPES):
            self.keep("moves", "observed", self.load(server, *self.games(50)))
        # In turn, as the second may find another machine than the first.
        for is_read in sorted((False, True), reverse=self.number % 2 == 0):
            with self.logging(is_read) as server, \
                    repeating(lambda server=server: socket.create_connection(("127.0.0.1", server.port)).close(),
                              1 / CHURN):
                self.keep("log", "read" if is_read else "unread", self.load(
                    server, "games", "--rooms", "50", "--rate", str(RATE), "--seconds", str(self.options.blocked),
                    "--warm-up", "1"))
        if self.number == 1:
            self.scrapes()

    def scrapes(self) -> None:
        """The processor time of a server in which everybody rests."""
        rooms = self.options.connections // 2
        with self.logging() as server:
            load = subprocess.Popen(self.load_command(server, "idle", "--rooms", str(rooms), "--seconds", "3600",
                                                      "--between-pings", "3600"), stdout=subprocess.DEVNULL)
            try:
                while server.metric("rooms") < rooms:
                    if load.poll() is not None:
                        raise RuntimeError("the load has ended")
                    time.sleep(1)
                time.sleep(2)
                before = cpu_seconds(server.pid)
                time.sleep(SCRAPES / 10)
                rest, before, took, size = cpu_seconds(server.pid) - before, cpu_seconds(server.pid), [], 0
                for _ in range(SCRAPES):
                    begin = time.monotonic()
                    size = len(server.scrape())
                    took.append(1000 * (time.monotonic() - begin))
                    time.sleep(max(0, 0.1 - took[-1] / 1000))
                self.keep("scrape", "observed", {
                    "cpu_ms": 1000 * (cpu_seconds(server.pid) - before - rest) / SCRAPES, "bytes": size,
                    "longest_ms": max(took)})
            finally:
                load.kill()
                load.wait()

    def report(self):
        def ratio(key):
            return spread(self.figures.ratios("moves", "observed", "alone", key), "{:.3f}")

        yield "| 50 rooms with logs and metrics, of without | | wanted |"
        yield "|---|---:|---:|"
        yield f"| moves a second | {ratio('moves_per_second')} | at least {1 - MOST_COST} |"
        yield f"| CPU a move | {ratio('server_us_per_move')} | |"
        cpu, longest, size = (self.figures.median("scrape", "observed", key)
                              for key in ("cpu_ms", "longest_ms", "bytes"))
        yield from ("", f"A scrape with {self.options.connections:,} connections and "
                    f"{self.options.connections // 2:,} rooms takes {cpu:.1f} ms of the server's processor time "
                    f"(wanted: at most {MOST_SCRAPE_MS}), the mean of {SCRAPES}; the longest was answered in "
                    f"{longest:.1f} ms; it has {size:,.0f} bytes.", "",
                    f"{RATE:,} moves a second in 50 rooms for {self.options.blocked:g} s, while {CHURN} connections a "
                    "second come and go:", "", "| the log is | p50, ms | p99, ms |", "|---|---:|---:|")
        for name in "read", "unread":
            p50, p99 = (spread([value / 1000 for value in self.figures.values("log", name, key)])
                        for key in ("latency_p50_us", "latency_p99_us"))
            yield f"| {name} | {p50} | {p99} |"
        yield f"| unread, of read | | {spread(self.figures.ratios('log', 'unread', 'read', 'latency_p99_us'))} |"
