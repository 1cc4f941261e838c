"""Three servers over PostgreSQL with a hundred players, while all kinds of things fail. See ./run cluster.

Players write down all that they ask and are told; checker.py then decides from that alone whether anything
acknowledged was lost or done twice.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

import places  # noqa: F401  (before what it makes known)
import raw_client
from database import Database
from faults import DECK, OF_A_SERVER, OF_PACKETS, WIRED_DECK, Faults
from generated import protocol
from history import History, fields_of_record
from people import Crowd
from plants import PLANTS, Planting
from postgres import is_installed
from servers import Server
from view import summary, tell
from wires import Wires, enter

SKIPPED = 77  # as in CMakeLists.txt
SERVERS = "ABC"
CALM_S = 90.0  # most for everything to go on after the last fault
SETTLED_S = 1.5  # after which everybody who suffers from a fault waits for an answer
REST_S = 60.0  # most for everybody to finish what they do
RECORDS_AT_ONCE = 50


class Stuck(Exception):
    """The games do not go on."""


async def first_of(work, tasks: list[asyncio.Task]):
    """The result of `work`, unless one of the tasks fails before."""
    task = asyncio.ensure_future(work)
    try:
        pending = {task, *tasks}
        while not task.done():
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                one.result()
        return task.result()
    finally:
        task.cancel()


async def end(tasks: list[asyncio.Task]) -> None:
    """asyncio.wait_for() of Python 3.11 can lose a cancellation, so it may take two."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=0.2)


async def until_all_go_on(crowd: Crowd, least_s: float = 0.0) -> None:
    """Until everybody who is there has had an answer to something asked from now on, and nobody has waited
    for a second. Not before `least_s`."""
    began, deadline = crowd.history.now, time.monotonic() + CALM_S
    waiting = []
    while time.monotonic() < deadline:
        now = crowd.history.now
        waiting = [person.label for person in crowd.persons.values()
                   if person.asked_at is not None and person.asked_at < max(began, now - 1.0)]
        went_on = sum(answer.began > began and answer.kind == "move" for answer in crowd.answers[-2000:])
        if not waiting and went_on >= len(crowd.rooms) and now >= began + least_s:
            return
        await asyncio.sleep(0.1)
    raise Stuck(f"after all faults these still wait for an answer: {', '.join(waiting) or 'nobody'}")


async def until_all_rest(crowd: Crowd) -> None:
    crowd.finishing = True
    _, pending = await asyncio.wait(crowd.tasks, timeout=REST_S)
    if pending:
        raise Stuck(f"{len(pending)} people don't come to rest")


def historian_at(server: Server) -> raw_client.RawClient:
    """A server whose connections to the database were cut while idle says once that it can't tell yet."""
    deadline = time.monotonic() + CALM_S
    while True:
        client = raw_client.RawClient(protocol, server.host.ipv4, server.public_port, CALM_S)
        try:
            client.hello(f"historian {server.name}")
            return client
        except raw_client.Refused as refused:
            client.close()
            if (refused.error.code != protocol.server.Error.CODE_CANNOT_RECORD
                    or time.monotonic() > deadline):
                raise
            time.sleep(0.5)


def read_records(server: Server, history: History) -> None:
    """Writes all finished games into the history, as this server tells them."""
    client = historian_at(server)
    ids: list[int] = []
    while True:
        page = client.ask("list_games", before=ids[-1] if ids else 0)
        ids += [game.id for game in page.games]
        if not page.more:
            break
    for begin in range(0, len(ids), RECORDS_AT_ONCE):
        asked = [client.request("get_game", id=number) for number in ids[begin:begin + RECORDS_AT_ONCE]]
        client.send_together(asked)
        for _ in asked:
            game = client.receive().game_found.game
            history.add("record", by=server.name, **fields_of_record(game))
    client.close()
    history.add("records", by=server.name, count=len(ids))


async def run(options: argparse.Namespace, history: History, wires: Wires | None,
              planting: Planting | None) -> str:
    """The summary. Raises Stuck. SIGTERM ends it as Ctrl-C does."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asyncio.current_task().cancel)
    plant = planting.plant if planting else None
    database = await asyncio.to_thread(Database, plant is not None and plant.asynchronous,
                                       **({"hosts": wires.databases} if wires else {}))
    servers = [Server(name, database, planting, wires) for name in SERVERS]
    crowd, tasks = None, []
    try:
        await asyncio.gather(*(server.open() for server in servers))
        crowd = Crowd(options.players, options.seed,
                      {server.public_port: server.host.ipv4 for server in servers}, history)
        deck = (plant.faults if plant else (options.only,) if options.only
                else WIRED_DECK if wires else DECK)
        faults = Faults(servers, database, history, options.seed, deck)
        crowd.start()
        tasks = crowd.tasks + [asyncio.create_task(tell(crowd, faults))]
        if options.apart:
            await first_of(faults.run_apart(options.apart, lambda: until_all_go_on(crowd, SETTLED_S),
                                            lambda free: max(free, key=crowd.count_seats)), tasks)
        else:
            await first_of(faults.run(options.minutes * 60), tasks)
        await first_of(until_all_go_on(crowd), tasks)
        await until_all_rest(crowd)
        for task in crowd.tasks:
            task.result()
        for server in servers:
            await asyncio.to_thread(read_records, server, history)
        history.add("end")
        return summary(crowd, servers, faults, bool(options.apart))
    except Exception as problem:
        if not isinstance(problem, Stuck):
            traceback.print_exc()
        for server in servers:
            if log := server.log():
                print(f"The last lines of server {server.name}:", *log.splitlines()[-8:], sep="\n",
                      file=sys.stderr)
        raise Stuck(f"{type(problem).__name__}: {problem}") from problem
    finally:
        await end(tasks)
        for person in list(crowd.persons.values()) if crowd else ():
            person.close()
        for server in servers:
            await server.close()
        await asyncio.to_thread(database.close)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run cluster", description=__doc__.splitlines()[0],
        epilog="As root, or where users may make user namespaces, each server and each database is on a host "
               "of its own (a network namespace), and packets are dropped; otherwise proxies stand for the "
               "network. Exit status: 0, or 1 if anything acknowledged was lost, 77 without PostgreSQL, or "
               "if the fault of --only needs namespaces that are not allowed.")
    parser.add_argument("--minutes", type=float, default=1.0, metavar="N", help="time with faults [1]")
    parser.add_argument("--apart", type=int, default=0, metavar="N",
                        help="that many faults, each after everything goes on again, in place of --minutes")
    parser.add_argument("--players", type=int, default=100, metavar="N",
                        help="people who play, watch and visit, at least 6 [100]")
    parser.add_argument("--seed", type=int, metavar="S",
                        help="of the order of faults and moves [random]; the machine's timing varies")
    parser.add_argument("--history", metavar="FILE", help="keep the history there")
    faults = sorted({*DECK, *OF_A_SERVER, *OF_PACKETS})
    parser.add_argument("--only", choices=faults, metavar="FAULT", help=f"no other fault: {', '.join(faults)}")
    parser.add_argument("--plant", choices=PLANTS,
                        help="make the servers' SQL wrong, to see that the checker finds it; with proxies")
    parser.add_argument("--proxies", action="store_true", help="no namespaces, even if they are allowed")
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 32)
    if options.players < 6 or options.minutes <= 0 or options.apart < 0:
        parser.error("at least 6 players and a positive number of minutes or faults are needed")
    return options


def main() -> int:
    options = parse()
    if not is_installed():
        print("SKIPPED cluster.faults: PostgreSQL is not installed (package postgresql)")
        return SKIPPED
    missing = ("they can make the SQL wrong" if options.plant else "--proxies" if options.proxies else enter())
    with contextlib.ExitStack() as stack:
        wires = None
        if not missing:
            wires = stack.enter_context(Wires(SERVERS))
            missing = wires.missing
        network = f"proxies in place of a network ({missing})" if missing else "each on a host of its own"
        if missing and options.only in OF_PACKETS:
            print(f"SKIPPED cluster.faults: no network namespaces here: {missing}")
            return SKIPPED
        print(f"{options.players} people, {len(SERVERS)} servers, {network}, seed {options.seed}", flush=True)
        return try_it(options, network, None if missing else wires)


def try_it(options: argparse.Namespace, network: str, wires: Wires | None) -> int:
    """The exit status."""
    path = options.history or tempfile.mkstemp(prefix="tictactoe-cluster-", suffix=".history")[1]
    history = History(path)
    planting = Planting(PLANTS[options.plant]) if options.plant else None
    status = 0
    try:
        print(asyncio.run(run(options, history, wires, planting)), f"the network: {network}", sep="\n", flush=True)
    except Stuck as stuck:
        print(f"STUCK: {stuck}", flush=True)
        status = 1
    except BaseException:
        if not options.history:
            os.unlink(path)
        raise
    finally:
        history.close()
    checked = subprocess.run([sys.executable, "-B", Path(__file__).with_name("checker.py"), path],
                             check=False).returncode
    if planting and not planting.hits:
        print("NOT PLANTED: no server has sent the statement that this mistake changes, so whatever was found "
              "is another one.")
        status = 1
    elif planting:
        found = checked == 1  # people may be stuck because of it
        print(f"Planted: {planting.plant.says}.", "FOUND" if found else "NOT FOUND")
        status = 0 if found else 1
    else:
        status = status or checked
        print("LOST, or worse: see above." if status else "Nothing acknowledged was lost or done twice.")
    if status or options.history:
        print(f"The history is in {path}.")
    else:
        os.unlink(path)
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit(130)
