"""What tests of the page share: a server that can be killed and started again, pages, and consoles."""

import contextlib
import os
import tempfile
import threading
import time
import unittest

from browser import Page
from network import LOOPBACK
from programs import Client, Server


def hurry_ais(process):
    """AIs think at idle priority: beside the browsers of other tests they would hardly move. Without the right to
    change that, tests wait for them."""
    while process.poll() is None:
        with contextlib.suppress(OSError):  # it, or one of its threads, has ended
            for thread in map(int, os.listdir(f"/proc/{process.pid}/task")):
                if os.sched_getscheduler(thread) == os.SCHED_IDLE:
                    os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))
        time.sleep(0.1)


class PageCase(unittest.TestCase):
    browser = Page

    def setUp(self):
        self.directory = self.enterContext(tempfile.TemporaryDirectory())
        self.server = self.start()

    def start(self, port=0, *options):
        server = self.enterContext(Server(LOOPBACK, "--listen", "127.0.0.1", "--data-dir",
                                          self.directory, *options, port=port))
        threading.Thread(target=hurry_ais, args=(server.process,), daemon=True).start()
        return server

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
