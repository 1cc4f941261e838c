"""The system calls of the real server, in their order: what is announced is on the disk before."""

from __future__ import annotations

import pathlib
import re
import shutil
import unittest

from case import Case, wait_until
from generated import protocol
from raw_client import encode_varint

SIZE = 500
MOVES = 60
CALL = re.compile(r"\d+ +(\w+)\((.*)")
RESUMED = re.compile(r"(\d+) +<\.\.\. fdatasync resumed>.*= (-?\d+)")
LOG = "".join(f"\\x{byte:02x}" for byte in b"journal.db-wal") + ">"  # the end of a file's name in the trace
STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


class Said:
    """Something that is recorded and announced, as bytes that occur nowhere else."""

    def __init__(self, name: str, recorded: bytes, announced: bytes) -> None:
        self.name, self.recorded, self.announced = name, recorded, announced
        self.sent = 0


def chat(text: str) -> Said:
    return Said(text, text.encode(), text.encode())


def move(ply: int, row: int, col: int) -> Said:
    # The end of the row's key and what follows, as SQLite writes them. It writes no 1.
    recorded = (bytes([ply]) if ply > 1 else b"") + (row * SIZE + col).to_bytes(3, "big")
    return Said(f"move {ply}", recorded, b"\x08" + encode_varint(row) + b"\x10" + encode_varint(col))


def sent_too_early(trace: pathlib.Path, all_said: list[Said]) -> list[str]:
    """What was sent before a write of it to the journal's log was followed by a wait for the disk that
    succeeded. Counts how often each was sent."""
    written, durable, early = set(), set(), []
    waits = {}  # for the disk, by thread
    for line in trace.read_text().splitlines():
        resumed, call = RESUMED.match(line), CALL.match(line)
        if resumed and resumed[1] in waits and resumed[2] == "0":
            durable |= waits.pop(resumed[1])
        if not call:
            continue
        kind, rest = call.groups()
        data = b"".join(bytes.fromhex(text.replace("\\x", "")) for text in STRING.findall(rest))
        if kind == "pwrite64" and LOG in rest:
            written |= {said.name for said in all_said if said.recorded in data}
        elif kind == "fdatasync" and LOG in rest:
            if rest.endswith("= 0"):
                durable |= written
            elif "<unfinished" in rest:
                waits[line.split()[0]] = set(written)
        elif kind.startswith("send"):
            for said in all_said:
                if said.announced in data:
                    said.sent += 1
                    if said.name not in durable:
                        early.append(said.name)
    return early


class Traced:
    """This machine, with a program's system calls written to a file."""

    def __init__(self, trace: pathlib.Path) -> None:
        self._trace = trace

    def command(self, command: list[str]) -> list[str]:
        # -D: the process that is started is the program, not strace.
        return ["strace", "-D", "-f", "-y", "-xx", "-s", "100000", "-o", str(self._trace),
                "-e", "trace=pwrite64,fdatasync,sendto,sendmsg,exit_group", *command]


@unittest.skipUnless(shutil.which("strace"), "strace is not installed (package strace)")
class RecordFirst(Case):
    def play(self, *options: str) -> tuple[pathlib.Path, list[Said]]:
        """Two people play and chat before one who watches; returns the trace, and what was said."""
        trace = self.folder / "trace"
        with self.serve("--rate", "0", *options, host=Traced(trace)):
            ann, ben, eve = (self.raw(name) for name in ("ann", "ben", "eve"))
            ann.ask("create_room", name="den", rules=protocol.types.Rules(rows=SIZE, cols=SIZE, k=5))
            ben.ask("join_room", name="den")
            eve.ask("watch_room", name="den")
            all_said = []
            for ply in range(1, MOVES + 1):
                mover = (ann, ben)[(ply - 1) % 2]
                mover.follow_until(lambda room, before=ply - 1: room.my_turn and
                                   len(room.cells) == before)
                row, col = 200 + 3 * ply, 450 - 2 * ply
                mover.move(row, col)
                all_said.append(move(ply, row, col))
                text = f"move {ply:04} is mine"
                mover.ask("chat", text=text)
                all_said.append(chat(text))
            eve.follow_until(lambda room: len(room.cells) == MOVES)
        wait_until(lambda: trace.read_text().endswith("+++\n"), "end of strace")
        return trace, all_said

    def test_nothing_is_announced_before_it_is_on_the_disk(self) -> None:
        trace, all_said = self.play("--data-dir", str(self.data))
        self.assertEqual(sent_too_early(trace, all_said), [])
        for said in all_said:
            self.assertGreaterEqual(said.sent, 2, f"{said.name} was not found in what was sent")

    def test_a_server_that_does_not_wait_would_be_noticed(self) -> None:
        trace, all_said = self.play()
        self.assertEqual(set(sent_too_early(trace, all_said)), {said.name for said in all_said})
