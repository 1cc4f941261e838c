"""The tables and the queries of docs/operating.md, on the journal of a server where games were played."""

from __future__ import annotations

import collections
import os
import pathlib
import re
import sqlite3
import tempfile
import unittest

from generated import protocol
from network import LOOPBACK
from programs import TIMEOUT, Server
from raw_client import RawClient

GUIDE = pathlib.Path(__file__, "../../../docs/operating.md").resolve()
LEVELS = ["1", "3", "suggester"]
# Whole games on 3x3.
PEOPLE = ["b2 a1 c3 a3 a2 c2 b1 b3 c1", "b2 a1 c2 a3 a2", "a1 b2 a2 c1 b1 a3", "b2 b1 a1 c3 a3 c1 a2"]


def section(title: str) -> str:
    text = GUIDE.read_text(encoding="utf-8")
    return re.search(rf"\n### {title}\n(.*?)(?=\n##)", text, re.S)[1]


def blocks(text: str) -> list[str]:
    """Blocks of code, without their indentation."""
    found = re.findall(r"(?:(?:^    .*|^)\n)+", text, re.M)
    return [re.sub("^    ", "", block, flags=re.M).strip() for block in found if "    " in block]


class Queries(unittest.TestCase):
    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="tictactoe-queries-"))
        self.folder = pathlib.Path(folder) / "data"
        self.server = self.enterContext(
            Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--data-dir", str(self.folder)))
        self.played: collections.Counter[str] = collections.Counter()
        self.won: collections.Counter[str] = collections.Counter()
        self.levels: list[tuple[str, int, int, int]] = []  # games, wins and draws of each
        self.openings: collections.Counter[str] = collections.Counter()
        self.starter_won: collections.Counter[str] = collections.Counter()  # by opening
        self.moves: list[int] = []

    def enter(self, name: str) -> RawClient:
        client = RawClient(protocol, LOOPBACK.ipv4, self.server.port, TIMEOUT)
        self.addCleanup(client.close)
        client.hello(name)
        return client

    def play_people(self) -> None:
        ann, ben = self.enter("ann"), self.enter("ben")
        ann.ask("create_room", name="den")
        ben.ask("join_room", name="den")
        for game, cells in enumerate(PEOPLE, 1):
            for cell in cells.split():
                for client in (ann, ben):
                    client.follow_until(lambda room: room.state.turn != protocol.types.MARK_NONE)
                mover, other = (ann, ben) if ann.room.my_turn else (ben, ann)
                mover.move(int(cell[1]) - 1, ord(cell[0]) - ord("a"))
                plies = len(mover.room.state.moves)
                other.follow_until(lambda room: len(room.state.moves) == plies)
            self.note(ann, "ann")
            self.note(ben, "ben")
            self.note_game(ann)
            if game < len(PEOPLE):
                ann.ask("rematch")
                ben.ask("rematch")
                for client in (ann, ben):
                    client.follow_until(lambda room: room.state.game == game + 1)
        # Nobody else may see this one.
        ann.ask("leave_room")
        ann.ask("create_room", name="secret", password="x")
        ann.ask("add_ai", seat="MARK_O", level="1")
        self.finish(ann)

    def note(self, client: RawClient, name: str) -> None:
        state = client.room.state
        self.assertTrue(state.HasField("outcome"))
        self.played[name] += 1
        self.won[name] += state.outcome.winner == state.your_seat

    def note_game(self, client: RawClient) -> None:
        state = client.room.state
        first = f"{'abc'[state.moves[0] % 3]}{state.moves[0] // 3 + 1}"
        self.openings[first] += 1
        self.starter_won[first] += state.outcome.winner == state.starter
        self.moves.append(len(state.moves))

    def finish(self, client: RawClient) -> None:
        """Plays the first free cell until the game is over."""
        over = lambda room: room.state.HasField("outcome")
        while True:
            client.follow_until(lambda room: room.my_turn or over(room))
            if over(client.room):
                return
            state = client.room.state
            cell = next(each for each in range(9) if each not in client.room.cells)
            client.move(cell // state.rules.cols, cell % state.rules.cols)

    def play_ais(self) -> None:
        cat = self.enter("cat")
        for level in LEVELS:
            cat.ask("create_room", name=f"against {level}")
            cat.ask("add_ai", seat="MARK_O", level=level)
            self.finish(cat)
            self.note(cat, "cat")
            self.note_game(cat)
            winner = cat.room.state.outcome.winner
            none = protocol.types.MARK_NONE
            self.levels.append((level, 1, int(winner not in (none, cat.room.state.your_seat)), int(winner == none)))
            cat.ask("leave_room")

    def open(self) -> sqlite3.Connection:
        file = self.folder / "journal.db"
        database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        self.addCleanup(database.close)
        return database

    def test_documented_queries_answer_what_was_played(self) -> None:
        self.play_people()
        self.play_ais()
        database = self.open()
        results = []
        for block in blocks(section("Queries")):
            sql, _, output = block.partition("\n\n")
            with self.subTest(sql=sql):
                answer = database.execute(sql)
                names = [column[0] for column in answer.description]
                self.assertEqual(output.split("\n")[0].split(), names, "the columns that the guide shows")
                results.append([dict(zip(names, row)) for row in answer])
                if os.environ.get("PRINT"):
                    print("\n" + sql + "\n\n" + "  ".join(names))
                    for row in results[-1]:
                        print("  ".join(str(value) for value in row.values()))
        people, levels, longest, openings, hours = results
        self.assertEqual({row["name"]: (row["games"], row["won"]) for row in people},
                         {name: (games, self.won[name]) for name, games in self.played.items()})
        self.assertEqual([tuple(row.values()) for row in levels], sorted(self.levels))
        self.assertEqual(longest[0]["plies"], max(self.moves))
        self.assertEqual({row["opening"]: (row["games"], row["starter_won"]) for row in openings},
                         {cell: (games, 100 * self.starter_won[cell] // games) for cell, games in self.openings.items()})
        self.assertEqual(sum(row["moves"] for row in hours), sum(self.moves))

    def test_documented_tables_are_those_of_the_journal(self) -> None:
        database = self.open()
        tables = {name: sql for name, sql in database.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")}
        shown = blocks(section("The tables"))[0]
        plain = lambda sql: " ".join(sql.replace("(", "( ").split())
        self.assertEqual({plain(sql.rstrip(";")) for sql in re.split(r";\n|;$", shown) if sql},
                         {plain(sql) for sql in tables.values()})

    def test_rooms_show_no_chat_and_games_of_others_no_secrets(self) -> None:
        self.play_people()
        database = self.open()
        count = lambda table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        self.assertEqual(count("games"), len(PEOPLE) + 1, "with the private one")
        self.assertEqual(count("results"), len(PEOPLE))
        names = [column[0] for column in database.execute("SELECT * FROM results").description]
        self.assertFalse([name for name in names if "reader" in name or "token" in name or "password" in name])


if __name__ == "__main__":
    unittest.main()
