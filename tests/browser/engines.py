"""The page in browsers other than Chromium: Debian's Firefox, by WebDriver BiDi, because Debian has no
geckodriver, and WebKitGTK's MiniBrowser, by Selenium."""

import asyncio
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import websockets
from browser import Page
from programs import TIMEOUT, Process
from selenium import webdriver
from selenium.common.exceptions import JavascriptException, NoSuchElementException, WebDriverException
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.webkitgtk.options import Options

PREFERENCES = {
    # No traffic to other hosts than the server, and no page of Firefox's own.
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}


class BidiElement:
    """An element of the page, with what Page uses of Selenium's."""

    def __init__(self, driver, reference):
        self.driver = driver
        self.reference = {"sharedId": reference}

    def _script(self, text, *arguments):
        return self.driver.execute_script(f"const it = arguments[0]; {text}", self, *arguments)

    def is_displayed(self):
        return self._script("return it.getClientRects().length > 0 && it.checkVisibility({ checkOpacity: true,"
                            " checkVisibilityCSS: true })")

    @property
    def text(self):
        return self._script("return it.innerText")

    def get_attribute(self, name):
        return self._script("return it.getAttribute(arguments[1])", name)

    def find_elements(self, _, selector):
        return self._script("return [...it.querySelectorAll(arguments[1])]", selector)

    def find_element(self, by, selector):
        found = self.find_elements(by, selector)
        if not found:
            raise NoSuchElementException(selector)
        return found[0]

    def clear(self):
        self._script("it.focus(); it.select()")
        self.driver.keys("\ue017")  # Delete

    def send_keys(self, *keys):
        if self._script("return it.tagName") == "SELECT":  # as Selenium does, by what is typed
            self._script("it.selectedIndex = [...it.options].findIndex((one) => one.text.startsWith(arguments[1]));"
                         "it.dispatchEvent(new Event('input', { bubbles: true }));"
                         "it.dispatchEvent(new Event('change', { bubbles: true }));", "".join(keys))
            return
        self._script("it.focus()")
        self.driver.keys(*keys)

    def click(self):
        self._script("it.scrollIntoView({ block: 'nearest' })")
        covered = self._script("const { x, y, width, height } = it.getBoundingClientRect();"
                               "const top = document.elementFromPoint(x + width / 2, y + height / 2);"
                               "return !top || !(it.contains(top) || top.contains(it));")
        if covered:
            raise WebDriverException("something covers the element")
        self.driver.click_at(*self._script("const { x, y, width, height } = it.getBoundingClientRect();"
                                           "return [x + width / 2, y + height / 2];"))


class Firefox:
    """A Firefox, with what Page uses of Selenium's driver."""

    def __init__(self, profile):
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                 for name, value in PREFERENCES.items())
        (pathlib.Path(profile) / "user.js").write_text("".join(lines), encoding="utf-8")
        self._process = Process(
            ["firefox-esr", "--headless", "--no-remote", "--profile", profile,
             "--width", "1280", "--height", "800", "--remote-debugging-port", "0", "about:blank"],
            None, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        address = self._process.expect(r"WebDriver BiDi listening on (ws://\S+)").group(1)
        self._loop = asyncio.new_event_loop()
        self._last = 0

        async def connect():
            return await websockets.connect(f"{address}/session", max_size=None)
        self._socket = self._loop.run_until_complete(connect())
        self.command("session.new", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
        tree = self.command("browsingContext.getTree")
        self._context = tree["contexts"][0]["context"]

    def command(self, method, **parameters):
        self._last += 1
        request = {"id": self._last, "method": method, "params": parameters}

        async def ask():
            await self._socket.send(json.dumps(request))
            while True:
                answer = json.loads(await self._socket.recv())
                if answer.get("id") == request["id"]:
                    return answer
        answer = self._loop.run_until_complete(asyncio.wait_for(ask(), TIMEOUT))
        if "error" in answer:
            raise WebDriverException(f"{answer['error']}: {answer['message']}")
        return answer["result"]

    def quit(self):
        try:
            self.command("browser.close")
            self._loop.run_until_complete(self._socket.close())
        finally:
            self._process.__exit__()
            self._loop.close()

    def get(self, address):
        self.command("browsingContext.navigate", context=self._context, url=address, wait="interactive")

    def refresh(self):
        self.command("browsingContext.reload", context=self._context, wait="interactive")

    def get_log(self, _):
        return []

    def execute_script(self, text, *arguments):
        result = self.command(
            "script.callFunction", functionDeclaration=f"function () {{ {text} }}", awaitPromise=True,
            target={"context": self._context}, arguments=[self._to_wire(one) for one in arguments],
            serializationOptions={"maxDomDepth": 0})
        if result["type"] == "exception":
            raise JavascriptException(result["exceptionDetails"]["text"])
        return self._from_wire(result["result"])

    @staticmethod
    def _to_wire(value):
        if isinstance(value, BidiElement):
            return value.reference
        return {"type": {str: "string", bool: "boolean"}.get(type(value), "number"), "value": value}

    def _from_wire(self, value):
        if value["type"] == "node":
            return BidiElement(self, value["sharedId"])
        if value["type"] == "array":
            return [self._from_wire(one) for one in value["value"]]
        return value.get("value")

    def find_elements(self, _, selector):
        return self.execute_script("return [...document.querySelectorAll(arguments[0])]", selector)

    def find_element(self, by, selector):
        found = self.find_elements(by, selector)
        if not found:
            raise NoSuchElementException(selector)
        return found[0]

    def keys(self, *keys):
        """Presses keys; Selenium's codes for special keys are those of the protocol."""
        strokes = [{"type": kind, "value": key} for key in "".join(keys) for kind in ("keyDown", "keyUp")]
        self.act({"type": "key", "id": "keyboard", "actions": strokes})

    def click_at(self, x, y):
        self.act({"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]})

    def act(self, source):
        self.command("input.performActions", context=self._context, actions=[source])


class OtherPage(Page):
    """A page over https, in a window of 1280 x 800; what only Chromium's own protocol offers is missing."""

    def __init__(self, port):  # pylint: disable=super-init-not-called
        self.address = f"https://127.0.0.1:{port}/"
        # A process of the browser may write there until it ends.
        self._profile = tempfile.TemporaryDirectory(prefix="tictactoe-browser-", ignore_cleanup_errors=True)
        self.driver = self._start(self._profile.name)

    def run(self, command, **arguments):
        raise NotImplementedError(command)

    def log(self):
        return []

    def click(self, name):
        self.expect_turn()
        # The page may not have drawn its first frame.
        self.wait("the board", lambda: self.script("return arguments[0].clientWidth", self.cell(name)) > 0)
        self.click_at(*self.middle(name))


class FirefoxPage(OtherPage):
    def _start(self, profile):
        if shutil.which("firefox-esr") is None:
            raise unittest.SkipTest("Firefox is not installed (package firefox-esr)")
        return Firefox(profile)

    def click_at(self, x, y):
        self.driver.click_at(x, y)

    def keys(self, *keys):
        self.driver.keys(*keys)


class WebKitPage(OtherPage):
    def _start(self, profile):
        browser = next(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"), None)
        if browser is None or shutil.which("WebKitWebDriver") is None or shutil.which("Xvfb") is None:
            raise unittest.SkipTest("WebKitGTK or a virtual display is not installed (packages webkit2gtk-driver, xvfb)")
        self._display = Process(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
                                None, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        display = self._display.expect(r"^(\d+)$").group(1)
        os.environ.update(DISPLAY=f":{display}", GDK_BACKEND="x11", XDG_CACHE_HOME=profile)
        options = Options()
        options.binary_location = str(browser)
        options.add_argument("--automation")
        options.accept_insecure_certs = True
        return webdriver.WebKitGTK(options=options, executable_path=shutil.which("WebKitWebDriver"),
                                   service_log_path=os.devnull)

    def click_at(self, x, y):
        actions = ActionBuilder(self.driver)
        actions.pointer_action.move_to_location(round(x), round(y)).click()
        actions.perform()

    def __exit__(self, *ended):
        try:
            super().__exit__(*ended)
        finally:
            self._display.__exit__()
