"""What the benchmarks share: programs on a core of their own, rounds in which all take turns, and figures."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections import defaultdict

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

SERVER_CORE, LOAD_CORE = "0", "1"
# No limit may be in the way of the load.
UNLIMITED = ["--rate", "0", "--max-per-address", "0", "--max-connections", "30000", "--max-rooms", "30000"]


def processor() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def cpu_seconds(process: int) -> float:
    """Of all its threads."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def spread(values: list[float], form: str = "{:.2f}") -> str:
    """The median and the range of the rounds."""
    low, middle, high = (form.format(value)
                         for value in (min(values), statistics.median(values), max(values)))
    return f"**{middle}** ({low} to {high})"


class Program:
    """A server or a relay that has said where it listens. Ended by the end of a `with`."""

    def __init__(self, command: list, core: str | None = SERVER_CORE, **popen) -> None:
        pinned = ["taskset", "-c", core] if core else []
        self.is_relay = str(command[0]).endswith("relay")
        self.process = subprocess.Popen([*pinned, *command], text=True, stdout=subprocess.PIPE, **popen)
        said = ""
        while ("metrics at" if "--metrics" in command else "listening on") not in said:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"this does not start: {command}")
            said += line
        self.port = int(re.search(r"listening on \S+:(\d+)$", said, re.MULTILINE)[1])
        found = re.search(r"^metrics at (\S+)$", said, re.MULTILINE)
        self._metrics = found[1] if found else ""

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    @property
    def pid(self) -> int:
        return self.process.pid

    def scrape(self) -> str:
        with urllib.request.urlopen(self._metrics) as page:
            return page.read().decode()

    def metric(self, name: str) -> float:
        """The sum over its labels; 0 of a relay."""
        return sum(float(value) for value in re.findall(
            rf"^tictactoe_{name}(?:{{.*}})? (\S+)$", self.scrape() if self._metrics else "", re.MULTILINE))

    def cpu_of_threads(self) -> dict[str, float]:
        """Seconds by the thread's name; the first one is "loop"."""
        seconds = defaultdict(float)
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            name = "loop" if task.name == str(self.pid) else (task / "comm").read_text().strip()
            seconds[name] += int((task / "schedstat").read_text().split()[0]) / 1e9
        return seconds


class Figures:
    """What was measured, by row, contestant and round."""

    def __init__(self) -> None:
        self._figures: dict[str, dict[str, dict[int, dict]]] = {}

    def add(self, row: str, contestant: str, number: int, figures: dict) -> None:
        self._figures.setdefault(row, {}).setdefault(contestant, {})[number] = figures

    def contestants(self, row: str) -> list[str]:
        return list(self._figures.get(row, {}))

    def rounds(self, row: str, contestant: str, key) -> dict[int, float]:
        """Values by round; `key` is a name, or a function of all figures of that round."""
        value = key if callable(key) else lambda figure: figure[key]
        return {number: value(figure)
                for number, figure in self._figures.get(row, {}).get(contestant, {}).items()}

    def values(self, row: str, contestant: str, key) -> list[float]:
        return list(self.rounds(row, contestant, key).values())

    def median(self, row: str, contestant: str, key) -> float:
        return statistics.median(self.values(row, contestant, key))

    def ratios(self, row: str, contestant: str, base: str, key) -> list[float]:
        """Rounds are compared with themselves: what else the machine did hit both alike."""
        over, under = self.rounds(row, contestant, key), self.rounds(row, base, key)
        return [over[number] / under[number] for number in sorted(over) if under.get(number)]

    def all(self) -> list[tuple[str, str, dict]]:
        return [(row, contestant, figure) for row, of_row in self._figures.items()
                for contestant, rounds in of_row.items() for figure in rounds.values()]


class Bench:
    """One benchmark. Its name is that of its table."""

    title = ""
    rounds, seconds = 5, 2.0  # of each measurement, if nothing else is said
    short: list[str] = []  # the options of a short run

    @staticmethod
    def add_options(parser: argparse.ArgumentParser) -> None:
        pass

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.bin = options, options.bin
        self.number = 0  # of the round
        self.figures = Figures()

    def round(self) -> None:
        raise NotImplementedError

    def report(self):
        """The lines of the table and of what is to be said beside it."""
        raise NotImplementedError

    @contextlib.contextmanager
    def server(self, *options: str, journal: bool | str = False, core: str | None = SERVER_CORE,
               port: int = 0, programs: pathlib.Path | None = None, **popen):
        """With `journal` in a folder that is removed, or in that one; of these programs instead of the build's."""
        # Beside the programs, as the directory for temporary files may be memory.
        with tempfile.TemporaryDirectory(dir=self.bin) as folder:
            keeps = ["--data-dir", folder if journal is True else journal] if journal else ["--no-journal"]
            log = [] if "--log" in options else ["--log", "off"]
            with Program([f"{programs or self.bin}/tictactoe-server", "--listen", "127.0.0.1", "--port", str(port),
                          "--no-discovery", *log, *UNLIMITED, *keeps, *options], core, **popen) as program:
                yield program

    def relay(self, *options: str) -> Program:
        return Program([f"{self.bin}/tictactoe-relay", *options])

    def load_command(self, program: Program, *load: str, core: str | None = LOAD_CORE) -> list[str]:
        return [*(["taskset", "-c", core] if core else []), f"{self.bin}/tictactoe-load",
                *(["--floor"] if program.is_relay else []), "--port", str(program.port), "--server-pid",
                str(program.pid), "--quiet", "--json", "-", *load]

    def load(self, program: Program, *load: str, core: str | None = LOAD_CORE) -> dict:
        return json.loads(subprocess.run(self.load_command(program, *load, core=core), check=True, text=True,
                                         stdout=subprocess.PIPE).stdout)

    def games(self, rooms: int, *more: str) -> list[str]:
        return ["games", "--rooms", str(rooms), "--seconds", str(self.options.seconds),
                "--warm-up", str(min(1, self.options.seconds)), *more]

    def keep(self, row: str, contestant: str, figures: dict) -> dict:
        self.figures.add(row, contestant, self.number, figures)
        return figures

    def run(self) -> str:
        """The text of the table."""
        for self.number in range(1, self.options.rounds + 1):
            print(f"round {self.number} of {self.options.rounds}", file=sys.stderr, flush=True)
            self.round()
        version = subprocess.run([f"{self.bin}/tictactoe-server", "--version"], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout.strip()
        tcp = pathlib.Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip()
        lines = [f"# {self.title}", "",
                 f"Written by `./run bench {self.options.benchmark}` on {datetime.date.today()}: {version}, "
                 f"{processor()}, {os.cpu_count()} cores, Linux {platform.release()} (TCP: {tcp}). Medians of "
                 f"{self.options.rounds} rounds of {self.options.seconds:g} s in which all took turns, with "
                 "lowest and highest; ratios are of the same round.", "", *self.report()]
        shares = [figure["generator_core"] for *_, figure in self.figures.all() if "generator_core" in figure]
        if shares and min(shares) < 95:
            lines += ["", "The machine did other work meanwhile (the generator had "
                      f"{statistics.median(shares):.0f} % of its core in the middle and {min(shares):.0f} % at "
                      "worst): take the ratios as rough."]
        return "\n".join(lines) + "\n"
