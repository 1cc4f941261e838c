"""Every row of docs/threat-model.md names tests, and they exist."""

import re
import unittest

from program_help import ROOT

PAGE = ROOT / "docs/threat-model.md"
# `siege.connects`, `e2e.limits`, `unit.Names.of_rooms_may_not_look_alike`
TEST = re.compile(r"`((?:[a-z0-9]+)\.[A-Za-z0-9_.-]+)`")


def rows():
    """The cells of each row of the tables under the headings that promise tests."""
    section = ""
    for line in PAGE.read_text().splitlines():
        if line.startswith("## "):
            section = line[3:]
        is_row = line.startswith("| ") and not line.startswith("|---")
        if is_row and section.startswith("Who can do what"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def defined_tests():
    """The names that CTest knows them by, read from the sources: not every build has all."""
    found = set()
    for path in (ROOT / "tests").rglob("*_test.cpp"):
        folder = path.relative_to(ROOT / "tests").parts[0]
        for suite, name in re.findall(
                r"^(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*(\w+),\s*(\w+)",
                path.read_text(), re.MULTILINE):
            found.add(f"{folder}.{suite}.{name}")
    for path in (ROOT / "tests/unit/host/transcripts").glob("*.txt"):
        for name in re.findall(r"^== ([\w.]+)", path.read_text(), re.MULTILINE):
            found.add(f"unit.{name}")
    for folder in ("e2e", "browser", "tidy", "cost"):
        for path in (ROOT / "tests" / folder).glob("*_test.py"):
            found.add(f"{folder}.{path.stem.removesuffix('_test')}")
    listed = re.search(r"set\(attacks([^)]*)\)", (ROOT / "tests/siege/CMakeLists.txt").read_text())
    found.update(f"siege.{attack}" for attack in listed.group(1).split())
    return found


class ThreatModel(unittest.TestCase):
    def test_every_row_names_tests_that_exist(self):
        known = defined_tests()
        checked = 0
        for cells in rows():
            if cells[-1] == "tests":
                continue
            with self.subTest(row=cells[0]):
                names = TEST.findall(cells[-1])
                self.assertTrue(names, "no test is named")
                for name in names:
                    self.assertTrue(name in known, f"there is no test {name}")
                checked += 1
        self.assertGreater(checked, 10)
