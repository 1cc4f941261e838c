"""Attacks a server of its own that has default settings, once or for some minutes.

As a test: siege.py ATTACK. By hand: ./run siege.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import postgres  # noqa: E402  (they are found by the line above)
from programs import BIN, Process, free_ports  # noqa: E402

# These ask for the longest record.
NEED_RECORD = ("mixed", "non-readers", "websockets")
# These attack two servers of one lobby, which share a database.
NEED_LOBBY = ("names",)
# What an attack takes until it has done its worst, if not 4 s.
SECONDS = {"non-readers": "12"}
SIDE, MOVES = 1000, 10_000
TOO_SLOW = 3
SKIPPED = 77  # as in CMakeLists.txt
PROGRAMS = ("tictactoe-server", "tictactoe-siege", "tictactoe-simulate")
# If honest requests are sent this much later than they were due, this machine has no time to spare,
# and the figures say nothing about the server.
BUSY_MS = 1.0
# What connections do must not fill the disk: the server's log has a burst of lines, and then some each
# second.
LOG_BYTES = 100_000
LOG_BYTES_PER_SECOND = 5_000
# The bound of docs/threat-model.md.
MOST_MEMORY_MIB = 4_608
# In the log of the level "debug" if a turn of the event loop has taken more than 5 ms of its thread's
# CPU time. A busy machine makes that time longer only by a cold cache, or if it is a virtual one whose
# host is busy: then a few turns take longer, but not many in each of three sieges.
LONG_TURN = "a turn of the event loop"
MANY_TURNS = 10
# The journal is kept in memory if possible: moves wait for the disk, which others use too.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def write_record(path: pathlib.Path) -> None:
    """The longest game on the largest board."""
    def cell(row: int, column: int) -> str:
        letters = ""
        while column >= 0:
            letters = chr(ord("a") + column % 26) + letters
            column = column // 26 - 1
        return f"{letters}{row + 1}"

    columns = [cell(0, column)[:-1] for column in range(SIDE)]
    with path.open("w") as file:
        file.write(f'[X "one"]\n[O "two"]\n[Rules "{SIDE}x{SIDE}x{SIDE}"]\n'
                   '[Result "1/2-1/2"]\n[Termination "move limit"]\n\n')
        for row in range(MOVES // SIDE):
            for begin in range(0, SIDE, 100):
                file.write(" ".join(f"{column}{row + 1}" for column in columns[begin:begin + 100]) + "\n")
        file.write("1/2-1/2\n")


def limit_descriptors() -> None:
    """As most systems do. The server raises this to what it needs."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, most))


class Server(Process):
    """A server with default settings on a free port, with a journal of its own, or one of a lobby with
    that database. It measures the turns of its event loop."""

    def __init__(self, folder: str, with_record: bool, store: str = "") -> None:
        port = free_ports(1)[0] if store else 0
        options = ["--store", store, "--public-address", f"127.0.0.1:{port}"] if store else []
        if with_record:
            record = pathlib.Path(folder) / "record.txt"
            write_record(record)
            subprocess.run([f"{BIN}/tictactoe-server", "import", "--create", record, "--data-dir", folder],
                           check=True, stdout=subprocess.DEVNULL)
        self._log = pathlib.Path(folder) / "log"
        with self._log.open("wb") as log:
            super().__init__([f"{BIN}/tictactoe-server", "--listen", "127.0.0.1", "--port", str(port),
                              "--no-discovery", "--data-dir", folder, "--log", "debug", *options], None,
                             stdout=subprocess.PIPE, stderr=log, preexec_fn=limit_descriptors)
        self.port = int(self.expect(r"^tictactoe-server \S+ listening on \S+:(\d+)$").group(1))

    def log(self) -> list[str]:
        return self._log.read_text(errors="replace").splitlines()

    def faults(self, seconds: float, memory_mib: float) -> list[str]:
        """What is wrong with it after an attack of that length, besides what honest players have seen."""
        if self.process.poll() is not None:
            return ["The server has ended."]
        faults = []
        logged = self._log.stat().st_size
        print(f"The server's log has {logged} bytes after {seconds:.1f} s.", flush=True)
        if logged > LOG_BYTES + LOG_BYTES_PER_SECOND * seconds:
            faults.append("The server's log grows too fast.")
        if memory_mib > MOST_MEMORY_MIB:
            faults.append(f"The server has taken {memory_mib:.0f} MiB; at most {MOST_MEMORY_MIB} may be.")
        return faults


class Outcome(NamedTuple):
    status: int  # the exit status of tictactoe-siege, or 1 if the server is at fault
    late_ms: float = 0  # if something took too long: 99 % of the honest requests were sent within
    long_turns: int = 0


def besiege(attack: str, patience: int, *options: str) -> Outcome:
    """One attack on a new server, or on two."""
    with contextlib.ExitStack() as stack:
        def make_folder() -> str:
            return stack.enter_context(tempfile.TemporaryDirectory(prefix="tictactoe-siege-", dir=MEMORY))

        store = ""
        if attack in NEED_LOBBY:
            store = stack.enter_context(contextlib.closing(postgres.Postgres())).url
        folder = make_folder()
        server = stack.enter_context(Server(folder, attack in NEED_RECORD, store))
        servers = [server]
        if store:
            servers.append(stack.enter_context(Server(make_folder(), False, store)))
            options += ("--other-port", str(servers[1].port))
        path = pathlib.Path(folder) / "figures.json"
        begun = time.monotonic()
        status = subprocess.run([f"{BIN}/tictactoe-siege", attack, "--port", str(server.port),
                                 "--server-pid", str(server.process.pid), "--patience", str(patience),
                                 "--json", str(path), *options], check=False).returncode
        figures = json.loads(path.read_text()) if path.exists() else {}
        for one in servers:
            memory_mib = figures.get("peak_mib", 0) if one is server else 0
            for fault in one.faults(time.monotonic() - begun, memory_mib):
                print("FAULT:", fault)
                status = 1
        log = [line for one in servers for line in one.log()]
        long_turns = [line for line in log if LONG_TURN in line]
        if long_turns:
            print(f"DELAY: The server's log names {len(long_turns)} turns of the event loop of more "
                  "than 5 ms; the last:", *long_turns[-3:], sep="\n", flush=True)
            if len(long_turns) > (0 if patience == 1 else MANY_TURNS):
                status = status or TOO_SLOW
        if status != 0:
            warnings = [line for line in log if "[info]" not in line]
            print("The server's last warnings:", *warnings[-5:], sep="\n", flush=True)
        if status != TOO_SLOW:
            return Outcome(status)
        late = figures["late_p99_ms"]
        print(f"99 % of the honest requests were sent within {late:.1f} ms of their time.", flush=True)
        return Outcome(status, late, len(long_turns))


def test(attack: str, patience: int, options: list[str]) -> int:
    """Up to three times if something took too long: the disk, or another program, may be the reason,
    and on two cores the attackers take the server's time as well. Nothing is shown if this machine was
    too busy each time, unless the event loop had many long turns each time."""
    outcomes = []
    for _ in range(3):
        if outcomes:
            print("Once more, to tell the server from the machine:", flush=True)
        outcome = besiege(attack, patience, *options)
        if outcome.status != TOO_SLOW:
            return outcome.status
        outcomes.append(outcome)
    if all(outcome.long_turns >= MANY_TURNS for outcome in outcomes):
        print("FAULT: The event loop had many long turns each time.")
        return TOO_SLOW
    if min(outcome.late_ms for outcome in outcomes) > BUSY_MS:
        return skipped(attack, "this machine is too busy to tell")
    return TOO_SLOW


def skipped(attack: str, reason: str) -> int:
    """Says that nothing can be said. Neither a success nor a failure: CTest calls it skipped."""
    print(f"SKIPPED siege.{attack}: {reason}", flush=True)
    return SKIPPED


def for_minutes(minutes: float, seed: int, requests: int, patience: int) -> int:
    """All attacks mixed, each time with another seed against a new server and in the simulation. Succeeds
    only if each siege of a real server has shown that it holds."""
    until = time.monotonic() + 60 * minutes
    shown = []
    unclear = []
    while True:
        print(f"seed {seed}", flush=True)
        left = max(5.0, until - time.monotonic())
        status = test("mixed", patience, ["--seed", str(seed), "--seconds", str(min(60.0, left))])
        if status not in (0, SKIPPED):
            return status
        (shown if status == 0 else unclear).append(seed)
        print("In the simulation:", flush=True)
        if subprocess.run([f"{BIN}/tictactoe-simulate", "--siege", "--seed", str(seed),
                           "--requests", str(requests)], check=False).returncode != 0:
            return 1
        if time.monotonic() >= until:
            break
        seed = random.getrandbits(32)
    print(f"The simulation held with {len(shown) + len(unclear)} seeds, the real server with "
          f"{len(shown)} of them.", flush=True)
    if unclear:
        return skipped("mixed", "this machine was too busy with seed " +
                       ", ".join(map(str, unclear)))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="./run siege", description="Attacks a server that has default settings.",
        epilog="Without an attack: all of them mixed at random, against a real server and then in "
               "the simulation (tictactoe-simulate --siege) with the same seed. With one, further "
               "options are those of tictactoe-siege, whose --help lists the attacks. Exit status: 0 if "
               "it holds, 77 if nothing can be said, something else if it does not hold.")
    parser.add_argument("attack", nargs="?", help="one attack only")
    parser.add_argument("--minutes", type=float, default=1,
                        help="how long, without an attack [1]")
    parser.add_argument("--requests", type=int, default=90_000,
                        help="of honest clients in each simulation, without an attack [90000]")
    parser.add_argument("--patience", type=int, default=1,
                        help="the bounds of times are so many times as long, and a few long turns of the "
                             "event loop are allowed: for a machine that is not quiet [1]")
    parser.add_argument("--seed", type=int, help="what happens first [something new]")
    arguments, options = parser.parse_known_args()
    missing = [name for name in PROGRAMS if not os.access(f"{BIN}/{name}", os.X_OK)]
    if missing:
        return skipped(arguments.attack or "mixed", f"there is no {' and no '.join(missing)} in {BIN}")
    if arguments.attack in NEED_LOBBY and not postgres.is_installed():
        return skipped(arguments.attack, "PostgreSQL is not installed (package postgresql)")
    seed = arguments.seed if arguments.seed is not None else random.getrandbits(32)
    if arguments.attack is None:
        return for_minutes(arguments.minutes, seed, arguments.requests, arguments.patience)
    if arguments.attack in SECONDS and "--seconds" not in options:
        options += ["--seconds", SECONDS[arguments.attack]]
    return test(arguments.attack, arguments.patience, ["--seed", str(seed), *options])


if __name__ == "__main__":
    sys.exit(main())
