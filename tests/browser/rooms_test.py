"""The page's forms: names and passwords of players, and rooms with every option."""

import pathlib
import tempfile
import unittest

from browser import Page
from network import LOOPBACK
from programs import Server
from selenium.webdriver.common.keys import Keys


class RoomsTest(unittest.TestCase):
    def page(self, server):
        return self.enterContext(Page(server.port))

    def rename(self, page, name):
        page.press(page.text("header .me"), "header")
        field = page.element("dialog input")
        field.clear()
        field.send_keys(name)
        page.press("Change", "dialog")
        page.expect("header .me", name)
        page.expect("header .link", "connected")

    def test_a_server_with_a_password(self):
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory, "password")
            file.write_text("swordfish\n", encoding="utf-8")
            file.chmod(0o600)
            server = self.enterContext(
                Server(LOOPBACK, "--listen", "127.0.0.1", "--password-file", str(file)))
        page = self.page(server)
        page.open()
        page.element("input[name=name]").send_keys("ann\n")
        page.expect(".problem", "This server has a password.")
        page.fill("Password of the server", "swordfish\n", "main")
        page.expect("header .me", "ann")
        page.expect("header .link", "connected")
        # The page still knows the password when it asks for another player.
        self.rename(page, "zoe")
        # After a reload it knows only the token.
        page.driver.refresh()
        page.expect("header .me", "zoe")
        page.expect("header .link", "connected")
        page.press("zoe", "header")
        page.fill("Name", " the second")
        page.press("Change", "dialog")
        page.expect("dialog .problem", "This server has a password.")
        page.fill("Password of the server", "swordfish")
        page.press("Change", "dialog")
        page.expect("header .me", "zoe the second")

    def test_a_room_with_every_option(self):
        server = self.enterContext(Server(LOOPBACK, "--listen", "127.0.0.1"))
        ann, bob = self.page(server), self.page(server)
        ann.come_in("ann")
        bob.come_in("bob")
        ann.press("Create a room …")
        ann.fill("Name", "cellar")
        ann.choose_size(4, 5, 3)
        ann.fill("Against", "AI (random)")
        ann.fill("Clock", "30 s")
        ann.script("document.querySelector('dialog details').open = true")
        for box in ann.all("dialog input[type=checkbox]"):
            box.click()
        ann.fill("If a player disconnects", "their seat")
        ann.fill("Time", "soon")
        ann.press("Create", "dialog")
        ann.expect(".problem", "Write a time such as 30s, 2m or 1h.")
        ann.script("document.querySelector('dialog [placeholder=\"2m\"]').value = '1m30s'")
        ann.press("Create", "dialog")
        ann.expect(".rules", "4 × 5, exactly 3 in a row · 30 s a move · unlisted")
        ann.expect(".feed", "AI (random) plays O now.")
        ann.click("b2")
        ann.expect_turn()
        self.assertEqual(bob.all(".rooms .room"), [])
        # A newcomer waits for the seat of the AI, and gets it after the game.
        bob.open("#/join/cellar")
        bob.expect(".feed", "You get the AI's seat when this game is over.")
        ann.press("Resign")
        ann.press("Resign", "dialog")
        bob.expect(".feed", "bob takes seat O.")
        # Somebody else has won.
        bob.expect(".status", "AI (random) (O) wins: ann resigned.")
        self.assertNotIn("You win", bob.text(".status"))
        ann.expect(".offer", "bob (O) wants a rematch.")
        ann.press("Agree to a rematch")
        bob.expect_turn()
        # What a muted player says is not shown.
        ann.say("first")
        bob.expect(".feed", "ann (X): first")
        bob.script("document.querySelector('.side details').open = true")
        bob.press("Mute")
        bob.wait("silence", lambda: "first" not in bob.text(".feed"))
        ann.say("second")
        ann.expect(".feed", "second")
        bob.press("Unmute")
        ann.say("third")
        bob.expect(".feed", "ann (X): third")
        self.assertNotIn("second", bob.text(".feed"))
        for page in (ann, bob):
            self.assertEqual(page.log(), [])

    def test_a_finished_game_goes_on_from_a_move(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        options = ("--listen", "127.0.0.1", "--data-dir", directory)
        server = self.enterContext(Server(LOOPBACK, *options))
        ann = self.page(server)
        ann.come_in("ann")
        ann.press("Play the computer")
        ann.click("b2")
        ann.expect_turn()
        ann.press("Resign")
        ann.press("Resign", "dialog")
        ann.expect(".status", "You lose.")
        ann.open("#/games/1")
        ann.expect(".status", "resigned")
        ann.keys(Keys.HOME)
        ann.expect(".status", "Before the first move.")
        ann.keys(Keys.ARROW_RIGHT)
        ann.expect(".status", "1. ann (X) plays b2")
        ann.press("|◀")
        ann.expect(".status", "Before the first move.")
        ann.press("▶")
        ann.expect(".status", "1. ann (X) plays b2")
        ann.press("Continue from here …")
        ann.expect("dialog h2", "A new room from game 1 after 1 move")
        ann.fill("Name", "again")
        ann.fill("Against", "AI (random)")
        ann.press("Create", "dialog")
        # Leaves the other room, and has the side to move.
        ann.expect(".title h1", "again")
        ann.expect(".rules", "3 × 3 · from game 1 after 1 move")
        ann.expect_mark("b2", "X")
        ann.click("c3")
        ann.expect_mark("c3", "O")
        ann.expect_turn()
        server.process.kill()
        server.process.wait()
        self.enterContext(Server(LOOPBACK, *options, port=server.port))
        ann.expect(".toasts", "Back on the server as ann.")
        ann.expect_mark("b2", "X")
        ann.expect_mark("c3", "O")
