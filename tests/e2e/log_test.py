"""A real server whose standard error nobody reads keeps answering, and still ends."""

from __future__ import annotations

import fcntl
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from generated import protocol
from network import LOOPBACK
from programs import BIN, TIMEOUT
from raw_client import RawClient

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


if __name__ == "__main__":
    unittest.main()
