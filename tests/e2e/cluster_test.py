"""Several servers that share a PostgreSQL database are one lobby, also when one of them is lost.

The client is the one that was written from proto/README.md.
"""

from __future__ import annotations

import json
import socket
import subprocess
import tempfile
import time
import unittest

import postgres
from generated import protocol
from programs import BIN, TIMEOUT
from raw_client import PROTOCOL_VERSION, Message, RawClient, Refused

TAKEOVER_S = 10


class Server:
    """One of the servers. Its public address is the one that it listens at."""

    def __init__(self, url: str, port: int, *options: str) -> None:
        self.port = port
        self.address = f"127.0.0.1:{port}"
        self._folder = tempfile.TemporaryDirectory(prefix="tictactoe-server-")
        self.folder = self._folder.name
        self._command = [
            f"{BIN}/tictactoe-server", "--listen", "127.0.0.1", "--port", str(port), "--store", url,
            "--data-dir", self.folder, "--public-address", self.address, "--ai-delay", "0",
            "--max-per-address", "0", "--log", "warn", *options]
        self.start()

    def start(self) -> None:
        """Once more, with the same key."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        if "listening on" not in line:
            raise RuntimeError(f"the server does not start: {line!r}")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(TIMEOUT)

    def stop(self) -> int:
        self._process.terminate()
        status = self._process.wait(TIMEOUT)
        self._process.stdout.close()
        return status

    def close(self) -> None:
        if self._process.poll() is None:
            self.kill()
        self._process.stdout.close()
        self._folder.cleanup()


def free_ports(count: int) -> list[int]:
    """Ports that nothing listens at. Clients of these tests come from other addresses."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Player:
    """A player who follows redirects, and tries again what is refused for now."""

    def __init__(self, name: str, port: int, token: bytes = b"") -> None:
        self.name, self.token, self.redirects = name, token, 0
        self.room_name, self.revision = "", 0
        self.connect(port)

    def connect(self, port: int) -> Message:
        deadline = time.monotonic() + TIMEOUT
        asked_first = port
        while True:
            self.port = port
            try:
                self.client = RawClient(protocol, "127.0.0.1", port)
            except ConnectionRefusedError:
                # Of a server that is lost, and not taken over yet.
                if port == asked_first or time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
                port = asked_first
                continue
            try:
                event = self.client.ask(
                    "hello", protocol_versions=[PROTOCOL_VERSION], name=self.name, token=self.token,
                    capabilities=["redirect"], room=self.room_name, revision=self.revision)
            except Refused as refused:
                if (refused.error.code != protocol.server.Error.CODE_CANNOT_RECORD
                        or time.monotonic() > deadline):
                    raise
                self.client.close()
                time.sleep(0.2)
                continue
            if event.DESCRIPTOR.name == "Redirect":
                port = self._follow(event)
                continue
            self.token = event.token or self.token
            return event

    def ask(self, kind: str, **fields) -> Message:
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                event = self.client.ask(kind, **fields)
            except Refused as refused:
                if (refused.error.code != protocol.server.Error.CODE_CANNOT_RECORD
                        or time.monotonic() > deadline):
                    raise
                time.sleep(0.2)
                continue
            if event.DESCRIPTOR.name != "Redirect":
                return event
            self.connect(self._follow(event))

    def _follow(self, redirect: Message) -> int:
        self.redirects += 1
        self.client.expect_end()
        self.client.close()
        return int(redirect.server.address.rsplit(":", 1)[1])


@unittest.skipUnless(postgres.is_installed(), "PostgreSQL is not installed")
class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.database = postgres.Postgres()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.database.close()

    def setUp(self) -> None:
        self.database.sql("DROP SCHEMA tictactoe CASCADE; CREATE SCHEMA tictactoe AUTHORIZATION "
                          "tictactoe")

    def servers(self, count: int) -> list[Server]:
        servers = []
        for port in free_ports(count):
            servers.append(Server(self.database.url, port))
            self.addCleanup(servers[-1].close)
        return servers

    def player(self, name: str, server: Server, token: bytes = b"") -> Player:
        player = Player(name, server.port, token)
        self.addCleanup(lambda: player.client.close())
        return player

    def wait_for(self, condition, what: str, seconds: float = TIMEOUT) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.1)

    def rooms(self, player: Player) -> list[str]:
        return [room.name for room in player.ask("list_rooms").rooms]

    def test_a_game_between_players_of_two_servers(self) -> None:
        a, b = self.servers(2)
        ann = self.player("ann", a)
        ann.ask("create_room", name="den")
        ben = self.player("ben", b)
        self.assertEqual(self.rooms(ann), ["den"])
        self.wait_for(lambda: self.rooms(ben) == ["den"], "the other server does not list the room")
        ben.ask("join_room", name="den")
        self.assertEqual((ben.port, ben.redirects), (a.port, 1))
        for player, cell in ((ann, (0, 0)), (ben, (1, 0)), (ann, (0, 1)), (ben, (1, 1)),
                             (ann, (0, 2))):
            player.client.follow_until(lambda room: room.my_turn)
            player.client.move(*cell)
        ben.client.follow_until(
            lambda room: room.state.phase == protocol.types.PHASE_FINISHED)
        self.assertEqual(ben.client.room.state.outcome.winner, protocol.types.MARK_X)
        # One history.
        carl = self.player("carl", b)
        self.assertEqual([game.room for game in carl.ask("list_games").games], ["den"])

    def test_the_feed_of_the_lobby_has_the_rooms_of_all(self) -> None:
        a, b = self.servers(2)
        ann, ben = self.player("ann", a), self.player("ben", b)
        rooms = {room.name for room in ben.ask("watch_lobby").rooms}

        def hears(wanted: set[str]) -> None:
            deadline = time.monotonic() + TIMEOUT
            while rooms != wanted:
                self.assertLess(time.monotonic(), deadline, f"{rooms} are not {wanted}")
                update = ben.client.receive().lobby_update
                rooms.difference_update(update.closed)
                rooms.update(room.name for room in update.rooms)

        ann.ask("create_room", name="den")
        hears({"den"})
        ann.ask("leave_room")
        hears(set())

    def test_the_load_generator_follows_redirects(self) -> None:
        servers = [Server(self.database.url, port, "--rate", "0") for port in free_ports(2)]
        for server in servers:
            self.addCleanup(server.close)
        time.sleep(2)  # until each knows the other one
        loaded = subprocess.run(
            [f"{BIN}/tictactoe-load", "games", "--port", str(servers[0].port), "--also",
             servers[1].address, "--rooms", "10", "--warm-up", "0.2", "--seconds", "1", "--json", "-",
             "--quiet"], capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual(loaded.returncode, 0, loaded.stderr)
        figures = json.loads(loaded.stdout)
        # The second player of each room comes to the other server.
        self.assertGreaterEqual(figures["redirects"], 10)
        self.assertGreater(figures["fewest_moves"], 0)

    def test_play_finds_an_opponent_anywhere(self) -> None:
        a, b = self.servers(2)
        ann = self.player("ann", a)
        ann.ask("play")
        ben = self.player("ben", b)
        self.wait_for(lambda: self.rooms(ben) != [], "the other server does not list the room")
        ben.ask("play")
        ann.client.follow_until(lambda room: room.state.phase == protocol.types.PHASE_PLAYING)
        self.assertEqual(ann.client.room.state.o.name, "ben")

    def test_names_and_tokens_are_those_of_the_lobby(self) -> None:
        a, b = self.servers(2)
        ann = self.player("ann", a)
        other = self.player("ann", b)
        self.assertEqual(ann.client.welcome.player_name, "ann")
        self.assertEqual(other.client.welcome.player_name, "ann-2")
        self.assertEqual(ann.client.welcome.server_id, other.client.welcome.server_id)
        ann.ask("create_room", name="den")
        with self.assertRaises(Refused) as refused:
            other.ask("create_room", name="DEN")
        self.assertEqual(refused.exception.error.code, protocol.server.Error.CODE_ROOM_EXISTS)
        again = self.player("ann", b, ann.token)
        self.assertTrue(again.client.welcome.resumed)
        self.assertEqual(again.client.welcome.room, "den")
        self.assertEqual((again.port, again.redirects), (a.port, 1))
        self.wait_for(
            lambda: len(self.player("who", a).client.welcome.servers) == 2, "one server is missing")

    def test_a_client_that_does_not_follow_is_told_where_to_go_and_stays(self) -> None:
        a, b = self.servers(2)
        ann = self.player("ann", a)
        ann.ask("create_room", name="den")
        old = RawClient(protocol, "127.0.0.1", b.port)
        self.addCleanup(old.close)
        old.hello("old")
        with self.assertRaises(Refused) as refused:
            old.ask("join_room", name="den")
        self.assertEqual(refused.exception.error.code, protocol.server.Error.CODE_ELSEWHERE)
        self.assertIn(a.address, refused.exception.error.message)
        self.assertFalse(refused.exception.error.closing)
        # It plays here, whatever there is elsewhere, and finds its player here again.
        old.ask("play")
        self.assertEqual(old.room.state.name, "old")
        again = RawClient(protocol, "127.0.0.1", b.port)
        self.addCleanup(again.close)
        welcome = again.ask("hello", protocol_versions=[PROTOCOL_VERSION], name="old",
                            token=old.welcome.token)
        self.assertEqual((welcome.resumed, welcome.room), (True, "old"))

    def ctl(self, server: Server, *words: str) -> None:
        subprocess.run([f"{BIN}/tictactoe-server", "ctl", "--data-dir", server.folder, *words],
                       check=True, stdout=subprocess.DEVNULL, timeout=TIMEOUT)

    def is_refused(self, name: str, server: Server) -> bool:
        client = RawClient(protocol, "127.0.0.1", server.port)
        try:
            client.hello(name)
        except Refused as refused:
            self.assertEqual(refused.error.code, protocol.server.Error.CODE_KICKED)
            return True
        finally:
            client.close()
        return False

    def test_a_ban_holds_at_every_server(self) -> None:
        a, b = self.servers(2)
        ann, ben = self.player("ann", a), self.player("ben", b)
        self.ctl(a, "ban", "ben")
        begun = time.monotonic()
        told = ben.client.receive()
        self.assertEqual(told.error.code, protocol.server.Error.CODE_KICKED)
        ben.client.expect_end()
        print(f"a ban reached the other server after {time.monotonic() - begun:.1f} s")
        self.assertTrue(self.is_refused("ben", b))
        self.ctl(b, "unban", "ben")
        self.wait_for(lambda: not self.is_refused("ben", a), "the ban is not lifted")
        ann.ask("list_rooms")

    def check_takeover(self, end) -> None:
        a, b = self.servers(2)
        ann = self.player("ann", a)
        ann.ask("create_room", name="den", options=protocol.types.RoomOptions(
            away=protocol.types.AWAY_HOLD))
        ben = self.player("ben", a)
        ben.ask("join_room", name="den")
        ann.client.follow_until(lambda room: room.my_turn)
        ann.client.move(1, 1)
        ben.client.follow_until(lambda room: room.my_turn)
        ben.client.move(0, 0)
        began = time.monotonic()
        end(a)
        for player in (ann, ben):
            player.room_name, player.revision = "den", player.client.room.state.revision
            player.client.close()
            welcome = player.connect(b.port)
            self.assertTrue(welcome.resumed)
            self.assertEqual(welcome.room, "den")
            self.assertEqual(player.port, b.port)
            self.assertGreaterEqual(welcome.last_request_done, 3)
        took = time.monotonic() - began
        print(f"back after {took:.1f} s")
        self.assertLess(took, TAKEOVER_S)
        ann.client.follow_until(lambda room: True) if ann.client.room else ann.client.receive()
        self.assertEqual(list(ann.ask("get_snapshot").moves), [4, 0])
        ann.client.move(2, 2)
        self.assertEqual(list(ben.ask("get_snapshot").moves), [4, 0, 8])

    def test_a_killed_server_is_taken_over(self) -> None:
        self.check_takeover(lambda server: server.kill())

    def test_a_server_that_stops_leaves_its_rooms_to_the_others(self) -> None:
        self.check_takeover(lambda server: self.assertEqual(server.stop(), 0))

    def test_the_first_server_takes_over_what_a_server_alone_has_left(self) -> None:
        port = free_ports(1)[0]
        alone = subprocess.Popen(
            [f"{BIN}/tictactoe-server", "--listen", "127.0.0.1", "--port", str(port), "--store",
             self.database.url, "--log", "warn"], stdout=subprocess.PIPE, text=True)
        alone.stdout.readline()
        ann = Player("ann", port)
        ann.ask("create_room", name="den")
        ann.client.close()
        alone.terminate()
        self.assertEqual(alone.wait(TIMEOUT), 0)
        alone.stdout.close()
        a, = self.servers(1)
        back = self.player("ann", a, ann.token)
        self.assertEqual(back.client.welcome.room, "den")


if __name__ == "__main__":
    unittest.main()
