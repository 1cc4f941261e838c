"""Sentences for people stand in client/words, where both front ends find them.

The front ends may hold labels of one or two words. Fails on a string of three or more words in
client/screen and client/lines.
"""

import re
import unittest

from program_help import ROOT

LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
WORD = re.compile(r"[A-Za-z][A-Za-z']*")
MOST_WORDS = 2

# What only the subcommands of the program and the pace of scripts say: no other front end has these.
ALLOWED = {"client/lines/listing.cpp", "client/lines/pacing.cpp", "client/lines/records.cpp",
           "client/lines/shell.cpp"}
# The same for single sentences about lines and scripts.
ALLOWED_SENTENCES = {
    "`wait` is only for scripts.",
    "Type `play` to start, or `help`.",
    "There are more: `tictactoe history` lists them all.",
    "(`tictactoe replay` also shows the earlier moves.)",
    "Waiting to run ",
}


def sentences(text):
    """The literals of a source, with those that follow each other joined as the compiler does."""
    code = "\n".join(line for line in text.splitlines()
                     if not line.lstrip().startswith(("//", "#include")))
    code = re.sub(r'"\s*\n\s*"', "", code.replace("'\"'", ""))
    return [match.group(1) for match in LITERAL.finditer(code)]


def is_sentence(literal):
    return len(WORD.findall(re.sub(r"\\.", " ", literal))) > MOST_WORDS


class Sentences(unittest.TestCase):
    def test_the_front_ends_hold_no_sentences(self):
        for module in ("client/screen", "client/lines"):
            for path in sorted((ROOT / module).glob("*.?pp")):
                name = str(path.relative_to(ROOT))
                if name in ALLOWED:
                    continue
                found = {each for each in sentences(path.read_text()) if is_sentence(each)}
                with self.subTest(file=name):
                    self.assertLessEqual(found, ALLOWED_SENTENCES, "belongs in client/words")

    def test_a_sentence_over_two_lines_is_found(self):
        source = 'say("You are "\n    "here now.");  // "a comment that is a sentence"\n'
        self.assertTrue(is_sentence(sentences(source)[0]))
        self.assertFalse(is_sentence("New room"))
