"""Games on the page: by mouse, by keyboard alone, and on a phone."""

from page_case import PageCase
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys


class PlayTest(PageCase):
    def test_against_an_ai(self):
        page = self.page("ann")
        page.press("Play the computer")
        page.expect(".feed", "AI (3, casual) plays O now.")
        page.press("Hint")
        page.expect(".feed", "Hint: ")
        page.expect_turn()
        page.click("b2")
        page.expect_mark("b2", "X")
        page.expect(".feed", "AI (3, casual) plays")
        page.expect_turn()
        page.press("Take back")
        page.expect_mark("b2", "empty")
        page.press("Resign")
        page.press("Resign", "dialog")
        page.expect(".status", "wins: ann resigned. You lose.")
        page.press("Rematch")
        page.expect(".feed", "Game 2 begins")
        self.assertEqual(page.log(), [])

    def test_a_name_that_no_list_has_is_passed_over(self):
        bob = self.console("bob")
        bob.type("create ann unlisted")
        bob.expect("Waiting")
        eve = self.console("eve")
        eve.type('create "Ann 2"')
        eve.expect("Waiting")
        page = self.page("ann")
        page.expect(".rooms", "Ann 2")
        page.press("Play the computer")
        page.expect(".title h1", "ann 3")

    def test_stepping_back_through_a_running_game(self):
        ann = self.page("ann")
        ann.create("den")
        # Until somebody comes, the way to invite somebody is where the moves will be.
        ann.element(".moves .waiting .code")
        self.assertIn("#/join/den", ann.element(".moves .waiting input").get_attribute("value"))
        bob = self.console("bob")
        bob.type("join den")
        for mine, theirs in (("b2", "a1"), ("c2", "a2")):
            ann.click(mine)
            bob.expect(f"ann plays {mine}")
            bob.type(theirs)
            ann.expect_mark(theirs, "O")
        self.assertEqual([item.text for item in ann.all(".move-list li:not([hidden])")],
                         ["1b2", "2a1", "3c2", "4a2"])
        ann.all(".move-list li:not([hidden]) button")[1].click()
        ann.expect(".status", "Move 2 of 4: O at a1.")
        ann.expect_mark("c2", "empty")
        ann.press("◀", ".moves")
        ann.expect_mark("a1", "empty")
        # A click on the board goes back to the game, and is no move.
        ActionChains(ann.driver).move_to_element(ann.cell("c3")).click().perform()
        ann.expect_turn()
        ann.expect_mark("a2", "O")
        self.assertEqual(ann.mark("c3"), "empty")
        ann.wait("the end of the pause", lambda: not ann.all(".stage.resting"))
        # What happens in the game leaves the position that is looked at.
        ann.click("c3")
        bob.expect("ann plays c3")
        ann.press("|◀", ".moves")
        bob.type("a3")
        ann.wait("the sixth move", lambda: len(ann.all(".move-list li:not([hidden])")) == 6)
        ann.expect(".status", "Before the first move.")
        ann.expect_mark("a3", "empty")
        ann.press("Back to the game", ".moves")
        # Quick clicks are steps, too.
        ann.double_click(ann.middle_of(ann.element("[aria-label='Previous move']")))
        ann.expect(".status", "Move 4 of 6: O at a2.")
        ann.press("Back to the game", ".moves")
        ann.expect_mark("a3", "O")
        ann.expect(".status", "You lose.")

    def test_a_challenge(self):
        ann, bob = self.page(), self.page()
        ann.come_in("ann")
        bob.come_in("bob")
        ann.press("Challenge", ".people")
        bob.press("Join", ".toasts")
        ann.click("b2")
        bob.expect_mark("b2", "X")

    def test_actions_keep_their_places(self):
        ann = self.page("ann")
        ann.create("den")
        bob = self.console("bob")

        def places():
            return ann.script("""
                return [...document.querySelectorAll('.of-game > *, .actions > .row > *')].map((one) => {
                  const { x, y, width, height } = one.getBoundingClientRect();
                  return [x, y, width, height].join();
                });""")
        bob.type("join den")
        ann.expect_turn()
        before = places()
        bob.type("draw")
        ann.expect(".actions", "Accept the draw")
        self.assertEqual(places(), before)
        ann.click("b2")  # which declines
        bob.expect("ann plays b2")
        bob.type("a1")
        ann.expect_turn()
        bob.type("takeback")
        ann.expect(".actions", "Grant the takeback")
        self.assertEqual(places(), before)

    def test_hints_between_people_are_a_choice_of_the_room_and_announced(self):
        bob = self.console("bob")
        bob.type("create quiet o")
        ann = self.page()
        ann.come_in("ann", "#/join/quiet")
        ann.expect_turn()
        actions = [button.text for button in ann.all(".actions button")]
        self.assertIn("Resign", actions)
        self.assertNotIn("Hint", actions)
        bob.type("leave")
        bob.type("create open o hints")
        eve = self.page()
        eve.come_in("eve", "#/join/open")
        eve.expect_turn()
        eve.press("Hint")
        eve.expect(".feed", "Everyone here can see that you used a hint.")
        eve.expect(".feed", "Hint: ")
        bob.expect("eve used a hint")
        eve.click("b2")
        bob.expect("eve plays b2")
        bob.type("hint")
        eve.expect(".feed", "bob used a hint.")

    def test_the_seat_is_given_to_an_ai_only_after_a_question(self):
        page = self.page("ann")
        page.press("Play the computer")
        page.press("Let an AI play for me …")
        page.press("Cancel", "dialog")
        page.click("b2")
        page.expect_mark("b2", "X")
        page.press("Let an AI play for me …")
        page.press("Let it play", "dialog")
        page.expect(".feed", "plays X now. You are now watching.")

    def test_encrypted(self):
        page = self.page("ann", protocol="https")
        page.create("den")
        bob = self.console("bob")
        bob.type("join den")
        for mine, theirs in (("b2", "a1"), ("a2", "a3"), ("c2", "")):
            page.click(mine)
            bob.expect(f"ann plays {mine}")
            if theirs:
                bob.type(theirs)
                page.expect_mark(theirs, "O")
        page.expect(".status", "ann (X) wins: row 2. You win!")
        self.assertEqual(page.script("return [location.protocol, isSecureContext]"),
                         ["https:", True])
        self.assertEqual(page.log(), [])

    def test_a_browser_that_opens_no_encrypted_connection(self):
        """It shows the page, because somebody has gone on after its warning, and that is all."""
        page = self.page(protocol="https")
        page.run("Page.addScriptToEvaluateOnNewDocument", source="""
            window.WebSocket = class {
              constructor() { setTimeout(() => this.onclose(), 0); }
              close() {}
            };
            const { setTimeout } = window;
            // A message that vanishes does so at once.
            window.setTimeout = (act, ms) => setTimeout(act, ms === 7000 ? 0 : ms);""")
        page.open()
        page.element("input[name=name]").send_keys("ann" + Keys.ENTER)
        page.expect("header .link", "not connected")
        page.expect(".toasts", "Open this address in another browser")
        page.expect(".toasts", "If this is your server: start it with --tls-cert")
        page.element(".toasts button")

    def test_by_keyboard_alone(self):
        """No mouse from the first letter of the name to the win."""
        bob = self.console("bob")
        page = self.page()
        page.open()
        page.element("input[name=name]")
        page.keys("ann", Keys.ENTER)
        page.expect("header .link", "connected")
        self.tab_to(page, "Create a room …")
        page.keys(Keys.ENTER)
        page.element("dialog")
        page.keys("keys", Keys.ENTER)
        page.expect(".title h1", "keys")
        bob.type("join keys")
        # The board has the focus. The cursor begins in the middle.
        for mine, theirs in ((Keys.ENTER, "a1"), ("a2" + Keys.ENTER, "b1")):
            page.expect_turn()
            page.keys(mine)
            bob.expect("ann plays")
            bob.type(theirs)
            page.expect_mark(theirs, "O")
        page.expect_turn()
        page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.SPACE)
        page.expect(".status", "ann (X) wins: row 2. You win!")
        self.tab_to(page, "Rematch")
        page.keys(Keys.ENTER)
        page.expect(".feed", "The next game begins when bob (O) agrees.")

    def tab_to(self, page, text):
        for _ in range(40):
            page.keys(Keys.TAB)
            focused = page.script("return document.activeElement.innerText ?? ''")
            if focused.split("\n")[0] == text:
                return
        self.fail(f"{text!r} can't be reached by Tab")

    def test_gomoku_on_a_phone(self):
        bob = self.console("bob")
        bob.type("create gomoku 15x15x5 o")
        bob.expect("Waiting")
        page = self.page(width=390, height=844, touch=True)
        page.come_in("ann", "#/join/gomoku")
        page.expect(".title h1", "gomoku")
        self.assertLessEqual(page.script("return document.documentElement.scrollWidth"), 390)
        # Cells are small for a finger: the first tap aims, the second one places.
        page.expect_turn()
        page.tap("h8")
        page.expect(".standing", "Place X at h8")
        self.assertEqual(page.mark("h8"), "empty")
        page.press("Place X at h8")
        bob.expect("ann plays h8")
        bob.type("i9")
        page.expect_turn()
        page.tap("g7")
        page.tap("g7")
        bob.expect("ann plays g7")
        # Two fingers make the cells larger: now one tap places.
        before = self.size_of_cell(page)
        (x, y) = page.middle("f6")
        page.touch("touchStart", (x - 20, y), (x + 20, y))
        for apart in range(20, 61, 8):
            page.touch("touchMove", (x - apart, y), (x + apart, y))
        page.touch("touchEnd")
        page.wait("larger cells", lambda: self.size_of_cell(page) > 1.5 * before)
        bob.type("i10")
        page.expect_turn()
        page.tap("f6")
        bob.expect("ann plays f6")
        # One finger moves the part that is visible.
        (x, y) = page.middle("f6")
        page.touch("touchStart", (x, y))
        page.touch("touchMove", (x + 30, y + 20))
        page.touch("touchMove", (x + 60, y + 40))
        page.touch("touchEnd")
        page.wait("the board moved", lambda: abs(page.middle("f6")[0] - x) > 20)
        self.assertEqual(page.mark("f6"), "X")
        self.assertEqual(page.log(), [])

    def test_no_cell_is_behind_the_map(self):
        page = self.page("ann", width=390, height=844, touch=True)
        page.create("field", Board="50 × 50")
        page.wait("the board", lambda: page.mark("y25") == "empty")
        page.keys("ax50")
        page.wait("the corner", lambda: page.mark("ax50") == "empty")
        self.assertTrue(page.element(".map").is_displayed())
        page.wait("the cell under a finger", lambda: page.script(
            "return document.elementFromPoint(arguments[0], arguments[1]).className",
            *page.middle("ax50")) == "board-canvas")
        # Nor is the cursor while it goes there.
        page.keys("am38")
        for _ in range(11):
            page.keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
            self.assertEqual(page.script("""
                const box = document.querySelector('[role=gridcell]').getBoundingClientRect();
                return document.elementFromPoint(box.x + box.width / 2,
                                                 box.y + box.height / 2).className;"""),
                "board-canvas")

    def size_of_cell(self, page):
        return page.script("return arguments[0].getBoundingClientRect().width", page.cell("h8"))
