"""Draws the pictures of the documents from a real session: docs/lobby.svg and docs/room.svg.

Called by `./run pictures`."""

import html
import pathlib
import re
import sys
import unicodedata

from network import LOOPBACK
from programs import Client, Server
from tmux import Tmux, client

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs"
COLUMN, ROW, FONT = 9, 19, 15
INK, GROUND = "#d8dee9", "#1d232e"
COLOURS = ["#1d232e", "#e06c75", "#7fbf6a", "#e5c07b", "#4f7fd0", "#c58af0", "#56b6c2", "#d8dee9"]
BRIGHT = ["#69758a", "#ff8088", "#a5e08c", "#ffd98f", "#7aa5f5", "#dba8ff", "#7fdce6", "#ffffff"]


class Style:
    """What the escape sequences so far have said."""

    def __init__(self):
        self.ink, self.ground = None, None
        self.bold = self.faint = self.reverse = self.underline = False

    def take(self, code):
        if code == 0:
            self.__init__()
        elif code in (1, 2, 4, 7):
            setattr(self, {1: "bold", 2: "faint", 4: "underline", 7: "reverse"}[code], True)
        elif 30 <= code <= 37:
            self.ink = COLOURS[code - 30]
        elif 90 <= code <= 97:
            self.ink = BRIGHT[code - 90]
        elif code == 39:
            self.ink = None
        elif 40 <= code <= 47:
            self.ground = COLOURS[code - 40]
        elif code == 49:
            self.ground = None

    def colours(self):
        ink, ground = self.ink or INK, self.ground
        if self.faint:
            ink = BRIGHT[0]
        return (ground or GROUND, ink) if self.reverse else (ink, ground)


def runs(line, style):
    """Pieces of a line with the colours that they have."""
    for part in re.split(r"(\033\[[0-9;]*m)", line):
        sequence = re.fullmatch(r"\033\[([0-9;]*)m", part)
        if not sequence:
            if part:
                yield part, style
            continue
        codes = [int(code or 0) for code in sequence.group(1).split(";")]
        while codes:
            code = codes.pop(0)
            if code == 38 and codes[:1] == [5]:  # one of 256: only the first 16 are used here
                style.take(30 + codes[1] if codes[1] < 8 else 90 + codes[1] - 8)
                del codes[:2]
            else:
                style.take(code)


def width(text):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def opening(columns, lines):
    """The beginning of a picture of a terminal."""
    size = (columns * COLUMN + 20, lines * ROW + 20)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
            f'viewBox="0 0 {size[0]} {size[1]}" font-size="{FONT}" font-family="DejaVu Sans Mono, '
            f'Menlo, Consolas, monospace">\n'
            f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>')


def drawn(screen):
    """The elements of a screen."""
    style = Style()
    for y, line in enumerate(screen.rstrip("\n").split("\n")):
        x = 0
        for text, look in runs(line, style):
            ink, ground = look.colours()
            left, top, taken = 10 + x * COLUMN, 10 + y * ROW, width(text) * COLUMN
            if ground:
                yield (f'<rect x="{left}" y="{top}" width="{taken}" height="{ROW}" '
                       f'fill="{ground}"/>')
            more = (' font-weight="bold"' if look.bold else "") + (
                ' text-decoration="underline"' if look.underline else "")
            # Not all browsers keep blanks, so that each group of words has its own place.
            for words in re.finditer(r"\S+( \S+)*", text):
                left = 10 + (x + width(text[: words.start()])) * COLUMN
                taken = width(words.group()) * COLUMN
                yield (f'<text x="{left}" y="{top + 15}" fill="{ink}" textLength="{taken}" '
                       f'lengthAdjust="spacingAndGlyphs"{more}>{html.escape(words.group())}</text>')
            x += width(text)


def svg(screen, columns):
    lines = len(screen.rstrip("\n").split("\n"))
    return "\n".join([opening(columns, lines), *drawn(screen), "</svg>", ""])


def picture(terminal, name, columns):
    (FOLDER / name).write_text(svg(terminal.screen(colours=True), columns), encoding="utf-8")


def main():
    FOLDER.mkdir(exist_ok=True)
    columns = 96
    with Server(LOOPBACK, "--listen", "127.0.0.1", "--no-discovery", "--name", "the den") as server:
        address = f"127.0.0.1:{server.port}"
        guests = [Client(LOOPBACK, address, name) for name in ("bob", "carol", "dave", "erin")]
        for guest, line in zip(guests, ("create duel 3", "create gomoku 15x15x5 clock 10m hints",
                                        "create vault 5x5x4 password swordfish",
                                        "create endless 100x100x5")):
            guest.type(line)
            guest.expect("Waiting for an opponent")
        guests[3].type("ai o", "50 50")
        guests[3].expect("plays a|plays b")
        terminal = Tmux(client(address, "alice"), columns, 28)
        try:
            terminal.expect("4 rooms")
            terminal.keys("Down")
            terminal.expect("▸ gomoku")
            picture(terminal, "lobby.svg", columns)
            terminal.keys("Enter")
            terminal.expect("bob's turn|carol's turn")
            carol = guests[1]
            moves = (("h8", "g7"), ("h9", "h7"), ("g8", "i7"), ("f8", "i8"), ("j9", "i9"))
            for theirs, mine in moves:
                row = int(theirs[1:])
                carol.type(f"{row} {ord(theirs[0]) - 96}")
                terminal.expect(rf"carol plays {theirs}\.")
                terminal.expect("Your turn")
                if (theirs, mine) == moves[-1]:
                    carol.type("say You are good at this!")
                    terminal.expect("You are good at")
                    terminal.type("H")
                    terminal.expect("Hint: ")
                    break
                terminal.type(mine)
                terminal.keys("Enter")
                terminal.expect(rf"You play {mine}\.")
            picture(terminal, "room.svg", columns)
        finally:
            terminal.close()
            for guest in guests:
                guest.__exit__()


if __name__ == "__main__":
    sys.exit(main())
