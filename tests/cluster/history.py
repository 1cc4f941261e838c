"""The history of a run: what each person asked and was told, one JSON object a line.

Each has `t`, the seconds since the beginning; `e`, the kind of event; and unless it is about the run as a
whole `p`, the label of the person. A person has one token; who says Goodbye and comes back is another one.
Marks are "X" and "O", cells are numbers, counted along the rows from 0.

| `e` | other fields |
|---|---|
| ask | id, kind, and what was asked: room, game, ply, cell, text. The id is that of the request |
| again | id: it was sent once more, because the server says that it was not done |
| welcome | name, room or "", done (the last request done), resumed, known (a token was sent), kept (lines of chat in a snapshot), server |
| snapshot | id if it is an answer; room, rows, cols, k, rev, seat or "", x, o (names or ""), phase, game, starter, moves, outcome, wants (seats), chat (texts) |
| update | id if it is an answer; room, rev, phase, turn, change, and its fields |
| left | id if it is an answer: the person is in no room |
| refused | id, code (its name), text |
| known | id: the answer was lost, and the server says that the request was done |
| redirect | id, to |
| lost | the connection has ended |
| record | by (a server), id, room, moves, x, o, outcome: a finished game, after all faults |
| records | by, count: that server has told so many |
| fault, healed | what, number |
| end | nothing comes after it |

An outcome is [winner, reason]; the winner of a draw is "". A kind is a request's name in client.proto.
"""

from __future__ import annotations

import json
import time
from typing import Any

import places  # noqa: F401  (before what it makes known)
from generated import protocol

Message = Any
types = protocol.types
Error = protocol.server.Error
MARKS = {types.MARK_NONE: "", types.MARK_X: "X", types.MARK_O: "O"}
PHASES = {types.PHASE_WAITING: "waiting", types.PHASE_PLAYING: "playing", types.PHASE_FINISHED: "finished"}


def outcome_of(outcome: Message) -> list:
    return [MARKS[outcome.winner], types.Outcome.Reason.Name(outcome.reason)[len("REASON_"):].lower()]


def fields_of_snapshot(snapshot: Message) -> dict:
    fields = {
        "room": snapshot.name, "rows": snapshot.rules.rows, "cols": snapshot.rules.cols,
        "k": snapshot.rules.k, "rev": snapshot.revision, "seat": MARKS[snapshot.your_seat],
        "x": snapshot.x.name, "o": snapshot.o.name, "phase": PHASES[snapshot.phase],
        "game": snapshot.game, "starter": MARKS[snapshot.starter], "moves": list(snapshot.moves),
        "wants": ("X" if snapshot.x_wants_rematch else "") + ("O" if snapshot.o_wants_rematch else ""),
        "chat": [line.text for line in snapshot.chat]}
    if snapshot.phase == types.PHASE_FINISHED:
        fields["outcome"] = outcome_of(snapshot.outcome)
    return fields


def fields_of_update(update: Message, cols: int) -> dict:
    change = update.WhichOneof("change")
    fields = {"rev": update.revision, "phase": PHASES[update.phase], "turn": MARKS[update.turn],
              "change": change}
    content = getattr(update, change)
    if change == "move_played":
        fields |= {"mark": MARKS[content.mark], "cell": content.cell.row * cols + content.cell.col,
                   "ply": content.ply}
        if content.HasField("outcome"):
            fields["outcome"] = outcome_of(content.outcome)
    elif change == "seat_changed":
        fields |= {"seat": MARKS[content.seat], "to": content.occupant.name,
                   "from": content.previous.name}
    elif change == "game_started":
        fields |= {"game": content.game, "starter": MARKS[content.starter]}
    elif change == "rematch_wanted":
        fields["seat"] = MARKS[content.seat]
    elif change == "chat_said":
        fields |= {"by": content.__getattribute__("from"), "text": content.text}
    elif change == "game_ended":
        fields["outcome"] = outcome_of(content.outcome)
    elif change == "watchers_changed":
        fields |= {"watchers": content.watchers, "name": content.name}
    return fields


def fields_of_record(game: Message) -> dict:
    return {"id": game.id, "room": game.room, "moves": list(game.moves), "x": game.x.name,
            "o": game.o.name, "outcome": outcome_of(game.outcome)}


class History:
    """Writes to a file."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "w", encoding="utf-8")  # pylint: disable=consider-using-with
        self._began = time.monotonic()

    def add(self, event: str, person: str = "", **fields: Any) -> None:
        entry = {"t": round(time.monotonic() - self._began, 4), "e": event}
        if person:
            entry["p"] = person
        self._file.write(json.dumps(entry | fields, separators=(",", ":"), ensure_ascii=False) + "\n")

    @property
    def now(self) -> float:
        return time.monotonic() - self._began

    def close(self) -> None:
        self._file.close()
