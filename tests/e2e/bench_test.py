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
sys.path.insert(0, str(BENCH))
from all import difference  # noqa: E402
from measures import Measure, measures_in  # noqa: E402


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


    def test_turns_of_the_loop_in_every_situation(self) -> None:
        result = subprocess.run(
            ["/usr/bin/python3", BENCH / "turns.py", BIN, self.folder, "--rounds", "1", "--marks", "500",
             "--rooms", "20", "--players", "100", "--members", "30"],
            capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = (self.folder / "turns.md").read_text()
        measures = [measure.name for measure in measures_in("turns", text)]
        for said in ("50 snapshots of a game with 500 moves", "list all of 20 rooms",
                     "begin to watch a lobby", "all 40 players are lost", "30 watchers enter one room",
                     "chat before 30 watchers", "30 watchers are lost", "end of a server with 40",
                     "seats of these 40", "first second after a start", "after a notice"):
            self.assertTrue(any(said in name for name in measures), said)
        self.assertIn("A start with 20 rooms and 100 players", text)


class MeasuresTest(unittest.TestCase):
    """What `./run bench` reads out of recorded tables."""

    def test_every_recorded_table_has_measures(self) -> None:
        for benchmark in ("engine", "journal", "memory", "operation", "server", "transports"):
            text = (BENCH / "results" / f"{benchmark}.md").read_text()
            self.assertGreaterEqual(len(measures_in(benchmark, text)), 2, benchmark)

    def test_a_difference_is_noise_if_the_rounds_overlap(self) -> None:
        def moves(low: float, middle: float, high: float) -> Measure:
            return Measure("moves", (middle, middle, middle), True, 1, (low, middle, high))

        last = moves(0.8, 0.9, 1.0)
        for now, said in ((moves(0.7, 0.75, 0.8), "noise"), (moves(0.6, 0.7, 0.79), "**worse**"),
                          (moves(1.01, 1.1, 1.2), "**better**")):
            self.assertEqual(difference(now, last, True), said)
        self.assertEqual(difference(last, None, True), "not recorded")
        single = Measure("turn", (100, 100, 100))
        self.assertEqual(difference(Measure("turn", (104, 104, 104)), single, True), "noise")
        self.assertEqual(difference(Measure("turn", (120, 120, 120)), single, True), "**worse**")
        self.assertEqual(difference(Measure("turn", (120, 120, 120)), single, False),
                         "another machine")


if __name__ == "__main__":
    unittest.main(verbosity=2)
