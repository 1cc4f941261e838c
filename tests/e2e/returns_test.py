"""Being cut off and coming back, with the real programs."""

import os
import subprocess

from case import ServerCase
from programs import BIN, NO_TLS, run
from proxy import Proxy


class Returns(ServerCase):
    def players(self, *options):
        alice = self.client("alice", "create duel", options=options)
        alice.expect(r"^You are alice, playing X")
        bob = self.client("bob", "join duel", options=options)
        bob.expect(r"^You are bob, playing O")
        return alice, bob

    def finish(self, alice, bob):
        """The rest of a game in which X has a1 and b1, and O a2 and b2."""
        alice.type("c1")
        for client, verdict in ((alice, "You win!"), (bob, "You lose.")):
            client.expect(rf"^{verdict} alice \(X\) wins: row 1\.")
            self.assertEqual(client.end(), 0)

    def test_a_cut_anywhere_loses_no_move_and_makes_none_twice(self):
        proxy = self.enterContext(Proxy(self.server.port))
        self.address = f"127.0.0.1:{proxy.port}"
        alice, bob = self.players(NO_TLS)  # so that a part of a frame arrives
        for cut in (0, 1, 5, 20):  # bytes of what the server says next
            proxy.cut_after(cut + 1)
            alice.type("a1", "b1")
            bob.type("a2", "b2")
            alice.expect(r"^bob plays b2\.")
            alice.expect(r"^ 2 .*$")
            alice.type("c1", "rematch")
            bob.type("rematch")
            alice.expect(r"^Game \d+ begins: bob \(O\) starts\.")
            # Sides take turns to begin: the next game is bob's to win, and gives the start back.
            bob.type("a1", "b1", "c1", "rematch")
            alice.type("a2", "b2", "rematch")
            alice.expect(r"^Game \d+ begins: alice \(X\) starts\.")
        for client in (alice, bob):
            self.assertNotIn("Refused", client.text)
            self.assertNotIn("not known", client.text)
            self.assertEqual(client.end(), 0)

    def test_finished_games_are_listed_shown_and_written(self):
        server = self.start()
        alice, bob = self.players()
        alice.type("a1", "b1")
        bob.type("a2", "b2")
        alice.expect(r"^bob plays b2\.")
        self.finish(alice, bob)

        ask = ("--server", self.address)
        known = {"env": {**os.environ, **self.state("alice")}}  # the server's key
        listed = run("tictactoe", "history", *ask, **known)
        self.assertEqual((listed.returncode, listed.stderr), (0, ""))
        self.assertRegex(listed.stdout, r"GAME +ENDED .*\n1 .* 3 x 3 +alice +bob +X wins\n$")
        self.assertIn("No finished games", run("tictactoe", "history", "--player", "carol", *ask, **known).stdout)

        shown = run("tictactoe", "replay", "1", *ask, **known)
        self.assertEqual(shown.returncode, 0)
        self.assertRegex(shown.stdout, r"(?m)^3\. alice \(X\) plays b1 after [\d.]+ s\.$")
        self.assertIn("\n 1 *X*|*X*|*X*\n", shown.stdout)

        written = run("tictactoe", "export", "1", *ask, **known)
        self.assertEqual((written.returncode, written.stderr), (0, ""))
        for command in (["history"], ["history", "--json"], ["export", "1"], ["replay", "1"]):
            with self.subTest(command=command), open("/dev/full", "w") as full:
                failed = subprocess.run([os.path.join(BIN, "tictactoe"), *command, *ask],
                                        stdin=subprocess.DEVNULL, stdout=full,
                                        stderr=subprocess.PIPE, text=True, timeout=60, **known)
                self.assertEqual(failed.returncode, 1)
                self.assertIn("can't write to standard output", failed.stderr)
        path = self.file("game.txt", written.stdout)
        server.process.kill()
        # Without any server; the winning line is not in the file.
        from_file = run("tictactoe", "replay", path)
        self.assertEqual(from_file.returncode, 0, from_file)
        self.assertEqual(from_file.stdout.count("plays"), shown.stdout.count("plays"))
        self.assertIn("alice (X) wins", from_file.stdout)
