"""Takes the documents' pictures of the page from a real session: docs/page.png and docs/page-phone.png.

Called by `./run pictures`."""

import pathlib
import sys

from browser import Page
from network import LOOPBACK
from programs import Client, Server

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs"
GUESTS = (("bob", "create duel 3"), ("carol", "create gomoku 15x15x5 clock 10m hints"),
          ("dave", "create vault 5x5x4 password swordfish"), ("erin", "create endless 100x100x5"))
MOVES = (("h8", "g7"), ("h9", "h7"), ("g8", "i7"), ("f8", "i8"), ("j9", ""))


def main():
    with Server(LOOPBACK, "--listen", "127.0.0.1", "--name", "the den") as server, \
         Page(server.port, 1180, 760) as alice, Page(server.port, 390, 844, touch=True) as frank:
        guests = [Client(LOOPBACK, f"127.0.0.1:{server.port}", name) for name, _ in GUESTS]
        try:
            for guest, (_, line) in zip(guests, GUESTS):
                guest.type(line)
                guest.expect("Waiting for an opponent")
            guests[3].type("ai o", "50 50")
            frank.come_in("frank")
            frank.scheme("dark")
            frank.expect(".rooms", "vault")
            frank.picture(FOLDER / "page-phone.png")
            alice.come_in("alice", "#/join/gomoku")
            alice.expect(".title h1", "gomoku")
            carol = guests[1]
            for theirs, mine in MOVES:
                carol.type(f"{theirs[1:]} {ord(theirs[0]) - 96}")
                alice.expect_mark(theirs, "X")
                if mine:
                    alice.click(mine)
                    alice.expect_mark(mine, "O")
            carol.type("say You are good at this!")
            alice.expect(".feed", "You are good at this!")
            alice.press("Hint")
            alice.expect(".feed", "Hint:")
            alice.script("document.activeElement.blur()")
            alice.picture(FOLDER / "page.png")
        finally:
            for guest in guests:
                guest.__exit__()


if __name__ == "__main__":
    sys.exit(main())
