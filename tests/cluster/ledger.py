"""What all people of a run together were told, and the checks that need all of it. Part of checker.py."""

from __future__ import annotations

import collections
from typing import Any, Callable

Event = dict[str, Any]
# Says what is wrong, and shows what it follows from.
Complain = Callable[..., None]


def winner(game: Game) -> str:
    """The mark whose last move completed a line; "" if none did."""
    rows, cols, k = game.rules
    marks = {cell: index % 2 for index, cell in enumerate(game.moves)}
    last = game.moves[-1]
    for step_row, step_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
        run = 1
        for way in (1, -1):
            row, col = divmod(last, cols)
            while True:
                row, col = row + way * step_row, col + way * step_col
                if not (0 <= row < rows and 0 <= col < cols):
                    break
                if marks.get(row * cols + col) != marks[last]:
                    break
                run += 1
        if run >= k:
            return game.starter if marks[last] == 0 else "XO"[game.starter == "X"]
    return ""


class Game:
    def __init__(self) -> None:
        self.moves: list[int] = []
        self.outcome: list | None = None
        self.starter = ""
        self.rules = (0, 0, 0)


class Room:
    """What all together were told of a room."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.updates: dict[int, Event] = {}
        self.told: dict[int, tuple[float, str]] = {}  # by revision: when and to whom first
        self.highest = 0  # revision told so far
        self.games: dict[int, Game] = collections.defaultdict(Game)
        self.progress: list[tuple[int, int, int]] = []  # revision, game, marks on the board
        self.moved: dict[tuple[int, int], int] = {}  # by game and ply: the revision of the move
        self.players: dict[int, tuple[str, str]] = {}  # by revision, of snapshots
        self.wants: list[tuple[int, int, str, str]] = []  # revision, game, seat and its player
        self.chat: dict[str, int] = {}  # revision of each text told by an update
        self.chat_seen: set[str] = set()
        self.snapshots: list[Event] = []
        self.stays: list[Stay] = []


class Stay:
    """A person was told to have a seat, from one revision to another."""

    def __init__(self, person: str, seat: str, revision: int) -> None:
        self.person, self.seat = person, seat
        self.first = self.last = revision


class Person:
    def __init__(self, label: str) -> None:
        self.label, self.name = label, ""
        self.requests: dict[int, Event] = {}
        self.acknowledged: dict[int, Event | None] = {}  # None if the answer was lost
        self.refused: set[int] = set()
        self.not_done: set[int] = set()  # the server said so, after a connection was lost
        self.done = 0
        self.done_before = 0  # the last request of the player that this one has replaced, after a goodbye
        self.is_welcome = False
        self.kept_chat = 0
        self.is_leaving = False  # has asked to leave the room
        self.is_gone = False  # has asked to be forgotten
        self.names = {"X": "", "O": ""}  # who has the seats of the room
        self.room = ""
        self.seat = ""
        self.game = 0
        self.revisions: dict[str, int] = {}  # the latest, by room
        self.stay: Stay | None = None


def check_room(room: Room, complain: Complain) -> None:
    check_progress(room, complain)
    check_seats(room, complain)
    for number, game in sorted(room.games.items()):
        check_game(f"{room.name}: game {number}", game, complain)
    for snapshot in room.snapshots:
        check_chat(room, snapshot, complain)
        for revision, game, seat, name in room.wants:
            if (snapshot["rev"] > revision and snapshot["game"] == game and snapshot[seat.lower()] == name
                    and seat not in snapshot["wants"]):
                complain(f"{room.name}: the wish of {name} for a rematch is forgotten", snapshot)


def check_progress(room: Room, complain: Complain) -> None:
    """One order of moves: with a higher revision the game is never behind."""
    facts = sorted(set(room.progress))
    for (revision, *before), (later, *after) in zip(facts, facts[1:]):
        if after < before or (revision == later and after != before):
            complain(f"{room.name}: game {before[0]} had {before[1]} moves at revision {revision}, and "
                     f"game {after[0]} has {after[1]} at revision {later}")
            return


def check_seats(room: Room, complain: Complain) -> None:
    stays = sorted(room.stays, key=lambda stay: (stay.seat, stay.first))
    for one, next_one in zip(stays, stays[1:]):
        if one.seat == next_one.seat and one.person != next_one.person and next_one.first <= one.last:
            complain(f"{room.name}: the seat {one.seat} is held by two players: {one.person} in revisions "
                     f"{one.first} to {one.last}, {next_one.person} from {next_one.first}")


def check_game(name: str, game: Game, complain: Complain) -> None:
    """The end follows from the moves."""
    whole, outcome = game.moves, game.outcome or ["", ""]
    won = ""
    for count in range(1, len(whole) + 1):
        game.moves = whole[:count]
        won = winner(game)
        if won and (count < len(whole) or outcome != [won, "line"]):
            complain(f"{name}: {won} has won with move {count}, but that is not its end", whole, outcome)
            break
    game.moves = whole
    if outcome[1] == "line" and not won:
        complain(f"{name}: a line is said to have won it", whole, outcome)
    if outcome[1] == "board_full" and len(whole) < game.rules[0] * game.rules[1]:
        complain(f"{name}: the board is said to be full", whole)


def check_chat(room: Room, snapshot: Event, complain: Complain) -> None:
    lines = snapshot["chat"]
    told = [text for text, revision in sorted(room.chat.items(), key=lambda entry: entry[1])
            if revision <= snapshot["rev"]]
    missing = [text for text in told if text not in lines]
    if missing and (missing != told[:len(missing)] or len(lines) < snapshot["kept"]):
        complain(f"{room.name}: what was said is missing", missing, snapshot)
    if [text for text in lines if text in told] != told[len(missing):]:
        complain(f"{room.name}: lines are out of order", told, snapshot)
    early = [text for text in lines if room.chat.get(text, 0) > snapshot["rev"]]
    if early:
        complain(f"{room.name}: lines were there before they were said", early, snapshot)


def check_requests(person: Person, rooms: dict[str, Room], is_whole: bool, complain: Complain) -> None:
    """Each request that was acknowledged is in the history of its room, and none that was refused."""
    for number, request in person.requests.items():
        kind = request["kind"]
        if number not in person.acknowledged:
            if number not in person.refused and is_whole:
                complain(f"{person.label}: request {number} has no answer", request)
            if number in person.refused and kind == "chat" and request["room"] in rooms:
                if request["text"] in rooms[request["room"]].chat_seen:
                    complain(f"{person.label}: what was refused was done", request)
            continue
        answer = person.acknowledged[number]
        if answer is not None:
            check_answer(person, request, answer, complain)
        if "room" not in request or request["room"] not in rooms:
            continue
        room = rooms[request["room"]]
        if kind == "chat" and request["text"] not in room.chat_seen:
            complain(f"{person.label}: an acknowledged line of chat is lost", request)
        if kind == "move":
            moves = room.games[request["game"]].moves
            if moves[request["ply"]:request["ply"] + 1] != [request["cell"]]:
                complain(f"{person.label}: an acknowledged move is lost", request, moves)
        if kind == "resign":
            outcome = room.games[request["game"]].outcome
            if outcome is None or outcome[1] != "resigned":
                complain(f"{person.label}: an acknowledged resignation is lost", request, outcome)


def check_answer(person: Person, request: Event, answer: Event, complain: Complain) -> None:
    kind, event = request["kind"], answer["e"]
    if kind == "move" and event == "snapshot" and request["id"] in person.not_done:
        complain(f"{person.label}: a move was done that the server called not done", request, answer)
    fits = {
        "move": event == "snapshot" or answer.get("change") == "move_played"
                and (answer["ply"], answer["cell"]) == (request.get("ply", 0) + 1, request.get("cell")),
        "chat": answer.get("change") == "chat_said" and answer["text"] == request.get("text"),
        "resign": answer.get("change") == "game_ended",
        "rematch": answer.get("change") in ("rematch_wanted", "game_started"),
        "leave_room": event == "left", "goodbye": event == "left",
    }.get(kind, event == "snapshot")
    if fits and kind in ("create_room", "join_room", "play"):
        fits = answer["seat"] != ""
    if not fits:
        complain(f"{person.label}: not the answer to that request", request, answer)


def check_records(records: dict[str, list[Event]], rooms: dict[str, Room],
                  complain: Complain) -> None:
    """Every server tells the same finished games: each that was told, once, and no others."""
    lists = [{entry["id"]: (entry["room"], entry["moves"], entry["outcome"]) for entry in entries}
             for entries in records.values()]
    if not lists:
        return complain("no server was asked for the finished games")
    if any(entries != lists[0] for entries in lists[1:]):
        complain("the servers tell different histories", [len(entries) for entries in lists])
    for by, entries in records.items():
        if len({entry["id"] for entry in entries}) != len(entries):
            complain(f"{by}: two records of the same number")
    found = collections.defaultdict(list)
    for number, (room, moves, outcome) in sorted(lists[0].items()):
        found[room].append((moves, outcome))
    for name in sorted(rooms.keys() | found.keys()):
        games = rooms[name].games if name in rooms else {}
        told = [(game.moves, game.outcome) for _, game in sorted(games.items()) if game.outcome]
        rest = list(found[name])
        for game in told:
            if game in rest:
                rest.remove(game)
            else:
                complain(f"{name}: a finished game has no record", game, found[name])
        if [game for game in found[name] if game in told] != told and len(rest) == len(found[name]) - len(told):
            complain(f"{name}: the records are out of order", told, found[name])
        running = [game.moves for game in games.values() if not game.outcome]
        for moves, outcome in rest:
            origin = next((known for known in running if moves[:len(known)] == known), None)
            if origin is None:
                complain(f"{name}: a record of a game that was not played, or twice", moves, outcome)
            else:
                running.remove(origin)
