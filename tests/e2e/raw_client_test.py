"""The wire as proto/README.md describes it: a client that was written from that page alone plays with the
real server and the real console client."""

from __future__ import annotations

import os
import pathlib
import re
import resource

from case import ServerCase
from generated import protocol


class WireTest(ServerCase):
    def play(self, players, cells) -> None:
        """The players move in turn, each with a cell."""
        for number, cell in enumerate(cells):
            player = players[number % len(players)]
            player.follow_until(lambda room: room.my_turn)
            player.move(*cell)


class GamesWithConsoleTest(WireTest):
    """Whole games of the raw client, X at first, with the console client, O at first."""

    def test_chat_and_a_rematch_that_the_other_starts(self) -> None:
        raw = self.raw("raw")
        raw.ask("create_room", name="duel")
        console = self.client(
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

        self.assertEqual(console.status(), 0, console.text)
        output = console.text
        self.assertIn("raw (X): viel Glück ✿", output)
        first, second = output.index("raw (X) wins"), output.index("alice (O) wins")
        self.assertLess(first, output.index("Game 2 begins: alice (O) starts"))
        self.assertLess(output.index("Game 2 begins: alice (O) starts"), second)


class RoomsTest(WireTest):
    """What happens in a room reaches everybody there, and gives the state that the server has."""

    def test_everybody_follows_everything(self) -> None:
        ann, bob, eve = self.raw("ann"), self.raw("bob"), self.raw("eve")
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


class LimitsTest(WireTest):
    def test_unknown_fields_are_ignored(self) -> None:
        """Newer clients may send more than this server knows."""
        unknown = b"\xc0\x3e\x07" + b"\xca\x3e\x03new"  # 1000: varint 7; 1001: "new"
        client = self.raw()
        hello = client.request("hello", protocol_versions=[1], name="ann")
        ping = client.request("ping")
        for message in (hello, hello.hello, ping, ping.ping):
            message.MergeFromString(unknown)
        self.assertEqual(hello.SerializeToString().count(unknown), 2)
        client.send_together([hello, ping])
        self.assertEqual(client.receive().welcome.player_name, "ann")
        self.assertEqual(client.receive().WhichOneof("event"), "pong")

    def test_descriptors_are_reserved_before_anybody_connects(self) -> None:
        """If the kernel's table grew later, an accept would take up to 20 ms."""
        if not hasattr(os, "pidfd_open"):
            self.skipTest("needs Linux")
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        table = int(re.search(r"^FDSize:\s*(\d+)$", status, re.MULTILINE).group(1))
        most = resource.prlimit(self.server.process.pid, resource.RLIMIT_NOFILE)[0]
        limits = self.raw("ann").welcome.limits
        self.assertGreaterEqual(table, min(most, limits.connections))
