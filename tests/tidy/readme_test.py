"""Holds the README to what the programs print: their options, as --help tells them."""

import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("TICTACTOE_BIN", ROOT / "build/release/bin"))


def help_of(program: str) -> str:
    """What --help prints to somebody whose name is alice."""
    environment = dict(os.environ, USER="alice")
    return subprocess.run([BIN / program, "--help"], env=environment, check=True, text=True,
                          stdout=subprocess.PIPE, timeout=60).stdout


class Readme(unittest.TestCase):
    def test_shows_every_option(self):
        readme = (ROOT / "README.md").read_text()
        for program in ("tictactoe-server", "tictactoe"):
            with self.subTest(program=program):
                self.assertIn(help_of(program).strip(), readme,
                              "paste the output of --help (with USER=alice) into the README")


if __name__ == "__main__":
    sys.exit(unittest.main())
