"""Kills the real server and its database with SIGKILL, in the middle of real traffic.

The players and checks are those of kill_test.py. Who asks for something while the database is away is
told that nothing can be recorded, and tries again; games go on by themselves when it is back.

KILLS sets how often (20), SEED repeats a run as far as the machine's timing allows.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
import unittest

from client_view import Broken
from kill_programs import Server
from kill_test import SEED, World, check_records, first_of
from postgres import Postgres, is_installed
from programs import TIMEOUT

KILLS = int(os.environ.get("KILLS", "20"))


async def wait_until_told(world: World) -> None:
    """Until a player is told of the failing database; not for long, as all may wait for answers."""
    told, deadline = world.told_of_stalls, time.monotonic() + 3
    while world.told_of_stalls == told and time.monotonic() < deadline:
        await asyncio.sleep(0.01)


async def kill_often(world: World, database: Postgres) -> dict[str, int]:
    """How often each was killed."""
    killed = {"server": 0, "database": 0, "both": 0}
    for kill in range(KILLS):
        before = world.updates
        await asyncio.sleep(0.2 + world.random.choice((0.05, 0.3, 0.6)) * world.random.random())
        # Each of them at least once in a run of three.
        what = list(killed)[kill] if kill < 3 else world.random.choice(list(killed))
        killed[what] += 1
        if what != "server":
            await asyncio.to_thread(database.kill)
        if what != "database":
            await world.kill_server()
        else:
            await wait_until_told(world)
        if what != "server":
            await asyncio.to_thread(database.start)
        if what != "database":
            await world.server.start()
        while world.updates == before:  # games go on
            await asyncio.sleep(0.01)
    return killed


async def play_and_kill(database: Postgres) -> str:
    """A sentence about what went on."""
    world = World(Server("--store", database.url), SEED)
    world.may_stall = True
    await world.server.start()
    players = [asyncio.create_task(player.run()) for player in world.players]
    try:
        killed = await first_of(kill_often(world, database), players)
        try:
            await asyncio.wait_for(first_of(world.come_to_rest(), players), TIMEOUT)
        except asyncio.TimeoutError:
            raise Broken("\n".join(["stuck:", *world.stuck()])) from None
        games = check_records(world.server.port, world.expected_records())
        await world.server.stop()
        return (f"kills: {killed}; {world.updates} updates told, {world.told_of_stalls} requests "
                f"answered that the database is away, {world.kept_checks} rooms compared "
                f"afterwards, {games} games ended,")
    finally:
        for task in players:
            task.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        if world.server.process.returncode is None:
            await world.server.kill()


@unittest.skipUnless(is_installed(), "PostgreSQL is not installed (package postgresql)")
class Kills(unittest.TestCase):
    def test_nothing_told_is_lost(self) -> None:
        print(f"SEED={SEED} KILLS={KILLS}", file=sys.stderr)
        begin = time.monotonic()
        database = Postgres()
        self.addCleanup(database.close)
        summary = asyncio.run(play_and_kill(database))
        print(f"{summary} in {time.monotonic() - begin:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
