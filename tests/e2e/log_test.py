"""A real server whose standard error nobody reads keeps answering, and still ends."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import subprocess
import tempfile
import unittest

from generated import protocol
from network import LOOPBACK
from programs import BIN, TIMEOUT
from raw_client import RawClient, Refused

# Of the pipe, as small as the system allows.
PIPE_BYTES = 4096
# The first hundred log more than 100 bytes each.
CONNECTIONS = 1000


class BlockedLog(unittest.TestCase):
    def setUp(self) -> None:
        read_end, write_end = os.pipe()
        fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        self.log = os.fdopen(read_end, "rb")
        self.addCleanup(self.log.close)
        self.server = subprocess.Popen(
            [f"{BIN}/tictactoe-server", "--listen", LOOPBACK.ipv4, "--port", "0", "--no-journal",
             "--no-discovery", "--max-per-address", "0"],
            stdout=subprocess.PIPE, stderr=write_end, text=True)
        os.close(write_end)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        self.addCleanup(self.server.stdout.close)
        self.port = int(re.search(r":(\d+)$", self.server.stdout.readline()).group(1))

    def connect(self) -> RawClient:
        client = RawClient(protocol, LOOPBACK.ipv4, self.port, TIMEOUT)
        self.addCleanup(client.close)
        return client

    def fill(self) -> None:
        """Causes more log lines than the pipe holds."""
        client = self.connect()
        client.hello("ann")
        for number in range(CONNECTIONS):
            self.connect().close()
            if number % 100 == 0:
                client.ask("ping")

    def end(self) -> int:
        self.server.send_signal(signal.SIGTERM)
        return self.server.wait(TIMEOUT)

    def test_a_server_whose_log_is_not_read_answers_and_ends(self) -> None:
        self.fill()
        self.assertEqual(self.end(), 0)


class Formats(unittest.TestCase):
    """What a server writes until it has ended."""

    def lines(self, *options: str, play: bool = False) -> list[str]:
        with tempfile.TemporaryFile("w+") as log:
            with subprocess.Popen(
                    [f"{BIN}/tictactoe-server", "--listen", LOOPBACK.ipv4, "--port", "0",
                     "--no-journal", "--no-discovery", *options], stdout=subprocess.PIPE,
                    stderr=log, text=True, env={**os.environ, "JOURNAL_STREAM": "0:0"}) as server:
                port = int(re.search(r":(\d+)$", server.stdout.readline()).group(1))
                client = RawClient(protocol, LOOPBACK.ipv4, port, TIMEOUT)
                client.hello("ann")
                if play:
                    self.play(client, port)
                client.close()
                server.send_signal(signal.SIGTERM)
                server.stdout.read()
                self.assertEqual(server.wait(TIMEOUT), 0)
            log.seek(0)
            return log.read().splitlines()

    def play(self, ann: RawClient, port: int) -> None:
        ben = RawClient(protocol, LOOPBACK.ipv4, port, TIMEOUT)
        ben.hello("ben")
        with self.assertRaises(Refused):
            ann.ask("move")
        ann.ask("create_room", name="den")
        ben.ask("join_room", name="den")
        ben.ask("resign")
        ben.ask("leave_room")
        ann.ask("leave_room")
        ben.close()

    def test_events_have_the_same_keys_for_ever(self) -> None:
        keys = {"started": {"version", "listening"}, "connection opened": {"connection", "address"},
                "player joined": {"connection", "address", "player", "known"},
                "room opened": {"room", "player"}, "room closed": {"room"},
                "request refused": {"connection", "address", "player", "code"},
                "game over": {"room", "game", "x", "o", "outcome", "winner", "moves"},
                "connection closed": {"connection", "address", "player", "reason"}}
        found = {}
        for line in self.lines("--log-format", "json", play=True):
            event = json.loads(line)
            found.setdefault(event["message"], set(event) - {"time", "level", "message"})
        for event, wanted in keys.items():
            with self.subTest(event=event):
                self.assertLessEqual(wanted, found.get(event, set()), found)
        text = "\n".join(self.lines(play=True))
        self.assertRegex(text, r"game over: room=den game=1 x=ann o=ben outcome=resigned winner=x")
        self.assertRegex(text, r"request refused: connection=0.1 address=127.0.0.1 player=ann "
                               r"code=not_in_room")
