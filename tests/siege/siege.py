"""Attacks a server of its own that has default settings, once or for some minutes.

As a test: siege.py ATTACK. By hand: ./run siege.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import resource
import socket
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from programs import BIN, Process  # noqa: E402  (it is found by the line above)

# These ask for a record of a million moves.
NEED_RECORD = ("long-records", "non-readers", "mixed", "full-house")
SIDE = 1000
TOO_SLOW = 3
SKIPPED = 77  # as in CMakeLists.txt
# If honest requests are sent this much later than they were due, this machine has no time to spare,
# and the figures say nothing about the server.
BUSY_MS = 1.0
# What connections do must not fill the disk: the server's log has a burst of lines, and then some each
# second.
LOG_BYTES = 100_000
LOG_BYTES_PER_SECOND = 5_000
# In the log if a peer is cut off because all outboxes, or those of an address, are full.
UNREAD = "is cut off: it has the most unread bytes"
# The journal is kept in memory if possible: moves wait for the disk, which others use too.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def write_record(path: pathlib.Path) -> None:
    """A drawn game that fills the largest board."""
    def cell(row: int, column: int) -> str:
        letters = ""
        while column >= 0:
            letters = chr(ord("a") + column % 26) + letters
            column = column // 26 - 1
        return f"{letters}{row + 1}"

    columns = [cell(0, column)[:-1] for column in range(SIDE)]
    with path.open("w") as file:
        file.write(f'[X "one"]\n[O "two"]\n[Rules "{SIDE}x{SIDE}x{SIDE}"]\n'
                   '[Result "1/2-1/2"]\n[Termination "board full"]\n\n')
        for row in range(SIDE):
            # The last row swaps the marks of each column, so that no column is full of one mark.
            swap = 1 if row == SIDE - 1 else 0
            for begin in range(0, SIDE, 100):
                file.write(" ".join(f"{columns[column ^ swap]}{row + 1}"
                                    for column in range(begin, begin + 100)) + "\n")
        file.write("1/2-1/2\n")


def limit_descriptors() -> None:
    """As most systems do. The server raises this to what it needs."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, most))


def free_udp_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.bind(("0.0.0.0", 0))
        return found.getsockname()[1]


class Server(Process):
    """A server with default settings on a free port, with a journal of its own."""

    def __init__(self, folder: str, with_record: bool) -> None:
        if with_record:
            record = pathlib.Path(folder) / "record.txt"
            write_record(record)
            subprocess.run([f"{BIN}/tictactoe-server", "import", record, "--data-dir", folder],
                           check=True, stdout=subprocess.DEVNULL)
        self.log = pathlib.Path(folder) / "log"
        self.discovery_port = free_udp_port()
        with self.log.open("wb") as log:
            super().__init__([f"{BIN}/tictactoe-server", "--listen", "127.0.0.1", "--port", "0",
                              "--discovery-port", str(self.discovery_port),
                              "--data-dir", folder], None,
                             stdout=subprocess.PIPE, stderr=log, preexec_fn=limit_descriptors)
        self.port = int(self.expect(r"^tictactoe-server \S+ listening on \S+:(\d+)$").group(1))


class Outcome(NamedTuple):
    status: int  # the exit status of tictactoe-siege, or 1 if the server has ended
    late_ms: float = 0  # if something took too long: 99 % of the honest requests were sent within


def besiege(attack: str, *options: str) -> Outcome:
    """One attack on a new server."""
    with tempfile.TemporaryDirectory(prefix="tictactoe-siege-", dir=MEMORY) as folder:
        with Server(folder, attack in NEED_RECORD) as server:
            figures = pathlib.Path(folder) / "figures.json"
            begun = time.monotonic()
            status = subprocess.run([f"{BIN}/tictactoe-siege", attack, "--port", str(server.port),
                                     "--discovery-port", str(server.discovery_port),
                                     "--server-pid", str(server.process.pid),
                                     "--json", str(figures), *options],
                                    check=False).returncode
            seconds = time.monotonic() - begun
            logged = server.log.stat().st_size
            print(f"The server's log has {logged} bytes after {seconds:.1f} s.", flush=True)
            if logged > LOG_BYTES + LOG_BYTES_PER_SECOND * seconds:
                print("FAULT: The server's log grows too fast.")
                status = 1
            if attack == "full-house":
                cut = server.log.read_text(errors="replace").count(UNREAD)
                print(f"The server's log names {cut} peers with the most unread bytes of all.")
                if cut == 0:
                    print("FAULT: The outboxes were not full.")
                    status = 1
            if server.process.poll() is not None:
                print("FAULT: The server has ended.")
                status = 1
            if status != 0:
                warnings = [line for line in server.log.read_text(errors="replace").splitlines()
                            if "[info]" not in line]
                print("The server's last warnings:", *warnings[-5:], sep="\n", flush=True)
            if status != TOO_SLOW:
                return Outcome(status)
            late = json.loads(figures.read_text())["late_p99_ms"]
            print(f"99 % of the honest requests were sent within {late:.1f} ms of their time.",
                  flush=True)
            return Outcome(status, late)


def test(attack: str, options: list[str]) -> int:
    """Up to three times if something took too long: the disk, or another program, may be the reason,
    and on two cores the attackers take the server's time as well. Skipped if this machine was too
    busy each time."""
    late = []
    for _ in range(3):
        outcome = besiege(attack, *options)
        if outcome.status != TOO_SLOW:
            return outcome.status
        late.append(outcome.late_ms)
        print("Once more, to tell the server from the machine:", flush=True)
    if min(late) > BUSY_MS:
        print("This machine is too busy to tell.", flush=True)
        return SKIPPED
    return TOO_SLOW


def simulate(seed: int, requests: int) -> int:
    """Hostile clients among honest ones in the simulation. The exit status of tictactoe-simulate."""
    print("In the simulation:", flush=True)
    return subprocess.run([f"{BIN}/tictactoe-simulate", "--siege", "--seed", str(seed),
                           "--requests", str(requests)], check=False).returncode


def for_minutes(minutes: float, seed: int, requests: int) -> int:
    """All attacks mixed, each time with another seed against a new server and in the simulation. Skipped
    only if each siege of a real server was."""
    until = time.monotonic() + 60 * minutes
    result = SKIPPED
    while True:
        print(f"seed {seed}", flush=True)
        left = max(5.0, until - time.monotonic())
        status = test("mixed", ["--seed", str(seed), "--seconds", str(min(60.0, left))])
        if status not in (0, SKIPPED):
            return status
        if simulate(seed, requests) != 0:
            return 1
        result = min(result, status)
        if time.monotonic() >= until:
            return result
        seed = random.getrandbits(32)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="./run siege", description="Attacks a server that has default settings.",
        epilog="Without an attack: all of them mixed at random, against a real server and then in "
               "the simulation (tictactoe-simulate --siege) with the same seed. With one, further "
               "options are those of tictactoe-siege, whose --help lists the attacks.")
    parser.add_argument("attack", nargs="?", help="one attack only")
    parser.add_argument("--minutes", type=float, default=1,
                        help="how long, without an attack [1]")
    parser.add_argument("--requests", type=int, default=90_000,
                        help="of honest clients in each simulation, without an attack [90000]")
    parser.add_argument("--seed", type=int, help="what happens first [something new]")
    arguments, options = parser.parse_known_args()
    seed = arguments.seed if arguments.seed is not None else random.getrandbits(32)
    if arguments.attack is None:
        return for_minutes(arguments.minutes, seed, arguments.requests)
    return test(arguments.attack, ["--seed", str(seed), *options])


if __name__ == "__main__":
    sys.exit(main())
