#!/usr/bin/python3
"""Measures where a server's memory goes: at 50 rooms that play, for an idle connection, and for a room.

    memory.py BIN_DIR OUTPUT_DIR [OPTIONS]

Writes memory.md. Times do not count here, so the machine may be busy.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from typing import NamedTuple

from crowd import Crowd
from server_report import spread

KIB, MIB = 1024, 1024 * 1024
PLAYING_ROOMS = 50
SETTLED_S = 1.0
FOR_LOAD = ["--rate", "0", "--max-per-address", "0", "--max-connections", "20000", "--max-rooms", "20000"]
WANTED = {"resident": 8 * MIB, "connection": 1.6 * KIB, "room": 1.5 * KIB}

# By the names of the mapped files.
GROUPS = {
    "heap, stacks and other data": r"^$|^\[",
    "the program": r"^tictactoe-server$",
    "OpenSSL": r"^lib(ssl|crypto)\.",
    "libpq, and what it brings: GnuTLS, Kerberos, LDAP":
        r"^lib(pq|gnutls|p11-kit|nettle|hogweed|gmp|unistring|idn2|tasn1|ffi|krb5\w*|k5crypto|gssapi_krb5|com_err|"
        r"keyutils|ldap.*|lber.*|sasl2|resolv)[.-]",
    "ICU": r"^libicu",
    "libsystemd, and what it brings": r"^lib(systemd|gcrypt|gpg-error|lz4|zstd|lzma|cap)\.",
    "Protocol Buffers": r"^libprotobuf",
    "SQLite": r"^libsqlite3",
    "the C and C++ libraries": r"^(lib(c|m|stdc\+\+|gcc_s)\.|ld-linux)",
    "other libraries": r"",
}


class Part(NamedTuple):
    resident: int = 0  # bytes
    private: int = 0  # of them those that no other process can share and the disk does not have


def parts_of(pid: int) -> dict[str, Part]:
    """Of the memory of a process, by group."""
    parts: dict[str, Part] = defaultdict(Part)
    group = ""
    for line in pathlib.Path(f"/proc/{pid}/smaps").read_text().splitlines():
        if begin := re.match(r"[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \S+ *(.*)", line):
            name = begin[1] if begin[1].startswith("[") else pathlib.PurePath(begin[1]).name
            group = next(group for group, names in GROUPS.items() if re.search(names, name))
        elif found := re.match(r"(Rss|Private_Dirty): +(\d+) kB", line):
            size = int(found[2]) * KIB
            resident, private = parts[group]
            parts[group] = Part(resident + size * (found[1] == "Rss"), private + size * (found[1] == "Private_Dirty"))
    return parts


def private_bytes(pid: int) -> int:
    return int(re.search(r"^RssAnon:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text(), re.M)[1]) * KIB


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self.playing: list[dict[str, Part]] = []
        self.connection: list[float] = []  # bytes
        self.room: list[float] = []

    @contextlib.contextmanager
    def server(self, *options: str):
        """Yields its process and port."""
        with tempfile.TemporaryDirectory() as folder:
            journal = [] if "--no-journal" in options else ["--data-dir", folder]
            process = subprocess.Popen([self._options.bin / "tictactoe-server", "--listen", "127.0.0.1", "--port", "0",
                                        "--no-discovery", "--log", "off", *FOR_LOAD, *journal, *options],
                                       text=True, stdout=subprocess.PIPE)
            try:
                found = re.search(r"listening on .*:(\d+)$", process.stdout.readline())
                if not found:
                    sys.exit("memory.py: the server did not start")
                yield process, found[1]
            finally:
                process.terminate()
                process.wait()
                process.stdout.close()

    def round(self) -> None:
        with self.server() as (process, port):
            load = subprocess.Popen([self._options.bin / "tictactoe-load", "--port", port, "--quiet", "--json", "-", "games",
                                     "--rooms", str(PLAYING_ROOMS), "--seconds", "3", "--warm-up", "0"],
                                    stdout=subprocess.DEVNULL)
            time.sleep(2)
            self.playing.append(parts_of(process.pid))
            if load.wait() != 0:
                sys.exit("memory.py: the load failed")
        count = self._options.connections
        with self.server("--no-journal") as (process, port):
            before = private_bytes(process.pid)
            with Crowd(int(port), count) as crowd:
                time.sleep(SETTLED_S)
                connected = private_bytes(process.pid)
                hosts, guests = crowd.peers[::2], crowd.peers[1::2]
                for peers, kind in ((hosts, "create_room"), (guests, "join_room")):
                    for host, peer in zip(hosts, peers):
                        peer.ask(kind, name=f"room of {host.name}")
                    crowd.until(lambda peer: peer.answered >= 2, peers)
                time.sleep(SETTLED_S)
                self.connection.append((connected - before) / count)
                self.room.append((private_bytes(process.pid) - connected) / len(hosts))

    def text(self, version: str) -> str:
        options = self._options

        def mib(group: str, field: str) -> list[float]:
            return [getattr(parts[group], field) / MIB for parts in self.playing]

        total = [Part(*map(sum, zip(*parts.values()))) for parts in self.playing]
        lines = ["# Where a server's memory goes", "",
                 f"Written by `./run bench memory` on {datetime.date.today()}: {version}. Medians of {options.rounds} "
                 "rounds, with lowest and highest.", "",
                 f"| {PLAYING_ROOMS} rooms that play, with a journal | resident, MiB | of it private, MiB |", "|---|---:|---:|",
                 f"| all; {WANTED['resident'] // MIB} resident were wanted | {spread([part.resident / MIB for part in total], '{:.1f}')} | "
                 f"{spread([part.private / MIB for part in total], '{:.1f}')} |"]
        for group in sorted(GROUPS, key=lambda group: -max(mib(group, "resident"))):
            lines.append(f"| {group} | {spread(mib(group, 'resident'), '{:.1f}')} | {spread(mib(group, 'private'), '{:.1f}')} |")
        lines += ["", "Pages that are not private are those of files as they are on the disk. All processes that use a library "
                  "share them, and the system takes them back if it needs memory.", "",
                  f"| private memory, with {options.connections:,} connections | bytes | wanted at most |", "|---|---:|---:|",
                  f"| an idle connection, and its player | {spread(self.connection, '{:,.0f}')} | {WANTED['connection']:,.0f} |",
                  f"| a 3x3 room with its two players in it | {spread(self.room, '{:,.0f}')} | {WANTED['room']:,.0f} |"]
        return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="./run bench memory", description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=pathlib.Path, help="directory of the programs")
    parser.add_argument("output", type=pathlib.Path, help="directory for memory.md")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=8_000, help="an even number [8000]")
    options = parser.parse_args()
    options.bin = options.bin.resolve()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    bench = Bench(options)
    for number in range(1, options.rounds + 1):
        print(f"round {number} of {options.rounds}", file=sys.stderr, flush=True)
        bench.round()
    version = subprocess.run([options.bin / "tictactoe-server", "--version"], text=True, check=True,
                             stdout=subprocess.PIPE).stdout.strip()
    text = bench.text(version)
    (options.output / "memory.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
