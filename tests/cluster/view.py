"""What a run shows: a live table at a terminal, and the summary."""

from __future__ import annotations

import asyncio
import statistics
import sys

from faults import Fault, Faults
from people import Crowd
from servers import Server

INTERVAL_S = 0.5
WINDOW_S = 5.0


class View:
    """Redraws its table in place. Without a terminal it says only what fails."""

    def __init__(self, crowd: Crowd, servers: list[Server], faults: Faults) -> None:
        self._crowd, self._servers, self._faults = crowd, servers, faults
        self._lines = 0

    async def show(self) -> None:
        said = 0
        while True:
            await asyncio.sleep(INTERVAL_S)
            if sys.stdout.isatty():
                self._draw()
            elif self._faults.count != said:
                said = self._faults.count
                print(f"{self._crowd.history.now:5.1f} s  {self._faults.latest}", flush=True)

    def _draw(self) -> None:
        lines = self._table()
        up = f"\x1b[{self._lines}A" if self._lines else ""
        print(up + "".join(f"\x1b[2K{line}\n" for line in lines), end="", flush=True)
        self._lines = len(lines)

    def _table(self) -> list[str]:
        now = self._crowd.history.now
        recent = []
        for answer in reversed(self._crowd.answers):
            if answer.ended < now - WINDOW_S:
                break
            recent.append(answer)
        lines = [f"{'server':8}{'state':>10}{'people':>8}{'rooms':>8}{'moves/s':>9}{'longest pause':>16}"]
        for server in self._servers:
            here = [person for person in self._crowd.persons.values()
                    if person.is_connected and person.port == server.public_port]
            mine = [answer for answer in recent if answer.server == server.public_port]
            lines.append(self._row(server.name, "fails" if server.faults else "up" if server.is_up else "down",
                                   len(here), {person.room.name for person in here if person.room}, mine, []))
        waiting = [now - person.asked_at for person in self._crowd.persons.values() if person.asked_at]
        lines.append(self._row("all", "", len(self._crowd.persons),
                               {person.room.name for person in self._crowd.persons.values() if person.room},
                               recent, waiting))
        active = ", ".join(self._faults.active.values())
        lines.append(f"{now:5.0f} s  {self._crowd.moves} moves, {len(self._faults.done)} faults; "
                     f"longest pause {longest(self._crowd):.1f} s")
        lines.append(f"now: {active or '-'}"[:100])
        return lines

    @staticmethod
    def _row(name: str, state: str, people: int, rooms: set, answers: list, waiting: list) -> str:
        moves = sum(answer.kind == "move" for answer in answers)
        pause = max([answer.ended - answer.began for answer in answers] + waiting, default=0)
        return f"{name:8}{state:>10}{people:8}{len(rooms):8}{moves / WINDOW_S:9.1f}{pause:14.1f} s"


def longest(crowd: Crowd) -> float:
    return max((answer.ended - answer.began for answer in crowd.answers), default=0)


def summary(crowd: Crowd, servers: list[Server], faults: Faults, each: bool) -> str:
    """A pause is the time from a request to its answer, over all connections and repetitions. That of
    a fault is the longest one of those during the fault, whatever else failed at the same time. With `each`
    all of them are listed."""
    seconds = crowd.history.now
    own_ends = sum(len(server.statuses) for server in servers)
    upgrades = sum(server.upgrades for server in servers)
    lost = sum(server.log().count("starting again") for server in servers)
    lines = [f"{crowd.moves} moves in {seconds:.0f} s ({crowd.moves / seconds:.0f}/s), {len(crowd.answers)} "
             f"requests done, {crowd.total('redirects')} redirects, {crowd.total('returns')} returns after a "
             f"lost connection",
             f"servers started {sum(server.starts for server in servers)} times, {own_ends} of them after "
             f"they had ended by themselves, {upgrades} after they had handed over; {lost} times a server "
             f"has lost its lease",
             f"{'fault':38}{'times':>7}{'longest pause: median':>24}{'worst':>9}"]
    for kind in sorted({fault.what for fault in faults.done}):
        pauses = [pause_of(crowd, fault) for fault in faults.done if fault.what == kind]
        lines.append(f"{kind:38}{len(pauses):7}{statistics.median(pauses):22.1f} s{max(pauses):7.1f} s")
        if each:
            lines.append("  each: " + " ".join(f"{pause:.1f}" for pause in sorted(pauses)))
    return "\n".join(lines + [f"longest pause of anybody: {longest(crowd):.1f} s"])


def pause_of(crowd: Crowd, fault: Fault) -> float:
    return max((answer.ended - answer.began for answer in crowd.answers
                if answer.began < fault.healed and answer.ended > fault.began), default=0)
