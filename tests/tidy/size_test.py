"""Fails on source files with more than 400 lines."""

import sys
import unittest

from program_help import ROOT

MOST_LINES = 400
SUFFIXES = {".hpp", ".cpp", ".py"}


def lines_of(path):
    return len(path.read_text().splitlines())


class Size(unittest.TestCase):
    def test_source_files_have_at_most_400_lines(self):
        for top in ("common", "server", "client", "tests"):
            for path in sorted((ROOT / top).rglob("*")):
                name = str(path.relative_to(ROOT))
                if path.suffix not in SUFFIXES or "node_modules" in name:
                    continue
                with self.subTest(file=name):
                    self.assertLessEqual(lines_of(path), MOST_LINES)


if __name__ == "__main__":
    sys.exit(unittest.main())
