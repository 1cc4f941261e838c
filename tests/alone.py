"""Compiles each source by itself, without writing anything: python3 tests/alone.py BUILD [SOURCE...]

The builds compile several sources as one, where a missing include is not noticed if another source has it. BUILD
is configured with CMAKE_UNITY_BUILD=OFF and TICTACTOE_PRECOMPILE=OFF, and has its generated headers. Without
SOURCE, all sources of the project are compiled. Ends with 1 if one can't be.
"""

import concurrent.futures
import json
import os
import re
import subprocess
import sys


def errors(entry):
    """What the compiler says of a source, if it can't be compiled."""
    command = re.sub(r" -o \S+", " -fsyntax-only", entry["command"])
    done = subprocess.run(command, shell=True, cwd=entry["directory"], capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main():
    build, *named = sys.argv[1:]
    with open(os.path.join(build, "compile_commands.json")) as file:
        entries = json.load(file)
    of_build = os.path.realpath(build) + os.sep
    entries = [entry for entry in entries if not os.path.realpath(entry["file"]).startswith(of_build)]
    if named:
        wanted = {os.path.realpath(name) for name in named}
        entries = [entry for entry in entries if os.path.realpath(entry["file"]) in wanted]
    if not entries:
        sys.exit("alone.py: no such source in " + build)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        found = [text for text in threads.map(errors, entries) if text]
    print("\n".join(found) + f"{len(entries)} sources, {len(found)} can't be compiled alone", flush=True)
    sys.exit(1 if found else 0)


main()
