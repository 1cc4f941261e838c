"""What tests of the client's programs share: a server for each test, and clients at terminals."""

import time
import unittest

from network import LOOPBACK
from programs import TIMEOUT, Server, TerminalClient
from tmux import Tmux, client


class ServerCase(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server(LOOPBACK))
        self.address = LOOPBACK.address4(self.server.port)

    def screen(self, *options, command=None, size=(80, 24), **environment):
        """alice, or that command, in a window of its own."""
        terminal = Tmux(command or client(self.address, "alice", *options), *size, **environment)
        self.addCleanup(terminal.close)
        return terminal

    def game(self, room="den", **environment):
        """The same in a game against an AI, with the first turn."""
        terminal = self.screen("--command", f"create {room}", "--command", "ai o", **environment)
        terminal.expect("Your turn: place your X")
        return terminal

    def lines(self, *options, **more):
        """alice at a terminal, line by line; without options when she is connected."""
        alice = self.enterContext(TerminalClient(LOOPBACK, self.address, "alice", *options, **more))
        if not options and not more:
            alice.expect("Connected to ")
        return alice


def state(program):
    """As /proc has it, such as S for one that sleeps; Z once the program has ended."""
    try:
        with open(f"/proc/{program}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


def wait_for_state(program, letter):
    wait_until(lambda: state(program) == letter, f"the state {letter}")


def is_asleep(program):
    """Whether it slept each time in a while: one that works is seen running, or its output grows."""
    for _ in range(10):
        if state(program) != "S":
            return False
        time.sleep(0.02)
    return True


def wait_until(condition, what):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"time is up: no {what}")
        time.sleep(0.02)
