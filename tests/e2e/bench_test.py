"""The benchmark of the server runs to its end and says what it has measured."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from programs import BIN

BENCH = pathlib.Path(__file__).resolve().parents[1] / "bench"


@unittest.skipUnless({0, 1} <= os.sched_getaffinity(0), "needs cores 0 and 1")
class ServerBenchTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def measure(self, *options: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, BENCH / "server_bench.py", BIN,
                               self.folder / "figures.json", "--no-peers", *options],
                              capture_output=True, text=True, check=False)

    def test_every_row_of_the_server_and_its_floor(self) -> None:
        result = self.measure("--rounds", "1", "--seconds", "0.2", "--connections", "100",
                              "--watchers", "10", "--rows",
                              "moves-50,latency,thinking,watchers,board,storm,idle")
        self.assertEqual(result.returncode, 0, result.stderr)
        subprocess.run([sys.executable, BENCH / "server_report.py", self.folder / "figures.json",
                        self.folder], check=True, stdout=subprocess.DEVNULL)
        table = (self.folder / "server.md").read_text()
        for said in ("| 50 | raw epoll relay |", "| 50 | this server |", "half of the saturating",
                     "idle connections", "connects with hello", "watchers in one room",
                     "1000x1000", "while an AI thinks", "peers were not installed"):
            self.assertIn(said, table)
        self.assertIn(">this server</text>", (self.folder / "server.svg").read_text())

    def test_a_row_that_there_is_not(self) -> None:
        result = self.measure("--rows", "moves-51")
        self.assertEqual(result.returncode, 1)
        self.assertIn("there is no row moves-51, but moves-50,", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
