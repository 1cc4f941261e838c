"""Many clients of one server in one thread, which act at the same time. Messages are put together by
the generated modules, and taken apart only if somebody asks for what is in them."""

from __future__ import annotations

import collections
import pathlib
import selectors
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from generated import protocol  # noqa: E402
from raw_client import PROTOCOL_VERSION, decode_varint, frame  # noqa: E402

# So many come from one address; servers limit that.
FROM_ONE_ADDRESS = 200
AT_ONCE = 200  # that are on their way to their welcome
PATIENCE = 120  # seconds

REQUEST_ID = protocol.server.ServerMessage.DESCRIPTOR.fields_by_name["request_id"].number << 3


def encoded(kind: str, request_id: int, **fields) -> bytes:
    """A frame with a request, as in encoded("watch_room", 7, name="den")."""
    message = protocol.client.ClientMessage(request_id=request_id)
    request = getattr(message, kind)
    request.SetInParent()
    request.MergeFrom(type(request)(**fields))
    return frame(message.SerializeToString())


class Peer:
    """One connection. `bodies` has the messages that nobody has taken yet, `answered` the ids of the
    requests that were answered."""

    def __init__(self, port: int, number: int) -> None:
        self.socket = socket.socket()
        # Linux takes any address of 127.0.0.0/8, each of a network of its own.
        self.socket.bind((f"127.{number // FROM_ONE_ADDRESS % 200 + 1}.0.1", 0))
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self.name = f"p{number}"
        self.bodies: collections.deque[bytes] = collections.deque()
        self.answered = 0
        self.messages = 0
        self._last_id = 0
        self._held = bytearray()

    def ask(self, kind: str, **fields) -> int:
        """Sends a request. It is short, so the system takes it at once."""
        self._last_id += 1
        self.socket.send(encoded(kind, self._last_id, **fields))
        return self._last_id

    def take(self) -> list:
        """All messages so far, taken apart."""
        taken = [protocol.server.ServerMessage.FromString(body) for body in self.bodies]
        self.bodies.clear()
        return taken

    def read(self) -> bool:
        """Reads what is there. False: the connection has ended."""
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return True
        except ConnectionResetError:
            return False
        held = self._held
        held += data
        begin = 0
        while (length := decode_varint(held[begin:begin + 5])) is not None:
            size, prefix = length
            if len(held) - begin - prefix < size:
                break
            body = bytes(held[begin + prefix:begin + prefix + size])
            begin += prefix + size
            self.bodies.append(body)
            self.messages += 1
            if body and body[0] == REQUEST_ID:
                self.answered = decode_varint(body[1:6])[0]
        del held[:begin]
        return bool(data)


class Crowd:
    """Peers with a welcome."""

    def __init__(self, port: int, count: int, first: int = 0) -> None:
        self.peers: list[Peer] = []
        self._selector = selectors.EpollSelector()
        for begin in range(0, count, AT_ONCE):
            joined = [Peer(port, first + number) for number in range(begin, min(count, begin + AT_ONCE))]
            for peer in joined:
                self._selector.register(peer.socket, selectors.EVENT_READ, peer)
                peer.ask("hello", protocol_versions=[PROTOCOL_VERSION], name=peer.name)
            self.peers += joined
            self.until(lambda peer: peer.answered >= 1, joined)
            for peer in joined:
                answer = peer.take()[-1]
                if answer.WhichOneof("event") != "welcome":
                    raise RuntimeError(f"no welcome, but {answer}")

    def __enter__(self) -> Crowd:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        for peer in self.peers:
            peer.socket.close()
        self._selector.close()

    def poll(self, seconds: float) -> None:
        """Reads for that time at most, or once if something is there at once."""
        for key, _ in self._selector.select(seconds):
            if not key.data.read():
                self._selector.unregister(key.fileobj)

    def until(self, condition, peers=None) -> None:
        """Reads until that is true of all."""
        deadline = time.monotonic() + PATIENCE
        left = list(self.peers if peers is None else peers)
        while left := [peer for peer in left if not condition(peer)]:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{len(left)} clients still wait")
            self.poll(0.2)

    def ask_all(self, kind: str, **fields) -> None:
        """All ask for the same and wait for their answers."""
        wanted = [(peer, peer.ask(kind, **fields)) for peer in self.peers]
        ids = {id(peer): request for peer, request in wanted}
        self.until(lambda peer: peer.answered >= ids[id(peer)])
