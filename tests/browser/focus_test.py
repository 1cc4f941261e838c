"""The keyboard and screen readers follow what the page shows."""

import tempfile
import unittest

from browser import Page
from network import LOOPBACK
from programs import Client, Server
from selenium.webdriver.common.keys import Keys

# Notes what a screen reader would say of each element that gets the focus.
NOTE_FOCUS = """
  window.focused = [];
  document.addEventListener('focusin', ({ target }) => {
    window.focused.push(target.getAttribute('aria-label') ?? target.tagName);
  });
"""


class FocusTest(unittest.TestCase):
    def setUp(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        self.server = self.enterContext(
            Server(LOOPBACK, "--listen", "127.0.0.1", "--data-dir", directory))
        self.page = self.enterContext(Page(self.server.port))

    def expect_focus(self, selector):
        self.page.wait(f"focus on {selector}", lambda: self.page.script(
            "return document.activeElement.matches(arguments[0])", selector))

    def test_a_new_view_has_the_focus(self):
        page = self.page
        page.come_in("ann")
        page.element(".lobby")
        self.expect_focus("main")
        page.press("Play the computer")
        page.expect(".feed", "AI (3, casual) plays O now.")
        self.expect_focus("[role=gridcell]")
        page.click("b2")
        page.expect_turn()
        page.press("Resign")
        page.press("Resign", "dialog")
        page.expect(".status", "You lose.")
        page.press("Leave")
        page.element(".lobby")
        self.expect_focus("main")
        page.open("#/games")
        page.element("table a").click()
        page.expect(".status", "wins")
        self.expect_focus("main")

    def focused(self):
        return self.page.script("const { ariaLabel, innerText } = document.activeElement;"
                                "return ariaLabel ?? innerText;")

    def focus_on(self, selector):
        self.page.script("document.querySelector(arguments[0]).focus()", selector)

    def test_the_focus_stays_as_others_come_and_go(self):
        page = self.page
        address = f"127.0.0.1:{self.server.port}"
        page.come_in("ann")
        bob = self.enterContext(Client(LOOPBACK, address, "bob"))
        page.expect(".who-is-here", "bob")
        self.focus_on("[aria-label='Mute bob']")
        with Client(LOOPBACK, address, "aaron"):
            page.expect(".who-is-here", "aaron")
            self.assertEqual(self.focused(), "Mute bob")
        page.keys(Keys.ENTER)
        page.expect(".who-is-here", "Unmute")
        self.assertEqual(self.focused(), "Unmute bob")
        bob.type("create den")
        page.expect(".rooms", "den")
        page.press("Watch", ".rooms")
        page.expect(".feed", "You are watching the room")
        self.focus_on(".seat-card .primary")
        page.keys(Keys.ENTER)
        page.expect(".feed", "You play O")
        self.expect_focus("[role=gridcell]")

    def test_the_focus_stays_with_a_seat(self):
        page = self.page
        page.come_in("ann")
        page.create("den")
        self.focus_on(".seat-card .small")
        page.keys(Keys.ENTER)
        page.element("dialog select")
        page.keys(Keys.TAB, Keys.TAB, Keys.ENTER)
        page.expect(".feed", "plays O now.")
        page.wait("focus", lambda: self.focused() == "Remove the AI")
        page.keys(Keys.ENTER)
        page.wait("focus", lambda: self.focused() == "Add an AI …")
