"""Lets tictactoe-engine play five in a row against a player that knows nothing of it, or another build.

    gomoku_match.py ENGINE --against pattern|PROGRAM [--games N] [--seconds S] [--side N]

`pattern` is the one-ply player below; any other name is another build of tictactoe-engine. The sides change
after each game. So that no two games are the same, the engine's first mark is a random cell near the middle or
near the other's mark; against another build the first three marks are random. This program keeps the board,
checks every move and finds the wins itself.
"""

import argparse
import math
import random
import subprocess
import sys
import time

LINES = [(0, 1), (1, 0), (1, 1), (1, -1)]
IN_A_ROW = 5
RESULTS = {1: "won", 0.5: "drawn", 0: "lost"}


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


def make_other(options):
    if options.against == "pattern":
        return PatternSeat("O")
    return EngineSeat(options.against, "O", "X", options)


def opening(board, mine, options):
    """A random cell for the engine's first mark, so that games differ; otherwise nothing."""
    middle = board.moves[-1] if board.moves else (board.side // 2, board.side // 2)
    between_engines = options.against != "pattern"
    if between_engines and len(board.moves) < 3 or mine and len(board.moves) < 2:
        return options.random.choice(board.free_near(middle, 2))
    return None


def play(number, options):
    """1 if the engine wins, 0 if it loses, 0.5 for a draw; the length; the slowest choice of the engine, and the
    most CPU time of one; the other's slowest."""
    # The two games of a pair have the same random marks.
    options.random = random.Random(options.seed * 1_000 + number // 2)
    board = Board(options.side)
    starts = number % 2 == 0
    seats = {"X": EngineSeat(options.engine, "X", "X", options),
             "O": make_other(options)}
    mark = "X" if starts else "O"
    result = 0.5
    while len(board.moves) < board.side ** 2:
        cell = opening(board, mark == "X", options) or seats[mark].choose(board)
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--against", required=True)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--nodes", type=int, default=0)
    parser.add_argument("--level", default="strong")
    parser.add_argument("--side", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
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
              f"slowest choice {slowest[0]:.2f} s ({slowest[1]:.2f} s of CPU), "
              f"the other's {slowest[2]:.2f} s; {rating(*counts)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
