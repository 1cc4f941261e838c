"""A terminal of its own for a program, by tmux: keys go in, what is to be seen comes out."""

import os
import re
import shlex
import subprocess
import tempfile
import termios
import time

from programs import BIN, TIMEOUT


class Tmux:
    """One tmux server with one window in which a shell runs `command` and then says so."""

    def __init__(self, command, width=80, height=24, **environment):
        self._folder = tempfile.TemporaryDirectory(prefix="tictactoe-tmux-")
        self._socket = os.path.join(self._folder.name, "socket")
        variables = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
                     "XDG_STATE_HOME": os.path.join(self._folder.name, "state"), **environment}
        words = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
        # The terminal's mode before and after is what a program must leave as it was.
        script = (f"stty -g >{self._folder.name}/before; env {words} {shlex.join(command)}; "
                  f"echo ended with $?; stty -g >{self._folder.name}/after; exec cat")
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height),
                  "bash", "-c", script)
        self.tmux("set", "-g", "mouse", "off")

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-S", self._socket, *arguments], check=True, timeout=TIMEOUT,
                              stdout=subprocess.PIPE, text=True).stdout

    def close(self):
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], check=False,
                       stderr=subprocess.DEVNULL)
        self._folder.cleanup()

    def keys(self, *keys):
        """Names of keys as tmux has them, such as Enter, Left, C-c; others are typed."""
        for key in keys:
            self.tmux("send-keys", key)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def click(self, x, y):
        """Clicks at a position counted from 0, as terminals encode it (SGR)."""
        self.tmux("send-keys", "-l", f"\033[<0;{x + 1};{y + 1}M\033[<0;{x + 1};{y + 1}m")

    def click_on(self, text):
        for y, line in enumerate(self.screen().splitlines()):
            if text in line:
                return self.click(line.index(text), y)
        raise AssertionError(f"{text!r} is not to be seen:\n{self.screen()}")

    def keys_until(self, key, pattern):
        """Presses a key until that is to be seen: a dialog ignores keys at first."""
        self._repeat(lambda: self.keys(key), pattern)

    def click_until(self, text, pattern):
        """Clicks on a text, if it is there, until that is to be seen."""
        def click():
            if text in self.screen():
                self.click_on(text)
        self._repeat(click, pattern)

    def _repeat(self, action, pattern):
        deadline = time.monotonic() + TIMEOUT
        again = 0
        while not re.search(pattern, self.screen(), re.MULTILINE):
            now = time.monotonic()
            if now > deadline:
                raise AssertionError(f"{pattern!r} is not to be seen:\n{self.screen()}")
            if now > again:
                action()
                again = time.monotonic() + 0.5
            time.sleep(0.02)

    def tty_mode(self):
        terminal = os.open(self.pane("pane_tty"), os.O_RDWR | os.O_NOCTTY)
        try:
            return termios.tcgetattr(terminal)
        finally:
            os.close(terminal)

    def resize(self, width, height):
        self.tmux("resize-window", "-x", str(width), "-y", str(height))

    def screen(self, colours=False):
        return self.tmux("capture-pane", "-p", *(["-e", "-N"] if colours else []))

    def expect(self, pattern):
        """Waits until that is to be seen; the whole screen."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            screen = self.screen()
            if re.search(pattern, screen, re.MULTILINE):
                return screen
            if time.monotonic() > deadline:
                raise AssertionError(f"{pattern!r} is not to be seen:\n{screen}")
            time.sleep(0.02)

    def pane(self, what):
        return self.tmux("display-message", "-p", "#{" + what + "}").strip()

    def program_id(self):
        """The process id of the client."""
        shell = self.pane("pane_pid")
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            found = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", shell], check=False,
                                   stdout=subprocess.PIPE, text=True).stdout.split()
            if "tictactoe" in found:
                return int(found[found.index("tictactoe") - 1])
            time.sleep(0.02)
        raise AssertionError("no client runs")

    def mode_is_restored(self):
        """Whether the terminal is as it was before the program."""
        def read(name):
            with open(os.path.join(self._folder.name, name), encoding="ascii") as file:
                return file.read()
        deadline = time.monotonic() + TIMEOUT
        while not os.path.exists(os.path.join(self._folder.name, "after")) or not read("after"):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return (read("before") == read("after") and self.pane("alternate_on") == "0" and
                self.pane("mouse_any_flag") == "0" and self.pane("cursor_flag") == "1")


def client(server, name, *options):
    return [os.path.realpath(f"{BIN}/tictactoe"), "--server", server, "--name", name, *options]
