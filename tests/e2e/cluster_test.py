"""Several servers that share a PostgreSQL database are one lobby, also when one of them is lost.

The client is the one that was written from proto/README.md.
"""

from __future__ import annotations

import socket
import subprocess
import time

from cluster_case import ClusterCase, Player, Server
from generated import protocol
from programs import BIN, TIMEOUT
from raw_client import RawClient, Refused

# The lease of 6 s, a statement that is waited for 5 s more, and what a busy machine needs.
SILENT_S = 30


def listens(server: Server) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", server.port)) == 0


class ClusterTest(ClusterCase):
    def names(self, player: Player) -> list[str]:
        return [info.name for info in player.ask("list_players").players]

    def hear(self, player: Player, line: tuple[str, str]) -> None:
        """Waits until the player, who watches the lobby, is told a line that somebody said there."""
        heard = []
        while line not in heard:
            update = player.client.receive().lobby_update
            heard += [(getattr(said, "from"), said.text) for said in update.chat]
        self.assertEqual(heard.count(line), 1)

    def test_players_and_chat_of_all_servers(self) -> None:
        a, b = self.servers(2)
        ann, ben = self.player("ann", a), self.player("ben", b)
        for player in (ann, ben):
            self.wait_for(lambda player=player: self.names(player) == ["ann", "ben"],
                          "a player of the other server is missing")
            player.ask("watch_lobby")
        ann.ask("say_in_lobby", text="hello from a")
        self.hear(ben, ("ann", "hello from a"))
        self.hear(ann, ("ann", "hello from a"))
        ben.ask("say_in_lobby", text="hello from b")
        self.hear(ann, ("ben", "hello from b"))
        # Who comes later is told what was said, and counted at every server.
        carl = self.player("carl", a)
        first = carl.ask("watch_lobby")
        self.assertEqual([said.text for said in first.chat], ["hello from a", "hello from b"])
        self.wait_for(lambda: self.names(ben) == ["ann", "ben", "carl"], "a newcomer is missing")
        carl.client.close()
        self.wait_for(lambda: self.names(ben) == ["ann", "ben"], "somebody who left is listed")

    def account(self, *words: str, password: str = "") -> str:
        return subprocess.run(
            [f"{BIN}/tictactoe-server", "account", "--store", self.database.url, *words], check=True,
            input=password + "\n", capture_output=True, text=True, timeout=TIMEOUT).stdout

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

    def test_accounts_and_bans_hold_at_every_server(self) -> None:
        self.account("add", "ann", password="correct-horse")
        a, b = self.servers(2)
        for server in (a, b):
            player = self.player("ann", server, password="correct-horse")
            self.assertTrue(player.client.welcome.account)
            player.client.close()
        ben = self.player("ben", b)
        self.ctl(a, "ban", "ben")
        told = ben.client.receive()
        self.assertEqual(told.error.code, protocol.server.Error.CODE_KICKED)
        ben.client.expect_end()
        self.assertTrue(self.is_refused("ben", b))
        self.ctl(b, "unban", "ben")
        self.wait_for(lambda: not self.is_refused("ben", a), "the ban is not lifted")

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

    def test_a_draining_server_that_loses_its_lease_ends(self) -> None:
        a, = self.servers(1)
        ann, ben = self.player("ann", a), self.player("ben", a)
        ann.ask("create_room", name="den")
        ben.ask("join_room", name="den")
        self.ctl(a, "drain", "600")
        self.addCleanup(self.database.sql, "ALTER ROLE tictactoe LOGIN")
        self.database.sql("ALTER ROLE tictactoe NOLOGIN")
        self.database.sql("UPDATE streams SET epoch = epoch + 1; DELETE FROM servers")
        self.wait_for(lambda: not a.is_running(), "the server does not end")

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
