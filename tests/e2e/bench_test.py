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
        table = self.table("server", "--connections", "100", "--watchers", "10", "--rows",
                           "moves-50,latency,thinking,watchers,storm,idle")
        for said in ("| 50 | raw epoll relay |", "| 50 | this server |", "half of the saturating",
                     "idle connections", "connects with hello", "watchers in one room",
                     "while an AI thinks"):
            self.assertIn(said, table)

    def test_a_row_that_there_is_not(self) -> None:
        result = self.run_bench("server", "--rows", "moves-51")
        self.assertEqual(result.returncode, 1)
        self.assertIn("there is no row moves-51, but moves-50,", result.stderr)

    def test_the_journal_and_the_transports(self) -> None:
        self.assertIn("| 5 | with |", self.table("journal", "--rooms", "5"))
        self.assertIn("| TLS, WebSocket, JSON |", self.table("transports", "--connections", "20", "--seconds", "2"))
