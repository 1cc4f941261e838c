#!/usr/bin/python3
"""Makes the table of journal.sh from the figures of its runs.

    journal_report.py FIGURES_DIR FILE_SYSTEM SERVER_VERSION OUTPUT_FILE
"""

import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import sys
import time

from reporting import processor

KINDS = ("plain", "journal")


def read(folder):
    """Figures by number of rooms, kind and round."""
    runs = {}
    for path in pathlib.Path(folder).glob("*.json"):
        kind, rooms, round_number = re.fullmatch(r"(\w+)-(\d+)-(\d+)", path.stem).groups()
        of_rooms = runs.setdefault(int(rooms), {name: {} for name in KINDS})
        of_rooms[kind][int(round_number)] = json.loads(path.read_text())
    return runs


def median(figures, key):
    return statistics.median(figure[key] for figure in figures.values())


def rows(runs):
    for rooms, kinds in sorted(runs.items()):
        plain, journal = (kinds[name] for name in KINDS)
        # Rounds are compared with themselves: what else the machine did hit both alike.
        ratios = [journal[number]["moves_per_second"] / plain[number]["moves_per_second"]
                  for number in sorted(plain)]
        for name, figures in (("without", plain), ("with", journal)):
            ratio = "1" if figures is plain else (
                f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f})")
            yield (f"| {rooms} | {name} | {median(figures, 'moves_per_second'):,.0f} | {ratio} | "
                   f"{median(figures, 'server_user_us_per_move'):.1f} + "
                   f"{median(figures, 'server_system_us_per_move'):.1f} | "
                   f"{median(figures, 'latency_p50_us'):,.0f} / "
                   f"{median(figures, 'latency_p99_us'):,.0f} | "
                   f"{median(figures, 'generator_busy'):.0f} % |")


def sync_milliseconds(folder):
    """Median time until the disk says that 4 KiB are safe."""
    times = []
    with open(pathlib.Path(folder) / "probe", "wb", buffering=0) as file:
        for _ in range(100):
            file.write(bytes(4096))
            begin = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1000


def disk_bound(runs, milliseconds):
    """What the disk alone allows, if a room's next move waits until the last one is durable."""
    bounds = " and ".join(f"{rooms * 1000 / milliseconds:,.0f} at {rooms}" for rooms in sorted(runs))
    return (f"The disk takes {milliseconds:.1f} ms until written data is safe (fdatasync, median). A "
            "room's next move follows the last one's announcement, which waits for the disk, so "
            f"with one commit at a time no more moves a second are possible than {bounds} rooms.")


def remarks(share):
    if share < 95:
        yield ""
        yield (f"The machine did other work meanwhile (the generator had as little as {share:.0f} % of "
               "its core in a run): take the ratios as rough.")


def main():
    folder, file_system, version, output = sys.argv[1:]
    runs = read(folder)
    rounds = min(len(figures) for kinds in runs.values() for figures in kinds.values())
    shares = [figure["generator_core"] for kinds in runs.values() for figures in kinds.values()
              for figure in figures.values()]
    text = "\n".join([
        "# What the journal costs",
        "",
        f"Written by `./run bench journal` on {datetime.date.today()}: {version}, {processor()}, "
        f"Linux {platform.release()}, the journal on {file_system}. The server had one core, the "
        f"load another; medians of {rounds} rounds in which both took turns, and the ratio with its "
        "lowest and highest.",
        "",
        "| rooms | journal | moves/s | ratio | CPU a move, user + system, us | p50 / p99, us | "
        "load generator busy |",
        "|---:|---|---:|---:|---:|---:|---:|",
        *rows(runs),
        "",
        disk_bound(runs, sync_milliseconds(folder)),
        *remarks(min(shares)),
        "",
    ])
    pathlib.Path(output).write_text(text)


if __name__ == "__main__":
    main()
