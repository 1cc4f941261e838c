"""A guest's way through the page in Firefox and WebKit, over https with the server's own certificate.
The other tests of the page know Chromium only."""

import tempfile
import unittest

from engines import FirefoxPage, WebKitPage
from network import LOOPBACK
from programs import Client, Server


class Guest:
    """What each browser must do; the classes below say which."""

    browser = None

    def setUp(self):
        self.directory = self.enterContext(tempfile.TemporaryDirectory())
        self.server = self.start()

    def start(self, port=0):
        return self.enterContext(Server(LOOPBACK, "--listen", "127.0.0.1", "--data-dir",
                                        self.directory, port=port))

    def page(self):
        return self.enterContext(self.browser(self.server.port))

    def test_against_an_ai_and_its_replay(self):
        page = self.page()
        page.come_in("ann")
        page.press("Play the computer")
        page.click("b2")
        page.expect_mark("b2", "X")
        page.expect_turn()
        page.press("Resign")
        page.press("Resign", "dialog")
        page.expect(".status", "You lose.")
        page.press("Review")
        page.expect(".replay", "ann")
        self.assertEqual(page.script("return [location.protocol, isSecureContext]"), ["https:", True])

    def test_against_a_person_through_a_reload_and_the_end_of_the_server(self):
        ann = self.page()
        ann.come_in("ann")
        ann.create("duel", Board="5 × 5")
        bob = self.enterContext(Client(LOOPBACK, f"127.0.0.1:{self.server.port}", "bob"))
        bob.type("join duel")
        ann.click("b2")
        bob.expect("ann plays b2")
        ann.say("hello there")
        bob.expect("hello there")
        bob.type("say and to you", "c3")
        ann.expect(".feed", "and to you")
        ann.expect_mark("c3", "O")
        ann.driver.refresh()
        ann.expect(".title h1", "duel")
        ann.expect_mark("c3", "O")
        ann.click("d4")
        bob.expect("ann plays d4")
        port = self.server.port
        self.server.process.kill()
        self.server.process.wait()
        ann.expect("header .link", "connection lost")
        self.server = self.start(port)
        ann.expect("header .link", "connected")
        bob.expect("Back on the server")
        bob.type("a1")
        ann.expect_mark("a1", "O")
        ann.click("d5")
        bob.expect("ann plays d5")


class FirefoxTest(Guest, unittest.TestCase):
    browser = FirefoxPage


class WebKitTest(Guest, unittest.TestCase):
    browser = WebKitPage
