"""Runs one benchmark, or a short form of all, and writes its table.

    bench.py BENCHMARK BIN_DIR [OPTIONS]
    bench.py all BIN_DIR
"""

from __future__ import annotations

import argparse
import os
import pathlib
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
BENCHMARKS = {"engine": Engine, "journal": Journal, "server": Server, "stores": Stores, "transports": Transports}
LONGEST = 240  # seconds after which a short form of all begins nothing more


def parse(benchmark: str, arguments: list[str]) -> argparse.Namespace:
    kind = BENCHMARKS[benchmark]
    parser = argparse.ArgumentParser(prog=f"./run bench {benchmark}", description=kind.__doc__)
    parser.add_argument("bin", type=lambda text: pathlib.Path(text).resolve(), help="directory of the programs")
    parser.add_argument("--output", type=pathlib.Path, help="a directory to which the table is also written")
    parser.add_argument("--rounds", type=int, default=kind.rounds, help=f"[{kind.rounds}]")
    parser.add_argument("--seconds", type=float, default=kind.seconds,
                        help=f"of each measurement [{kind.seconds:g}]")
    kind.add_options(parser)
    options = parser.parse_args(arguments)
    options.benchmark = benchmark
    return options


def run_all(binaries: str) -> int:
    began, failed = time.monotonic(), False
    for name, kind in BENCHMARKS.items():
        if time.monotonic() - began > LONGEST:
            print(f"{name} is left out: {LONGEST} s are over", file=sys.stderr)
            continue
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            print(kind(parse(name, [binaries, *kind.short])).run())
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            print(f"{name} failed: {error}", file=sys.stderr)
            failed = True
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
    if options.output:
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / f"{name}.md").write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
