"""Decides from the history of a run alone whether the servers have kept their promises.

It shares no code with the server nor with those who wrote the history, and knows only the rules of the game
and proto/README.md. history.py describes the format. `python3 checker.py FILE` prints what is wrong and ends
with status 1 if anything is, or 3 if nothing is but that the history ends too early.
"""

from __future__ import annotations

import collections
import json
import sys
from typing import Iterable

from ledger import Event, Person, Room, Stay, check_records, check_requests, check_room

MOST_PROBLEMS = 40
INCOMPLETE = "the history is not complete"
INCOMPLETE_STATUS = 3
# The server counts these in `done`, if they are not refused.
CHANGING = {"create_room", "join_room", "play", "move", "rematch", "resign", "chat"}
# Refusals that can happen to somebody who follows the protocol, by request.
MAY_BE_REFUSED = {
    "create_room": {"CANNOT_RECORD"},
    "join_room": {"CANNOT_RECORD", "ROOM_NOT_FOUND", "ROOM_FULL", "SEAT_TAKEN"},
    "watch_room": {"CANNOT_RECORD", "ROOM_NOT_FOUND"},
    "leave_room": {"CANNOT_RECORD", "NOT_IN_ROOM"},
    "move": {"CANNOT_RECORD", "STALE_MOVE", "GAME_OVER", "WAITING_FOR_OPPONENT"},
    "resign": {"CANNOT_RECORD", "STALE_REQUEST", "GAME_OVER", "WAITING_FOR_OPPONENT"},
    "rematch": {"CANNOT_RECORD", "GAME_NOT_OVER", "WAITING_FOR_OPPONENT"},
    "chat": {"CANNOT_RECORD", "RATE_LIMITED", "NOT_IN_ROOM"},
}


class Checker:
    def __init__(self) -> None:
        self.problems: list[str] = []
        self.persons: dict[str, Person] = {}
        self.rooms: dict[str, Room] = {}
        self.names: dict[str, Person] = {}
        self.records: dict[str, list[Event]] = collections.defaultdict(list)
        self.answers = 0
        self.ended = False

    def check(self, events: Iterable[Event]) -> list[str]:
        for event in events:
            if self.ended:
                self._wrong(event, "something follows the end of the history")
            handle = getattr(self, f"_on_{event['e']}", None)
            if handle is None:
                self._wrong(event, "an unknown event")
            elif "p" in event:
                handle(event, self.persons.setdefault(event["p"], Person(event["p"])))
            else:
                handle(event)
        for room in self.rooms.values():
            check_room(room, self._complain)
        for person in self.persons.values():
            check_requests(person, self.rooms, self.ended, self._complain)
        if self.ended:
            check_records(self.records, self.rooms, self._complain)
        else:
            self._wrong({}, INCOMPLETE)
        return self.problems

    def _wrong(self, event: Event, what: str, *context: object) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            at = f"{event['t']:.3f} s: " if "t" in event else ""
            who = f"{event['p']}: " if "p" in event else ""
            self.problems.append(f"{at}{who}{what}" + "".join(f"\n    {part}" for part in context))

    def _complain(self, what: str, *context: object) -> None:
        self._wrong({}, what, *context)

    # Events.

    def _on_fault(self, event: Event) -> None:
        pass

    _on_healed = _on_fault

    def _on_end(self, _: Event) -> None:
        self.ended = True

    def _on_lost(self, event: Event, person: Person) -> None:
        pass

    _on_redirect = _on_lost

    def _on_ask(self, event: Event, person: Person) -> None:
        person.requests[event["id"]] = event
        person.is_gone |= event["kind"] == "goodbye"
        if event["kind"] in ("goodbye", "leave_room"):
            person.is_leaving, person.stay = True, None

    def _on_again(self, event: Event, person: Person) -> None:
        if event["id"] <= person.done:
            self._wrong(event, "a request is repeated though it was done")
        person.not_done.add(event["id"])

    def _on_known(self, event: Event, person: Person) -> None:
        if event["id"] > person.done:
            self._wrong(event, "a request counts as done, but the server has not said so")
        # It was the only request without an answer. If a later one had been done, it could be refused.
        if event["id"] == person.done:
            self._acknowledge(person, event["id"], None)

    def _on_welcome(self, event: Event, person: Person) -> None:
        if event["known"] and not event["resumed"] and not person.is_gone:
            self._wrong(event, "the server has forgotten the person", event)
        if event["done"] > max(person.requests, default=0):
            self._wrong(event, f"request {event['done']} was done, but never asked")
        # If only the answer to a goodbye was lost, this is a new player.
        if event["known"] and not event["resumed"] and person.is_gone:
            person.done_before = max(person.acknowledged, default=0)
        for number in person.acknowledged:
            if number > max(event["done"], person.done_before) and person.requests[number]["kind"] in CHANGING:
                self._wrong(event, f"request {number} was answered, but counts as not done",
                            person.requests[number])
        person.done = event["done"]
        other = self.names.setdefault(event["name"], person)
        if other is not person and not other.is_gone:
            self._wrong(event, f"the name {event['name']} is that of {other.label}, too")
        self.names[event["name"]] = person
        person.name, person.kept_chat = event["name"], event["kept"]
        if person.stay is not None and event["room"] != person.room:
            self._wrong(event, f"the seat in {person.room} is gone", event)
        if not event["room"]:
            person.room, person.seat, person.stay = "", "", None

    def _on_left(self, event: Event, person: Person) -> None:
        if "id" not in event:
            self._wrong(event, "a room was closed, but nobody has asked for that")
        else:
            self._acknowledge(person, event["id"], event)
        person.room, person.seat, person.stay, person.is_leaving = "", "", None, False

    def _on_refused(self, event: Event, person: Person) -> None:
        request = person.requests.get(event["id"])
        if request is None:
            return self._wrong(event, "an answer to nothing", event)
        person.refused.add(event["id"])
        person.is_leaving &= request["kind"] not in ("leave_room", "goodbye")
        if event["code"] not in MAY_BE_REFUSED.get(request["kind"], {"CANNOT_RECORD"}):
            self._wrong(event, "must not be refused", request, event)

    def _on_snapshot(self, event: Event, person: Person) -> None:
        room = self._room(event["room"])
        revision = event["rev"]
        if revision < person.revisions.get(room.name, 0):
            self._wrong(event, f"{room.name}: back from revision {person.revisions[room.name]}", event)
        for seat, name in (("X", event["x"]), ("O", event["o"])):
            if event["seat"] == seat and name != person.name:
                self._wrong(event, f"{room.name}: the seat {seat} of {person.name} is that of {name}")
        if person.stay is not None and (person.room != room.name or event["seat"] != person.seat):
            self._wrong(event, f"the seat {person.seat} in {person.room} is lost", event)
        if person.room != room.name:
            person.is_leaving = False
        person.room, person.seat, person.game = room.name, event["seat"], event["game"]
        person.names = {"X": event["x"], "O": event["o"]}
        game = room.games[event["game"]]
        if game.starter and game.starter != event["starter"]:
            self._wrong(event, f"{room.name}: two sides began game {event['game']}")
        game.starter = event["starter"]
        game.rules = (event["rows"], event["cols"], event["k"])
        for text in event["chat"]:
            if event["chat"].count(text) > 1:
                self._wrong(event, f"{room.name}: said twice: {text}")
        room.chat_seen.update(event["chat"])
        room.snapshots.append(event | {"kept": person.kept_chat})
        if room.players.setdefault(revision, (event["x"], event["o"])) != (event["x"], event["o"]):
            self._wrong(event, f"{room.name}: different players sit there at revision {revision}",
                        room.players[revision], event)
        self._tell_moves(event, room, event["game"], event["moves"])
        if "outcome" in event:
            self._tell_outcome(event, room, event["game"], event["outcome"])
        room.progress.append((revision, event["game"], len(event["moves"])))
        if "id" in event:
            self._acknowledge(person, event["id"], event)
            asked = person.requests.get(event["id"])
            if asked is not None and asked["kind"] == "get_snapshot":
                later = [told for number, told in room.told.items()
                         if number > revision and told[0] < asked["t"]]
                if later:
                    self._wrong(event, f"{room.name}: what was told before is missing in an answer",
                                later[0], event)
        self._tell(event, room, person)

    def _on_update(self, event: Event, person: Person) -> None:
        room = self._room(event["room"])
        revision = event["rev"]
        if revision != person.revisions.get(room.name, 0) + 1:
            self._wrong(event, f"{room.name}: revision {revision} after "
                        f"{person.revisions.get(room.name, 0)}")
        content = {key: value for key, value in event.items() if key not in ("t", "p", "id")}
        known = room.updates.setdefault(revision, content)
        if known != content:
            self._wrong(event, f"{room.name}: revision {revision} is two things", known, content)
        change = event["change"]
        if change == "move_played":
            moves = room.games[person.game].moves[:event["ply"] - 1] + [event["cell"]]
            if len(moves) != event["ply"]:
                self._wrong(event, f"{room.name}: move {event['ply']} after {len(moves) - 1} moves")
            self._tell_moves(event, room, person.game, moves)
            room.progress.append((revision, person.game, event["ply"]))
            if room.moved.setdefault((person.game, event["ply"]), revision) != revision:
                self._wrong(event, f"{room.name}: a move was done twice", event)
            side = room.games[person.game].starter
            if event["mark"] != (side if event["ply"] % 2 else "XO"[side == "X"]):
                self._wrong(event, f"{room.name}: a move out of turn", event)
        elif change == "game_started":
            person.game = event["game"]
            room.games[person.game].starter = event["starter"]
            room.games[person.game].rules = room.games[person.game - 1].rules
            room.progress.append((revision, person.game, 0))
        elif change == "chat_said":
            if room.chat.setdefault(event["text"], revision) != revision:
                self._wrong(event, f"{room.name}: said twice: {event['text']}")
            room.chat_seen.add(event["text"])
        elif change == "rematch_wanted":
            room.wants.append((revision, person.game, event["seat"], person.names[event["seat"]]))
        elif change == "seat_changed":
            if event["from"] != person.names[event["seat"]]:
                self._wrong(event, f"{room.name}: somebody else sat there before", person.names, event)
            person.names[event["seat"]] = event["to"]
            if event["to"] == person.name:
                person.seat = event["seat"]
            elif event["seat"] == person.seat:
                self._wrong(event, f"{room.name}: the seat {person.seat} was given to {event['to']}")
                person.seat = ""
        if "outcome" in event:
            self._tell_outcome(event, room, person.game, event["outcome"])
        if "id" in event:
            self._acknowledge(person, event["id"], event)
        self._tell(event, room, person)

    def _on_record(self, event: Event) -> None:
        self.records[event["by"]].append(event)

    def _on_records(self, event: Event) -> None:
        told = len(self.records[event["by"]])
        if told != event["count"]:
            self._wrong(event, f"{event['by']}: {event['count']} records were counted, but {told} told")

    # What was told.

    def _room(self, name: str) -> Room:
        return self.rooms.setdefault(name, Room(name))

    def _tell(self, event: Event, room: Room, person: Person) -> None:
        person.revisions[room.name] = event["rev"]
        room.told.setdefault(event["rev"], (event["t"], person.label))
        if person.seat and not person.is_leaving:
            if person.stay is None:
                person.stay = Stay(person.label, person.seat, event["rev"])
                room.stays.append(person.stay)
            person.stay.last = event["rev"]

    def _tell_moves(self, event: Event, room: Room, number: int, moves: list[int]) -> None:
        game = room.games[number]
        shared = min(len(moves), len(game.moves))
        if game.moves[:shared] != moves[:shared]:
            self._wrong(event, f"{room.name}: two orders of the moves of game {number}", game.moves, moves)
            return
        if len(moves) > len(game.moves):
            if game.outcome is not None:
                self._wrong(event, f"{room.name}: a move after the end of game {number}", game.moves, moves)
            game.moves = list(moves)
            if len(set(moves)) != len(moves):
                self._wrong(event, f"{room.name}: two marks on a cell in game {number}", moves)

    def _tell_outcome(self, event: Event, room: Room, number: int, outcome: list) -> None:
        game = room.games[number]
        if game.outcome is not None and game.outcome != outcome:
            self._wrong(event, f"{room.name}: game {number} has two ends", game.outcome, outcome)
        game.outcome = outcome

    def _acknowledge(self, person: Person, number: int, answer: Event | None) -> None:
        if number not in person.requests:
            if answer is not None and answer["e"] != "snapshot":
                self._wrong(answer, "an answer to nothing", answer)
            return
        if person.acknowledged.get(number) is not None or number in person.refused:
            self._wrong(answer or {}, f"{person.label}: two answers to request {number}")
        person.acknowledged[number] = answer
        self.answers += 1


def check_file(path: str) -> Checker:
    checker = Checker()
    with open(path, encoding="utf-8") as file:
        checker.check(json.loads(line) for line in file)
    return checker


def main() -> int:
    checker = check_file(sys.argv[1])
    for problem in checker.problems:
        print(problem)
    rooms = checker.rooms.values()
    print(f"{checker.answers} answers of {len(checker.persons)} people in {len(rooms)} rooms, with "
          f"{sum(len(room.told) for room in rooms)} revisions: {len(checker.problems)} problems")
    if checker.problems == [INCOMPLETE]:
        return INCOMPLETE_STATUS
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
