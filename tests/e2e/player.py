"""A player who goes on after a connection has ended, at the same server or at another one."""

from __future__ import annotations

import time

from generated import protocol
from programs import TIMEOUT
from raw_client import (PROTOCOL_VERSION, ConnectionCut, ConnectionEnded, Message, RawClient, Refused)


class Moved(Exception):
    """The server sends its client to another one."""


class Following(RawClient):
    def _receive(self, deadline: float) -> Message:
        message = super()._receive(deadline)
        if message.HasField("redirect") and not message.request_id:
            raise Moved(message.redirect.server.address)
        if message.error.closing:
            raise ConnectionEnded(message.error.message)
        return message


GONE = (ConnectionCut, ConnectionEnded, OSError)


class Player:
    """Counts its request ids up over all connections, and sends again what is not done."""

    def __init__(self, name: str, host: str, port: int) -> None:
        self.name, self.host, self.port, self.token = name, host, port, b""
        self.moved = 0  # by the end of a server
        self.lost = 0  # connections that ended otherwise
        self.in_flight = 0  # requests that were not answered then
        self.refused = 0  # connections that could not be opened
        self.tries = 0  # connections that brought no welcome
        self._last_id = 0
        self.client: Following | None = None
        self._room, self._revision = "", 0
        self.connect()

    def connect(self) -> Message:
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                self.client = Following(protocol, self.host, self.port)
            except ConnectionRefusedError:
                self.refused += 1
                raise
            self.client._last_id = self._last_id
            try:
                event = self.client.ask(
                    "hello", protocol_versions=[PROTOCOL_VERSION], name=self.name, token=self.token,
                    capabilities=["redirect"], room=self._room, revision=self._revision)
            except (Refused, *GONE):
                self.tries += 1
                if time.monotonic() > deadline:
                    raise
                self.client.close()
                time.sleep(0.1)
                continue
            if event.DESCRIPTOR.name == "Redirect":
                self.client.close()
                self.port = port_of(event.server.address)
                continue
            self.token = event.token or self.token
            if self._room:
                self.client.ask("ping")  # what was missed has come before the answer
            return event

    def follow(self, moved: Moved) -> Message:
        self.port = port_of(str(moved))
        self.moved += 1
        return self._come_back()

    def return_to_it(self) -> Message:
        self.lost += 1
        return self._come_back()

    def _come_back(self) -> Message:
        room = self.client.room
        self._last_id = self.client._last_id
        # It follows no updates: the server sends a snapshot.
        self._room = room.state.name if room is not None and room.state.your_seat else ""
        self.client.close()
        return self.connect()

    def ask(self, kind: str, **fields) -> Message:
        while True:
            number = self.client._last_id + 1
            try:
                return self.client.ask(kind, **fields)
            except Moved as moved:
                welcome = self.follow(moved)
            except GONE:
                self.in_flight += 1
                welcome = self.return_to_it()
            except Refused as refused:
                if refused.error.code != protocol.server.Error.CODE_CANNOT_RECORD:
                    raise
                time.sleep(0.1)
                continue
            if welcome.last_request_done >= number:
                return None

    def until(self, condition) -> None:
        while True:
            try:
                return self.client.follow_until(condition)
            except Moved as moved:
                self.follow(moved)
            except GONE:
                self.return_to_it()


def port_of(address: str) -> int:
    return int(address.rsplit(":", 1)[1])
