"""axe-core finds no violation on any view of the page, in light and dark, wide and narrow."""

import pathlib
import tempfile
import unittest

from browser import Page
from network import LOOPBACK
from programs import Server

AXE = pathlib.Path(__file__).resolve().parent / "axe" / "node_modules" / "axe-core" / "axe.min.js"


@unittest.skipUnless(AXE.exists(), "axe-core is not installed: run tests/browser/axe/install")
class AccessibilityTest(unittest.TestCase):
    def setUp(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        self.server = self.enterContext(
            Server(LOOPBACK, "--listen", "127.0.0.1", "--data-dir", directory))

    def check(self, page, view):
        for scheme in ("light", "dark"):
            page.scheme(scheme)
            page.script(AXE.read_text(encoding="utf-8") + "\n;window.axe = axe;")
            result = page.driver.execute_async_script(
                "const done = arguments[arguments.length - 1];"
                "window.axe.run().then(done, (error) => done({violations: [String(error)]}));")
            found = [f"{one['id']}: {node['html'][:120]}\n    {node['failureSummary'][:300]}"
                     for one in result["violations"] for node in one["nodes"]]
            self.assertEqual(found, [], f"{view}, {scheme}")

    def check_all(self, **options):
        page = self.enterContext(Page(self.server.port, **options))
        page.open()
        page.element("input[name=name]")
        self.check(page, "start")
        page.come_in("ann")
        bob = self.enterContext(Page(self.server.port))
        bob.come_in("bob")
        bob.create("duel", Board="5 × 5", Clock="3 min")
        page.expect(".rooms", "duel")
        self.check(page, "lobby")
        page.press("Create a room …")
        page.script("document.querySelector('dialog details').open = true")
        self.check(page, "form for a room")
        page.press("Cancel", "dialog")
        page.press("Join", ".rooms")
        bob.click("c3")
        page.expect_turn()
        bob.say("good evening")
        bob.press("Offer a draw")
        page.expect(".offer", "bob (X) offers a draw.")
        self.check(page, "room")
        page.press("Accept the draw")
        page.expect(".status", "Draw, as agreed.")
        self.check(page, "room after a game")
        page.open("#/games")
        page.expect("table", "draw, agreed")
        self.check(page, "finished games")
        page.open("#/games/1")
        page.expect(".status", "bob (X) plays c3")
        self.check(page, "replay")

    def test_on_a_large_screen(self):
        self.check_all()

    def test_on_a_phone(self):
        self.check_all(width=360, height=740, touch=True)


if __name__ == "__main__":
    unittest.main()
