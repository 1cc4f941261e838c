from __future__ import annotations

import contextlib
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
from runner import Bench, spread  # isort: skip  (it makes the modules of the e2e tests known)
from database import Database
from postgres import Postgres
from programs import free_ports

CONTESTANTS = {
    "sqlite": "SQLite, one server",
    "postgres": "PostgreSQL, one server",
    "standby": "PostgreSQL with a synchronous standby, one server",
    "two": "PostgreSQL, two servers",
}
ROOMS = 50


class Stores(Bench):
    """What the place of the records costs: the own disk, PostgreSQL on the same machine, with a synchronous
    standby, and two servers over one database. All of them and the load share all cores, and the databases sync
    to the disk."""

    title = "What the place of the records costs"
    rounds, seconds = 7, 3.0
    short = ["--rounds", "1", "--seconds", "0.5"]

    @contextlib.contextmanager
    def servers(self, contestant: str):
        metrics = ["--log", "warn", "--metrics", "127.0.0.1:0"]
        with contextlib.ExitStack() as stack:
            if contestant == "sqlite":
                yield [stack.enter_context(self.server(*metrics, journal=True, core=None))]
                return
            if contestant == "standby":
                url = stack.enter_context(contextlib.closing(Database(synced=True))).primary.url
            else:
                url = stack.enter_context(contextlib.closing(Postgres(synced=True))).url
            started = []
            for _ in range(2 if contestant == "two" else 1):
                [port] = free_ports(1)
                started.append(stack.enter_context(self.server(
                    *metrics, "--store", url, "--public-address", f"127.0.0.1:{port}", journal=True, core=None,
                    port=port)))
            if len(started) > 1:
                time.sleep(3)  # until each knows the other one
            yield started

    def play(self, servers: list, rate: float) -> dict:
        others = [part for other in servers[1:] for part in ("--also", f"127.0.0.1:{other.port}")]
        commits = "journal_commit_seconds_count"
        before, begun = sum(each.metric(commits) for each in servers), time.monotonic()
        figures = self.load(servers[0], *self.games(ROOMS, "--rate", str(rate), *others), core=None)
        figures["commits_per_second"] = ((sum(each.metric(commits) for each in servers) - before)
                                         / (time.monotonic() - begun))
        return figures

    def run(self) -> str:
        with contextlib.ExitStack() as stack:
            self._running = {name: stack.enter_context(self.servers(name)) for name in CONTESTANTS}
            return super().run()

    def round(self) -> None:
        for name, servers in self._running.items():
            full = self.keep("full", name, self.play(servers, 0))
            self.keep("half", name, self.play(servers, full["moves_per_second"] / 2))

    def report(self):
        yield (f"The servers, the databases and the load share all cores; {ROOMS} rooms. The databases sync to the "
               "disk. Half load is half of the moves that the same servers made at full load just before.")
        yield ""
        yield ("| | moves/s | commits/s | p50, ms | p99, ms | half load: p50, ms | p99, ms | load's share of a "
               "core, % |")
        yield "|---|---:|---:|---:|---:|---:|---:|---:|"
        for contestant, name in CONTESTANTS.items():
            def cell(row, key, factor=1.0, form="{:,.0f}", contestant=contestant):
                return spread([factor * value for value in self.figures.values(row, contestant, key)], form)

            times = [cell(row, key, 1e-3, "{:,.2f}") for row in ("full", "half")
                     for key in ("latency_p50_us", "latency_p99_us")]
            yield (f"| {name} | {cell('full', 'moves_per_second')} | {cell('full', 'commits_per_second')} | "
                   f"{' | '.join(times)} | {cell('full', 'generator_core')} |")
        yield from ("", "| moves/s, of the same round | ratio |", "|---|---:|")
        for top, bottom in (("postgres", "sqlite"), ("standby", "postgres"), ("two", "postgres")):
            ratios = self.figures.ratios("full", top, bottom, "moves_per_second")
            yield f"| {CONTESTANTS[top]}, of {CONTESTANTS[bottom]} | {spread(ratios)} |"
