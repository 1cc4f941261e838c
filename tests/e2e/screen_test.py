"""The full screen in a real terminal, with the real server: keys, mouse, resizing, and that the
terminal is as it was whatever ends the program."""

import os
import re
import signal
import tempfile
import threading
import unittest

from network import LOOPBACK
from programs import Client, Server
from tmux import Tmux, client


class WithServer(unittest.TestCase):
    def setUp(self):
        self.server = Server(LOOPBACK, "--listen", "127.0.0.1", "--no-discovery", "--name",
                             "the den").__enter__()
        self.addCleanup(self.server.__exit__)
        self.address = f"127.0.0.1:{self.server.port}"

    def terminal(self, *options, name="alice", size=(80, 24), **environment):
        terminal = Tmux(client(self.address, name, *options), *size, **environment)
        self.addCleanup(terminal.close)
        return terminal


class Game(WithServer):
    def test_from_the_list_of_rooms_to_a_won_game_and_a_rematch(self):
        alice = self.terminal()
        alice.expect("No rooms yet")
        alice.keys("n")
        alice.expect("A new room")
        alice.keys_until("Enter", "Waiting for somebody to take O")
        with Client(LOOPBACK, self.address, "bob") as bob:
            bob.type("join alice-room", "1 2", "2 2", "rematch", "wait")
            alice.expect("Your turn: place your X")
            alice.keys("Up", "Left", "Enter")  # a1
            alice.expect(r"bob plays b1\.")
            alice.type("a2")
            alice.expect("Move or command: a2")
            alice.keys("Enter")
            alice.expect(r"bob plays b2\.")
            alice.keys("j", "j", "Space")  # a3, from a1 where the cursor is not: from a2
            screen = alice.expect(r"You win! alice \(X\) wins: column a\.")
            self.assertEqual(len(re.findall(r"\* ╲ ╱ \*", screen)), 3)
            alice.expect(r"bob \(O\) wants a rematch: press R to agree\.")
            alice.keys("r")
            alice.expect("Game 2 begins")
            alice.keys("Q")
            alice.click_until("Keep the seat", "ended with 0")
        self.assertTrue(alice.mode_is_restored())

    def test_by_mouse_against_the_ai_while_the_window_changes(self):
        alice = self.terminal("--command", "create den", "--command", "ai o")
        alice.expect("Your turn")
        for width, height in ((40, 20), (200, 60), (1, 1), (100, 30), (80, 24)):
            alice.resize(width, height)
        screen = alice.expect(r"^ +1 │ +│ +│ +│")
        lines = screen.splitlines()
        row = next(y for y, line in enumerate(lines) if re.match(r" +2 │", line))
        column = next(line for line in lines if re.match(r" +a +b +c", line)).index("b")
        alice.click(column, row)
        alice.expect(r"You play b2\.")
        alice.expect("Your turn")
        alice.resize(40, 20)
        alice.expect(r"^ +2 │.*│>X<│")
        alice.click_on("Hint")
        alice.expect(r"Hint: \w\d would be")
        alice.resize(80, 24)
        alice.click_on("Resign")
        alice.expect("Give this game up")
        alice.click_until("Yes", r"You lose\.")
        alice.click_on("Rematch")
        alice.expect("Game 2 begins")

    def test_chat_and_watching(self):
        with Client(LOOPBACK, self.address, "bob") as bob:
            bob.type("create arena", "ai o")
            bob.expect("plays O now")
            zoe = self.terminal(name="zoe", size=(40, 20))
            zoe.expect("arena")
            zoe.keys("w")
            zoe.expect(r"You watch the room")
            zoe.keys("Tab")
            zoe.type("hello \u4e16\u754c b3 \u00e9")
            zoe.keys("Enter")
            bob.expect("zoe: hello \u4e16\u754c b3 \u00e9")
            bob.type("2 2")
            zoe.expect(r"\[.\]")
            zoe.keys("L")
            zoe.expect("1 room")

    def test_a_finished_game_is_stepped_through(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        server = Server(LOOPBACK, "--listen", "127.0.0.1", "--no-discovery", "--data-dir", folder)
        server.__enter__()
        self.addCleanup(server.__exit__)
        self.address = f"127.0.0.1:{server.port}"
        alice = self.terminal("--command", "create den", "--command", "ai o")
        alice.expect("Your turn")
        alice.type("b2")
        alice.keys("Enter")
        alice.expect(r"AI .* plays \w\d\.")
        alice.expect("Your turn")
        alice.type("R")
        alice.expect("Give this game up")
        alice.keys_until("y", "You lose")
        alice.keys("L")
        alice.expect("rooms?$|with an open seat")
        alice.keys("g")
        alice.expect("O wins, resi")
        alice.keys("Enter")
        alice.expect("move 0 of 2")
        alice.keys("Right")
        alice.expect(r"1\. alice \(X\) plays b2")
        alice.keys("End")
        alice.expect("move 2 of 2")
        # Played on from its second move, without the server, and back.
        alice.keys("c")
        alice.expect(r"^ local (.|\n)*2 .*│ +[╳│] +│(.|\n)*Your turn: place your X")
        self.assertNotIn("den", alice.screen())
        alice.keys("L")
        alice.expect("End this game")
        alice.keys_until("y", "No rooms yet")
        alice.keys("g")
        alice.expect("O wins, resi")


class Terminal(WithServer):
    def test_is_as_it_was_whatever_ends_the_program(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV, signal.SIGABRT):
            with self.subTest(signal=number.name):
                alice = self.terminal("--command", f"create {number.name}", "--command", "ai o")
                alice.expect("Your turn")
                self.assertEqual(alice.pane("alternate_on"), "1")
                if number == signal.SIGINT:  # asks, and the second one ends the program
                    os.kill(alice.program_id(), number)
                    alice.expect("Keep the seat")
                os.kill(alice.program_id(), number)
                status = alice.expect(r"ended with \d+")
                crash = number in (signal.SIGSEGV, signal.SIGABRT)
                self.assertRegex(status, r"ended with (?!0)" if crash else "ended with 0")
                self.assertTrue(alice.mode_is_restored())

    def test_has_only_ascii_if_there_is_nothing_else(self):
        alice = self.terminal("--command", "create den", "--command", "ai o", LC_ALL="C", LANG="C")
        screen = alice.expect("Your turn")
        self.assertTrue(screen.isascii(), screen)
        self.assertIn("+-------+", screen)


class Link(unittest.TestCase):
    def test_a_lost_one_counts_down_and_play_goes_on(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        options = ("--listen", "127.0.0.1", "--no-discovery", "--data-dir", folder)
        with Server(LOOPBACK, *options) as server:
            port = server.port
            alice = Tmux(client(f"127.0.0.1:{port}", "alice", "--command", "create den",
                                "--command", "ai o"))
            self.addCleanup(alice.close)
            alice.expect("Your turn")
            alice.type("b2")
            alice.keys("Enter")
            alice.expect(r"AI .* plays \w\d")
        alice.expect(r"Connection lost\. Next try in \d+ s\. Your seat is kept\.")
        with Server(LOOPBACK, *options, port=port):
            alice.expect(r"Your turn: place your X")
            alice.type("c1")
            alice.keys("Enter")
            alice.expect(r"You play c1\.")


class Idle(WithServer):
    def test_costs_nothing(self):
        """Between two looks the program has used next to no time of a processor."""
        alice = self.terminal("--command", "create den", "--command", "ai o")
        alice.expect("Your turn")
        def used():
            with open(f"/proc/{alice.program_id()}/stat", encoding="ascii") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        before = used()
        threading.Event().wait(2)  # this is what is measured, not something waited for
        self.assertLessEqual(used() - before, 0.02)
