"""Compares the man pages with --help: every option and subcommand of either is in the other."""

import json
import re
import subprocess
import unittest

from program_help import BIN, PROGRAMS, ROOT, names


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


def literal_block(page, section):
    """The lines of the first literal block of a section."""
    return page.split(f"\n# {section}\n")[1].split("```\n")[1].splitlines()


def keys_of_full_screen():
    """The keys that `?` explains: the sections of its help."""
    source = (ROOT / "client/text/key_help.cpp").read_text()
    array = re.search(r"key_lines = \{\n(.*?)\n\};", source, re.DOTALL).group(1)
    lines = [json.loads(line.strip().rstrip(",")) for line in array.splitlines()]
    last_section = lines.index("EVERYWHERE")
    return lines[lines.index("PLAYING"):lines.index("", last_section)]


def line_commands():
    """What `help` prints."""
    game = subprocess.run([BIN / "tictactoe", "local", "--plain"], input="help\nquit\n", check=True,
                          stdout=subprocess.PIPE, text=True, timeout=60).stdout.splitlines()
    begin = max(i for i, line in enumerate(game) if line.startswith("To move, type"))
    return game[begin:]


class Manual(unittest.TestCase):
    def test_the_page_lists_all_keys(self):
        page = (ROOT / "docs/man/tictactoe.1.scd").read_text()
        self.assertEqual(literal_block(page, "KEYS"), keys_of_full_screen(),
                         "paste the help of the full screen into the page")

    def test_the_page_lists_all_line_commands(self):
        page = (ROOT / "docs/man/tictactoe.1.scd").read_text()
        self.assertEqual(literal_block(page, "LINE COMMANDS"), line_commands(),
                         "paste the output of `help` into the page")

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
