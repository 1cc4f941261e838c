"""What tests of the wire share: the real server, raw clients, and checks of answers."""

from __future__ import annotations

import unittest
from typing import Sequence

from generated import protocol
from network import LOOPBACK
from programs import TIMEOUT, Client, Server
from raw_client import RawClient

Cells = Sequence[tuple[int, int]]


class WireTest(unittest.TestCase):
    """Starts a server for each test, with the options of its class."""

    options: Sequence[str] = ()

    def setUp(self) -> None:
        self.server = self.start_server(*self.options)

    def start_server(self, *options: str) -> Server:
        server = self.enterContext(
            # Raw clients say nothing while they wait for an AI, which has idle priority.
            Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--log", "off", "--silence", "300", *options))
        self.addCleanup(self.stop, server)
        return server

    def stop(self, server: Server) -> None:
        """Asks a server to end, unless it has ended, and expects that it does so in good order."""
        server.process.terminate()
        self.assertEqual(server.status(), 0, server.text)

    def start_console(self, name: str, *lines: str) -> Client:
        """A console client that plays a script."""
        console = self.enterContext(
            Client(LOOPBACK, LOOPBACK.address4(self.server.port), name))
        console.type(*lines)
        return console

    def output(self, console: Client) -> str:
        """What a console client printed, once its script has ended."""
        self.assertEqual(console.status(), 0, console.text)
        return console.text

    def connect(self, name: str | None = None, server: Server | None = None) -> RawClient:
        """A connection; one that has said hello, if there is a name."""
        client = RawClient(protocol, LOOPBACK.ipv4, (server or self.server).port, TIMEOUT)
        self.addCleanup(client.close)
        if name is not None:
            client.hello(name)
        return client

    def play(self, players: Sequence[RawClient], cells: Cells) -> None:
        """The players move in turn, each with a cell."""
        for number, cell in enumerate(cells):
            player = players[number % len(players)]
            player.follow_until(lambda room: room.my_turn)
            player.move(*cell)
