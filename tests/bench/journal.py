from __future__ import annotations

import contextlib
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

from runner import Bench, spread

WITHOUT, WITH, OLD = "without", "with", "with, old"
RELAY, LOGGING_RELAY = "relay", "relay with a log"
THREADS = {"loop": "the event loop", "journal": "the journal's thread"}


def user_us(figure: dict) -> float:
    return figure["server_user_us_per_move"]


class Journal(Bench):
    """What the journal costs: a server without and with it, in turn, at full load and at half; and what it costs
    at least: a relay that waits for the disk, of one that does not. Then whether a long run slows down, and how soon
    a server that was killed in it is back."""

    title = "What the journal costs"
    rounds = 7
    short = ["--rounds", "3", "--seconds", "0.5", "--long", "3"]

    @staticmethod
    def add_options(parser) -> None:
        parser.add_argument("--rooms", type=lambda text: [int(part) for part in text.split(",")],
                            default=[50, 500], help="numbers with commas between [50,500]")
        parser.add_argument("--old", type=pathlib.Path, help="programs of another build, which take turns, too")
        parser.add_argument("--long", type=float, default=30, help="seconds of the long run [30]")

    @property
    def journals(self) -> list[str]:
        return [WITH, OLD] if self.options.old else [WITH]

    def server_of(self, contestant: str, journal: bool | str):
        return self.server("--metrics", "127.0.0.1:0", journal=journal,
                           programs=self.options.old if contestant == OLD else None)

    @contextlib.contextmanager
    def running(self, contestant: str):
        if contestant in (WITHOUT, *self.journals):
            with self.server_of(contestant, contestant != WITHOUT) as program:
                yield program
            return
        with tempfile.TemporaryDirectory(dir=self.bin) as folder:
            log = ["--log", f"{folder}/log"] if contestant == LOGGING_RELAY else []
            with self.relay(*log) as program:
                yield program

    def play(self, contestant: str, rooms: int, rate: float) -> dict:
        with self.running(contestant) as program:
            cpu = program.cpu_of_threads()
            figures = self.load(program, *self.games(rooms, "--rate", str(rate)))
            used = {name: seconds - cpu.get(name, 0) for name, seconds in program.cpu_of_threads().items()}
            moves = figures["moves_per_second"] * (self.options.seconds + min(1, self.options.seconds))
            figures["moves_per_commit"] = moves / max(1, program.metric("journal_commit_seconds_count"))
        for name in THREADS:
            figures[name] = figures["server_us_per_move"] * used.get(name, 0) / max(1e-9, sum(used.values()))
        return figures

    def round(self) -> None:
        """Each measurement has a program of its own, and begins with an empty journal."""
        contestants = [*self.journals, WITHOUT, RELAY, LOGGING_RELAY]
        first = self.number % len(contestants)
        contestants = contestants[first:] + contestants[:first]
        for rooms in self.options.rooms:
            rate = 0.0
            for load in "full", "half":
                moves = {contestant: self.keep(f"{load}-{rooms}", contestant,
                                               self.play(contestant, rooms, rate))["moves_per_second"]
                         for contestant in contestants}
                rate = moves[WITH] / 2
        for contestant in contestants:
            if contestant in self.journals and self.options.long:
                self.keep("long", contestant, self.play_long_and_kill(contestant))

    def play_long_and_kill(self, contestant: str) -> dict:
        """The first and the last sixth of a long run in most rooms, which SIGKILL ends; and the start after it."""
        part = self.options.long / 6
        with tempfile.TemporaryDirectory(dir=self.bin) as folder:
            with self.server_of(contestant, folder) as program:
                load = ["games", "--rooms", str(max(self.options.rooms)), "--seconds", "100000", "--warm-up", "0"]
                with subprocess.Popen(self.load_command(program, *load), stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL) as generator:
                    while program.metric("moves_total") == 0:
                        time.sleep(0.01)
                    moves = [program.metric("moves_total")]
                    begin = time.monotonic()
                    for end in range(1, 7):
                        time.sleep(max(0.0, begin + end * part - time.monotonic()))
                        moves.append(program.metric("moves_total"))
                    program.process.kill()
                    program.process.wait()
                    generator.kill()
            size = sum(file.stat().st_size for file in pathlib.Path(folder).glob("journal.db*"))
            begin = time.monotonic()
            with self.server_of(contestant, folder):
                took = time.monotonic() - begin
        return {"first": (moves[1] - moves[0]) / part, "last": (moves[6] - moves[5]) / part, "start_s": took,
                "mib": size / 2**20}

    def report(self):
        yield ("| rooms | journal | moves/s | ratio | CPU a move, user + system, us | more user CPU, us | "
               "p50 / p99, us | p99, ratio | moves a commit | load generator busy |")
        yield "|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|"
        for rooms, row, name in self.each("full"):
            def median(key, row=row, name=name):
                return self.figures.median(row, name, key)

            compared = [""] * 4
            if name != WITHOUT:
                without = self.figures.rounds(row, WITHOUT, user_us)
                more = [value - without[number]
                        for number, value in self.figures.rounds(row, name, user_us).items()]
                compared = [spread(self.figures.ratios(row, name, WITHOUT, "moves_per_second")), spread(more),
                            spread(self.figures.ratios(row, name, WITHOUT, "latency_p99_us")),
                            f"{median('moves_per_commit'):.0f}"]
            yield (f"| {rooms} | {name} | {median('moves_per_second'):,.0f} | {compared[0]} | "
                   f"{median(user_us):.1f} + {median('server_system_us_per_move'):.1f} | {compared[1]} | "
                   f"{median('latency_p50_us'):,.0f} / {median('latency_p99_us'):,.0f} | {compared[2]} | "
                   f"{compared[3]} | {median('generator_busy'):.0f} % |")
        yield from ("", "| at half load, rooms | journal | p50, us | p99, us | p99, ratio | CPU a move, us |",
                    "|---:|---|---:|---:|---:|---:|")
        for rooms, row, name in self.each("half"):
            p99 = spread(self.figures.ratios(row, name, WITHOUT, "latency_p99_us")) if name != WITHOUT else ""
            yield (f"| {rooms} | {name} | {self.figures.median(row, name, 'latency_p50_us'):,.0f} | "
                   f"{spread(self.figures.values(row, name, 'latency_p99_us'), '{:,.0f}')} | {p99} | "
                   f"{self.figures.median(row, name, 'server_us_per_move'):.1f} |")
        yield from ("", "Half load is half of the moves a second of the server with a journal in the same round.", "",
                    f"| CPU of a move, us, rooms | journal | {' | '.join(THREADS.values())} |",
                    "|---:|---|---:|---:|---:|")
        for rooms, row, name in self.each("full"):
            parts = [f"{self.figures.median(row, name, thread):.2f}" for thread in THREADS]
            yield f"| {rooms} | {name} | " + " | ".join(parts) + " |"
        if self.options.old:
            yield from ("", *self.against_old())
        if self.options.long:
            yield from ("", *self.long_run())
        yield from ("", *self.least(), "", "The relay moves frames of the same sizes in the same pattern, without a "
                    "game. With a log it sends them when the request is on the disk: one write and one `fdatasync` for "
                    "all requests that wait, in a file whose size does not change.", "",
                    f"The disk takes {self.sync_ms():.1f} ms until written data is safe (fdatasync, median).")

    def each(self, load: str):
        for rooms in self.options.rooms:
            for name in (WITHOUT, *self.journals):
                yield rooms, f"{load}-{rooms}", name

    def against_old(self):
        yield "| rooms | moves/s of the old programs with a journal | p99 at half load |"
        yield "|---:|---:|---:|"
        for rooms in self.options.rooms:
            ratios = [spread(self.figures.ratios(f"{load}-{rooms}", WITH, OLD, key))
                      for load, key in (("full", "moves_per_second"), ("half", "latency_p99_us"))]
            yield f"| {rooms} | {' | '.join(ratios)} |"

    def long_run(self):
        yield (f"| {max(self.options.rooms)} rooms for {self.options.long:g} s | moves/s in the first sixth | in the "
               "last | ratio | MiB of the journal | start after SIGKILL, s |")
        yield "|---|---:|---:|---:|---:|---:|"
        for name in self.journals:
            first, last, mib = (self.figures.median("long", name, key) for key in ("first", "last", "mib"))
            ratio = spread([figure["last"] / figure["first"]
                            for row, contestant, figure in self.figures.all() if (row, contestant) == ("long", name)])
            yield (f"| {name} | {first:,.0f} | {last:,.0f} | {ratio} | {mib:,.0f} | "
                   f"{spread(self.figures.values('long', name, 'start_s'))} |")

    def least(self):
        yield ("| the least, rooms | moves/s of a relay with a log, of one without | p99, ratio | p99 at half "
               "load, us | its ratio | moves/s of the server with a journal, of the relay with a log |")
        yield "|---:|---:|---:|---:|---:|---:|"
        for rooms in self.options.rooms:
            def ratio(load, key, contestant=LOGGING_RELAY, other=RELAY, rooms=rooms):
                return spread(self.figures.ratios(f"{load}-{rooms}", contestant, other, key))

            p99 = self.figures.values(f"half-{rooms}", LOGGING_RELAY, "latency_p99_us")
            yield (f"| {rooms} | {ratio('full', 'moves_per_second')} | {ratio('full', 'latency_p99_us')} | "
                   f"{spread(p99, '{:,.0f}')} | {ratio('half', 'latency_p99_us')} | "
                   f"{ratio('full', 'moves_per_second', WITH, LOGGING_RELAY)} |")

    def sync_ms(self) -> float:
        """Until the disk says that 4 KiB are safe, in a file whose size does not change."""
        times = []
        with tempfile.NamedTemporaryFile(dir=self.bin, buffering=0) as file:
            file.write(bytes(4096))
            os.fsync(file.fileno())
            for count in range(100):
                file.seek(0)
                file.write(bytes([count]) * 4096)
                begin = time.perf_counter()
                os.fdatasync(file.fileno())
                times.append(time.perf_counter() - begin)
        return statistics.median(times) * 1000
