"""The wire as proto/README.md describes it: a client written from that page alone meets the real
server and the real console client."""

from __future__ import annotations

import tempfile
import time
import unittest
from pathlib import Path
from typing import Sequence

import raw_client
from network import LOOPBACK
from programs import TIMEOUT, Client, Server
from raw_client import Message, RawClient, Refused, frame

PROTO = Path(__file__).resolve().parents[2] / "proto"

Cells = Sequence[tuple[int, int]]

protocol: raw_client.Protocol


def setUpModule() -> None:
    global protocol
    folder = tempfile.TemporaryDirectory(prefix="tictactoe-proto-")
    unittest.addModuleCleanup(folder.cleanup)
    protocol = raw_client.compile_protocol(PROTO, Path(folder.name))


class WireTest(unittest.TestCase):
    """Starts a server for each test, with the options of its class."""

    options: Sequence[str] = ()

    def setUp(self) -> None:
        self.server = self.start_server(*self.options)

    def start_server(self, *options: str) -> Server:
        server = self.enterContext(
            Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--log", "off", *options))
        self.addCleanup(self.stop, server)
        return server

    def stop(self, server: Server) -> None:
        """Asks a server to end, unless it has ended, and expects that it does so in good order."""
        server.process.terminate()
        self.assertEqual(server.status(), 0, server.text)

    def start_console(self, name: str, *lines: str) -> Client:
        """A console client that plays a script."""
        console = self.enterContext(
            Client(LOOPBACK, LOOPBACK.address4(self.server.port), name))
        console.type(*lines)
        return console

    def output(self, console: Client) -> str:
        """What a console client printed, once its script has ended."""
        self.assertEqual(console.status(), 0, console.text)
        return console.text

    def connect(self, name: str | None = None, server: Server | None = None) -> RawClient:
        """A connection; one that has said hello, if there is a name."""
        client = RawClient(protocol, LOOPBACK.ipv4, (server or self.server).port, TIMEOUT)
        self.addCleanup(client.close)
        if name is not None:
            client.hello(name)
        return client

    def assert_error(self, message: Message, code: str, *, request_id: int = 0,
                     closing: bool = False) -> None:
        self.assertEqual(message.WhichOneof("event"), "error", message)
        self.assertEqual(protocol.server.Error.Code.Name(message.error.code), code, message)
        self.assertNotEqual(message.error.message, "")
        self.assertEqual(message.error.closing, closing, message)
        self.assertEqual(message.request_id, request_id)

    def assert_refused(self, code: str, client: RawClient, kind: str, **fields: object) -> Message:
        """The Error that answers a request."""
        with self.assertRaises(Refused) as refused:
            client.ask(kind, **fields)
        error = refused.exception.error
        self.assertEqual(protocol.server.Error.Code.Name(error.code), code, error)
        self.assertFalse(error.closing)
        return error

    def assert_alive(self, client: RawClient) -> None:
        self.assertEqual(client.answer(client.send("ping")).WhichOneof("event"), "pong")

    def play(self, players: Sequence[RawClient], cells: Cells) -> None:
        """The players move in turn, each with a cell."""
        for number, cell in enumerate(cells):
            player = players[number % len(players)]
            player.follow_until(lambda room: room.my_turn)
            player.move(*cell)


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

    def test_raw_client_loses(self) -> None:
        outcome, output = self.play_game([(1, 1), (2, 1), (2, 2)], "1 1", "b1", "1 3")
        self.assertEqual(outcome.winner, protocol.types.MARK_O)
        self.assertEqual([line.kind for line in outcome.lines], [protocol.types.Line.KIND_ROW])
        self.assertIn("alice (O) wins", output)
        self.assertIn("You win", output)

    def test_nobody_wins(self) -> None:
        outcome, output = self.play_game([(0, 0), (0, 2), (1, 0), (1, 2), (2, 1)],
                                         "1 2", "2 2", "3 1", "3 3")
        self.assertEqual(outcome.winner, protocol.types.MARK_NONE)
        self.assertEqual(outcome.reason, protocol.types.Outcome.REASON_BOARD_FULL)
        self.assertIn("draw", output.lower())
        self.assertNotIn("wins", output)

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

    def test_unknown_capabilities_are_ignored(self) -> None:
        client = self.connect()
        welcome = client.ask("hello", protocol_versions=[1], name="ann", capabilities=["telepathy"])
        self.assertEqual(list(welcome.capabilities), [])

    def test_an_empty_frame_is_a_message_with_nothing_in_it(self) -> None:
        client = self.connect("ann")
        client.send_bytes(b"\x00")
        self.assert_error(client.receive(), "CODE_UNKNOWN_REQUEST")
        self.assert_alive(client)

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

    def test_a_length_may_come_byte_by_byte_and_in_5_bytes(self) -> None:
        client = self.connect("ann")
        body = client.request("ping").SerializeToString()
        for byte in bytes([len(body) | 0x80, 0x80, 0x80, 0x80, 0x00]) + body:
            client.send_bytes(bytes([byte]))
        self.assertEqual(client.receive().WhichOneof("event"), "pong")

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

    def test_a_refused_name_can_be_followed_by_another_hello(self) -> None:
        client = self.connect()
        for name in ("", "a\nb"):
            self.assert_refused("CODE_INVALID_NAME", client, "hello", protocol_versions=[1],
                                name=name)
        self.assertEqual(client.hello("ann").player_name, "ann")
        self.assert_refused("CODE_ALREADY_WELCOME", client, "hello", protocol_versions=[1],
                            name="bob")
        self.assertEqual(self.connect().hello("ann").player_name, "ann-2")

    def test_a_server_that_stops_says_so(self) -> None:
        client = self.connect("ann")
        self.server.process.terminate()
        self.assert_error(client.receive(), "CODE_SERVER_STOPPING", closing=True)
        client.expect_end()
        self.assertEqual(self.server.status(), 0)


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
        for number in range(page):
            self.connect(f"p{number}").ask("create_room", name=f"{number:04}")
        listed = self.client.ask("list_rooms")
        self.assertEqual((len(listed.rooms), listed.more), (page, False))
        self.connect("last").ask("create_room", name="last")
        listed = self.client.ask("list_rooms")
        self.assertEqual([room.name for room in listed.rooms], [f"{n:04}" for n in range(page)])
        self.assertTrue(listed.more)
        listed = self.client.ask("list_rooms", after=listed.rooms[-1].name)
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

    def test_connections(self) -> None:
        server = self.start_server("--max-connections", "2")
        clients = [self.connect(name, server) for name in ("ann", "bob")]
        self.assertEqual(clients[0].welcome.limits.connections, 2)
        third = self.connect(server=server)
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
        server = self.start_server("--rate", "0")
        for number in range(100):
            self.connect(f"player {number}", server).ask("create_room", name=f"room {number:03}")
        client = self.connect("ann", server)
        size = client.ask("list_rooms").ByteSize()
        limit = client.welcome.limits.outbox_bytes
        # Far more than the outbox and the kernels of both sides hold, asked for before any is read.
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


class OrderTest(WireTest):
    """Answers come in the order of the requests; the raw client checks that as it reads."""

    def test_50_requests_in_one_write(self) -> None:
        client = self.connect("ann")
        cell = protocol.types.Cell(row=2, col=2)
        rules = protocol.types.Rules(rows=15, cols=15, k=5)
        round_of_ten = (
            ("create_room", {"name": "den", "rules": rules}, "snapshot"),
            ("add_ai", {"level": "unbeatable"}, "update"),
            ("move", {"cell": cell}, "update"),
            ("hint", {}, "hinted"),
            ("ping", {}, "pong"),
            ("list_rooms", {}, "room_list"),
            ("chat", {"text": "on we go"}, "update"),
            ("get_snapshot", {}, "snapshot"),
            ("join_room", {"name": "nowhere"}, "error"),
            ("leave_room", {}, "left"),
        )
        expected = [event for _, _, event in round_of_ten] * 5
        requests = [client.request(kind, **fields)
                    for _ in range(5) for kind, fields, _ in round_of_ten]
        client.send_together(requests)
        answers: list[Message] = []
        while len(answers) < len(requests):
            message = client.receive()
            if message.request_id:
                answers.append(message)
        self.assertEqual([answer.request_id for answer in answers],
                         [request.request_id for request in requests])
        self.assertEqual([answer.WhichOneof("event") for answer in answers], expected)


if __name__ == "__main__":
    unittest.main()
