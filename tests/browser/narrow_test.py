"""No view is wider than the screen, and no text is cut off, from a narrow phone to a desktop."""

from all_views import visit
from page_case import PageCase

SIZES = ((320, 640), (620, 900), (844, 390), (1024, 768), (1400, 900), (360, 740))

# Of the page and what scrolls in it, and of a dialog if one is open.
WIDTHS = """
  return [document.documentElement, ...document.querySelectorAll('main, dialog[open]')]
    .map((element) => element.scrollWidth);
"""

# Lists and buttons whose text does not fit, tables of which a part is hidden, and words in them that are broken.
CUT_OFF = r"""
  const pen = document.createElement('canvas').getContext('2d');
  const arrow = 24; // and what is around it
  const isCut = (list) => {
    const style = getComputedStyle(list);
    pen.font = style.font;
    const text = list.selectedOptions[0]?.text ?? '';
    const room = list.clientWidth - parseFloat(style.paddingLeft) - arrow;
    return list.clientWidth > 0 && pen.measureText(text).width > room;
  };
  const isBroken = (cell) => {
    const range = document.createRange();
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/[^\s-]+/g)) {
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((box) => box.top)).size > 1) return true;
      }
    }
    return false;
  };
  return [...[...document.querySelectorAll('select')].filter(isCut),
          ...[...document.querySelectorAll('.games th, .games bdi, .seat-card .who')].filter(isBroken),
          ...[...document.querySelectorAll('.table, button')].filter((each) =>
              each.scrollWidth > each.clientWidth)]
    .map((element) => element.outerHTML.slice(0, 200));
"""


# The widths of the table of games, and of what is seen of it, if all players have the longest names.
LONG_NAMES = """
  for (const name of document.querySelectorAll('.games bdi')) name.textContent = 'W'.repeat(24);
  const table = document.querySelector('.table');
  return [table.scrollWidth, table.clientWidth];
"""


class NarrowTest(PageCase):
    def check(self, page, view):
        for width, height in SIZES:
            page.resize(width, height)  # which would not come about if the page were wider
            self.assertLessEqual(max(page.script(WIDTHS)), width, view)
            self.assertEqual(page.script(CUT_OFF), [], (view, width))
        if view == "finished games":
            self.assertLessEqual(*page.script(LONG_NAMES))

    def test_every_view_fits_the_width(self):
        visit(self, self.check, width=360, height=740, touch=True)

    def test_the_result_of_a_replay_is_read_in_full(self):
        ann = self.page(24 * "W", width=320, height=640, touch=True)
        ann.create("den")
        bob = self.console("B" + 23 * "M")
        bob.type("join den")
        for mine, theirs in (("b2", "a1"), ("a2", "a3"), ("c2", "")):
            ann.click(mine)
            bob.expect(f"plays {mine}")
            if theirs:
                bob.type(theirs)
                ann.expect_mark(theirs, "O")
        ann.expect(".status", "You win!")
        ann.open("#/games/1")
        ann.expect(".outcome", "wins: row 2.")
        for size in SIZES:
            ann.resize(*size)
            self.assertEqual(ann.script("""
                return [...document.querySelectorAll('.outcome, .status, .versus')].filter((each) =>
                    each.scrollHeight > each.clientHeight || each.scrollWidth > each.clientWidth)
                    .map(({ innerText }) => innerText);"""), [], size)

    def test_a_guest_who_holds_the_phone_sideways_sees_the_button(self):
        page = self.page(width=740, height=360, touch=True)
        page.open()
        bottom = page.script("return arguments[0].getBoundingClientRect().bottom", page.element(".start .large"))
        self.assertLessEqual(bottom, 360)

    def test_a_small_board_fills_a_tablet(self):
        page = self.page("ann", width=768, height=1024, touch=True)
        page.create("duel")
        for size in ((768, 1024), (1024, 768)):
            page.resize(*size)
            page.wait(f"a large board, {size}", lambda: page.script("""
                const [stage, grid] = ['.stage', '.grid'].map((one) => document.querySelector(one).getBoundingClientRect());
                return grid.height > 0.9 * Math.min(stage.width, stage.height) &&
                    Math.min(stage.width, stage.height) > 0.65 * Math.min(innerWidth, innerHeight);"""))

    def test_a_phone_that_is_held_sideways_shows_the_board(self):
        page = self.page("ann", width=740, height=360, touch=True)
        page.create("duel", Board="15 × 15")
        top, bottom, height = page.script("""
            const { top, bottom } = document.querySelector('.stage').getBoundingClientRect();
            return [top, bottom, innerHeight];""")
        self.assertGreater(bottom - top, 0.7 * height)
        self.assertLess(bottom - top, height)
        self.assertGreater((min(bottom, height) - top) / (bottom - top), 0.65)
