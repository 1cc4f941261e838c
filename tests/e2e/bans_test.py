"""`tictactoe-server ctl ban`, `unban` and `bans`."""

from control_case import ControlCase


class Bans(ControlCase):
    def listed(self):
        return [ban["who"] for ban in self.ask("bans")["bans"]["bans"]]

    def refused(self, name, *words):
        client = self.client(name)
        for word in words:
            client.expect(word)
        self.assertEqual(client.status(), 1)

    def test_a_banned_player_goes_and_stays_away_over_a_restart(self):
        server = self.start()
        ann, ben = self.two_players()
        said = self.done("ban", "ben", "2h", "too", "loud")
        self.assertRegex(said, "Banned the player ben until .* UTC. Players disconnected: 1")
        ben.expect("has banned you until .* UTC: too loud")
        self.assertEqual(ben.status(), 1)
        ann.expect("^ben left seat O")
        self.refused("ben", "too loud")
        # Nor as a newcomer, also under a name that looks the same.
        for alike in ("ben", "BEN", "ben "):
            with self.subTest(alike=alike):
                other = self.client(alike, state="other")
                other.expect("too loud")
        self.assertEqual(self.listed(), ["ben"])
        self.assertRegex(self.done("bans"), "^BANNED +UNTIL +REASON\nben +until .* UTC +too loud\n$")
        server.process.kill()
        server.status()
        self.start()
        self.assertEqual(self.listed(), ["ben"])
        self.refused("ben", "too loud")
        self.assertIn("no longer banned", self.done("unban", "ben"))
        self.assertEqual(self.listed(), [])
        self.client("ben", "join den").expect("playing O")

    def test_an_address_or_a_network(self):
        self.start()
        for range_ in ("127.0.0.1", "127.0.0.0/8", "127.9.9.9/8", "0.0.0.0/0"):
            with self.subTest(range=range_):
                ann = self.client("ann")
                ann.expect("^Connected to")
                self.assertIn("disconnected: 1", self.done("ban", range_))
                ann.expect("has banned your address.$")
                self.refused("cid", "has banned your address")
                self.done("unban", range_)
        self.done("ban", "127.0.0.2")
        self.done("ban", "10.0.0.0/8")
        self.done("ban", "2001:db8::1")
        self.done("ban", "::/0")
        self.done("ban", "player:10.0.0.1")
        self.client("ann").expect("^Connected to")
        self.assertEqual(sorted(self.listed()), ["10.0.0.0/8", "10.0.0.1", "127.0.0.2",
                                                 "2001:db8::/64", "::/0"])
        self.assertIn("10.0.0.1 is not banned", self.fails("unban", "10.0.0.1"))
        self.done("unban", "player:10.0.0.1")

    def test_what_is_mistyped_bans_nobody(self):
        self.start()
        for words in (["127.0.0.1", "7x"], ["ann", "30"], ["ann", "0s"], ["ann", "-5m"], ["203.0.113.0/33"],
                      ["300.1.1.1"], ["1.2.3"], ["127.0.0.1:7654"], ["::ffff:1.2.3.9/120"],
                      ["example.com:80"], ["ann/24"]):
            with self.subTest(words=words):
                self.assertRegex(self.fails("ban", *words, status=2), "is (not a time|neither an address)")
        self.assertIn("player", self.fails("ban", "a\nb"))
        self.assertIn("player", self.fails("ban", "x" * 5000))
        self.assertEqual(self.listed(), [])
        self.assertRegex(self.done("ban", "ann", "for", "3", "days"), "the player ann permanently")
        self.assertRegex(self.done("ban", "10.0.0.0/8"), "Banned 10.0.0.0/8 permanently")
        # A ban is about all names that look alike.
        self.done("unban", "ANN")
        self.assertEqual(self.listed(), ["10.0.0.0/8"])
