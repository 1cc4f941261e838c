#!/usr/bin/env python3
"""Measures what it costs a server to be observed: moves with logs and metrics beside those without, in
turn, the event loop's time for a scrape, and the load's latency while nobody reads the log.

    operation.py BIN_DIR OUTPUT_DIR [OPTIONS]

Writes operation.md. The server has core 0, the load core 1. Standard library only.
"""

import argparse
import contextlib
import datetime
import fcntl
import os
import pathlib
import re
import resource
import socket
import subprocess
import threading
import time
import urllib.request

from reporting import processor
from server_bench import SERVER_CORE, SERVER_OPTIONS, Bench, cpu_seconds
from server_report import Figures, cpu_us, spread

MOST_COST = 0.02  # of the moves
MOST_SCRAPE_MS = 10
BETWEEN_SCRAPES = 1  # seconds; Prometheus asks every 15 if it is not told otherwise
SCRAPES = 50  # of which the mean is taken
CHURN = 20  # connections a second that come and go, and leave lines in the log


def scrape(url: str) -> int:
    with urllib.request.urlopen(url) as answer:
        return len(answer.read())


def give_way() -> None:
    """This thread runs only while nobody else wants its core: the load measures there."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


@contextlib.contextmanager
def repeating(act, seconds: float):
    """Calls that function in a thread of its own, again and again."""
    ends = threading.Event()

    def run() -> None:
        give_way()
        while not ends.wait(seconds):
            act()
    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()


class Operation(Bench):
    """Contestants: "alone" without log and metrics, "observed" with both and a scrape each second,
    "unread" with a log that nobody reads, "read" with one that a program reads."""

    metrics = ""

    @contextlib.contextmanager
    def running(self, contestant: str):
        options = list(SERVER_OPTIONS)
        if contestant != "alone":
            options[options.index("--log") + 1] = "info"
        if contestant == "observed":
            options += ["--metrics", "127.0.0.1:0"]
        reader, writer = os.pipe()
        if contestant == "unread":
            # Full from the start, so that not even the first line can be written.
            size = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
            os.write(writer, b"." * size)
        log = subprocess.DEVNULL if contestant == "alone" else writer
        process = subprocess.Popen(
            ["taskset", "-c", SERVER_CORE, f"{self.bin}/tictactoe-server", *options], text=True,
            stdout=subprocess.PIPE, stderr=log)
        os.close(writer)
        drain = None
        if contestant != "unread":
            def read() -> None:
                give_way()
                while os.read(reader, 1 << 16):
                    pass
            drain = threading.Thread(target=read)
            drain.start()
        try:
            wanted = {"listening on": r"listening on .*:(\d+)$"}
            if contestant == "observed":
                wanted["metrics at"] = r"metrics at (\S+)"
            said = {}
            while len(said) < len(wanted):
                line = process.stdout.readline()
                if not line:
                    raise RuntimeError("the server does not start")
                for name, pattern in wanted.items():
                    if found := re.search(pattern, line):
                        said[name] = found[1]
            port, self.metrics = said["listening on"], said.get("metrics at", "")
            yield process, ["--port", port, "--server-pid", str(process.pid)]
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()
            if drain is not None:
                drain.join()
            os.close(reader)
            self.metrics = ""

    def scraping(self, *_):
        return repeating(lambda: scrape(self.metrics), BETWEEN_SCRAPES)

    @staticmethod
    def churn(_process, options):
        """Connections that come and go: each leaves two lines in the log."""
        port = int(options[options.index("--port") + 1])
        return repeating(lambda: socket.create_connection(("127.0.0.1", port)).close(), 1 / CHURN)

    def moves(self, rooms: int) -> None:
        for contestant, beside in (("alone", None), ("observed", self.scraping)):
            self.measure(f"moves-{rooms}", contestant, *self.games(rooms), beside=beside)

    def unread(self) -> None:
        games = ["games", "--rooms", "50", "--rate", "2000", "--seconds",
                 str(self.options.blocked), "--warm-up", "1"]
        # In turn, as the second may find another machine than the first.
        for contestant in sorted(("read", "unread"), reverse=self.round % 2 == 0):
            self.measure("unread", contestant, *games, beside=self.churn)

    def scrapes(self) -> None:
        """The processor time of a server in which everybody rests."""
        rooms = self.options.connections // 2
        with self.running("observed") as (process, options):
            command = [f"{self.bin}/tictactoe-load", *options, "--quiet", "idle", "--rooms",
                       str(rooms), "--seconds", "3600", "--between-pings", "3600"]
            load = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            try:
                pattern = re.compile(rb"^tictactoe_rooms\{.*\} (\d+)", re.MULTILINE)
                while True:
                    time.sleep(1)
                    with urllib.request.urlopen(self.metrics) as answer:
                        open_rooms = sum(int(count) for count in pattern.findall(answer.read()))
                    if open_rooms >= rooms:
                        break
                    if load.poll() is not None:
                        raise RuntimeError("the load has ended")
                time.sleep(2)
                took, rest = [], 0.0
                before = cpu_seconds(process.pid)
                time.sleep(SCRAPES / 10)
                rest = cpu_seconds(process.pid) - before
                before, size = cpu_seconds(process.pid), 0
                for _ in range(SCRAPES):
                    begin = time.monotonic()
                    size = scrape(self.metrics)
                    took.append(1000 * (time.monotonic() - begin))
                    time.sleep(max(0, 0.1 - took[-1] / 1000))
                used = cpu_seconds(process.pid) - before - rest
                self.keep("scrape", "observed", {"cpu_ms": 1000 * used / SCRAPES, "bytes": size,
                                                 "longest_ms": max(took)})
            finally:
                load.kill()
                load.wait()

    def measure_all(self) -> None:
        for self.round in range(1, self.options.rounds + 1):
            print(f"round {self.round} of {self.options.rounds}", flush=True)
            self.moves(50)
        self.round = 1
        if self.options.connections > 0:
            self.scrapes()
        for self.round in range(1, self.options.blocked_rounds + 1):
            self.unread()


def table(figures: Figures, options: argparse.Namespace):
    def ratio(key):
        return spread(figures.ratios("moves-50", "observed", "alone", key), "{:.3f}")

    yield "| with logs and metrics, of without | | wanted |"
    yield "|---|---:|---:|"
    yield f"| moves a second | {ratio('moves_per_second')} | at least {1 - MOST_COST} |"
    yield f"| CPU a move | {ratio(cpu_us)} | |"
    yield ""
    if options.connections > 0:
        yield from scrape_lines(figures, options)
    yield (f"2,000 moves a second in 50 rooms for {options.blocked:g} s, while {CHURN} connections a "
           f"second come and go; medians of {options.blocked_rounds} rounds, with lowest and highest:")
    yield ""
    yield "| the log is | p50, ms | p99, ms |"
    yield "|---|---:|---:|"
    for name in ("read", "unread"):
        p50, p99 = (spread([value / 1000 for value in figures.values("unread", name, key)])
                    for key in ("latency_p50_us", "latency_p99_us"))
        yield f"| {name} | {p50} | {p99} |"
    ratios = figures.ratios("unread", "unread", "read", "latency_p99_us")
    yield f"| unread, of read | | {spread(ratios)} |"


def scrape_lines(figures: Figures, options: argparse.Namespace):
    median = figures.median
    yield (f"A scrape with {options.connections:,} connections and {options.connections // 2:,} rooms "
           f"takes {median('scrape', 'observed', 'cpu_ms'):.1f} ms of the server's processor time "
           f"(wanted: at most {MOST_SCRAPE_MS}), the mean of {SCRAPES}; the longest was answered in "
           f"{median('scrape', 'observed', 'longest_ms'):.1f} ms; it has "
           f"{median('scrape', 'observed', 'bytes'):,.0f} bytes.")
    yield ""


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=3, help="of each measurement of moves")
    parser.add_argument("--connections", type=int, default=10_000, help="while it is scraped; 0: it is not")
    parser.add_argument("--blocked", type=float, default=60, help="seconds in which no log is read")
    parser.add_argument("--blocked-rounds", type=int, default=3)
    options = parser.parse_args()
    options.peers = False
    return options


def main() -> None:
    options = read_options()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    bench = Operation(options)
    bench.measure_all()
    text = "\n".join([
        "# The cost of being observed",
        "",
        f"Written by `./run bench operation` on {datetime.date.today()}: {processor()}. The server "
        f"had one core, the load another; medians of {options.rounds} rounds of {options.seconds:g} s "
        "with 50 rooms, in which both took turns, with lowest and highest; ratios are of the same "
        "round.",
        "",
        *table(Figures(bench.figures), options),
        "",
    ])
    (options.output / "operation.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
