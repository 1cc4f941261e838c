"""The full screen in a real terminal, with the real server: keys, mouse, resizing, and that the
terminal is as it was whatever ends the program."""

import os
import re
import signal
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
            alice.keys_until("r", "Game 2 begins")
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
        alice.click_until("Rematch", "Game 2 begins")
        alice.expect("Game 2 begins")


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
