"""Pairs of players in many rooms, who go on at the server that theirs sends them to.

For tests and measurements of servers that are replaced: each room has a board on which nobody wins, and
its players move in turn, one cell after another. All run in one thread.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from generated import protocol
from raw_client import PROTOCOL_VERSION, frame, take_frame

SIZE = 20  # of a board
AT_ONCE = 50  # rooms that are being opened
RETRY_S = 0.2

Message = Any


class Wire(asyncio.Protocol):
    """One connection of a player."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._received = bytearray()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (body := take_frame(self._received)) is not None:
            try:
                self._player.take(self, protocol.server.ServerMessage.FromString(body))
            except Exception as failure:
                self._player.room.crowd.fail(repr(failure))

    def connection_lost(self, _: Exception | None) -> None:
        self._player.ended(self)


class Player:
    def __init__(self, room: Room, name: str, port: int) -> None:
        self.room, self.name, self.port = room, name, port
        self.token, self.redirects, self.is_back = b"", 0, asyncio.Event()
        self._id, self._wire, self._redirected = 0, None, 0.0
        self.ply = 0  # the highest that it was told

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        _, self._wire = await loop.create_connection(lambda: Wire(self), "127.0.0.1", self.port)
        self.send("hello", protocol_versions=[PROTOCOL_VERSION], name=self.name, token=self.token,
                  capabilities=["redirect"])

    def send(self, kind: str, **fields) -> None:
        self._id += 1
        message = protocol.client.ClientMessage(request_id=self._id)
        request = getattr(message, kind)
        request.SetInParent()
        for name, value in fields.items():
            target = getattr(request, name)
            if hasattr(target, "CopyFrom"):
                target.CopyFrom(value)
            elif isinstance(value, list):
                target.extend(value)
            else:
                setattr(request, name, value)
        self._wire.transport.write(frame(message.SerializeToString()))

    def take(self, wire: Wire, message: Message) -> None:
        if wire is not self._wire:
            return
        kind = message.WhichOneof("event")
        if kind == "redirect":
            self._follow(message.redirect)
        elif kind == "welcome":
            self.token = message.welcome.token or self.token
            if not self._redirected:
                self.is_back.set()
            elif message.welcome.room != self.room.name:
                self.room.crowd.fail(f"{self.name} has lost the seat")
        elif kind == "snapshot":
            self._came_back()
            self.room.see(self, list(message.snapshot.moves), message.snapshot.your_seat)
        elif kind == "update" and message.update.HasField("move_played"):
            self.room.played(self, message.update.move_played.ply)
        elif kind == "error":
            if not message.error.retry_after_ms:
                return self.room.crowd.fail(f"{self.name}: {message.error.message}")
            self.room.crowd.refused += 1
            self._wire.transport.close()

    def _follow(self, redirect: Message) -> None:
        self.redirects += 1
        self.port = int(redirect.server.address.rsplit(":", 1)[1])
        if not self._redirected:
            self._redirected = time.monotonic()
            self.room.left_at = min(self.room.left_at or self._redirected, self._redirected)
        wire, self._wire = self._wire, None
        wire.transport.close()
        self.room.crowd.run(self.connect())

    def _came_back(self) -> None:
        self.is_back.set()
        if self._redirected:
            self.room.pauses.append(time.monotonic() - self._redirected)
            self._redirected = 0.0

    def ended(self, wire: Wire) -> None:
        """Otherwise than by a redirect: tries again."""
        if wire is not self._wire or self.room.crowd.is_over:
            return
        self._wire = None
        self._redirected = self._redirected or time.monotonic()
        self.room.crowd.run(self._try_again())

    async def _try_again(self) -> None:
        await asyncio.sleep(RETRY_S)
        try:
            await self.connect()
        except OSError:
            self.room.crowd.run(self._try_again())

    def close(self) -> None:
        if self._wire is not None:
            self._wire.transport.close()


class Room:
    def __init__(self, crowd: Crowd, number: int, port: int) -> None:
        self.crowd, self.name = crowd, f"room {number}"
        self.players = [Player(self, f"{side}{number}", port) for side in ("xenia", "otto")]
        self.pauses: list[float] = []  # of its players, from the redirect to the snapshot
        self.left_at = 0.0  # the first redirect
        self.moved_at: list[float] = []
        self.ply = 0

    async def open(self) -> None:
        rules = protocol.types.Rules(rows=SIZE, cols=SIZE, k=SIZE)
        for player, request in zip(self.players, ("create_room", "join_room")):
            await player.connect()
            await player.is_back.wait()
            player.is_back.clear()
            fields = {"rules": rules} if request == "create_room" else {}
            player.send(request, name=self.name, **fields)
            await player.is_back.wait()

    def see(self, player: Player, moves: list[int], seat: int) -> None:
        """A snapshot: nothing that was played is gone."""
        if moves != list(range(len(moves))) or len(moves) < player.ply:
            self.crowd.fail(f"{self.name}: {player.ply} moves were played, and {moves} are there")
        if seat != (protocol.types.MARK_X, protocol.types.MARK_O)[self.players.index(player)]:
            self.crowd.fail(f"{player.name} has another seat")
        self.played(player, len(moves))

    def played(self, player: Player, ply: int) -> None:
        player.ply = ply
        self.ply = max(self.ply, ply)
        self.move(player)

    def move(self, player: Player, also_s: float = 0.0) -> None:
        """Later, if it is this player's turn."""
        if self.ply % 2 != self.players.index(player) or not self.crowd.is_playing:
            return
        asyncio.get_running_loop().call_later(self.crowd.think_s + also_s, self._move_now, player,
                                              self.ply)

    def _move_now(self, player: Player, ply: int) -> None:
        if player._wire is None or self.ply != ply or ply >= SIZE * SIZE or self.crowd.is_over:
            return
        self.moved_at.append(time.monotonic())
        player.send("move", cell=protocol.types.Cell(row=ply // SIZE, col=ply % SIZE), game=1, ply=ply)


class Crowd:
    """Its rooms are at the server of that port first."""

    def __init__(self, rooms: int, port: int, think_s: float) -> None:
        self.think_s, self.is_playing, self.is_over = think_s, False, False
        self.refused = 0  # requests, because the room was on its way to another server; they are sent again
        self.rooms = [Room(self, number, port) for number in range(rooms)]
        self._failure: asyncio.Future = asyncio.get_running_loop().create_future()
        self._tasks: set[asyncio.Task] = set()

    def fail(self, why: str) -> None:
        if not self._failure.done():
            self._failure.set_exception(AssertionError(why))

    def run(self, work) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            self.fail(f"{task.exception()!r}")

    async def until(self, work) -> None:
        """Waits for that, or fails if anything goes wrong first."""
        task = asyncio.ensure_future(work)
        await asyncio.wait([task, self._failure], return_when=asyncio.FIRST_COMPLETED)
        if self._failure.done():
            task.cancel()
            self._failure.result()
        await task

    async def open(self) -> None:
        for first in range(0, len(self.rooms), AT_ONCE):
            await self.until(asyncio.gather(*[room.open() for room in self.rooms[first:first + AT_ONCE]]))
        self.is_playing = True
        for number, room in enumerate(self.rooms):  # not all at the same time
            room.move(room.players[0], self.think_s * number / len(self.rooms))

    async def all_are_at(self, port: int, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not all(len(room.pauses) % 2 == 0 and player.port == port and player._wire is not None
                      and not player._redirected for room in self.rooms for player in room.players):
            assert time.monotonic() < deadline, "somebody has not come back"
            await self.until(asyncio.sleep(0.05))

    def close(self) -> None:
        self.is_over = True
        for room in self.rooms:
            for player in room.players:
                player.close()
