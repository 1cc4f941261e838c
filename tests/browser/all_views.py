"""A way through the page that shows each of its views."""

from browser import Page


def visit(test, server, look, **options):
    """Opens each view in a page with these options, and calls `look(page, view)` there. The server
    keeps records. `test` ends the browsers."""
    page = test.enterContext(Page(server.port, **options))
    page.open()
    page.element("input[name=name]")
    look(page, "start")
    page.come_in("ann")
    bob = test.enterContext(Page(server.port))
    bob.come_in("bob")
    bob.create("duel", Board="5 × 5", Clock="3 min")
    page.expect(".rooms", "duel")
    look(page, "lobby")
    page.press("Create a room …")
    page.script("document.querySelector('dialog details').open = true")
    look(page, "form for a room")
    page.press("Cancel", "dialog")
    page.press("Join", ".rooms")
    bob.click("c3")
    page.expect_turn()
    bob.say("good evening")
    bob.press("Offer a draw")
    page.expect(".offer", "bob (X) offers a draw.")
    look(page, "room")
    page.press("ann", "header")
    page.element("dialog")
    look(page, "form for another name")
    page.press("Cancel", "dialog")
    page.press("Accept the draw")
    page.expect(".status", "Draw, as agreed.")
    look(page, "room after a game")
    page.open("#/games")
    page.expect("table", "draw, agreed")
    look(page, "finished games")
    page.open("#/games/1")
    page.expect(".status", "bob (X) plays c3")
    look(page, "replay")
