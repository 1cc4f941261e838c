"""On a narrow phone no view is wider than the screen, and no text is cut off."""

import tempfile
import unittest

from all_views import visit
from network import LOOPBACK
from programs import Server

WIDTH = 360

# Of the page, and of a dialog if one is open.
WIDTHS = """
  return [document.documentElement, ...document.querySelectorAll('dialog[open]')]
    .map((element) => element.scrollWidth);
"""

# Lists whose chosen text does not fit, tables of which a part is hidden, and words in them that are
# broken.
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
    range.selectNodeContents(cell);
    return !/\s/.test(cell.textContent) && range.getClientRects().length > 1;
  };
  return [...[...document.querySelectorAll('select')].filter(isCut),
          ...[...document.querySelectorAll('.games th, .games bdi')].filter(isBroken),
          ...[...document.querySelectorAll('.table')].filter((table) =>
              table.scrollWidth > table.clientWidth)]
    .map((element) => element.outerHTML.slice(0, 200));
"""


class NarrowTest(unittest.TestCase):
    def check(self, page, view):
        self.assertEqual(page.script("return innerWidth"), WIDTH, view)
        self.assertLessEqual(max(page.script(WIDTHS)), WIDTH, view)
        self.assertEqual(page.script(CUT_OFF), [], view)

    def test_every_view_fits_the_width(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        server = self.enterContext(
            Server(LOOPBACK, "--listen", "127.0.0.1", "--data-dir", directory))
        visit(self, server, self.check, width=WIDTH, height=740, touch=True)


if __name__ == "__main__":
    unittest.main()
