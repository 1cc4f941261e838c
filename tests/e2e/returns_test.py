"""Being cut off and coming back, with the real programs."""

import os
import signal
import stat
import subprocess
import tempfile
import unittest

from network import LOOPBACK
from programs import BIN, NO_TLS, Client, Server, TerminalClient, TerminalProcess, run
from proxy import Proxy


class Returns(unittest.TestCase):
    def enter(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def setUp(self):
        self.server = self.enter(Server(LOOPBACK))
        self.proxy = self.enter(Proxy(self.server.port))
        self.address = LOOPBACK.address4(self.proxy.port)
        state = self.enter(tempfile.TemporaryDirectory())
        self.state = {"XDG_STATE_HOME": state}

    def client(self, name, *options):
        return self.enter(Client(LOOPBACK, self.address, name, *options,
                                 env={**os.environ, **self.state}))

    def terminal(self, name, *options):
        return self.enter(TerminalClient(LOOPBACK, self.address, name, *options,
                                         environment=self.state))

    def players(self, *options):
        alice, bob = self.client("alice", *options), self.client("bob", *options)
        alice.type("create duel")
        alice.expect(r"^You are alice and play X")
        bob.type("join duel")
        bob.expect(r"^You are bob and play O")
        return alice, bob

    def finish(self, alice, bob):
        """The rest of a game in which X has a1 and b1, and O a2 and b2."""
        alice.type("c1")
        for client, verdict in ((alice, "You win!"), (bob, "You lose.")):
            client.expect(rf"^{verdict} alice \(X\) wins: row 1\.")
            self.assertEqual(client.end(), 0)

    def test_play_goes_on_after_a_cut(self):
        alice, bob = self.players()
        alice.type("a1")
        bob.type("a2")
        alice.expect(r"^bob plays a2\. Your turn")
        self.proxy.cut()
        for client in (alice, bob):
            client.expect(r"^Lost the server .*Trying to come back for up to 1 min\.$")
            client.expect(r"^Trying again in [\d.]+ s\.$")
            client.expect(r"^Back on the server as (alice|bob)\.$")
        alice.type("b1")
        bob.type("b2")
        alice.expect(r"^bob plays b2\. Your turn")
        self.finish(alice, bob)
        self.assertEqual(alice.text.count("You play b1."), 1)

    def test_a_cut_anywhere_loses_no_move_and_makes_none_twice(self):
        alice, bob = self.players(NO_TLS)  # so that a part of a frame arrives
        for cut in (0, 1, 5, 20):  # bytes of what the server says next
            self.proxy.cut_after(cut + 1)
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

    def test_what_was_missed_is_told(self):
        alice = self.client("alice")
        direct = self.enter(Client(LOOPBACK, LOOPBACK.address4(self.server.port), "bob",
                                   env={**os.environ, **self.state}))
        alice.type("create duel")
        alice.expect(r"^Waiting for somebody")
        direct.type("join duel", "wait")
        alice.type("a1")
        direct.expect(r"^alice plays a1\.")
        self.proxy.refusing = True
        self.proxy.cut()
        direct.expect(r"^alice is away: the seat is held for 2 min")
        self.enter(Client(LOOPBACK, LOOPBACK.address4(self.server.port), "carol",
                          "--command", "watch duel", "--command", "say where is alice?",
                          env={**os.environ, **self.state})).expect(r"^carol: where")
        self.proxy.refusing = False
        alice.expect(r"^Back on the server as alice\.$")
        alice.expect(r"^ *carol: where is alice\?$")
        direct.expect(r"^alice is back\.")

    def test_a_server_that_is_silent_is_lost(self):
        server = self.enter(Server(LOOPBACK, "--silence", "2"))
        proxy = self.enter(Proxy(server.port))
        with Client(LOOPBACK, LOOPBACK.address4(proxy.port), "alice") as alice:
            alice.type("create duel")
            alice.expect(r"^Waiting for somebody")
            proxy.fall_silent()
            alice.expect(r"^Lost the server .*: no sign of life\.")
            alice.expect(r"^Back on the server as alice\.$")
            self.assertEqual(alice.end(), 0)

    def test_a_server_without_memory_starts_again(self):
        alice = self.client("alice")
        alice.type("create duel")
        alice.expect(r"^Waiting for somebody")
        self.server.process.kill()
        self.server.process.wait()
        alice.expect(r"^Trying again in")
        with Server(LOOPBACK, port=self.server.port):
            alice.expect(r"does not know you any more: you are a new player\.")
            alice.expect(r"^Your seat in the room \"duel\" is gone\.")
            alice.type("create den")
            alice.expect(r"^You are alice and play X in the room \"den\"")
            self.assertEqual(alice.end(), 0)

    def test_a_killed_server_goes_on_where_it_was(self):
        folder = self.enter(tempfile.TemporaryDirectory())
        server = self.enter(Server(LOOPBACK, "--data-dir", folder))
        self.address = LOOPBACK.address4(server.port)
        alice, bob = self.players()
        moves = ((alice, bob, "a1"), (bob, alice, "a2"), (alice, bob, "b1"), (bob, alice, "b2"))
        for mover, other, cell in moves:
            mover.type(cell)
            other.expect(rf"plays {cell}\.")
            server.process.kill()
            server.process.wait()
            mover.expect(r"^Trying again in")
            mover.type(f"say {cell}, I said")  # while there is no server
            server = self.enter(Server(LOOPBACK, "--data-dir", folder, port=server.port))
            for client in (alice, bob):
                client.expect(r"^Back on the server as (alice|bob)\.$")
            other.expect(rf"^ *\w+ \([XO]\): {cell}, I said$")
        self.finish(alice, bob)
        for client in (alice, bob):
            self.assertNotIn("Refused", client.text)
            self.assertNotIn("gone", client.text)

    def test_a_server_that_stops_is_come_back_to(self):
        folder = self.enter(tempfile.TemporaryDirectory())
        server = self.enter(Server(LOOPBACK, "--data-dir", folder))
        self.address = LOOPBACK.address4(server.port)
        alice, bob = self.players()
        alice.type("a1")
        bob.expect(r"^alice plays a1\.")
        server.process.terminate()
        self.assertEqual(server.status(), 0)
        for client in (alice, bob):
            client.expect(r"^The server \S+ stops: .* Trying to come back for up to 1 min\.$")
        self.enter(Server(LOOPBACK, "--data-dir", folder, port=server.port))
        for client in (alice, bob):
            client.expect(r"^Back on the server as (alice|bob)\.$")
        bob.type("a2")
        alice.expect(r"^bob plays a2\.")
        alice.type("b1")
        bob.type("b2")
        alice.expect(r"^bob plays b2\.")
        self.finish(alice, bob)

    def test_finished_games_are_listed_shown_and_written(self):
        folder = self.enter(tempfile.TemporaryDirectory())
        server = self.enter(Server(LOOPBACK, "--data-dir", folder))
        self.address = LOOPBACK.address4(server.port)
        alice, bob = self.players()
        alice.type("a1", "b1")
        bob.type("a2", "b2")
        alice.expect(r"^bob plays b2\.")
        self.finish(alice, bob)

        ask = ("--server", self.address)
        known = {"env": {**os.environ, **self.state}}  # the server's key
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
        path = os.path.join(folder, "game.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(written.stdout)
        server.process.kill()
        # Without any server; the winning line is not in the file.
        from_file = run("tictactoe", "replay", path, "--speed", "0.01")
        self.assertEqual(from_file.returncode, 0, from_file)
        self.assertEqual(from_file.stdout.count("plays"), shown.stdout.count("plays"))
        self.assertIn("alice (X) wins", from_file.stdout)

    def test_records_that_can_not_be_had(self):
        ask = ("--server", self.address)
        known = {"env": {**os.environ, **self.state}}  # the server's key
        self.assertEqual(self.client("alice").end(), 0)
        for command in (("history",), ("replay", "1"), ("export", "1")):
            result = run("tictactoe", *command, *ask, **known)
            self.assertEqual((result.returncode, result.stdout), (1, ""), command)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        result = run("tictactoe", "replay", "/nowhere/game.txt")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/nowhere/game.txt can't be read", result.stderr)
        self.proxy.__exit__()
        self.assertIn("Can't reach a server", run("tictactoe", "history", *ask).stderr)

    def test_a_replay_at_a_terminal_goes_on_with_enter(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write('[X "ann"]\n[O "bob"]\n[Rules "3x3x3"]\n[Result "1/2-1/2"]\n'
                       '[Termination "agreed"]\n\n1. b2 a1 1/2-1/2\n')
            file.flush()
            viewer = self.enter(TerminalProcess([f"{BIN}/tictactoe", "replay", file.name]))
            viewer.expect(r"Press Enter")
            viewer.expect(r" 3    \|   \|\s+$")
            self.assertNotIn("plays", viewer.text)
            viewer.keys("\n")
            viewer.expect(r"1\. ann \(X\) plays b2\.")
            viewer.expect(r" 3    \|   \|\s+$")
            self.assertNotIn("bob (O) plays", viewer.text)
            viewer.keys("\n")
            viewer.expect(r"2\. bob \(O\) plays a1\.")
            viewer.expect(r"Draw, as agreed\.")
            self.assertEqual(viewer.status(), 0)

    def test_it_gives_up_in_the_end(self):
        alice = self.client("alice", "--retry", "1")
        alice.type("play")
        alice.expect(r"^Waiting for somebody")
        self.proxy.refusing = True
        self.proxy.cut()
        self.assertEqual(alice.status(), 1)
        self.assertRegex(alice.text, r"tictactoe: The server \S+ has not come back within 1 s\.")

    def test_quit_and_interrupts_end_the_countdown_at_once(self):
        for name, way_out in (("ann", "quit"), ("bob", signal.SIGINT), ("cleo", "end of input")):
            alice = self.client(name)
            alice.type(f"create {name}")
            alice.expect(r"^Waiting for somebody")
            self.proxy.refusing = True
            self.proxy.cut()
            alice.expect(r"^Trying again in")
            if way_out == "quit":
                alice.type("quit")
                self.assertEqual(alice.status(), 0)
            elif way_out == "end of input":
                self.assertEqual(alice.end(), 0)
            else:
                alice.process.send_signal(way_out)
                self.assertEqual(alice.status(), 0)
            self.proxy.refusing = False

    def test_a_person_sees_a_countdown_in_place(self):
        alice = self.terminal("alice")
        alice.expect(r"> ")
        alice.keys("play\r")
        alice.expect(r"Waiting for somebody to take O\.")
        alice.keys("say half")
        alice.expect(r"> say half")
        self.proxy.refusing = True
        self.proxy.cut()
        alice.expect(r"trying again in 2 s> say half")
        alice.expect(r"\r\x1b\[Jtrying again in 1 s> say half")
        self.proxy.refusing = False
        alice.expect(r"Back on the server as alice\.")
        alice.expect(r"> say half")
        alice.keys(" a line\r")
        alice.expect(r"alice \(X\): half a line")
        self.proxy.refusing = True
        self.proxy.cut()
        alice.expect(r"trying again in \d s> ")
        alice.keys("quit\r")
        self.assertEqual(alice.status(), 0)

    def test_a_client_that_was_killed_comes_back_to_its_seat(self):
        alice, bob = self.players()
        alice.type("a1")
        bob.type("a2")
        alice.expect(r"^bob plays a2\.")
        alice.process.kill()
        bob.expect(r"^alice is away")
        again = self.client("alice")
        again.expect(r"^You come back to your seat in the room \"duel\"\.$")
        again.expect(r"^You are alice and play X in the room \"duel\"")
        bob.expect(r"^alice is back\.")
        again.type("b1")
        bob.type("b2")
        again.expect(r"^bob plays b2\.")
        self.finish(again, bob)

    def test_two_of_one_name_are_two_players(self):
        first = self.client("alice")
        first.type("create duel")
        first.expect(r"^Waiting for somebody")
        second = self.client("alice")
        second.expect(r"^You are called alice-2 here\.$")
        second.type("join duel")
        first.expect(r"^alice-2 takes the seat O")
        self.assertEqual(first.end(), 0)
        self.assertEqual(second.end(), 0)

    def test_the_identity_belongs_to_the_server_and_not_to_its_address(self):
        port = self.address.rsplit(":", 1)[1]
        alice = self.client("alice")
        alice.expect(r"^Connected to .* as alice\.$")
        self.assertEqual(alice.end(), 0)
        again = self.enter(Client(LOOPBACK, f"localhost:{port}", "alice",
                                  env={**os.environ, **self.state}))
        again.expect(r"^Connected to .* as alice\.$")
        self.assertEqual(again.end(), 0)

    def test_the_token_is_for_its_owner_alone(self):
        alice = self.client("alice")
        alice.expect(r"^Connected to")
        self.assertEqual(alice.end(), 0)
        folder = os.path.join(self.state["XDG_STATE_HOME"], "tictactoe")
        self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
        addresses, identity, keys = sorted(os.listdir(folder))
        self.assertEqual((addresses, keys), ("addresses", "known_servers"))
        self.assertRegex(identity, r"^alice@[0-9a-f]{16}$")
        path = os.path.join(folder, identity)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        os.chmod(path, 0o644)
        alice = self.client("alice")
        alice.expect(r"^The identity in .* is not used: others could have read it\.")
        self.assertEqual(alice.end(), 0)

    def test_a_guest_leaves_nothing(self):
        guest = self.client("alice", "--guest")
        guest.expect(r"^Connected to")
        self.assertEqual(guest.end(), 0)
        self.assertEqual(os.listdir(self.state["XDG_STATE_HOME"]), [])
        other = self.client("alice", "--guest")
        other.expect(r"as alice\.$")  # the name is free
        self.assertEqual(other.end(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
