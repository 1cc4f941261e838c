"""`tictactoe-server ctl ban`, `unban` and `bans`."""

from case import Case


class Bans(Case):
    def setUp(self):
        super().setUp()
        self.start()

    def listed(self):
        return [ban["who"] for ban in self.ask("bans")["bans"]["bans"]]

    def refused(self, name, word, **more):
        client = self.client(name, **more)
        client.expect(word)
        self.assertEqual(client.status(), 1)

    def test_a_banned_player_goes_and_stays_away_over_a_restart(self):
        self.assertEqual(self.done("bans"), "Nobody is banned.\n")
        ann, ben = self.two_players()
        said = self.done("ban", "ben", "2h", "too", "loud")
        self.assertRegex(said, "Banned the player ben until .* UTC. Players disconnected: 1")
        ben.expect("has banned you until .* UTC: too loud")
        self.assertEqual(ben.status(), 1)
        ann.expect("^ben left seat O")
        self.refused("ben", "too loud")
        self.refused("BEN", "too loud", state="other")  # looks the same
        self.assertRegex(self.done("bans"), "^BANNED +UNTIL +REASON\nben +until .* UTC +too loud\n$")
        self.server.process.kill()
        self.server.status()
        self.start()
        self.refused("ben", "too loud")
        self.assertIn("no longer banned", self.done("unban", "ben"))
        self.assertEqual(self.listed(), [])
        self.client("ben", "join den").expect("playing O")

    def test_an_address_or_a_network(self):
        for range_ in ("127.0.0.1", "127.9.9.9/8"):
            with self.subTest(range=range_):
                ann = self.client("ann")
                ann.expect("^Connected to")
                self.assertIn("disconnected: 1", self.done("ban", range_))
                ann.expect("has banned your address.$")
                self.refused("cid", "has banned your address")
                self.done("unban", range_)
        for other in ("127.0.0.2", "10.0.0.0/8", "2001:db8::1", "player:10.0.0.1"):
            self.done("ban", other)
        self.client("ann").expect("^Connected to")
        self.assertEqual(sorted(self.listed()), ["10.0.0.0/8", "10.0.0.1", "127.0.0.2", "2001:db8::/64"])
        self.assertIn("10.0.0.2 is not banned", self.fails("unban", "10.0.0.2"))
        self.done("unban", "player:10.0.0.1")

    def test_what_is_mistyped_bans_nobody(self):
        for words in (["127.0.0.1", "7x"], ["ann", "30"], ["ann", "0s"], ["203.0.113.0/33"], ["300.1.1.1"], ["1.2.3"],
                      ["127.0.0.1:7654"], ["::ffff:1.2.3.9/120"], ["example.com:80"], ["ann/24"]):
            with self.subTest(words=words):
                self.assertRegex(self.fails("ban", *words, status=2), "is (not a time|neither an address)")
        self.assertIn("player", self.fails("ban", "x" * 5000))
        self.assertEqual(self.listed(), [])
        self.assertRegex(self.done("ban", "ann", "for", "3", "days"), "the player ann permanently")
        self.done("unban", "ANN")  # looks the same
        self.assertEqual(self.listed(), [])
