"""Compiles the sources and headers of the last commits one by one: alone.py BUILD GENERATED COMMITS

Other builds compile several sources as one with precompiled headers, which hides missing includes. BUILD is
configured without both; GENERATED is another build, in which the generated headers exist already.
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys


def changed(commits: str) -> list[pathlib.Path]:
    listed = subprocess.run(["git", "log", f"-{commits}", "--name-only", "--format=", "--", "*.cpp", "*.hpp"],
                            capture_output=True, text=True, check=True).stdout
    return [path for name in sorted(set(listed.split())) if (path := pathlib.Path(name).resolve()).exists()]


def commands(build: str, generated: str) -> dict[pathlib.Path, list[str]]:
    """How each source is compiled, up to its name."""
    text = (pathlib.Path(build) / "compile_commands.json").read_text(encoding="utf-8")
    text = text.replace(str(pathlib.Path(build).resolve()), str(pathlib.Path(generated).resolve()))
    return {pathlib.Path(entry["file"]): shlex.split(entry["command"])[:-4] for entry in json.loads(text)}


def check(path: pathlib.Path, known: dict[pathlib.Path, list[str]]) -> bool:
    command = known.get(path) or next((known[other] for other in known if other.parent == path.parent), None)
    if command is None or (path.suffix == ".cpp" and path not in known):
        return True  # not of the programs
    done = subprocess.run([*command, "-fsyntax-only", "-Wno-pragma-once-outside-header", "-xc++", str(path)],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{path} alone:\n{done.stderr}")
    return done.returncode == 0


def main() -> int:
    build, generated, commits = sys.argv[1:]
    known = commands(build, generated)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: check(path, known), changed(commits)))
    print(f"{len(results)} files of the last {commits} commits were looked at")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
