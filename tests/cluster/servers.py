"""The servers of the lobby: the real programs, each behind proxies of its own, or on a host of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile

import places  # noqa: F401  (before what it makes known)
from database import Database
from network import LOOPBACK
from plants import Planting
from programs import BIN, TIMEOUT
from proxy import Proxy
from wires import Cable, Way, Wires

# After the end of a server by itself. A service manager would do the same.
RESTART_S = 0.5


class Link(Proxy):
    """In place of a network."""

    def cut(self) -> None:
        """Breaks all connections, and refuses new ones until heal()."""
        self.refusing = True
        super().cut()


class Server:
    """Started again whenever it has ended, unless that is withheld."""

    def __init__(self, name: str, database: Database, planting: Planting | None,
                 wires: Wires | None) -> None:
        """On a host of that name in a network, or behind proxies on this machine."""
        self.name = name
        self.host = wires.host(name) if wires else LOOPBACK
        self.port = 0
        self.public_port = 0
        self.faults = 0  # that it suffers from now
        self.starts = 0
        self.statuses: list[int] = []  # of its ends, but not of those by a fault
        self.is_up = False
        self._may_start = asyncio.Event()
        self._may_start.set()
        self.upgrades = 0
        self._killed = self._upgrades = False
        self._process: asyncio.subprocess.Process | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="tictactoe-server-")
        self._database = database
        self.cable: Cable | None = None
        self._wired_port = 0
        self._databases: list[str] = []
        if wires:
            self.clients: Link | Way = wires.to_clients(name)
            self.stores: list[Link | Way] = [wires.to_database(name)]
            self.cable = wires.cable(name)
            self._wired_port = wires.port(name)
            self._databases = [node.host.ipv4 for node in database.nodes]
        else:
            self.clients = Link(lambda: self.port)
            self.stores = []
            change = {"to_server": planting.rewrite} if planting else {}
            for number, node in enumerate(database.nodes):
                self._databases.append(f"{self._folder.name}/{number}")
                os.mkdir(self._databases[-1])
                self.stores.append(Link(node.socket, f"{self._databases[-1]}/.s.PGSQL.5432", **change))
        self._supervisor: asyncio.Task | None = None

    async def open(self) -> None:
        """Returns once it listens."""
        self.public_port = self._wired_port or self.clients.port
        self._url = f"postgresql:///tictactoe?user=tictactoe&host={','.join(self._databases)}"
        self._supervisor = asyncio.create_task(self._supervise())
        while not self.is_up:
            await asyncio.sleep(0.05)
            if self._supervisor.done():
                self._supervisor.result()

    @property
    def address(self) -> str:
        return self.host.address4(self.public_port)

    def kill(self) -> None:
        """It starts again after allow()."""
        self._may_start.clear()
        self._killed = True
        self.is_up = False
        self._signal(signal.SIGKILL)

    async def upgrade(self) -> None:
        """Ends it as for a new version. Returns once it has ended, and starts it after allow()."""
        self._may_start.clear()
        process = self._process
        self._upgrades = True
        self._signal(signal.SIGTERM)
        while process is not None and process.returncode is None:
            await asyncio.sleep(0.05)

    def allow(self) -> None:
        self._may_start.set()

    def stop(self) -> None:
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def heal(self) -> None:
        """All of its network."""
        for way in self._ways():
            way.heal()

    def log(self) -> str:
        with open(f"{self._folder.name}/log", encoding="utf-8", errors="replace") as log:
            return log.read()

    async def close(self) -> None:
        if self._supervisor is not None:
            self._supervisor.cancel()
            await asyncio.gather(self._supervisor, return_exceptions=True)
        self._signal(signal.SIGKILL)
        if self._process is not None:
            await self._process.wait()
        for way in self._ways():
            way.close()
        self._folder.cleanup()

    def _ways(self) -> list[Link | Way | Cable]:
        return [self.clients, *self.stores, *([self.cable] if self.cable else [])]

    def _signal(self, number: int) -> None:
        # asyncio's own functions would take its status away from the wait for its end.
        if self._process is not None and self._process.returncode is None:
            try:
                os.kill(self._process.pid, number)
            except ProcessLookupError:
                pass  # it has just ended

    async def _supervise(self) -> None:
        while True:
            await self._may_start.wait()
            self._killed = self._upgrades = False
            if await self._start():
                await self._process.wait()
            self.is_up = False
            self.port = 0  # nobody is there
            if self._upgrades and self._process.returncode == 0:
                self.upgrades += 1
            elif not self._killed:
                self.statuses.append(self._process.returncode)
                await asyncio.sleep(RESTART_S)

    async def _start(self) -> bool:
        """Whether it listens. It does not as long as it can't reach the database."""
        self.starts += 1
        with open(f"{self._folder.name}/log", "ab") as log:
            self._process = await asyncio.create_subprocess_exec(*self.host.command([
                f"{BIN}/tictactoe-server", "--listen", self.host.ipv4, "--port", str(self._wired_port),
                "--store", self._url, "--data-dir", f"{self._folder.name}/data",
                "--public-address", self.address, "--no-discovery", "--ai-delay", "0", "--rate", "0",
                "--max-per-address", "0", "--grace", "3600", "--drain", "600",
                "--log", "warn"]),
                stdout=asyncio.subprocess.PIPE, stderr=log)
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), TIMEOUT)
        except asyncio.TimeoutError:
            line = b""
        if b"listening on" not in line:
            self._signal(signal.SIGKILL)
            await self._process.wait()
            return False
        self.port = int(line.decode().strip().rsplit(":", 1)[1])
        self.is_up = True
        return True
