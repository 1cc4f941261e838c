"""axe-core finds no violation on any view of the page, in light and dark, wide and narrow."""

import pathlib
import unittest

from all_views import visit
from page_case import PageCase

AXE = pathlib.Path(__file__).resolve().parent / "axe" / "node_modules" / "axe-core" / "axe.min.js"


@unittest.skipUnless(AXE.exists(), "axe-core is not installed: run tests/browser/axe/install, which needs npm")
class AccessibilityTest(PageCase):
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

    def test_on_a_large_screen(self):
        visit(self, self.check)

    def test_on_a_phone(self):
        visit(self, self.check, width=360, height=740, touch=True)
