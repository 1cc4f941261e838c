"""The benchmarks run to their end and say what they have measured."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from programs import BIN

BENCH = pathlib.Path(__file__).resolve().parents[1] / "bench"
sys.path.insert(0, str(BENCH))
from bench import BENCHMARKS, RECORDED, compared, measures  # noqa: E402

SHORT = ["--rounds", "1", "--seconds", "0.2"]


class BenchTest(unittest.TestCase):
    def setUp(self) -> None:
        if not {0, 1} <= os.sched_getaffinity(0):
            self.skipTest("needs the cores 0 and 1")
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_bench(self, name: str, *options: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, "-B", BENCH / "bench.py", name, BIN, "--output", self.folder,
                               *SHORT, *options], capture_output=True, text=True, check=False)

    def table(self, name: str, *options: str) -> str:
        result = self.run_bench(name, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return (self.folder / f"{name}.md").read_text()

    def test_every_row_of_the_server_and_its_floor(self) -> None:
        table = self.table("server", "--no-peers", "--connections", "100", "--watchers", "10", "--rows",
                           "moves-50,latency,thinking,watchers,board,storm,idle")
        for said in ("| 50 | raw epoll relay |", "| 50 | this server |", "half of the saturating",
                     "idle connections", "connects with hello", "watchers in one room",
                     "1000x1000", "while an AI thinks", "Colyseus was not measured"):
            self.assertIn(said, table)

    def test_a_row_that_there_is_not(self) -> None:
        result = self.run_bench("server", "--rows", "moves-51")
        self.assertEqual(result.returncode, 1)
        self.assertIn("there is no row moves-51, but moves-50,", result.stderr)

    def test_turns_of_the_loop_in_every_situation(self) -> None:
        table = self.table("turns", "--rooms", "20", "--players", "100", "--members", "30")
        for said in ("50 snapshots of a long game", "list all of 20 rooms",
                     "begin to watch a lobby", "all 40 players are lost", "30 watchers enter one room",
                     "chat before 30 watchers", "30 watchers are lost", "end of a server with 40",
                     "seats of these 40", "first second after a start", "after a notice",
                     "A start with 20 rooms and 100 players"):
            self.assertIn(said, table)

    def test_the_journal_the_transports_and_what_is_observed(self) -> None:
        self.assertIn("| 5 | with |", self.table("journal", "--rooms", "5"))
        self.assertIn("| TLS, WebSocket, JSON |", self.table("transports", "--connections", "20", "--seconds", "2"))
        self.assertIn("| unread, of read |", self.table("operation", "--connections", "20", "--blocked", "0.5"))


class MeasuresTest(unittest.TestCase):
    """What `./run bench` compares."""

    def test_every_recorded_table_but_that_of_the_engine_has_measures(self) -> None:
        for name in set(BENCHMARKS) - {"engine"}:
            self.assertGreaterEqual(len(measures((RECORDED / f"{name}.md").read_text())), 4, name)

    def test_a_difference_is_noise_if_the_rounds_overlap(self) -> None:
        text = (RECORDED / "memory.md").read_text()
        for row in compared("memory", text):
            self.assertIn("| noise |", row)
        more = next(row for row in compared("memory", text.replace("1,507** (1,506", "3,014** (3,013")
                                            .replace("to 1,508)", "to 3,015)")) if "idle" in row)
        self.assertIn("| **2.00** |", more)
