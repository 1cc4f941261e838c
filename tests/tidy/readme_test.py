"""Compares the README with the output of --help."""

import sys
import unittest

from program_help import ROOT, printed


class Readme(unittest.TestCase):
    def test_shows_every_option(self):
        readme = (ROOT / "README.md").read_text()
        for program in ("tictactoe-server", "tictactoe"):
            with self.subTest(program=program):
                self.assertIn(printed(program, "--help").strip(), readme,
                              "paste the output of --help (with USER=alice) into the README")


if __name__ == "__main__":
    sys.exit(unittest.main())
