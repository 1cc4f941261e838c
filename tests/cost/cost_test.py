"""Counts the instructions of a move with callgrind, and holds them against figures.json.

A fixed evening of games gives the same count whatever else the machine does. `--update` writes the
figures down again. They are of one compiler and one set of libraries; with others there is nothing
to compare, and the test is skipped.
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
        print("SKIPPED cost.instructions: valgrind is not installed")
        return SKIPPED
    known = json.loads(FIGURES.read_text())
    update = "--update" in sys.argv
    if known["build"] != build and not update:
        print(f"SKIPPED cost.instructions: the figures are of {known['build']}, this is {build}")
        return SKIPPED
    figures = {part: round(counted(program, part)) for part in PARTS}
    if update:
        FIGURES.write_text(json.dumps({"build": build, "instructions_a_move": figures}, indent=2)
                           + "\n")
        return 0
    failed = False
    for part, what in PARTS.items():
        then, now = known["instructions_a_move"][part], figures[part]
        change = now / then - 1
        print(f"{what}: {now} instructions a move, {then} in {FIGURES.name} ({change:+.1%})")
        if change > TOLERANCE:
            failed = True
            print(f"  more than {TOLERANCE:.0%} over the figure: make it cheaper, or write the new "
                  "figure down with --update and say why in the commit", file=sys.stderr)
        elif change < -TOLERANCE:
            print("  well below: write it down with --update, so that it stays so")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
