"""Counts the instructions of a move with callgrind, and holds them against figures.json.

A fixed evening of games gives the same count whatever else the machine does, with one compiler and one set of
libraries. `--update` writes the figures of this build down. Another build may have half as many again as the
figures of those that are known.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOLERANCE = 0.05
OF_AN_UNKNOWN_BUILD = 0.5  # over the most of those that are known
SKIPPED = 77  # what CTest takes for "skipped"
FIGURES = pathlib.Path(__file__).with_name("figures.json")
PARTS = {
    "host": "a request through the host, with its messages",
    "frames": "frames and messages alone",
}


def counted(program: str, part: str) -> float:
    """Instructions a move."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
             f"--toggle-collect=counted_{part}", program],
            capture_output=True, text=True, check=True,
            # Libraries choose their code by the processor: the same on all of them, please.
            env=os.environ | {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-ERMS,-FSRM"})
    instructions = re.search(r"Collected : (\d+)", run.stderr)
    return int(instructions[1]) / int(run.stdout)


def main() -> int:
    program, build = sys.argv[1], sys.argv[2]
    if shutil.which("valgrind") is None:
        print("SKIPPED cost.instructions: valgrind is not installed: apt-get install valgrind")
        return SKIPPED
    known = json.loads(FIGURES.read_text())
    figures = {part: round(counted(program, part)) for part in PARTS}
    if "--update" in sys.argv:
        known[build] = figures
        FIGURES.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")
        return 0
    tolerance = TOLERANCE if build in known else OF_AN_UNKNOWN_BUILD
    failed = False
    for part, what in PARTS.items():
        then = known[build][part] if build in known else max(of_one[part] for of_one in known.values())
        now = figures[part]
        change = now / then - 1
        print(f"{what}: {now} instructions a move, {then} in {FIGURES.name} ({change:+.1%})"
              + ("" if build in known else f", which does not have this build: {build}"))
        if change > tolerance:
            failed = True
            print(f"  more than {tolerance:.0%} over the figure: make it cheaper, or write the new "
                  "figure down with --update and say why in the commit", file=sys.stderr)
        elif build in known and change < -tolerance:
            print("  well below: write it down with --update, so that it stays so")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
