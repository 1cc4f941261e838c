"""A server whose turns of the event loop are read while it runs. Standard library only."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import time
import urllib.request

from server_bench import LOAD_CORE, SERVER_CORE, cpu_seconds

QUIET = 0.5  # seconds in which what was begun ends: more than a round of the lobby takes

Counts = collections.Counter  # of turns, by the upper bound of their duration in us


@dataclasses.dataclass
class Reading:
    """Since the start, or in a situation if it is a difference."""

    cpu: Counts  # every handler of the loop, by its CPU time
    clock: Counts  # the events of the shell, by the clock
    loop_seconds: float  # CPU time of all these handlers
    process_seconds: float  # of all threads

    def __sub__(self, other: Reading) -> Reading:
        return Reading(self.cpu - other.cpu, self.clock - other.clock,
                       self.loop_seconds - other.loop_seconds,
                       self.process_seconds - other.process_seconds)


@dataclasses.dataclass
class Situation:
    """What turned out in one situation."""

    name: str
    turns: Reading
    long_turns: list[tuple[int, str]]  # us of CPU and event, of those that the log has


def quantile(counts: Counts, share: float) -> float:
    """An upper bound in us."""
    wanted, seen = share * counts.total(), 0
    for bound in sorted(counts):
        seen += counts[bound]
        if seen >= wanted:
            return bound
    return 0


def _buckets(text: str, name: str) -> Counts:
    counts, before = Counts(), 0
    for bound, upto in re.findall(rf'^tictactoe_{name}_bucket{{le="([^"]+)"}} (\d+)$', text,
                                  re.MULTILINE):
        if int(upto) > before:
            counts[round(1e6 * float(bound)) if bound != "+Inf" else float("inf")] = int(upto) - before
        before = int(upto)
    return counts


class WatchedServer:
    """A server with its log and metrics, on the first core. Ended by the end of a `with`."""

    def __init__(self, binaries: str, folder: pathlib.Path, *options: str) -> None:
        self._binaries = binaries
        self._log = folder / f"log-{time.monotonic_ns()}"
        began, self.start_cpu = time.monotonic(), 0.0
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                ["taskset", "-c", SERVER_CORE, f"{binaries}/tictactoe-server", "--listen",
                 "127.0.0.1", "--port", "0", "--no-discovery", "--metrics", "127.0.0.1:0", "--log",
                 "debug", *options], text=True, stdout=subprocess.PIPE, stderr=log)
        self._loads: list[subprocess.Popen] = []
        said = ""
        while not (found := re.search(r"^metrics at (\S+)$", said, re.MULTILINE)):
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"the server does not start: {self._log.read_text()}")
            said += line
        self.start_seconds = time.monotonic() - began
        self.start_cpu = cpu_seconds(self.process.pid)
        self._metrics = found[1]
        self.port = int(re.search(r"listening on \S+:(\d+)$", said, re.MULTILINE)[1])
        self._last: Reading | None = None

    def __enter__(self) -> WatchedServer:
        return self

    def __exit__(self, *_) -> None:
        for load in self._loads:
            load.kill()
            load.wait()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def load(self, *options: str) -> subprocess.Popen:
        """tictactoe-load at this server, on the other core; ended with the server at the latest."""
        command = ["taskset", "-c", LOAD_CORE, f"{self._binaries}/tictactoe-load", "--port",
                   str(self.port), "--quiet", *options]
        self._loads.append(subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL))
        return self._loads[-1]

    def idle_rooms(self, rooms: int) -> subprocess.Popen:
        """So many rooms with two players each, who do nothing but send pings."""
        load = self.load("idle", "--rooms", str(rooms), "--seconds", "3600")
        while self.metric("players") < 2 * rooms or self.metric("rooms") < rooms:
            if load.poll() is not None:
                raise RuntimeError("the load has ended")
            time.sleep(0.2)
        time.sleep(QUIET)
        return load

    def _scrape(self) -> str:
        with urllib.request.urlopen(self._metrics) as answer:
            return answer.read().decode()

    def metric(self, name: str) -> float:
        """The sum over its labels."""
        return sum(float(value) for value in re.findall(
            rf"^tictactoe_{name}(?:{{.*}})? (\S+)$", self._scrape(), re.MULTILINE))

    def read(self) -> Reading:
        text = self._scrape()
        seconds = float(re.search(r"^tictactoe_loop_handler_cpu_seconds_sum (\S+)$", text,
                                  re.MULTILINE)[1])
        self._last = Reading(_buckets(text, "loop_handler_cpu_seconds"),
                             _buckets(text, "loop_turn_fine_seconds"), seconds,
                             cpu_seconds(self.process.pid))
        return self._last

    @contextlib.contextmanager
    def situation(self, name: str, into: list[Situation]):
        """What happens within the `with`, and until it is quiet again."""
        before, logged = self.read(), self._log.stat().st_size
        yield
        time.sleep(QUIET)
        into.append(Situation(name, self.read() - before, self._long_turns(logged)))

    def _long_turns(self, logged: int) -> list[tuple[int, str]]:
        with self._log.open() as log:
            log.seek(logged)
            return [(int(took), event) for event, took in re.findall(
                r"a turn of the event loop \(([^)]*)\) took (\d+) us", log.read())]

    def end(self, name: str, into: list[Situation]) -> None:
        """Ends it with SIGTERM, as a situation."""
        before, logged = self.read(), self._log.stat().st_size
        self.process.send_signal(signal.SIGTERM)
        _, _, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = 0
        text = self._log.read_text()
        told = [Counts({float("inf") if bound == "more" else int(bound): int(count)
                        for bound, count in re.findall(r"(\w+):(\d+)", line)})
                for line in (re.search(rf"{what}, us: (.*)$", text, re.MULTILINE)[1]
                             for what in ("CPU time of handlers", "turns by the clock"))]
        used = usage.ru_utime + usage.ru_stime - before.process_seconds
        turns = Reading(told[0] - before.cpu, told[1] - before.clock, used, used)
        into.append(Situation(name, turns, self._long_turns(logged)))
