"""Another name: the present player stays until the server has taken the new one in."""

import tempfile

from page_case import PageCase
from programs import run


class PlayerTest(PageCase):
    def setUp(self):
        super().setUp()
        self.ann = self.page("ann")
        self.ann.create("duel", Board="5 × 5")
        self.bob = self.console("bob")
        self.bob.type("join duel")
        self.ann.expect_turn()

    def ask_for(self, name):
        self.ann.press("ann", "header")
        field = self.ann.element("dialog input")
        field.clear()
        field.send_keys(name)
        self.ann.press("Change", "dialog")

    def check_seat_is_kept(self):
        self.ann.wait("no dialog", lambda: not self.ann.all("dialog"))
        self.assertEqual(self.ann.text("header .me"), "ann")
        self.ann.click("b2")
        self.bob.expect("ann plays b2")
        self.assertNotIn("ann left", self.bob.text)
        # The token is still there, too.
        self.ann.driver.refresh()
        self.ann.expect_mark("b2", "X")
        self.assertEqual(self.ann.text("header .me"), "ann")

    def test_a_refused_name_changes_nothing(self):
        self.ask_for("AI")
        self.ann.press("Give it up")
        self.ann.expect("dialog .problem", "The server does not accept the name")
        self.ann.press("Cancel", "dialog")
        self.check_seat_is_kept()

    def test_a_seat_is_given_up_only_after_a_question(self):
        self.ask_for("zoe")
        self.ann.press("Cancel", "dialog:last-of-type")
        self.ann.expect("dialog .problem", "You keep your seat.")
        self.ann.press("Cancel", "dialog")
        self.check_seat_is_kept()

    def test_another_name_is_another_player(self):
        self.ask_for("zoe")
        self.ann.press("Give it up")
        self.bob.expect("ann left seat")
        self.ann.expect("header .me", "zoe")
        self.ann.expect(".rooms", "duel")
        self.ann.driver.refresh()
        self.ann.expect("header .link", "connected")
        self.ann.expect("header .me", "zoe")

    def test_nothing_changes_without_a_connection(self):
        port = self.kill()
        self.ann.expect("header .link", "connection lost")
        self.ask_for("zoe")
        self.ann.expect("dialog .problem", "You are offline.")
        self.ann.press("Cancel", "dialog")
        self.server = self.start(port)
        self.bob.expect("Back on the server")
        self.ann.expect("header .link", "connected")
        self.check_seat_is_kept()


class AccountTest(PageCase):
    def test_the_name_of_an_account_can_be_had_by_logging_in(self):
        self.kill()
        with tempfile.TemporaryFile() as password:
            password.write(b"correct-horse-23\n")
            password.seek(0)
            added = run("tictactoe-server", "account", "add", "ann", "--data-dir", self.directory,
                        stdin=password)
        self.assertEqual(added.returncode, 0, added.stderr)
        self.server = self.start()
        ann = self.page("ann")
        ann.expect("header .me", "ann-2")
        ann.expect(".toast", "account")
        ann.press("Log in", ".toast")
        ann.fill("Account password", "wrong")
        ann.press("Change", "dialog")
        ann.expect("dialog .problem", "Wrong password for the account")
        ann.element("dialog input[type=password]").clear()
        ann.fill("Account password", "correct-horse-23")
        ann.press("Change", "dialog")
        ann.wait("ann as a name", lambda: ann.text("header .me") == "ann")
