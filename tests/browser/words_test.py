"""What the page writes and reads: times, names of cells, and sentences about a room."""

import json
import unittest

from browser import Sources

# Calls functions of a module: for each a list of arguments.
CALLS = """
  const [place, calls] = JSON.parse(%r);
  const module = await import(folder + place);
  done(calls.map(([name, ...values]) => module[name](...values)));
"""

# What is said of a room as it changes. `%s` is who looks at it: a mark, or '' for a watcher.
ROOM = """
  const { readSnapshot, applyUpdate, kindOfChange } = await import(folder + 'model/room.js');
  const { narrate } = await import(folder + 'text/narration.js');
  const { offersText, statusText } = await import(folder + 'text/standing.js');
  const { scoreText } = await import(folder + 'text/words.js');
  const mine = '%s';
  const person = (name, more = {}) => ({ kind: 'KIND_PERSON', name, ...more });
  const room = readSnapshot({ name: 'den', rules: { rows: 3, cols: 3, k: 3 }, starter: 'MARK_X', turn: 'MARK_X',
    yourSeat: mine && `MARK_${mine}`, phase: 'PHASE_PLAYING', game: 1, x: person('ann'), o: person('bob'), revision: '0' },
    0, null);
  const me = { X: 'ann', O: 'bob' }[mine] ?? 'eve';
  const seen = [];
  const change = (update, phase = 'PLAYING', turn = 'X') => {
    const [seatBefore, phaseBefore] = [room.mySeat, room.phase];
    const full = { revision: String(room.revision + 1n), phase: `PHASE_${phase}`, turn: `MARK_${turn}`, ...update };
    if (applyUpdate(room, full, me, 0) !== 'applied') throw new Error(JSON.stringify(update));
    const said = narrate(room, { change: kindOfChange(full), update: full, seatBefore, phaseBefore });
    seen.push([...said, statusText(room), offersText(room), scoreText(room)].filter(Boolean).join(' | '));
  };
  const move = (ply, row, col, mark, more = {}) => ({ movePlayed: { ply, cell: { row, col }, mark: `MARK_${mark}`, ...more } });
  change(move(1, 1, 1, 'X'), 'PLAYING', 'O');
  change({ drawOffered: { by: 'MARK_X' } }, 'PLAYING', 'O');
  change({ declined: { by: 'MARK_O' } }, 'PLAYING', 'O');
  change({ seatChanged: { seat: 'MARK_O', occupant: person('bob', { away: true, awayMsLeft: 30000 }), previous: person('bob') } },
    'PLAYING', 'O');
  change({ seatChanged: { seat: 'MARK_O', occupant: person('bob'), previous: person('bob', { away: true }) } }, 'PLAYING', 'O');
  change(move(2, 0, 0, 'O', { cannotLose: true }));
  change({ takebackAsked: { by: 'MARK_O' } });
  change({ takenBack: { ply: 1, takebacks: 1, by: 'MARK_O' } }, 'PLAYING', 'O');
  change({ hintUsed: { name: 'ann', by: 'MARK_X' } }, 'PLAYING', 'O');
  change({ gameEnded: { outcome: { winner: 'MARK_X', reason: 'REASON_TIME' } }, score: { x: 1 } }, 'FINISHED', 'NONE');
  change({ rematchWanted: { seat: 'MARK_O' } }, 'FINISHED', 'NONE');
  change({ gameStarted: { game: 2, starter: 'MARK_O' } }, 'PLAYING', 'O');
  change({ gameEnded: { outcome: { reason: 'REASON_AGREED' } }, score: { x: 1, draws: 1 } }, 'FINISHED', 'NONE');
  const ai = { kind: 'KIND_AI', name: 'AI', aiLevel: '3' };
  change({ seatChanged: { seat: 'MARK_O', occupant: ai, previous: person('bob') } }, 'FINISHED', 'NONE');
  change({ seatChanged: { seat: 'MARK_O', occupant: {}, previous: ai } }, 'WAITING', 'NONE');
  change({ watchersChanged: { name: 'fay', joined: true, watchers: 2 } }, 'WAITING', 'NONE');
  for (const watchers of [1, 3]) {
    change({ watchersChanged: { name: 'gus', joined: true, watchers, waitsForSeat: true } }, 'WAITING', 'NONE');
  }
  done(seen.map((text) => text.replace(/[\\u2068\\u2069]/g, '')));
"""


class WordsTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.page = cls.enterClassContext(Sources.page())
        cls.page.open()
        cls.page.element("input[name=name]")

    def expect(self, module, *cases):
        """Calls functions: (name, argument..., result)."""
        calls = json.dumps([module, [case[:-1] for case in cases]])
        self.assertEqual(self.page.module_script(CALLS % calls), [case[-1] for case in cases])

    def test_times(self):
        minute, hour, day = 60_000, 3_600_000, 86_400_000
        self.expect("text/time.js",
                    *(("durationText", ms, text) for ms, text in (
                        (0, "0 s"), (1000, "1 s"), (1549, "1.5 s"), (10_500, "10 s"), (minute, "1 min"),
                        (minute + 5000, "1 min 5 s"), (2 * hour + minute, "2 h 1 min"), (hour + 59_999, "1 h"),
                        (day, "1 day"), (2 * day + hour, "2 days 1 h"))),
                    *(("clockText", ms, text) for ms, text in (
                        (0, "0:00.0"), (9499, "0:09.4"), (10_000, "0:10"), (10_001, "0:11"), (303_000, "5:03"),
                        (59 * minute + 59_000, "59:59"), (hour, "1:00:00"), (hour + 61_000, "1:01:01"))),
                    ("timeControlText", {"moveMs": 30_000}, "30 s a move"),
                    ("timeControlText", {"moveMs": 0, "gameMs": 0, "incrementMs": 0}, ""),
                    ("timeControlText", {"moveMs": 0, "gameMs": 300_000, "incrementMs": 0}, "5 min"),
                    ("timeControlText", {"moveMs": 0, "gameMs": 300_000, "incrementMs": 3000}, "5 min + 3 s a move"))

    def test_times_are_read(self):
        self.expect("model/durations.js",
                    ("parseDuration", "30s", 30_000), ("parseDuration", " 1h 30M ", 5_400_000),
                    ("parseDuration", "1d", 86_400_000), ("parseDuration", "4294967295s", None),
                    ("parseDuration", "", None), ("parseDuration", "30", None), ("parseDuration", "5s5m", None),
                    ("parseClock", "5m", {"gameMs": 300_000, "incrementMs": 0}),
                    ("parseClock", "5m + 3s", {"gameMs": 300_000, "incrementMs": 3000}),
                    ("parseClock", "30s/move", {"moveMs": 30_000}), ("parseClock", "x/move", None),
                    # Digits and letters of a Japanese keyboard.
                    ("parseDuration", "３０ｓ", 30_000), ("parseClock", "３０ｓ／ｍｏｖｅ", {"moveMs": 30_000}),
                    ("parseClock", "５ｍ＋３ｓ", {"gameMs": 300_000, "incrementMs": 3000}),
                    ("parseClock", "5m+", None), ("parseClock", "5m+1s+1s", None))

    def test_names_of_cells(self):
        names = ((0, 0, "a1"), (1, 25, "z2"), (9, 26, "aa10"), (0, 701, "zz1"), (0, 702, "aaa1"))
        self.expect("model/notation.js",
                    *(("cellName", {"row": row, "col": col}, name) for row, col, name in names),
                    *(("parseCellName", f" {name.upper()}", {"row": row, "col": col}) for row, col, name in names),
                    ("parseCellName", "a0", None), ("parseCellName", "7", None), ("parseCellName", "a1b", None))

    def test_levels_and_results(self):
        self.expect("text/words.js",
                    ("levelText", "3", "3, casual"), ("levelText", "strong", "strong"), ("levelText", "rapfi", "rapfi"),
                    ("resultText", {"winner": "X", "reason": "REASON_TIME"}, "X wins, on time"),
                    ("resultText", {"winner": "", "reason": ""}, "draw"),
                    ("nameOf", {"kind": "ai", "name": ""}, "the computer"),
                    ("nameOf", {"kind": "ai", "name": "AI (3)"}, "AI (3)"),
                    ("nameOf", {"kind": "open", "name": ""}, "nobody"))

    def test_arrivals(self):
        self.expect("text/standing.js",
                    ("arrivalText", {"name": "den", "mySeat": "X"}, "You play X in the room \"\u2068den\u2069\"."),
                    ("arrivalText", {"name": "den", "mySeat": ""}, "You are watching the room \"\u2068den\u2069\"."))

    def test_lines(self):
        def said(kind, first, last):
            outcome = {"winner": "X", "reason": "", "lines": [
                {"kind": f"KIND_{kind}", **{end: dict(zip(("row", "col"), at)) for end, at in (("first", first), ("last", last))}}]}
            seats = {mark: {"kind": "open"} for mark in "XO"}
            return "outcomeText", {"rows": 3, "cols": 4}, outcome, seats

        self.expect("text/standing.js",
                    (*said("ROW", (1, 0), (1, 3)), "X wins: row 2."),
                    (*said("ROW", (1, 0), (1, 2)), "X wins: row 2, a2-c2."),
                    (*said("COLUMN", (0, 2), (2, 2)), "X wins: column c."),
                    (*said("COLUMN", (0, 2), (1, 2)), "X wins: column c, c1-c2."),
                    (*said("DIAGONAL", (0, 0), (2, 2)), "X wins: diagonal a1-c3."))

    def test_who_waits_for_a_seat_may_not_be_the_first(self):
        self.expect("text/standing.js",
                    ("waitingForSeatText", {"watchers": 1}, "You get the AI's seat when this game is over."),
                    ("waitingForSeatText", {"watchers": 2}, "You are in line for the AI's seat: whoever came first gets "
                     "it when this game is over."))

    def test_what_a_room_says(self):
        """To the player of X, and to a watcher where that differs."""
        bobs, player, watcher = "bob's turn (O).", "Your turn: place your X.", "ann's turn (X)."
        wins, score = "ann (X) wins: bob ran out of time.", "ann 1 – 0 bob"
        asks, ready = "bob (O) asks to take the last move back.", "bob (O) is ready for the next game."
        agreed, opened = "Draw by agreement.", "ann 1 – 0 nobody, 1 draw"
        waits = ("Waiting for an opponent (O).", "Waiting for a player (O).")
        said = [
            [("You play b2.", "ann plays b2."), bobs],
            [("You offered a draw.", "ann (X) offers a draw."), bobs, ("You offered a draw.", "ann (X) offers a draw.")],
            ["bob (O) declines.", bobs],
            ["bob is away. They lose the game if they are not back in 30 s.", bobs],
            ["bob is back.", bobs],
            ["bob plays a1 and can no longer lose.", (player, watcher)],
            [asks, (player, watcher), asks],
            ["bob (O) took the last move back. Marks on the board: 1.", bobs],
            [("Everyone here can see that you used a hint.", "ann used a hint."), bobs],
            [wins, (f"{wins} You win!", wins), score],
            [ready, (f"{wins} You win!", wins), ready, score],
            ["Game 2 begins: bob (O) starts.", bobs, score],
            [agreed, agreed, f"{score}, 1 draw"],
            ["AI plays O now.", agreed, "ann 1 – 0 AI, 1 draw"],
            ["AI no longer plays O: the seat is open.", waits, opened],
            ["fay is now watching (2 watching).", waits, opened],
            ["gus is now watching and gets the AI's seat after this game.", waits, opened],
            ["gus is now watching, in line for the AI's seat after this game.", waits, opened],
        ]
        for who, mine in enumerate(("X", "")):
            expected = [" | ".join(part if isinstance(part, str) else part[who] for part in parts) for parts in said]
            self.assertEqual(self.page.module_script(ROOM % mine), expected)
