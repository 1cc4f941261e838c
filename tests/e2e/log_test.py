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

# Of the pipe, as small as the system allows. The server queues 256 KiB beyond that.
PIPE_BYTES = 4096
# Each connection logs more than 100 bytes.
CONNECTIONS = 4000


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
        """Causes more log lines than the pipe and the server's queue hold."""
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

    def test_dropped_lines_are_counted_in_the_log(self) -> None:
        self.fill()
        dropped = b""
        while not dropped:
            line = self.log.readline()
            self.assertTrue(line, "the log has ended")
            if b"dropped" in line:
                dropped = line
        match = re.fullmatch(rb"(\d+) log lines were dropped: .*\n", dropped)
        self.assertTrue(match, dropped)
        self.assertGreater(int(match.group(1)), 0)


if __name__ == "__main__":
    unittest.main()
