"""The programs of kill_test.py: the server that is killed, and console clients with scripts."""

from __future__ import annotations

import asyncio
import signal

from generated import protocol
from network import LOOPBACK
from programs import BIN, TIMEOUT, Client
from client_view import require

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


class ConsolePair:
    """Two console clients with scripts: the starter of a game wins it with the first row."""

    GAME = [0, 3, 1, 4, 2]

    def __init__(self, room: str, port: int) -> None:
        self.room, self.games = room, 0
        self._clients = [Client(LOOPBACK, LOOPBACK.address4(port), f"{room}-{side}", "--retry", "3600")
                         for side in ("x", "o")]
        x, o = self._clients
        x.type(f"create {room}")
        x.expect(r"^You are \S+ and play X")
        o.type(f"join {room}")
        o.expect(r"^You are \S+ and play O")

    def type_a_game(self) -> None:
        starter, other = self._clients if self.games % 2 == 0 else reversed(self._clients)
        rematch = ["rematch"] if self.games else []
        starter.type(*rematch, "a1", "b1", "c1")
        other.type(*rematch, "a2", "b2")
        self.games += 1

    def end(self) -> None:
        """Waits until both have done all that their scripts say."""
        for client in self._clients:
            client.type("wait", "quit")
        for client in self._clients:
            require(client.status() == 0, "a console client fails", client.text)
            for complaint in ("Refused", "not known", "not used"):
                require(complaint not in client.text, f"a script meets: {complaint}", client.text)

    def close(self) -> None:
        for client in self._clients:
            client.__exit__()

    def expected_records(self) -> list:
        types = protocol.types
        return [(self.GAME, (types.MARK_O if game % 2 else types.MARK_X, types.Outcome.REASON_LINE))
                for game in range(self.games)]
