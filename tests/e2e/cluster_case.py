"""Servers that share a PostgreSQL database, and players who follow them, for tests.

The client is the one that was written from proto/README.md.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
import unittest

import postgres
from generated import protocol
from programs import BIN, TIMEOUT, free_ports
from raw_client import PROTOCOL_VERSION, Message, RawClient


class Server:
    """One of the servers. Its public address is the one that it listens at."""

    def __init__(self, url: str, port: int, *options: str) -> None:
        self.port = port
        self.address = f"127.0.0.1:{port}"
        self._folder = tempfile.TemporaryDirectory(prefix="tictactoe-server-")
        self.folder = self._folder.name
        self._command = [
            f"{BIN}/tictactoe-server", "--listen", "127.0.0.1", "--port", str(port), "--store", url,
            "--data-dir", self.folder, "--public-address", self.address, "--ai-delay", "0",
            "--max-per-address", "0", "--log", "warn", *options]
        self.start()

    def start(self) -> None:
        """Once more, with the same key."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        if "listening on" not in line:
            raise RuntimeError(f"the server does not start: {line!r}")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(TIMEOUT)

    def stop(self) -> int:
        self._process.terminate()
        status = self._process.wait(TIMEOUT)
        self._process.stdout.close()
        return status

    def is_running(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        if self._process.poll() is None:
            self.kill()
        self._process.stdout.close()
        self._folder.cleanup()


class Player:
    """A player who follows redirects."""

    def __init__(self, name: str, port: int, token: bytes = b"", password: str = "") -> None:
        self.name, self.token, self.password = name, token, password
        self.connect(port)

    def connect(self, port: int) -> None:
        self.port = port
        self.client = RawClient(protocol, "127.0.0.1", port)
        event = self.client.ask(
            "hello", protocol_versions=[PROTOCOL_VERSION], name=self.name, token=self.token,
            capabilities=["redirect"], account_password=self.password)
        if event.DESCRIPTOR.name == "Redirect":
            return self._follow(event)
        self.token = event.token or self.token

    def ask(self, kind: str, **fields) -> Message:
        while (event := self.client.ask(kind, **fields)).DESCRIPTOR.name == "Redirect":
            self._follow(event)
        return event

    def _follow(self, redirect: Message) -> None:
        self.client.expect_end()
        self.client.close()
        self.connect(int(redirect.server.address.rsplit(":", 1)[1]))


@unittest.skipUnless(postgres.is_installed(), "PostgreSQL is not installed (package postgresql)")
class ClusterCase(unittest.TestCase):
    """Has a database of its own, which is empty at the beginning of each test."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.database = postgres.Postgres()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.database.close()

    def setUp(self) -> None:
        self.database.sql("DROP SCHEMA tictactoe CASCADE; CREATE SCHEMA tictactoe AUTHORIZATION "
                          "tictactoe")

    def servers(self, count: int, *options: str) -> list[Server]:
        servers = []
        for port in free_ports(count):
            servers.append(Server(self.database.url, port, *options))
            self.addCleanup(servers[-1].close)
        return servers

    def player(self, name: str, server: Server, token: bytes = b"", password: str = "") -> Player:
        player = Player(name, server.port, token, password)
        self.addCleanup(lambda: player.client.close())
        return player

    def wait_for(self, condition, what: str, seconds: float = TIMEOUT) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.1)

    def wait_until_all_are_named(self, server: Server, count: int) -> None:
        """A client learns at its welcome of the servers to which it can go."""
        def are_named() -> bool:
            player = Player("who", server.port)
            player.client.close()
            return len(player.client.welcome.servers) == count

        self.wait_for(are_named, "a server is missing")
