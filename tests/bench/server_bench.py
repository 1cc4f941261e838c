#!/usr/bin/env python3
"""Measures a server, the bare relay and the peers that are installed, in turn, round after round.

    server_bench.py BIN_DIR FIGURES.json [OPTIONS]

Writes every figure of every round; server_report.py makes the table of them. The server has core 0,
the load core 1. Standard library only.
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
import resource
import subprocess
import sys
import time

from reporting import processor

HERE = pathlib.Path(__file__).resolve().parent
PEERS = HERE / "peers"
SERVER_CORE, LOAD_CORE = "0", "1"
# No limit may be in the way of the load, and no time is spent on what is not measured.
SERVER_OPTIONS = ["--listen", "127.0.0.1", "--port", "0", "--log", "off", "--no-journal", "--rate",
                  "0", "--max-per-address", "0", "--board-memory", "8192", "--max-connections", "30000", "--max-rooms",
                  "30000", "--ai-delay", "0", "--ai-time", "600000"]
# On this board an AI that may think for long does.
THINKING = "create den 6x5x4\nai o strong\nai x strong\n"


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.bin, self.options = options.bin, options
        self.figures: list[dict] = []
        self.round = 0
        self.peers = self._installed_peers() if options.peers else []

    @staticmethod
    def _installed_peers() -> list[pathlib.Path]:
        if not (PEERS / "node_modules").is_dir():
            return []
        return sorted(path for path in PEERS.glob("*/bench") if "node_modules" not in path.parts)

    @contextlib.contextmanager
    def running(self, contestant: str):
        """The program, its port announced; yields its process and the options of the load."""
        command = ([f"{self.bin}/tictactoe-relay"] if contestant == "relay" else
                   [f"{self.bin}/tictactoe-server", *SERVER_OPTIONS])
        process = subprocess.Popen(["taskset", "-c", SERVER_CORE, *command], text=True,
                                   stdout=subprocess.PIPE)
        try:
            announced = process.stdout.readline()
            found = re.search(r"listening on .*:(\d+)$", announced)
            if not found:
                sys.exit(f"server_bench.py: {command[0]} did not start")
            floor = ["--floor"] if contestant == "relay" else []
            yield process, [*floor, "--port", found[1], "--server-pid", str(process.pid)]
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()

    def load(self, contestant: str, *load: str, beside=None) -> dict:
        with self.running(contestant) as (process, options):
            with beside(process, options) if beside else contextlib.nullcontext():
                command = ["taskset", "-c", LOAD_CORE, f"{self.bin}/tictactoe-load", *options,
                           "--quiet", "--json", "-", *load]
                return json.loads(subprocess.run(command, check=True, text=True,
                                                 stdout=subprocess.PIPE).stdout)

    def keep(self, row: str, contestant: str, figures: dict) -> dict:
        self.figures.append({"row": row, "contestant": contestant, "round": self.round, **figures})
        return figures

    def measure(self, row: str, contestant: str, *load: str, **more) -> dict:
        return self.keep(row, contestant, self.load(contestant, *load, **more))

    def games(self, rooms: int, *more: str) -> list[str]:
        return ["games", "--rooms", str(rooms), "--seconds", str(self.options.seconds),
                "--warm-up", str(min(1, self.options.seconds)), *more]

    # The rows. Each is called once a round.

    def moves(self, rooms: int) -> None:
        for contestant in ("relay", "server"):
            self.measure(f"moves-{rooms}", contestant, *self.games(rooms))
        for peer in self.peers:
            self.peer(peer, rooms)

    def peer(self, path: pathlib.Path, rooms: int) -> None:
        command = [path, "--rooms", str(rooms), "--seconds", str(self.options.seconds),
                   "--server-core", SERVER_CORE, "--load-core", LOAD_CORE]
        result = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=False)
        if result.returncode != 0:
            print(f"  {path.parent.name} failed with {rooms} rooms", file=sys.stderr)
            return
        self.keep(f"moves-{rooms}", path.parent.name, json.loads(result.stdout.splitlines()[-1]))

    def half_rate(self) -> str:
        """Half of what the server can do with 50 rooms, as of this round."""
        known = [figure for figure in self.figures if figure["round"] == self.round and
                 figure["contestant"] == "server" and figure["row"] == "moves-50"]
        figures = known[-1] if known else self.load("server", *self.games(50))
        return str(int(figures["moves_per_second"] / 2))

    def latency(self) -> None:
        rate = self.half_rate()
        for contestant in ("relay", "server"):
            self.measure("latency", contestant, *self.games(50, "--rate", rate))

    def thinking(self) -> None:
        rate = self.half_rate()
        for contestant, program, beside in (("without", "server", None),
                                            ("with", "server", self.thinker),
                                            ("relay", "relay", None),
                                            ("relay-beside", "relay", self.burner)):
            self.keep("thinking", contestant,
                      self.load(program, *self.games(50, "--rate", rate), beside=beside))

    @staticmethod
    @contextlib.contextmanager
    def burner(*_):
        """What is left of the core is used up, at the priority of a thread that thinks."""
        process = subprocess.Popen(["taskset", "-c", SERVER_CORE, "chrt", "--idle", "0",
                                    sys.executable, "-c", "while True: pass"])
        try:
            yield
        finally:
            process.kill()
            process.wait()

    @contextlib.contextmanager
    def thinker(self, server: subprocess.Popen, options: list[str]):
        """A room in which an AI thinks for as long as this lasts."""
        port = options[options.index("--port") + 1]
        client = subprocess.Popen(
            ["taskset", "-c", LOAD_CORE, f"{self.bin}/tictactoe", "--no-tls", "--guest", "--name", "host",
             "--server", f"127.0.0.1:{port}"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        try:
            client.stdin.write(THINKING)
            client.stdin.flush()
            deadline = time.monotonic() + 60
            while cpu_seconds(server.pid) < 0.2:  # a server that nobody uses takes none
                if time.monotonic() > deadline:
                    sys.exit("server_bench.py: the AI does not think")
                time.sleep(0.05)
            yield
        finally:
            client.kill()
            client.wait()
            client.stdin.close()

    def idle(self) -> None:
        seconds = max(2, int(self.options.idle_minutes * 60))
        for contestant in ("relay", "server"):
            self.measure("idle", contestant, "idle", "--rooms",
                         str(self.options.connections // 2), "--seconds", str(seconds))

    def storm(self) -> None:
        for contestant in ("relay", "server"):
            self.measure("storm", contestant, "storm", "--connections",
                         str(self.options.connections))

    def watchers(self) -> None:
        for contestant in ("relay", "server"):
            self.measure("watchers", contestant, *self.games(1, "--watchers",
                                                             str(self.options.watchers)))

    def board(self) -> None:
        for contestant, board in (("3x3", "3x3x3"), ("1000x1000", "1000x1000x5")):
            self.keep("board", contestant, self.load("server", *self.games(50, "--board", board)))
        self.keep("board", "late", self.load("server", *self.games(
            1, "--board", "1000x1000x5", "--late", "20")))

    def run(self) -> None:
        rows = {"moves-50": lambda: self.moves(50), "moves-500": lambda: self.moves(500),
                "moves-2000": lambda: self.moves(2000), "latency": self.latency,
                "thinking": self.thinking, "watchers": self.watchers, "board": self.board,
                "storm": self.storm, "idle": self.idle}
        wanted = self.options.rows or list(rows)
        for row in wanted:
            if row not in rows:
                sys.exit(f"server_bench.py: there is no row {row}, but {', '.join(rows)}")
        for self.round in range(1, self.options.rounds + 1):
            for row in wanted:
                print(f"round {self.round} of {self.options.rounds}: {row}", file=sys.stderr)
                rows[row]()

    def context(self) -> dict:
        version = subprocess.run([f"{self.bin}/tictactoe-server", "--version"], check=True,
                                 text=True, stdout=subprocess.PIPE).stdout.strip()
        return {"date": str(datetime.date.today()), "server": version, "processor": processor(),
                "system": f"Linux {platform.release()}",
                "tcp": pathlib.Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip(),
                "rounds": self.options.rounds,
                "seconds": self.options.seconds, "peers": [peer.parent.name for peer in self.peers],
                "connections": self.options.connections, "watchers": self.options.watchers,
                "idle_minutes": self.options.idle_minutes}


def cpu_seconds(process: int) -> float:
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin")
    parser.add_argument("figures")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5, help="of each measurement")
    parser.add_argument("--rows", type=lambda text: text.split(","),
                        help="some of them, with commas between")
    parser.add_argument("--connections", type=int, default=10_000, help="of storm and idle")
    parser.add_argument("--watchers", type=int, default=1_000)
    parser.add_argument("--idle-minutes", type=float, default=0,
                        help="how long idle connections are watched for growth")
    parser.add_argument("--no-peers", dest="peers", action="store_false")
    return parser.parse_args()


def main() -> None:
    options = read_options()
    if not {0, 1} <= os.sched_getaffinity(0):
        sys.exit("server_bench.py: two cores are needed, 0 and 1")
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    bench = Bench(options)
    if options.peers and not bench.peers:
        print("The peers are not installed (tests/bench/peers/install); going on without.",
              file=sys.stderr)
    bench.run()
    pathlib.Path(options.figures).write_text(
        json.dumps({"context": bench.context(), "figures": bench.figures}))


if __name__ == "__main__":
    main()
