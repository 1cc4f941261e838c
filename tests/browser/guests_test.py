"""What guests meet: answers that do not come, links to rooms that are gone, double clicks, long names."""

import signal
import urllib.request

from page_case import PageCase
from selenium.webdriver.common.keys import Keys

WIDE = 24 * "W"

# Notes each state of the connection that the page shows.
NOTE_LINK = """
  const link = document.querySelector('header .link');
  window.seen = [];
  new MutationObserver(() => window.seen.push(link.textContent))
    .observe(link, { childList: true, characterData: true, subtree: true });
"""

COUNT_TAPS = """
  window.taps = 0;
  addEventListener('pointerdown', ({ isTrusted }) => { window.taps += isTrusted; }, true);
"""

# The share of a message's width that its text has.
TEXT_OF_MESSAGE = """
  const [toast] = document.querySelectorAll('.toast');
  return toast.querySelector('span').getBoundingClientRect().width / toast.getBoundingClientRect().width;
"""


class GuestsTest(PageCase):
    def test_a_move_that_is_not_answered(self):
        ann = self.page("ann")
        ann.create("den")
        bob = self.console("bob")
        bob.type("join den")
        ann.expect_turn()
        self.server.process.send_signal(signal.SIGSTOP)
        try:
            ann.click("b2")
            ann.expect(".status", "Sending b2 …")
            ann.expect(".status", "no answer from the server")
            ann.expect("header .link", "no answer from the server")
        finally:
            self.server.process.send_signal(signal.SIGCONT)
        bob.expect("ann plays b2")
        ann.expect(".status", "bob's turn")
        ann.expect("header .link", "connected")
        # The browser knows that there is no network before the server's silence tells.
        ann.script(NOTE_LINK)
        ann.run("Network.enable")
        network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        ann.run("Network.emulateNetworkConditions", offline=True, **network)
        ann.wait("the loss", lambda: "connection lost" in str(ann.script("return window.seen")))
        ann.run("Network.emulateNetworkConditions", offline=False, **network)
        ann.expect("header .link", "connected")

    def test_a_link_to_a_missing_room_leaves_no_room(self):
        ann = self.page("ann")
        ann.press("Play the computer")
        ann.click("b2")
        ann.press("Resign")
        ann.press("Resign", "dialog")
        ann.expect(".status", "You lose.")
        ann.open("#/join/nowhere")
        ann.expect(".toasts", "There is no room with that name.")
        ann.press("Back to the room")
        ann.expect(".status", "You lose.")

    def test_the_seat_that_an_ai_got_can_be_had_again(self):
        ann = self.page("ann")
        ann.create("den", Board="50 × 50", Against="AI, random")
        ann.press("Let an AI play for me …")
        ann.fill("Level", "random")
        ann.press("Let it play", "dialog")
        ann.press("Sit down again")
        ann.wait("the seat", lambda: "you" in ann.all(".seat-card")[0].text)

    def test_who_is_here_follows_what_people_do(self):
        bob, carol = self.console("bob"), self.console("carol")
        ann = self.page("ann")
        ann.expect(".who-is-here", "Who is here (3)")
        def room_of(name):
            return next(item.text for item in ann.all(".who-is-here li") if item.text.startswith(name))
        bob.type("create den")
        ann.wait("bob's room", lambda: "den" in room_of("bob"))
        carol.type("join den")
        ann.wait("carol's room", lambda: "den" in room_of("carol"))
        carol.type("leave")
        ann.wait("carol in the lobby", lambda: "den" not in room_of("carol"))

    def test_a_double_click_is_one_click(self):
        bob = self.console("bob")
        ann = self.page("ann")
        ann.create("den")
        bob.type("join den")
        ann.expect_turn()
        ann.press("Invite …")
        ann.double_click(ann.middle_of(ann.element("dialog [type=button]")))
        ann.press("Close", "dialog")
        ann.double_click(ann.middle_of(ann.element(".of-game button")))
        bob.expect("ann .X. offers a draw")
        ann.say("fence")
        bob.expect("fence")
        self.assertEqual((ann.text(".toasts"), ann.all("dialog")), ("", []))
        # A second tap on a cell does not report that it is taken.
        ann.click("b2")
        bob.expect("ann plays b2")
        ann.expect_mark("b2", "X")
        ann.double_click(ann.middle("b2"))
        ann.say("fence again")
        bob.expect("fence again")
        self.assertEqual(ann.text(".toasts"), "")

    def test_a_key_that_is_held_is_one_press(self):
        page = self.page("ann")
        page.press("Play the computer")
        page.expect_turn()
        page.focus_on("Hint")
        page.hold_enter()
        page.say("fence")
        page.expect(".feed", "fence")
        self.assertEqual(page.text(".feed").count("Hint:"), 1)
        # The question stays until it is answered.
        page.focus_on("Resign")
        page.hold_enter(times=21)
        page.press("Resign", "dialog")
        page.expect(".status", "You lose")
        # The next button comes to where the pressed one was.
        page.focus_on("Rematch")
        page.hold_enter()
        page.expect(".feed", "Game 2 begins")
        self.assertEqual(page.text(".title h1"), "ann")
        # Steps go on.
        page.expect_turn()
        cell = next(name for name in ("a1", "b2") if page.mark(name) == "empty")
        page.click(cell)
        page.expect_turn()
        page.press("Resign")
        page.press("Resign", "dialog")
        page.press("Review")
        page.expect(".replay .status", "3. O plays")
        page.script("document.querySelector(\".replay [aria-label='Previous move']\").focus()")
        page.hold_enter(times=2)
        page.expect(".replay .status", "Before the first move.")

    def test_a_press_counts_whatever_happens_around_its_button(self):
        bob = self.console("bob")
        bob.type("create den 5x5x4 open-seats", "ai o random")
        bob.expect("plays O now")
        ann = self.page("ann")
        ann.expect(".rooms", "AI (random)")
        watch = ann.middle_of(ann.element("[aria-label='Watch den']"))
        ann.mouse("Pressed", watch)
        bob.type("c3")
        ann.wait("the move", lambda: ann.script("return document.querySelector('.mini .x').getAttribute('d')"))
        ann.mouse("Released", watch)
        ann.expect(".feed", "You are watching the room")
        seat = ann.middle_of(ann.element(".seat-card .primary"))
        ann.mouse("Pressed", seat)
        bob.expect("Your turn")
        bob.type("takeback")
        ann.expect_mark("c3", "empty")
        ann.mouse("Released", seat)
        ann.expect(".feed", 'You play O in the room "den".')  # no game was running any more

    def test_a_tap_just_after_a_list_has_moved_does_nothing(self):
        self.console("bob").type("create den")
        ann = self.page("ann", width=390, height=844, touch=True)
        ann.expect(".rooms", "den")
        # Taps on the last room as soon as there are two.
        ann.script("""
            const rooms = document.querySelector('.rooms');
            new MutationObserver((_, observer) => {
              if (rooms.childElementCount < 2) return;
              observer.disconnect();
              window.tapped = rooms.lastElementChild.querySelector('[aria-label="Join den"]');
              window.tapped.dispatchEvent(new PointerEvent('click', { bubbles: true, pointerType: 'touch' }));
            }).observe(rooms, { childList: true });""")
        self.console("carol").type("create attic")
        ann.wait("the tap", lambda: ann.script("return window.tapped !== undefined"))
        ann.say("fence")
        ann.expect(".lobby .feed", "ann: fence")
        self.assertEqual(ann.all(".room-view"), [])

    def test_forms_as_people_expect_them(self):
        ann = self.page("ann")
        ann.press("Create a room …")
        ann.choose_size(4, 5, 3)
        # The weakest first, and a word on each.
        levels = [option.text for option in ann.all("dialog option") if "AI" in option.text]
        self.assertEqual([level.split(":")[0] for level in levels], [
            "AI, random", "AI, beginner (1)", "AI, novice (2)", "AI, casual (3)", "AI, suggester", "AI, practised (4)",
            "AI, seasoned (5)", "AI, advanced (6)", "AI, expert (7)", "AI, master (8)", "AI, strong", "AI, perfect"])
        self.assertIn("AI, casual (3): overlooks little", levels)
        field = ann.element("dialog input")
        field.clear()
        field.send_keys(30 * "W")
        self.assertEqual(field.get_attribute("value"), WIDE)
        ann.press("Create", "dialog")
        ann.expect(".rules", "4 × 5, 3 in a row")
        # Texts have the size that is set in the browser.
        self.assertEqual(ann.script("return [...document.styleSheets].flatMap((sheet) =>"
                                    "[...sheet.cssRules]).find(({ selectorText }) => selectorText ==="
                                    "':root').style.fontSize"), "100%")

    def test_the_end_of_a_game(self):
        ann = self.page("ann")
        ann.press("Play the computer")
        ann.click("b2")
        ann.expect_turn()
        ann.press("Resign")
        ann.press("Resign", "dialog")
        for _ in range(2):
            ann.expect(".result .headline", "You lose")
            ann.expect(".result .score", "ann 0 – 1 AI (3, casual)")
            ann.expect(".result .decision", "best play")
            ann.expect(".status", "AI (3, casual) (O) wins: ann resigned. You lose.")
            self.assertNotIn("Let an AI play", ann.text(".actions"))
            ann.element(".result button")
            ann.wait("review", lambda: "Review" in ann.text(".result"))
            ann.driver.refresh()
        ann.press("Review")
        ann.expect("h1", "Game 1")
        ann.open("#/room")
        # Another opponent is one who waits, or whoever comes into a new room.
        carol = self.console("carol")
        carol.type("create den")
        ann.script("document.querySelector('.side details').open = true")
        ann.expect(".who-is-here", "den")
        ann.press("New opponent")
        ann.expect(".title h1", "den")
        carol.expect("ann takes seat O")

    def test_the_list_of_finished_games(self):
        bob, carol = self.console("bob"), self.console("carol")
        ann = self.page("ann", width=390, height=844, touch=True)
        for player, room in ((bob, "den"), (carol, "attic")):
            player.type(f"create {room}", "ai o random", "resign")
            player.expect("resigned")
        ann.press("Play the computer")
        ann.expect_turn()
        ann.press("Resign")
        ann.press("Resign", "dialog")
        ann.expect(".status", "You lose.")
        ann.open("#/games")
        ann.expect(".games table", "carol")
        # A phone shows when each game was played, too.
        for cell in ann.all(".games tbody td:nth-child(2)"):
            self.assertRegex(cell.text, "^20[0-9-]{8} [0-9:]{5}$")
        ann.press("My games")
        ann.wait("the own games", lambda: [row.text.count("ann") for row in ann.all(".games tbody tr")] == [1])
        # The whole row leads to the game.
        ann.element(".games tbody td:last-child").click()
        ann.expect("h1", "Game 3")

    def test_buttons_promise_what_they_do(self):
        ann = self.page()
        ann.open()
        ann.element("input[name=name]")
        # Before a name is given there is nothing to be connected with.
        self.assertEqual(ann.text("header .link"), "")
        ann.come_in("ann")
        ann.create("den")
        # Nothing is offered that needs an opponent.
        self.assertEqual([button.text for button in ann.all(".actions button") if not button.is_enabled()], [])
        bob = self.console("bob")
        bob.type("join den")
        ann.expect_turn()
        bob.expect("ann's turn")
        # A move of the own can't be taken back before there is one.
        self.assertFalse(ann.script("return [...document.querySelectorAll('.actions button')]"
                                    ".find(({ innerText }) => innerText === 'Take back').disabled") is False)
        pointer = "return getComputedStyle(document.querySelector('.board-canvas')).cursor"
        self.assertEqual(ann.script(pointer), "pointer")
        ann.click("b2")
        ann.expect(".status", "bob's turn")
        self.assertEqual(ann.script(pointer), "auto")
        # What gives something up does not look like what begins something.
        ann.press("Resign")
        confirm = ann.element("dialog [type=submit]")
        self.assertEqual((confirm.text, confirm.get_attribute("class")), ("Resign", "danger"))

    def test_nobody_is_led_to_a_player_who_is_away(self):
        bob = self.console("bob")
        bob.type("create den")
        bob.expect("Waiting for")
        ann = self.page("ann")
        ann.element("[aria-label='Join den']")
        bob.process.kill()
        ann.expect(".rooms", "bob (away)")
        self.assertEqual(ann.all("[aria-label='Join den']"), [])
        ann.element("[aria-label='Watch den']")

    def test_messages_stay_with_their_page_and_cover_nothing(self):
        ann = self.page("ann", width=1280, height=800)
        ann.create("den")
        bob = self.console("bob")
        bob.type("join den")
        ann.click("b2")
        bob.expect("ann plays b2")
        bob.type("a1")
        ann.expect_mark("a1", "O")
        ann.press("Leave")
        ann.press("Leave", "dialog")
        ann.expect(".back, .begin", "")
        ann.press("Watch", ".rooms")
        ann.expect(".feed", "You are watching")
        ann.say("fence")
        ann.expect(".feed", "fence")
        ann.driver.execute_script("document.querySelector('[aria-label^=\"c3,\"]').click()")
        ann.expect(".toasts", "You are watching. Take a seat to play.")
        for size in ((1280, 800), (1024, 768), (390, 844)):
            ann.resize(*size)
            self.assertEqual(ann.covered(), [], size)
        ann.open("#/games")
        ann.element(".games")
        self.assertEqual(ann.text(".toasts"), "")

    def test_who_looks_elsewhere_is_told(self):
        ann = self.page()
        ann.run("Page.addScriptToEvaluateOnNewDocument", source="""
            window.rung = [];
            navigator.vibrate = () => window.rung.push('vibration');
            const { createOscillator } = AudioContext.prototype;
            AudioContext.prototype.createOscillator = function () {
              window.rung.push('sound');
              return createOscillator.call(this);
            };
            window.Notification = class {
              static permission = 'granted';
              constructor(text) { window.rung.push(text); }
            };
            Object.defineProperty(document, 'hidden', { get: () => true });""")
        def rung(what):
            ann.wait(what, lambda: what in ann.script(
                "return window.rung.join('\\n').replace(/[\\u2068\\u2069]/g, '')"))
        ann.come_in("ann")
        ann.create("den")
        bob = self.console("bob")
        bob.type("join den")
        rung("bob takes seat O")
        rung("sound")
        rung("vibration")
        ann.click("b2")
        bob.expect("ann plays b2")
        ann.press("Turn sound off")
        ann.script("window.rung = []")
        bob.type("a1")
        rung("Your turn")
        self.assertNotIn("sound", ann.script("return window.rung"))
        self.assertNotIn("vibration", ann.script("return window.rung"))
        ann.driver.refresh()
        ann.element(".actions")
        self.assertIn("Turn sound on", ann.text(".actions"))
        carol = self.console("carol")
        carol.type("create club")
        carol.expect("Waiting for")
        carol.type("invite ann")
        rung("carol invites you")

    def test_from_the_code_to_the_first_move_by_two_taps_over_https(self):
        bob = self.console("bob")
        bob.type("create den 5x5x4 o")
        bob.expect("Waiting for")
        # The text of the QR code.
        with urllib.request.urlopen(f"http://127.0.0.1:{self.server.port}/join.txt?https&room=den") as answer:
            link = answer.read().decode().split()[0]
        page = self.page(width=390, height=844, touch=True, protocol="https")
        page.run("Page.addScriptToEvaluateOnNewDocument", source=COUNT_TAPS)
        self.assertTrue(link.startswith(page.address), link)
        page.driver.get(link)
        page.expect(".invitation", 'bob is waiting for you in the room "den" (5 × 5, 4 in a row) on ')
        name = page.element("input[name=name]").get_attribute("value")
        self.assertRegex(name, "^Guest [0-9]{3}$")
        page.press("Play")
        page.expect_turn()
        page.tap("c3")
        bob.expect(f"{name} plays c3")
        taps = page.script("return window.taps")
        print(f"from the QR code to the first move: {taps} taps (wanted: 4)")
        self.assertEqual(taps, 2)
        # Nobody else was there.
        bob.type("players")
        bob.expect("bob")
        self.assertNotIn("-2", bob.text)

    def test_long_names_fit_and_messages_are_read(self):
        bob = self.console("B" + 23 * "W")
        bob.type("create " + 20 * "M")
        bob.expect("Waiting for")
        ann = self.page(WIDE, width=320, height=640, touch=True)
        ann.create(WIDE, Board="15 × 15")
        bob.type("invite " + WIDE)
        ann.expect(".toasts", "invites you to the room")
        for size in ((320, 640), (360, 740), (844, 390), (1400, 900)):
            ann.resize(*size)
            self.assertGreater(ann.script(TEXT_OF_MESSAGE), 0.65, size)
        ann.press("Join", ".toasts")
        ann.expect(".title h1", 20 * "M")
        ann.press(WIDE, "header")
        ann.fill("Name", Keys.CONTROL + "a" + Keys.NULL + "zoe")
        ann.press("Change", "dialog")
        ann.expect("dialog:last-of-type", "Give up your seat in the room")
        for size in ((320, 640), (844, 390)):
            ann.resize(*size)
            self.assertEqual(ann.script("return [...document.querySelectorAll('dialog, main')].filter("
                                        "({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)"
                                        ".map(({ outerHTML }) => outerHTML.slice(0, 99))"), [], size)

    def test_the_button_that_confirms_is_in_sight(self):
        bob = self.console("bob")
        bob.type("create den 15x15x5 o")
        bob.expect("Waiting for")
        ann = self.page("ann", width=844, height=390, touch=True)
        ann.press("Join", ".rooms")
        ann.expect_turn()
        ann.tap("h8")
        ann.expect(".confirm", "Place X at h8")
        for size in ((844, 390), (320, 640), (390, 844), (740, 360)):
            ann.resize(*size)
            self.assertTrue(ann.script("""
                const { top, bottom, left, right } =
                    document.querySelector('.confirm').getBoundingClientRect();
                return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;"""), size)
        ann.press("Place X at h8")
        bob.expect("ann plays h8")
