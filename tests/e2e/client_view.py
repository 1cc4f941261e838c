"""What clients know, and what the server must therefore keep.

These checks know the protocol and nothing of how a server keeps its promises. A `ClientView` is what one
client knows of its room; a `Ledger` is what all clients together were told of a room, from its first
move. Everything told must agree with everything else told, before and after any end of the server.
"""

from __future__ import annotations

from typing import Any

from raw_client import Protocol, ProtocolError, Room

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

    def __init__(self, protocol: Protocol, ledger: Ledger) -> None:
        self._protocol, self._types, self.ledger = protocol, protocol.types, ledger
        self.room: Room | None = None
        self.state: Message = protocol.server.RoomSnapshot()

    @property
    def my_turn(self) -> bool:
        return self.state.phase == self._types.PHASE_PLAYING and self.room.my_turn

    @property
    def finished(self) -> bool:
        return self.state.phase == self._types.PHASE_FINISHED

    @property
    def wants_rematch(self) -> bool:
        is_x = self.state.your_seat == self._types.MARK_X
        return self.state.x_wants_rematch if is_x else self.state.o_wants_rematch

    def free_cells(self) -> list[int]:
        rules = self.state.rules
        return [cell for cell in range(rules.rows * rules.cols) if cell not in self.room.cells]

    def take_snapshot(self, snapshot: Message, welcome: Message) -> None:
        name, before = self.ledger.name, self.state
        require(snapshot.name == name, f"{name}: another room", snapshot)
        if before.game:
            require(snapshot.your_seat == before.your_seat, f"{name}: the seat is lost", snapshot)
            require(snapshot.revision >= before.revision, f"{name}: back behind {before.revision}", snapshot)
            require(snapshot.game >= before.game, f"{name}: back behind game {before.game}", snapshot)
        if snapshot.game == before.game:
            require(snapshot.moves[:len(before.moves)] == before.moves, f"{name}: moves told are gone",
                    before.moves, snapshot)
            require(not self.finished or snapshot.phase == before.phase, f"{name}: an end is gone", snapshot)
        self.room = Room(self._protocol, snapshot, welcome)
        self.state = self.room.state
        for line in snapshot.chat:
            self.ledger.tell_chat(line.text)
        self._tell(before.score)

    def take_update(self, update: Message) -> None:
        name, score = self.ledger.name, self._protocol.types.Score()
        game, seat = self.state.game, self.state.your_seat
        score.CopyFrom(self.state.score)
        self.ledger.tell_update(update)
        try:
            self.room.apply(update)
        except ProtocolError as error:
            raise Broken(f"{name}: {error}") from None
        change = update.WhichOneof("change")
        require(self.state.game == game + (change == "game_started"), f"{name}: a game is missing", update)
        require(self.state.your_seat == seat, f"{name}: a seat was taken from its player", update)
        if change == "chat_said":
            self.ledger.tell_chat(update.chat_said.text)
        self._tell(score if update.HasField("score") else None)

    def _tell(self, score_before: Message | None) -> None:
        """What is known now; with the score, if it was told."""
        state, name = self.state, self.ledger.name
        self.ledger.tell_moves(state.game, list(state.moves))
        require((state.phase == self._types.PHASE_PLAYING) == (state.turn != self._types.MARK_NONE),
                f"{name}: wrong turn", state)
        if self.finished:
            require(state.HasField("outcome"), f"{name}: an end without an outcome", state)
            self.ledger.tell_outcome(state.game, state.outcome)
        if score_before is not None:
            # The two have met in their first game and never part: every end counts, once.
            ends = state.game - (0 if self.finished else 1)
            score = state.score
            require(score.x + score.o + score.draws == ends, f"{name}: {ends} games have ended", state)
            require(score.x >= score_before.x and score.o >= score_before.o and
                    score.draws >= score_before.draws, f"{name}: a score falls", score_before, score)
