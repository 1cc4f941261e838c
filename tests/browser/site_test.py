"""What the page costs: its size, the time to the first paint, and no other host."""

import gzip
import json
import re
import struct
import urllib.error
import urllib.parse
import urllib.request

from page_case import PageCase

MOST_BYTES = 60_000
FIRST_PAINT_MS = 500


class SiteTest(PageCase):
    def fetch(self, path):
        request = urllib.request.Request(f"http://127.0.0.1:{self.server.port}{path}",
                                         headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:
            body = answer.read()
            return body, answer.headers

    def test_all_files_are_small(self):
        index, headers = self.fetch("/")
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        text = gzip.decompress(index).decode()
        files = re.findall(r'"(/[0-9a-f]+/[^"]+)"', text)
        self.assertIn("main.js", " ".join(files))
        total = len(index)
        for name in files:
            body, headers = self.fetch(name)
            self.assertIn("immutable", headers["Cache-Control"], name)
            total += len(body)
        print(f"all files: {total:,} bytes as they are sent (wanted: {MOST_BYTES:,})")
        self.assertLess(total, MOST_BYTES)

    def test_the_page_can_be_put_on_a_home_screen(self):
        index, _ = self.fetch("/")
        text = gzip.decompress(index).decode()
        place = re.search(r'rel="manifest" href="([^"]+)"', text)[1]
        manifest, headers = self.fetch(place)
        if headers["Content-Encoding"] == "gzip":
            manifest = gzip.decompress(manifest)
        self.assertEqual(headers["Content-Type"], "application/manifest+json")
        icons = [(urllib.parse.urljoin(place, icon["src"]), icon["type"])
                 for icon in json.loads(manifest)["icons"]]
        icons.append((re.search(r'rel="apple-touch-icon" href="([^"]+)"', text)[1], "image/png"))
        for icon, kind in icons:
            body, headers = self.fetch(icon)
            self.assertEqual(headers["Content-Type"], kind)
            if kind == "image/png":
                if headers["Content-Encoding"] == "gzip":
                    body = gzip.decompress(body)
                self.assertEqual((body[:4], struct.unpack(">II", body[16:24])), (b"\x89PNG", (192, 192)))

    def test_the_address_for_others_is_a_text_and_a_picture(self):
        body, headers = self.fetch("/join.txt?room=the%20den")
        self.assertEqual(body.decode(),
                         f"http://127.0.0.1:{self.server.port}/#/join/the%20den\n")
        self.assertEqual(headers["Cache-Control"], "no-store")
        body, headers = self.fetch("/join.svg?room=the%20den")
        self.assertEqual(headers["Content-Type"], "image/svg+xml")
        self.assertTrue(body.startswith(b"<svg "), body)
        for path in ("/join.svg?next=1", "/join.png", "/join.svg?room=" + 600 * "x"):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.fetch(path)
            self.assertEqual(refused.exception.code, 404)
            refused.exception.close()

    def test_a_page_that_does_not_start_says_what_helps(self):
        page = self.page()
        # A part is missing.
        page.run("Network.enable")
        page.run("Network.setBlockedURLs", urls=["*main.js"])
        page.open()
        page.expect("#loading", "Part of this page failed to load.")
        page.element("#loading a")
        # It takes long: the help appears after 15 seconds, also if no script has arrived.
        page.run("Network.setBlockedURLs", urls=["*.js"])
        page.open()
        self.assertIn("Loading …", page.text("#loading"))
        self.assertNotIn("JavaScript", page.text("#loading"))
        self.assertEqual(page.script("""
            const [late] = document.getAnimations();
            const shownAt = (ms) => {
              late.currentTime = ms;
              return getComputedStyle(document.querySelector('.late')).visibility;
            };
            return [shownAt(14999), shownAt(15000)];"""), ["hidden", "visible"])

    def test_a_browser_that_is_too_old_is_named_as_such(self):
        # One that parses the script, but lacks something.
        page = self.page()
        page.run("Page.addScriptToEvaluateOnNewDocument", source="delete window.HTMLDialogElement;")
        page.open()
        page.expect("#loading", "This browser is too old for this page.")
        # One that does not, and one that fails in another way.
        for error, said in (("SyntaxError('Unexpected token #')", "This browser is too old for this page."),
                            ("Error('no storage')", "This page failed to start: no storage")):
            page = self.page()
            page.run("Page.addScriptToEvaluateOnNewDocument", source=f"""
                addEventListener('DOMContentLoaded', () => dispatchEvent(new ErrorEvent('error',
                    {{ error: new {error} }})));""")
            page.run("Network.enable")
            page.run("Network.setBlockedURLs", urls=["*main.js"])
            page.open()
            page.expect("#loading", said)

    def test_nothing_is_asked_of_other_hosts(self):
        page = self.page()
        page.open()
        paint = page.wait("paint", lambda: page.script(
            "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"))
        page.element("input[name=name]")
        asked = page.script("return performance.getEntriesByType('resource')"
                            ".map(({ name, startTime }) => [new URL(name).host, startTime, name])")
        self.assertEqual({host for host, *_ in asked}, {f"127.0.0.1:{self.server.port}"})
        # Beside the page itself, and what browsers fetch when they like: nothing waits for it.
        waited_for = [name for _, start, name in asked
                      if start < paint and not name.endswith((".webmanifest", ".svg", ".png"))]
        self.assertLessEqual(len(waited_for), 3, asked)
        self.assertEqual(page.log(), [])
        print(f"first paint: after {paint:.0f} ms (wanted: {FIRST_PAINT_MS})")
