"""What each fault of the network lets through, and what not."""

from __future__ import annotations

import ctypes
import os
import socket
import unittest

from wires import Wires, enter

SILENT_S = 0.3  # without a datagram: there are no more
PORT = 7
CLONE_NEWNET = 0x40000000


def setUpModule() -> None:
    missing = enter()
    if not missing:
        Faults.wires = unittest.enterModuleContext(Wires("AB"))
        missing = Faults.wires.missing
    if missing:
        raise unittest.SkipTest(f"no network namespaces here: {missing}")


class Faults(unittest.TestCase):
    wires: Wires

    def setUp(self) -> None:
        self.people, self.database = self.enter_host("people"), self.enter_host("primary")
        self.server = self.enter_host("A")
        self.addCleanup(self.heal)
        self.ways = self.wires.to_clients("A"), self.wires.to_database("A")
        self.cable = self.wires.cable("A")

    def heal(self) -> None:
        for way in (*self.ways, self.cable):
            way.heal()

    def enter_host(self, name: str) -> socket.socket:
        return self.open(name, socket.SOCK_DGRAM)

    def open(self, name: str, kind: socket.SocketKind) -> socket.socket:
        """A socket belongs to the namespace in which it was made."""
        host = self.wires.host(name)
        here = os.open("/proc/self/ns/net", os.O_RDONLY)
        there = os.open(f"/run/netns/{host.namespace}" if host.namespace else "/proc/self/ns/net", os.O_RDONLY)
        move = ctypes.CDLL(None, use_errno=True).setns
        self.assertEqual(move(there, CLONE_NEWNET), 0, os.strerror(ctypes.get_errno()))
        made = socket.socket(socket.AF_INET, kind)
        self.assertEqual(move(here, CLONE_NEWNET), 0)
        os.close(here)
        os.close(there)
        self.addCleanup(made.close)
        made.settimeout(SILENT_S)
        made.bind((host.ipv4, 0))
        return made

    def count(self, sender: socket.socket, receiver: socket.socket, sent: int = 3) -> int:
        """How many of so many datagrams arrive."""
        for _ in range(sent):
            try:
                sender.sendto(b"x", receiver.getsockname())
            except OSError:
                pass  # the sender knows that there is no way
        arrived = 0
        try:
            while arrived < sent:
                receiver.recv(10)
                arrived += 1
        except TimeoutError:
            pass
        return arrived

    def assert_passes(self, *, heard: bool, sent: bool, heard_data: bool, sent_data: bool) -> None:
        """What the server hears of people and what it sends them, and the same with the database."""
        ways = [(self.people, self.server), (self.server, self.people),
                (self.database, self.server), (self.server, self.database)]
        self.assertEqual([self.count(*way) == 3 for way in ways], [heard, sent, heard_data, sent_data])

    def test_one_direction_is_dropped_and_nothing_else(self) -> None:
        clients, database = self.ways
        self.assert_passes(heard=True, sent=True, heard_data=True, sent_data=True)
        clients.drop_heard()
        self.assert_passes(heard=False, sent=True, heard_data=True, sent_data=True)
        clients.heal()
        clients.drop_sent()
        self.assert_passes(heard=True, sent=False, heard_data=True, sent_data=True)
        clients.heal()
        database.drop_heard()
        self.assert_passes(heard=True, sent=True, heard_data=False, sent_data=True)
        database.heal()
        database.drop_sent()
        self.assert_passes(heard=True, sent=True, heard_data=True, sent_data=False)
        database.heal()
        self.assert_passes(heard=True, sent=True, heard_data=True, sent_data=True)

    def test_a_stall_drops_both_directions(self) -> None:
        self.ways[1].stall()
        self.assert_passes(heard=True, sent=True, heard_data=False, sent_data=False)

    def test_a_part_of_all_packets_is_lost_by_chance(self) -> None:
        self.cable.lose(0.25)
        for way in (self.people, self.server), (self.server, self.database):
            lost = sum(150 - self.count(*way, 150) for _ in range(2))
            self.assertTrue(30 < lost < 130, lost)

    def test_a_pulled_cable_is_put_in_again(self) -> None:
        self.cable.pull()
        self.assert_passes(heard=False, sent=False, heard_data=False, sent_data=False)
        self.cable.heal()
        self.assert_connects()

    def assert_connects(self) -> socket.socket:
        listener, client = self.open("A", socket.SOCK_STREAM), self.open("people", socket.SOCK_STREAM)
        listener.listen()
        client.settimeout(30)
        client.connect(listener.getsockname())
        listener.settimeout(30)
        self.addCleanup(listener.accept()[0].close)
        return client

    def test_a_cut_breaks_connections_and_refuses_others(self) -> None:
        client = self.assert_connects()
        self.ways[0].cut()
        with self.assertRaises(ConnectionError):
            client.recv(1)
        again = self.open("people", socket.SOCK_STREAM)
        with self.assertRaises(OSError) as refused:
            again.connect((self.wires.host("A").ipv4, PORT))
        self.assertNotIsInstance(refused.exception, TimeoutError)
        self.assert_passes(heard=False, sent=True, heard_data=True, sent_data=True)
        self.ways[0].heal()
        self.assert_connects()
