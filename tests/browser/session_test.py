"""The page's modules with a server that answers as a real one rarely does."""

import unittest

from browser import Page
from network import LOOPBACK
from programs import Server

# A server that takes everybody in, and refuses each ping.
REFUSED_PING = """
  const failed = [];
  window.addEventListener('unhandledrejection', ({ reason }) => failed.push(reason.message));
  window.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    constructor() { setTimeout(() => this.onopen(), 0); }
    send(text) {
      const { requestId, hello, ping } = JSON.parse(text);
      const answer = hello ? { welcome: { playerName: 'ann', limits: {} } }
        : { error: { code: 'CODE_TOO_MANY_REQUESTS', message: 'no' } };
      if (!hello && !ping) return;
      setTimeout(() => this.onmessage({ data: JSON.stringify({ requestId, ...answer }) }), 0);
    }
    close() {}
  };
  const { Session } = await import(folder + 'session/session.js');
  const { Identity } = await import(folder + 'session/identity.js');
  const session = new Session('ws://nowhere/', new Identity());
  const end = () => setTimeout(() => done([session.state, failed]), 50);
  session.on('link', () => session.isUp && end());
  window.addEventListener('unhandledrejection', end);
  session.start();
"""


class SessionTest(unittest.TestCase):
    def test_a_refused_ping_does_not_hold_up_the_player(self):
        server = self.enterContext(Server(LOOPBACK, "--listen", "127.0.0.1"))
        page = self.enterContext(Page(server.port))
        page.open()
        page.element("input[name=name]")
        state, failed = page.module_script(REFUSED_PING)
        self.assertEqual((state, failed), ("up", []))


if __name__ == "__main__":
    unittest.main()
