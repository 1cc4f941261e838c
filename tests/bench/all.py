#!/usr/bin/env python3
"""Runs a short form of every benchmark and prints one table: each measure now, as last recorded, and
whether the difference is more than noise.

    all.py BUILD_DIR

Each benchmark writes its usual table, into a directory that is removed. Standard library only.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

from measures import measures_in
from reporting import processor

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "results"
NOISE = 0.05  # of a figure without rounds
LONGEST = 240  # seconds after which nothing more begins: a busy machine takes longer

# The options of each script that make it short.
SHORT = {
    "engine": [],
    "journal": ["--rounds", "3", "--seconds", "0.5"],
    "memory": ["--rounds", "1", "--connections", "4000"],
    "operation": ["--rounds", "3", "--seconds", "0.5", "--blocked", "2",
                  "--blocked-rounds", "1"],
    "server": ["--rounds", "2", "--seconds", "0.5", "--no-peers", "--rows",
               "moves-50,moves-500,latency,watchers,storm,idle"],
    "transports": ["--rounds", "2", "--seconds", "0.5", "--no-peers"],
    "turns": ["--rounds", "1", "--only", "members"],
    "stores": ["--rounds", "1", "--seconds", "0.5"],
}


def run(name, build, output):
    result = subprocess.run([HERE / f"{name}.sh", build, output, *SHORT[name]], text=True, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode == 0:
        return True
    print(f"all.py: the benchmark {name} failed:\n{result.stdout[-2000:]}", file=sys.stderr)
    return False


def difference(now, last, same_machine):
    """What the figures say: rounds of both that overlap differ by noise alone."""
    if last is None:
        return "not recorded"
    ratio = now.judged()[1] / last.judged()[1] if last.judged()[1] else 1
    if now.has_rounds() and last.has_rounds():
        low, high = now.judged()[0], now.judged()[2]
        is_noise = low <= last.judged()[2] and last.judged()[0] <= high
    else:
        is_noise = abs(ratio - 1) <= NOISE
    if is_noise:
        return "noise"
    if now.of_floor is None and not now.is_portable and not same_machine:
        return "another machine"
    return "**better**" if (ratio > 1) == now.more_is_better else "**worse**"


def row(now, last, same_machine):
    def of_floor(measure):
        if measure is None or measure.of_floor is None:
            return ""
        low, middle, high = measure.of_floor
        return f"{middle:.2f} ({low:.2f} to {high:.2f})" if low < high else f"{middle:.2f}"

    def value(measure):
        return "" if measure is None else measure.text()

    ratio = "" if last is None or not last.middle() else f"{now.middle() / last.middle():.2f}"
    floor = "" if now.floor is None else f"{now.floor:,.4g}" if now.floor < 10 else f"{now.floor:,.0f}"
    return (f"| {now.name} | {value(now)} | {value(last)} | {ratio} | {floor} | {of_floor(now)} | "
            f"{of_floor(last)} | {difference(now, last, same_machine)} |")


def table(output):
    yield ("| measure | now | last recorded | ratio | floor | of the floor | as recorded | "
           "difference |")
    yield "|---|---:|---:|---:|---:|---:|---:|---|"
    for name in SHORT:
        path, recorded = output / f"{name}.md", RECORDED / f"{name}.md"
        if not path.exists():
            continue
        text = recorded.read_text() if recorded.exists() else ""
        last = {measure.name: measure for measure in measures_in(name, text)}
        for now in measures_in(name, path.read_text()):
            yield row(now, last.get(now.name), processor() in text)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    began, has_failed = time.monotonic(), False
    with tempfile.TemporaryDirectory() as folder:
        for name in SHORT:
            if time.monotonic() - began > LONGEST:
                print(f"{name} is left out: {LONGEST} s are over", file=sys.stderr, flush=True)
                continue
            print(f"{name} ...", file=sys.stderr, flush=True)
            has_failed = not run(name, sys.argv[1], folder) or has_failed
            print(f"  after {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        print("\n".join(table(pathlib.Path(folder))))
    print(f"""
Short runs, {time.monotonic() - began:.0f} s in all, on {processor()}. "Ratio" is of the medians, now to
last recorded; the floor is what stands beside it in the same run: the bare relay, a server without a
journal, plain TCP. Where there is a floor, the difference is judged by the part of the floor, as
machines differ. It is noise if the rounds of both runs overlap, or without rounds if it is at most
{NOISE:.0%}. `./run bench page` measures the page.""")
    sys.exit(1 if has_failed else 0)


if __name__ == "__main__":
    main()
