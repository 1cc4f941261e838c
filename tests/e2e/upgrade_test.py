"""Servers of a lobby are replaced one after another with --drain: their players go on at another one.

ROOMS sets how many rooms go to another server one after another (200).
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import threading
import time
import unittest

from cluster_case import ClusterCase, Server
from generated import protocol
from many_rooms import Crowd
from network import LOOPBACK
from player import Player
from programs import TIMEOUT, Client
from raw_client import RawClient, Refused

SIZE = 20  # of a board on which nobody wins soon
BETWEEN_MOVES_S = 0.02
LONGEST_PAUSE_S = 3.0  # on a busy machine; without load it is a fraction of a second
SOON_S = 10.0
ROOMS = int(os.environ.get("ROOMS", "200"))
THINK_S = max(0.2, ROOMS / 1000)  # 1,000 moves a second, of all
ALL_GONE_S = SOON_S + ROOMS / 100


class Upgrade(ClusterCase):
    def servers(self, count: int) -> list[Server]:
        servers = super().servers(count, "--drain", "600", "--rate", "0")
        for server in servers:
            self.wait_for_others(server, count)
        return servers

    def wait_for_others(self, server: Server, count: int) -> None:
        deadline = time.monotonic() + SOON_S
        while True:
            probe = RawClient(protocol, LOOPBACK.ipv4, server.port)
            named = len(probe.hello("probe").servers)
            probe.close()
            if named == count:
                return
            self.assertLess(time.monotonic(), deadline, "a server is missing")
            time.sleep(0.1)

    def player(self, name: str, server: Server) -> Player:
        player = Player(name, LOOPBACK.ipv4, server.port)
        self.addCleanup(lambda: player.client.close())
        return player

    def end(self, server: Server) -> list[float]:
        """Sends SIGTERM. How long its end took is in the list once it has ended with status 0."""
        took: list[float] = []

        def wait() -> None:
            began = time.monotonic()
            if server.stop() == 0:
                took.append(time.monotonic() - began)

        thread = threading.Thread(target=wait)
        thread.start()
        self.addCleanup(thread.join)
        return took

    def play_on(self, players: list[Player], moves: list[int], done) -> float:
        """Moves on, one cell after another, until that is so. Returns the longest time between two."""
        pause, last = 0.0, time.monotonic()
        deadline = last + TIMEOUT
        while not done():
            self.assertLess(time.monotonic(), deadline, "the server does not end")
            player = players[len(moves) % len(players)]
            player.until(lambda room: room.my_turn)
            cell = len(moves)
            player.ask("move", cell=protocol.types.Cell(row=cell // SIZE, col=cell % SIZE), game=1, ply=cell)
            moves.append(cell)
            pause, last = max(pause, time.monotonic() - last), time.monotonic()
            time.sleep(BETWEEN_MOVES_S)
        return pause

    def test_a_game_goes_on_while_each_server_is_replaced(self) -> None:
        servers = self.servers(2)
        ann = self.player("ann", servers[0])
        ann.ask("create_room", name="den", rules=protocol.types.Rules(rows=SIZE, cols=SIZE, k=SIZE))
        ben = self.player("ben", servers[0])
        ben.ask("join_room", name="den")
        moves: list[int] = []
        pauses = []
        for turn in range(4):
            server = servers[turn % 2]
            took = self.end(server)
            pauses.append(self.play_on([ann, ben], moves, lambda: took))
            self.assertLess(took[0], SOON_S)
            server.start()
            self.wait_for_others(server, 2)
        for player in (ann, ben):
            player.ask("get_snapshot")
            self.assertEqual(list(player.client.room.state.moves), moves)
            self.assertEqual((player.moved, player.tries), (4, 0))
        print(f"longest pause while a server is replaced: median {statistics.median(pauses):.2f} s, "
              f"worst {max(pauses):.2f} s of {len(pauses)}; it ended after {took[0]:.1f} s")
        self.assertLess(statistics.median(pauses), LONGEST_PAUSE_S)

    def test_rooms_go_one_after_another_while_the_others_play(self) -> None:
        a, b = self.servers(2)
        asyncio.run(self.give_rooms(a, b))

    async def give_rooms(self, a: Server, b: Server) -> None:
        crowd = Crowd(ROOMS, a.port, THINK_S)
        try:
            await crowd.open()
            took = self.end(a)
            began = time.monotonic()
            await crowd.all_are_at(b.port, ALL_GONE_S)
            while not took:
                self.assertLess(time.monotonic(), began + ALL_GONE_S, "the server does not end")
                await crowd.until(asyncio.sleep(0.05))
            moves = [len(room.moved_at) for room in crowd.rooms]
            await crowd.until(asyncio.sleep(2 * THINK_S))
        finally:
            crowd.close()
        first = min(room.left_at for room in crowd.rooms)
        last = max(room.left_at for room in crowd.rooms)
        meanwhile = sum(first < moved < room.left_at for room in crowd.rooms for moved in room.moved_at)
        self.assertGreater(meanwhile, ROOMS / 20, "nobody plays while others go")
        self.assertGreater(sum(len(room.moved_at) for room in crowd.rooms), sum(moves), "nobody goes on")
        pauses = sorted(max(room.pauses) for room in crowd.rooms)
        print(f"{ROOMS} rooms went to another server in {last - first:.2f} s, in which {meanwhile} moves "
              f"were made in those that were still there; a room's pause: median "
              f"{statistics.median(pauses):.3f} s, 99 % {pauses[ROOMS * 99 // 100]:.3f} s, worst "
              f"{pauses[-1]:.3f} s; {crowd.refused} requests "
              f"were refused meanwhile and sent again; the server ended after {took[0]:.1f} s")
        self.assertLess(statistics.median(pauses), LONGEST_PAUSE_S)

    def test_an_ai_a_watcher_a_password_and_people_in_no_room_go_on(self) -> None:
        a, b = self.servers(2)
        ann = self.player("ann", a)
        ann.ask("create_room", name="den", password="open",
                rules=protocol.types.Rules(rows=SIZE, cols=SIZE, k=5))
        ann.ask("add_ai", level="strong")
        eve = self.player("eve", a)
        eve.ask("watch_room", name="den", password="open")
        eve.ask("chat", text="hello")
        idle = self.player("idle", a)
        ann.ask("move", cell=protocol.types.Cell(row=9, col=9), game=1, ply=0)  # the AI thinks
        took = self.end(a)
        ann.until(lambda room: room.my_turn or len(room.state.moves) == 2)
        for cell in range(40):  # the AI answers each move, at whichever server
            if took:
                break
            state = ann.client.room.state
            free = next(n for n in range(SIZE * SIZE) if n not in state.moves and n % 2)
            ann.ask("move", cell=protocol.types.Cell(row=free // SIZE, col=free % SIZE), game=1,
                    ply=len(state.moves))
            ann.until(lambda room: room.my_turn or room.state.phase == protocol.types.PHASE_FINISHED)
            if ann.client.room.state.phase == protocol.types.PHASE_FINISHED:
                break
            time.sleep(0.1)
        for player in (ann, eve, idle):
            while not player.moved:
                player.ask("ping")
            self.assertEqual((player.port, player.tries), (b.port, 0))
        self.assertEqual(ann.client.room.state.chat[0].text, "hello")
        with self.assertRaises(Refused):
            idle.ask("watch_room", name="den", password="wrong")
        eve.ask("watch_room", name="den", password="open")
        self.assertEqual(eve.client.room.state.moves, ann.client.room.state.moves)
        deadline = time.monotonic() + SOON_S
        while not took:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_console_clients_go_on(self) -> None:
        a, b = self.servers(2)
        folder = tempfile.TemporaryDirectory(prefix="tictactoe-upgrade-")
        self.addCleanup(folder.cleanup)
        environment = {**os.environ, "XDG_STATE_HOME": folder.name}
        alice = Client(LOOPBACK, a.address, "alice", env=environment)
        self.addCleanup(alice.__exit__, None, None, None)
        alice.type("create den")
        alice.expect("You are alice and play X")
        bob = Client(LOOPBACK, a.address, "bob", env=environment)
        self.addCleanup(bob.__exit__, None, None, None)
        bob.type("join den")
        bob.expect("You are bob and play O")
        alice.type("a1")
        bob.expect("alice plays a1")
        took = self.end(a)
        for one in (alice, bob):
            one.expect(f"Moved to {b.address}\\.")
            self.assertNotIn("Trying to come back", one.text)
        bob.type("a2")
        alice.expect("bob plays a2")
        for player, other, cell in ((alice, bob, "b1"), (bob, alice, "b2")):
            player.type(cell)
            other.expect(f" plays {cell}")
        alice.type("c1")
        bob.expect("You lose")
        self.assertEqual((alice.end(), bob.end()), (0, 0))
        deadline = time.monotonic() + SOON_S
        while not took:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_without_another_server_that_stays_games_end_first(self) -> None:
        a, b = self.servers(2)
        ann = self.player("ann", a)
        ann.ask("create_room", name="den")
        ann.ask("add_ai")
        ben = self.player("ben", b)
        ben.ask("create_room", name="pit")
        ben.ask("add_ai")
        ended = [self.end(b), self.end(a)]
        time.sleep(3)
        self.assertEqual(sum(map(len, ended)), 0)
        self.assertEqual(ann.moved + ben.moved, 0)
        ann.ask("resign", game=1)
        ben.ask("resign", game=1)
        deadline = time.monotonic() + SOON_S
        while not all(ended):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)


if __name__ == "__main__":
    unittest.main()
