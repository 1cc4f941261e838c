"""Whole games between hosts on a LAN: a server, and the two players alice and bob."""

import unittest

from network import Network
from programs import Client, Server

LAN = Network("server", "alice", "bob")


def setUpModule():
    LAN.__enter__()
    unittest.addModuleCleanup(LAN.__exit__)


class Games(unittest.TestCase):
    def setUp(self):
        self.server = self.enter(Server(LAN["server"]))

    def enter(self, context):
        """Enters a `with` that ends with the test."""
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def client(self, name, host=None):
        # Clients on bob's host use IPv4, alice uses IPv6.
        host = host or name
        address = LAN["server"].address6 if host == "alice" else LAN["server"].address4
        return self.enter(Client(LAN[host], address(self.server.port), name))

    def players(self, size=""):
        """alice on X and bob on O in a new room."""
        alice, bob = self.client("alice"), self.client("bob")
        alice.type(f"create den {size}")
        alice.expect(r"^You are alice and play X in the room \"den\"")
        bob.type("join den")
        bob.expect(r"^You are bob and play O in the room \"den\"")
        alice.expect(r"^bob takes the seat O\. Your turn: place your X\.$")
        return alice, bob

    def leave(self, *clients):
        for client in clients:
            self.assertEqual(client.end(), 0)

    def test_win(self):
        alice, bob = self.players()
        # All at once: each line waits for its turn.
        alice.type("1 1", "1 2", "c1")
        bob.type("2 1", "b2")
        bob.expect(r"^alice plays a1\. Your turn: place your O\.$")
        for client, verdict in ((alice, "You win!"), (bob, "You lose.")):
            client.expect(rf"^{verdict} alice \(X\) wins: row 1\.")
            self.assertEqual(client.board()[1], " 1 *X*|*X*|*X*")
        self.leave(alice, bob)

    def test_rematch_alternates_the_starter(self):
        alice, bob = self.players()
        alice.type("a1", "b1", "c1", "rematch")
        bob.type("a2", "b2")
        bob.expect(r"alice \(X\) wins: row 1\.")
        bob.expect(r"^alice \(X\) wants a rematch: type `rematch` to agree\.$")
        bob.type("rematch")
        for client in (alice, bob):
            client.expect(r"^Game 2 begins: bob \(O\) starts\.")
        bob.type("a1", "a2", "a3", "rematch")
        alice.type("b1", "b2", "rematch")
        for client in (alice, bob):
            client.expect(r"bob \(O\) wins: column a\.")
            client.expect(r"^Game 3 begins: alice \(X\) starts\.")
        self.leave(alice, bob)

    def test_ai_against_ai_is_watched(self):
        alice = self.client("alice")
        alice.type("create pit 5x5x4", "ai o", "ai x", "wait", "say well played")
        alice.expect(r"You watch now\.")
        alice.expect(r"wins: |Draw\.")
        alice.expect(r"^alice: well played$")
        self.leave(alice)

    def test_fifteen_in_a_row_and_a_watcher_who_comes_late(self):
        alice, bob = self.players("15x15")
        row = [f"8 {col}" for col in range(1, 16)]
        alice.type(*row[:7])
        bob.type(*(f"{col} {col}" for col in range(1, 8)))
        bob.expect(r"^You play g7\. alice's turn \(X\)\.$")
        alice.expect(r"^bob plays g7\. Your turn: place your X\.$")
        board = bob.board()
        self.assertEqual(alice.board(), board)

        carol = self.client("carol", "bob")
        carol.type("watch den")
        carol.expect(r"^You are carol and watch the room \"den\" \(15 x 15, 15 in a row\)\.$")
        self.assertEqual(carol.board(), board)

        alice.type(*row[7:])
        bob.type(*(f"15 {col}" for col in range(1, 8)))
        boards = []
        for client in (alice, bob, carol):
            client.expect(r"alice \(X\) wins: row 8\.")
            boards.append(client.board())
        self.assertEqual(boards[0][8], "  8 " + "*X*" * 15)
        self.assertEqual(boards[1], boards[0])
        self.assertEqual(boards[2], boards[0])
        self.leave(alice, bob, carol)
