"""Every limit that the welcome names, against the real server."""

from __future__ import annotations

import os
import pathlib
import re
import resource
import time
import unittest

import raw_client
from generated import protocol
from raw_client import frame
from wire_case import WireTest


class LimitsTest(WireTest):
    """Every limit of the welcome: reached, and passed by one."""

    def setUp(self) -> None:
        super().setUp()
        self.client = self.connect("ann")
        self.limits = self.client.welcome.limits

    def test_length_of_names(self) -> None:
        for letter in ("n", "ñ", "🙂"):
            with self.subTest(letter=letter):
                longest = letter * self.limits.name_length
                client = self.connect()
                self.assert_refused("CODE_INVALID_NAME", client, "hello", protocol_versions=[1],
                                    name=longest + letter)
                self.assertEqual(client.hello(longest).player_name, longest)
                self.assert_refused("CODE_INVALID_NAME", client, "create_room",
                                    name=longest + letter)
                self.assertEqual(client.ask("create_room", name=longest).name, longest)

                second = self.connect().hello(longest).player_name
                self.assertNotEqual(second, longest)
                self.assertLessEqual(len(second), self.limits.name_length)

    def test_length_of_chat(self) -> None:
        self.client.ask("create_room", name="den")
        for letter in ("c", "🙂"):
            longest = letter * self.limits.chat_length
            self.assert_refused("CODE_INVALID_TEXT", self.client, "chat", text=longest + letter)
            self.assertEqual(self.client.ask("chat", text=longest).chat_said.text, longest)

    def test_bytes_of_a_frame(self) -> None:
        def padded_ping(size: int) -> bytes:
            body = self.client.request("ping").SerializeToString()
            padding = size - len(body) - 4  # Two bytes of tag, two of length.
            return frame(body + b"\xca\x3e" + raw_client.encode_varint(padding) + bytes(padding))

        self.client.send_bytes(padded_ping(self.limits.client_frame_bytes))
        self.assertEqual(self.client.receive().WhichOneof("event"), "pong")
        self.client.send_bytes(padded_ping(self.limits.client_frame_bytes + 1))
        self.assert_error(self.client.receive(), "CODE_MALFORMED_FRAME", closing=True)
        self.client.expect_end()


class ChosenLimitsTest(WireTest):
    """Limits that are high by default: servers that have them low."""

    def setUp(self) -> None:
        """Each test starts a server with its own options."""

    def test_requests_at_once(self) -> None:
        server = self.start_server("--rate", "1", "--burst", "20")
        client = self.connect(server=server)
        hello = client.request("hello", protocol_versions=[1], name="ann")
        pings = [client.request("ping") for _ in range(20)]
        client.send_together([hello, *pings])
        self.assertEqual(client.receive().welcome.limits.request_burst, 20)
        answers = [client.receive() for _ in pings]
        self.assertEqual([answer.WhichOneof("event") for answer in answers],
                         ["pong"] * 19 + ["error"])
        self.assert_error(answers[-1], "CODE_RATE_LIMITED", request_id=pings[-1].request_id)
        self.assertTrue(0 < answers[-1].error.retry_after_ms <= 1000, answers[-1])

    def test_time_until_the_hello(self) -> None:
        server = self.start_server()
        seconds = self.connect("ann", server).welcome.limits.hello_timeout_ms / 1000
        began = time.monotonic()
        silent, slow = self.connect(server=server), self.connect(server=server)
        slow.send_bytes(b"\x0c\x08")
        for client in (silent, slow):
            self.assert_error(client.receive(), "CODE_HELLO_EXPECTED", closing=True)
            self.assertGreaterEqual(time.monotonic() - began, seconds)
            client.expect_end()

    def test_moves_of_a_game(self) -> None:
        """Two AIs play the longest game on the largest board. Joining it takes one frame."""
        server = self.start_server()
        ann = self.connect("ann", server)
        side = ann.welcome.limits.max_side
        ann.ask("create_room", name="den", rules={"rows": side, "cols": side, "k": side})
        for seat in ("MARK_O", "MARK_X"):
            ann.ask("add_ai", seat=protocol.types.Mark.Value(seat), level="random")
        for moves in range(500, ann.welcome.limits.moves_per_game + 1, 500):
            ann.follow_until(lambda room, moves=moves: len(room.state.moves) >= moves)
        ben = self.connect("ben", server)
        room = ben.ask("watch_room", name="den")
        self.assertEqual(len(room.moves), ann.welcome.limits.moves_per_game)
        self.assertEqual(room.outcome.winner, protocol.types.MARK_NONE)
        self.assertEqual(room.outcome.reason, protocol.types.Outcome.REASON_MOVE_LIMIT)
        print(f"joined a game of {len(room.moves):,} moves with one frame of {room.ByteSize():,} bytes")
        self.assertLessEqual(room.ByteSize(), ben.welcome.limits.server_frame_bytes)

    def test_descriptors_are_reserved_before_anybody_connects(self) -> None:
        """If the kernel's table grew later, an accept would take up to 20 ms."""
        server = self.start_server()
        if not hasattr(os, "pidfd_open"):
            self.skipTest("needs Linux")
        status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        table = int(re.search(r"^FDSize:\s*(\d+)$", status, re.MULTILINE).group(1))
        most = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)[0]
        limits = self.connect("ann", server).welcome.limits
        self.assertGreaterEqual(table, min(most, limits.connections))

    def test_connections(self) -> None:
        server = self.start_server("--max-connections", "2")
        clients = [self.connect(name, server) for name in ("ann", "bob")]
        self.assertEqual(clients[0].welcome.limits.connections, 2)
        third = self.connect(server=server)
        third.send_bytes(b"\x04\x08")
        self.assert_error(third.receive(), "CODE_SERVER_FULL", closing=True)
        third.expect_end()
        for client in clients:
            self.assert_alive(client)

    def test_who_reads_gets_every_answer_however_many_wait(self) -> None:
        server = self.start_server("--rate", "0", "--max-per-address", "0")
        for number in range(100):
            self.connect(f"player {number}", server).ask("create_room", name=f"room {number:03}")
        client = self.connect("ann", server)
        size = client.ask("list_rooms").ByteSize()
        limit = client.welcome.limits.outbox_bytes
        # Requests far more than the outbox and both kernels hold before it reads anything.
        requests = [client.request("list_rooms") for _ in range(4 * limit // size)]
        client.send_together(requests)
        for request in requests:
            self.assertEqual(client.receive().request_id, request.request_id)
