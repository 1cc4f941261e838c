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

    def test_pasted_text_is_put_where_text_is_typed(self):
        alice = self.game()
        alice.keys("Tab")
        alice.expect("Say:")
        alice.type("<" + PASTE.format("good\nluck R") + ">")
        alice.expect("Say: <good luck R>")
        alice.keys("Enter")
        alice.expect(r"alice \(X\): <good luck R>")

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

    def test_a_paste_in_parts_is_not_carried_out_on_the_screen(self):
        for number, (begin, pause, rest) in enumerate(self.SPLIT_PASTES):
            with self.subTest(begin=begin):
                alice = self.game(number)
                alice.type(begin)
                time.sleep(pause)
                alice.type(rest.format(":resign"))
                alice.expect("Move or command: :resign")
                alice.close()

    def test_a_line_is_edited_and_completed_in_line_mode(self):
        with Client(LOOPBACK, self.address, "bob") as bob:
            bob.type('create "the arena"', "ai o")
            bob.expect("Your turn")
            alice = self.enterContext(TerminalClient(LOOPBACK, self.address, "alice"))
            alice.expect("> ")
            alice.keys("rooms\r")
            alice.expect("the arena")
            alice.keys("wat\tth\t")
            alice.expect('> watch "the arena" ')
            alice.keys("\r")
            bob.expect("alice watches now")
            alice.expect("You are alice and watch")
            alice.keys("sya hi\033[H\033[C\033[3~\033[Cy\r")
            bob.expect(r"^alice: hi$")
            alice.keys("\033[A")
            alice.expect("> say hi")

    def test_a_mouse_report_of_the_old_form_is_no_enter(self):
        alice = self.game()
        alice.type("\033[M !!")  # a press in the corner: nothing is there
        alice.keys("B")
        screen = alice.expect("Turn alerts|Your turn is told|window's title")
        self.assertNotRegex(screen, r"You play [a-c]\d")

    def test_a_dialog_that_has_just_opened_ignores_keys(self):
        alice = self.game()
        alice.type("Ry")  # in one piece
        alice.expect("Give this game up")
        alice.keys_until("y", r"You lose\.")

    def test_a_command_in_capital_letters_is_asked_twice_too(self):
        for room, text in (("one", "Resign"), ("two", "RESIGN")):
            alice = self.game(room)
            alice.type(":" + text)
            alice.keys("Enter")
            alice.expect("Give this game up")
            alice.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
