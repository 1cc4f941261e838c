"""What the programs say of their own options, for tests that hold other things to it."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("TICTACTOE_BIN", ROOT / "build/release/bin"))
PROGRAMS = ("tictactoe", "tictactoe-server", "tictactoe-engine")


def printed(program, *arguments):
    """The output for a user alice without any configuration."""
    environment = {"PATH": os.environ["PATH"], "USER": "alice", "HOME": "/nonexistent"}
    return subprocess.run([BIN / program, *arguments], env=environment, check=True, text=True,
                          stdout=subprocess.PIPE, timeout=60).stdout


def names(program):
    """The options of a program and its subcommands, and the subcommands: by "" and their names."""
    found = {"": help_names(printed(program, "--help"))}
    for command in [name for name in found[""] if not name.startswith("-")]:
        found[command] = help_names(printed(program, command, "--help"))
    return found


def help_names(page):
    """Those at the beginning of the lines of a page of --help."""
    entries = re.findall(r"^  (-\S+|[a-z]+)(?: |$)", re.sub(r"(?s)Positionals:.*?\n\n", "", page)
                         .split("\nExamples:")[0], re.MULTILINE)
    return {name for entry in entries for name in entry.split(",")}
