"""What the tests of `tictactoe-server ctl` share."""

import json
import os
import tempfile
import unittest

from network import LOOPBACK
from programs import Client, Server, run


class ControlCase(unittest.TestCase):
    def setUp(self):
        # Short: the path of a socket has at most 107 bytes.
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="ttt-ctl-", dir="/tmp"))
        self.data = os.path.join(self.folder, "data")
        self.socket = os.path.join(self.data, "control")

    def start(self, *options, **popen):
        server = self.enterContext(Server(LOOPBACK, "--data-dir", self.data, *options, **popen))
        self.address = LOOPBACK.address4(server.port)
        return server

    def ctl(self, *words):
        return run("tictactoe-server", "ctl", *words, "--data-dir", self.data)

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

    def client(self, name, *lines, state=None, options=()):
        state = os.path.join(self.folder, state or name)
        client = self.enterContext(Client(LOOPBACK, self.address, name, *options,
                                          env={**os.environ, "XDG_STATE_HOME": state}))
        client.type(*lines)
        return client

    def two_players(self):
        ann = self.client("ann", "create den")
        ann.expect("Waiting for an opponent")
        ben = self.client("ben", "join den")
        ben.expect("^You are ben, playing O")
        ann.expect("Your turn")
        return ann, ben
