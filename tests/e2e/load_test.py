"""The load generator notices what a server does wrong, and the relay that servers are compared with moves as much.

That it measures every transport is in bench_test."""

from __future__ import annotations

import itertools
import json
import subprocess
import unittest
from typing import Callable

from network import LOOPBACK
from programs import BIN, Process, Server, run
from proxy import Proxy
from raw_client import frame, take_frame


def figures(program: Process, *options: str) -> dict:
    result = run("tictactoe-load", "--port", str(program.port), "--server-pid",
                 str(program.process.pid), "--quiet", "--json", "-", *options)
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return json.loads(result.stdout)


class LoadTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = self.enterContext(
            Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--log", "off", "--no-journal",
                   "--rate", "0", "--max-per-address", "0"))

    def figures(self, *options: str) -> dict:
        return figures(self.server, *options)

    def through(self, change: Callable[[bytes], bytes], seconds: str = "20"):
        """Plays through a proxy that changes a frame of the server in the middle of the games."""
        numbers = itertools.count()

        def of_a_connection() -> Callable[[bytes], bytes]:
            held = bytearray()

            def take(data: bytes) -> bytes:
                held.extend(data)
                sent = b""
                while (body := take_frame(held)) is not None:
                    sent += change(frame(body)) if next(numbers) == 40 else frame(body)
                return sent
            return take

        proxy = self.enterContext(Proxy(self.server.port, to_client=of_a_connection))
        return run("tictactoe-load", "--port", str(proxy.port), "--quiet", "games", "--rooms", "1", "--warm-up", "0",
                   "--seconds", seconds)

    def test_a_frame_that_is_lost_repeated_or_altered_is_caught(self) -> None:
        whole = self.through(lambda data: data, "1")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        for change in (lambda data: b"", lambda data: 2 * data, lambda data: data[:-1] + bytes([data[-1] ^ 1])):
            result = self.through(change)
            self.assertEqual(result.returncode, 1, result.stdout)
            self.assertRegex(result.stderr, "^tictactoe-load: Room ")


class FloorTest(unittest.TestCase):
    """The relay that servers are compared with moves the same bytes in the same pattern."""

    def setUp(self) -> None:
        self.server = self.enterContext(
            Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--log", "off", "--rate", "0",
                   "--max-per-address", "0"))
        self.floor = self.enterContext(Process([f"{BIN}/tictactoe-relay"], None,
                                               stdout=subprocess.PIPE))
        self.floor.port = int(self.floor.expect(r"listening on \S+:(\d+)$").group(1))

    def both(self, *options: str) -> tuple[dict, dict]:
        return figures(self.server, *options), figures(self.floor, "--floor", *options)

    def test_games_are_as_many_bytes(self) -> None:
        # Roughly: how many bytes are not of moves depends on the speed of the rooms.
        for options in ([], ["--watchers", "10"], ["--board", "19x15x5"], ["--rate", "2000"]):
            server, floor = self.both("games", "--rooms", "4", "--warm-up", "0", "--seconds", "1",
                                      *options)
            for way in ("sent_bytes_per_move", "received_bytes_per_move"):
                self.assertAlmostEqual(floor[way] / server[way], 1, delta=0.2,
                                       msg=f"{way} {options}")

    def test_storm_and_idle(self) -> None:
        server, floor = self.both("storm", "--connections", "100")
        self.assertEqual(server["sent_bytes"], floor["sent_bytes"])
        self.assertAlmostEqual(floor["received_bytes"] / server["received_bytes"], 1, delta=0.2)
        server, floor = self.both("idle", "--rooms", "10", "--seconds", "1", "--between-pings", "1")
        self.assertGreater(floor["pings"], 0)
