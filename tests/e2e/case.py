"""What the tests of the programs share: a folder of their own, servers, and clients of every kind."""

import json
import os
import pathlib
import tempfile
import time
import unittest

from network import LOOPBACK
from programs import TIMEOUT, Client, Server, TerminalClient, run
from tmux import Tmux, client


class Case(unittest.TestCase):
    def setUp(self):
        # Short: the path of a socket has at most 107 bytes.
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="ttt-", dir="/tmp")))
        self.data = self.folder / "data"

    def file(self, name, text):
        """The path of a new file with this line."""
        path = self.folder / name
        path.write_text(text + "\n")
        return str(path)

    def serve(self, *options, host=LOOPBACK, **popen):
        """A server, to which clients connect from now on. It ends with the test at the latest."""
        self.server = self.enterContext(Server(host, *options, **popen))
        self.address = LOOPBACK.address4(self.server.port)
        return self.server

    def start(self, *options, **popen):
        """A server with a journal."""
        return self.serve("--data-dir", str(self.data), *options, **popen)

    def end(self, server):
        """Asks a server to end, and expects that it does so in good order."""
        server.process.terminate()
        self.assertEqual(server.status(), 0, server.text)

    def state(self, name="state"):
        """The environment of clients that keep what they know in a folder of that name."""
        return {"XDG_STATE_HOME": str(self.folder / name)}

    def client(self, name, *lines, state=None, options=(), address=None):
        """A client that plays a script. Without `state`, it shares what it knows with clients of its name."""
        one = self.enterContext(Client(LOOPBACK, address or self.address, name, *options,
                                       env={**os.environ, **self.state(state or name)}))
        one.type(*lines)
        return one

    def two_players(self):
        ann = self.client("ann", "create den")
        ann.expect("Waiting for an opponent")
        ben = self.client("ben", "join den")
        ben.expect("^You are ben, playing O")
        ann.expect("Your turn")
        return ann, ben

    def raw(self, name=None, server=None):
        """A connection of the client that is written from the specification; it says hello if it has a name."""
        from generated import protocol
        from raw_client import RawClient
        one = RawClient(protocol, LOOPBACK.ipv4, (server or self.server).port, TIMEOUT)
        self.addCleanup(one.close)
        if name is not None:
            one.hello(name)
        return one

    def raw_players(self, server=None):
        """Two of them in the room "den", of whom the first has the turn."""
        ann, ben = self.raw("ann", server), self.raw("ben", server)
        ann.ask("create_room", name="den")
        ben.ask("join_room", name="den")
        ann.follow_until(lambda room: room.my_turn)
        return ann, ben

    def lines(self, name, *options, state="state", **environment):
        """A client at a terminal, line by line."""
        return self.enterContext(TerminalClient(LOOPBACK, self.address, name, *options,
                                                environment={**self.state(state), **environment}))

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

    def ctl(self, *words):
        return run("tictactoe-server", "ctl", *words, "--data-dir", str(self.data))

    def done(self, *words):
        result = self.ctl(*words)
        self.assertEqual((result.returncode, result.stderr), (0, ""), words)
        return result.stdout

    def ask(self, *words):
        return json.loads(self.done(*words, "--json"))

    def fails(self, *words, status=1):
        result = self.ctl(*words)
        self.assertEqual((result.returncode, result.stdout), (status, ""), words)
        return result.stderr

    def account(self, *words, password="correct-horse-23", data=None):
        with open(self.file("word", password), encoding="utf-8") as typed:
            return run("tictactoe-server", "account", *words, "--data-dir", str(data or self.data), stdin=typed)


class ServerCase(Case):
    """Has a server without a journal for each test."""

    options = ()

    def setUp(self):
        super().setUp()
        self.serve(*self.options)


def state_of(program):
    """As /proc has it, such as S for one that sleeps; Z once the program has ended."""
    try:
        with open(f"/proc/{program}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


def wait_for_state(program, letter):
    wait_until(lambda: state_of(program) == letter, f"the state {letter}")


def is_asleep(program):
    """Whether it slept each time in a while: one that works is seen running, or its output grows."""
    for _ in range(10):
        if state_of(program) != "S":
            return False
        time.sleep(0.02)
    return True


def wait_until(condition, what, within=TIMEOUT):
    deadline = time.monotonic() + within
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"time is up: no {what}")
        time.sleep(0.02)
