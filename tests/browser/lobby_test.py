"""People in browsers and at consoles meet in one lobby and play each other."""

from page_case import PageCase
from selenium.webdriver.common.keys import Keys

HOSTILE = "<img src=x onerror=a()>"
RIGHT_TO_LEFT = "\u0645\u0631\u062d\u0628\u0627 (abc) 1."
EMOJI = "\U0001f600" * 300


class LobbyTest(PageCase):
    def test_no_message_covers_a_control_of_a_phone(self):
        bob = self.console("bob")
        bob.type("create den")
        bob.expect("Waiting for an opponent")
        ann = self.page("ann", width=390, height=844, touch=True)
        ann.create("attic")
        bob.type("invite ann")
        ann.expect(".toasts", "bob invites you to the room")
        for width in (390, 360):
            ann.resize(width, 844)
            for part in (0, 0.3, 1):
                ann.script("for (const page of [document.querySelector('main'),"
                           " document.documentElement])"
                           " page.scrollTo(0, arguments[0] * page.scrollHeight)", part)
                self.assertEqual(ann.covered(), [], f"{width} pixels, {part} of the page")
        ann.press("Join", ".toasts")
        ann.expect(".title h1", "den")

    def test_small_boards_of_running_games(self):
        ann = self.page("ann")
        bob, carol = self.console("bob"), self.console("carol")
        bob.type("create den 5x5x4")
        bob.expect("Waiting for")
        carol.type("join den")
        bob.expect("carol takes seat O")
        bob.type("b1")
        carol.expect("bob plays b1")
        carol.type("c2")

        def picture(name):
            return ann.script("return document.querySelector(`.rooms .mini .${arguments[0]}`)"
                              ".getAttribute('d')", name)
        ann.wait("the moves", lambda: picture("o"))
        self.assertEqual((picture("x").count("M"), picture("x")[:8]), (1, "M1.2 0.2"))
        self.assertEqual((picture("o").count("M"), picture("o")[:8]), (1, "M2.2 1.5"))

    def test_two_pages_and_a_console_in_one_lobby(self):
        ann, bob = self.page("ann"), self.page("bob")
        carol = self.console("carol")
        carol.expect("Connected")
        carol.type("create den 5x5x4")
        carol.expect("Waiting for an opponent")
        for page in (ann, bob):  # the lobby changes by itself
            page.expect(".rooms", "den")
            page.expect(".rooms", "5 × 5, 4 in a row")
            page.expect(".rooms", "open")
            page.expect(".who-is-here", "Who is here (3)")
        bob.press("Watch", ".rooms")
        ann.press("Join", ".rooms")
        carol.expect("ann takes seat O")
        carol.type("c3")
        ann.expect_mark("c3", "X")
        ann.click("b2")
        carol.expect("ann plays b2")
        for page in (ann, bob):
            page.expect_mark("b2", "O")
        self.assertIn("You are watching the room", bob.text(".feed"))
        carol.type("say good evening")
        for page in (ann, bob):
            page.expect(".feed", "carol (X): good evening")
        bob.say("hello from the page")
        carol.expect("bob: hello from the page")
        carol.type("resign")
        ann.expect(".status", "ann (O) wins: carol resigned. You win!")
        ann.press("Rematch")
        carol.expect(r"ann \(O\) is ready for the next game")
        carol.type("rematch")
        ann.expect_turn()
        ann.press("Leave")
        ann.press("Leave", "dialog")
        carol.expect("ann left seat")
        ann.expect(".count", "")
        for page in (ann, bob):
            self.assertEqual(page.log(), [])

    def test_a_phone_tells_of_chat_that_is_out_of_sight(self):
        bob = self.console("bob")
        bob.type("create den 15x15x5")
        bob.expect("Waiting for an opponent")
        ann = self.page("ann", width=360, height=640, touch=True)
        ann.press("Join", ".rooms")
        ann.expect(".title h1", "den")
        bob.expect("ann takes seat O")
        top = "return document.querySelector('.stage').getBoundingClientRect().top"
        before = ann.script(top)
        bob.type("say good luck")
        ann.expect(".unread", "Chat (1)")
        bob.type("say and fun")
        ann.expect(".unread", "Chat (2)")
        # The board does not move under a finger.
        self.assertEqual(ann.script(top), before)
        ann.press("Chat (2)", ".standing")
        ann.expect(".feed", "bob (X): and fun")
        ann.wait("no new messages", lambda: not ann.all(".unread")[0].is_displayed())
        self.assertEqual(ann.script("return document.activeElement.className"), "feed")
        bob.type("say in sight")
        ann.expect(".feed", "in sight")
        self.assertFalse(ann.all(".unread")[0].is_displayed())
        self.assertEqual(ann.log(), [])

    def test_texts_of_others_are_text(self):
        ann, bob = self.page("ann"), self.page("<b>bob</b>")
        for text in (HOSTILE, RIGHT_TO_LEFT, EMOJI):
            bob.say(text)
        ann.expect(".lobby .feed", "<b>bob</b>: " + HOSTILE)
        ann.expect(".lobby .feed", RIGHT_TO_LEFT)
        ann.expect(".lobby .feed", EMOJI)
        bob.create(HOSTILE)
        ann.expect(".rooms", HOSTILE)
        ann.press("Join", ".rooms")
        ann.expect(".title h1", HOSTILE)
        bob.say(HOSTILE * 2)
        ann.expect(".feed", HOSTILE * 2)
        self.assertEqual(ann.all("img"), [])
        width = ann.script("return document.documentElement.scrollWidth - innerWidth")
        self.assertLessEqual(width, 0)
        self.assertEqual(ann.log(), [])

    def test_the_address_for_others_is_shown_with_its_code(self):
        ann = self.page()
        ann.run("Page.addScriptToEvaluateOnNewDocument",
                source="navigator.share = async ({ url }) => { window.shared = url; };")
        ann.come_in("ann")
        def shown(address):
            field = ann.element("dialog input[readonly]")
            ann.wait(address, lambda: field.get_attribute("value") == address)
            ann.wait("code", lambda: ann.script(
                "const image = document.querySelector('dialog .code');"
                "return image.complete && image.naturalWidth > 0;"))
        ann.press("Invite others …")
        shown(ann.address)
        # This server listens on the loopback alone.
        ann.expect("dialog", "This address works only on this computer")
        ann.press("Copy", "dialog")
        ann.expect("dialog", "Copied.")
        ann.press("Close", "dialog")
        field = ann.element(".say input")
        field.send_keys(Keys.CONTROL + "v")
        self.assertEqual(field.get_attribute("value"), ann.address)
        ann.create("the den")
        ann.press("Invite …")
        shown(f"{ann.address}#/join/the%20den")
        ann.press("Share …", "dialog")
        self.assertEqual(ann.script("return window.shared"), f"{ann.address}#/join/the%20den")
        ann.press("Close", "dialog")
        self.assertEqual(ann.log(), [])

    def test_a_link_to_a_room_without_an_open_seat_leads_to_its_audience(self):
        carol = self.console("carol")
        carol.type("create den")
        carol.expect("Waiting for an opponent")
        dave = self.console("dave")
        dave.type("join den")
        carol.expect("dave takes seat O")
        page = self.page()
        page.come_in("ann", "#/join/den")
        page.expect(".title h1", "den")
        page.expect(".feed", "You are watching the room")
        self.assertEqual(page.text(".toasts"), "")

    def test_the_own_room_is_kept_if_another_one_does_not_take_the_player(self):
        carol = self.console("carol")
        carol.type("create vault password swordfish")
        carol.expect("Waiting for an opponent")
        ann = self.page("ann")
        ann.create("den", Board="5 × 5")
        bob = self.console("bob")
        bob.type("watch den")
        bob.expect("watching the room")
        # No room is left before the next one takes the player.
        ann.open("#/")
        ann.wait("vault", lambda: "vault" in ann.text(".rooms"))
        self.join(ann, "vault")
        ann.element("dialog input[type=password]")
        ann.press("Cancel", "dialog")
        ann.expect(".back", "You are in the room")
        self.assertNotIn("ann left seat", bob.text)
        ann.press("Create a room …")
        ann.fill("Name", "vault")
        ann.press("Create", "dialog")
        ann.expect("dialog .problem", "A room with that name, or one that looks like it, already exists")
        ann.press("Cancel", "dialog")
        self.assertNotIn("ann left seat", bob.text)
        self.join(ann, "vault")
        ann.fill("Password", "wrong")
        ann.press("Enter", "dialog")
        ann.expect("dialog .problem", "Wrong password")
        self.assertNotIn("ann left seat", bob.text)
        ann.press("Cancel", "dialog")
        self.join(ann, "vault")
        ann.fill("Password", "swordfish")
        ann.press("Enter", "dialog")
        ann.expect(".title h1", "vault")
        bob.expect("ann left seat")
        carol.expect("ann takes seat O")

    def join(self, page, room):
        """Presses the button of a room in the list."""
        def press():
            row = next(row for row in page.all(".rooms .room") if room in row.text)
            next(each for each in row.find_elements("css selector", "button")
                 if each.text == "Join").click()
            return True
        page.wait(f"button of {room}", press)

    def test_an_invited_page_comes_past_the_password(self):
        ann, bob = self.page("ann"), self.page("bob")
        ann.press("Create a room …")
        ann.fill("Name", "vault")
        ann.script("document.querySelector('dialog details').open = true")
        ann.fill("Password", "swordfish")
        ann.press("Create", "dialog")
        ann.expect(".title h1", "vault")
        bob.press("Join", ".rooms")
        bob.fill("Password", "wrong")
        bob.press("Enter", "dialog")
        bob.expect("dialog .problem", "password")
        # The keyboard can go on: the button that was pressed still has the focus.
        bob.wait("focus", lambda: bob.script("return document.activeElement.innerText") == "Enter")
        bob.press("Cancel", "dialog")
        ann.press("Invite …")
        ann.fill("Player on this server", "bob")
        ann.press("Invite", "dialog")
        ann.expect(".toasts", "You invited bob.")
        bob.expect(".toasts", 'ann invites you to the room "vault"')
        bob.press("Join", ".toasts")
        bob.expect(".title h1", "vault")
        ann.expect(".feed", "bob takes seat O")
