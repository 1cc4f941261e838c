"""How long a guest on a slow line waits for "Loading ..." and for the lobby: 300 ms there and back, and 5 % of the
packets of each way lost.

PAGE=FOLDER measures the files of another version of client/web, each sent by itself, as servers did that
did not join them."""

import gzip
import http.server
import mimetypes
import os
import pathlib
import select
import socket
import ssl
import statistics
import tempfile
import threading
import unittest

import slow_line
from browser import Page
from programs import Client, Server
from slow_line import FAR, SlowLine, enter

RUNS = 5
WANTED = {"loading": 5, "lobby": 12}  # seconds, on a busy machine

# Gives a name at once, and notes when the field for it was there and when a room is in the list.
VISIT = """
  window.seen = {};
  const note = (what, act) => {
    if (what in window.seen) return;
    window.seen[what] = performance.now() / 1000;
    act?.();
  };
  new MutationObserver(() => {
    const field = document.querySelector('input[name=name]');
    if (field) note('name', () => {
      field.value = 'ann';
      field.form.requestSubmit();
    });
    if (document.querySelector('.rooms .room')) note('lobby');
  }).observe(document, { childList: true, subtree: true });
"""
SEEN = """
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return window.seen.lobby && paint && { loading: paint.startTime / 1000, ...window.seen };
"""


class Files(http.server.BaseHTTPRequestHandler):
    """The files of a page as they are, and the WebSocket of a server."""

    protocol_version = "HTTP/1.1"
    folder, port = pathlib.Path(), 0

    def do_GET(self):  # pylint: disable=invalid-name
        if self.path == "/ws":
            return self.pass_on()
        file = self.folder / (self.path.removeprefix("/files").lstrip("/") or "index.html")
        body = gzip.compress(file.read_bytes()) if file.is_file() else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", mimetypes.guess_type(file)[0] or "text/plain")
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None

    def pass_on(self):
        self.close_connection = True
        client = self.connection
        with socket.create_connection(("127.0.0.1", self.port)) as server:
            head = [self.requestline, *(f"{name}: {value}" for name, value in self.headers.items())]
            server.sendall("".join(f"{line}\r\n" for line in [*head, ""]).encode())
            other = {client: server, server: client}
            while True:
                ready = [client] if client.pending() else select.select([client, server], [], [])[0]
                for source in ready:
                    data = source.recv(65536)
                    if not data:
                        return
                    other[source].sendall(data)

    def log_message(self, *_):
        pass

    @classmethod
    def serve(cls, test, line, folder, port, key):
        """The port, until the end of `test`."""
        cls.folder, cls.port = pathlib.Path(folder), port
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(key)
        made = []

        def make():
            enter(f"/run/netns/{line.far}")
            made.append(http.server.ThreadingHTTPServer((FAR, 0), cls))
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        server = made[0]
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)

        def run():
            enter(f"/run/netns/{line.far}")
            server.serve_forever()
        threading.Thread(target=run, daemon=True).start()
        test.addCleanup(server.server_close)
        test.addCleanup(server.shutdown)
        return server.server_port


MISSING = slow_line.missing()


@unittest.skipIf(MISSING, MISSING)
class SlowLineTest(unittest.TestCase):
    def visit(self, seed):
        with tempfile.TemporaryDirectory() as data, \
             SlowLine(0.15, 0.05, seed) as line, \
             Server(line, "--listen", "0.0.0.0", "--data-dir", data) as server, \
             Client(line, f"127.0.0.1:{server.port}", "bob") as bob:
            bob.type("create den")
            bob.expect("Waiting for an opponent")
            folder = os.environ.get("PAGE")
            port = (Files.serve(self, line, folder, server.port, f"{data}/tls.pem") if folder
                    else server.port)
            with Page(port, host=FAR, protocol="https") as page:
                page.run("Page.addScriptToEvaluateOnNewDocument", source=VISIT)
                page.open()
                return page.wait("the lobby", lambda: page.script(SEEN))

    def test_a_guest_waits_for_seconds_only(self):
        visits = [self.visit(seed) for seed in range(RUNS)]
        for what in ("loading", "name", "lobby"):
            times = sorted(visit[what] for visit in visits)
            print(f"{what}: median {statistics.median(times):.1f} s, worst {times[-1]:.1f} s of {RUNS}")
        if "PAGE" in os.environ:
            return
        for what, wanted in WANTED.items():
            self.assertLess(statistics.median(visit[what] for visit in visits), wanted, what)
