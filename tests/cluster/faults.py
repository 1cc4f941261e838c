"""What goes wrong during a run, and how it is mended."""

from __future__ import annotations

import asyncio
import random
from typing import Awaitable, Callable, NamedTuple

from database import Database
from history import History
from servers import Server

LEASE_S = 6.0  # of the servers
# As if the clock of the database had jumped ahead. The server itself does not know until it renews its lease.
EARLY_END = "lease of a server ends early"

# Of one server each, and of everything.
OF_A_SERVER = {
    "server killed": (0.5, 6.0),  # between so many seconds
    "server upgraded": (0.1, 0.5),  # between its end and its start
    "server stopped beyond its lease": (LEASE_S + 1, LEASE_S + 4),
    "server loses the database": (1.0, 4.0),
    "database stalls for a server": (3.0, LEASE_S + 3),
    "answers of the database are lost": (0.3, 1.0),
    "server loses its clients": (1.0, 4.0),
    "clients stall for a server": (1.0, LEASE_S + 2),
    EARLY_END: (0.1, 1.0),
    # Only if asked for, and with planted mistakes.
    "database stalls beyond the lease": (LEASE_S + 3, LEASE_S + 5),
    "answers are lost, then killed": (0.3, 1.0),
}
# Of one server each, below TCP: no connection ends by them. Only in a network of namespaces.
OF_PACKETS = {
    "packets to the database are dropped": (3.0, LEASE_S + 4),
    "packets from the database are dropped": (3.0, LEASE_S + 4),
    "packets to clients are dropped": (1.0, LEASE_S + 2),
    "packets from clients are dropped": (1.0, LEASE_S + 2),
    "single packets are lost": (3.0, LEASE_S + 2),
    "cable of a server is pulled": (1.0, LEASE_S + 3),
}
LOST_SHARE = 0.25  # of the packets of either direction, if single ones are lost
ALSO = {"database stalls beyond the lease": "database stalls for a server",
        "answers are lost, then killed": "answers of the database are lost"}
RETRIED_S = 1.2  # after which a commit whose answer was lost has been tried again
# How often a fault is not put off because a server suffers from another one. Takeovers take as long as a
# lease, so with more of these nobody could play.
OVERLAP = 0.2
OF_ALL = ("primary killed", "everything killed")
DECK = ("server killed", "server killed", "server killed", "server upgraded", "server upgraded",
        "server stopped beyond its lease",
        "server loses the database", "answers of the database are lost", "database stalls for a server",
        "server loses its clients", "clients stall for a server", EARLY_END, *OF_ALL)
WIRED_DECK = (*DECK, *OF_PACKETS)


class Fault(NamedTuple):
    what: str
    where: str
    began: float  # in seconds of the history
    healed: float


class Faults:
    """Draws them from a deck. Several can overlap."""

    def __init__(self, servers: list[Server], database: Database, history: History, seed: int,
                 deck: tuple[str, ...] = DECK) -> None:
        self._whole_deck = deck
        self._servers, self._database, self._history = servers, database, history
        self._random = random.Random(seed)
        self._deck: list[str] = []
        self._tasks: set[asyncio.Task] = set()
        self._database_fails = False
        self._all_go_on: Callable[[], Awaitable[None]] | None = None
        self._choose: Callable[[list[Server]], Server] = self._random.choice
        self.done: list[Fault] = []
        self.active: dict[int, str] = {}
        self.latest = ""
        self.count = 0

    async def run(self, seconds: float) -> None:
        """Returns once all is healed."""
        end = self._history.now + seconds
        while self._history.now < end:
            await asyncio.sleep(self._random.uniform(1.0, 4.0))
            for task in [task for task in self._tasks if task.done()]:
                self._tasks.remove(task)
                task.result()
            if self._history.now < end:
                self._begin_next()
        await asyncio.gather(*self._tasks)

    async def run_apart(self, count: int, all_go_on: Callable[[], Awaitable[None]],
                        choose: Callable[[list[Server]], Server]) -> None:
        """So many, each after everything goes on again, of the server that `choose` returns. A killed server
        starts only then."""
        self._all_go_on, self._choose = all_go_on, choose
        await all_go_on()
        for _ in range(count):
            await asyncio.sleep(self._random.uniform(0.5, 1.5))
            self._begin_next()
            await asyncio.gather(*self._tasks)
            self._tasks.clear()

    def _begin_next(self) -> None:
        if not self._deck:
            self._deck = list(self._whole_deck)
            self._random.shuffle(self._deck)
        kind = self._deck[-1]
        free = [server for server in self._servers if not server.faults and server.is_up]
        if len(free) < len(self._servers) and self._random.random() > OVERLAP:
            return  # later
        if kind in (*OF_ALL, EARLY_END) and self._database_fails:
            return  # later
        if kind in OF_ALL:
            work = self._kill_primary() if kind == OF_ALL[0] else self._kill_everything()
            self._start(kind, "", work)
        elif free:
            server = self._choose(free)
            self._start(kind, server.name, self._hurt(server, kind))
        else:
            return
        self._deck.pop()

    def _start(self, kind: str, where: str, work) -> None:
        self.count += 1
        self.latest = f"{kind} {where}".strip()
        self.active[self.count] = self.latest
        self._tasks.add(asyncio.create_task(self._account(self.count, kind, where, work)))

    async def _account(self, number: int, kind: str, where: str, work) -> None:
        began = self._history.now
        self._history.add("fault", what=self.active[number], number=number)
        await work
        if self._all_go_on:
            await self._all_go_on()
        self._history.add("healed", what=self.active[number], number=number)
        self.done.append(Fault(kind, where, began, self._history.now))
        del self.active[number]

    async def _hurt(self, server: Server, kind: str) -> None:
        stores = server.stores
        begin, heal = {
            "server upgraded": (lambda: None, server.allow),
            EARLY_END: (lambda: None, server.allow),
            "server killed": (server.kill, server.allow),
            "server stopped beyond its lease": (server.stop, server.resume),
            "server loses the database": (lambda: [link.cut() for link in stores], server.heal),
            "database stalls for a server": (lambda: [link.stall() for link in stores], server.heal),
            # What was asked meanwhile is done, and its outcome unknown.
            "answers of the database are lost": (
                lambda: [link.withhold_answers() for link in stores],
                lambda: [(link.cut(), link.heal()) for link in stores]),
            "server loses its clients": (server.clients.cut, server.heal),
            "clients stall for a server": (server.clients.stall, server.heal),
            "packets to the database are dropped": (lambda: stores[0].drop_sent(), server.heal),
            "packets from the database are dropped": (lambda: stores[0].drop_heard(), server.heal),
            "packets to clients are dropped": (lambda: server.clients.drop_sent(), server.heal),
            "packets from clients are dropped": (lambda: server.clients.drop_heard(), server.heal),
            "single packets are lost": (lambda: server.cable.lose(LOST_SHARE), server.heal),
            "cable of a server is pulled": (lambda: server.cable.pull(), server.heal),
        }[ALSO.get(kind, kind)]
        server.faults += 1
        begin()
        if kind == "server upgraded":
            await server.upgrade()
        if kind == EARLY_END:
            await asyncio.to_thread(self._database.end_lease, server.address)
        if self._all_go_on and kind == "server killed":
            await self._all_go_on()
        else:
            await asyncio.sleep(self._random.uniform(*(OF_A_SERVER | OF_PACKETS)[kind]))
        heal()
        if kind == "answers are lost, then killed":
            await asyncio.sleep(RETRIED_S)
            server.kill()
            await asyncio.sleep(RETRIED_S)
        server.faults -= 1
        if not server.faults:
            server.allow()  # it may have been killed with everything meanwhile
        await self._until_up(server)

    async def _kill_primary(self) -> None:
        self._database_fails = True
        await asyncio.to_thread(self._database.fail_over)
        await asyncio.to_thread(self._database.make_standby)
        self._database_fails = False

    async def _kill_everything(self) -> None:
        self._database_fails = True
        for server in self._servers:
            server.faults += 1
            server.kill()
        await asyncio.to_thread(self._database.kill)
        await asyncio.sleep(self._random.uniform(0.1, 1.0))
        await asyncio.to_thread(self._database.start)
        for server in self._servers:
            server.faults -= 1
            if not server.faults:
                server.allow()
        for server in self._servers:
            await self._until_up(server)
        self._database_fails = False

    @staticmethod
    async def _until_up(server: Server) -> None:
        while not server.is_up and not server.faults:
            await asyncio.sleep(0.05)
