"""Proxies that stand for the network: each can be cut, or stall, without touching the two ends.

They need no rights, unlike network namespaces (wires.py), and can change what is sent (plants.py). What they
can't show is a lost or delayed packet below TCP.
"""

from __future__ import annotations

import asyncio
from typing import Awaitable, Callable

Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]
CHUNK = 65536


class Link:
    """Carries bytes between its clients and a server. Of the thread of one event loop."""

    def __init__(self, connect: Callable[[], Awaitable[Pair]],
                 rewrite: Callable[[bytes], bytes] | None = None) -> None:
        """What goes to the server is passed through `rewrite`, in the chunks in which it comes."""
        self._connect, self._rewrite = connect, rewrite
        self._writers: set[asyncio.StreamWriter] = set()
        self._passes = asyncio.Event()
        self._passes.set()
        self._answers = asyncio.Event()
        self._answers.set()
        self._refuses = False
        self._listener: asyncio.Server | None = None
        self.port = 0

    async def listen(self) -> None:
        """On a free port of the loopback."""
        self._listener = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def listen_at(self, path: str) -> None:
        """On a Unix socket."""
        self._listener = await asyncio.start_unix_server(self._carry, path)

    def cut(self) -> None:
        """Breaks all connections, and refuses new ones until heal()."""
        self._refuses = True
        for writer in self._writers:
            writer.transport.abort()
        self._answers.set()

    def stall(self) -> None:
        """Passes nothing, not even ends, until heal(). What was sent meanwhile arrives then."""
        self._passes.clear()

    def withhold_answers(self) -> None:
        """Passes what goes to the server, but nothing that comes back, until heal() or cut()."""
        self._answers.clear()

    def heal(self) -> None:
        self._refuses = False
        self._passes.set()
        self._answers.set()

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        self.cut()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        other = None
        try:
            await self._passes.wait()
            if self._refuses:
                return
            other_reader, other = await self._connect()
            self._writers.add(other)
            pumps = [asyncio.create_task(self._pump(reader, other, self._passes, self._rewrite)),
                     asyncio.create_task(self._pump(other_reader, writer, self._answers))]
            try:
                await asyncio.gather(*pumps)
            finally:
                for pump in pumps:
                    pump.cancel()
        except OSError:
            pass  # the other end, or the way to it, is gone
        except asyncio.CancelledError:
            pass  # the end of the program
        finally:
            for end in (writer, other):
                if end is not None:
                    self._writers.discard(end)
                    end.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gate: asyncio.Event,
                    rewrite: Callable[[bytes], bytes] | None = None) -> None:
        while data := await reader.read(CHUNK):
            await self._passes.wait()
            await gate.wait()
            writer.write(rewrite(data) if rewrite is not None else data)
            await writer.drain()
        await self._passes.wait()
        writer.close()  # after what is still to be written; the other pump ends by that
