"""Nothing moves under a finger: the board stays where it is whatever others do and whatever becomes of the
connection, and a tap that comes just after it has moved does nothing.

PICTURES=FOLDER takes pictures of each of these there."""

import os
import pathlib

from page_case import PageCase

SIZES = ((360, 740), (390, 844), (844, 390), (768, 1024), (1024, 768))

# The board as it is now, in pixels of the window. The page has no more to scroll than its views.
BOARD = """
  const { x, y, width, height } = document.querySelector('.stage').getBoundingClientRect();
  return [x, y, width, height];
"""

# Text above the board that needs more lines. Taps come before the end of any pause.
MOVE_THE_BOARD = """
  const { setTimeout } = window;
  window.setTimeout = (act, ms) => setTimeout(act, ms === 300 ? 1e6 : ms);
  document.querySelector('.rules').textContent = 'long '.repeat(100);
"""


class StillTest(PageCase):
    def setUp(self):
        super().setUp()
        self.ann = self.page("ann", width=390, height=844, touch=True)

    def boards(self, when):
        found = {}
        for size in SIZES:
            self.ann.resize(*size)
            found[size] = self.ann.script(BOARD)
            if "PICTURES" in os.environ:
                self.ann.picture(pathlib.Path(os.environ["PICTURES"], f"{size[0]}x{size[1]} {when}.png"))
        return found

    def check(self, when):
        self.assertEqual(self.boards(when), self.before, when)

    def test_the_board_stays_where_it_is(self):
        ann = self.ann
        ann.create("duel", Board="9 × 9")
        bob = self.console("bob")
        bob.type("join duel")
        ann.expect_turn()
        self.before = self.boards("a game begins")
        ann.tap("e5")
        bob.expect("ann plays e5")
        self.check("a move is played")
        bob.type("a1")
        ann.expect_turn()
        bob.type("takeback")
        ann.expect(".offer", "asks to take")
        self.check("a takeback is wanted")
        ann.press("Grant the takeback")
        ann.expect_mark("a1", "empty")
        self.check("a move is taken back")
        bob.type("draw")
        ann.expect(".offer", "bob (O) offers a draw.")
        self.check("a draw is offered")
        ann.press("Decline")
        ann.wait("no offer", lambda: ann.text(".offer") == "")
        self.check("a draw is declined")
        bob.type("say hello")
        ann.expect(".feed", "hello")
        self.check("something is said")
        carol = self.console("carol")
        carol.type("create den")
        carol.expect("Waiting for")
        carol.type("invite ann")
        ann.expect(".toasts", "carol invites you")
        self.check("an invitation has come")
        ann.press("×", ".toasts")
        self.check("the invitation is gone")
        bob.process.kill()
        ann.expect(".feed", "bob is away")
        self.check("the other player is away")
        port = self.kill()
        ann.expect("header .link", "connection lost")
        self.check("the connection is lost")
        for width, height in SIZES:  # and is said in full
            ann.resize(width, height)
            self.assertLessEqual(*ann.script("const { scrollHeight, clientHeight } = document.querySelector("
                                             "'header .link'); return [scrollHeight, clientHeight];"))
        self.server = self.start(port)
        ann.expect(".toasts", "Back on the server as ann.")
        self.check("the connection is back")
        ann.press("Resign")
        ann.press("Resign", "dialog")
        ann.expect(".status", "You lose.")
        self.check("the game is over")

    def test_a_tap_just_after_a_move_of_the_board_does_nothing(self):
        ann = self.ann
        ann.create("duel")
        bob = self.console("bob")
        bob.type("join duel")
        ann.expect_turn()
        ann.wait("the board at rest", lambda: not ann.all(".stage.moved"))
        before = ann.script(BOARD)
        ann.script(MOVE_THE_BOARD)
        self.assertNotEqual(ann.script(BOARD), before)
        ann.touch("touchStart", ann.middle("b2"))
        ann.touch("touchEnd")
        ann.say("well")
        bob.expect("ann.*: well")
        self.assertNotIn("ann plays", bob.text)

    def test_the_page_can_not_be_scrolled_away(self):
        for i in range(9):
            self.console(f"guest{i}").type(f"create room{i}")
        ann = self.ann
        ann.wait("nine rooms", lambda: len(ann.all(".rooms .room")) == 9)
        for size in SIZES[:3]:
            ann.resize(*size)
            ann.script("document.querySelector('main').scrollTo(0, 1e6); window.scrollTo(0, 1e6);")
            self.assertEqual(ann.script("return [scrollX, scrollY]"), [0, 0], size)
            # Nor does a swipe beyond the end load the page again.
            self.assertEqual(ann.script("return getComputedStyle(document.querySelector('main'))"
                                        ".overscrollBehaviorY"), "contain", size)
