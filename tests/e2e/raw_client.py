"""A client of the wire protocol, written from proto/README.md and the .proto files alone.

It shares no code with the programs of this repository. What it takes for granted about the protocol
is what those pages say, and it checks that as it reads: answers in the order of the requests,
revisions that count up by one, moves that fit the board.
"""

from __future__ import annotations

import importlib
import socket
import subprocess
import sys
import time
from collections import deque
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, Iterable, NamedTuple

PROTOCOL_VERSION = 1
LENGTH_BYTES_MAX = 5
# Until the welcome contains the limits of this server.
SERVER_FRAME_BYTES_BEFORE_WELCOME = 64 * 1024

# Requests whose answers may come after those to later requests.
UNORDERED = ("list_games", "get_game", "hint")

Message = Any  # A class or an object of the generated modules, which exist only once the tests run.


class ProtocolError(Exception):
    """The server did something that the protocol does not allow."""


class ConnectionEnded(Exception):
    """The server ended the connection, between two frames."""


class ConnectionCut(Exception):
    """The server ended the connection inside a frame."""


class Refused(Exception):
    """A request was answered by an Error."""

    def __init__(self, error: Message) -> None:
        super().__init__(f"{error.message} (code {error.code})")
        self.error = error


class Protocol(NamedTuple):
    """The modules that protoc makes of the .proto files."""

    client: ModuleType
    server: ModuleType
    types: ModuleType


def compile_protocol(proto_root: Path, into: Path) -> Protocol:
    """Generates the modules from `proto_root` in the folder `into` and imports them."""
    names = ("client", "server", "types")
    files = [f"tictactoe/v1/{name}.proto" for name in names]
    subprocess.run(
        ["protoc", f"--proto_path={proto_root}", f"--python_out={into}", *files], check=True)
    sys.path.insert(0, str(into))
    try:
        return Protocol(*(importlib.import_module(f"tictactoe.v1.{name}_pb2") for name in names))
    finally:
        sys.path.remove(str(into))


def encode_varint(value: int) -> bytes:
    """7 bits a byte, the least significant first, the top bit set on all but the last."""
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def decode_varint(data: bytes) -> tuple[int, int] | None:
    """The value at the start of `data` and its number of bytes; None if more bytes are needed."""
    value = 0
    for position, byte in enumerate(data[:LENGTH_BYTES_MAX]):
        value |= (byte & 0x7F) << (7 * position)
        if byte < 0x80:
            return value, position + 1
    if len(data) >= LENGTH_BYTES_MAX:
        raise ProtocolError("a length does not end")
    return None


def take_frame(received: bytearray) -> bytes | None:
    """Removes the first frame and returns its body; None if not all of it is there."""
    length = decode_varint(received)
    if length is None or len(received) < sum(length):
        return None
    size, prefix = length
    body = bytes(received[prefix:prefix + size])
    del received[:prefix + size]
    return body


def frame(body: bytes) -> bytes:
    """`body` with its length before it."""
    return encode_varint(len(body)) + body


class Room:
    """What a client knows of its room: the last snapshot and every update since, put together."""

    def __init__(self, protocol: Protocol, snapshot: Message, welcome: Message) -> None:
        self._types = protocol.types
        self._player_name = welcome.player_name
        self._kept_chat = welcome.limits.kept_chat
        self.state = protocol.server.RoomSnapshot()
        self.state.CopyFrom(snapshot)
        self.cells: dict[int, int] = {}
        for index in snapshot.moves:
            self._place(index)

    @property
    def my_turn(self) -> bool:
        """Whether a move of this client is what the game waits for."""
        return self.state.turn != self._types.MARK_NONE and self.state.turn == self.state.your_seat

    def apply(self, update: Message) -> None:
        """Follows one update, which must be the next."""
        state = self.state
        if update.revision != state.revision + 1:
            raise ProtocolError(f"revision {update.revision} after {state.revision}")
        turn_before = state.turn
        state.revision, state.phase, state.turn = update.revision, update.phase, update.turn
        if update.HasField("clocks"):
            state.clocks.CopyFrom(update.clocks)
        if update.HasField("score"):
            state.score.CopyFrom(update.score)
            if not update.score.ByteSize():
                state.ClearField("score")

        change = update.WhichOneof("change")
        if change in ("move_played", "game_ended", "game_started", "declined", "taken_back"):
            state.ClearField("draw_offered_by")
            state.ClearField("takeback_asked_by")
        if change == "move_played":
            self._follow_move(update.move_played, turn_before)
        elif change == "seat_changed":
            self._follow_seat(update.seat_changed)
        elif change == "game_started":
            self._follow_start(update.game_started)
        elif change == "rematch_wanted":
            setattr(state, f"{self._seat_name(update.rematch_wanted.seat)}_wants_rematch", True)
        elif change == "watchers_changed":
            state.watchers = update.watchers_changed.watchers
        elif change == "chat_said":
            state.chat.add().CopyFrom(update.chat_said)
            del state.chat[:-self._kept_chat]
        elif change == "game_ended":
            state.outcome.CopyFrom(update.game_ended.outcome)
        elif change == "draw_offered":
            state.draw_offered_by = update.draw_offered.by
        elif change == "takeback_asked":
            state.takeback_asked_by = update.takeback_asked.by
        elif change == "taken_back":
            for index in state.moves[update.taken_back.ply:]:
                del self.cells[index]
            del state.moves[update.taken_back.ply:]

    def _follow_move(self, move: Message, turn_before: int) -> None:
        state = self.state
        if not (move.cell.row < state.rules.rows and move.cell.col < state.rules.cols):
            raise ProtocolError(f"a move off the board: {move}")
        mark = self._place(move.cell.row * state.rules.cols + move.cell.col)
        if not move.mark == mark == turn_before:
            raise ProtocolError(f"a move out of turn: {move}")
        state.moves.append(move.cell.row * state.rules.cols + move.cell.col)
        if move.ply != len(state.moves):
            raise ProtocolError(f"ply {move.ply} with {len(state.moves)} marks on the board")
        if move.HasField("outcome"):
            state.outcome.CopyFrom(move.outcome)

    def _follow_seat(self, change: Message) -> None:
        name = self._seat_name(change.seat)
        previous = getattr(self.state, name)
        previous.away_ms_left = change.previous.away_ms_left  # Time has gone on.
        if previous != change.previous:
            raise ProtocolError(f"somebody else sat there before: {change}")
        same_hands = (change.occupant.kind == previous.kind == previous.KIND_PERSON
                      and change.occupant.name == previous.name)
        getattr(self.state, name).CopyFrom(change.occupant)
        self.state.watchers = change.watchers
        if same_hands:
            return
        for offer in ("draw_offered_by", "takeback_asked_by"):
            if getattr(self.state, offer) == change.seat:
                self.state.ClearField(offer)
        setattr(self.state, f"{name}_wants_rematch", False)  # The player who wanted it is gone.
        if change.seat == self.state.your_seat and change.occupant.name != self._player_name:
            self.state.your_seat = self._types.MARK_NONE

    def _follow_start(self, start: Message) -> None:
        state = self.state
        state.game, state.starter = start.game, start.starter
        for field in ("moves", "outcome", "x_wants_rematch", "o_wants_rematch"):
            state.ClearField(field)
        self.cells.clear()

    def _place(self, index: int) -> int:
        """Puts the next mark on a cell, from what starter and alternation say, and returns it."""
        if index in self.cells:
            raise ProtocolError(f"two marks on cell {index}")
        x, o = self._types.MARK_X, self._types.MARK_O
        other = o if self.state.starter == x else x
        mark = other if len(self.cells) % 2 else self.state.starter
        self.cells[index] = mark
        return mark

    def _seat_name(self, mark: int) -> str:
        return {self._types.MARK_X: "x", self._types.MARK_O: "o"}[mark]


class RawClient:
    """One connection. Every wait ends after `timeout` seconds at the latest, with TimeoutError."""

    def __init__(self, protocol: Protocol, host: str, port: int, timeout: float = 20.0) -> None:
        self._protocol = protocol
        self._timeout = timeout
        self._socket = socket.create_connection((host, port), timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = bytearray()
        self._last_id = 0
        self._unanswered: deque[int] = deque()
        self._unordered: set[int] = set()
        self._frame_bytes_max = SERVER_FRAME_BYTES_BEFORE_WELCOME
        self.welcome: Message | None = None
        self.room: Room | None = None
        self.updates: deque[Message] = deque()

    def close(self) -> None:
        """Ends the connection from this side."""
        self._socket.close()

    def send_bytes(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self._socket.settimeout(self._timeout)
        self._socket.sendall(data)

    def request(self, kind: str, /, **fields: Any) -> Message:
        """A ClientMessage with the next id, whose answer will be expected: send it."""
        self._last_id += 1
        message = self._protocol.client.ClientMessage(request_id=self._last_id)
        request = getattr(message, kind)
        request.SetInParent()
        request.MergeFrom(type(request)(**fields))
        if kind in UNORDERED:
            self._unordered.add(self._last_id)
        else:
            self._unanswered.append(self._last_id)
        return message

    def send(self, kind: str, /, **fields: Any) -> int:
        """Sends a request, as in `send("join_room", name="duel")`, and returns its id."""
        message = self.request(kind, **fields)
        self.send_bytes(frame(message.SerializeToString()))
        return message.request_id

    def send_together(self, messages: Iterable[Message]) -> None:
        """Sends requests in one write."""
        self.send_bytes(b"".join(frame(message.SerializeToString()) for message in messages))

    def receive(self) -> Message:
        """The next message, once this client has followed it."""
        return self._receive(time.monotonic() + self._timeout)

    def answer(self, request_id: int) -> Message:
        """Reads until the answer to a request, or an Error that ends the connection."""
        deadline = time.monotonic() + self._timeout
        while True:
            message = self._receive(deadline)
            if message.request_id == request_id or message.error.closing:
                return message

    def ask(self, kind: str, /, **fields: Any) -> Message:
        """Sends a request and returns what is in its answer; raises Refused for an Error."""
        answer = self.answer(self.send(kind, **fields))
        event = answer.WhichOneof("event")
        if event == "error":
            raise Refused(answer.error)
        return getattr(answer, event)

    def hello(self, name: str) -> Message:
        """Introduces this client and returns the Welcome."""
        return self.ask("hello", protocol_versions=[PROTOCOL_VERSION], name=name)

    def move(self, row: int, col: int) -> Message:
        """Plays a cell in the position that this client knows, and returns the update."""
        state = self.room.state
        return self.ask("move", cell=self._protocol.types.Cell(row=row, col=col),
                        game=state.game, ply=len(state.moves))

    def follow_until(self, condition: Callable[[Room], bool]) -> None:
        """Reads until something is true of the room."""
        deadline = time.monotonic() + self._timeout
        while not condition(self.room):
            self._receive(deadline)

    def check_mirror(self) -> None:
        """Compares the room as put together here with a fresh snapshot of the server's."""
        mirrored = self.room
        snapshot = self.ask("get_snapshot")
        if mirrored.state != snapshot:
            raise ProtocolError(f"put together:\n{mirrored.state}\nof the server:\n{snapshot}")

    def find_update(self, change: str) -> Message:
        """The next update with this change, past those that this has gone by already."""
        deadline = time.monotonic() + self._timeout
        while True:
            while self.updates:
                update = self.updates.popleft()
                if update.WhichOneof("change") == change:
                    return getattr(update, change)
            self._receive(deadline)

    def expect_end(self) -> None:
        """Waits for the server to end the connection; raises ProtocolError if it says more."""
        try:
            message = self.receive()
        except ConnectionEnded:
            return
        raise ProtocolError(f"the connection should have ended, but: {message}")

    def _receive(self, deadline: float) -> Message:
        message = self._protocol.server.ServerMessage.FromString(self._read_body(deadline))
        if message.request_id:
            if message.request_id in self._unordered:
                self._unordered.remove(message.request_id)
            elif not self._unanswered or self._unanswered.popleft() != message.request_id:
                raise ProtocolError(f"an answer out of order: {message}")
        self._follow(message)
        return message

    def _follow(self, message: Message) -> None:
        event = message.WhichOneof("event")
        if event == "welcome":
            self.welcome = message.welcome
            self._frame_bytes_max = message.welcome.limits.server_frame_bytes
        elif event == "snapshot":
            self.room = Room(self._protocol, message.snapshot, self.welcome)
        elif event == "update":
            if self.room is None:
                raise ProtocolError(f"an update outside a room: {message}")
            self.room.apply(message.update)
            self.updates.append(message.update)
        elif event == "left":
            self.room = None

    def _read_body(self, deadline: float) -> bytes:
        while (length := decode_varint(self._received)) is None:
            self._read_some(deadline)
        size, prefix = length
        if size > self._frame_bytes_max:
            raise ProtocolError(f"a frame of {size} bytes, over the limit")
        while len(self._received) < prefix + size:
            self._read_some(deadline)
        body = bytes(self._received[prefix:prefix + size])
        del self._received[:prefix + size]
        return body

    def _read_some(self, deadline: float) -> None:
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise TimeoutError("the server did not say what was waited for")
        self._socket.settimeout(remaining)
        try:
            data = self._socket.recv(65536)
        except ConnectionResetError:
            data = b""
        if not data:
            raise ConnectionCut() if self._received else ConnectionEnded()
        self._received += data
