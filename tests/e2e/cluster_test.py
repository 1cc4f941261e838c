"""Several servers that share a PostgreSQL database are one lobby, also when one of them is lost.

The client is the one that was written from proto/README.md.
"""

from __future__ import annotations

import socket
import subprocess
import time
import unittest

from cluster_case import ClusterCase, Player, Server, free_ports
from generated import protocol
from programs import BIN, TIMEOUT
from raw_client import PROTOCOL_VERSION, RawClient, Refused

TAKEOVER_S = 10
SILENT_S = 9  # the lease of 6 s, and some; a statement that is not answered is waited for 5 s more


def listens(server: Server) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", server.port)) == 0


class ClusterTest(ClusterCase):
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
        first = ben.ask("watch_lobby")
        rooms, players = {room.name for room in first.rooms}, [first.players]

        def hears(wanted: set[str]) -> None:
            deadline = time.monotonic() + TIMEOUT
            while rooms != wanted:
                self.assertLess(time.monotonic(), deadline, f"{rooms} are not {wanted}")
                update = ben.client.receive().lobby_update
                players.append(update.players)
                rooms.difference_update(update.closed)
                rooms.update(room.name for room in update.rooms)

        ann.ask("create_room", name="den")
        hears({"den"})
        ann.ask("leave_room")
        hears(set())
        self.assertEqual(players[-1], 2)  # of both servers

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

    def account(self, *words: str, password: str = "") -> str:
        return subprocess.run(
            [f"{BIN}/tictactoe-server", "account", "--store", self.database.url, *words], check=True,
            input=password + "\n", capture_output=True, text=True, timeout=TIMEOUT).stdout

    def has_password(self, server: Server, password: str) -> bool:
        try:
            self.player("ann", server, password=password).client.close()
            return True
        except Refused as refused:
            self.assertEqual(refused.error.code, protocol.server.Error.CODE_ACCOUNT_PASSWORD)
            return False

    def test_an_account_is_the_same_at_every_server(self) -> None:
        self.account("add", "ann", password="correct-horse")
        a, b = self.servers(2)
        self.assertEqual(self.player("ann", b).client.welcome.player_name, "ann-2")
        desk = self.player("ann", a, password="correct-horse")
        self.assertEqual(desk.client.welcome.player_name, "ann")
        self.assertTrue(desk.client.welcome.account)
        desk.ask("create_room", name="den")
        laptop = self.player("ann", b, password="correct-horse")
        self.assertEqual((laptop.port, laptop.redirects), (a.port, 1))
        self.assertEqual(laptop.client.welcome.room, "den")
        error = protocol.server.Error
        self.assertEqual(desk.client.receive().error.code, error.CODE_REPLACED)
        # The newest token is valid everywhere, and the one before nowhere.
        again = self.player("ann", b, laptop.token)
        self.assertTrue(again.client.welcome.resumed)
        for server in (a, b):
            self.assertFalse(self.player("ann", server, desk.token).client.welcome.resumed)
        self.account("password", "ann", password="battery-staple")
        for server in (a, b):
            self.wait_for(lambda server=server: not self.has_password(server, "correct-horse"),
                          "the old password is valid")
            self.assertTrue(self.has_password(server, "battery-staple"))
        self.assertEqual(self.account("list"), "ann\n")

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

    def test_a_server_that_has_lost_its_lease_starts_again(self) -> None:
        a, = self.servers(1)
        ann = self.player("ann", a)
        ann.ask("create_room", name="den")
        ann.client.close()

        # The database lets nobody in for a while.
        self.addCleanup(self.database.sql, "ALTER ROLE tictactoe LOGIN")

        def lose_the_database() -> None:
            self.database.sql("ALTER ROLE tictactoe NOLOGIN")
            self.database.sql("UPDATE streams SET epoch = epoch + 1; DELETE FROM servers")
            self.wait_for(lambda: not listens(a), "the server does not stop")

        lose_the_database()
        time.sleep(1.5)
        self.assertTrue(a.is_running() and not listens(a))
        self.database.sql("ALTER ROLE tictactoe LOGIN")
        self.wait_for(lambda: listens(a), "the server does not start again")
        back = self.player("ann", a, ann.token)
        self.assertEqual(back.client.welcome.room, "den")
        back.client.close()
        # It can be ended while it waits.
        lose_the_database()
        self.assertEqual(a.stop(), 0)

    def test_a_server_whose_database_is_silent_keeps_nobody_waiting(self) -> None:
        a, = self.servers(1)
        ann = self.player("ann", a)
        began = time.monotonic()
        self.addCleanup(self.database.resume)
        self.database.pause()
        ann.client.expect_end()
        took = time.monotonic() - began
        print(f"the server closes its connections after {took:.1f} s")
        self.assertLess(took, SILENT_S)
        self.assertFalse(listens(a))
        self.database.resume()
        self.wait_for(lambda: listens(a), "the server does not start again")
        self.player("ben", a)

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
