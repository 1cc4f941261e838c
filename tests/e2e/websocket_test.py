"""WebSockets as proto/README.md describes them: a client with Debian's python3-websockets, written from
that page alone, plays a whole game in JSON and in binary form."""

from __future__ import annotations

import asyncio
import json
import ssl
from typing import Any

import websockets
from case import ServerCase
from generated import protocol
from google.protobuf import json_format
from network import LOOPBACK
from programs import TIMEOUT


class JsonClient:
    """Messages are dictionaries, as they are in JSON."""

    subprotocol = "tictactoe.v1.json"

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.last_request = 0
        self.updates: list[dict[str, Any]] = []

    def encoded(self, message: dict[str, Any]) -> str | bytes:
        return json.dumps(message)

    def decoded(self, data: str | bytes) -> dict[str, Any]:
        assert isinstance(data, str)
        return json.loads(data)

    async def receive(self) -> dict[str, Any]:
        return self.decoded(await asyncio.wait_for(self.socket.recv(), TIMEOUT))

    async def ask(self, kind: str, **request: Any) -> dict[str, Any]:
        """The answer. What comes before it is kept for next_update()."""
        self.last_request += 1
        await self.socket.send(
            self.encoded({"requestId": str(self.last_request), kind: request}))
        while True:
            message = await self.receive()
            if message.get("requestId") == str(self.last_request):
                return message
            self.updates.append(message["update"])

    async def next_update(self) -> dict[str, Any]:
        return self.updates.pop(0) if self.updates else (await self.receive())["update"]


class BinaryClient(JsonClient):
    """The same messages in binary form."""

    subprotocol = "tictactoe.v1.protobuf"

    def encoded(self, message: dict[str, Any]) -> str | bytes:
        return json_format.ParseDict(message, protocol.client.ClientMessage()).SerializeToString()

    def decoded(self, data: str | bytes) -> dict[str, Any]:
        assert isinstance(data, bytes)
        message = protocol.server.ServerMessage.FromString(data)
        return json_format.MessageToDict(message)


class WebSocketTest(ServerCase):
    def url(self, scheme: str = "ws") -> str:
        return f"{scheme}://{LOOPBACK.address4(self.server.port)}/ws"

    def opened(self, kind: type[JsonClient], is_encrypted: bool) -> Any:
        if not is_encrypted:
            return websockets.connect(self.url(), subprotocols=[kind.subprotocol])
        context = ssl.create_default_context()
        # The server has made its certificate itself.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return websockets.connect(self.url("wss"), subprotocols=[kind.subprotocol], ssl=context)

    async def play(self, kinds: tuple[type[JsonClient], type[JsonClient]],
                   is_encrypted: bool = False) -> None:
        async with (self.opened(kinds[0], is_encrypted) as first,
                    self.opened(kinds[1], is_encrypted) as second):
            if is_encrypted:
                tls = first.transport.get_extra_info("ssl_object")
                self.assertEqual(tls.version(), "TLSv1.3")
            ann, bob = kinds[0](first), kinds[1](second)
            for client, name in ((ann, "ann"), (bob, "bob")):
                welcome = await client.ask("hello", protocolVersions=[1], name=name)
                self.assertEqual(welcome["welcome"]["playerName"], name)
            await ann.ask("createRoom", name="duel")
            room = (await bob.ask("joinRoom", name="duel"))["snapshot"]
            self.assertEqual(room["yourSeat"], "MARK_O")
            self.assertIn("seatChanged", await ann.next_update())
            cells = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]
            for ply, (row, col) in enumerate(cells):
                mover, other = (ann, bob) if ply % 2 == 0 else (bob, ann)
                own = (await mover.ask("move", cell={"row": row, "col": col},
                                       game=room["game"], ply=ply))["update"]
                self.assertEqual(own, await other.next_update())
                # Default values may be absent.
                cell = own["movePlayed"].get("cell", {})
                self.assertEqual((cell.get("row", 0), cell.get("col", 0)), (row, col))
            self.assertEqual(own["movePlayed"]["outcome"]["winner"], "MARK_X")
            refused = (await bob.ask("move", cell={"row": 2, "col": 2}))["error"]
            self.assertEqual(refused["code"], "CODE_GAME_OVER")
            await asyncio.wait_for(await first.ping(), TIMEOUT)
            await ann.ask("goodbye")
            with self.assertRaises(websockets.ConnectionClosedOK):
                await ann.receive()

    def test_a_game_in_json_against_binary_form(self) -> None:
        for is_encrypted in (False, True):
            with self.subTest(is_encrypted=is_encrypted):
                self.serve()
                asyncio.run(self.play((JsonClient, BinaryClient), is_encrypted))
