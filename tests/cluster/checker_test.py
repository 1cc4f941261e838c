"""Histories by hand, each with one mistake that the checker must find."""

from __future__ import annotations

import copy
import unittest

from checker import Checker

X, O = "p1", "p2"


def snapshot(person: str, revision: int, **fields) -> dict:
    """Of the room `den`, with ann as X and ben as O, in the first game."""
    return {"e": "snapshot", "p": person, "room": "den", "rows": 3, "cols": 3, "k": 3, "rev": revision,
            "seat": {X: "X", O: "O"}.get(person, ""), "x": "ann", "o": "ben", "phase": "playing", "game": 1,
            "starter": "X", "moves": [], "wants": "", "chat": []} | fields


def ask(person: str, number: int, kind: str, **fields) -> dict:
    return {"e": "ask", "p": person, "id": number, "kind": kind} | fields


def welcome(person: str, name: str, **fields) -> dict:
    return {"e": "welcome", "p": person, "name": name, "room": "", "done": 0, "resumed": False,
            "known": False, "kept": 20, "server": 1} | fields


def update(person: str, revision: int, change: str, **fields) -> dict:
    return {"e": "update", "p": person, "room": "den", "rev": revision, "phase": "playing", "turn": "",
            "change": change} | fields


def move(person: str, revision: int, ply: int, cell: int, **fields) -> dict:
    return update(person, revision, "move_played", mark="XO"[(ply + 1) % 2], cell=cell, ply=ply, **fields)


def asked_move(person: str, number: int, ply: int, cell: int) -> dict:
    return ask(person, number, "move", room="den", game=1, ply=ply, cell=cell)


MOVES = [0, 3, 1, 4, 2]
LINE = {"outcome": ["X", "line"], "phase": "finished"}
RECORD = {"e": "record", "id": 1, "room": "den", "moves": MOVES, "x": "ann", "o": "ben",
          "outcome": ["X", "line"]}


def records(server: str) -> dict:
    return {"e": "records", "by": server, "count": 1}


def game() -> list[dict]:
    """A game that X wins, in which X loses the connection and comes back, and a line of chat. A list of
    steps, so that a test can change one."""
    return [
        welcome(X, "ann"), welcome(O, "ben"),
        ask(X, 1, "create_room", room="den"), snapshot(X, 1, id=1, o="", phase="waiting"),
        ask(O, 1, "join_room", room="den"), snapshot(O, 2, id=1),
        update(X, 2, "seat_changed", seat="O", **{"from": "", "to": "ben"}),
        asked_move(X, 2, 0, 0), move(X, 3, 1, 0, id=2), move(O, 3, 1, 0),
        asked_move(O, 2, 1, 3), move(O, 4, 2, 3, id=2), move(X, 4, 2, 3),
        ask(O, 3, "chat", room="den", text="hi"),
        update(O, 5, "chat_said", id=3, by="ben", text="hi"), update(X, 5, "chat_said", by="ben", text="hi"),
        # The answer to this one is lost, but it was done.
        asked_move(X, 3, 2, 1), {"e": "lost", "p": X}, move(O, 6, 3, 1),
        welcome(X, "ann", room="den", done=3, resumed=True, known=True),
        snapshot(X, 7, moves=MOVES[:3], chat=["hi"]), {"e": "known", "p": X, "id": 3},
        update(O, 7, "seat_changed", seat="X", **{"from": "ann", "to": "ann"}),
        asked_move(O, 4, 3, 4), move(O, 8, 4, 4, id=4), move(X, 8, 4, 4),
        # This one was not done, and is sent again.
        asked_move(X, 4, 4, 2), {"e": "lost", "p": X},
        welcome(X, "ann", room="den", done=3, resumed=True, known=True),
        {"e": "again", "p": X, "id": 4}, move(X, 9, 5, 2, id=4, **LINE), move(O, 9, 5, 2, **LINE),
        ask(O, 5, "rematch", room="den", game=1),
        update(O, 10, "rematch_wanted", id=5, seat="O", phase="finished"),
        update(X, 10, "rematch_wanted", seat="O", phase="finished"),
        ask(X, 5, "get_snapshot"),
        snapshot(X, 10, id=5, moves=MOVES, chat=["hi"], wants="O", **LINE),
        RECORD | {"by": "A"}, records("A"), RECORD | {"by": "B"}, records("B"), {"e": "end"},
    ]


class CheckerTest(unittest.TestCase):
    def problems(self, steps: list[dict]) -> list[str]:
        steps = copy.deepcopy(steps)
        return Checker().check({"t": float(time)} | step for time, step in enumerate(steps))

    def finds(self, what: str, steps: list[dict]) -> None:
        problems = self.problems(steps)
        self.assertTrue(any(what in problem for problem in problems), f"{what!r} is not in {problems}")

    def find(self, steps: list[dict], event: str, **fields) -> int:
        """The only step like that."""
        found, = [number for number, step in enumerate(steps)
                  if (step | fields | {"e": event}) == step]
        return found

    def changed(self, event: str, like: dict, **fields) -> list[dict]:
        """The game, with other fields in one step."""
        steps = game()
        steps[self.find(steps, event, **like)] |= fields
        return steps

    def without(self, event: str, **like) -> list[dict]:
        steps = game()
        del steps[self.find(steps, event, **like)]
        return steps

    def with_after(self, event: str, like: dict, *more: dict) -> list[dict]:
        steps = game()
        place = self.find(steps, event, **like) + 1
        return steps[:place] + list(more) + steps[place:]

    def test_a_good_history_has_no_problems(self) -> None:
        self.assertEqual(self.problems(game()), [])

    def test_each_mistake_is_found(self) -> None:
        for what, steps in (
            ("revision 4 is two things", self.changed("update", {"p": X, "rev": 4}, cell=5)),
            ("two orders of the moves", self.changed("update", {"p": X, "rev": 4}, cell=5)),
            ("two orders of the moves", self.changed("snapshot", {"rev": 7}, moves=[0, 5, 1])),
            ("had 3 moves at revision 6, and game 1 has 2 at revision 7",
             self.changed("snapshot", {"rev": 7}, moves=MOVES[:2])),
            ("a move was done twice", self.with_after("update", {"p": O, "rev": 9}, move(O, 10, 5, 2, **LINE))),
            ("two marks on a cell", self.changed("update", {"p": O, "rev": 6}, cell=3)),
            ("a move out of turn", self.changed("update", {"p": O, "rev": 6}, mark="O")),
            ("has two ends", self.changed("snapshot", {"rev": 10}, outcome=["O", "resigned"])),
            ("a move after the end", self.with_after("update", {"p": O, "rev": 9}, move(O, 10, 6, 5))),
            ("two orders of the moves",
             self.with_after("ask", {"p": O, "id": 4}, asked_move(X, 9, 3, 8), move(X, 8, 4, 8, id=9))),
            ("not the answer to that request", self.changed("ask", {"p": X, "id": 2}, cell=8)),
            ("said twice",
             self.with_after("update", {"p": O, "rev": 10}, update(
                 O, 11, "chat_said", by="ben", text="hi", phase="finished"))),
            ("what was said is missing", self.changed("snapshot", {"rev": 7}, chat=[])),
            ("the wish of ben for a rematch is forgotten", self.changed("snapshot", {"rev": 10}, rev=11, wants="")),
            ("must not be refused",
             self.changed("update", {"p": X, "rev": 9}, e="refused", code="ROOM_EXISTS", text="")),
            ("two answers to request 2",
             self.with_after("update", {"p": X, "rev": 4}, snapshot(X, 4, id=2, moves=MOVES[:2]))),
            ("request 5 has no answer", self.without("snapshot", rev=10)),
            ("what was told before is missing", self.changed("snapshot", {"rev": 10}, rev=9, wants="")),
            ("back from revision 5", self.changed("snapshot", {"rev": 7}, rev=4)),
            ("revision 5 after 3", self.without("update", p=X, rev=4)),
            ("the seat O is held by two players",
             self.with_after("update", {"p": O, "rev": 8}, welcome("p3", "carl"),
                             ask("p3", 1, "join_room", room="den"),
                             snapshot("p3", 8, id=1, seat="O", o="carl", moves=MOVES[:4], chat=["hi"]))),
            ("the seat X of ann is that of eve", self.changed("snapshot", {"rev": 7}, x="eve")),
            ("no server was asked", [step for step in game() if step["e"] not in ("record", "records")]),
            ("the history is not complete", game()[:-1]),
        ):
            with self.subTest(what):
                self.finds(what, steps)

    def test_a_line_that_is_none(self) -> None:
        steps = game()
        for step in steps:
            if step.get("outcome"):
                step["outcome"] = ["O", "line"]
        self.finds("that is not its end", steps)

    def test_a_move_that_the_server_calls_done_is_lost(self) -> None:
        steps = game()
        moved = self.find(steps, "update", p=O, rev=6)
        del steps[moved]
        steps = steps[:self.find(steps, "known")] + [
            {"e": "known", "p": X, "id": 3}, {"e": "end"}]
        steps[self.find(steps, "snapshot", rev=7)]["moves"] = MOVES[:2]
        self.finds("an acknowledged move is lost", steps)

    def test_a_repeated_request_was_done_before(self) -> None:
        steps = game()
        place = self.find(steps, "update", p=X, rev=9)
        steps[place] = snapshot(X, 9, id=4, moves=MOVES, chat=["hi"], **LINE)
        self.finds("a move was done that the server called not done", steps)

    def test_what_was_refused_was_done(self) -> None:
        steps = self.with_after("ask", {"p": O, "id": 3},
                                {"e": "refused", "p": O, "id": 3, "code": "CANNOT_RECORD", "text": ""})
        del steps[self.find(steps, "update", p=O, rev=5)]["id"]
        self.finds("what was refused was done", steps)

    def test_what_was_answered_counts_as_not_done(self) -> None:
        steps = game()
        for step in steps:
            if step["e"] == "welcome" and step["known"]:
                step["done"] = 1
        self.finds("request 2 was answered, but counts as not done", steps)

    def test_a_request_counts_as_done_that_was_never_asked(self) -> None:
        steps = game()
        steps[19] |= {"done": 7}
        self.finds("request 7 was done, but never asked", steps)


    def test_a_seat_is_gone_after_a_takeover(self) -> None:
        steps = game()
        steps[19] |= {"room": ""}
        self.finds("the seat in den is gone", steps)
        self.finds("the seat X in den is lost", self.changed("snapshot", {"rev": 7}, seat=""))

    def test_a_person_is_forgotten(self) -> None:
        steps = game()
        steps[19] |= {"resumed": False}
        self.finds("the server has forgotten the person", steps)

    def test_a_person_is_forgotten_by_a_goodbye_without_an_answer(self) -> None:
        again = [ask(O, 6, "goodbye"), {"e": "lost", "p": O}, welcome(O, "ben", known=True),
                 {"e": "again", "p": O, "id": 6}, {"e": "lost", "p": O}, welcome(O, "ben", known=True, resumed=True),
                 {"e": "again", "p": O, "id": 6}, {"e": "left", "p": O, "id": 6}]
        steps = game()
        self.assertEqual(self.problems(steps[:-5] + again + steps[-5:]), [])
        del again[0]
        self.finds("request 2 was answered, but counts as not done", steps[:-5] + again + steps[-5:])

    def test_two_people_have_one_name(self) -> None:
        steps = game()
        steps[1] |= {"name": "ann"}
        self.finds("the name ann is that of p1, too", steps)

    def test_a_finished_game_has_no_record(self) -> None:
        steps = [step for step in game() if step["e"] != "record"]
        self.finds("a finished game has no record", steps)
        self.finds("1 records were counted, but 0 told", steps)

    def test_a_record_tells_other_moves(self) -> None:
        steps = game()
        for step in steps:
            if step["e"] == "record":
                step["moves"] = [0, 3, 2, 4, 1]
        self.finds("a finished game has no record", steps)

    def test_a_game_is_recorded_twice(self) -> None:
        steps = game()
        steps[-1:-1] = [RECORD | {"by": "A", "id": 2}, RECORD | {"by": "B", "id": 2}]
        self.finds("a record of a game that was not played, or twice", steps)

    def test_servers_tell_different_histories(self) -> None:
        steps = self.without("record", by="B")
        steps[self.find(steps, "records", by="B")]["count"] = 0
        self.finds("the servers tell different histories", steps)
