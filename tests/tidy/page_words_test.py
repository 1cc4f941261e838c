"""Compares the sentences of the page with those of the console client: both say the same.

The page can't use the client's C++. Each piece of a sentence in client/web/text must be a piece of one in
the client's sources, or be among those that only the page says.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What the console client says in another way, or does not say.
ONLY_THE_PAGE = {
    "connection lost",  # the console says why
    "waiting for the server's disk …",  # the console says more
    "The server has closed the connection",
    # A console can't send the next line before.
    "Sending",
    "no answer from the server",
    "You are playing in another tab or window of this browser. You can continue here instead",
    "This server has a password. Ask its owner for it",
    ": another player has the name",
    "You are watching the room",
    # Which move decided a game.
    "a win for", "No move changed the result: with best play it was", "from the start", "decided the game:",
    "was the last mistake. With best play it turned", "into",
    # A terminal has nothing like this.
    "This browser shows the page but refuses the encrypted connection for the game. Open this address in "
    "another browser, such as Chrome or Firefox. If this is your server: start it with --tls-cert and a "
    "certificate that browsers trust",
    "The server does not answer, or its certificate has changed since this page was loaded. Reload the page: "
    "the browser asks about a new certificate",
    "You were moved to another server of this lobby,",
    ", and this browser can't connect",
    "to it. The browser may not trust its certificate: open that address once and accept the certificate. "
    "This page then continues by itself",
}

CPP_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
CPP_BETWEEN = re.compile(r'"\s*\n\s*"')


def console_text():
    """All string literals of the client, one in a line."""
    literals = []
    for folder in ("words", "lines", "screen", "model"):
        for path in sorted((ROOT / "client" / folder).glob("*.[ch]pp")):
            source = CPP_BETWEEN.sub("", path.read_text(encoding="utf-8"))
            literals += CPP_LITERAL.findall(source)
    return "\n".join(literal.replace('\\"', '"') for literal in literals)


def literals_of(source):
    """The string literals of JavaScript, and those in the expressions of templates. An expression
    becomes a zero character."""
    found = []
    at = 0
    while at < len(source):
        if source.startswith("//", at):
            at = source.find("\n", at)
        elif source[at] == "'":
            end = re.compile(r"(?<!\\)'").search(source, at + 1).start()
            found.append(source[at + 1:end].replace("\\'", "'"))
            at = end + 1
        elif source[at] == "`":
            text, inner, at = template(source, at + 1)
            found += [text, *inner]
        else:
            at += 1
    return found


def template(source, at):
    """The text of a template that begins at `at`, the literals in it, and its end."""
    text, inner = "", []
    while source[at] != "`":
        if not source.startswith("${", at):
            text += source[at]
            at += 1
            continue
        begin = at = at + 2
        depth = 1
        while depth > 0:
            if source[at] == "`":
                at = template(source, at + 1)[2]
                continue
            depth += {"{": 1, "}": -1}.get(source[at], 0)
            at += 1
        inner += literals_of(source[begin:at - 1])
        text += "\0"
    return text, inner, at + 1


def pieces(path):
    """Pieces of sentences: what has at least two words."""
    # Literals that are put together over lines are one.
    source = re.sub(r"(['`])\s*\+\s*\n?\s*\1", "", path.read_text(encoding="utf-8"))
    for literal in literals_of(source):
        for piece in literal.split("\0"):
            if re.search(r"[A-Za-z]\W*\s+\W*[A-Za-z]|^\s+[a-z]|[a-z]\s+$", piece):
                # The client's sources often add the end of a sentence by itself.
                yield piece.strip().removesuffix(".")


class PageWordsTest(unittest.TestCase):
    def test_the_page_says_what_the_console_client_says(self):
        console = console_text()
        said = set()
        others = []
        for path in sorted((ROOT / "client" / "web" / "text").glob("*.js")):
            for piece in pieces(path):
                said.add(piece)
                if piece not in console and piece not in ONLY_THE_PAGE:
                    others.append(f"{path.name}: {piece!r}")
        self.assertEqual(others, [], "the client's sources do not say this")
        self.assertEqual(ONLY_THE_PAGE - said, set(), "the page no longer says this")
        self.assertGreater(len(said), 40)
