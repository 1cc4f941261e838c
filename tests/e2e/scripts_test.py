"""The client in scripts: its address, its exit status, and lists for other programs."""

import os
import subprocess

from case import ServerCase
from programs import BIN


class Scripts(ServerCase):
    def play(self, script, *options):
        return subprocess.run([os.path.join(BIN, "tictactoe"), self.address, *options], input=script,
                              capture_output=True, text=True, timeout=60)

    def test_the_first_refused_line_can_end_it(self):
        result = self.play("play\ndance\nsay never\n", "--fail")
        self.assertEqual(result.returncode, 1)
        self.assertNotIn("never", result.stdout)

    def test_the_status_can_tell_the_result(self):
        self.assertEqual(self.play("play\nquit\n", "--exit-result").returncode, 5)

    def test_a_room_goes_on_with_a_finished_game(self):
        self.start()
        ann = self.client("ann", "create den", "ai o random", "b2", "resign")
        ann.expect("You lose")
        ann.type("leave", "create again from 1 after 1 o")
        ann.expect(r'playing O in the room "again" \(3 x 3; from game 1 after 1 move\)')
        bob = self.client("bob", "join again")
        ann.expect("Your turn: place your O")
        ann.type("a1")
        bob.expect("ann plays a1. Your turn: place your X")
        bob.type("resign")
        ann.expect("You win")
        ann.type("leave", "create more from 1 after 9")
        ann.expect("That game has no 9 moves")
        ann.type("replay 2")
        ann.expect("from game 1 after 1 move")

    def test_a_full_disk(self):
        for arguments in (["--help"], ["lan", "--json"]):
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                result = subprocess.run([os.path.join(BIN, "tictactoe"), *arguments],
                                        stdin=subprocess.DEVNULL, stdout=full,
                                        stderr=subprocess.PIPE, text=True, timeout=60)
                self.assertEqual(result.returncode, 1)
                self.assertIn("can't write to standard output", result.stderr)
