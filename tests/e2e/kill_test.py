"""Kills the real server with SIGKILL, again and again, in the middle of real traffic.

The people are those of ./run cluster. They play, talk, resign, leave and come back, and write down all that they ask
and are told. From that alone checker.py decides whether anything acknowledged was lost or done twice.

KILLS sets how often (100), SEED repeats a run as far as the machine's timing allows.
"""

from __future__ import annotations

import asyncio
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
from checker import check_file  # noqa: E402
from cluster import end, first_of, read_records, until_all_go_on, until_all_rest  # noqa: E402
from history import History  # noqa: E402
from people import Crowd  # noqa: E402
from programs import BIN, TIMEOUT  # noqa: E402

KILLS = int(os.environ.get("KILLS", "100"))
SEED = int(os.environ.get("SEED") or random.SystemRandom().randrange(1 << 32))
PLAYERS = 40


class Server:
    """The real server, which lives many lives on one port and one journal."""

    # Clients come from 127.0.0.1, so none of them can be given the server's own port while it is down.
    host = types.SimpleNamespace(ipv4="127.0.0.2")
    name = "A"

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.public_port = 0
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            f"{BIN}/tictactoe-server", "--listen", self.host.ipv4, "--port", str(self.public_port),
            "--data-dir", self._folder, "--no-discovery", "--ai-delay", "0", "--rate", "0", "--max-per-address", "0",
            "--log", "warn", stdout=asyncio.subprocess.PIPE)
        line = await asyncio.wait_for(self.process.stdout.readline(), TIMEOUT)
        self.public_port = int(line.decode().strip().rsplit(":", 1)[1])

    async def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return await asyncio.wait_for(self.process.wait(), TIMEOUT)


class Kills(unittest.TestCase):
    maxDiff = None  # all that the checker has found

    def test_nothing_told_is_lost(self) -> None:
        print(f"SEED={SEED} KILLS={KILLS}", file=sys.stderr)
        folder = tempfile.mkdtemp(prefix="tictactoe-kill-")
        history = History(f"{folder}/history")
        try:
            asyncio.run(self.play_and_kill(Server(f"{folder}/data"), history))
            history.close()
            self.assertEqual(check_file(f"{folder}/history").problems, [])
        except BaseException:
            print(f"The history and the journal are in {folder}.", file=sys.stderr)
            raise
        shutil.rmtree(folder)

    async def play_and_kill(self, server: Server, history: History) -> None:
        await server.start()
        crowd = Crowd(PLAYERS, SEED, {server.public_port: server.host.ipv4}, history, haste=0.05)
        crowd.start()
        try:
            busy = await first_of(self.kill_often(server, crowd), crowd.tasks)
            self.assertGreaterEqual(2 * busy, KILLS, "too few of the lives had any traffic")
            await first_of(until_all_go_on(crowd), crowd.tasks)
            await until_all_rest(crowd)
            for task in crowd.tasks:
                task.result()
            await asyncio.to_thread(read_records, server, history)
            history.add("end")
            self.assertEqual(await server.end(signal.SIGTERM), 0)
        finally:
            await end(crowd.tasks)
            if server.process.returncode is None:
                await server.end(signal.SIGKILL)
        print(f"{busy} of {KILLS} lives had traffic: {crowd.moves} moves, {crowd.total('returns')} returns",
              file=sys.stderr)

    async def until_traffic(self, crowd: Crowd, answers: int) -> None:
        while len(crowd.answers) == answers:
            await asyncio.sleep(0.01)

    async def kill_often(self, server: Server, crowd: Crowd) -> int:
        """Returns how many of the lives had any traffic."""
        busy = 0
        for life in range(KILLS):
            before = len(crowd.answers)
            # Some lives end while everybody still comes back, others after hundreds of moves. On a busy machine
            # a second may pass before the first answer.
            if life % 3:
                await asyncio.wait_for(self.until_traffic(crowd, before), TIMEOUT)
            await asyncio.sleep(crowd.random.choice((0.2, 0.6, 1.0)) * crowd.random.random())
            self.assertEqual(await server.end(signal.SIGKILL), -signal.SIGKILL, "the server has ended by itself")
            busy += len(crowd.answers) > before
            await server.start()
        return busy
