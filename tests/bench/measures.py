"""Reads the measures out of the tables that the benchmarks write. Standard library only."""

from __future__ import annotations

import dataclasses
import re

UNITS = {"ns": 1, "µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000}

Spread = tuple[float, float, float]  # lowest, median and highest of the rounds


@dataclasses.dataclass
class Measure:
    name: str
    value: Spread
    more_is_better: bool = False
    floor: float | None = None  # the same of what does only the least, in the same run
    of_floor: Spread | None = None  # ratios of the same rounds
    is_portable: bool = False  # figures of other machines are comparable

    def middle(self) -> float:
        return self.value[1]

    def judged(self) -> Spread:
        return self.of_floor or self.value

    def has_rounds(self) -> bool:
        return self.judged()[0] < self.judged()[2]

    def text(self) -> str:
        low, middle, high = self.value
        form = "{:,.0f}" if abs(middle) >= 100 else "{:.3g}"
        text = form.format(middle)
        return text if low == high else f"{text} ({form.format(low)} to {form.format(high)})"


def spread(cell: str) -> Spread:
    """Of "**0.93** (0.90 to 0.94)" or "1,955", with a unit or without."""
    numbers = [float(text.replace(",", "")) for text in re.findall(r"\d[\d,]*(?:\.\d+)?", cell)]
    if len(numbers) >= 3 and " to " in cell:
        return numbers[1], numbers[0], numbers[2]
    return numbers[0], numbers[0], numbers[0]


def rows(text: str) -> list[list[str]]:
    """The cells of all tables, without heads."""
    lines = text.splitlines()
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines
             if line.startswith("|")]
    return [cells for i, cells in enumerate(found) if not set("".join(cells)) <= set("-:")
            and not (i + 1 < len(found) and set("".join(found[i + 1])) <= set("-:"))]


def nanoseconds(cell: str) -> Spread:
    number, unit = cell.split()
    return spread(str(float(number) * UNITS[unit]))


def engine(text: str):
    for cells in rows(text):
        if len(cells) == 8:
            yield Measure(f"engine, {cells[0]}: a move at n = 15, ns", nanoseconds(cells[2]))
        elif len(cells) == 3:
            yield Measure(f"engine, random game {cells[0]}: a move, ns", nanoseconds(cells[1]))


def journal(text: str):
    without = {}
    for cells in rows(text):
        if len(cells) < 7:
            continue
        moves = spread(cells[2])
        if cells[1] == "without":
            without[cells[0]] = moves[1]
        else:
            yield Measure(f"with a journal, {cells[0]} rooms: moves/s", moves, True,
                          without[cells[0]], spread(cells[3]))


def memory(text: str):
    for cells in rows(text):
        if cells[0].startswith("all;"):
            yield Measure("memory of 50 rooms that play, MiB", spread(cells[1]), is_portable=True)
        elif cells[0].startswith("a"):
            yield Measure(f"memory of {cells[0]}, bytes", spread(cells[1]), is_portable=True)


def operation(text: str):
    for cells in rows(text):
        if cells[0] == "moves a second":
            yield Measure("with logs and metrics: moves/s, of without", spread(cells[1]), True,
                          is_portable=True)
    for found in re.findall(r"takes ([\d.]+) ms of the server's processor time", text):
        yield Measure("a scrape of the metrics, ms of CPU", spread(found))


# The first cells of rows of which the measure is a spread.
SERVER_ROWS = {
    "p99 at half of the saturating rate, of the relay's": "p99 at half of the rate, of the relay's",
    "memory of each of 10,000 idle connections, bytes": "an idle connection, bytes",
    "time for 10,000 connects with hello, of the relay's": "10,000 connects, time of the relay's",
    "1,000 watchers in one room, CPU of an update, of the relay's":
        "1,000 watchers: CPU of an update, of the relay's",
}


def server(text: str):
    relay = {}
    for cells in rows(text):
        if cells[0] in SERVER_ROWS:
            yield Measure(SERVER_ROWS[cells[0]], spread(cells[2]), is_portable=True)
        elif cells[1] == "raw epoll relay":
            relay[cells[0]] = spread(cells[2])[1], sum(map(float, cells[4].split("+")))
        elif cells[1] == "this server":
            moves, cpu = relay[cells[0]]
            yield Measure(f"{cells[0]} rooms: moves/s", spread(cells[2]), True, moves,
                          spread(cells[3]))
            own = sum(map(float, cells[4].split("+")))
            yield Measure(f"{cells[0]} rooms: CPU of a move, us", (own, own, own), False, cpu,
                          spread(cells[5]))


def stores(text: str):
    for cells in rows(text):
        if len(cells) == 2:
            yield Measure(f"moves/s: {cells[0]}", spread(cells[1]), True, is_portable=True)
        else:
            yield Measure(f"{cells[0]}: moves/s", spread(cells[1]), True)


def transports(text: str):
    plain_moves, plain_bytes = None, None
    for cells in rows(text):
        if len(cells) == 6:
            moves = spread(cells[1])
            plain_moves = plain_moves or moves[1]
            if cells[0] != "plain TCP":
                yield Measure(f"{cells[0]}: moves/s", moves, True, plain_moves, spread(cells[2]))
        elif len(cells) == 3:
            held = spread(cells[1])
            plain_bytes = plain_bytes or held[1]
            floor = None if cells[0] == "plain TCP" else plain_bytes
            yield Measure(f"{cells[0]}: an idle connection, bytes", held, False, floor,
                          is_portable=True)


def turns(text: str):
    for cells in rows(text):
        yield Measure(f"longest turn, us: {cells[0]}", spread(cells[5]))


READERS = {reader.__name__: reader for reader in
           (engine, journal, memory, operation, server, stores, transports, turns)}


def measures_in(benchmark: str, text: str) -> list[Measure]:
    """Of the table that this benchmark wrote; those that it does not contain are left out."""
    return list(READERS[benchmark](text))
