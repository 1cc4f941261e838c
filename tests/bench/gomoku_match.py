"""Lets tictactoe-engine play gomoku against programs that know nothing of it.

    gomoku_match.py ENGINE --against bsdgames|pattern|PROGRAM [--games N] [--seconds S] [--side N]

`bsdgames` is Debian's /usr/games/gomoku, driven over a pseudo terminal (19x19 only); `pattern` is the
one-ply player below; any other name is another build of tictactoe-engine. The sides change after
each game. So that no two games are the same, the engine's first mark is a random cell near the
middle or near the other's mark; against another build the first three marks are random.
This program keeps the board, checks every move and finds the wins itself.
"""

import argparse
import fcntl
import math
import os
import pty
import random
import re
import resource
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

LINES = [(0, 1), (1, 0), (1, 1), (1, -1)]
IN_A_ROW = 5
RESULTS = {1: "won", 0.5: "drawn", 0: "lost", None: "the other gives no answer"}


class Board:
    def __init__(self, side):
        self.side = side
        self.marks = {}
        self.moves = []

    def holds(self, cell):
        return 0 <= cell[0] < self.side and 0 <= cell[1] < self.side

    def play(self, cell, mark):
        assert self.holds(cell) and cell not in self.marks, f"illegal move {cell} of {mark}"
        self.marks[cell] = mark
        self.moves.append(cell)

    def has_won(self, cell):
        mark = self.marks[cell]
        for row, col in LINES:
            run = 1
            for sign in (1, -1):
                at = (cell[0] + sign * row, cell[1] + sign * col)
                while self.marks.get(at) == mark:
                    run += 1
                    at = (at[0] + sign * row, at[1] + sign * col)
            if run >= IN_A_ROW:
                return True
        return False

    def free_near(self, cell, distance):
        return [(row, col)
                for row in range(cell[0] - distance, cell[0] + distance + 1)
                for col in range(cell[1] - distance, cell[1] + distance + 1)
                if self.holds((row, col)) and (row, col) not in self.marks]

    def __str__(self):
        return "\n".join("".join(self.marks.get((row, col), "_") for col in range(self.side))
                         for row in range(self.side))


def cpu_seconds(process):
    """What a running process has used so far; it counts whole hundredths."""
    with open(f"/proc/{process}/stat") as stat:
        return sum(int(ticks) for ticks in stat.read().rsplit(")", 1)[1].split()[11:13]) / 100


class EngineSeat:
    """tictactoe-engine suggest, one position at a time over its pipes."""

    def __init__(self, program, mark, starter, options):
        del starter
        limits = (["--seconds", str(options.seconds)] if not options.nodes
                  else ["--nodes", str(options.nodes), "--seconds", "3600"])
        self.process = subprocess.Popen(
            [program, "suggest", "--level", options.level, "--k", str(IN_A_ROW), "--player",
             mark.lower(), *limits], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.slowest = 0.0
        self.most_cpu = 0.0

    def choose(self, board):
        began, worked = time.monotonic(), cpu_seconds(self.process.pid)
        self.process.stdin.write(str(board) + "\n\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        self.slowest = max(self.slowest, time.monotonic() - began)
        self.most_cpu = max(self.most_cpu, cpu_seconds(self.process.pid) - worked)
        return int(answer[0]) - 1, int(answer[1]) - 1

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class PatternSeat:
    """Looks at each window of five cells: no search, not even one reply."""

    OWN = (7, 35, 800, 15_000, 800_000)
    OTHER = (7, 15, 400, 1_800, 100_000)

    def __init__(self, mark):
        self.mark = mark
        self.slowest = 0.0

    def choose(self, board):
        side = board.side
        if not board.marks:
            return side // 2, side // 2
        worth = dict.fromkeys(((row, col) for row in range(side) for col in range(side)
                               if (row, col) not in board.marks), 0)
        for row in range(side):
            for col in range(side):
                for step in LINES:
                    self.add_window(board, (row, col), step, worth)
        most = max(worth.values())
        return random.choice([cell for cell, value in worth.items() if value == most])

    def add_window(self, board, first, step, worth):
        cells = [(first[0] + i * step[0], first[1] + i * step[1]) for i in range(IN_A_ROW)]
        if not board.holds(cells[-1]):
            return
        marks = [board.marks[cell] for cell in cells if cell in board.marks]
        if len(set(marks)) > 1 or len(marks) == IN_A_ROW:
            return
        weights = self.OWN if not marks or marks[0] == self.mark else self.OTHER
        for cell in cells:
            if cell in worth:
                worth[cell] += weights[len(marks)]

    def close(self):
        pass


class Screen:
    """As much of a VT100 as gomoku's curses need."""

    def __init__(self):
        self.rows = [[" "] * 100 for _ in range(40)]
        self.row = self.col = 0
        self.rest = ""

    def feed(self, text):
        text = self.rest + text
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                found = re.compile(r"\x1b(\[[?0-9;]*[A-Za-z]|[()].|[=>78])").match(text, at)
                if not found:
                    break
                self.control(found.group(1))
                at = found.end()
                continue
            self.put(text[at])
            at += 1
        self.rest = text[at:]

    def put(self, char):
        if char == "\r":
            self.col = 0
        elif char == "\n":
            self.row += 1
        elif char == "\b":
            self.col -= 1
        elif char >= " ":
            self.rows[self.row][self.col] = char
            self.col += 1

    def control(self, sequence):
        kind = sequence[-1]
        numbers = [int(number or 0) for number in re.findall(r"\d+", sequence)] or [0]
        many = max(1, numbers[0])
        if kind == "H":
            self.row = max(1, numbers[0]) - 1
            self.col = (max(1, numbers[1]) if len(numbers) > 1 else 1) - 1
        elif kind in "ABCD":
            self.row += {"A": -many, "B": many}.get(kind, 0)
            self.col += {"C": many, "D": -many}.get(kind, 0)
        elif kind == "K":
            self.rows[self.row][self.col:] = [" "] * (100 - self.col)
        elif kind == "J":
            self.rows = [[" "] * 100 for _ in range(40)]


class BsdSeat:
    """Debian's bsdgames gomoku, 19x19. Black begins."""

    # Seconds of a process that neither works nor answers.
    LONGEST_IDLE = 30
    MOST_MEMORY = 4 << 30
    COLUMNS = "ABCDEFGHJKLMNOPQRST"

    def __init__(self, starts, patience, moves):
        self.slowest = 0.0
        self.patience = patience
        self.screen = Screen()
        self.asked = bool(moves)
        self.starts = starts
        # It reads a game from a file, and plays against the side to move.
        self.file = tempfile.NamedTemporaryFile("w")
        self.file.writelines(self.name_of(cell) + "\n" for cell in moves[:-1])
        self.file.flush()
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.environ["TERM"] = "vt100"
            resource.setrlimit(resource.RLIMIT_AS, (self.MOST_MEMORY, self.MOST_MEMORY))
            os.execv("/usr/games/gomoku", ["gomoku"] + [self.file.name] * bool(moves))
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))

    def read_until(self, condition):
        """Its answers are bounded by its CPU time, so that a busy machine is not held against it."""
        began = busy = cpu_seconds(self.child)
        idle_since = time.monotonic()
        while True:
            found = condition()
            if found:
                self.slowest = max(self.slowest, cpu_seconds(self.child) - began)
                return found
            if select.select([self.terminal], [], [], 0.2)[0]:
                try:
                    self.screen.feed(os.read(self.terminal, 65536).decode("latin-1"))
                except OSError as ended:
                    raise TimeoutError("gomoku ends, perhaps for want of memory") from ended
                continue
            now = cpu_seconds(self.child)
            if now > busy:
                busy, idle_since = now, time.monotonic()
            if now - began > self.patience:
                raise TimeoutError(f"gomoku computes for {now - began:.0f} s")
            if time.monotonic() - idle_since > self.LONGEST_IDLE:
                raise RuntimeError("gomoku waits:\n" + "\n".join(map("".join, self.screen.rows)))

    def name_of(self, cell):
        return f"{self.COLUMNS[cell[1]]}{19 - cell[0]}"

    def says(self, words):
        return any(words in "".join(row) for row in self.screen.rows)

    def marks(self):
        return {(row, col): self.screen.rows[row + 1][3 + 2 * col]
                for row in range(19) for col in range(19)
                if self.screen.rows[row + 1][3 + 2 * col] in "*OX@"}

    def choose(self, board):
        if not self.asked:
            self.read_until(lambda: self.says("black or white?"))
            os.write(self.terminal, b"white\n" if self.starts else b"black\n")
            self.asked = True
        if board.moves:
            self.read_until(lambda: self.says("move?"))
            os.write(self.terminal, self.name_of(board.moves[-1]).encode() + b"\n")
        wanted = len(board.moves) + 1
        self.read_until(lambda: len(self.marks()) >= wanted)
        return next(cell for cell in self.marks() if cell not in board.marks)

    def close(self):
        os.kill(self.child, 9)
        os.waitpid(self.child, 0)
        os.close(self.terminal)
        self.file.close()


def make_other(options, starts):
    if options.against == "bsdgames":
        return BsdSeat(starts, options.patience, options.moves)
    if options.against == "pattern":
        return PatternSeat("O")
    return EngineSeat(options.against, "O", "X", options)


def opening(board, mine, options):
    """A random cell for the engine's first mark, so that games differ; otherwise nothing."""
    middle = board.moves[-1] if board.moves else (board.side // 2, board.side // 2)
    between_engines = options.against not in ("bsdgames", "pattern")
    if between_engines and len(board.moves) < 3 or mine and len(board.moves) < 2:
        return options.random.choice(board.free_near(middle, 2))
    return None


def play(number, options):
    """1 if the engine wins, 0 if it loses, 0.5 for a draw, None if the other gives no answer; the
    length; the slowest choice of the engine, and the most CPU time of one; the other's slowest."""
    # The two games of a pair have the same random marks.
    options.random = random.Random(options.seed * 1_000 + number // 2)
    board = Board(19 if options.against == "bsdgames" else options.side)
    starts = number % 2 == 0
    seats = {"X": EngineSeat(options.engine, "X", "X", options),
             "O": make_other(options, not starts)}
    mark = "X" if starts else "O"
    for cell in options.moves:
        board.play(cell, mark)
        mark = "O" if mark == "X" else "X"
    result = 0.5
    while len(board.moves) < board.side ** 2:
        try:
            cell = opening(board, mark == "X", options) or seats[mark].choose(board)
        except TimeoutError:
            result = None
            break
        board.play(cell, mark)
        if board.has_won(cell):
            result = 1 if mark == "X" else 0
            break
        mark = "O" if mark == "X" else "X"
    for seat in seats.values():
        seat.close()
    if result != 1 and options.show:
        print(board, " ".join(f"{row + 1},{col + 1}" for row, col in board.moves), sep="\n")
    return (result, len(board.moves),
            (seats["X"].slowest, seats["X"].most_cpu, seats["O"].slowest))


def elo(score):
    score = min(max(score, 1e-6), 1 - 1e-6)
    return 400 * math.log10(score / (1 - score))


def rating(wins, draws, losses):
    """Elo by the logistic curve with a 95 % interval of the mean; half a point is added to each
    side, so that a score of all or nothing has a bound."""
    games = wins + draws + losses + 1
    score = (wins + draws / 2 + 0.5) / games
    variance = ((wins + 0.5) * (1 - score) ** 2 + draws * (0.5 - score) ** 2 +
                (losses + 0.5) * score ** 2) / games
    error = 1.96 * math.sqrt(variance / games)
    return f"Elo {elo(score):+.0f} (95 %: {elo(score - error):+.0f} to {elo(score + error):+.0f})"


def parse_moves(text):
    return [tuple(int(number) - 1 for number in move.split(",")) for move in text.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--against", required=True)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--patience", type=float, default=900,
                        help="CPU seconds after which gomoku gives no answer")
    parser.add_argument("--nodes", type=int, default=0)
    parser.add_argument("--level", default="strong")
    parser.add_argument("--side", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moves", type=parse_moves, default=[],
                        help="go on after these, the engine's the last, with one game against "
                        "gomoku: 10,10 9,9 ...")
    parser.add_argument("--show", action="store_true", help="print the games not won")
    options = parser.parse_args()
    random.seed(options.seed)
    results = []
    slowest = (0.0, 0.0, 0.0)
    for number in range(options.first, options.first + options.games):
        result, plies, seconds = play(number, options)
        results.append(result)
        slowest = tuple(map(max, slowest, seconds))
        counts = [results.count(value) for value in (1, 0.5, 0)]
        print(f"game {number + 1}: {RESULTS[result]} "
              f"after {plies} plies; won {counts[0]}, drawn {counts[1]}, lost {counts[2]}, "
              f"no answer {results.count(None)}; "
              f"slowest choice {slowest[0]:.2f} s ({slowest[1]:.2f} s of CPU), "
              f"the other's {slowest[2]:.2f} s; {rating(*counts)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
