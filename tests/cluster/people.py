"""What the people of a run do: pairs play in rooms of their own, watchers go from room to room, and
visitors play with whom they find, under a new name each time."""

from __future__ import annotations

import asyncio
import random
from typing import Callable

import places  # noqa: F401  (before what it makes known)
from generated import protocol
from history import History
from person import Answer, Person, Refused

types = protocol.types
Cell = types.Cell
GAMES_PER_ROOM = 3
# Without an opponent for so long, a player leaves. Longer than a server is away.
PATIENCE_S = 12.0
# As the server answers if the game goes on otherwise meanwhile. Nothing else may be refused.
OVERTAKEN = ("STALE_MOVE", "GAME_OVER", "WAITING_FOR_OPPONENT", "CANNOT_RECORD")
RULES = [types.Rules(rows=3, cols=3, k=3)] * 3 + [types.Rules(rows=4, cols=5, k=4)]
# Clocks that nobody runs out of, so that they have to survive everything that happens to a server.
OPTIONS = [types.RoomOptions(away=types.AWAY_HOLD, time=time) for time in (
    types.TimeControl(), types.TimeControl(move_ms=600_000),
    types.TimeControl(game_ms=600_000, increment_ms=1_000))]


class Crowd:
    """All of them, and what they share."""

    def __init__(self, players: int, seed: int, addresses: dict[int, str], history: History,
                 haste: float = 1.0) -> None:
        """`haste` is a factor of the pauses before moves and between attempts to connect."""
        self.random = random.Random(seed)
        self._haste = haste
        self.addresses, self.history = addresses, history
        self.finishing = False
        self.answers: list[Answer] = []
        self.moves = 0
        self.persons: dict[str, Person] = {}  # those who take part now
        self.rooms: list[str] = []  # of pairs, as they are now
        self._labels = 0
        self._gone = {"redirects": 0, "returns": 0}
        watchers, visitors = max(1, players // 10), max(2, players // 10)
        pairs = max(1, (players - watchers - visitors) // 2)
        self._scripts = [script for number in range(pairs) for script in Pair(self, number).scripts()]
        self._scripts += [self._watch() for _ in range(watchers)]
        self._scripts += [self._visit() for _ in range(players - 2 * pairs - watchers)]
        self.tasks: list[asyncio.Task] = []

    def start(self) -> None:
        self.tasks = [asyncio.create_task(script) for script in self._scripts]

    def person(self, name: str) -> Person:
        """A new one. Some want the same name."""
        self._labels += 1
        label = f"p{self._labels}"
        person = Person(label, name.replace("*", str(self._labels)), self.addresses, self.history,
                        self.random.random(), self._haste, self._answered)
        self.persons[label] = person
        return person

    def count_seats(self, server) -> int:
        """Of people who are connected to it."""
        return sum(person.port == server.public_port and person.room is not None and person.room.seat != ""
                   for person in self.persons.values())

    def forget(self, person: Person) -> None:
        person.close()
        del self.persons[person.label]
        self._gone["redirects"] += person.redirects
        self._gone["returns"] += person.returns

    def total(self, of: str) -> int:
        return self._gone[of] + sum(getattr(person, of) for person in self.persons.values())

    def _answered(self, answer: Answer) -> None:
        self.answers.append(answer)
        self.moves += answer.kind == "move"

    async def _watch(self) -> None:
        person = self.person("watcher")
        while not self.finishing:
            name = person.random.choice(self.rooms) if self.rooms else ""
            try:
                await person.insist("watch_room", {"room": name}, name=name)
            except Refused as refused:
                if refused.code != "ROOM_NOT_FOUND":  # it is not open yet, or no more
                    raise
                await asyncio.sleep(0.3)
                continue
            for _ in range(person.random.randint(1, 12)):
                await person.wait(0.5)
                if person.random.random() < 0.02:
                    await say(person)
            if person.room is not None:  # watchers leave with the connection
                await leave(person, person.room.name)
        person.close()

    async def _visit(self) -> None:
        while not self.finishing:
            person = self.person("visitor *")
            await person.insist("play")
            await play(self, person, lambda: False, games=1)
            if self.finishing:
                return await rest(person)
            await person.insist("goodbye")
            self.forget(person)


class Pair:
    """Two people who play some games in a room, and then in the next one."""

    def __init__(self, crowd: Crowd, number: int) -> None:
        self._crowd, self._number = crowd, number
        self._room = 0  # the number of their present room
        crowd.rooms.append(self._name())
        self._place = len(crowd.rooms) - 1

    def scripts(self) -> list:
        return [self._host(), self._join()]

    def _name(self) -> str:
        return f"room {self._number}-{self._room}"

    async def _host(self) -> None:
        crowd = self._crowd
        person = crowd.person("twin")
        while True:
            name = self._name()
            await person.insist("create_room", {"room": name}, name=name, seat=types.MARK_X,
                                rules=person.random.choice(RULES), options=person.random.choice(OPTIONS))
            await play(crowd, person, lambda: False, GAMES_PER_ROOM)
            if crowd.finishing:
                return await rest(person)
            self._room += 1
            crowd.rooms[self._place] = self._name()
            await leave(person, name)

    async def _join(self) -> None:
        crowd = self._crowd
        person = crowd.person("guest *")
        while not crowd.finishing:
            number, name = self._room, self._name()
            try:
                await person.insist("join_room", {"room": name}, name=name)
            except Refused as refused:
                # A visitor may have come first.
                if refused.code not in ("ROOM_NOT_FOUND", "ROOM_FULL", "SEAT_TAKEN"):
                    raise
                await asyncio.sleep(0.2)
                continue
            await play(crowd, person, lambda number=number: number != self._room, GAMES_PER_ROOM)
            if not crowd.finishing:
                await leave(person, name)
        await rest(person)


async def leave(person: Person, name: str) -> None:
    """Somebody who has lost the room goes on: whether that was right is for the checker to say."""
    try:
        await person.insist("leave_room", {"room": name})
    except Refused as refused:
        if refused.code != "NOT_IN_ROOM":
            raise


async def play(crowd: Crowd, person: Person, is_over: Callable[[], bool], games: int) -> None:
    """Until so many games are over, or there is no opponent any more, or the run ends."""
    loop = asyncio.get_running_loop()
    alone_since = None
    while not crowd.finishing:
        room = person.room
        if room is None or not room.seat:
            return
        if room.phase == "finished" and (room.game >= games or room.is_alone):
            return
        if not room.is_alone:
            alone_since = None
        elif alone_since is None:
            alone_since = loop.time()
        elif is_over() or loop.time() - alone_since > PATIENCE_S:
            return
        try:
            if room.my_turn:
                await think_and_move(person)
            elif room.phase == "finished" and not room.wants:
                await person.insist("rematch", {"room": room.name, "game": room.game})
            else:
                await person.wait(1.0)
            if person.random.random() < 0.02:
                await say(person)
        except Refused as refused:
            if refused.code not in OVERTAKEN + ("GAME_NOT_OVER",):
                raise
            await asyncio.sleep(0.2)


async def think_and_move(person: Person) -> None:
    await asyncio.sleep(person.haste * person.random.uniform(0.05, 0.5))
    room = person.room
    if room is None or not room.my_turn:
        return
    if person.random.random() < 0.01:
        await person.ask("resign", {"room": room.name, "game": room.game}, game=room.game)
        return
    cell = person.random.choice([cell for cell in range(room.cells) if cell not in room.moves])
    await person.ask("move", {"room": room.name, "game": room.game, "ply": len(room.moves), "cell": cell},
                     cell=Cell(row=cell // room.cols, col=cell % room.cols), game=room.game,
                     ply=len(room.moves))


async def say(person: Person) -> None:
    """A line that nobody says twice, if the person is still in a room."""
    if person.room is None:
        return
    person.lines += 1
    text = f"{person.label} says {person.lines}"
    try:
        await person.ask("chat", {"room": person.room.name, "text": text}, text=text)
    except Refused as refused:
        if refused.code not in ("CANNOT_RECORD", "RATE_LIMITED", "NOT_IN_ROOM"):
            raise


async def rest(person: Person) -> None:
    """Writes down how the room is at the end."""
    if person.room is None:
        return
    await person.insist("get_snapshot")
