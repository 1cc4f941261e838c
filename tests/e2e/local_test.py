"""Games without a server: against an AI and between two people, in lines and on the full screen."""

import os
import re
import subprocess
import tempfile
import unittest

from programs import BIN
from tmux import Tmux

PROGRAM = os.path.join(BIN, "tictactoe")


def play(script, *options):
    return subprocess.run([PROGRAM, "local", "--name", "ann", *options], input=script,
                          capture_output=True, text=True, timeout=60)


class Lines(unittest.TestCase):
    def test_against_an_ai_that_never_loses(self):
        game = play("b2\nhint\nresign\nhistory\nhistory bob\nreplay 1\nreplay 9\nrematch\n", "--ai", "perfect",
                    "--exit-result")
        self.assertRegex(game.stdout, "Playing without a server")
        self.assertRegex(game.stdout, r"You play b2\.")
        self.assertRegex(game.stdout, r"AI \(perfect\) plays \w\d")
        self.assertRegex(game.stdout, r"Hint: \w\d")
        self.assertRegex(game.stdout, "You lose")
        self.assertEqual(len(re.findall(r"(?m)^ *1 .*ann.*AI", game.stdout)), 1)  # none of bob's
        self.assertIn("There is no such game. `history` lists your games.", game.stdout)
        self.assertRegex(game.stdout, r"Game 2 begins: AI \(perfect\) \(O\) starts")
        self.assertEqual(game.stderr, "")
        self.assertEqual(game.returncode, 3)

    def test_two_people_take_turns(self):
        game = play("b2\na1\nb1\ntakeback\nb3\nc1\nb1\nrematch\nc3\ndraw\nhistory\n", "--two",
                    "--second", "bob", "--fail")
        text = game.stdout
        self.assertRegex(text, r"X: ann +O: bob")
        self.assertRegex(text, r"bob plays a1\. ann's turn \(X\)\.")
        self.assertRegex(text, r"ann \(X\) took the last move back\. Marks on the board: 2\.")
        self.assertRegex(text, r"ann \(X\) wins: column b\.")
        self.assertRegex(text, r"Game 2 begins: bob \(O\) starts")
        self.assertRegex(text, r"bob plays c3\.")
        self.assertRegex(text, r"Draw by agreement\.")
        self.assertEqual(len(re.findall(r"(?m)^ *[12] .*ann.*bob", text)), 2)
        self.assertNotRegex(text, r"You (win|lose|play \w\d)")
        self.assertEqual(game.returncode, 0)

    def test_a_board_of_ones_own_and_the_other_seat(self):
        game = play("wait\n", "--size", "5x6x4", "--exact", "--seat", "o")
        self.assertRegex(game.stdout, "5 x 6, exactly 4 in a row")
        self.assertRegex(game.stdout, r"AI \(3, casual\) plays")

    def test_what_can_not_begin_is_a_bad_option(self):
        for options, reason in ((("--size", "2"), "3 to 1000"),
                                (("--size", "no"), "3 to 1000"),
                                (("--two", "--second", "ann"), "--second"),
                                (("--two", "--ai", "random"), "--two"),
                                (("--second", "bob"), "--two"),
                                (("--name", "x" * 30), "name"),
                                (("--server", "localhost"), "without a server")):
            with self.subTest(options=options):
                result = play("", *options)
                self.assertEqual(result.returncode, 2)
                self.assertIn(reason, result.stderr)


class FinishedGames(unittest.TestCase):
    # O answers the centre with an edge, which loses.
    GAME = """[X "ann"]
[O "bob"]
[Rules "3x3x3"]
[Result "1-0"]
[Termination "line"]

1. b2 b1 2. a1 c3 3. a3 c1 4. a2 1-0
"""

    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path = os.path.join(folder, "game.txt")
        with open(self.path, "w") as file:
            file.write(self.GAME)

    def test_a_game_is_played_on_from_any_move(self):
        game = play("a3\nc1\na2\n", "--two", "--second", "bob", "--from", self.path, "--after", "4",
                    "--exit-result")
        self.assertRegex(game.stdout, r"(?m)^ 1 +X.*O.*\n.*\n 2 .*X.*\n.*\n 3 .*\[O\]")
        self.assertRegex(game.stdout, r"ann \(X\) wins: column a")
        self.assertEqual(game.returncode, 0)
        ai = play("", "--ai", "strong", "--from", self.path, "--after", "3", "--command", "a2")
        self.assertRegex(ai.stdout, r"AI \(strong\) plays c3")


class Terminal(unittest.TestCase):
    def terminal(self, *options):
        terminal = Tmux([PROGRAM, "local", "--name", "ann", *options])
        self.addCleanup(terminal.close)
        return terminal

    def test_the_full_screen_against_an_ai(self):
        screen = self.terminal("--ai", "perfect")
        screen.expect("Your turn: place your X")
        screen.keys("Enter")
        screen.expect(r"AI \(perfect\) plays")
        screen.expect("Your turn: place your X")
        screen.type("R")
        screen.expect("Resign this game")
        screen.keys_until("y", "You lose")
        screen.keys_until("r", "Game 2 begins")
        screen.keys("C-c")
        screen.expect("End this game\?")
        screen.keys("C-c")
        screen.expect("ended with 0")
        self.assertTrue(screen.mode_is_restored())

    def test_lines_at_a_terminal(self):
        terminal = self.terminal("--lines", "--two")
        terminal.expect("ann's turn")
        terminal.type("b2")
        terminal.keys("Enter")
        terminal.expect("player 2's turn")
        terminal.type("quit")
        terminal.keys("Enter")
        terminal.expect("will not be saved")
        terminal.type("go on")
        terminal.keys("Enter")
        terminal.keys("C-c")
        terminal.expect(r"will not be saved[\s\S]*will not be saved")
        terminal.type("leave")
        terminal.keys("Enter")
        terminal.expect("ended with 0")
