"""The keyboard and screen readers follow what the page shows."""

from page_case import PageCase
from selenium.webdriver.common.keys import Keys


class FocusTest(PageCase):
    def setUp(self):
        super().setUp()
        self.page = self.page()

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
        page.expect(".outcome", "wins")
        self.expect_focus("main")

    def focused(self):
        return self.page.script("const { ariaLabel, innerText } = document.activeElement;"
                                "return ariaLabel ?? innerText;")

    def focus_on(self, selector):
        self.page.script("document.querySelector(arguments[0]).focus()", selector)

    def test_the_focus_stays_as_others_come_and_go(self):
        page = self.page
        page.come_in("ann")
        bob = self.console("bob")
        page.expect(".who-is-here", "bob")
        self.focus_on("[aria-label='Mute bob']")
        with self.console("aaron"):
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
        page.wait("focus", lambda: self.focused() == "Change the AI …")
        # One more Enter gives nothing up.
        page.keys(Keys.ENTER)
        page.fill("Level", "seasoned")
        page.press("Change", "dialog")
        page.expect(".feed", "AI (5, seasoned) plays O now.")
        page.wait("focus", lambda: self.focused() == "Change the AI …")
        page.press("Change the AI …")
        page.press("Remove the AI", "dialog")
        page.wait("focus", lambda: self.focused() == "Add an AI …")
