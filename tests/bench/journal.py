#!/usr/bin/env python3
"""Measures what the journal costs: a server without and with it, in turn, at full load and at half;
and what it costs at least: a relay that waits for the disk, of one that does not.

    journal.py BIN_DIR OUTPUT_DIR [OPTIONS]

Writes journal.md. The server has core 0, the load core 1. Standard library only.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict

from reporting import processor
from server_bench import LOAD_CORE, SERVER_CORE

OPTIONS = ["--listen", "127.0.0.1", "--port", "0", "--log", "off", "--rate", "0", "--max-per-address", "0",
           "--max-connections", "20000", "--max-rooms", "20000", "--no-discovery", "--metrics", "127.0.0.1:0"]
COMMITS = re.compile(r"^tictactoe_journal_commit_seconds_count (\d+)", re.MULTILINE)
THREADS = {"loop": "the event loop", "journal": "the journal's thread", "history": "the history's thread"}
WITHOUT, WITH, BEFORE = "without", "with", "before"
RELAY, LOGGING_RELAY = "relay", "relay with a log"


class Program:
    """A running server or relay, and what can be seen of it from outside."""

    def __init__(self, process: subprocess.Popen, is_relay: bool) -> None:
        self.pid = process.pid
        announced = ""
        while ("listening on" if is_relay else "metrics at") not in announced:
            line = process.stdout.readline()
            if not line:
                sys.exit(f"journal.py: {process.args[3]} did not start")
            announced += line
        self.port = re.search(r"listening on .*:(\d+)$", announced, re.MULTILINE)[1]
        self.load_options = ["--floor"] if is_relay else []
        self._metrics = None if is_relay else re.search(r"metrics at (\S+)", announced)[1]

    def commits(self) -> int:
        """So far; 0 of a relay."""
        if not self._metrics:
            return 0
        with urllib.request.urlopen(self._metrics) as page:
            found = COMMITS.search(page.read().decode())
        return int(found[1]) if found else 0

    def cpu(self) -> dict[str, float]:
        """Seconds of each thread."""
        seconds = defaultdict(float)
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            kind = "loop" if task.name == str(self.pid) else (task / "comm").read_text().strip()
            seconds[kind] += int((task / "schedstat").read_text().split()[0]) / 1e9
        return seconds

    def pin_other_threads(self, core: str) -> None:
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            if task.name != str(self.pid):
                os.sched_setaffinity(int(task.name), {int(core)})


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.figures = []  # one for each round, number of rooms, contestant and load

    @contextlib.contextmanager
    def running(self, contestant: str):
        binaries = self.options.before if contestant == BEFORE else self.options.bin
        # Beside the programs, as the directory for temporary files may be memory.
        folder = tempfile.mkdtemp(prefix="journal-bench.", dir=self.options.folder or self.options.bin)
        is_relay = contestant in (RELAY, LOGGING_RELAY)
        command = ([f"{binaries}/tictactoe-relay"] if is_relay else
                   [f"{binaries}/tictactoe-server", *OPTIONS])
        command += {RELAY: [], LOGGING_RELAY: ["--log", f"{folder}/log"],
                    WITHOUT: ["--no-journal"]}.get(contestant, ["--data-dir", folder])
        environment = dict(os.environ)
        if self.options.disk_ms:
            environment |= {"LD_PRELOAD": f"{self.options.bin}/libtictactoe-slow-disk.so",
                            "SLOW_DISK_MS": str(self.options.disk_ms)}
        process = subprocess.Popen(["taskset", "-c", SERVER_CORE, *command], text=True,
                                   stdout=subprocess.PIPE, env=environment)
        try:
            program = Program(process, is_relay)
            if self.options.core == "other":
                program.pin_other_threads(LOAD_CORE)
            yield program
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()
            shutil.rmtree(folder)

    def play(self, server: Program, rooms: int, rate: float = 0) -> dict:
        command = ["taskset", "-c", LOAD_CORE, f"{self.options.bin}/tictactoe-load", *server.load_options,
                   "--port", server.port, "--server-pid", str(server.pid), "--quiet", "--json", "-", "games", "--rooms", str(rooms),
                   "--seconds", str(self.options.seconds), "--warm-up", str(min(1, self.options.seconds)),
                   "--rate", str(rate)]
        commits, cpu = server.commits(), server.cpu()
        figures = json.loads(subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout)
        used = {name: seconds - cpu.get(name, 0) for name, seconds in server.cpu().items()}
        moves = figures["moves_per_second"] * (self.options.seconds + min(1, self.options.seconds))
        figures["moves_per_commit"] = moves / max(1, server.commits() - commits)
        figures["shares"] = {name: seconds / max(1e-9, sum(used.values())) for name, seconds in used.items()}
        return figures

    def round(self, number: int, rooms: int) -> None:
        """Each measurement has a program of its own, and does not begin with records that another has left to be
        compacted."""
        before = (BEFORE,) if self.options.before else ()
        contestants = [WITH, WITHOUT, *before, RELAY, LOGGING_RELAY]
        first = number % len(contestants)
        contestants = contestants[first:] + contestants[:first]

        def measure(load: str, rate: float) -> dict[str, float]:
            moves = {}
            for contestant in contestants:
                with self.running(contestant) as program:
                    figures = self.play(program, rooms, rate)
                moves[contestant] = figures["moves_per_second"]
                self.figures.append({"round": number, "rooms": rooms, "contestant": contestant, "load": load,
                                     **figures})
                print(f"round {number}, {rooms} rooms, {load} load, {contestant}: {moves[contestant]:.0f} moves/s",
                      file=sys.stderr, flush=True)
            return moves

        measure("half", measure("full", 0)[WITH] / 2)

    def run(self) -> None:
        for number in range(1, self.options.rounds + 1):
            for rooms in self.options.rooms:
                self.round(number, rooms)


class Report:
    def __init__(self, figures: list[dict], options: argparse.Namespace) -> None:
        self.figures, self.options = figures, options

    def of(self, rooms: int, contestant: str, load: str, key: str) -> list[float]:
        """By round."""
        return [figure[key] for figure in self.figures
                if (figure["rooms"], figure["contestant"], figure["load"]) == (rooms, contestant, load)]

    def compared(self, rooms: int, contestant: str, load: str, key: str, compare, other=WITHOUT) -> list[float]:
        """Rounds are compared with themselves: what else the machine did hit both alike."""
        return [compare(a, b) for a, b in
                zip(self.of(rooms, contestant, load, key), self.of(rooms, other, load, key))]

    def ratios(self, rooms: int, contestant: str, load: str, key: str) -> str:
        return spread(self.compared(rooms, contestant, load, key, lambda a, b: a / b))

    def more(self, rooms: int, contestant: str, load: str, key: str) -> str:
        return spread(self.compared(rooms, contestant, load, key, lambda a, b: a - b))

    def contestants(self) -> list[str]:
        names = {figure["contestant"] for figure in self.figures}
        return [name for name in (WITHOUT, BEFORE, WITH) if name in names]

    def moves(self):
        yield ("| rooms | journal | moves/s | ratio | CPU a move, user + system, us | more user CPU, us | "
               "p50 / p99, us | p99, ratio | moves a commit | load generator busy |")
        yield "|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|"
        for rooms in self.options.rooms:
            for name in self.contestants():
                def median(key):
                    return statistics.median(self.of(rooms, name, "full", key))

                ratio, user, p99, commit = "1", "", "1", ""
                if name != WITHOUT:
                    ratio = self.ratios(rooms, name, "full", "moves_per_second")
                    user = self.more(rooms, name, "full", "server_user_us_per_move")
                    p99 = self.ratios(rooms, name, "full", "latency_p99_us")
                    commit = f"{median('moves_per_commit'):.0f}"
                yield (f"| {rooms} | {name} | {median('moves_per_second'):,.0f} | {ratio} | "
                       f"{median('server_user_us_per_move'):.1f} + {median('server_system_us_per_move'):.1f} | "
                       f"{user} | {median('latency_p50_us'):,.0f} / {median('latency_p99_us'):,.0f} | {p99} | "
                       f"{commit} | {median('generator_busy'):.0f} % |")

    def half_load(self):
        yield "| at half load, rooms | journal | p50, us | p99, us | p99, ratio | CPU a move, us |"
        yield "|---:|---|---:|---:|---:|---:|"
        for rooms in self.options.rooms:
            for name in self.contestants():
                def values(key):
                    return self.of(rooms, name, "half", key)

                p99 = "1" if name == WITHOUT else self.ratios(rooms, name, "half", "latency_p99_us")
                yield (f"| {rooms} | {name} | {statistics.median(values('latency_p50_us')):,.0f} | "
                       f"{spread(values('latency_p99_us'), '{:,.0f}')} | {p99} | "
                       f"{statistics.median(values('server_us_per_move')):.1f} |")

    def floor(self):
        yield ("| the least, rooms | moves/s of a relay with a log, of one without | p99, ratio | p99 at half "
               "load, us | its ratio | moves/s of the server with a journal, of the relay with a log |")
        yield "|---:|---:|---:|---:|---:|---:|"
        for rooms in self.options.rooms:
            def ratio(load, key, contestant=LOGGING_RELAY, other=RELAY):
                return spread(self.compared(rooms, contestant, load, key, lambda a, b: a / b, other))

            yield (f"| {rooms} | {ratio('full', 'moves_per_second')} | {ratio('full', 'latency_p99_us')} | "
                   f"{spread(self.of(rooms, LOGGING_RELAY, 'half', 'latency_p99_us'), '{:,.0f}')} | "
                   f"{ratio('half', 'latency_p99_us')} | "
                   f"{ratio('full', 'moves_per_second', WITH, LOGGING_RELAY)} |")

    def threads(self):
        yield f"| CPU of a move, us, rooms | journal | {' | '.join(THREADS.values())} |"
        yield "|---:|---|---:|---:|---:|"
        for rooms in self.options.rooms:
            for name in self.contestants():
                shares = self.of(rooms, name, "full", "shares")
                costs = self.of(rooms, name, "full", "server_us_per_move")
                parts = [statistics.median(share.get(thread, 0) * cost for share, cost in zip(shares, costs))
                         for thread in THREADS]
                yield f"| {rooms} | {name} | " + " | ".join(f"{part:.2f}" for part in parts) + " |"

    def text(self, version: str, sync_ms: float, file_system: str) -> str:
        options = self.options
        own = min(figure["generator_core"] for figure in self.figures)
        slow = f" Each fdatasync was made to take {options.disk_ms:g} ms more." if options.disk_ms else ""
        lines = [
            "# What the journal costs", "",
            f"Written by `./run bench journal` on {datetime.date.today()}: {version}, {processor()}, Linux "
            f"{platform.release()}, the journal on {file_system}. The server had one core, the load another; "
            f"the journal's threads had the {'core of the load' if options.core == 'other' else 'core of the server'}. "
            f"Medians of {options.rounds} rounds of {options.seconds:g} s in which all took turns, with lowest "
            f"and highest; ratios and differences are of the same round.{slow}", "",
            *self.moves(), "", *self.half_load(), "",
            "Half load is half of the moves a second of the server with a journal in the same round.", "",
            *self.threads(), "",
            *self.floor(), "",
            "The relay moves frames of the same sizes in the same pattern, without a game. With a log it sends "
            "them when the request is on the disk: one write and one `fdatasync` for all requests that wait, in a "
            "file whose size does not change.", "",
            f"The disk takes {sync_ms:.1f} ms until written data is safe (fdatasync, median)."]
        if own < 95:
            lines += ["", f"The machine did other work meanwhile (the generator had as little as {own:.0f} % of "
                      "its core in a run): take the ratios as rough."]
        return "\n".join(lines) + "\n"


def spread(values: list[float], form: str = "{:.2f}") -> str:
    low, middle, high = (form.format(value) for value in (min(values), statistics.median(values), max(values)))
    return f"**{middle}** ({low} to {high})"


def sync_milliseconds(folder: pathlib.Path) -> float:
    """Median time until the disk says that 4 KiB are safe, in a file whose size does not change."""
    times = []
    with tempfile.NamedTemporaryFile(dir=folder, buffering=0) as file:
        file.write(bytes(4096))
        os.fsync(file.fileno())
        for count in range(100):
            file.seek(0)
            file.write(bytes([count]) * 4096)
            begin = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1000


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench journal", description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=pathlib.Path, help="directory of the programs")
    parser.add_argument("output", type=pathlib.Path, help="directory for journal.md")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement [2]")
    parser.add_argument("--rooms", type=lambda text: [int(part) for part in text.split(",")], default=[50, 500],
                        help="numbers with commas between [50,500]")
    parser.add_argument("--core", choices=("same", "other"), default="same",
                        help="that the journal's threads have: the server's, or that of the load [same]")
    parser.add_argument("--disk-ms", type=float, default=0, help="what each fdatasync takes longer [0]")
    parser.add_argument("--before", type=pathlib.Path, help="directory of another server's program, which takes "
                        "part with a journal")
    parser.add_argument("--folder", type=pathlib.Path, help="for the journals [that of the programs]")
    return parser.parse_args()


def main() -> None:
    options = read_options()
    options.bin = options.bin.resolve()
    if not {0, 1} <= os.sched_getaffinity(0):
        sys.exit("journal.py: two cores are needed, 0 and 1")
    bench = Bench(options)
    bench.run()
    folder = options.folder or options.bin
    version = subprocess.run([options.bin / "tictactoe-server", "--version"], text=True, check=True,
                             stdout=subprocess.PIPE).stdout.strip()
    file_system = subprocess.run(["stat", "-f", "-c", "%T", folder], text=True, check=True,
                                 stdout=subprocess.PIPE).stdout.strip()
    text = Report(bench.figures, options).text(version, sync_milliseconds(folder), file_system)
    (options.output / "journal.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
