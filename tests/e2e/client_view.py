"""What clients know, and what the server must therefore keep.

These checks know the protocol and nothing of how a server keeps its promises. A `ClientView` is what one
client knows of its room; a `Ledger` is what all clients together were told of a room, from its first
move. Everything told must agree with everything else told, before and after any end of the server.
"""

from __future__ import annotations

from typing import Any

Message = Any


class Broken(Exception):
    """The server has said two things that can't both be true, or has forgotten one."""


def require(condition: bool, complaint: str, *context: object) -> None:
    if not condition:
        raise Broken("\n".join([complaint, *map(str, context)]))


class Ledger:
    """The history of a room as far as any client knows it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.moves: dict[int, list[int]] = {}  # by number of the game
        self.outcomes: dict[int, tuple[int, int]] = {}  # winner and reason
        self.chat: list[str] = []  # each line is different
        self.revisions: dict[int, bytes] = {}
        self.freeze()

    @property
    def game(self) -> int:
        return max(self.moves, default=1)

    def games_ended(self) -> list[tuple[list[int], tuple[int, int]]]:
        """The moves, the winner and the reason of each, in order."""
        return [(self.moves[game], outcome) for game, outcome in sorted(self.outcomes.items())]

    def tell_update(self, update: Message) -> None:
        """A revision means the same to everybody, for ever."""
        content = update.SerializeToString(deterministic=True)
        known = self.revisions.setdefault(update.revision, content)
        require(known == content, f"{self.name}: revision {update.revision} is two things",
                type(update).FromString(known), update)

    def tell_moves(self, game: int, moves: list[int]) -> None:
        """The moves of a game from the first on, as a client knows them."""
        known = self.moves.setdefault(game, [])
        shared = min(len(known), len(moves))
        require(known[:shared] == moves[:shared], f"{self.name}: two histories of game {game}",
                known, moves)
        if len(moves) > len(known):
            require(game not in self.outcomes, f"{self.name}: a move after the end of game {game}",
                    known, moves)
            known.extend(moves[len(known):])

    def tell_outcome(self, game: int, outcome: Message) -> None:
        said = (outcome.winner, outcome.reason)
        known = self.outcomes.setdefault(game, said)
        require(known == said, f"{self.name}: game {game} has two outcomes", known, said)

    def tell_chat(self, text: str) -> None:
        if text not in self.chat:
            self.chat.append(text)

    def freeze(self) -> None:
        """Everything known so far must be kept: the server has ended."""
        self._kept_game = self.game
        self._kept_moves = list(self.moves.get(self.game, []))
        self._kept_end = self.game in self.outcomes
        self._kept_chat = list(self.chat)

    def check_kept(self, snapshot: Message, kept_chat: int, finished_phase: int) -> None:
        """Checks a room after a restart: nothing known before is missing."""
        game = self._kept_game
        require(snapshot.game >= game, f"{self.name}: game {game} was told, and is gone", snapshot)
        if snapshot.game == game:
            moves = list(snapshot.moves)[:len(self._kept_moves)]
            require(moves == self._kept_moves, f"{self.name}: moves told are gone",
                    self._kept_moves, snapshot)
            require(not self._kept_end or snapshot.phase == finished_phase,
                    f"{self.name}: an end is forgotten", snapshot)
        self._check_chat([line.text for line in snapshot.chat], kept_chat)

    def _check_chat(self, kept: list[str], kept_chat: int) -> None:
        # Only lines older than the kept ones may be missing, and only if the limit is reached.
        told = self._kept_chat
        present = [text for text in told if text in kept]
        require(present == [text for text in kept if text in present] and
                present == told[len(told) - len(present):] and
                (present == told or len(kept) == kept_chat),
                f"{self.name}: chat was told and is gone, or out of order", told, kept)


class ClientView:
    """One player's room, put together from a snapshot and the updates since. Feeds the ledger."""

    def __init__(self, types: Any, ledger: Ledger) -> None:
        self._types = types
        self.ledger = ledger
        self.seat = types.MARK_NONE
        self.revision = 0
        self.rules: Message = None
        self.phase = types.PHASE_UNSPECIFIED
        self.turn = types.MARK_NONE
        self.game = 0
        self.moves: list[int] = []
        self.wants_rematch = False
        self.score = (0, 0, 0)

    @property
    def my_turn(self) -> bool:
        return self.phase == self._types.PHASE_PLAYING and self.turn == self.seat

    @property
    def finished(self) -> bool:
        return self.phase == self._types.PHASE_FINISHED

    def free_cells(self) -> list[int]:
        taken = set(self.moves)
        return [cell for cell in range(self.rules.rows * self.rules.cols) if cell not in taken]

    def take_snapshot(self, snapshot: Message) -> None:
        name = self.ledger.name
        require(snapshot.name == name, f"{name}: another room", snapshot)
        if self.game:
            require(snapshot.your_seat == self.seat, f"{name}: the seat {self.seat} is lost", snapshot)
            require(snapshot.revision >= self.revision, f"{name}: back behind {self.revision}", snapshot)
            require(snapshot.game >= self.game, f"{name}: back behind game {self.game}", snapshot)
        moves = list(snapshot.moves)
        if snapshot.game == self.game:
            require(moves[:len(self.moves)] == self.moves, f"{name}: moves told are gone",
                    self.moves, snapshot)
            require(not self.finished or snapshot.phase == self.phase, f"{name}: an end is gone", snapshot)
        self.seat, self.revision, self.rules = snapshot.your_seat, snapshot.revision, snapshot.rules
        self.phase, self.turn = snapshot.phase, snapshot.turn
        self.game, self.moves = snapshot.game, moves
        self.wants_rematch = (snapshot.x_wants_rematch if self.seat == self._types.MARK_X
                              else snapshot.o_wants_rematch)
        self.ledger.tell_moves(self.game, moves)
        for line in snapshot.chat:
            self.ledger.tell_chat(line.text)
        if self.finished:
            self.ledger.tell_outcome(self.game, snapshot.outcome)
        self._check_turn()
        self._take_score(snapshot.score)

    def take_update(self, update: Message) -> None:
        name = self.ledger.name
        require(update.revision == self.revision + 1,
                f"{name}: revision {update.revision} after {self.revision}", update)
        self.ledger.tell_update(update)
        self.revision, self.phase, self.turn = update.revision, update.phase, update.turn
        change = update.WhichOneof("change")
        if change == "move_played":
            self._take_move(update.move_played)
        elif change == "game_ended":
            self.ledger.tell_outcome(self.game, update.game_ended.outcome)
        elif change == "game_started":
            require(update.game_started.game == self.game + 1, f"{name}: a game is missing", update)
            self.game, self.moves, self.wants_rematch = update.game_started.game, [], False
            self.ledger.tell_moves(self.game, [])
        elif change == "rematch_wanted":
            self.wants_rematch |= update.rematch_wanted.seat == self.seat
        elif change == "chat_said":
            self.ledger.tell_chat(update.chat_said.text)
        elif change == "seat_changed" and update.seat_changed.seat == self.seat:
            changed = update.seat_changed  # its player went away, or came back
            require(changed.occupant.name == changed.previous.name,
                    f"{name}: a seat was taken from its player", update)
        self._check_turn()
        if update.HasField("score"):
            self._take_score(update.score)

    def _take_move(self, move: Message) -> None:
        cell = move.cell.row * self.rules.cols + move.cell.col
        require(cell not in self.moves, f"{self.ledger.name}: two marks on a cell", move)
        self.moves.append(cell)
        require(move.ply == len(self.moves), f"{self.ledger.name}: ply {len(self.moves)}", move)
        self.ledger.tell_moves(self.game, self.moves)
        if move.HasField("outcome"):
            self.ledger.tell_outcome(self.game, move.outcome)

    def _check_turn(self) -> None:
        playing = self.phase == self._types.PHASE_PLAYING
        require(playing == (self.turn != self._types.MARK_NONE), f"{self.ledger.name}: wrong turn")
        require(not self.finished or self.game in self.ledger.outcomes,
                f"{self.ledger.name}: an end without an outcome")

    def _take_score(self, score: Message) -> None:
        said = (score.x, score.o, score.draws)
        # The two have met in their first game and never part: every end counts, once.
        ends = self.game - (0 if self.finished else 1)
        require(sum(said) == ends, f"{self.ledger.name}: {ends} games have ended", score)
        require(all(new >= old for new, old in zip(said, self.score)),
                f"{self.ledger.name}: a score falls from {self.score}", score)
        self.score = said
