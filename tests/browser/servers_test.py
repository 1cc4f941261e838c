"""Pages in a lobby of several servers: they follow to the server of a room, and survive its loss."""

from browser import Page
from cluster_case import ClusterCase


class ServersTest(ClusterCase):
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
        first, second = self.servers(2)
        for server in (first, second):  # the page may connect to those that are known when it is loaded
            self.wait_until_all_are_named(server, 2)
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
        for page in (ann, bob):
            page.expect("header .link", "connected")
        bob.expect_turn()
        bob.click("c3")
        ann.expect_mark("c3", "X")
        ann.expect_turn()
        ann.click("a2")
        bob.expect_mark("a2", "O")
        # Nothing is left that the page can load again; it can't tell that the others are gone, too.
        first.kill()
        bob.expect(".toasts", f"You were moved to another server of this lobby, https://{first.address}/")
