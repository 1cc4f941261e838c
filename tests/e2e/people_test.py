"""People find each other: players by name, invitations, chat in the lobby, mute."""

import unittest

from network import LOOPBACK
from programs import Client, Server, TerminalClient
from tmux import Tmux, client


class People(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server(LOOPBACK))
        self.address = LOOPBACK.address4(self.server.port)

    def screen(self, name, *options):
        terminal = Tmux(client(self.address, name, *options))
        self.addCleanup(terminal.close)
        return terminal

    def test_an_invitation_opens_a_room_with_a_password(self):
        bob = self.screen("bob")
        bob.expect("No rooms yet")
        ann = self.enterContext(Client(LOOPBACK, self.address, "ann"))
        ann.type("create den 5 password swordfish unlisted", "players", "invite nobody", "invite bob")
        ann.expect("^bob +-")
        ann.expect("^Refused: No player of that name is connected")
        ann.expect("^You have invited bob")
        bob.expect("ann invites you")
        bob.expect('Join "den": 5 x 5')
        bob.keys_until("Enter", r"bob \(you\)")
        ann.expect("^bob takes the seat O")

    def test_players_talk_in_the_lobby_and_can_be_muted(self):
        bob = self.screen("bob")
        bob.expect("No rooms yet")
        ann = self.enterContext(TerminalClient(LOOPBACK, self.address, "ann"))
        ann.expect("Type `play`")
        bob.keys("C")
        bob.type("Who plays?")
        bob.keys("Enter")
        ann.expect(r"bob \(lobby\): Who plays\?")
        ann.keys("mute b\t\r")
        ann.expect("bob is muted")
        bob.keys("C")
        bob.type("Buy this")
        bob.keys("Enter")
        bob.expect(r"bob \(lobby\): Buy this")
        ann.keys("say I do\r")
        ann.expect(r"ann \(lobby\): I do")
        self.assertNotIn("Buy this", ann.text)
        bob.expect(r"ann \(lobby\): I do")
