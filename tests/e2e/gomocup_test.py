"""`tictactoe-engine gomocup` against a manager that was written from the protocol's description alone:
https://plastovicka.github.io/protocl2en.htm"""

import os
import random
import re
import subprocess
import time
import unittest

from programs import BIN, TIMEOUT, Process


class Brain(Process):
    """A program that plays, over its standard streams."""

    def __init__(self, *options, line_end="\r\n"):
        super().__init__([os.path.join(BIN, "tictactoe-engine"), "gomocup", *options], None,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._line_end = line_end

    def tell(self, *lines):
        for line in lines:
            self.process.stdin.write((line + self._line_end).encode())
        self.process.stdin.flush()

    def ask(self, *lines):
        """The answer, without what is meant for people."""
        self.tell(*lines)
        return self.expect(r"^(?!MESSAGE|DEBUG)([^\r\n]*)\r?\n").group(1)

    def move(self, *lines):
        answer = self.ask(*lines)
        if not re.fullmatch(r"\d+,\d+", answer):
            raise AssertionError(f"{answer!r} is no move")
        return tuple(int(number) for number in answer.split(","))

    def close(self):
        """Ends its input; the exit status."""
        self.process.stdin.close()
        return self.status()


def wins(marks, cell, exact=False):
    """Whether the mark on that cell is one of five in a row. Cells are column, row."""
    for step in ((0, 1), (1, 0), (1, 1), (1, -1)):
        run = 1
        for sign in (1, -1):
            at = (cell[0] + sign * step[0], cell[1] + sign * step[1])
            while marks.get(at) == marks[cell]:
                run += 1
                at = (at[0] + sign * step[0], at[1] + sign * step[1])
        if run == 5 or run > 5 and not exact:
            return True
    return False


class Protocol(unittest.TestCase):
    def brain(self, *options, **more):
        return self.enterContext(Brain(*options, **more))

    def test_a_start_is_answered(self):
        brain = self.brain()
        self.assertEqual(brain.ask("START 15"), "OK")
        self.assertEqual(brain.ask("START 20"), "OK")
        self.assertEqual(brain.ask("RECTSTART 30,10"), "OK")
        self.assertEqual(brain.ask("RESTART"), "OK")
        for wrong in ("START", "START 4", "START 101", "START x", "START 15,15", "RECTSTART 15"):
            self.assertRegex(brain.ask(wrong), "^ERROR .")

    def test_nothing_works_before_start(self):
        brain = self.brain()
        for command in ("BEGIN", "TURN 1,1", "RESTART"):
            self.assertRegex(brain.ask(command), "^ERROR .", command)
        self.assertRegex(brain.ask("BOARD", "1,1,1", "DONE"), "^ERROR .")

    def test_unknown_commands_are_told(self):
        brain = self.brain("--nodes", "500", line_end="\n")
        self.assertRegex(brain.ask("SWAP2BOARD"), "^UNKNOWN")
        self.assertRegex(brain.ask("start 15"), "^OK$")
        brain.move("board", "7,7,2", "done")
        self.assertRegex(brain.ask("x" * 100_000), "^UNKNOWN")

    def test_a_line_without_an_end_takes_no_memory(self):
        brain = self.brain()
        part = b"x" * 1_000_000
        for _ in range(100):
            brain.process.stdin.write(part)
        self.assertRegex(brain.ask("", "ABOUT"), "^UNKNOWN")
        with open(f"/proc/{brain.process.pid}/status") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        self.assertLess(peak, 50_000)

    def test_begin_and_turn(self):
        brain = self.brain("--nodes", "2000")
        brain.ask("START 15")
        self.assertEqual(brain.move("BEGIN"), (7, 7))
        self.assertRegex(brain.ask("BEGIN"), "^ERROR .")
        self.assertRegex(brain.ask("TURN 7,7"), "^ERROR .")
        self.assertRegex(brain.ask("TURN 15,0"), "^ERROR .")
        self.assertRegex(brain.ask("TURN 0,-1"), "^ERROR .")
        self.assertRegex(brain.ask("TURN"), "^ERROR .")
        brain.move("TURN 8,8")

    def test_a_board_tells_whose_marks_are_whose(self):
        brain = self.brain()
        brain.ask("START 15")
        # Both have an open three, and it is its turn: it wins; then it is the other's, and it blocks.
        self.assertIn(brain.move("BOARD", "5,5,2", "5,9,1", "6,5,2", "6,9,1", "7,5,2", "7,9,1",
                                 "8,5,2", "8,9,1", "DONE"), ((4, 9), (9, 9)))
        self.assertIn(brain.move("BOARD", "5,5,2", "0,0,1", "6,5,2", "2,0,1", "7,5,2", "4,1,1",
                                 "8,5,2", "DONE"), ((4, 5), (9, 5)))
        self.assertRegex(brain.ask("BOARD", "5,5,2", "5,5,1", "DONE"), "^ERROR .")
        self.assertRegex(brain.ask("BOARD", "5,5,1", "DONE"), "^ERROR .")
        self.assertRegex(brain.ask("BOARD", "5,5", "DONE"), "^ERROR .")
        self.assertEqual(brain.move("BOARD", "DONE"), (7, 7))

    def test_exactly_five_by_the_rule(self):
        board = ["BOARD", "2,7,1", "0,0,2", "3,7,1", "2,0,2", "4,7,1", "4,1,2", "6,7,1", "6,1,2",
                 "7,7,1", "8,1,2", "DONE"]
        free = self.brain()
        free.ask("START 15")
        self.assertEqual(free.move(*board), (5, 7))
        exact = self.brain()
        exact.ask("START 15")
        exact.tell("INFO rule 1")
        # Filling the hole makes six.
        self.assertNotEqual(exact.move("INFO timeout_turn 2000", *board), (5, 7))
        exact.tell("INFO rule 4")
        self.assertRegex(exact.ask("RESTART"), "OK")
        self.assertRegex(exact.ask("BEGIN"), "^ERROR only rules 0 and 1 are supported")

    def test_a_move_is_taken_back(self):
        brain = self.brain("--nodes", "2000")
        brain.ask("START 15")
        own = brain.move("TURN 3,3")
        self.assertEqual(brain.ask("TAKEBACK {},{}".format(*own)), "OK")
        self.assertEqual(brain.ask("TAKEBACK 3,3"), "OK")
        self.assertRegex(brain.ask("TAKEBACK 3,3"), "^ERROR .")
        self.assertEqual(brain.move("BEGIN"), (7, 7))

    def test_end_ends_it(self):
        brain = self.brain()
        brain.ask("START 15")
        brain.tell("END")
        self.assertEqual(brain.process.wait(TIMEOUT), 0)
        # So does a manager that is gone.
        self.assertEqual(self.brain().close(), 0)

    def test_the_time_of_a_turn_is_kept(self):
        brain = self.brain()
        brain.ask("START 20")
        brain.tell("INFO timeout_turn 500", "INFO timeout_match 1000000", "INFO time_left 1000000",
                   "INFO max_memory 83886080", "INFO unheard_of 3", "INFO rule 0")
        began = time.monotonic()
        for place in ("10,10", "12,8"):
            brain.move(f"TURN {place}")
        # Other work on the machine is no fault of it.
        self.assertLess(time.monotonic() - began, 20)

    def test_a_whole_game_against_random_moves_is_won(self):
        for exact in (False, True):
            brain = self.brain("--nodes", "3000")
            brain.ask("START 15")
            brain.tell(f"INFO rule {int(exact)}")
            rng = random.Random(7)
            marks = {}
            move = brain.move("BEGIN")
            while True:
                self.assertNotIn(move, marks)
                marks[move] = 1
                if wins(marks, move, exact):
                    break
                free = [(column, row) for column in range(15) for row in range(15)
                        if (column, row) not in marks]
                place = rng.choice(free)
                marks[place] = 2
                self.assertFalse(wins(marks, place, exact))
                move = brain.move("TURN {},{}".format(*place))
