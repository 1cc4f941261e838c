"""TLS between the real programs: keys that are known, new and changed, and what a listener can read."""

import os
import re
import signal
import subprocess

from case import Case
from programs import BIN, Process
from proxy import Proxy

PASSWORD = "open-sesame-17"
SAID = "nobody-else-reads-this"
KEY = r"SHA256:[A-Za-z0-9+/]{43}"


class Tls(Case):
    def setUp(self):
        super().setUp()
        self.known = self.folder / "state" / "tictactoe" / "known_servers"

    def start(self, *options, **more):
        server = super().start(*options, **more)
        self.address = f"127.0.0.1:{server.port}"
        server.join = server.expect(r"^(?:others|players on this machine) join with tictactoe (.*)$"
                                    ).group(1).split()
        server.key = server.expect(rf"^the server's key is ({KEY})$").group(1)
        return server

    def come(self, name, *options, **more):
        return self.client(name, options=options, state="state", **more)

    def test_a_key_is_kept_and_a_changed_one_is_refused(self):
        server = self.start()
        first = self.come("ann")
        first.expect(rf"First connection to {self.address}\. Its key is {re.escape(server.key)}\.")
        first.expect("ann")
        self.assertEqual(first.end(), 0)
        self.assertEqual(self.known.read_text(), f"{self.address} {server.key}\n")
        self.assertEqual(self.known.stat().st_mode & 0o777, 0o600)
        self.end(server)
        self.data = self.folder / "other"
        other = self.start(port=server.port)
        refused = self.come("ann")
        refused.expect(f"The key of {self.address} has changed")
        refused.expect(re.escape(f"remove the line {self.known}:1."))
        self.assertEqual(refused.status(), 1)
        self.assertNotEqual(other.key, server.key)
        # Both ways that the message names.
        named = self.come("ann", "--server-key", other.key)
        named.expect("Replaced the stored key of .* with the one you gave")
        self.assertEqual(named.end(), 0)
        after = self.come("ann")
        after.expect(" as ann")
        self.assertNotIn("key", after.text)
        self.assertEqual(after.end(), 0)
        self.known.write_text("")
        self.come("ann").expect(re.escape(other.key))

    def test_a_listener_reads_neither_passwords_nor_chat(self):
        word = self.file("word", PASSWORD)
        server = self.start("--password-file", word)
        heard = bytearray()

        def hear(data):
            heard.extend(data)
            return data

        line = self.enterContext(Proxy(server.port, to_server=hear, to_client=lambda: hear))
        for tls in (True, False):
            heard.clear()
            ann = self.come("ann", "--server-password-file", word, *(() if tls else ("--no-tls",)),
                            address=f"127.0.0.1:{line.port}")
            ann.type(f"say {SAID}")
            ann.expect(SAID)
            self.assertEqual(ann.end(), 0)
            self.assertGreater(len(heard), 100)
            for secret in (PASSWORD, SAID):
                # Without TLS the listener does find them: it would notice.
                self.assertEqual(secret.encode() not in heard, tls, secret)

    def test_the_line_for_others_names_the_key(self):
        server = self.start("--listen", "127.0.0.1")
        self.assertEqual(server.join, [f"localhost:{server.port}", "--server-key", server.key])
        ann = Process([f"{BIN}/tictactoe", *server.join, "--name", "ann"], None,
                      env={**os.environ, **self.state()},
                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(ann.__exit__)
        ann.expect("Connected to .* as ann")
        self.assertEqual(self.known.read_text(), f"localhost:{server.port} {server.key}\n")

    def test_a_certificate_is_read_again_at_sighup(self):
        certificate, key = self.folder / "crt", self.folder / "key"

        def renew():
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                            "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=den", "-days", "2",
                            "-keyout", str(key), "-out", str(certificate)],
                           check=True, capture_output=True)

        renew()
        server = self.start("--tls-cert", str(certificate), "--tls-key", str(key))
        ann = self.come("ann")
        ann.expect(re.escape(server.key))
        good = certificate.read_text()
        renew()
        for bad, said in (("damaged", "The server keeps the previous certificate"),
                          (good, "does not belong to the certificate in .*The server keeps the previous certificate")):
            certificate.write_text(bad)
            server.process.send_signal(signal.SIGHUP)
            server.expect(said)
        self.come("bob").expect(" as bob")
        renew()
        server.process.send_signal(signal.SIGHUP)
        new_key = server.expect(rf"the server's key is ({KEY})").group(1)
        self.assertNotEqual(new_key, server.key)
        eve = self.come("eve")
        eve.expect("has changed")
        self.assertEqual(eve.status(), 1)
        # Who is there stays.
        ann.type("say still here")
        ann.expect("still here")
