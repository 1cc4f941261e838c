"""Runs one benchmark and writes its table, or a short form of all, beside what was recorded.

    bench.py BENCHMARK BIN_DIR [OPTIONS]
    bench.py all BIN_DIR
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

from engine import Engine
from journal import Journal
from server import Server
from stores import Stores
from transports import Transports

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "results"
BENCHMARKS = {"engine": Engine, "journal": Journal, "server": Server, "stores": Stores, "transports": Transports}
LONGEST = 240  # seconds after which a short form of all begins nothing more
SPREAD = re.compile(r"\*\*([\d.,]+)\S*\*\* \(([\d.,]+)\S* to ([\d.,]+)\S*\)")


def parse(benchmark: str, arguments: list[str]) -> argparse.Namespace:
    kind = BENCHMARKS[benchmark]
    parser = argparse.ArgumentParser(prog=f"./run bench {benchmark}", description=kind.__doc__)
    parser.add_argument("bin", type=lambda text: pathlib.Path(text).resolve(), help="directory of the programs")
    parser.add_argument("--output", type=pathlib.Path, default=RECORDED, help="directory of the table")
    parser.add_argument("--rounds", type=int, default=kind.rounds, help=f"[{kind.rounds}]")
    parser.add_argument("--seconds", type=float, default=kind.seconds,
                        help=f"of each measurement [{kind.seconds:g}]")
    kind.add_options(parser)
    options = parser.parse_args(arguments)
    options.benchmark = benchmark
    return options


def measures(text: str) -> dict[tuple[str, ...], tuple[float, float, float]]:
    """Lowest, median and highest of the rounds, by the words of the row and the head of the column."""
    found, head, before = {}, [], []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if cells and set("".join(cells)) <= set("-:"):
            # Equal heads belong to the column before them.
            head = [name if before.count(name) == 1 else f"{before[column - 1]}, {name}"
                    for column, name in enumerate(before)]
        values = [SPREAD.fullmatch(cell) for cell in cells]
        words = [cell for column, cell in enumerate(cells) if not values[column] and
                 (column == 0 or re.match(r"[A-Za-z][\w., ]*$", cell) and cell != "yes")]
        if words and words[0].isdigit():
            words[0] = f"{words[0]} {head[0]}"
        for column, value in enumerate(values):
            if value:
                median, low, high = (float(part.replace(",", "").rstrip(".")) for part in value.groups())
                found[(*words, head[column])] = low, median, high
        before = cells
    return found


def compared(name: str, text: str):
    """Rows of now and of what was recorded. Rounds of both that overlap differ by noise alone."""
    path = RECORDED / f"{name}.md"
    recorded = measures(path.read_text()) if path.exists() else {}
    for key, (low, median, high) in measures(text).items():
        if key in recorded:
            then_low, then, then_high = recorded[key]
            says = "noise" if low <= then_high and then_low <= high else f"**{median / then if then else 0:.2f}**"
            yield f"| {name}: {', '.join(filter(None, key))} | {median:,g} ({low:,g} to {high:,g}) | {then:,g} | {says} |"


def run_all(binaries: str) -> int:
    began, failed = time.monotonic(), False
    rows = ["| measure | now | recorded | times what was recorded |", "|---|---:|---:|---:|"]
    for name, kind in BENCHMARKS.items():
        if time.monotonic() - began > LONGEST:
            print(f"{name} is left out: {LONGEST} s are over", file=sys.stderr)
            continue
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            rows += compared(name, kind(parse(name, [binaries, *kind.short])).run())
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            print(f"{name} failed: {error}", file=sys.stderr)
            failed = True
    print(*rows, "", "Short runs. Machines differ: compare what is a part of something in the same run.", sep="\n")
    return 1 if failed else 0


def page(binaries: str) -> int:
    """What the page costs in Chromium; its tests measure it, and judge frames less strictly."""
    environment = os.environ | {"TICTACTOE_BIN": binaries}
    return max(subprocess.run(["/usr/bin/python3", "-B", HERE.parent / "support/run_test.py",
                               HERE.parent / f"browser/{test}_test.py"],
                              env=environment, check=False).returncode for test in ("site", "board", "slow_line"))


def main() -> int:
    if len(sys.argv) < 3 or sys.argv[1] not in (*BENCHMARKS, "all", "page"):
        sys.exit(f"{__doc__}\nBenchmarks: all, page, {', '.join(BENCHMARKS)}")
    if not {0, 1} <= os.sched_getaffinity(0):
        sys.exit("bench.py: two cores are needed, 0 and 1")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    name, *arguments = sys.argv[1:]
    if name == "all":
        return run_all(arguments[0])
    if name == "page":
        return page(arguments[0])
    options = parse(name, arguments)
    bench = BENCHMARKS[name](options)
    text = bench.run()
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / f"{name}.md").write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
