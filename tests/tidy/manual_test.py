"""Compares the man pages with --help: every option and subcommand of either is in the other."""

import re
import sys
import unittest

from program_help import PROGRAMS, ROOT, names


def page_names(text):
    """By subcommand, "" for the program itself: the options and subcommands that a page describes.

    Each is in the sections OPTIONS and COMMANDS at the beginning of a line, in bold:
    `*--port* _N_`, or `*-h*, *--help*`. A heading `## HISTORY` begins the options of a subcommand.
    """
    found = {"": set()}
    command = ""
    section = ""
    for line in text.splitlines():
        if line.startswith("# "):
            section, command = line[2:], ""
        elif line.startswith("## "):
            word = line.split()[1].lower()
            command = word if word in found[""] else ""
            found.setdefault(command, set())
        entry = re.match(r"\*(--?[a-z-]+|[a-z]+)\*(?:, \*(--[a-z-]+)\*)?", line)
        if entry and section in ("OPTIONS", "COMMANDS"):
            found[command].update(filter(None, entry.groups()))
    return found


class Manual(unittest.TestCase):
    def test_pages_and_help_have_the_same_options(self):
        for program in PROGRAMS:
            told = names(program)
            page = page_names((ROOT / f"docs/man/{program}.1.scd").read_text())
            self.assertGreater(len(told[""]), 3)
            for command, options in told.items():
                # Every subcommand has it.
                options -= {"-h", "--help"} if command else set()
                with self.subTest(program=program, command=command):
                    self.assertEqual(page.get(command, set()), options)

    def test_pages_tell_of_exit_status_and_environment(self):
        for program in PROGRAMS:
            text = (ROOT / f"docs/man/{program}.1.scd").read_text()
            with self.subTest(program=program):
                self.assertIn("\n# EXIT STATUS\n", text)
        client = (ROOT / "docs/man/tictactoe.1.scd").read_text()
        for variable in ("TICTACTOE_NAME", "TICTACTOE_SERVER", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
                         "NO_COLOR"):
            self.assertIn(f"*{variable}*", client)


if __name__ == "__main__":
    sys.exit(unittest.main())
