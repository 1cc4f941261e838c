"""The documented examples of `tictactoe-engine match`, and levels as people type them."""

import pathlib
import re
import shlex
import unittest

from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "common/ai/README.md", *ROOT.glob("docs/*.md"),
             *ROOT.glob("docs/man/*.scd")]
COMMAND = re.compile(r"^(?:\$ |\t| {4})tictactoe-engine (match .*)$", re.MULTILINE)


def examples():
    """The words of each command, and the output that its document shows, if it does."""
    for document in DOCUMENTS:
        text = document.read_text()
        for found in COMMAND.finditer(text):
            shown = re.match(r"\n((?:(?!```|\$ ).+\n)*)", text[found.end():]) if \
                found[0].startswith("$") else None
            yield shlex.split(found[1]), shown[1] if shown else ""


class Match(unittest.TestCase):
    def test_the_examples_of_the_documents(self):
        found = list(examples())
        self.assertGreaterEqual(len(found), 2, "the documents have examples")
        for words, shown in found:
            with self.subTest(" ".join(words)):
                result = run("tictactoe-engine", *words)
                self.assertEqual(result.returncode, 0, result)  # on a slow machine, stderr tells of progress
                self.assertIn(f"{words[1]} against {words[2]}, ", result.stdout)
                self.assertEqual(result.stdout[:len(shown)], shown)

    def test_every_option(self):
        for option in ("--games 3", "--size 4x5x3", "--exact", "--freestyle", "--seed 7", "--nodes 100",
                       "--seconds 1"):
            options = ["--games", "2", *option.split()] if option != "--games 3" else option.split()
            with self.subTest(options):
                result = run("tictactoe-engine", "match", "Strong", "RANDOM", *options)
                self.assertEqual(result.returncode, 0, result)
                counts = [int(number) for number in
                          re.findall(r"^(?:wins|draws|losses) (\d+)$", result.stdout, re.MULTILINE)]
                self.assertEqual(sum(counts), int(options[1]), result)


class Tournament(unittest.TestCase):
    def test_levels_in_either_case(self):
        result = run("tictactoe-engine", "tournament", "Random", "SUGGESTER", "--games", "2")
        self.assertEqual(result.returncode, 0, result)
        self.assertIn("suggester against all", result.stdout)
        result = run("tictactoe-engine", "tournament", "random", "Random")
        self.assertEqual(result.returncode, 2, result)
