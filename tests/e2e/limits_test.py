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
from raw_client import RawClient, frame
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

    def test_length_of_passwords(self) -> None:
        longest = "🙂" * self.limits.password_length
        self.assert_refused("CODE_INVALID_TEXT", self.client, "create_room", name="den",
                            password=longest + "!")
        self.client.ask("create_room", name="den", password=longest)
        bob = self.connect("bob")
        self.assert_refused("CODE_WRONG_PASSWORD", bob, "join_room", name="den",
                            password=longest[1:])
        self.assertEqual(bob.ask("join_room", name="den", password=longest).name, "den")

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

    def test_sizes_of_boards(self) -> None:
        small, large = self.limits.min_side, self.limits.max_side
        for rows, cols, k in ((small, small, 3), (large, large, large), (small, large, large),
                              (large, small, 3)):
            rules = protocol.types.Rules(rows=rows, cols=cols, k=k)
            self.assertEqual(self.client.ask("create_room", name="den", rules=rules).rules, rules)
            self.client.ask("leave_room")
        for rows, cols, k in ((small - 1, small, 3), (small, small - 1, 3), (large + 1, large, 3),
                              (large, large + 1, 3), (5, 6, 2), (5, 6, 7), (large, 3, large + 1)):
            self.assert_refused("CODE_INVALID_RULES", self.client, "create_room", name="den",
                                rules=protocol.types.Rules(rows=rows, cols=cols, k=k))

    def test_rooms_in_a_list(self) -> None:
        page = self.limits.rooms_per_list
        server = self.start_server("--max-per-address", "0")
        client = self.connect("ann", server)
        for number in range(page):
            self.connect(f"p{number}", server).ask("create_room", name=f"{number:04}")
        listed = client.ask("list_rooms")
        self.assertEqual((len(listed.rooms), listed.more), (page, False))
        self.connect("last", server).ask("create_room", name="last")
        listed = client.ask("list_rooms")
        self.assertEqual([room.name for room in listed.rooms], [f"{n:04}" for n in range(page)])
        self.assertTrue(listed.more)
        listed = client.ask("list_rooms", after=listed.rooms[-1].name)
        self.assertEqual([room.name for room in listed.rooms], ["last"])
        self.assertFalse(listed.more)

    def test_levels_of_ai(self) -> None:
        self.client.ask("create_room", name="den")
        self.assert_refused("CODE_UNKNOWN_AI_LEVEL", self.client, "add_ai", level="psychic")
        for level in ("", *self.limits.ai_levels):
            seated = self.client.ask("add_ai", level=level).seat_changed
            self.assertEqual(seated.occupant.ai_level, level or self.limits.ai_levels[0])
            self.client.ask("remove_ai")
            self.client.check_mirror()


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

    def test_a_refused_request_is_granted_when_the_server_said(self) -> None:
        server = self.start_server("--rate", "20", "--burst", "1")
        client = self.connect(server=server)
        client.send_together([client.request("hello", protocol_versions=[1], name="ann"),
                              client.request("list_rooms")])
        self.assertEqual(client.receive().WhichOneof("event"), "welcome")
        refusal = client.receive()
        self.assert_error(refusal, "CODE_RATE_LIMITED", request_id=refusal.request_id)
        promised = time.monotonic() + refusal.error.retry_after_ms / 1000
        time.sleep(promised - time.monotonic())
        client.ask("list_rooms")

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

    def test_rooms(self) -> None:
        server = self.start_server("--max-rooms", "2")
        ann, bob, eve = (self.connect(name, server) for name in ("ann", "bob", "eve"))
        self.assertEqual(ann.welcome.limits.rooms, 2)
        ann.ask("create_room", name="1")
        bob.ask("create_room", name="2")
        self.assert_refused("CODE_TOO_MANY_ROOMS", eve, "create_room", name="3")
        ann.ask("leave_room")
        self.assertEqual(eve.ask("create_room", name="3").name, "3")

    def test_watchers(self) -> None:
        server = self.start_server("--max-watchers", "1")
        ann, bob, eve = (self.connect(name, server) for name in ("ann", "bob", "eve"))
        self.assertEqual(ann.welcome.limits.watchers_per_room, 1)
        ann.ask("create_room", name="den")
        bob.ask("watch_room", name="den")
        self.assert_refused("CODE_ROOM_FULL", eve, "watch_room", name="den")
        bob.ask("leave_room")
        eve.ask("watch_room", name="den")

    def test_largest_side(self) -> None:
        server = self.start_server("--max-side", "7")
        client = self.connect("ann", server)
        self.assertEqual(client.welcome.limits.max_side, 7)
        rules = protocol.types.Rules(rows=8, cols=7, k=4)
        self.assert_refused("CODE_INVALID_RULES", client, "create_room", name="den", rules=rules)
        rules.rows = 7
        client.ask("create_room", name="den", rules=rules)

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


class LargestBoardTest(WireTest):
    """A room of 1000 x 1000."""

    options = ("--rate", "0")

    def open_room(self, k: int) -> tuple[RawClient, RawClient]:
        ann, bob = self.connect("ann"), self.connect("bob")
        rules = protocol.types.Rules(rows=1000, cols=1000, k=k)
        self.assertEqual(ann.ask("create_room", name="field", rules=rules).rules, rules)
        self.assertEqual(bob.ask("join_room", name="field").your_seat, protocol.types.MARK_O)
        return ann, bob

    def test_a_game_to_its_end_in_the_far_corner(self) -> None:
        ann, bob = self.open_room(k=5)
        for off in ((1000, 0), (0, 1000), (2**32 - 1, 2**32 - 1)):
            self.assert_refused("CODE_OFF_BOARD", ann, "move",
                                cell=protocol.types.Cell(row=off[0], col=off[1]))
        cells = [cell for step in range(4) for cell in ((999 - step, 999), (step, 500))]
        self.play([ann, bob], cells)
        eve = self.connect("eve")
        snapshot = eve.ask("watch_room", name="field")
        self.assertEqual(list(snapshot.moves), [row * 1000 + col for row, col in cells])
        self.assertEqual(eve.room.mark_at(999, 999), protocol.types.MARK_X)

        self.play([ann], [(995, 999)])
        outcome = eve.find_update("move_played").outcome
        self.assertEqual(outcome.winner, protocol.types.MARK_X)
        self.assertEqual(len(outcome.lines), 1)
        self.assertEqual(outcome.lines[0].kind, protocol.types.Line.KIND_COLUMN)
        self.assertEqual((outcome.lines[0].first.row, outcome.lines[0].last.row), (995, 999))
        for client in (ann, bob, eve):
            client.check_mirror()

    def test_watching_late_shows_all_of_a_long_game(self) -> None:
        ann, bob = self.open_room(k=1000)
        cells = range(500_000, 501_500)
        self.play([ann, bob], [divmod(cell, 1000) for cell in cells])
        eve = self.connect("eve")
        snapshot = eve.ask("watch_room", name="field")
        self.assertGreater(snapshot.ByteSize(), eve.welcome.limits.client_frame_bytes)
        self.assertEqual(list(snapshot.moves), list(cells))
        self.play([ann], [(999, 999)])
        eve.find_update("move_played")
        for client in (ann, bob, eve):
            client.check_mirror()


if __name__ == "__main__":
    unittest.main()
