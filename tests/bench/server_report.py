#!/usr/bin/env python3
"""Makes the table (server.md) and the plot (server.svg) of what server_bench.py has measured.

    server_report.py FIGURES.json OUTPUT_DIR

Standard library only.
"""

import json
import pathlib
import statistics
import sys

from reporting import line_plot

NAMES = {"relay": "raw epoll relay", "server": "this server"}
MIB = 1 << 20


class Figures:
    """All figures, by row, contestant and round."""

    def __init__(self, figures):
        self._figures = {}
        for figure in figures:
            of_row = self._figures.setdefault(figure["row"], {})
            of_row.setdefault(figure["contestant"], {})[figure["round"]] = figure

    def rows(self):
        return list(self._figures)

    def contestants(self, row):
        return list(self._figures.get(row, {}))

    def rounds(self, row, contestant, key):
        """Values by round; `key` is a name, or a function of all figures of that round."""
        value = key if callable(key) else lambda figure: figure[key]
        return {number: value(figure)
                for number, figure in self._figures.get(row, {}).get(contestant, {}).items()}

    def values(self, row, contestant, key):
        return list(self.rounds(row, contestant, key).values())

    def median(self, row, contestant, key):
        return statistics.median(self.values(row, contestant, key))

    def ratios(self, row, contestant, base, key):
        """Rounds are compared with themselves: what else the machine did hit both alike."""
        over, under = self.rounds(row, contestant, key), self.rounds(row, base, key)
        return [over[number] / under[number] for number in sorted(over) if under.get(number)]

    def all(self):
        return [figure for row in self._figures.values() for contestant in row.values()
                for figure in contestant.values()]


def spread(values, form="{:.2f}"):
    """The median and the range of the rounds."""
    low, middle, high = (form.format(value)
                         for value in (min(values), statistics.median(values), max(values)))
    return f"**{middle}** ({low} to {high})"


def user_share(figure):
    return figure["server_user_us_per_move"] / figure["server_us_per_move"]


def resident(figure):
    return figure.get("rss_bytes") or figure["server_resident_mib"] * MIB


def cpu_us(figure):
    return figure.get("cpu_us_per_move") or figure["server_us_per_move"]


def server_busy(figure):
    return cpu_us(figure) * figure["moves_per_second"] / 1e4


def room_rows(figures):
    return sorted((row for row in ("moves-50", "moves-500", "moves-2000")
                   if figures.contestants(row)), key=lambda row: int(row.split("-")[1]))


def name_of(figures, row, contestant):
    if contestant in NAMES:
        return NAMES[contestant]
    figure = figures.values(row, contestant, dict)[0]
    return f"{figure['name']} {figure['version']}" if "name" in figure else contestant


def moves_table(figures):
    yield ("| rooms | | moves/s | of the relay's | CPU a move, user + system, us | of the relay's | "
           "p50 / p99, us | memory, MiB | server / generator busy, % |")
    yield "|---:|---|---:|---:|---:|---:|---:|---:|---:|"
    for row in room_rows(figures):
        for contestant in figures.contestants(row):
            def median(key):
                return figures.median(row, contestant, key)

            moves, cost = ("1" if contestant == "relay" else
                           spread(figures.ratios(row, contestant, "relay", key))
                           for key in ("moves_per_second", cpu_us))
            if contestant in NAMES:
                cpu = (f"{median('server_user_us_per_move'):.2f} + "
                       f"{median('server_system_us_per_move'):.2f}")
                p50, p99, busy = "latency_p50_us", "latency_p99_us", median("generator_busy")
            else:
                cpu = f"{median('cpu_us_per_move'):.1f} in all"
                p50, p99, busy = "p50_us", "p99_us", 100 * median("driver_busy")
            yield (f"| {row.split('-')[1]} | {name_of(figures, row, contestant)} | "
                   f"{median('moves_per_second'):,.0f} | {moves} | {cpu} | {cost} | "
                   f"{median(p50):,.0f} / {median(p99):,.0f} | {median(resident) / MIB:.1f} | "
                   f"{median(server_busy):.0f} / {busy:.0f} |")


def fastest_peer(figures, row):
    """For each round, of the peers that were measured, the most moves and the least memory."""
    peers = [name for name in figures.contestants(row) if name not in NAMES]
    rounds = [figures.rounds(row, peer, "moves_per_second") for peer in peers]
    memory = [figures.rounds(row, peer, resident) for peer in peers]
    common = set.intersection(*map(set, rounds)) if rounds else set()
    return {number: (max(of_peer[number] for of_peer in rounds),
                     min(of_peer[number] for of_peer in memory)) for number in sorted(common)}


def targets(figures, context):
    """What was wanted, the values of all rounds, how they are written, and whether one will do."""
    has = figures.contestants
    for row in ("moves-50", "moves-500"):
        if has(row):
            yield (f"moves/s at {row[6:]} rooms, of the relay's", "at least 0.95",
                   figures.ratios(row, "server", "relay", "moves_per_second"), "{:.2f}",
                   lambda value: value >= 0.95)
    if has("moves-50"):
        yield ("user-space CPU a move at 50 rooms, us", "at most 1.0",
               figures.values("moves-50", "server", "server_user_us_per_move"), "{:.2f}",
               lambda value: value <= 1.0)
        yield ("the same, of the move's whole CPU", "at most 15 %",
               figures.values("moves-50", "server", user_share), "{:.1%}",
               lambda value: value <= 0.15)
    if has("latency"):
        yield ("p99 at half of the saturating rate, of the relay's", "at most 1.2",
               figures.ratios("latency", "server", "relay", "latency_p99_us"), "{:.2f}",
               lambda value: value <= 1.2)
    if has("idle"):
        yield (f"memory of each of {context['connections']:,} idle connections, bytes",
               "at most 3,072", figures.values("idle", "server", "server_bytes_per_connection"),
               "{:,.0f}", lambda value: value <= 3072)
        if context["idle_minutes"] > 0:
            yield (f"memory grown in {context['idle_minutes']:g} min of idleness, bytes", "0",
                   figures.values("idle", "server", "server_grown_bytes"), "{:,.0f}",
                   lambda value: value <= 0)
    if has("storm"):
        yield (f"time for {context['connections']:,} connects with hello, of the relay's",
               "at most 1.5", figures.ratios("storm", "server", "relay", "seconds"), "{:.2f}",
               lambda value: value <= 1.5)
    if has("watchers"):
        what = f"{context['watchers']:,} watchers in one room, "
        yield (what + "CPU of an update, of the relay's", "at most 1.15",
               figures.ratios("watchers", "server", "relay", "server_us_per_update"), "{:.2f}",
               lambda value: value <= 1.15)
        yield (what + "time of an update, of the relay's", "at most 1.15",
               figures.ratios("watchers", "server", "relay",
                              lambda figure: 1 / figure["updates_per_second"]), "{:.2f}",
               lambda value: value <= 1.15)
    if has("board"):
        yield ("CPU of a move on 1000x1000x5, of one on 3x3", "at most 1.3",
               figures.ratios("board", "1000x1000", "3x3", "server_us_per_move"), "{:.2f}",
               lambda value: value <= 1.3)
    if has("thinking"):
        yield ("p99 at half of the saturating rate while an AI thinks, of that without", "at most 1.5",
               figures.ratios("thinking", "with", "without", "latency_p99_us"), "{:.2f}",
               lambda value: value <= 1.5)
    if "relay-beside" in figures.contestants("thinking"):
        yield ("the same of the relay beside a program of idle priority: the machine's part", "",
               figures.ratios("thinking", "relay-beside", "relay", "latency_p99_us"), "{:.2f}",
               lambda value: True)
    for row, times in (("moves-50", 3), ("moves-500", 5)):
        peers = fastest_peer(figures, row)
        if not peers:
            continue
        own = figures.rounds(row, "server", "moves_per_second")
        memory = figures.rounds(row, "server", resident)
        yield (f"moves/s at {row[6:]} rooms, of the fastest peer's", f"at least {times}",
               [own[number] / peers[number][0] for number in peers], "{:.1f}",
               lambda value, times=times: value >= times)
        yield (f"memory at {row[6:]} rooms, of the smallest peer's", "at most 0.10",
               [memory[number] / peers[number][1] for number in peers], "{:.2f}",
               lambda value: value <= 0.1)


def target_table(figures, context):
    yield "| | wanted | measured | |"
    yield "|---|---|---:|---|"
    for what, wanted, values, form, will_do in targets(figures, context):
        if not values:
            continue  # in a short run the floor can take too little time to be measured
        verdict = "yes" if will_do(statistics.median(values)) else "**no**"
        yield f"| {what} | {wanted} | {spread(values, form)} | {verdict} |"


def doubts(figures, context):
    """What speaks against a figure: the load said so itself, or a contestant was not there."""
    for row in figures.rows():
        for contestant in figures.contestants(row):
            name, measured = name_of(figures, row, contestant), figures.values(row, contestant, dict)
            said = [note for figure in measured for note in figure.get("notes", [])]
            for note in sorted(set(said)):
                yield f"- {row}, {name}, {said.count(note)} of {len(measured)} times: {note}"
            busy = [figure for figure in measured if figure.get("driver_busy", 0) >= 0.97]
            if busy:
                yield (f"- {row}, {name}, {len(busy)} of {len(measured)} times: The driver was busy "
                       "all the time: it limits these figures, not the server alone.")
    for row in room_rows(figures):
        for peer in context["peers"]:
            there = len(figures.values(row, peer, dict))
            if there < context["rounds"]:
                yield f"- {row}, {peer}: measured in {there} of {context['rounds']} rounds only."
    unthinking = [figure for figure in figures.values("thinking", "with", dict)
                  if figure.get("server_load", 100) < 95]
    if unthinking:
        yield (f"- thinking: {len(unthinking)} times the AI did not take all that the server left of "
               "its core.")


def besides(figures, context):
    """What has no target but a number worth knowing."""
    def both(row, key, form):
        return " and ".join(form.format(figures.median(row, contestant, key))
                            for contestant in ("server", "relay"))

    if figures.contestants("latency"):
        yield (f"- At half of the saturating rate ({figures.median('latency', 'server', 'rate'):,.0f} "
               f"moves/s), p50 of server and relay: {both('latency', 'latency_p50_us', '{:,.0f}')} "
               f"us; p99: {both('latency', 'latency_p99_us', '{:,.0f}')} us.")
    if figures.contestants("storm"):
        yield (f"- {context['connections']:,} connects with hello take server and relay "
               f"{both('storm', 'seconds', '{:.2f}')} s.")
    if figures.contestants("idle"):
        yield (f"- An idle connection takes server and relay "
               f"{both('idle', 'server_bytes_per_connection', '{:,.0f}')} bytes.")
    if figures.contestants("watchers"):
        yield (f"- An update to one of {context['watchers']:,} watchers takes server and relay "
               f"{both('watchers', 'server_us_per_update', '{:.2f}')} us of CPU.")
    if figures.contestants("board"):
        def late(key):
            return figures.median("board", "late", key)

        yield (f"- Who joins a game on 1000x1000 after {late('late_moves'):,.0f} moves is sent "
               f"{late('late_bytes'):,.0f} bytes and has them after {late('late_p50_us') / 1000:.2f} "
               "ms.")


def remarks(figures, context):
    if not context["peers"]:
        yield "The peers were not installed: see tests/bench/README.md."
    shares = [figure["generator_core"] for figure in figures.all() if "generator_core" in figure]
    if shares and min(shares) < 95:
        yield (f"The machine did other work meanwhile (the generator had {statistics.median(shares):.0f} "
               f"% of its core in the middle and {min(shares):.0f} % at worst): take the ratios as "
               "rough.")


def plot(figures):
    series = {}
    for row in room_rows(figures):
        for contestant in figures.contestants(row):
            name = name_of(figures, row, contestant)
            series.setdefault(name, {})[int(row.split("-")[1])] = figures.median(
                row, contestant, "moves_per_second")
    return line_plot(series, "Moves a second against the number of rooms", "rooms of two players",
                     "{:,.0f}".format)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    measured = json.loads(pathlib.Path(sys.argv[1]).read_text())
    context, figures = measured["context"], Figures(measured["figures"])
    output = pathlib.Path(sys.argv[2])
    text = "\n".join([
        "# A server against its floor and its peers",
        "",
        f"Written by `./run bench server` on {context['date']}: {context['server']}, "
        f"{context['processor']}, {context['system']} (TCP: {context['tcp']}). Each server had one core, the load another; "
        f"medians of {context['rounds']} rounds of {context['seconds']:g} s in which all took turns, "
        "with lowest and highest; ratios are of the same round. This server keeps no journal here "
        "(see journal.md for what that costs), writes no log and has no limit on requests a second.",
        "",
        *target_table(figures, context),
        "",
        *(moves_table(figures) if room_rows(figures) else ()),
        "",
        *besides(figures, context),
        "",
        *remarks(figures, context),
        "",
        *doubts(figures, context),
        "",
    ])
    (output / "server.md").write_text(text)
    if room_rows(figures):
        (output / "server.svg").write_text(plot(figures))
    print(text)


if __name__ == "__main__":
    main()
