"""The console client and several servers with one lobby: it goes to where it is sent, with its token."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path

from fake_server import TOKEN, FakeServer, Key, den, pong, redirect, say, welcome
from generated import protocol
from network import LOOPBACK
from programs import NO_TLS, Client

LOST = "Lost|lost|come back|Back on"


def ends_rooms(request):
    """What every server here answers in the same way; None if there is something to decide."""
    kind = request.WhichOneof("request")
    if kind == "ping":
        return [pong(request)]
    if kind == "leave_room":
        return [say(request, left=protocol.server.Left())]
    if kind == "watch_lobby":
        return [say(request, lobby_update=protocol.server.LobbyUpdate(complete=True))]
    return None


class Lobby(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tictactoe-lobby-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.known = self.folder / "state" / "tictactoe" / "known_servers"

    def server(self, answer, key=None):
        """`answer` says what to do with a hello and with the requests to enter."""
        server = FakeServer(lambda own, asked: ends_rooms(asked) or answer(own, asked),
                            Key(self.folder, key) if key else None)
        self.addCleanup(server.close)
        return server

    def owner(self, **tls):
        """The server at which the room "den" is."""
        return self.server(lambda _, asked: [
            welcome(asked) if asked.HasField("hello") else den(asked)], **tls)

    def sends_to(self, other, **tls):
        """A server that takes players in, and sends them elsewhere when they enter a room."""
        return self.server(lambda _, asked: [
            welcome(asked) if asked.HasField("hello") else redirect(asked, other)], **tls)

    def client(self, server, *options):
        client = Client(LOOPBACK, f"{LOOPBACK.ipv4}:{server.port}", "alice", *options,
                        env={**os.environ, "XDG_STATE_HOME": str(self.folder / "state")})
        self.addCleanup(client.__exit__)
        return client

    def joins_at(self, first, owner, *options):
        client = self.client(first, *options)
        client.type("join den")
        client.expect("You are alice and play X")
        self.assertEqual(client.end(), 0, client.text)
        self.assertIn(f"Moved to {owner.address.address}.\n", client.text)
        self.assertNotRegex(client.text, LOST)
        self.assertEqual(owner.requests("hello")[0].hello.token, TOKEN)
        self.assertEqual(first.requests("join_room"), owner.requests("join_room"))
        return client

    def test_a_redirect_is_followed_over_tls_and_the_key_is_kept(self):
        owner = self.owner(key="owner")
        first = self.sends_to(owner, key="first")
        client = self.joins_at(first, owner)
        self.assertEqual(client.text.count("This is the first time"), 1, client.text)
        self.assertEqual([line.split()[0] for line in self.known.read_text().splitlines()],
                         [first.address.address, owner.address.address])
        # The person may name that server next time, and is the same player there.
        owner.heard.clear()
        again = self.client(owner)
        again.expect("Connected to")
        self.assertEqual(again.end(), 0, again.text)
        self.assertNotIn("This is the first time", again.text)
        self.assertEqual(owner.requests("hello")[0].hello.token, TOKEN)

    def test_a_redirect_is_followed_without_tls_if_the_person_wants_none(self):
        owner = self.owner()
        self.joins_at(self.sends_to(owner), owner, NO_TLS)

    def test_a_hello_is_said_where_it_is_sent_to(self):
        owner = self.owner(key="owner")
        first = self.server(lambda _, asked: [redirect(asked, owner)], key="first")
        client = self.client(first)
        client.type("join den")
        client.expect("You are alice and play X")
        self.assertEqual(client.end(), 0, client.text)
        self.assertNotRegex(client.text, LOST)

    def assert_refused(self, client, owner, why):
        client.type("join den")
        self.assertEqual(client.status(), 1, client.text)
        self.assertRegex(client.text, why)
        self.assertEqual(owner.heard, [], "nothing was sent to it")

    def test_a_server_with_another_key_than_the_named_one_hears_nothing(self):
        owner = self.owner(key="owner")
        stranger = Key(self.folder, "stranger")
        owner.address.key = stranger.fingerprint
        first = self.sends_to(owner, key="first")
        self.assert_refused(self.client(first), owner,
                            r"has the key SHA256:\S+ and not SHA256:\S+, so it is another server")
        self.assertNotIn(owner.address.address, self.known.read_text())

    def test_a_server_without_a_key_hears_nothing_from_a_client_that_encrypts(self):
        owner = self.owner()
        first = self.sends_to(owner, key="first")
        self.assert_refused(self.client(first), owner, "its key is missing")
        self.assertEqual(owner.connections, 0)

    def fails_over(self, first, named):
        """A client whose server is lost, after it has named others in its welcome."""
        server = self.server(lambda _, asked: [
            welcome(asked, servers=named) if asked.HasField("hello") else den(asked)], key=first)
        client = self.client(server, "--retry", "3")
        client.type("join den")
        client.expect("You are alice and play X")
        server.close()
        client.expect("Lost the server")
        return client

    def test_a_lost_server_is_replaced_by_another_that_it_has_named(self):
        owner = self.server(lambda _, asked: [welcome(asked, room="den")], key="owner")
        client = self.fails_over("first", [owner.address])
        client.expect(rf"Back on the server as alice, at {owner.address.address}\.")
        self.assertEqual(client.end(), 0, client.text)
        hello = owner.requests("hello")[0].hello
        self.assertEqual((hello.token, hello.room, hello.revision), (TOKEN, "den", 7))
        self.assertNotIn("Your seat", client.text)

    def test_a_lost_server_is_replaced_by_none_with_another_key_than_the_named_one(self):
        owner = self.owner(key="owner")
        owner.address.key = Key(self.folder, "stranger").fingerprint
        client = self.fails_over("first", [owner.address])
        client.expect(r"has the key SHA256:\S+ and not SHA256:\S+, so it is another server")
        client.expect("has not come back within 3 s")
        self.assertEqual(client.status(), 1, client.text)
        self.assertEqual((owner.connections, owner.heard), (1, []), "it is not tried again")

    def test_servers_that_send_the_client_to_each_other_are_left_alone_for_a_while(self):
        first = self.server(lambda own, asked: [
            welcome(asked) if asked.HasField("hello") else redirect(asked, second)])
        second = self.server(lambda own, asked: [
            welcome(asked) if asked.HasField("hello") else redirect(asked, first)])
        client = self.client(first, NO_TLS, "--retry", "1")
        client.type("join den")
        client.expect("the servers send this client from one to the other")
        self.assertEqual(client.status(), 1, client.text)
        joins = len(first.requests("join_room")) + len(second.requests("join_room"))
        self.assertLess(joins, 40)


if __name__ == "__main__":
    unittest.main()
