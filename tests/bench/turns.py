from __future__ import annotations

import collections
import contextlib
import dataclasses
import os
import pathlib
import re
import signal
import statistics
import subprocess
import tempfile
import time

from runner import LOAD_CORE, Bench, Program, cpu_seconds, spread  # isort: skip  (it makes others known)
from crowd import Crowd

WANTED_P999, WANTED_LONGEST = 1_000, 5_000  # us
GRACE = 5  # seconds until the seats of the absent are free, where that is measured
MOVES = 50
NOTICE = 2  # seconds before the end

# No line has so many marks, so a random game goes on until the move limit.
NOBODY_WINS = "1000x1000x1000"


QUIET = 0.5  # seconds in which what was begun ends: more than a round of the lobby takes

Counts = collections.Counter  # of turns, by the upper bound of their duration in us


@dataclasses.dataclass
class Reading:
    """Since the start, or in a situation if it is a difference."""

    cpu: Counts  # every handler of the loop, by its CPU time
    clock: Counts  # the events of the shell, by the clock
    loop_seconds: float  # CPU time of all these handlers
    process_seconds: float  # of all threads

    def __sub__(self, other: Reading) -> Reading:
        return Reading(self.cpu - other.cpu, self.clock - other.clock,
                       self.loop_seconds - other.loop_seconds,
                       self.process_seconds - other.process_seconds)


@dataclasses.dataclass
class Situation:
    """What turned out in one situation."""

    name: str
    turns: Reading
    long_turns: list[tuple[int, str]]  # us of CPU and event, of those that the log has


def quantile(counts: Counts, share: float) -> float:
    """An upper bound in us."""
    wanted, seen = share * counts.total(), 0
    for bound in sorted(counts):
        seen += counts[bound]
        if seen >= wanted:
            return bound
    return 0


def _buckets(text: str, name: str) -> Counts:
    counts, before = Counts(), 0
    for bound, upto in re.findall(rf'^tictactoe_{name}_bucket{{le="([^"]+)"}} (\d+)$', text,
                                  re.MULTILINE):
        if int(upto) > before:
            counts[round(1e6 * float(bound)) if bound != "+Inf" else float("inf")] = int(upto) - before
        before = int(upto)
    return counts


class Watched:
    """A server whose turns of the event loop are read while it runs."""

    def __init__(self, bench: Bench, program: Program, log: pathlib.Path) -> None:
        self.program, self.port, self.metric = program, program.port, program.metric
        self._bench, self._log = bench, log

    @contextlib.contextmanager
    def load(self, *options: str):
        """tictactoe-load at this server, until the end of the `with`."""
        load = subprocess.Popen(self._bench.load_command(self.program, *options, "--seconds", "3600"),
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield load
        finally:
            load.kill()
            load.wait()

    @contextlib.contextmanager
    def idle_rooms(self, rooms: int):
        """So many rooms with two players each, who do nothing but send pings."""
        with self.load("idle", "--rooms", str(rooms)) as load:
            while self.metric("players") < 2 * rooms or self.metric("rooms") < rooms:
                if load.poll() is not None:
                    raise RuntimeError("the load has ended")
                time.sleep(0.2)
            time.sleep(QUIET)
            yield load

    def _read(self) -> Reading:
        text = self.program.scrape()
        seconds = float(re.search(r"^tictactoe_loop_handler_cpu_seconds_sum (\S+)$", text, re.MULTILINE)[1])
        return Reading(_buckets(text, "loop_handler_cpu_seconds"), _buckets(text, "loop_turn_fine_seconds"),
                       seconds, cpu_seconds(self.program.pid))

    @contextlib.contextmanager
    def situation(self, name: str, into: list[Situation]):
        """What happens within the `with`, and until it is quiet again."""
        before, logged = self._read(), self._log.stat().st_size
        yield
        time.sleep(QUIET)
        into.append(Situation(name, self._read() - before, self._long_turns(logged)))

    def _long_turns(self, logged: int) -> list[tuple[int, str]]:
        with self._log.open() as log:
            log.seek(logged)
            return [(int(took), event) for event, took in re.findall(
                r"a turn of the event loop \(([^)]*)\) took (\d+) us", log.read())]

    def end(self, name: str, into: list[Situation]) -> None:
        """Ends it with SIGTERM, as a situation."""
        before, logged = self._read(), self._log.stat().st_size
        process = self.program.process
        process.send_signal(signal.SIGTERM)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        text = self._log.read_text()
        told = [Counts({float("inf") if bound == "more" else int(bound): int(count)
                        for bound, count in re.findall(r"(\w+):(\d+)", line)})
                for line in (re.search(rf"{what}, us: (.*)$", text, re.MULTILINE)[1]
                             for what in ("CPU time of handlers", "turns by the clock"))]
        used = usage.ru_utime + usage.ru_stime - before.process_seconds
        turns = Reading(told[0] - before.cpu, told[1] - before.clock, used, used)
        into.append(Situation(name, turns, self._long_turns(logged)))


def row(situations: list[Situation]) -> str:
    """All rounds of one together."""
    cpu, clock = collections.Counter(), collections.Counter()
    for situation in situations:
        cpu += situation.turns.cpu
        clock += situation.turns.clock
    # The histogram has bounds, the log has what took longest.
    longest = [max(situation.long_turns, default=(max(situation.turns.cpu, default=0), ""))
               for situation in situations]
    loop = statistics.mean(situation.turns.loop_seconds for situation in situations)
    return (f"| {situations[0].name} | {cpu.total():,} | {quantile(cpu, 0.5):,.0f} | "
            f"{quantile(cpu, 0.99):,.0f} | {quantile(cpu, 0.999):,.0f} | "
            f"{spread([took for took, _ in longest], '{:,.0f}')} | {max(longest)[1]} | "
            f"{1000 * loop:,.0f} | "
            f"{quantile(clock, 0.999):,.0f} / {max(clock, default=0):,.0f} |")


class Turns(Bench):
    """How long single turns of a server's event loop take in situations that give it much to do at once."""

    title = "Turns of the event loop"
    rounds = 3
    short = ["--rounds", "1", "--only", "members"]

    @staticmethod
    def add_options(parser) -> None:
        parser.add_argument("--rooms", type=int, default=5_000, help="in lists, and at the end and start")
        parser.add_argument("--players", type=int, default=100_000, help="of a server that starts")
        parser.add_argument("--members", type=int, default=1_000, help="of one room")
        parser.add_argument("--only", type=lambda text: text.split(","),
                            help="some of snapshots, lists, members, start, drain")

    def run(self) -> str:
        self.situations: list[Situation] = []
        self.starts: list[tuple[float, float]] = []  # seconds by the clock and of CPU
        os.sched_setaffinity(0, {int(LOAD_CORE)})
        with tempfile.TemporaryDirectory(dir=self.bin) as folder:
            self._folder = pathlib.Path(folder)
            return super().run()

    def round(self) -> None:
        for situation in (self.snapshots, self.lists, self.members, self.start, self.drain):
            if not self.options.only or situation.__name__ in self.options.only:
                situation()

    @contextlib.contextmanager
    def _server(self, *options: str, journal: bool | str = True):
        path = self._folder / f"log-{time.monotonic_ns()}"
        with path.open("w") as log, self.server("--log", "debug", "--metrics", "127.0.0.1:0", *options,
                                                journal=journal, stderr=log) as program:
            yield Watched(self, program, path)

    def snapshots(self) -> None:
        """Without a journal, because each move in a single room waits for the disk."""
        members = 50
        with self._server(journal=False) as server:
            with server.load("games", "--rooms", "1", "--board", NOBODY_WINS, "--warm-up", "0") as load:
                while server.metric("moves_total") < 5_000:
                    if load.poll() is not None:
                        raise RuntimeError("the load has ended")
                    time.sleep(0.1)
            with Crowd(server.port, members) as crowd:
                room = self._only_room(crowd)
                name = f"{members} snapshots of a long game"
                with server.situation(name, self.situations):
                    crowd.ask_all("watch_room", name=room)

    @staticmethod
    def _only_room(crowd: Crowd) -> str:
        peer = crowd.peers[0]
        request = peer.ask("list_rooms")
        crowd.until(lambda asking: asking.answered >= request, [peer])
        return peer.take()[-1].room_list.rooms[0].name

    def lists(self) -> None:
        rooms, pagers, watchers = self.options.rooms, 20, 200
        with self._server("--grace", str(GRACE)) as server, server.idle_rooms(rooms) as load:
            with Crowd(server.port, pagers) as crowd:
                with server.situation(f"{pagers} clients list all of {rooms:,} rooms",
                                      self.situations):
                    after, pages = dict.fromkeys(crowd.peers, ""), 0
                    while after and pages <= rooms:  # a page has at least one room
                        ids = {peer: peer.ask("list_rooms", after=name)
                               for peer, name in after.items()}
                        crowd.until(lambda peer, ids=ids: peer.answered >= ids[peer], list(ids))
                        answers = {peer: peer.take()[-1].room_list for peer in ids}
                        after = {peer: answer.rooms[-1].name for peer, answer in answers.items()
                                 if answer.more}
                        pages += 1
            with Crowd(server.port, watchers, first=pagers) as crowd:
                with server.situation(
                        f"{watchers} clients begin to watch a lobby of {rooms:,} rooms",
                        self.situations):
                    for peer in crowd.peers:
                        peer.ask("watch_lobby")
                    crowd.until(lambda peer: any(message.lobby_update.complete
                                                 for message in peer.take()))
                with server.situation(f"all {2 * rooms:,} players are lost at once, "
                                      f"{watchers} watch the lobby", self.situations):
                    load.kill()
                    load.wait()
                    self._until_players_are(server, watchers)
                with server.situation(f"the seats of these {2 * rooms:,} are freed at once, "
                                      f"{watchers} watch the lobby", self.situations):
                    while server.metric("rooms") > 0:
                        time.sleep(0.2)

    @staticmethod
    def _until_players_are(server: Watched, wanted: int) -> None:
        while server.metric("players") > wanted:
            time.sleep(0.2)

    def members(self) -> None:
        count = self.options.members
        with self._server() as server, Crowd(server.port, 2, first=count) as players, \
                Crowd(server.port, count) as crowd:
            players.peers[0].ask("create_room", name="den")
            players.until(lambda peer: peer.answered >= 2, players.peers[:1])
            players.peers[1].ask("join_room", name="den")
            players.until(lambda peer: peer.answered >= 2)
            with server.situation(f"{count:,} watchers enter one room at once", self.situations):
                crowd.ask_all("watch_room", name="den")
            with server.situation(f"{MOVES} lines of chat before {count:,} watchers",
                                  self.situations):
                before = {peer: peer.messages for peer in crowd.peers}
                speaker = players.peers[0]
                for number in range(MOVES):
                    request = speaker.ask("chat", text=f"line {number}")
                    players.until(lambda peer, request=request: peer.answered >= request, [speaker])
                    crowd.poll(0)
                    time.sleep(0.01)
                crowd.until(lambda peer: peer.messages >= before[peer] + MOVES)
            with server.situation(f"{count:,} watchers are lost at once", self.situations):
                crowd.close()
                self._until_players_are(server, 2)

    def start(self) -> None:
        """What it finds has been written by a server that has ended."""
        rooms, players = self.options.rooms, self.options.players
        folder = tempfile.mkdtemp(dir=self._folder)
        with self._server(journal=folder) as server:
            step = 5_000
            for begin in range(0, players - 2 * rooms, step):
                Crowd(server.port, min(step, players - 2 * rooms - begin), first=begin).close()
            with server.idle_rooms(rooms):
                server.end(f"end of a server with {2 * rooms:,} connections", self.situations)
        with self._server(journal=folder) as server:
            self.starts.append((server.program.start_seconds, server.program.start_cpu))
            if server.metric("players_known") < players or server.metric("rooms") < rooms:
                raise RuntimeError("the server has not taken everything up again")
            with server.situation(f"the first second after a start with {players:,} players",
                                  self.situations):
                time.sleep(1)

    def drain(self) -> None:
        rooms = self.options.rooms
        with self._server("--drain", str(NOTICE)) as server:
            with server.idle_rooms(rooms):
                server.end(f"the same after a notice {NOTICE} s before", self.situations)

    def report(self):
        yield ("What took longest is the median of the rounds with lowest and highest; all else is of the rounds "
               "together. A turn is one handler of the event loop and is measured by the CPU time of its thread, up to "
               "the bound of a bucket of the histogram, which is at most a quarter more; what took longest is exact "
               f"above 5 ms. Wanted: p999 at most {WANTED_P999:,} us, none over {WANTED_LONGEST:,} us.")
        yield ""
        yield ("| situation | turns | p50, us | p99, us | p999, us | longest, us | at the end of | "
               "CPU in all, ms | by the clock: p999 / longest, us |")
        yield "|---|---:|---:|---:|---:|---:|---|---:|---:|"
        by_name = collections.defaultdict(list)
        for situation in self.situations:
            by_name[situation.name].append(situation)
        for situations in by_name.values():
            yield row(situations)
        if self.starts:
            by_clock, cpu = (statistics.median(values) for values in zip(*self.starts))
            yield ""
            yield (f"A start with {self.options.rooms:,} rooms and {self.options.players:,} players takes "
                   f"{by_clock:.2f} s until the server listens, {cpu:.2f} s of them CPU time.")
