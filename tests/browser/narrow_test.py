"""On a narrow phone no view is wider than the screen."""

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


class NarrowTest(unittest.TestCase):
    def check(self, page, view):
        self.assertEqual(page.script("return innerWidth"), WIDTH, view)
        self.assertLessEqual(max(page.script(WIDTHS)), WIDTH, view)

    def test_every_view_fits_the_width(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        server = self.enterContext(
            Server(LOOPBACK, "--listen", "127.0.0.1", "--data-dir", directory))
        visit(self, server, self.check, width=WIDTH, height=740, touch=True)


if __name__ == "__main__":
    unittest.main()
