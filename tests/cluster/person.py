"""A person who plays over the wire protocol, comes back whatever happens, and writes down everything.

Follows proto/README.md: request ids count up over all connections, and a request without an answer is sent
again only if the server says that it was not done.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any, Callable, NamedTuple

import places  # noqa: F401  (before what it makes known)
from generated import protocol
from history import MARKS, PHASES, Error, History, fields_of_snapshot, fields_of_update
from raw_client import frame, take_frame

Message = Any
CONNECT_S = 2.0
HELLO_S = 4.0
SILENT_S = 5.0  # without a byte, though a ping was sent
PING_S = 1.5
REDIRECTS = 5  # in a row


class Refused(Exception):
    """A request was answered by an Error; nothing has changed."""

    def __init__(self, code: str, retry_s: float) -> None:
        super().__init__(code)
        self.code, self.retry_s = code, retry_s


class Lost(Exception):
    """The connection is gone."""


class Answer(NamedTuple):
    """A request was done, after that time."""

    kind: str
    began: float
    ended: float
    server: int  # its port


class Wire(asyncio.Protocol):
    """One connection: frames come in, and go to the person as long as it is that person's connection."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._received = bytearray()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (body := take_frame(self._received)) is not None:
            self._person.take(self, protocol.server.ServerMessage.FromString(body))

    def connection_lost(self, _: Exception | None) -> None:
        self._person.ended(self)


class Room:
    """What the person knows of the room."""

    def __init__(self, snapshot: Message) -> None:
        self.name, self.revision = snapshot.name, snapshot.revision
        self.cols, self.cells = snapshot.rules.cols, snapshot.rules.rows * snapshot.rules.cols
        self.seat = MARKS[snapshot.your_seat]
        self.names = {"X": snapshot.x.name, "O": snapshot.o.name}
        self.phase, self.turn = PHASES[snapshot.phase], MARKS[snapshot.turn]
        self.game, self.moves = snapshot.game, list(snapshot.moves)
        self.wants = (snapshot.x_wants_rematch and self.seat == "X"
                      or snapshot.o_wants_rematch and self.seat == "O")

    @property
    def my_turn(self) -> bool:
        return self.phase == "playing" and self.turn == self.seat

    @property
    def is_alone(self) -> bool:
        return not (self.names["X"] and self.names["O"])

    def apply(self, update: dict, own_name: str) -> None:
        self.revision, self.phase, self.turn = update["rev"], update["phase"], update["turn"]
        change = update["change"]
        if change == "move_played":
            self.moves.append(update["cell"])
        elif change == "game_started":
            self.game, self.moves, self.wants = update["game"], [], False
        elif change == "rematch_wanted":
            self.wants |= update["seat"] == self.seat
        elif change == "seat_changed":
            self.names[update["seat"]] = update["to"]
            if update["seat"] == self.seat and update["to"] != own_name:
                self.seat = ""
            elif update["to"] == own_name:
                self.seat = update["seat"]


class Person:
    """All functions are called by one task of the person's own, except take() and ended()."""

    def __init__(self, label: str, name: str, addresses: dict[int, str], history: History, seed: float,
                 haste: float, answered: Callable[[Answer], None]) -> None:
        self.label, self.name = label, name
        self.random = random.Random(seed)
        self.haste = haste  # a factor of pauses
        self.room: Room | None = None
        self.returns = 0
        self.redirects = 0
        self.lines = 0  # of chat
        self.asked_at: float | None = None  # since when an answer is missing
        self._answered = answered
        self._addresses = addresses  # the host of each port, which is another one for each server
        self.port = self.random.choice(list(addresses))
        self._history = history
        self._token = b""
        self._last_id = 0
        self._last_done = 0
        self._wire: Wire | None = None
        self._awaited = 0
        self._answer: Message | None = None
        self._wake = asyncio.Event()
        self._heard_at = 0.0

    def write(self, event: str, **fields: Any) -> None:
        self._history.add(event, self.label, **fields)

    async def ask(self, kind: str, noted: dict | None = None, /, **fields: Any) -> None:
        """Returns once it is done, after however many connections. `noted` is for the history. Raises
        Refused."""
        message = self._message(kind, fields)
        self.write("ask", id=message.request_id, kind=kind, **(noted or {}))
        if self.asked_at is None:
            self.asked_at = self._history.now
        sent = False
        while True:
            try:
                await self._be_connected()
                if sent and self._last_done >= message.request_id:
                    self.write("known", id=message.request_id)
                    return self._done(kind)
                if sent:
                    self.write("again", id=message.request_id)
                sent = True
                answer = await self._exchange(message)
            except Lost:
                continue
            event = answer.WhichOneof("event")
            if event == "redirect":
                self._follow(answer.redirect, message.request_id)
                continue
            if event == "error":
                code = Error.Code.Name(answer.error.code)[len("CODE_"):]
                self.write("refused", id=message.request_id, code=code, text=answer.error.message)
                if code != "CANNOT_RECORD":
                    self.asked_at = None
                raise Refused(code, answer.error.retry_after_ms / 1000)
            return self._done(kind)

    async def insist(self, kind: str, noted: dict | None = None, /, **fields: Any) -> None:
        """As ask(), but asks again as long as the server can't record anything."""
        while True:
            try:
                await self.ask(kind, noted, **fields)
                return
            except Refused as refused:
                if refused.code != "CANNOT_RECORD":
                    raise
                await asyncio.sleep(max(0.2, min(refused.retry_s, 1.0)))

    async def wait(self, seconds: float) -> None:
        """For anything to happen, connected, at most so long."""
        self.asked_at = None
        try:
            await self._be_connected()
            self._wake.clear()
            await self._sleep_or_wake(seconds)
        except Lost:
            pass

    def close(self) -> None:
        if self._wire is not None:
            self._wire.transport.abort()
            self._wire = None

    def take(self, wire: Wire, message: Message) -> None:
        """A message has come."""
        if wire is not self._wire:
            return  # it was given up
        self._heard_at = asyncio.get_running_loop().time()
        event = message.WhichOneof("event")
        answered = {"id": message.request_id} if message.request_id else {}
        if event == "welcome":
            self._welcomed(message.welcome)
        elif event == "snapshot":
            self.room = Room(message.snapshot)
            self.write("snapshot", **answered, **fields_of_snapshot(message.snapshot))
        elif event == "update" and self.room is not None:
            update = fields_of_update(message.update, self.room.cols)
            self.room.apply(update, self.name)
            self.write("update", **answered, room=self.room.name, **update)
        elif event == "left":
            self.room = None
            self.write("left", **answered)
        elif event == "redirect" and not message.request_id:
            self._follow(message.redirect, 0)  # the server ends
        if self._awaited and message.request_id == self._awaited:
            self._answer = message
        self._wake.set()

    def ended(self, wire: Wire) -> None:
        """A connection has ended."""
        if wire is self._wire:
            self._wire = None
            self._wake.set()

    def _done(self, kind: str) -> None:
        self._answered(Answer(kind, self.asked_at, self._history.now, self.port))
        self.asked_at = None

    def _message(self, kind: str, fields: dict) -> Message:
        self._last_id += 1
        message = protocol.client.ClientMessage(request_id=self._last_id)
        request = getattr(message, kind)
        request.SetInParent()
        request.MergeFrom(type(request)(**fields))
        return message

    async def _exchange(self, message: Message, most_s: float | None = None) -> Message:
        """Sends it and waits for the answer. Raises Lost."""
        if self._wire is None:
            raise self._lost()
        self._awaited, self._answer = message.request_id, None
        self._wire.transport.write(frame(message.SerializeToString()))
        loop = asyncio.get_running_loop()
        deadline = None if most_s is None else loop.time() + most_s
        while self._answer is None:
            if self._wire is None:
                raise self._lost()
            if deadline is not None and loop.time() > deadline:
                raise self._lost()
            self._wake.clear()
            try:
                await self._sleep_or_wake(PING_S)
            except Lost:
                # The answer can be the last thing that has come.
                if self._answer is None:
                    raise
        self._awaited = 0
        if self._answer.error.closing:
            raise self._lost()  # it was not handled, or so the next welcome says
        return self._answer

    async def _sleep_or_wake(self, seconds: float) -> None:
        """Until something is heard. Sends pings, and gives up a connection that does not answer."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while self._wire is not None and not self._wake.is_set() and loop.time() < end:
            try:
                await asyncio.wait_for(self._wake.wait(), min(PING_S, end - loop.time() + 0.001))
            except asyncio.TimeoutError:
                if loop.time() - self._heard_at > SILENT_S:
                    raise self._lost() from None
                # The connection may have ended together with the wait.
                if self._wire is not None and loop.time() - self._heard_at > PING_S:
                    ping = self._message("ping", {})
                    self._wire.transport.write(frame(ping.SerializeToString()))
        if self._wire is None:
            raise self._lost()

    def _lost(self) -> Lost:
        self.close()
        self.write("lost")
        return Lost()

    def _follow(self, redirect: Message, request_id: int) -> None:
        self.close()
        self.port = int(redirect.server.address.rsplit(":", 1)[1])
        self.redirects += 1
        self.write("redirect", id=request_id, to=self.port)

    async def _be_connected(self) -> None:
        """Returns with a connection over which everything missed has come."""
        redirects, tries = 0, 0
        came_back = self._token != b""
        first = self.port
        while self._wire is None:
            if tries:
                # The server of the game first, then the others.
                others = [port for port in self._addresses if port != first]
                self.random.shuffle(others)
                self.port = ([first] + others)[tries % (len(others) + 1)]
                await asyncio.sleep(self.haste * self.random.uniform(0.1, 0.4))
            followed = await self._try_port()
            while followed and redirects < REDIRECTS:
                redirects += 1
                followed = await self._try_port()
            if followed:
                redirects = 0
                await asyncio.sleep(0.5)
            tries += 1
        if tries and came_back:
            self.returns += 1

    async def _try_port(self) -> bool:
        """Connects and says hello. True if that was answered by a redirect."""
        loop = asyncio.get_running_loop()
        try:
            _, wire = await asyncio.wait_for(
                loop.create_connection(lambda: Wire(self), self._addresses[self.port], self.port), CONNECT_S)
        except (OSError, asyncio.TimeoutError):
            return False
        self._wire, self._heard_at = wire, loop.time()
        had_seat = self.room is not None and self.room.seat != ""
        hello = self._message("hello", {
            "protocol_versions": [1], "name": self.name, "token": self._token,
            "capabilities": ["redirect"], "room": self.room.name if had_seat else "",
            "revision": self.room.revision if had_seat else 0})
        try:
            answer = await self._exchange(hello, HELLO_S)
            if answer.WhichOneof("event") == "redirect":
                self._follow(answer.redirect, hello.request_id)
                return True
            if answer.WhichOneof("event") == "error":
                await asyncio.sleep(min(answer.error.retry_after_ms / 1000, 0.5))
                self.close()
                return False
            await self._exchange(self._message("ping", {}), HELLO_S)
        except Lost:
            pass
        return False

    def _welcomed(self, welcome: Message) -> None:
        self.write("welcome", name=welcome.player_name, room=welcome.room,
                   done=welcome.last_request_done, resumed=welcome.resumed, known=bool(self._token),
                   kept=welcome.limits.kept_chat, server=self.port)
        self.name = welcome.player_name
        self._token = welcome.token or self._token
        self._last_done = welcome.last_request_done
        if not welcome.room:
            self.room = None
