"""Kills the real server with SIGKILL, again and again, in the middle of real traffic.

Clients that speak the protocol play, chat, resign and ask for rematches without a pause, lose their
connections, and come back with their tokens. Whenever the server is killed it is started again on what
it has written. Nothing that anybody was told may be
missing afterwards, all must agree on what happened, and in the end every room's game can be played
on, and is.

KILLS sets how often (100), SEED repeats a run as far as the machine's timing allows.
"""

from __future__ import annotations

import asyncio
import collections
import os
import random
import signal
import sys
import tempfile
import time
import unittest

import raw_client
from generated import protocol
from programs import BIN, TIMEOUT
from raw_client import decode_varint, frame
from client_view import Broken, Ledger, ClientView, require

KILLS = int(os.environ.get("KILLS", "100"))
SEED = int(os.environ.get("SEED") or random.SystemRandom().randrange(1 << 32))

# Rooms of two people, and rooms of one against an AI: size, and time control in milliseconds.
ROOMS = [((3, 3, 3), {})] * 6 + [((5, 4, 4), {"move_ms": 60_000})] * 3 + \
        [((9, 9, 5), {"game_ms": 600_000, "increment_ms": 1_000})] * 2
AI_ROOMS = [((3, 3, 3), {}), ((5, 5, 4), {})]
# Clients come from another address of the loopback than the server listens at, so that none can be
# given the server's own port while it is down.
SERVER_ADDRESS, CLIENT_ADDRESS = "127.0.0.1", "127.0.0.2"


class Server:
    """The real server, which lives many lives on one port and one journal."""

    def __init__(self, *journal: str) -> None:
        self._journal = journal  # the options
        self.port = 0
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            f"{BIN}/tictactoe-server", "--listen", SERVER_ADDRESS, "--port", str(self.port),
            *self._journal, "--ai-delay", "0", "--rate", "0", "--max-per-address", "0",
            "--log", "warn", stdout=asyncio.subprocess.PIPE)
        line = await asyncio.wait_for(self.process.stdout.readline(), TIMEOUT)
        require(b"listening on" in line, f"the server does not start: {line!r}")
        self.port = int(line.decode().strip().rsplit(":", 1)[1])

    async def kill(self) -> None:
        require(self.process.returncode is None, "the server has ended by itself")
        self.process.kill()
        require(await self.process.wait() == -signal.SIGKILL, "the server has ended by itself")

    async def stop(self) -> None:
        self.process.terminate()
        status = await asyncio.wait_for(self.process.wait(), TIMEOUT)
        require(status == 0, f"the server ends with status {status}")


class Player:
    """One person. Plays at random, believes nothing, and comes back whatever happens."""

    def __init__(self, world: World, name: str, ledger: Ledger, *, seat: int, size: tuple,
                 clock: dict, against_ai: bool = False) -> None:
        self._world = world
        self._random = random.Random(world.random.random())
        self.name, self.ledger = name, ledger
        self._seat, self._size, self._clock, self._against_ai = seat, size, clock, against_ai
        self._token = b""
        self.told = ClientView(protocol, ledger)
        self._writer: asyncio.StreamWriter | None = None
        self._last_id = 0
        self._unanswered: collections.deque[tuple[int, str]] = collections.deque()
        # A move whose answer has not come: sent again until it does.
        self._move: dict | None = None
        self._chats = 0
        self._seen_life = 0
        self.at_rest = asyncio.Event()

    async def run(self) -> None:
        """Until the test ends this task."""
        while True:
            try:
                reader, self._writer = await asyncio.open_connection(
                    SERVER_ADDRESS, self._world.server.port, local_addr=(CLIENT_ADDRESS, 0))
            except OSError:
                await asyncio.sleep(self._random.uniform(0.002, 0.02))
                continue
            self._world.connected.add(self)
            try:
                await self._converse(reader)
            except (asyncio.IncompleteReadError, OSError):
                pass  # the connection has ended: that is what this is about
            finally:
                self._writer.close()
                self._world.connected.discard(self)
                self._world.somebody_left.set()

    async def _converse(self, reader: asyncio.StreamReader) -> None:
        self._unanswered.clear()
        self._last_id = 0
        self._request("hello", protocol_versions=[1], name=self.name, token=self._token,
                      room=self.ledger.name if self.told.state.game else "",
                      revision=self.told.state.revision)
        drop_at = None
        if self._random.random() < 0.3:
            drop_at = time.monotonic() + self._random.uniform(0, 0.3)
        while True:
            message = protocol.server.ServerMessage.FromString(await self._body(reader))
            self._take(message)
            if drop_at is not None and time.monotonic() > drop_at and not self._world.finishing:
                return

    @staticmethod
    async def _body(reader: asyncio.StreamReader) -> bytes:
        prefix = b""
        while not prefix or prefix[-1] & 0x80:
            prefix += await reader.readexactly(1)
        return await reader.readexactly(decode_varint(prefix)[0])

    def _request(self, kind: str, **fields: object) -> None:
        self._last_id += 1
        message = protocol.client.ClientMessage(request_id=self._last_id)
        request = getattr(message, kind)
        request.SetInParent()
        request.MergeFrom(type(request)(**fields))
        self._unanswered.append((self._last_id, kind))
        self._writer.write(frame(message.SerializeToString()))

    def _take(self, message: raw_client.Message) -> None:
        event = message.WhichOneof("event")
        kind = None
        if message.request_id:
            require(bool(self._unanswered) and self._unanswered[0][0] == message.request_id,
                    f"{self.name}: an answer to nothing", message)
            kind = self._unanswered.popleft()[1]
        if event == "error":
            return self._refused(kind, message.error)
        if event == "welcome":
            return self._welcomed(message.welcome)
        if event == "snapshot":
            self._take_snapshot(message.snapshot)
        elif event == "update":
            self._world.updates += 1
            self.told.take_update(message.update)
        else:
            require(event == "pong" and kind == "ping", f"{self.name}: nobody asked", message)
        if kind == "move":
            require(self.ledger.moves[self._move["game"]][self._move["ply"]] == self._move["index"],
                    f"{self.name}: a move was answered and is not there", self._move, message)
            self._move = None
        self._act()

    def _refused(self, kind: str | None, error: raw_client.Message) -> None:
        # The second player may arrive before the first. Nothing else may be refused.
        not_yet = kind == "join_room" and error.code == protocol.server.Error.CODE_ROOM_NOT_FOUND
        require(not_yet, f"{self.name}: {kind} was refused", error)
        asyncio.get_running_loop().call_later(0.02, self._enter_again, self._writer)

    def _enter_again(self, writer: asyncio.StreamWriter) -> None:
        if writer is self._writer and not writer.is_closing():
            self._enter()

    def _welcomed(self, welcome: raw_client.Message) -> None:
        if self._token:
            require(welcome.resumed, f"{self.name}: the server has forgotten who this is", welcome)
            require(not self.told.state.game or welcome.room == self.ledger.name,
                    f"{self.name}: the seat is gone", welcome)
        else:
            require(len(welcome.token) == 16, f"{self.name}: no token", welcome)
            self._token = welcome.token
        self._welcome = welcome
        if not welcome.room:
            self._enter()
        elif self._move is not None:
            self._send_move()  # before it is known whether the move was played
        else:
            self._request("ping")  # what was missed comes first, and only then is there a now

    def _enter(self) -> None:
        types = protocol.types
        if self._seat == types.MARK_O:
            return self._request("join_room", name=self.ledger.name, seat=self._seat)
        rows, cols, k = self._size
        options = types.RoomOptions(time=types.TimeControl(**self._clock), away=types.AWAY_HOLD)
        self._request("create_room", name=self.ledger.name, seat=self._seat,
                      rules=types.Rules(rows=rows, cols=cols, k=k), options=options)

    def _take_snapshot(self, snapshot: raw_client.Message) -> None:
        if self._seen_life != self._world.life:
            self._seen_life = self._world.life
            self.ledger.check_kept(snapshot, self._welcome.limits.kept_chat, protocol.types.PHASE_FINISHED)
            self._world.kept_checks += 1
        self.told.take_snapshot(snapshot, self._welcome)
        for side in (snapshot.clocks.x_ms, snapshot.clocks.o_ms):
            require(side > 0 or not self._clock, f"{self.name}: a clock is gone", snapshot)

    def _act(self) -> None:
        """Chooses the next action after all requests were answered."""
        if self._unanswered:
            return
        told = self.told
        if self._random.random() < 0.04 and not self._world.finishing:
            self._chats += 1
            self._request("chat", text=f"{self.name} says {self._chats}")
        if self._against_ai and told.state.phase == protocol.types.PHASE_WAITING:
            self._request("add_ai", seat=protocol.types.MARK_O)
        elif told.my_turn:
            if self._random.random() < 0.02:
                self._request("resign", game=told.state.game)
            else:
                index = self._random.choice(told.free_cells())
                self._move = {"game": told.state.game, "ply": len(told.state.moves), "index": index}
                self._send_move()
        elif told.finished and told.state.game >= self._world.last_game.get(self.ledger.name, 1 << 32):
            self.at_rest.set()
        elif told.finished and not told.wants_rematch:
            self._request("rematch")

    def _send_move(self) -> None:
        cols = self._size[1]
        cell = protocol.types.Cell(row=self._move["index"] // cols, col=self._move["index"] % cols)
        self._request("move", cell=cell, game=self._move["game"], ply=self._move["ply"])


class World:
    """All players, their rooms, and the server that is killed."""

    def __init__(self, server: Server, seed: int) -> None:
        self.random = random.Random(seed)
        self.server = server
        self.life = 0
        self.updates = 0
        self.kept_checks = 0
        self.finishing = False
        self.last_game: dict[str, int] = {}  # by room, once all shall come to rest
        self.connected: set[Player] = set()
        self.somebody_left = asyncio.Event()
        self.players: list[Player] = []
        x, o = protocol.types.MARK_X, protocol.types.MARK_O
        for number, (size, clock) in enumerate(ROOMS):
            ledger = Ledger(f"room-{number}")
            self.players += [Player(self, f"{side}-{number}", ledger, seat=seat, size=size, clock=clock)
                             for side, seat in (("x", x), ("o", o))]
        for number, (size, clock) in enumerate(AI_ROOMS):
            self.players.append(Player(self, f"alone-{number}", Ledger(f"ai-{number}"), seat=x,
                                       size=size, clock=clock, against_ai=True))

    @property
    def ledgers(self) -> list[Ledger]:
        return list({id(player.ledger): player.ledger for player in self.players}.values())

    async def kill_often(self, kills: int) -> int:
        """How many of the lives had any traffic."""
        busy = 0
        for _ in range(kills):
            before = self.updates
            # Some lives end while everybody still comes back, others after hundreds of moves.
            await asyncio.sleep(self.random.choice((0.05, 0.3, 0.6)) * self.random.random())
            await self.kill_server()
            busy += self.updates > before
            await self.server.start()
        return busy

    async def kill_server(self) -> None:
        await self.server.kill()
        while self.connected:  # messages in transit still count
            self.somebody_left.clear()
            await self.somebody_left.wait()
        for ledger in self.ledgers:
            ledger.freeze()
        self.life += 1

    def expected_records(self) -> dict[str, list]:
        """By room: the moves and the end of each game."""
        return {ledger.name: ledger.games_ended() for ledger in self.ledgers}

    async def come_to_rest(self) -> None:
        """Every room ends the game that it is in, and plays another whole one."""
        self.finishing = True
        self.last_game = {ledger.name: ledger.game + 1 for ledger in self.ledgers}
        await asyncio.gather(*(player.at_rest.wait() for player in self.players))

    def stuck(self) -> list[str]:
        return [f"{player.name}: game {player.told.state.game} of {self.last_game[player.ledger.name]}, "
                f"phase {player.told.state.phase}, turn {player.told.state.turn}, waits for {player._unanswered}"
                for player in self.players if not player.at_rest.is_set()]


async def play_and_kill(folder: str) -> str:
    """A sentence about what went on."""
    world = World(Server("--data-dir", folder), SEED)
    await world.server.start()
    players = [asyncio.create_task(player.run()) for player in world.players]
    try:
        busy = await first_of(world.kill_often(KILLS), players)
        require(2 * busy >= KILLS, f"only {busy} of {KILLS} lives had any traffic")
        try:
            await asyncio.wait_for(first_of(world.come_to_rest(), players), TIMEOUT)
        except asyncio.TimeoutError:
            raise Broken("\n".join(["stuck:", *world.stuck()])) from None
        games = check_records(world.server.port, world.expected_records())
        await world.server.stop()
        return (f"{KILLS} kills, {busy} of them amid traffic: {world.updates} updates told, "
                f"{world.kept_checks} rooms compared afterwards, {games} games ended,")
    finally:
        for task in players:
            task.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        if world.server.process.returncode is None:
            await world.server.kill()


async def first_of(work, players: list[asyncio.Task]):
    """The result of `work`, unless a player finds something broken before."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait([task, *players], return_when=asyncio.FIRST_COMPLETED)
        for player in players:
            if player.done():
                player.result()
        return task.result()
    finally:
        task.cancel()


def check_records(port: int, expected: dict[str, list]) -> int:
    """Every game that ended is on record, once, as it was played. Returns their number."""
    client = raw_client.RawClient(protocol, SERVER_ADDRESS, port, TIMEOUT)
    client.hello("historian")
    ids: list[int] = []
    while True:
        page = client.ask("list_games", before=ids[-1] if ids else 0)
        ids += [game.id for game in page.games]
        if not page.more:
            break
    records = collections.defaultdict(list)
    for number in reversed(ids):
        record = client.ask("get_game", id=number).game
        records[record.room].append(
            (list(record.moves), (record.outcome.winner, record.outcome.reason)))
    client.close()
    for room, games in expected.items():
        require(records[room] == games, f"{room}: the records tell another history",
                records[room], games)
    return len(ids)


class Kills(unittest.TestCase):
    def test_nothing_told_is_lost(self) -> None:
        print(f"SEED={SEED} KILLS={KILLS}", file=sys.stderr)
        begin = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="tictactoe-kill-") as folder:
            summary = asyncio.run(play_and_kill(folder))
        print(f"{summary} in {time.monotonic() - begin:.0f} s", file=sys.stderr)
