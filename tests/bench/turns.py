#!/usr/bin/python3
"""Measures how long single turns of a server's event loop take in situations that give it much to do
at once.

    turns.py BIN_DIR OUTPUT_DIR [OPTIONS]

Writes turns.md. The server has core 0, the clients core 1.
"""

import argparse
import collections
import datetime
import os
import pathlib
import resource
import statistics
import tempfile
import time

from crowd import Crowd
from reporting import processor
from server_bench import LOAD_CORE
from server_report import spread
from watched import Situation, WatchedServer, quantile

WANTED_P999, WANTED_LONGEST = 1_000, 5_000  # us
GRACE = 5  # seconds until the seats of the absent are free, where that is measured
MOVES = 50
NOTICE = 2  # seconds before the end

# Everybody comes at once and from few addresses; everything else is as by default.
FOR_LOAD = ["--rate", "0", "--max-per-address", "0", "--max-connections", "12000"]
# No line has so many marks, so a random game goes on until the board is full.
NOBODY_WINS = "1000x1000x1000"


class Turns:
    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._folder = pathlib.Path(options.folder)
        self.situations: list[Situation] = []
        self.starts: list[tuple[float, float]] = []  # seconds by the clock and of CPU

    def _server(self, *options: str) -> WatchedServer:
        if not {"--no-journal", "--data-dir"} & set(options):
            folder = tempfile.mkdtemp(dir=self._folder)
            options = ("--data-dir", folder, *options)
        return WatchedServer(self._options.bin, self._folder, *options)

    def snapshots(self) -> None:
        """Without a journal, because each move in a single room waits for the disk."""
        members = 50
        with self._server("--no-journal", *FOR_LOAD) as server:
            load = server.load("games", "--rooms", "1", "--board", NOBODY_WINS, "--warm-up", "0",
                               "--seconds", "3600")
            while server.metric("moves_total") < self._options.marks:
                if load.poll() is not None:
                    raise RuntimeError("the load has ended")
                time.sleep(0.1)
            load.kill()
            load.wait()
            with Crowd(server.port, members) as crowd:
                room = self._only_room(crowd)
                name = f"{members} snapshots of a game with {self._options.marks:,} moves"
                with server.situation(name, self.situations):
                    crowd.ask_all("watch_room", name=room)

    @staticmethod
    def _only_room(crowd: Crowd) -> str:
        peer = crowd.peers[0]
        request = peer.ask("list_rooms")
        crowd.until(lambda asking: asking.answered >= request, [peer])
        return peer.take()[-1].room_list.rooms[0].name

    def lists(self) -> None:
        rooms, pagers, watchers = self._options.rooms, 20, 200
        with self._server(*FOR_LOAD, "--grace", str(GRACE)) as server:
            load = server.idle_rooms(rooms)
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
    def _until_players_are(server: WatchedServer, wanted: int) -> None:
        while server.metric("players") > wanted:
            time.sleep(0.2)

    def members(self) -> None:
        count = self._options.members
        with self._server(*FOR_LOAD) as server, Crowd(server.port, 2, first=count) as players, \
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
        rooms, players = self._options.rooms, self._options.players
        folder = tempfile.mkdtemp(dir=self._folder)
        journal = ["--data-dir", folder, *FOR_LOAD]
        with self._server(*journal) as server:
            step = 5_000
            for begin in range(0, players - 2 * rooms, step):
                Crowd(server.port, min(step, players - 2 * rooms - begin), first=begin).close()
            server.idle_rooms(rooms)
            server.end(f"end of a server with {2 * rooms:,} connections", self.situations)
        with self._server(*journal) as server:
            self.starts.append((server.start_seconds, server.start_cpu))
            if server.metric("players_known") < players or server.metric("rooms") < rooms:
                raise RuntimeError("the server has not taken everything up again")
            with server.situation(f"the first second after a start with {players:,} players",
                                  self.situations):
                time.sleep(1)

    def drain(self) -> None:
        rooms = self._options.rooms
        with self._server(*FOR_LOAD, "--drain", str(NOTICE)) as server:
            server.idle_rooms(rooms)
            server.end(f"the same after a notice {NOTICE} s before", self.situations)

    def run(self) -> None:
        for round_number in range(1, self._options.rounds + 1):
            for situation in (self.snapshots, self.lists, self.members, self.start, self.drain):
                if self._options.only and situation.__name__ not in self._options.only:
                    continue
                print(f"round {round_number} of {self._options.rounds}: {situation.__name__}",
                      flush=True)
                situation()


def row(situations: list[Situation]):
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


def table(turns: Turns, options: argparse.Namespace):
    yield ("| situation | turns | p50, us | p99, us | p999, us | longest, us | at the end of | "
           "CPU in all, ms | by the clock: p999 / longest, us |")
    yield "|---|---:|---:|---:|---:|---:|---|---:|---:|"
    by_name = collections.defaultdict(list)
    for situation in turns.situations:
        by_name[situation.name].append(situation)
    for situations in by_name.values():
        yield row(situations)
    if turns.starts:
        by_clock, cpu = (statistics.median(values) for values in zip(*turns.starts))
        yield ""
        yield (f"A start with {options.rooms:,} rooms and {options.players:,} players "
               f"takes {by_clock:.2f} s until the server listens, {cpu:.2f} s of them CPU time.")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--marks", type=int, default=300_000, help="on the board of snapshots")
    parser.add_argument("--rooms", type=int, default=5_000, help="in lists, and at the end and start")
    parser.add_argument("--players", type=int, default=100_000, help="of a server that starts")
    parser.add_argument("--members", type=int, default=1_000, help="of one room")
    parser.add_argument("--only", type=lambda text: text.split(","),
                        help="some of snapshots, lists, members, start, drain")
    return parser.parse_args()


def main() -> None:
    options = read_options()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    os.sched_setaffinity(0, {int(LOAD_CORE)})
    # Beside the programs, as /tmp may be memory.
    with tempfile.TemporaryDirectory(dir=pathlib.Path(options.bin).parent) as folder:
        options.folder = folder
        turns = Turns(options)
        turns.run()
    text = "\n".join([
        "# Turns of the event loop",
        "",
        f"Written by `./run bench turns` on {datetime.date.today()}: {processor()}. The server had one "
        f"core, the clients another; {options.rounds} rounds together, and of what took longest the median "
        "of the rounds with lowest and highest. A turn is one handler of the "
        "event loop and is measured by the CPU time of its thread, up to the bound of a bucket of the "
        "histogram, which is at most a quarter more; what took longest is exact above 5 ms. Wanted: "
        f"p999 at most {WANTED_P999:,} us, none over {WANTED_LONGEST:,} us.",
        "",
        *table(turns, options),
        "",
    ])
    (options.output / "turns.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
