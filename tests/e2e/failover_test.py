"""Console clients in a lobby of real servers: they go to where a room is, and when its server is killed,
they go on in their game at another one."""

import os
import tempfile
import time

from cluster_case import ClusterCase
from network import LOOPBACK
from programs import Client


class Failover(ClusterCase):
    def setUp(self):
        super().setUp()
        self.a, self.b = self.servers(2, "--drain", "600")
        self.wait_until_all_are_named(self.a, 2)
        self.environment = {"XDG_STATE_HOME": self.enterContext(tempfile.TemporaryDirectory())}

    def client(self, server, name, *options):
        client = self.enterContext(Client(LOOPBACK, server.address, name, *options,
                        env={**os.environ, **self.environment}))
        return client

    def lists(self, server, room):
        probe = self.client(server, "probe", "--guest")
        probe.type("rooms")
        self.assertEqual(probe.end(), 0, probe.text)
        return room in probe.text

    def play(self):
        """A game at the first server between two clients that have connected to different ones."""
        a, b = self.a, self.b
        alice = self.client(a, "alice")
        alice.type("create den")
        alice.expect("You are alice, playing X")
        self.wait_for(lambda: self.lists(b, "den"), "the other server does not list the room")
        bob = self.client(b, "bob")
        bob.type("join den")
        bob.expect(f"Moved to {a.address}\\.")
        bob.expect("You are bob, playing O")
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
        a, b = self.a, self.b
        alice, bob = self.play()
        a.kill()
        began = time.monotonic()
        for one in (alice, bob):
            one.expect(rf"connection to {a.address}.* Reconnecting")
            one.expect(f"Back on the server as (alice|bob), at {b.address}\\.")
        alice.type("b1")
        bob.expect(r" plays b1")
        print(f"from the end of a server to the next move: {time.monotonic() - began:.1f} s")
        bob.type("b2")
        alice.expect(r"bob plays b2")
        self.win(alice, bob)

    def test_a_game_goes_on_while_each_server_is_replaced(self):
        a, b = self.a, self.b
        alice, bob = self.play()
        for left, to, mover, other, cell in ((a, b, alice, bob, "b1"), (b, a, bob, alice, "b2")):
            self.assertEqual(left.stop(), 0)
            for one in (alice, bob):
                one.expect(f"Moved to {to.address}\\.")
            mover.type(cell)
            other.expect(rf" plays {cell}")
            left.start()
            self.wait_until_all_are_named(left, 2)
        for one in (alice, bob):
            self.assertNotIn("Reconnecting", one.text)
        self.win(alice, bob)
