"""Console clients in a lobby of real servers: they go to where a room is, and when its server is killed,
they go on in their game at another one."""

import os
import tempfile
import time
import unittest

import postgres
from cluster_case import Server, free_ports
from generated import protocol
from network import LOOPBACK
from programs import NO_TLS, Client
from raw_client import RawClient
from tmux import Tmux
from tmux import client as screen

# The servers take over within ten seconds; a client is told to try again a second later.
LONGEST_GAP_S = 12


@unittest.skipUnless(postgres.is_installed(), "PostgreSQL is not installed (package postgresql)")
class Failover(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.database = postgres.Postgres()

    @classmethod
    def tearDownClass(cls):
        cls.database.close()

    def setUp(self):
        self.database.sql("DROP SCHEMA tictactoe CASCADE; CREATE SCHEMA tictactoe AUTHORIZATION "
                          "tictactoe")
        self.servers = []
        for port in free_ports(2):
            self.servers.append(Server(self.database.url, port))
            self.addCleanup(self.servers[-1].close)
        self.wait_until_both_are_named(self.servers[0])
        folder = tempfile.TemporaryDirectory(prefix="tictactoe-failover-")
        self.addCleanup(folder.cleanup)
        self.environment = {"XDG_STATE_HOME": folder.name}

    def client(self, server, name, *options):
        client = Client(LOOPBACK, server.address, name, *options,
                        env={**os.environ, **self.environment})
        self.addCleanup(client.__exit__, None, None, None)
        return client

    def wait_until_both_are_named(self, server):
        """A client learns at its welcome of the servers to which it can go."""
        deadline = time.monotonic() + LONGEST_GAP_S
        while time.monotonic() < deadline:
            client = RawClient(protocol, LOOPBACK.ipv4, server.port)
            servers = client.hello("who").servers
            client.close()
            if len(servers) == 2:
                return
            time.sleep(0.1)
        raise AssertionError("one server is missing")

    def lists(self, server, room):
        """Waits until a server lists a room of another one."""
        deadline = time.monotonic() + LONGEST_GAP_S
        while time.monotonic() < deadline:
            probe = self.client(server, "probe", "--guest")
            probe.type("rooms")
            self.assertEqual(probe.end(), 0, probe.text)
            if room in probe.text:
                return
        raise AssertionError(f"{room} is not listed:\n{probe.text}")

    def play(self, *options):
        """A game at the first server between two clients that have connected to different ones."""
        a, b = self.servers
        alice = self.client(a, "alice", *options)
        alice.type("create den")
        alice.expect("You are alice and play X")
        self.lists(b, "den")
        bob = self.client(b, "bob", *options)
        bob.type("join den")
        bob.expect(f"Moved to {a.address}\\.")
        bob.expect("You are bob and play O")
        alice.type("a1")
        bob.expect(r"alice plays a1")
        bob.type("a2")
        alice.expect(r"bob plays a2\. Your turn")
        return alice, bob

    def expect_move(self, left, to, players, cell):
        """The clients go from one server to another, and the first one moves there."""
        began = time.monotonic()
        for one in players:
            one.expect(rf"server {left.address}.* Trying to come back")
            one.expect(f"Back on the server as (alice|bob), at {to.address}\\.")
        players[0].type(cell)
        players[1].expect(rf" plays {cell}")
        gap = time.monotonic() - began
        print(f"from the end of a server to the next move: {gap:.1f} s")
        self.assertLess(gap, LONGEST_GAP_S)

    def win(self, alice, bob):
        alice.type("c1")
        for one, verdict in ((alice, "You win!"), (bob, "You lose.")):
            one.expect(rf"{verdict} alice \(X\) wins: row 1\.")
            self.assertEqual(one.end(), 0, one.text)
            self.assertNotIn("gone", one.text)
            self.assertNotIn("not known", one.text)

    def play_through_a_kill(self, *options):
        a, b = self.servers
        alice, bob = self.play(*options)
        a.kill()
        self.expect_move(a, b, (alice, bob), "b1")
        bob.type("b2")
        alice.expect(r"bob plays b2")
        self.win(alice, bob)

    def test_a_game_goes_on_at_the_other_server(self):
        self.play_through_a_kill()

    def test_a_game_goes_on_without_tls(self):
        self.play_through_a_kill(NO_TLS)

    def test_a_game_goes_on_while_each_server_is_replaced(self):
        a, b = self.servers
        alice, bob = self.play()
        self.assertEqual(a.stop(), 0)
        self.expect_move(a, b, (alice, bob), "b1")
        a.start()
        self.wait_until_both_are_named(a)
        self.assertEqual(b.stop(), 0)
        self.expect_move(b, a, (bob, alice), "b2")
        self.win(alice, bob)

    def test_a_game_in_the_full_screen_goes_on_at_the_other_server(self):
        a, b = self.servers
        alice = Tmux(screen(a.address, "alice", "--command", "create den", "--command", "ai o"),
                     **self.environment)
        self.addCleanup(alice.close)
        alice.expect("Your turn")
        alice.type("b2")
        alice.keys("Enter")
        alice.expect(r"AI .*plays [abc][123]\.")
        alice.expect("^ Your turn")
        a.kill()
        began = time.monotonic()
        alice.expect("Connection lost")
        alice.expect("Back on the server")
        alice.expect("^ Your turn")
        print(f"from the kill to the turn: {time.monotonic() - began:.1f} s")
        self.assertLess(time.monotonic() - began, LONGEST_GAP_S)


if __name__ == "__main__":
    unittest.main()
