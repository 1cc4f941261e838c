"""Looks at every page of --help: it fits a terminal of 80 columns."""

import unittest

from program_help import PROGRAMS, names, printed

COLUMNS = 80


class Help(unittest.TestCase):
    def test_no_line_is_wider_than_a_terminal(self):
        for program in PROGRAMS:
            for command in names(program):
                page = printed(program, *filter(None, [command]), "--help")
                with self.subTest(program=program, command=command):
                    self.assertEqual([line for line in page.splitlines() if len(line) > COLUMNS], [])
