"""A server of the wire protocol that does what a test says: for what no real one does on demand."""

from __future__ import annotations

import hashlib
import socket
import ssl
import subprocess
import threading
from pathlib import Path
from typing import Callable, Iterable

from generated import protocol
from network import LOOPBACK
from raw_client import Message, frame, take_frame

TOKEN = b"0123456789abcdef"


class Key:
    """A key with a self-signed certificate in a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self.certificate, self.private = folder / f"{name}.crt", folder / f"{name}.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-subj", f"/CN={name}", "-keyout", self.private, "-out", self.certificate],
            check=True, capture_output=True)
        public = subprocess.run(["openssl", "x509", "-in", self.certificate, "-pubkey", "-noout"],
                                check=True, capture_output=True).stdout
        der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=public,
                             check=True, capture_output=True).stdout
        self.fingerprint = hashlib.sha256(der).digest()


class FakeServer:
    """Listens on a free port of loopback. `answer` is called with the server and each message, in the
    thread of its connection, and returns the messages to be sent; None ends the connection."""

    def __init__(self, answer: Callable[[FakeServer, Message], Iterable[Message] | None],
                 key: Key | None = None) -> None:
        self._answer = answer
        self._tls = None
        if key:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(key.certificate, key.private)
        self._listener = socket.create_server((LOOPBACK.ipv4, 0))
        self.port = self._listener.getsockname()[1]
        self.address = protocol.server.ServerAddress(
            address=f"{LOOPBACK.ipv4}:{self.port}", key=key.fingerprint if key else b"")
        self.heard: list[Message] = []
        self.connections = 0
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Ends the server with all its connections, as a crash does."""
        try:
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits in it
        except OSError:
            pass  # it was closed before
        self._listener.close()
        for connection in self._open:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it has ended

    def requests(self, kind: str) -> list[Message]:
        """Those of this kind that were heard."""
        return [message for message in list(self.heard) if message.WhichOneof("request") == kind]

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        try:
            with plain, (self._tls.wrap_socket(plain, server_side=True)
                         if self._tls else plain) as stream:
                self._open.append(stream)
                self._converse(stream)
        except OSError:
            pass  # the client is gone, or does not trust this server

    def _converse(self, stream: socket.socket) -> None:
        held = bytearray()
        while data := stream.recv(65536):
            held += data
            while (body := take_frame(held)) is not None:
                message = protocol.client.ClientMessage.FromString(body)
                self.heard.append(message)
                answers = self._answer(self, message)
                if answers is None:
                    return
                stream.sendall(b"".join(frame(one.SerializeToString()) for one in answers))


def say(request: Message | None = None, **event: object) -> Message:
    """A ServerMessage that answers `request`, or reports something if there is none."""
    return protocol.server.ServerMessage(
        request_id=request.request_id if request is not None else 0, **event)


def welcome(hello: Message, **more: object) -> Message:
    """To alice, who is new if the hello has no token."""
    known = hello.hello.token == TOKEN
    fields = dict(protocol_version=1, player_name="alice", server_id=7, resumed=known,
                  token=b"" if known else TOKEN,
                  limits=protocol.types.Limits(client_frame_bytes=65536))
    return say(hello, welcome=protocol.server.Welcome(**{**fields, **more}))


def pong(ping: Message) -> Message:
    return say(ping, pong=protocol.server.Pong())


def redirect(request: Message, server: FakeServer) -> Message:
    """To another server."""
    return say(request, redirect=protocol.server.Redirect(server=server.address))


def den(request: Message | None = None, **more: object) -> Message:
    """The room "den", in which alice plays X against bob and moves first."""
    types = protocol.types
    person = types.Occupant.KIND_PERSON
    fields = dict(name="den", rules=types.Rules(rows=3, cols=3, k=3), revision=7,
                  your_seat=types.MARK_X, x=types.Occupant(kind=person, name="alice"),
                  o=types.Occupant(kind=person, name="bob"), phase=types.PHASE_PLAYING, game=1,
                  starter=types.MARK_X, turn=types.MARK_X)
    return say(request, snapshot=protocol.server.RoomSnapshot(**{**fields, **more}))
