"""What a terminal sends is taken for what it is: keys, the mouse or pasted text."""

import time
import unittest

from network import LOOPBACK
from programs import Client, Server, TerminalClient
from tmux import Tmux, client

PASTE = "\033[200~{}\033[201~"


class Input(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server(LOOPBACK))
        self.address = LOOPBACK.address4(self.server.port)

    def screen(self, *options):
        terminal = Tmux(client(self.address, "alice", *options))
        self.addCleanup(terminal.close)
        return terminal

    def game(self, room="den"):
        terminal = self.screen("--command", f"create {room}", "--command", "ai o")
        terminal.expect("Your turn: place your X")
        return terminal

    def test_pasted_text_does_nothing_by_itself(self):
        alice = self.game()
        alice.type(PASTE.format("R\ny\nresign\n"))
        screen = alice.expect(r"Move or command: R y resign")
        self.assertNotIn("You lose", screen)
        alice.keys("Escape")
        alice.expect("Your turn: place your X")

    def test_pasted_lines_are_not_carried_out_in_line_mode(self):
        with Client(LOOPBACK, self.address, "bob") as bob:
            alice = self.enterContext(TerminalClient(LOOPBACK, self.address, "alice", "--command",
                                                     "create den"))
            alice.expect("Waiting for somebody")
            bob.type("join den")
            alice.expect("your move> ")
            alice.keys("say " + PASTE.format("one\nresign\n") + "two\r")
            bob.expect(r"^alice \(X\): one resign two$")
            alice.keys("a1\r")
            bob.expect(r"^alice plays a1\.")

    # As a slow link may split it: longer than an Escape waits, or longer than a sequence waits.
    SPLIT_PASTES = (("\033[20", 0.06, "0~{}\r\n\033[201~"),
                    ("\033[200~", 2.6, "{}\r\n\033[201~"))

    def test_a_paste_in_parts_is_not_carried_out_in_line_mode(self):
        for number, (begin, pause, rest) in enumerate(self.SPLIT_PASTES):
            with self.subTest(begin=begin):
                alice = self.enterContext(TerminalClient(
                    LOOPBACK, self.address, "alice", "--command", f"create {number}",
                    "--command", "ai o"))
                alice.expect("your move> ")
                alice.keys(begin)
                time.sleep(pause)
                alice.keys(rest.format("resign"))
                alice.expect("your move> resign")
                alice.keys("\x15a1\r")
                alice.expect(r"You play a1\.")
