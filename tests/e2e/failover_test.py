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
from programs import TIMEOUT, Client
from raw_client import RawClient
from tmux import Tmux
from tmux import client as screen


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
            self.servers.append(Server(self.database.url, port, "--drain", "600"))
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
        deadline = time.monotonic() + TIMEOUT
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
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            probe = self.client(server, "probe", "--guest")
            probe.type("rooms")
            self.assertEqual(probe.end(), 0, probe.text)
            if room in probe.text:
                return
        raise AssertionError(f"{room} is not listed:\n{probe.text}")

    def play(self):
        """A game at the first server between two clients that have connected to different ones."""
        a, b = self.servers
        alice = self.client(a, "alice")
        alice.type("create den")
        alice.expect("You are alice and play X")
        self.lists(b, "den")
        bob = self.client(b, "bob")
        bob.type("join den")
        bob.expect(f"Moved to {a.address}\\.")
        bob.expect("You are bob and play O")
        alice.type("a1")
        bob.expect(r"alice plays a1")
        bob.type("a2")
        alice.expect(r"bob plays a2\. Your turn")
        return alice, bob

    def win(self, alice, bob):
        alice.type("c1")
        for one, verdict in ((alice, "You win!"), (bob, "You lose.")):
            one.expect(rf"{verdict} alice \(X\) wins: row 1\.")
            self.assertEqual(one.end(), 0, one.text)
            self.assertNotIn("gone", one.text)
            self.assertNotIn("not known", one.text)

    def test_a_game_goes_on_at_the_other_server(self):
        a, b = self.servers
        alice, bob = self.play()
        a.kill()
        began = time.monotonic()
        for one in (alice, bob):
            one.expect(rf"server {a.address}.* Trying to come back")
            one.expect(f"Back on the server as (alice|bob), at {b.address}\\.")
        alice.type("b1")
        bob.expect(r" plays b1")
        print(f"from the end of a server to the next move: {time.monotonic() - began:.1f} s")
        bob.type("b2")
        alice.expect(r"bob plays b2")
        self.win(alice, bob)

    def test_a_game_goes_on_while_each_server_is_replaced(self):
        a, b = self.servers
        alice, bob = self.play()
        for left, to, mover, other, cell in ((a, b, alice, bob, "b1"), (b, a, bob, alice, "b2")):
            self.assertEqual(left.stop(), 0)
            for one in (alice, bob):
                one.expect(f"Moved to {to.address}\\.")
            mover.type(cell)
            other.expect(rf" plays {cell}")
            left.start()
            self.wait_until_both_are_named(left)
        for one in (alice, bob):
            self.assertNotIn("Trying to come back", one.text)
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
        alice.expect("Connection lost")
        alice.expect("Back on the server")
        alice.expect("^ Your turn")
