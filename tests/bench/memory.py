from __future__ import annotations

import pathlib
import re
import subprocess
import time
from collections import defaultdict
from typing import NamedTuple

from runner import Bench, spread  # isort: skip  (it makes the modules of the e2e tests known)
from crowd import Crowd

KIB, MIB = 1024, 1024 * 1024
PLAYING_ROOMS = 50
SETTLED_S = 1.0
WANTED_MIB = 8
WANTED = {"an idle connection, and its player": 1.6 * KIB, "a 3x3 room with its two players in it": 1.5 * KIB}

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


class Memory(Bench):
    """Where a server's memory goes: at 50 rooms that play, for an idle connection, and for a room. Times do not
    count, so the machine may be busy."""

    title = "Where a server's memory goes"
    rounds, seconds = 3, 3.0
    short = ["--rounds", "1", "--connections", "4000"]

    @staticmethod
    def add_options(parser) -> None:
        parser.add_argument("--connections", type=int, default=8_000, help="an even number [8000]")

    def round(self) -> None:
        with self.server(journal=True) as server:
            load = subprocess.Popen(self.load_command(server, *self.games(PLAYING_ROOMS)), stdout=subprocess.DEVNULL)
            time.sleep(self.options.seconds * 2 / 3)
            self.keep("playing", "server", {"parts": parts_of(server.pid)})
            if load.wait() != 0:
                raise RuntimeError("the load failed")
        count = self.options.connections
        with self.server() as server:
            before = private_bytes(server.pid)
            with Crowd(server.port, count) as crowd:
                time.sleep(SETTLED_S)
                connected = private_bytes(server.pid)
                hosts, guests = crowd.peers[::2], crowd.peers[1::2]
                for peers, kind in ((hosts, "create_room"), (guests, "join_room")):
                    for host, peer in zip(hosts, peers):
                        peer.ask(kind, name=f"room of {host.name}")
                    crowd.until(lambda peer: peer.answered >= 2, peers)
                time.sleep(SETTLED_S)
                connection, room = WANTED
                self.keep("private", "server", {
                    connection: (connected - before) / count,
                    room: (private_bytes(server.pid) - connected) / len(hosts)})

    def report(self):
        playing = self.figures.values("playing", "server", "parts")

        def row(name: str, parts: list[Part]) -> str:
            return (f"| {name} | {spread([part.resident / MIB for part in parts], '{:.1f}')} | "
                    f"{spread([part.private / MIB for part in parts], '{:.1f}')} |")

        yield f"| {PLAYING_ROOMS} rooms that play, with a journal | resident, MiB | of it private, MiB |"
        yield "|---|---:|---:|"
        yield row(f"all; {WANTED_MIB} resident were wanted",
                  [Part(*map(sum, zip(*parts.values()))) for parts in playing])
        largest = sorted(GROUPS, key=lambda group: -playing[0][group].resident)
        for group in largest:
            yield row(group, [parts[group] for parts in playing])
        yield from ("", "Pages that are not private are those of files as they are on the disk. All processes that "
                    "use a library share them, and the system takes them back if it needs memory.", "",
                    f"| private memory, with {self.options.connections:,} connections | bytes | wanted at most |",
                    "|---|---:|---:|")
        for what, wanted in WANTED.items():
            yield f"| {what} | {spread(self.figures.values('private', 'server', what), '{:,.0f}')} | {wanted:,.0f} |"
