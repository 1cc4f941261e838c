"""A guest's way through the page in Firefox and WebKit, over https with the server's own certificate.
The other tests of the page know Chromium only."""

from engines import FirefoxPage, WebKitPage
from page_case import PageCase


class Guest:
    """What each browser must do; the classes below say which."""

    def test_against_an_ai_and_its_replay(self):
        page = self.page("ann")
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
        ann = self.page("ann")
        ann.create("duel", Board="5 × 5")
        bob = self.console("bob")
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
        port = self.kill()
        ann.expect("header .link", "connection lost")
        self.server = self.start(port)
        ann.expect("header .link", "connected")
        bob.expect("Back on the server")
        bob.type("a1")
        ann.expect_mark("a1", "O")
        ann.click("d5")
        bob.expect("ann plays d5")


class FirefoxTest(Guest, PageCase):
    browser = FirefoxPage


class WebKitTest(Guest, PageCase):
    browser = WebKitPage
