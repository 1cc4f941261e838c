"""TLS between the real programs: keys that are known, new and changed, and what a listener can read."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from network import LOOPBACK
from programs import BIN, Client, Process, Server, run
from proxy import Proxy

PASSWORD = "open-sesame-17"
SAID = "nobody-else-reads-this"
KEY = r"SHA256:[A-Za-z0-9+/]{43}"


class Tls(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="tictactoe-tls-"))
        self.folder = pathlib.Path(folder)
        self.state = self.folder / "state"
        self.known = self.state / "tictactoe" / "known_servers"

    def server(self, *options, data="data", **more):
        server = self.enterContext(Server(LOOPBACK, "--data-dir", str(self.folder / data), *options, **more))
        server.join = server.expect(r"^(?:others|players on this machine) join with tictactoe (.*)$"
                                    ).group(1).split()
        server.key = server.expect(rf"^the server's key is ({KEY})$").group(1)
        return server

    def client(self, port, name, *options):
        client = self.enterContext(Client(LOOPBACK, f"127.0.0.1:{port}", name, *options,
                        env={**os.environ, "XDG_STATE_HOME": str(self.state)}))
        return client

    def test_a_key_is_kept_and_a_changed_one_is_refused(self):
        server = self.server()
        address = f"127.0.0.1:{server.port}"
        first = self.client(server.port, "ann")
        first.expect(rf"First connection to {address}\. Its key is {re.escape(server.key)}\.")
        first.expect("ann")
        self.assertEqual(first.end(), 0)
        self.assertEqual(self.known.read_text(), f"{address} {server.key}\n")
        self.assertEqual(self.known.stat().st_mode & 0o777, 0o600)

        again = self.client(server.port, "ann")
        again.expect("ann")
        self.assertEqual(again.end(), 0)
        self.assertNotIn("First connection", again.text)

        server.process.terminate()
        server.status()
        other = self.server(data="other", port=server.port)
        refused = self.client(server.port, "ann")
        refused.expect(f"The key of {address} has changed")
        refused.expect(re.escape(f"remove the line {self.known}:1."))
        self.assertEqual(refused.status(), 1)
        self.assertNotEqual(other.key, server.key)

        # Both ways that the message names.
        named = self.client(server.port, "ann", "--server-key", other.key)
        named.expect("Replaced the stored key of .* with the one you gave")
        self.assertEqual(named.end(), 0)
        after = self.client(server.port, "ann")
        after.expect(" as ann")
        self.assertNotIn("key", after.text)
        self.assertEqual(after.end(), 0)
        self.known.write_text("")
        again = self.client(server.port, "ann")
        again.expect(re.escape(other.key))
        self.assertEqual(again.end(), 0)

    def test_a_listener_reads_neither_passwords_nor_chat(self):
        word = self.folder / "word"
        word.write_text(PASSWORD + "\n")
        server = self.server("--password-file", str(word))
        heard = bytearray()

        def hear(data):
            heard.extend(data)
            return data

        line = self.enterContext(Proxy(server.port, to_server=hear, to_client=lambda: hear))
        for tls in (True, False):
            heard.clear()
            options = ["--server-password-file", str(word)] + ([] if tls else ["--no-tls"])
            ann = self.enterContext(Client(LOOPBACK, f"127.0.0.1:{line.port}", "ann",
                         *options, env={**os.environ, "XDG_STATE_HOME": str(self.state)}))
            ann.type(f"say {SAID}")
            ann.expect(SAID)
            self.assertEqual(ann.end(), 0)
            self.assertGreater(len(heard), 100)
            for secret in (PASSWORD, SAID):
                # Without TLS the listener does find them: it would notice.
                self.assertEqual(secret.encode() not in heard, tls, secret)

    def test_the_line_for_others_names_the_key(self):
        server = self.server("--listen", "127.0.0.1")
        self.assertEqual(server.join, [f"localhost:{server.port}", "--server-key", server.key])
        ann = Process([f"{BIN}/tictactoe", *server.join, "--name", "ann"], None,
                      env={**os.environ, "XDG_STATE_HOME": str(self.state)},
                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(ann.__exit__)
        ann.expect("Connected to .* as ann")
        self.assertEqual(self.known.read_text(), f"localhost:{server.port} {server.key}\n")
        # Another server there is refused, at the first time too.
        server.process.terminate()
        server.status()
        self.known.unlink()
        self.server("--listen", "127.0.0.1", data="other", port=server.port)
        eve = run("tictactoe", *server.join, "--name", "eve",
                  env={**os.environ, "XDG_STATE_HOME": str(self.state)})
        self.assertEqual(eve.returncode, 1)
        self.assertIn(f", not {server.key}: it is a different server.", eve.stderr + eve.stdout)

    def test_a_certificate_is_read_again_at_sighup(self):
        certificate, key = self.folder / "crt", self.folder / "key"

        def renew():
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                            "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=den", "-days", "2",
                            "-keyout", str(key), "-out", str(certificate)],
                           check=True, capture_output=True)

        renew()
        server = self.server("--tls-cert", str(certificate), "--tls-key", str(key))
        ann = self.client(server.port, "ann")
        ann.expect(re.escape(server.key))
        good = certificate.read_text()
        certificate.write_text("damaged")
        server.process.send_signal(signal.SIGHUP)
        server.expect("The server keeps the previous certificate")
        bob = self.client(server.port, "bob")
        bob.expect("bob")
        self.assertEqual(bob.end(), 0)
        certificate.write_text(good)
        renew()
        certificate.write_text(good)
        server.process.send_signal(signal.SIGHUP)
        server.expect("does not belong to the certificate in .*The server keeps the previous "
                      "certificate")
        carl = self.client(server.port, "carl")
        carl.expect("carl")
        self.assertEqual(carl.end(), 0)
        renew()
        server.process.send_signal(signal.SIGHUP)
        new_key = server.expect(rf"the server's key is ({KEY})").group(1)
        self.assertNotEqual(new_key, server.key)
        eve = self.client(server.port, "eve")
        eve.expect("has changed")
        self.assertEqual(eve.status(), 1)
        # Who is there stays.
        ann.type("say still here")
        ann.expect("still here")
