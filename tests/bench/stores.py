#!/usr/bin/env python3
"""Measures servers whose records are in different places, in turn: "sqlite" on the own disk, "postgres"
on the same machine, "standby" with a synchronous standby, too, and "two" servers over one database.

    stores.py OUTPUT_DIR [OPTIONS]

Writes stores.md. Everything shares the machine's cores: the servers, the databases and the load. Both
databases synchronise their files to the disk. TICTACTOE_BIN names the directory of the programs.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from typing import Iterator, NamedTuple

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "e2e"), str(TESTS / "cluster"), str(TESTS / "bench")]
from database import Database  # noqa: E402  (it is found by the lines above)
from postgres import Postgres  # noqa: E402
from programs import BIN, TIMEOUT  # noqa: E402
from reporting import processor  # noqa: E402

CONTESTANTS = {
    "sqlite": "SQLite, one server",
    "postgres": "PostgreSQL, one server",
    "standby": "PostgreSQL with a synchronous standby, one server",
    "two": "PostgreSQL, two servers",
}
COMMITS = re.compile(r"^tictactoe_journal_commit_seconds_count (\d+)", re.MULTILINE)


class Server(NamedTuple):
    port: int
    metrics: str

    def commits(self) -> int:
        with urllib.request.urlopen(self.metrics, timeout=TIMEOUT) as page:
            return int(COMMITS.search(page.read().decode()).group(1))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


@contextlib.contextmanager
def server(*options: str) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="tictactoe-stores-") as folder:
        port = free_port()
        process = subprocess.Popen(
            [f"{BIN}/tictactoe-server", "--listen", "127.0.0.1", "--port", str(port), "--data-dir",
             folder, "--rate", "0", "--max-per-address", "0", "--log", "warn", "--no-discovery",
             "--metrics", "127.0.0.1:0", *options,
             *(["--public-address", f"127.0.0.1:{port}"] if options else [])],
            stdout=subprocess.PIPE, text=True)
        try:
            metrics = ""
            while not metrics:
                line = process.stdout.readline()
                if not line:
                    raise RuntimeError("the server does not start")
                if found := re.search(r"metrics at (\S+)", line):
                    metrics = found[1]
            yield Server(port, metrics)
        finally:
            process.terminate()
            process.wait(60)
            process.stdout.close()


@contextlib.contextmanager
def servers(contestant: str) -> Iterator[list[Server]]:
    with contextlib.ExitStack() as stack:
        if contestant == "sqlite":
            yield [stack.enter_context(server())]
            return
        if contestant == "standby":
            url = stack.enter_context(contextlib.closing(Database(synced=True))).primary.url
        else:
            url = stack.enter_context(contextlib.closing(Postgres(synced=True))).url
        count = 2 if contestant == "two" else 1
        started = [stack.enter_context(server("--store", url)) for _ in range(count)]
        if count > 1:
            time.sleep(3)  # until each knows the other one
        yield started


def play(at: list[Server], options: argparse.Namespace, rate: float = 0) -> dict[str, float]:
    command = [f"{BIN}/tictactoe-load", "games", "--port", str(at[0].port), "--rooms",
               str(options.rooms), "--seconds", str(options.seconds), "--rate", str(rate), "--json", "-",
               "--quiet"]
    for other in at[1:]:
        command += ["--also", f"127.0.0.1:{other.port}"]
    before, begun = sum(each.commits() for each in at), time.monotonic()
    measured = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    measured["commits_per_second"] = (
        (sum(each.commits() for each in at) - before) / (time.monotonic() - begun))
    return measured


def spread(values: list[float], digits: int = 0) -> str:
    return (f"**{statistics.median(values):,.{digits}f}** "
            f"({min(values):,.{digits}f} to {max(values):,.{digits}f})")


def report(figures: dict[str, list[dict[str, dict[str, float]]]], options: argparse.Namespace) -> str:
    def of(contestant: str, load: str, figure: str, factor: float = 1) -> list[float]:
        return [factor * each[load][figure] for each in figures[contestant]]

    lines = [
        "# What the place of the records costs", "",
        f"Written by `./run bench stores` on {datetime.date.today()}: {processor()}, "
        f"{os.cpu_count()} cores, which the servers, the databases and the load share. Medians of "
        f"{options.rounds} rounds of {options.seconds:g} s, in which all took turns, with lowest and "
        f"highest; {options.rooms} rooms. The databases sync to the disk. Half load is half of the "
        "moves that the same servers made at full load just before.", "",
        "| | moves/s | commits/s | p50, ms | p99, ms | half load: p50, ms | p99, ms | load's share of a "
        "core, % |",
        "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for contestant, name in CONTESTANTS.items():
        row = [spread(of(contestant, "full", "moves_per_second")),
               spread(of(contestant, "full", "commits_per_second")),
               spread(of(contestant, "full", "latency_p50_us", 1e-3), 2),
               spread(of(contestant, "full", "latency_p99_us", 1e-3), 2),
               spread(of(contestant, "half", "latency_p50_us", 1e-3), 2),
               spread(of(contestant, "half", "latency_p99_us", 1e-3), 2),
               spread(of(contestant, "full", "generator_core"))]
        lines.append(f"| {name} | " + " | ".join(row) + " |")
    lines += ["", "| moves/s, of the same round | ratio |", "|---|---:|"]
    for top, bottom in (("postgres", "sqlite"), ("standby", "postgres"), ("two", "postgres")):
        ratios = [a["full"]["moves_per_second"] / b["full"]["moves_per_second"]
                  for a, b in zip(figures[top], figures[bottom])]
        lines.append(f"| {CONTESTANTS[top]}, of {CONTESTANTS[bottom]} | {spread(ratios, 2)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="./run bench stores", description=__doc__.split("\n\n")[0])
    parser.add_argument("output", type=pathlib.Path, help="directory for stores.md")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=3, help="of each measurement [3]")
    parser.add_argument("--rooms", type=int, default=50)
    options = parser.parse_args()
    figures = defaultdict(list)
    with contextlib.ExitStack() as stack:
        running = {name: stack.enter_context(servers(name)) for name in CONTESTANTS}
        for number in range(options.rounds):
            for name, at in running.items():
                full = play(at, options)
                half = play(at, options, full["moves_per_second"] / 2)
                figures[name].append({"full": full, "half": half})
                print(f"round {number + 1}: {name}: {full['moves_per_second']:.0f} moves/s",
                      file=sys.stderr)
    (options.output / "stores.md").write_text(report(figures, options))


if __name__ == "__main__":
    main()
