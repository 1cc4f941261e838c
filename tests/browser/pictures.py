"""Takes the documents' pictures of the page from a real session: docs/page.png and docs/page-phone.png.

Called by `./run pictures`."""

import contextlib
import pathlib
import sys

from browser import Page
from network import LOOPBACK
from programs import Client, Server

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs"
# What each guest types first. The rooms of the first two have a seat for whoever comes; in the others, two play.
GUESTS = {"bob": "create attic 3 open-seats", "erin": "create bistro 7x7x4 open-seats",
          "carol": "create gomoku 15x15x5 clock 10m hints", "dave": "create lounge 9x9x5 clock 3m+2s",
          "grace": "create vault 5x5x4 password swordfish"}
GOMOKU = (("h8", "g7"), ("h9", "h7"), ("g8", "i7"), ("f8", "i8"), ("j9", ""))
LOUNGE = (("e5", "d4"), ("e4", "e6"), ("d5", "f5"), ("c6", "b7"), ("f3", "g2"))


def main():
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(LOOPBACK, "--listen", "127.0.0.1", "--name", "the den"))

        def console(name):
            return stack.enter_context(Client(LOOPBACK, f"127.0.0.1:{server.port}", name))
        alice = stack.enter_context(Page(server.port, 1180, 900))
        frank = stack.enter_context(Page(server.port, 390, 844, touch=True, dark=True))
        for page in (alice, frank):
            page.run("Emulation.setScrollbarsHidden", hidden=True)
        guests = {}
        for name, line in GUESTS.items():
            guests[name] = console(name)
            guests[name].type(line)
            guests[name].expect("Waiting for an opponent")
        for name, moves in (("bob", ("b2",)), ("erin", ("d4", "c5", "d2", "e3", "f6"))):
            guests[name].type("ai o 2")
            guests[name].expect("Your turn")
            for move in moves:
                guests[name].type(move)
                # The AI plays by chance, and may have taken the cell.
                if guests[name].expect(f"You play {move}|is taken").group() != "is taken":
                    guests[name].expect(r"\) plays")
        heidi = console("heidi")
        heidi.type("join lounge")
        for theirs, mine in LOUNGE:
            for player, cell in ((guests["dave"], theirs), (heidi, mine)):
                player.expect("Your turn")
                player.type(cell)
        alice.come_in("alice", "#/join/gomoku")
        alice.expect(".title h1", "gomoku")
        for theirs, mine in GOMOKU:
            guests["carol"].type(theirs)
            alice.expect_mark(theirs, "X")
            if mine:
                alice.click(mine)
                alice.expect_mark(mine, "O")
        frank.come_in("frank")
        frank.expect(".rooms", "vault")
        frank.picture(FOLDER / "page-phone.png")
        guests["carol"].type("say You are good at this!")
        alice.expect(".feed", "You are good at this!")
        alice.press("Hint")
        alice.expect(".feed", "Hint:")
        alice.script("document.activeElement.blur()")
        alice.picture(FOLDER / "page.png")


if __name__ == "__main__":
    sys.exit(main())
