"""The wire as proto/README.md describes it: a client that was written from that page alone plays with the
real server and the real console client."""

from __future__ import annotations

import unittest

import raw_client
from generated import protocol
from raw_client import Message, frame
from wire_case import Cells, WireTest


class GamesWithConsoleTest(WireTest):
    """Whole games of the raw client, X at first, with the console client, O at first."""

    def play_game(self, cells: Cells, *lines: str) -> tuple[Message, str]:
        """A game to its end: its outcome, and what the console client printed."""
        raw = self.connect("raw")
        raw.ask("create_room", name="duel")
        console = self.start_console("alice", "join duel", *lines, "wait", "quit")
        self.play([raw], cells)
        raw.follow_until(lambda room: room.state.phase == protocol.types.PHASE_FINISHED)
        outcome = protocol.types.Outcome()
        outcome.CopyFrom(raw.room.state.outcome)
        output = self.output(console)
        raw.follow_until(lambda room: room.state.o.kind == protocol.types.Occupant.KIND_OPEN)
        raw.check_mirror()
        return outcome, output

    def test_raw_client_wins(self) -> None:
        outcome, output = self.play_game([(0, 0), (1, 1), (2, 2)], "1 2", "c1")
        self.assertEqual(outcome.winner, protocol.types.MARK_X)
        self.assertEqual(outcome.reason, protocol.types.Outcome.REASON_LINE)
        self.assertEqual([line.kind for line in outcome.lines],
                         [protocol.types.Line.KIND_DIAGONAL])
        self.assertIn("raw (X) wins", output)
        self.assertNotIn("You win", output)

    def test_chat_and_a_rematch_that_the_other_starts(self) -> None:
        raw = self.connect("raw")
        raw.ask("create_room", name="duel")
        console = self.start_console(
            "alice", "join duel", "say grüß dich", "1 2", "1 3", "wait", "rematch",
            "1 1", "1 2", "1 3", "wait", "quit")

        said = raw.find_update("chat_said")
        self.assertEqual((getattr(said, "from"), said.seat, said.text),
                         ("alice", protocol.types.MARK_O, "grüß dich"))
        own = raw.ask("chat", text="viel Glück ✿").chat_said
        self.assertEqual(own.text, "viel Glück ✿")
        self.play([raw], [(0, 0), (1, 1), (2, 2)])

        self.assertEqual(raw.find_update("rematch_wanted").seat, protocol.types.MARK_O)
        raw.check_mirror()
        started = raw.ask("rematch").game_started
        self.assertEqual((started.game, started.starter), (2, protocol.types.MARK_O))
        self.assertEqual(raw.room.cells, {})
        self.play([raw], [(1, 1), (2, 2)])
        raw.follow_until(lambda room: room.state.phase == protocol.types.PHASE_FINISHED)
        self.assertEqual(raw.room.state.outcome.winner, protocol.types.MARK_O)

        output = self.output(console)
        self.assertIn("raw (X): viel Glück ✿", output)
        first, second = output.index("raw (X) wins"), output.index("alice (O) wins")
        self.assertLess(first, output.index("Game 2 begins: alice (O) starts"))
        self.assertLess(output.index("Game 2 begins: alice (O) starts"), second)


class RoomsTest(WireTest):
    """What happens in a room reaches everybody there, and gives the state that the server has."""

    def test_everybody_follows_everything(self) -> None:
        ann, bob, eve = self.connect("ann"), self.connect("bob"), self.connect("eve")
        ann.ask("create_room", name="den")
        bob.ask("join_room", name="den")
        eve.ask("watch_room", name="den")
        everybody = (ann, bob, eve)

        def check() -> None:
            for client in everybody:
                client.check_mirror()

        check()
        self.play([ann, bob], [(0, 0), (1, 0)])
        bob.ask("add_ai", seat=protocol.types.MARK_O, level="random")
        self.assertEqual(bob.room.state.your_seat, protocol.types.MARK_NONE)
        check()
        ann.ask("remove_ai", seat=protocol.types.MARK_O)
        self.assertEqual(ann.room.state.phase, protocol.types.PHASE_WAITING)
        check()
        eve.ask("join_room", name="den")
        self.play([ann, eve], [(0, 1), (1, 1), (0, 2)])
        check()
        ann.ask("rematch")
        check()
        ann.ask("leave_room")
        everybody = (bob, eve)
        check()

    def test_a_move_is_played_in_no_other_position(self) -> None:
        ann, bob = self.connect("ann"), self.connect("bob")
        ann.ask("create_room", name="den")
        bob.ask("join_room", name="den")
        cell = protocol.types.Cell(row=1, col=1)
        for game, ply in ((1, 1), (2, 0), (0, 0)):
            self.assert_refused("CODE_STALE_MOVE", ann, "move", cell=cell, game=game, ply=ply)
        ann.ask("move", cell=cell, game=1, ply=0)
        bob.find_update("move_played")
        self.assert_refused("CODE_CELL_TAKEN", bob, "move", cell=cell)
        ann.check_mirror()


class FramesTest(WireTest):
    """Frames and messages that a well-behaved client would not send."""

    def test_unknown_fields_are_ignored(self) -> None:
        unknown = b"\xc0\x3e\x07" + b"\xca\x3e\x03new"  # 1000: varint 7; 1001: "new"
        client = self.connect()
        hello = client.request("hello", protocol_versions=[1], name="ann")
        ping = client.request("ping")
        for message in (hello, hello.hello, ping, ping.ping):
            message.MergeFromString(unknown)
        self.assertEqual(hello.SerializeToString().count(unknown), 2)
        client.send_together([hello, ping])
        self.assertEqual(client.receive().welcome.player_name, "ann")
        self.assertEqual(client.receive().WhichOneof("event"), "pong")

    def test_an_unknown_request_is_answered(self) -> None:
        client = self.connect("ann")
        request = client.request("ping")
        request.ClearField("ping")
        client.send_bytes(frame(request.SerializeToString() + b"\xca\x3e\x00"))
        self.assert_error(client.receive(), "CODE_UNKNOWN_REQUEST", request_id=request.request_id)
        self.assert_alive(client)

    def test_garbage_in_a_frame_is_answered(self) -> None:
        client = self.connect("ann")
        not_utf8 = b"\x08\x09" + b"\xc2\x01\x04" + b"\x0a\x02\xff\xfe"  # A Chat, request 9.
        for body in (b"\xff", b"\x07", b"\x0a\x7f", not_utf8):
            client.send_bytes(frame(body))
            self.assert_error(client.receive(), "CODE_MALFORMED_MESSAGE")
        self.assert_alive(client)

    def test_a_frame_over_the_limit_ends_the_connection(self) -> None:
        for welcomed in (False, True):
            for body in (b"", bytes(4097)):
                with self.subTest(welcomed=welcomed, sent=len(body)):
                    client = self.connect("ann" if welcomed else None)
                    client.send_bytes(raw_client.encode_varint(4097) + body)
                    self.assert_error(client.receive(), "CODE_MALFORMED_FRAME", closing=True)
                    client.expect_end()

    def test_a_length_that_does_not_end_ends_the_connection(self) -> None:
        for length in (b"\xff\xff\xff\xff\xff", b"\x80\x80\x80\x80\x80", b"\xff\xff\xff\xff\x7f"):
            with self.subTest(length=length.hex()):
                client = self.connect("ann")
                client.send_bytes(length)
                self.assert_error(client.receive(), "CODE_MALFORMED_FRAME", closing=True)
                client.expect_end()

    def test_nothing_is_understood_before_the_hello(self) -> None:
        client = self.connect()
        request_id = client.send("ping")
        self.assert_error(client.receive(), "CODE_HELLO_EXPECTED", request_id=request_id,
                          closing=True)
        client.expect_end()
        for body, code in ((b"", "CODE_HELLO_EXPECTED"), (b"\xff", "CODE_MALFORMED_MESSAGE")):
            client = self.connect()
            client.send_bytes(frame(body))
            self.assert_error(client.receive(), code, closing=True)
            client.expect_end()

    def test_an_unknown_version_ends_the_connection(self) -> None:
        for versions in ([], [0], [2, 99]):
            with self.subTest(versions=versions):
                client = self.connect()
                request_id = client.send("hello", protocol_versions=versions, name="ann")
                answer = client.receive()
                self.assert_error(answer, "CODE_VERSION_UNSUPPORTED", request_id=request_id,
                                  closing=True)
                self.assertEqual(list(answer.error.supported_versions), [1])
                client.expect_end()
        welcome = self.connect().ask("hello", protocol_versions=[99, 1], name="ann")
        self.assertEqual(welcome.protocol_version, 1)


class OrderTest(WireTest):
    """Answers come in the order of the requests; the raw client checks that as it reads."""

    def test_55_requests_in_one_write(self) -> None:
        client = self.connect("ann")
        cell = protocol.types.Cell(row=2, col=2)
        rules = protocol.types.Rules(rows=15, cols=15, k=5)
        one_round = (
            ("create_room", {"name": "den", "rules": rules}, "snapshot"),
            ("add_ai", {"level": "unbeatable"}, "update"),
            ("move", {"cell": cell}, "update"),
            ("ping", {}, "pong"),
            ("list_rooms", {}, "room_list"),
            ("chat", {"text": "on we go"}, "update"),
            ("list_players", {}, "player_list"),
            ("list_members", {}, "member_list"),
            ("get_snapshot", {}, "snapshot"),
            ("join_room", {"name": "nowhere"}, "error"),
            ("leave_room", {}, "left"),
        )
        expected = [event for _, _, event in one_round] * 5
        requests = [client.request(kind, **fields)
                    for _ in range(5) for kind, fields, _ in one_round]
        client.send_together(requests)
        answers: list[Message] = []
        while len(answers) < len(requests):
            message = client.receive()
            if message.request_id:
                answers.append(message)
        self.assertEqual([answer.request_id for answer in answers],
                         [request.request_id for request in requests])
        self.assertEqual([answer.WhichOneof("event") for answer in answers], expected)

    def test_a_hint_names_its_position(self) -> None:
        client = self.connect("ann")
        client.send("create_room", name="den")
        client.send("hint")
        client.send("ping")
        events = {}
        while "hinted" not in events or "pong" not in events:
            message = client.receive()
            events[message.WhichOneof("event")] = message
        hinted = events["hinted"].hinted
        self.assertEqual((hinted.game, hinted.ply, hinted.takebacks), (1, 0, 0))
        self.assertEqual(hinted.mark, protocol.types.MARK_X)
