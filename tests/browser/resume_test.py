"""Players come back to their seats: after a reload, a lost connection, and a killed server."""

from page_case import PageCase


class ResumeTest(PageCase):
    def game(self, ann):
        """A game of ann on the page and bob at a console, after one move of each."""
        ann.create("duel", Board="5 × 5")
        bob = self.console("bob")
        bob.type("join duel")
        ann.click("b2")
        bob.expect("ann plays b2")
        bob.type("c3")
        ann.expect_mark("c3", "O")
        return bob

    def test_a_reload_in_mid_game(self):
        ann = self.page("ann")
        bob = self.game(ann)
        ann.driver.refresh()
        ann.expect(".title h1", "duel")
        ann.expect_mark("b2", "X")
        ann.expect_mark("c3", "O")
        ann.click("d4")
        bob.expect("ann plays d4")
        self.assertEqual(ann.text("header .me"), "ann")
        # Who reads about finished games stays there, and the list is loaded again.
        ann.open("#/games")
        ann.expect(".games .count", "No finished games yet.")
        ann.driver.refresh()
        ann.expect("header nav", "Room")
        ann.expect(".games .count", "No finished games yet.")

    def test_a_page_that_is_opened_at_a_finished_game(self):
        ann = self.page("ann")
        bob = self.game(ann)
        bob.type("resign")
        ann.expect(".status", "You win!")
        for _ in range(2):
            ann.driver.get("about:blank")
            ann.open("#/games")
            ann.expect(".games table", "bob")
            ann.driver.refresh()
            ann.expect(".games table", "bob")
            ann.driver.get("about:blank")
            ann.open("#/games/1")
            ann.expect(".versus", "bob")
            ann.driver.refresh()
            ann.expect(".versus", "bob")
            self.assertEqual(ann.text(".toasts"), "")

    def test_a_killed_server(self):
        ann = self.page("ann")
        bob = self.game(ann)
        port = self.kill()
        ann.expect("header .link", "connection lost")
        bob.expect("Lost the connection")
        ann.keys("a4")
        self.server = self.start(port)
        ann.expect(".toasts", "Back on the server as ann.")
        bob.expect("Back on the server")
        ann.expect_mark("c3", "O")
        # The keyboard has not moved.
        self.assertEqual(ann.script("return document.activeElement.ariaLabel"), "a4, empty")
        ann.click("d4")
        bob.expect("ann plays d4")
        bob.type("a1")
        ann.expect_mark("a1", "O")

    def test_what_was_sent_as_the_connection_broke_is_done_once(self):
        ann = self.page("ann")
        bob = self.game(ann)
        # The server receives the move and is gone before its answer arrives.
        self.server.process.send_signal(19)  # SIGSTOP: nothing is answered
        ann.click("d4")
        port = self.kill()
        ann.expect("header .link", "connection lost")
        self.server = self.start(port)
        # Bob may be back before the move is sent again, or after that.
        bob.expect("Back on the server")
        bob.expect(r"Your turn: place your O")
        ann.expect_mark("d4", "X")
        bob.type("a1")
        ann.expect_turn()
        self.assertEqual(ann.text(".feed").count("You play d4."), 1)

    def test_a_second_tab_takes_over(self):
        ann = self.page("ann")
        ann.driver.switch_to.new_window("tab")
        ann.open()
        ann.expect("header .link", "connected")
        ann.expect("header .me", "ann")
        ann.driver.switch_to.window(ann.driver.window_handles[0])
        ann.expect(".toasts", "another tab or window")
        ann.press("Continue here", ".toasts")
        ann.expect("header .link", "connected")
        # The button beside the state of the connection stays when the message has gone.
        ann.driver.switch_to.window(ann.driver.window_handles[1])
        ann.press("Continue here", "header")
        ann.expect("header .link", "connected")
