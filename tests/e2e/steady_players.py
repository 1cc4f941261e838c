"""Pairs of players who move without a rest, also while their server restarts.

    steady_players.py HOST PORT PAIRS

Says "playing" when each pair has moved. At the end of standard input every player compares the
server's board with the moves that were sent, and it prints the figures as JSON. A move that was
lost or made twice ends it with a failure.
"""

from __future__ import annotations

import json
import sys
import threading
import time

from generated import protocol
from player import Player

SIZE = 150  # of a board on which nobody wins: the sides take turns from cell to cell


class Pair:
    """Each of the two has a thread of its own: none waits for the other's connection."""

    def __init__(self, number: int, host: str, port: int, ends: threading.Event) -> None:
        self.players = [Player(f"{side}{number}", host, port) for side in ("xenia", "otto")]
        self.moves: list[int] = []  # of the player whose turn it is
        self.longest_pause = 0.0
        self.failures: list[BaseException] = []
        self._last = time.monotonic()
        self._ends = ends
        rules = protocol.types.Rules(rows=SIZE, cols=SIZE, k=SIZE)
        self.players[0].ask("create_room", name=f"steady {number}", rules=rules)
        self.players[1].ask("join_room", name=f"steady {number}")
        self.threads = [threading.Thread(target=self._run, args=(player,), daemon=True)
                        for player in self.players]

    def _run(self, player: Player) -> None:
        try:
            while self._turn(player):
                pass
            player.ask("get_snapshot")
            assert list(player.client.room.state.moves) == self.moves, "a move was lost"
        except BaseException as failure:  # told by the main thread
            self.failures.append(failure)

    def _turn(self, player: Player) -> bool:
        """False if the game is over. The first player to see that it is time resigns."""
        over = protocol.types.PHASE_FINISHED
        player.until(lambda room: room.my_turn or room.state.phase == over)
        if player.client.room.state.phase == over:
            return False
        if self._ends.is_set():
            player.ask("resign", game=1)
            return False
        cell = len(self.moves)
        self.moves.append(cell)  # before the other one can see it
        player.ask("move", cell=protocol.types.Cell(row=cell // SIZE, col=cell % SIZE), game=1,
                   ply=cell)
        now = time.monotonic()
        self.longest_pause, self._last = max(self.longest_pause, now - self._last), now
        return True


def main() -> None:
    ends = threading.Event()
    pairs = [Pair(number, sys.argv[1], int(sys.argv[2]), ends) for number in range(int(sys.argv[3]))]
    for pair in pairs:
        for thread in pair.threads:
            thread.start()
    while any(len(pair.moves) < 2 and not pair.failures for pair in pairs):
        time.sleep(0.01)
    print("playing", flush=True)
    sys.stdin.read()
    ends.set()
    for pair in pairs:
        for thread in pair.threads:
            thread.join()
        for failure in pair.failures:
            raise failure
    players = [player for pair in pairs for player in pair.players]
    print(json.dumps({
        "moves": sum(len(pair.moves) for pair in pairs),
        "longest_pause_s": round(max(pair.longest_pause for pair in pairs), 3),
        "full_boards": sum(len(pair.moves) == SIZE * SIZE for pair in pairs),
        **{name: sum(getattr(player, name) for player in players)
           for name in ("lost", "in_flight", "refused", "tries")}}), flush=True)


if __name__ == "__main__":
    main()
