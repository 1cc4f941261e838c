"""Pages in a lobby of several servers: they follow to the server of a room, and survive its loss."""

import time
import unittest


from browser import Page
import postgres
from cluster_case import Server, free_ports
from generated import protocol
from network import LOOPBACK
from raw_client import RawClient

# The servers take over within ten seconds; a page is told to try again a second later.
TAKEOVER_S = 12


@unittest.skipUnless(postgres.is_installed(), "PostgreSQL is not installed (package postgresql)")
class ServersTest(unittest.TestCase):
    def setUp(self):
        self.database = postgres.Postgres()
        self.addCleanup(self.database.close)
        self.servers = []
        for port in free_ports(2):
            self.servers.append(Server(self.database.url, port))
            self.addCleanup(self.servers[-1].close)
        for server in self.servers:
            self.wait_until_both_are_named(server)

    def wait_until_both_are_named(self, server):
        """The page may connect to the servers that are known when it is loaded."""
        deadline = time.monotonic() + TAKEOVER_S
        while time.monotonic() < deadline:
            client = RawClient(protocol, LOOPBACK.ipv4, server.port)
            servers = client.hello("who").servers
            client.close()
            if len(servers) == 2:
                return
            time.sleep(0.1)
        raise AssertionError("one server is missing")

    def page(self, server, name):
        page = self.enterContext(Page(server.port, protocol="https"))
        page.come_in(name)
        return page

    def join(self, page, room):
        """Once the room is listed."""
        page.expect(".rooms", room)
        page.press("Join", ".rooms")
        page.expect(".title h1", room)

    def test_a_page_follows_to_a_room_and_survives_the_loss_of_its_server(self):
        first, second = self.servers
        ann, bob = self.page(first, "ann"), self.page(second, "bob")
        bob.create("den")
        # The lobby has the rooms of all servers. Joining leads to the second one.
        self.join(ann, "den")
        bob.click("b2")
        ann.expect_mark("b2", "X")
        ann.click("a1")
        bob.expect_mark("a1", "O")
        # The page comes from the first server, which sends it to the second one.
        ann.driver.refresh()
        ann.expect_mark("a1", "O")
        second.kill()
        killed = time.monotonic()
        for page in (ann, bob):
            page.expect("header .link", "connected")
        bob.expect_turn()
        bob.click("c3")
        ann.expect_mark("c3", "X")
        print(f"both pages played on {time.monotonic() - killed:.1f} s after the loss")
        ann.expect_turn()
        ann.click("a2")
        bob.expect_mark("a2", "O")
        # Nothing is left that the page can load again; it can't tell that the others are gone, too.
        first.kill()
        bob.expect(".toasts", f"You are at another server of this lobby, https://{first.address}/")
