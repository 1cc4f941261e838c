"""The page of a server in a real browser: Debian's Chromium, driven by Selenium."""

import contextlib
import functools
import http.server
import os
import pathlib
import re
import sys
import tempfile
import threading
import time

from selenium import webdriver
from selenium.common.exceptions import JavascriptException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
# pylint: disable=wrong-import-position
from programs import TIMEOUT  # noqa: E402

# A new profile, and nothing that talks to other hosts than the server.
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--disable-dev-shm-usage", "--force-color-profile=srgb")


# Tells a page of tests/mutants which mistake to make, and notes which it could make.
MUTANT = f"globalThis.isMutant = (id) => id === {os.environ.get('TICTACTOE_MUTANT', 0)};"
REACHED = """
    const reached = new Set();
    globalThis.isMutant = (id) => {
      if (!reached.has(id)) console.debug(`mutant ${id}`);
      reached.add(id);
    };"""


class Sources(http.server.SimpleHTTPRequestHandler):
    """Serves the files of the page as they are: in what a server sends, the modules are joined."""

    def translate_path(self, path):
        return super().translate_path(path.removeprefix("/files"))

    def log_message(self, *_):
        pass

    @classmethod
    @contextlib.contextmanager
    def page(cls):
        """A page of the files."""
        folder = pathlib.Path(__file__).resolve().parents[2] / "client" / "web"
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(cls, directory=folder)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            with Page(server.server_port) as page:
                yield page
            server.shutdown()


class Page:
    """One browser with one page. Ended by the end of a `with`."""

    def __init__(self, port, width=1280, height=800, touch=False, dark=False, host="127.0.0.1",
                 protocol="http"):
        self.address = f"{protocol}://{host}:{port}/"
        self._profile = tempfile.TemporaryDirectory(prefix="tictactoe-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        for option in OPTIONS:
            options.add_argument(option)
        options.add_argument(f"--user-data-dir={self._profile.name}")
        # A server signs its certificate by itself.
        options.accept_insecure_certs = protocol == "https"
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        script = REACHED if "TICTACTOE_REACH" in os.environ else MUTANT
        self.run("Page.addScriptToEvaluateOnNewDocument", source=script)
        self.driver.set_page_load_timeout(TIMEOUT)
        self.driver.set_script_timeout(2 * TIMEOUT)
        self._is_phone = touch
        self._set_size(width, height)
        if touch:
            self.run("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
        self.scheme("dark" if dark else "light")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.log()
        self.driver.quit()
        self._profile.cleanup()

    def run(self, command, **arguments):
        """A command of the browser's own protocol."""
        return self.driver.execute_cdp_cmd(command, arguments)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def module_script(self, text):
        """Runs an asynchronous script that imports modules of Sources from `folder`, and gives its result
        to done()."""
        return self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "const folder = '/files/';"
            f"(async () => {{ {text} }})().catch((error) => done(error.stack));")

    def _set_size(self, width, height):
        self.run("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=2 if self._is_phone else 1, mobile=self._is_phone)

    def resize(self, width, height):
        self._set_size(width, height)
        self.wait("the size", lambda: self.script("return [innerWidth, innerHeight]") == [width, height])

    def scheme(self, name):
        """Light or dark; without motion, so that no colour is seen on its way to another."""
        self.run("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": name},
                           {"name": "prefers-reduced-motion", "value": "reduce"}])

    # Waiting ------------------------------------------------------------------------------------

    def wait(self, what, condition):
        """Waits until `condition()` is true; its value. Elements may vanish meanwhile."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                value = condition()
                if value:
                    return value
            except (WebDriverException, JavascriptException, StopIteration):
                pass
            if time.monotonic() > deadline:
                raise AssertionError(f"no {what} on the page:\n{self.text('body')}\n{self.log()}")
            time.sleep(0.02)

    def log(self):
        """What the browser has said of the page: errors, above all."""
        entries = self.driver.get_log("browser")
        for mutant in re.findall(r'"mutant (\d+)"', " ".join(entry["message"] for entry in entries)):
            with open(os.environ["TICTACTOE_REACH"], "r+b") as file:
                file.seek(int(mutant))
                file.write(b"\1")
        return [entry for entry in entries if entry["level"] == "SEVERE"]

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def element(self, selector):
        return self.wait(selector, lambda: next(e for e in self.all(selector) if e.is_displayed()))

    def text(self, selector):
        """The text of an element, hidden or not, without marks of direction."""
        found = self.all(selector)
        text = self.script("return arguments[0].innerText", found[0]) if found else ""
        return text.translate({0x2068: None, 0x2069: None})

    def expect(self, selector, text):
        """Waits until an element contains a text."""
        self.wait(f"{text!r} in {selector}", lambda: text in self.text(selector))

    def covered(self):
        """The controls that a message covers now; there must be one."""
        return self.script("""
            const notices = [...document.querySelectorAll('.toast')].map((one) =>
                one.getBoundingClientRect());
            if (notices.length === 0) throw new Error('no message');
            const main = document.querySelector('main');
            const clip = getComputedStyle(main).overflowY === 'visible'
                ? { top: 0, bottom: innerHeight } : main.getBoundingClientRect();
            const meets = (box) => (notice) =>
                Math.max(box.top, notice.top, clip.top) <
                    Math.min(box.bottom, notice.bottom, clip.bottom) &&
                Math.max(box.left, notice.left) < Math.min(box.right, notice.right);
            return [...main.querySelectorAll('a, button, canvas, input, select, summary')]
                .filter((one) => notices.some(meets(one.getBoundingClientRect())))
                .map((one) => one.outerHTML.slice(0, 80));""")

    # Acting -------------------------------------------------------------------------------------

    def open(self, place=""):
        self.driver.get(self.address + place)

    def come_in(self, name, place=""):
        """Opens the page and gives a name; the lobby is shown."""
        self.open(place)
        field = self.element("input[name=name]")
        field.clear()
        field.send_keys(name + Keys.ENTER)
        self.expect("header .link", "connected")
        self.wait("the name", lambda: not self.all("input[name=name]"))

    def label(self, button):
        """The first line of its text; WebKit's driver would join the lines."""
        return self.script("return arguments[0].innerText", button).split("\n")[0].strip()

    def press(self, text, scope="body"):
        """Presses the button with this text."""
        def find():
            return next(button for button in self.all(f"{scope} button")
                        if button.is_displayed() and self.label(button) == text)
        def press():
            find().click()
            return True
        self.wait(f"button {text!r}", press)

    def fill(self, label, text, scope="dialog"):
        """Writes into the field with this label, or chooses an entry of its list."""
        def write():
            for field in self.all(f"{scope} .field"):
                if field.find_element(By.TAG_NAME, "span").text == label:
                    field.find_element(By.CSS_SELECTOR, "input, select").send_keys(text)
                    return True
            return False
        self.wait(f"field {label!r}", write)

    def create(self, name, **fields):
        """Creates a room by the form; the fields by their labels."""
        self.press("Create a room …")
        self.fill("Name", name)
        for label, text in fields.items():
            self.fill(label.replace("_", " "), text)
        self.press("Create", "dialog")
        self.expect(".title h1", name)

    def choose_size(self, rows, cols, k):
        """A size that the form for a room does not list."""
        self.fill("Board", "Custom")
        for label, number in (("Rows", rows), ("Columns", cols), ("In a row", k)):
            self.fill(label, Keys.CONTROL + "a" + Keys.NULL + str(number))

    def say(self, text):
        field = self.element(".say input")
        # Keys outside of the basic plane can't be typed by the driver.
        self.script("arguments[0].value = arguments[1]", field, text)
        field.send_keys(Keys.ENTER)

    # The board ----------------------------------------------------------------------------------

    def cell(self, name):
        """The element of a cell of a small board."""
        return self.driver.find_element(By.CSS_SELECTOR,
                                        f"[role=gridcell][aria-label^='{name},']")

    def mark(self, name):
        return self.cell(name).get_attribute("aria-label").split(", ")[1]

    def expect_mark(self, name, mark):
        self.wait(f"{mark} at {name}", lambda: self.mark(name) == mark)

    def expect_turn(self):
        self.expect(".status", "Your turn")

    def click(self, name):
        """Clicks on a cell, on the canvas, once it is the player's turn."""
        self.expect_turn()
        ActionChains(self.driver).move_to_element(self.cell(name)).click().perform()

    def tap(self, name):
        """Taps on a cell; the board has not just moved."""
        self.wait("the board at rest", lambda: not self.all(".stage.moved"))
        self.touch("touchStart", self.middle(name))
        self.touch("touchEnd")

    def middle(self, cell):
        return self.middle_of(self.cell(cell))

    def middle_of(self, element):
        return self.script("const box = arguments[0].getBoundingClientRect();"
                           "return [box.x + box.width / 2, box.y + box.height / 2];", element)

    def mouse(self, kind, at, count=1):
        """Presses or releases the mouse at [x, y]; `count` is 2 for the second click of a double click."""
        self.run("Input.dispatchMouseEvent", type=f"mouse{kind}", x=at[0], y=at[1], button="left",
                 clickCount=count)

    def double_click(self, at):
        for count in (1, 2):
            for kind in ("Pressed", "Released"):
                self.mouse(kind, at, count)

    def touch(self, kind, *points):
        self.run("Input.dispatchTouchEvent", type=kind,
                 touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])

    def keys(self, *keys):
        """Presses keys, wherever the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def hold_enter(self, times=20):
        """Holds Enter until the keyboard has repeated it so often."""
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
        for again in range(times + 1):
            self.run("Input.dispatchKeyEvent", type="keyDown", text="\r", autoRepeat=again > 0, **key)
            self.script("")  # what the key does is done
        self.run("Input.dispatchKeyEvent", type="keyUp", **key)

    def focus_on(self, text, scope="body"):
        """Gives the focus to the button with this text."""
        self.wait(f"button {text!r}", lambda: next(
            self.script("arguments[0].focus(); return true", button) for button in self.all(f"{scope} button")
            if button.is_displayed() and self.label(button) == text))

    def picture(self, path):
        self.driver.save_screenshot(str(path))
