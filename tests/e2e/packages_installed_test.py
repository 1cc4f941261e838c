"""The packages on a system: installed, upgraded, removed and purged, without systemd and with it."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import debian_packages
import debian_root
from debian_root import DebianRoot
from network import LOOPBACK, Network
from programs import BIN, TIMEOUT, Client, Process

DATA = "/var/lib/tictactoe"
OPTIONS = "/etc/tictactoe/server.toml"
PORT = 7654
UNITS = ("tictactoe-server.socket", "tictactoe-server.service")
# What a visitor does again and again: it connects and asks for the page. As browsers do, it asks once
# more if the connection ends without an answer, since the old server may have taken it at its very
# end. Prints the longest time of a visit, in seconds, at the end of its input.
VISITOR = """
import select, socket, sys, time
longest, visits, again = 0, 0, 0

def answer():
    with socket.create_connection((sys.argv[1], int(sys.argv[2])), 60) as visit:
        try:
            visit.sendall(b"GET / HTTP/1.1\\r\\nHost: 10.77.0.1\\r\\nConnection: close\\r\\n\\r\\n")
            return visit.recv(4096)
        except (BrokenPipeError, ConnectionResetError):
            return b""

while not select.select([sys.stdin], [], [], 0.02)[0]:
    begin = time.monotonic()
    answered = answer()
    if not answered:
        answered, again = answer(), again + 1
    assert answered.startswith(b"HTTP/1.1 307 "), answered  # to https
    longest, visits = max(longest, time.monotonic() - begin), visits + 1
    if visits == 1:
        print("visiting", flush=True)
print(visits, "visits, longest", longest, "asked again", again, flush=True)
"""


def setUpModule():
    # Debian's tools for services are only in root's PATH.
    os.environ["PATH"] += os.pathsep + "/usr/sbin" + os.pathsep + "/sbin"
    if reason := debian_packages.missing() or debian_root.missing():
        raise unittest.SkipTest(reason)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.folder = folder
        cls.old = debian_packages.make(folder / "old", quick=True)
        cls.new = debian_packages.make(folder / "new", "tictactoe-server", version="999~next",
                                       quick=True)

    def setUp(self):
        # Each server has a key of its own.
        self.state = self.enterContext(tempfile.TemporaryDirectory())

    def system(self, **options):
        root = self.enterContext(DebianRoot(self.folder, **options))
        root.run("dpkg", "--purge", *self.old)  # if this machine has them
        return root

    def install(self, root, *packages):
        return root.run("dpkg", "--install",
                        *(f"/mnt/{package.relative_to(self.folder)}" for package in packages)).stdout

    def client(self, host, name):
        client = Client(host, f"10.77.0.1:{PORT}", name,
                        env={**os.environ, "XDG_STATE_HOME": self.state})
        client.__enter__()
        self.addCleanup(client.__exit__, None, None, None)
        return client

    def assert_nothing_left(self, root):
        left = root.run("find", "/etc", "/usr", "/lib/systemd/system", "/var/lib", "-name",
                        "*tictactoe*", "-not", "-path", "/usr/src/*").stdout
        self.assertEqual(left, "")
        self.assertEqual(root.run("dpkg", "--audit").stdout, "")

    def enabled(self, root):
        """The units that start with the machine."""
        return [unit for unit in UNITS
                if root.run("systemctl", "is-enabled", unit, check=False).stdout.strip() == "enabled"]

    def test_without_systemd(self):
        root = self.system()
        self.install(root, *self.old.values())
        self.assertEqual(
            root.run("getent", "passwd", "tictactoe").stdout.split(":")[4:],
            ["Tic-tac-toe server", DATA, "/usr/sbin/nologin\n"])
        self.assertEqual(root.run("stat", "-c", "%a %U %G", DATA).stdout, "700 tictactoe tictactoe\n")
        self.assertEqual(self.enabled(root), list(UNITS))
        for name in self.old:
            self.assertRegex(root.run(name, "--version").stdout, f"^{name} ")
        self.play(root)

        # The owner's settings stay.
        root.run("sh", "-c", f"echo 'name = \"den\"' >>{OPTIONS}")
        root.run("systemctl", "disable", "tictactoe-server.service")
        journal = root.run("sha256sum", f"{DATA}/journal.db", f"{DATA}/tls.pem").stdout
        self.install(root, self.new["tictactoe-server"])
        self.assertIn("999~next", root.run("dpkg-query", "-W", "tictactoe-server").stdout)
        self.assertIn('name = "den"', root.run("cat", OPTIONS).stdout)
        self.assertNotIn("tictactoe-server.service", self.enabled(root))

        root.run("dpkg", "--remove", *self.old)
        self.assertEqual(root.run("which", *self.old, check=False).stdout, "")
        self.assertIn('name = "den"', root.run("cat", OPTIONS).stdout)
        self.assertEqual(root.run("sha256sum", f"{DATA}/journal.db", f"{DATA}/tls.pem").stdout, journal)
        self.install(root, self.new["tictactoe-server"])
        self.assertEqual(root.run("sha256sum", f"{DATA}/journal.db", f"{DATA}/tls.pem").stdout, journal)

        root.run("dpkg", "--purge", *self.old)
        self.assert_nothing_left(root)
        root.run("getent", "passwd", "tictactoe")  # stays

    def play(self, root):
        """A game of the installed programs."""
        server = Process(
            root.command("runuser", "-u", "tictactoe", "--", "tictactoe-server", "--config", OPTIONS,
                         "--data-dir", DATA, "--listen", "127.0.0.1", "--port", "0",
                         "--no-discovery", "--ai-delay", "0"),
            None, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with server:
            port = server.expect(r"listening on 127\.0\.0\.1:(\d+)$").group(1)
            game = root.run("sh", "-c", "printf 'create den\\nai o\\nb2\\nresign\\nquit\\n' |"
                            f" tictactoe --guest --name ann --server 127.0.0.1:{port}").stdout
            self.assertIn("You play b2.", game)
            root.run("pkill", "--exact", "--uid", "tictactoe", "tictactoe-serve")
            self.assertEqual(server.status(), 0, server.text)

    def test_with_systemd(self):
        network = self.enterContext(Network("server", "guest"))
        host, guest = network["server"], network["guest"]
        if host is LOOPBACK:
            self.skipTest(f"no network namespaces here: {network.missing}")
        try:
            root = self.system(host=host, systemd=True)
        except RuntimeError as error:
            self.skipTest(f"systemd can't run here: {error}")

        # Installing it is all that it needs.
        self.install(root, *self.old.values())
        self.assertEqual(root.run("systemctl", "is-active", *UNITS).stdout, "active\nactive\n")
        self.assertEqual(self.enabled(root), list(UNITS))
        self.assertEqual([server["server"]["name"] for server in self.found(guest)], ["tictactoe"])
        alice, bob = self.client(guest, "alice"), self.client(guest, "bob")
        alice.type("create duel")
        alice.expect(r"^You are alice, playing X")
        bob.type("join duel")
        bob.expect(r"^You are bob, playing O")
        alice.type("a1")
        bob.expect(r"^alice plays a1")

        self.upgrade(root, guest)
        alice.expect(r"^Back on the server as alice\.$")
        bob.expect(r"^Back on the server as bob\.$")
        bob.type("b2")
        bob.expect(r"^You play b2\.")
        alice.expect(r"^bob plays b2")
        status = json.loads(root.run("tictactoe-server", "ctl", "status", "--json", "--data-dir",
                                     DATA).stdout)
        self.assertEqual(status["status"]["players"], 2, status)

        # The file of options is the service's.
        root.run("sh", "-c", f"echo 'name = \"the den\"' >>{OPTIONS}")
        root.run("systemctl", "reload", "tictactoe-server")
        self.assertEqual([server["server"]["name"] for server in self.found(guest)], ["the den"])

        self.use_a_key_of_root(root, guest)

        root.run("dpkg", "--remove", "tictactoe-server")
        self.assertEqual(self.found(guest), [])
        with self.assertRaises(subprocess.CalledProcessError):
            subprocess.run(guest.command(["bash", "-c", f"exec 3<>/dev/tcp/{host.ipv4}/{PORT}"]),
                           check=True, stderr=subprocess.DEVNULL, timeout=TIMEOUT)
        root.run("test", "-e", f"{DATA}/journal.db")
        root.run("dpkg", "--purge", *self.old)
        self.assert_nothing_left(root)

    def use_a_key_of_root(self, root, guest):
        """As docs/hosting.md says."""
        guide = (pathlib.Path(__file__).parents[2] / "docs/hosting.md").read_text()
        handed_over = textwrap.dedent(
            re.search(r"^ +\[Service\]\n(?: +LoadCredential=.*\n)+ +Environment=.*\n", guide, re.MULTILINE)[0])
        hook = textwrap.dedent(re.search(r"^ +#!/bin/sh\n +systemctl .*\n", guide, re.MULTILINE)[0])
        folder, key = "/etc/letsencrypt/live/den.example", "privkey.pem"
        root.run("sh", "-c", f"umask 77; mkdir -p {folder}; cd {folder}; "
                             f"openssl ecparam -name prime256v1 -genkey -out {key}")

        def renew():
            root.run("sh", "-c", f"cd {folder}; openssl req -x509 -key {key} -subj /CN=den.example"
                                 f" -addext subjectAltName=DNS:den.example -out fullchain.pem; {hook}", check=False)
            return root.run("openssl", "x509", "-in", f"{folder}/fullchain.pem", "-noout", "-fingerprint").stdout

        def served():
            return subprocess.run(
                guest.command(["sh", "-c", f"openssl s_client -connect 10.77.0.1:{PORT} -servername den.example"
                                           " </dev/null 2>&1 | openssl x509 -noout -fingerprint"]),
                text=True, stdout=subprocess.PIPE, timeout=TIMEOUT, check=True).stdout

        def edit(text):
            drop_in = "/etc/systemd/system/tictactoe-server.service.d"
            root.run("sh", "-c", f"mkdir -p {drop_in}; printf %s \"$1\" >{drop_in}/override.conf; "
                             "systemctl daemon-reload", "sh", text)

        # The service's user can't read it: that stays so, and nothing is tried again and again.
        edit(re.sub("^LoadCredential.*\n", "", handed_over, flags=re.MULTILINE)
             .replace("%d/cert", f"{folder}/fullchain").replace("%d/key", f"{folder}/privkey"))
        renew()
        state = root.run("systemctl", "show", "tictactoe-server", "-p", "ExecMainStatus,NRestarts").stdout
        self.assertEqual(set(state.split()), {"ExecMainStatus=2", "NRestarts=0"})
        self.assertIn("Can't use the", root.run("journalctl", "-u", "tictactoe-server", "-n", "20").stdout)

        edit(handed_over)
        for _ in range(2):
            self.assertEqual(renew(), served())
        root.run("systemctl", "revert", "tictactoe-server")

    def found(self, guest):
        """The servers that a client on this host finds."""
        result = subprocess.run(guest.command([f"{BIN}/tictactoe", "lan", "--json"]), text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=TIMEOUT,
                                check=False)
        return json.loads(result.stdout)["servers"]

    def upgrade(self, root, guest):
        """An upgrade during visits, none of which may be refused."""
        before = root.run("systemctl", "show", "-P", "MainPID", "tictactoe-server").stdout
        visitor = Process(guest.command([sys.executable, "-c", VISITOR, "10.77.0.1", str(PORT)]), None,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with visitor:
            visitor.expect("^visiting$")
            begin = time.monotonic()
            self.install(root, self.new["tictactoe-server"])
            took = time.monotonic() - begin
            after = root.run("systemctl", "show", "-P", "MainPID", "tictactoe-server").stdout
            self.assertNotEqual(before, after)
            visitor.process.stdin.close()
            self.assertEqual(visitor.status(), 0, visitor.text)
            visits, longest = re.search(r"(\d+) visits, longest (\S+)", visitor.text).groups()
            again = int(re.search(r"asked again (\d+)", visitor.text)[1])
        print(f"upgrade: {took:.1f} s, {visits} visits, the longest {float(longest):.2f} s, "
              f"{again} asked again")
        self.assertLess(float(longest), TIMEOUT)
        self.assertLessEqual(again, 1)
