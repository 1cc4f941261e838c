"""The load generator takes a sound server, and none that misbehaves on the way to it."""

from __future__ import annotations

import itertools
import json
import socket
import subprocess
import time
import unittest
from typing import Callable

from cluster_case import ClusterCase
from network import LOOPBACK
from programs import BIN, Process, Server, run
from proxy import Proxy
from raw_client import decode_varint


def frame_length(held: bytes) -> int | None:
    """Of the first frame of the raw protocol."""
    length = decode_varint(held)
    return None if length is None else sum(length)


def websocket_length(held: bytes) -> int | None:
    """Of the response to the upgrade or the first message, with the pings before it."""
    if held.startswith(b"HTTP"):
        end = held.find(b"\r\n\r\n")
        return None if end < 0 else end + 4
    pings = 0
    while held[pings:pings + 2] == b"\x89\x00":
        pings += 2
    head = held[pings:pings + 4]
    if len(head) < 4:
        return None
    return pings + (4 + int.from_bytes(head[2:], "big") if head[1] == 126 else 2 + head[1])


def with_changed_frames(server_port: int, change: Callable[[int, bytes], bytes],
                        length: Callable[[bytes], int | None]) -> Proxy:
    """Passes each frame of the server to `change`, with its number among all, and sends what that returns in
    its place. `length` finds frames in bytes."""
    numbers = itertools.count(1)

    def to_client() -> Callable[[bytes], bytes]:
        held = bytearray()

        def take(data: bytes) -> bytes:
            held.extend(data)
            out = b""
            while (size := length(held)) is not None and len(held) >= size > 0:
                whole = bytes(held[:size])
                del held[:size]
                out += change(next(numbers), whole)
            return out

        return take

    return Proxy(server_port, to_client=to_client)


class LoadTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = self.enterContext(
            Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--log", "off", "--no-journal",
                   "--rate", "0", "--max-per-address", "0"))

    def load(self, *options: str, port: int | None = None):
        return run("tictactoe-load", "--port", str(port or self.server.port), "--quiet", *options)

    def figures(self, *options: str) -> dict:
        result = self.load("--server-pid", str(self.server.process.pid), "--json", "-", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_games(self) -> None:
        figures = self.figures("games", "--rooms", "20", "--warm-up", "0.1", "--seconds", "0.5")
        self.assertGreater(figures["fewest_moves"], 0)
        self.assertLessEqual(20 * figures["fewest_moves"], figures["moves"])
        self.assertGreater(figures["games_per_second"], 0)
        self.assertGreater(figures["server_us_per_move"], 0)
        self.assertLessEqual(figures["latency_p50_us"], figures["latency_p999_us"])

    def test_answers_to_requests_in_flight_share_writes(self) -> None:
        figures = self.figures("games", "--rooms", "5", "--in-flight", "8", "--warm-up", "0",
                               "--seconds", "0.5")
        self.assertEqual(figures["in_flight"], 8)
        # Two receivers of each move and of each wish for a rematch; 9 if each answer had its own.
        self.assertGreater(figures["server_writes_per_move"], 1)
        self.assertLess(figures["server_writes_per_move"], 3.5)

    def test_watchers_and_a_large_board(self) -> None:
        figures = self.figures("games", "--rooms", "2", "--watchers", "10", "--board", "19x15x5",
                               "--exact", "--warm-up", "0", "--seconds", "0.5")
        self.assertEqual(figures["board"], "19x15x5 exact")
        self.assertGreaterEqual(figures["updates_per_second"], 11 * figures["moves_per_second"])

    def test_late_comers(self) -> None:
        figures = self.figures("games", "--rooms", "2", "--board", "100x100x5", "--late", "3",
                               "--warm-up", "0", "--seconds", "0.5")
        self.assertGreater(figures["late_bytes"], figures["late_moves"])
        self.assertLessEqual(figures["late_p50_us"], figures["late_max_us"])

    def test_a_rate(self) -> None:
        figures = self.figures("games", "--rooms", "10", "--rate", "200", "--warm-up", "0.2",
                               "--seconds", "1")
        self.assertLess(abs(figures["moves"] - 200), 100)

    def test_storm_and_idle(self) -> None:
        self.assertEqual(self.figures("storm", "--connections", "100")["connections"], 100)
        figures = self.figures("idle", "--rooms", "10", "--seconds", "1", "--between-pings", "1")
        self.assertGreater(figures["pings"], 0)

    def test_every_transport(self) -> None:
        for transport in (["--tls"], ["--websocket"], ["--websocket", "--tls"],
                          ["--websocket-json"], ["--websocket-json", "--tls"]):
            with self.subTest(transport):
                figures = self.figures(*transport, "games", "--rooms", "5", "--watchers", "2",
                                       "--board", "15x15x5", "--late", "1", "--warm-up", "0",
                                       "--seconds", "1")
                self.assertGreater(figures["fewest_moves"], 0)
                self.assertEqual(
                    self.figures(*transport, "storm", "--connections", "20")["connections"], 20)
                figures = self.figures(*transport, "idle", "--rooms", "2", "--seconds", "1",
                                       "--between-pings", "1")
                self.assertGreater(figures["pings"], 0)
    def test_pings_of_the_server_are_answered_before_the_next_request(self) -> None:
        # TLS numbers what is sent. The server sends three pings in the longest silence.
        with Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--log", "off", "--no-journal", "--rate",
                    "0", "--max-per-address", "0", "--silence", "9") as server:
            result = self.load("--tls", "--websocket", "games", "--rooms", "200", "--warm-up", "0",
                               "--seconds", "4", port=server.port)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_it_speaks_what_it_says(self) -> None:
        seen: dict[str, bytes] = {}

        def keep(number: int, data: bytes) -> bytes:
            seen.setdefault("first", data)
            seen["last"] = data
            return data

        relay = with_changed_frames(self.server.port, keep, websocket_length)
        self.addCleanup(relay.close)
        for option, protocol, opcode in (("--websocket", b"tictactoe.v1.protobuf", 0x82),
                                         ("--websocket-json", b"tictactoe.v1.json", 0x81)):
            seen.clear()
            result = self.load(option, "storm", "--connections", "1", port=relay.port)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(b"Sec-WebSocket-Protocol: " + protocol + b"\r\n", seen["first"])
            self.assertEqual(seen["last"][0], opcode)
        pieces: list[bytes] = []
        relay = with_changed_frames(self.server.port, lambda _, data: pieces.append(data) or data, len)
        self.addCleanup(relay.close)
        result = self.load("--tls", "storm", "--connections", "1", port=relay.port)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(pieces[0][:2], b"\x16\x03")

    def test_options(self) -> None:
        for options in (["games", "--board", "3x3"], ["games", "--board", "3x3x9"], [],
                        ["games", "--rooms", "0"], ["games", "--colour"],
                        ["--floor", "games", "--late", "1"],
                        ["--floor", "--tls", "games"], ["--floor", "--websocket", "games"],
                        ["--websocket", "--websocket-json", "games"]):
            self.assertEqual(self.load(*options).returncode, 2, options)
        with socket.socket() as unused:
            unused.bind((LOOPBACK.ipv4, 0))
            self.assertEqual(self.load("games", port=unused.getsockname()[1]).returncode, 1)

    def assert_caught(self, change: Callable[[int, bytes], bytes]) -> None:
        for transport, length in (([], frame_length), (["--websocket"], websocket_length),
                                  (["--websocket-json"], websocket_length)):
            relay = with_changed_frames(self.server.port, change, length)
            self.addCleanup(relay.close)
            result = self.load(*transport, "games", "--rooms", "3", "--seconds", "20",
                               port=relay.port)
            self.assertEqual(result.returncode, 1, result.stdout)
            self.assertRegex(result.stderr, "^tictactoe-load: Room ")

    def test_a_frame_that_comes_twice_is_caught(self) -> None:
        self.assert_caught(lambda number, data: data * 2 if number == 500 else data)

    def test_a_frame_that_is_lost_is_caught(self) -> None:
        self.assert_caught(lambda number, data: b"" if number == 500 else data)

    def test_a_frame_that_is_altered_is_caught(self) -> None:
        self.assert_caught(lambda number, data: data[:-1] + bytes([data[-1] ^ 1])
                           if number == 500 else data)


class LobbyTest(ClusterCase):
    def test_redirects_are_followed(self) -> None:
        servers = self.servers(2, "--rate", "0")
        time.sleep(2)  # until each knows the other one
        result = run("tictactoe-load", "games", "--port", str(servers[0].port), "--also", servers[1].address,
                     "--rooms", "10", "--warm-up", "0.2", "--seconds", "1", "--json", "-", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        figures = json.loads(result.stdout)
        # The second player of each room comes to the other server.
        self.assertGreaterEqual(figures["redirects"], 10)
        self.assertGreater(figures["fewest_moves"], 0)


class FloorTest(unittest.TestCase):
    """The relay that servers are compared with moves the same bytes in the same pattern."""

    def setUp(self) -> None:
        self.server = self.enterContext(
            Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--log", "off", "--rate", "0",
                   "--max-per-address", "0"))
        self.floor = self.enterContext(Process([f"{BIN}/tictactoe-relay"], None,
                                               stdout=subprocess.PIPE))
        self.floor.port = int(self.floor.expect(r"listening on \S+:(\d+)$").group(1))

    @staticmethod
    def figures(program: Process, *options: str) -> dict:
        result = run("tictactoe-load", "--port", str(program.port), "--server-pid",
                     str(program.process.pid), "--quiet", "--json", "-", *options)
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        return json.loads(result.stdout)

    def both(self, *options: str) -> tuple[dict, dict]:
        return self.figures(self.server, *options), self.figures(self.floor, "--floor", *options)

    def test_games_are_as_many_bytes(self) -> None:
        # The speed of the rooms must not matter for this number of moves.
        for options in ([], ["--watchers", "10"], ["--board", "19x15x5"], ["--rate", "2000"]):
            server, floor = self.both("games", "--rooms", "4", "--warm-up", "0", "--seconds", "1",
                                      *options)
            for way in ("sent_bytes_per_move", "received_bytes_per_move"):
                self.assertAlmostEqual(floor[way] / server[way], 1, delta=0.05,
                                       msg=f"{way} {options}")

    def test_storm_and_idle(self) -> None:
        server, floor = self.both("storm", "--connections", "100")
        self.assertEqual(server["sent_bytes"], floor["sent_bytes"])
        self.assertAlmostEqual(floor["received_bytes"] / server["received_bytes"], 1, delta=0.05)
        server, floor = self.both("idle", "--rooms", "10", "--seconds", "1", "--between-pings", "1")
        self.assertGreater(floor["pings"], 0)

    def test_neither_is_taken_for_the_other(self) -> None:
        for program, option in ((self.floor, []), (self.server, ["--floor"])):
            result = run("tictactoe-load", *option, "--port", str(program.port), "--quiet", "games",
                         "--seconds", "1")
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, "hello|closed")

    def test_what_is_no_frame_does_it_no_harm(self) -> None:
        for data in (b"\x00", b"\x01a", b"\x80" * 10, b"\xff\xff\xff\x7f", b"\x04\x01\x00\x01\x00"):
            with socket.create_connection((LOOPBACK.ipv4, self.floor.port)) as client:
                client.sendall(data)
        self.assertEqual(self.figures(self.floor, "--floor", "storm", "--connections",
                                      "10")["connections"], 10)


if __name__ == "__main__":
    unittest.main(verbosity=2)
