"""What tests of the page share: a server that can be killed and started again, pages, and consoles."""

import tempfile
import unittest

from browser import Page
from network import LOOPBACK
from programs import Client, Server


class PageCase(unittest.TestCase):
    browser = Page

    def setUp(self):
        self.directory = self.enterContext(tempfile.TemporaryDirectory())
        self.server = self.start()

    def start(self, port=0, *options):
        return self.enterContext(Server(LOOPBACK, "--listen", "127.0.0.1", "--data-dir",
                                        self.directory, *options, port=port))

    def kill(self):
        """Kills the server. Returns its port."""
        self.server.process.kill()
        self.server.process.wait()
        return self.server.port

    def page(self, name=None, **options):
        """A page; with a name, in the lobby."""
        page = self.enterContext(self.browser(self.server.port, **options))
        if name:
            page.come_in(name)
        return page

    def console(self, name, *options):
        return self.enterContext(Client(LOOPBACK, f"127.0.0.1:{self.server.port}", name, *options))
