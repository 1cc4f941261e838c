"""Guests on other networks: homes behind routers of every kind, and routers that lie.

The router is Debian's miniupnpd, in network namespaces. What only a unit test needs is in
unit_transport_test."""

import importlib.util
import json
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import home
from home import LAN, PUBLIC, Home
from programs import BIN, TIMEOUT, Client, Process, Server

FOLDER = pathlib.Path(__file__).parent
# Seconds within which there is a link, or the reason why not.
PATIENCE = 5
# Seconds. The daemon gives it by PCP only.
SHORT_LEASE = 8


def setUpModule():
    missing = home.missing() + ["python3-selenium"] * (not importlib.util.find_spec("selenium"))
    if missing:
        raise unittest.SkipTest(f"not installed: {', '.join(missing)}")
    try:
        with Home():
            pass
    except (OSError, subprocess.CalledProcessError) as error:
        reason = (getattr(error, "output", None) or str(error)).strip()
        raise unittest.SkipTest(f"no network namespaces here, which need root: {reason}") from None


class Case(unittest.TestCase):
    def home(self, *speaks, **more):
        return self.enterContext(Home(speaks, **more))

    def server(self, at, *options, internet=True):
        """With the time at which it was started."""
        began = time.monotonic()
        server = self.enterContext(HomeServer(at.host, *(["--internet"] if internet else []), *options))
        server.began = began
        return server

    def link(self, server):
        """The link for guests, and how long it took."""
        link = server.expect(r"^Guests anywhere play at (https://\S+/#/\?key=SHA256:\S+)$").group(1)
        return link, time.monotonic() - server.began

    def wait_for(self, condition, within):
        """How long it took."""
        began = time.monotonic()
        while not condition():
            self.assertLess(time.monotonic() - began, within)
            time.sleep(0.05)
        return time.monotonic() - began

    def browser(self, host):
        return self.enterContext(Browser(host))

    def play(self, at, server, link):
        """Two guests who have the link and nothing else play against the host: a console and a browser."""
        ann = self.enterContext(Client(at.host, f"localhost:{server.port}", "ann", "--guest"))
        ann.type("create duel")
        ann.expect("^You are ann, playing X")
        bob = self.enterContext(Client(at.guest, None, "bob", room_of(link, "duel"), "--guest"))
        bob.expect("^You are bob, playing O in the room \"duel\"")
        self.assertNotIn("First connection", bob.text, "the link has the key")
        ann.type("a1", "b1", "c1")
        bob.type("a2", "b2")
        bob.expect(r"^You lose\. ann \(X\) wins: row 1\.")
        self.assertEqual(bob.end(), 0)
        ann.type("leave", "create den")
        ann.expect('playing X in the room "den"')
        with Browser(at.guest) as carol:
            carol.do("come_in", "carol", room_of(link, "den"))
            ann.type("a1", "b1", "c1")
            for cell in ("a2", "b2"):
                carol.do("click", cell)
            carol.do("expect", ".status", "ann (X) wins: row 1. You lose.")
        self.assertEqual(ann.end(), 0)

    def page(self, at, link, patience=30):
        script = ("import ssl, sys, urllib.request\n"
                  "context = ssl._create_unverified_context()\n"
                  "print(urllib.request.urlopen(sys.argv[1], context=context, timeout=float(sys.argv[2])).read().decode())")
        return subprocess.run(at.guest.command([sys.executable, "-c", script, link.split("#")[0], str(patience)]),
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=TIMEOUT, check=True).stdout

    def ctl(self, at, folder, *words):
        return subprocess.run([f"{BIN}/tictactoe-server", "ctl", *words, "--data-dir", folder],
                              stdout=subprocess.PIPE, text=True, timeout=TIMEOUT, check=True).stdout


class HomeServer(Server):
    """On a port of the home's host, which other tests do not have."""

    def __init__(self, host, *options):
        if "--data-dir" not in options:
            options = ("--no-journal", *options)
        command = [f"{BIN}/tictactoe-server", "--ai-delay", "0", "--no-discovery", *options]
        Process.__init__(self, host.command(command), None, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.port = int(self.expect(r"^tictactoe-server \S+ listening on \S+:(\d+)$").group(1))


class Browser(Process):
    """A browser on a host of the network: see remote.py."""

    def __init__(self, host):
        script = FOLDER.parent / "browser" / "remote.py"
        super().__init__(host.command([sys.executable, "-B", str(script)]), None,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.expect("^ready$")

    def __exit__(self, *ended):
        self.process.stdin.close()  # so that it ends the browser
        self.status()
        super().__exit__(*ended)

    def do(self, *call):
        self.process.stdin.write(json.dumps(call).encode() + b"\n")
        self.process.stdin.flush()
        verdict, result = self.expect(r"^(did|failed) (.*)\n").groups()
        if verdict == "failed":
            raise AssertionError(f"{call}: {json.loads(result)}")
        return json.loads(result)


class Routers(Case):
    def check(self, *speaks, by, address=PUBLIC, port=7654, **more):
        at = self.home(*speaks, **more)
        server = self.server(at)
        link, took = self.link(server)
        self.assertLess(took, PATIENCE)
        self.assertTrue(link.startswith(f"https://{address}:{port}/"), link)
        self.play(at, server, link)
        server.process.terminate()
        began = time.monotonic()
        self.assertEqual(server.status(), 0)
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(at.forwards(), [])
        self.assertRegex(server.text, rf"internet open: address={address}:{port} by={by} seconds=3\d\d\d\n")
        self.assertEqual(server.text.count("internet open: "), 1)

    def test_pcp(self):
        self.check("pcp", by="PCP")

    def test_nat_pmp_only(self):
        self.check("nat-pmp", by="NAT-PMP")

    def test_upnp_only(self):
        self.check("upnp", by="UPnP")

    def test_forwarded_by_hand(self):
        at = self.home(forwarded=7654)
        server = self.server(at, "--public-address", PUBLIC, internet=False)
        self.play(at, server, self.link(server)[0])

    def test_a_port_that_another_host_has(self):
        at = self.home("pcp")
        self.assertEqual(map_port(at.other, LAN["other"]), 7654)
        server = self.server(at)
        link, _ = self.link(server)
        self.assertNotIn(":7654/", link)
        self.play(at, server, link)

    def test_ipv6_with_a_firewall(self):
        at = self.home("pcp", ipv6=True)
        self.assertNotIn("<title>", self.reach(at))
        server = self.server(at)
        link = server.expect(r"^Guests anywhere play at (https://\[2001:db8:1::10\]:7654/\S+)$").group(1)
        self.play(at, server, link)

    def reach(self, at):
        try:
            return self.page(at, f"https://[{at.host.ipv6}]:7654/", patience=2)
        except subprocess.CalledProcessError:
            return ""


class Invitations(Case):
    # The links that the page shows, and whether the QR code of each is there.
    FIELDS = """
        const all = (selector) => [...document.querySelectorAll(`dialog ${selector}`)];
        return [all('input[readonly]').map(({ value }) => value),
          all('img.code').map(({ naturalWidth }) => naturalWidth > 0)];"""

    def links(self, server, room=None):
        outside, _ = self.link(server)
        here = outside.replace(PUBLIC, LAN["host"])
        return [room_of(link, room) if room else link for link in (here, outside)]

    def test_the_page_shows_both_links(self):
        at = self.home("pcp")
        at.stop_router()
        server = self.server(at)
        page = self.browser(at.host)
        page.do("come_in", "ann", f"https://localhost:{server.port}/")
        page.do("create", "den")
        page.do("press", "Invite …")
        page.do("expect", "dialog", "Address of this room")
        at.start_router()  # what is open follows
        wanted = [self.links(server, "den"), [True, True]]
        self.wait_for(lambda: page.do("script", self.FIELDS) == wanted, TIMEOUT)

    def test_lines_show_both_links(self):
        at = self.home("pcp")
        server = self.server(at)
        here, outside = self.links(server)
        ann = self.enterContext(Client(at.host, f"localhost:{server.port}", "ann", "--guest"))
        ann.type("invite")
        key = re.escape(here.split("key=")[1])
        ann.expect(rf"^On this network:\n  tictactoe {LAN['host']} --server-key {key}\n  {re.escape(here)}$")
        ann.expect(rf"^From anywhere on the internet:\n  tictactoe {PUBLIC}:7654 --server-key {key}\n"
                   rf"  {re.escape(outside)}$")
        self.assertEqual(ann.end(), 0)


class Truth(Case):
    def problem(self, *speaks, expect, **more):
        at = self.home(*speaks, **more)
        server = self.server(at)
        server.expect("the server's key is")
        self.assertLess(time.monotonic() - server.began, 3, "the start waits for nobody")
        server.expect(rf"^Guests on other networks can't reach this server\. .*{expect}")
        self.assertLess(time.monotonic() - server.began, PATIENCE + 1)
        server.expect("^What you can do:$")
        server.expect("WireGuard or Tailscale")
        server.expect("A rented machine: ")

    def test_no_answer(self):
        self.problem(expect=r"The router at 192\.168\.1\.1 does not open a port for this machine")


class Life(Case):
    def test_a_restarted_router_opens_the_port_again_and_the_game_goes_on(self):
        for speaks in ("pcp", "nat-pmp", "upnp"):
            with self.subTest(speaks), Home([speaks]) as at:
                server = self.server(at)
                link, _ = self.link(server)
                ann = self.enterContext(Client(at.host, f"localhost:{server.port}", "ann", "--guest"))
                ann.type("create duel")
                ann.expect("^You are ann, playing X")
                bob = self.enterContext(Client(at.guest, None, "bob", room_of(link, "duel"), "--guest"))
                bob.expect("^You are bob, playing O")
                at.stop_router()
                at.start_router()
                took = self.wait_for(at.forwards, 60)
                print(f"{speaks}: open again {took:.1f} s after the restart of the router")
                ann.type("a1", "b1", "c1")
                bob.type("a2", "b2")
                bob.expect(r"^You lose\. ann \(X\) wins")

    def test_the_port_of_a_killed_server_is_closed_when_the_lease_ends(self):
        at = self.home("pcp", lease=SHORT_LEASE)
        server = self.server(at)
        self.link(server)
        server.process.kill()
        self.assertTrue(at.forwards())
        took = self.wait_for(lambda: not at.forwards(), SHORT_LEASE + 2)
        print(f"pcp: closed {took:.1f} s after kill -9, lease {SHORT_LEASE} s")

    def test_nothing_is_opened_without_the_option(self):
        at = self.home("pcp", "nat-pmp", "upnp")
        server = self.server(at, internet=False)
        server.expect("the server's key is")
        client = self.enterContext(Client(at.host, f"localhost:{server.port}", "ann", "--guest"))
        client.type("rooms")
        client.end()
        self.assertEqual(at.forwards(), [])

    def test_connections_are_encrypted_whatever_other_options_say(self):
        at = self.home("pcp")
        server = self.server(at, "--allow-plain-http")
        server.expect("no password is needed, so anyone who finds the port can play")
        self.link(server)
        self.assertIn("--allow-plain-http has no effect with --internet", server.text)
        script = ("import http.client, sys\n"
                  "link = http.client.HTTPConnection(sys.argv[1], timeout=30)\n"
                  "link.request('GET', '/')\n"
                  "answer = link.getresponse()\n"
                  "print(answer.status, answer.getheader('Location'))")
        answer = subprocess.run(at.guest.command([sys.executable, "-c", script, f"{PUBLIC}:7654"]),
                                stdout=subprocess.PIPE, text=True, timeout=TIMEOUT, check=True).stdout
        self.assertEqual(answer.strip(), f"307 https://{PUBLIC}:7654/")
        plain = Client(at.guest, f"{PUBLIC}:7654", "eve", "--guest", "--no-tls", "history")
        with plain:
            self.assertNotEqual(plain.status(), 0)
            self.assertIn("only encrypted connections", plain.text)

    def test_the_owner_sees_each_step(self):
        at = self.home("nat-pmp")
        folder = self.enterContext(tempfile.TemporaryDirectory())
        server = self.server(at, "--data-dir", folder)
        link, _ = self.link(server)
        shown = self.ctl(at, folder, "reach")
        self.assertIn(f"internet:     {link}\n", shown)
        self.assertRegex(shown, rf"open:         {PUBLIC}:7654 by NAT-PMP for \d+ min, renewed")
        self.assertRegex(shown, r"tried:        PCP to 192\.168\.1\.1: no answer \(\d+ ms\)")
        self.assertIn(link, self.ctl(at, folder, "status"))


class Hostile(Case):
    """What these do to the parser of PCP is in unit_transport_test and the fuzz target port_mapping."""

    def lie(self, mode):
        at = self.home("pcp", "nat-pmp", daemon=False)
        liar = self.enterContext(Process(
            ["ip", "netns", "exec", at.router, sys.executable, "-B", f"{FOLDER}/hostile_router.py", mode], None,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        liar.expect("^ready$")
        other = self.enterContext(Process(
            at.other.command([sys.executable, "-c",
                              "import socket\n"
                              "listener = socket.create_server(('', 80))\n"
                              "print('ready', flush=True)\n"
                              "print('from', listener.accept()[1], flush=True)"]), None, stdout=subprocess.PIPE))
        other.expect("^ready$")
        server = self.server(at)
        server.expect("^Guests on other networks can't reach this server")
        self.assertLess(time.monotonic() - server.began, PATIENCE + 1)
        liar.expect("asked 02")
        guest = self.enterContext(Client(at.host, "localhost:7654", "ann", "--guest"))
        guest.type("rooms")
        self.assertEqual(guest.end(), 0)
        self.assertNotIn("Guests anywhere", server.text)
        with open(f"/proc/{self.pid(server)}/status", encoding="ascii") as status:
            self.assertLess(int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]), 300_000)
        server.process.terminate()
        self.assertEqual(server.status(), 0)
        self.assertNotIn("from", other.text)
        return liar

    def pid(self, server):
        return server.process.pid  # `ip netns exec` executes it

    def test_a_description_on_another_host_is_not_fetched(self):
        self.assertIn("searched", self.lie("elsewhere").text)

    def test_a_service_on_another_host_is_not_called(self):
        self.assertIn("visited", self.lie("control").text)

    def test_a_description_without_end(self):
        self.lie("endless").expect("hung up")

    def test_a_description_that_grows(self):
        self.assertIn("visited", self.lie("bomb").text)


def room_of(link, room):
    return link.replace("#/?", f"#/join/{room}?")


def map_port(host, address):
    """The port that a router gives another host, by PCP."""
    request = struct.pack("!BBHI", 2, 1, 0, 600) + b"\0" * 10 + b"\xff\xff" + socket.inet_aton(address)
    request += b"another host" + struct.pack("!B3xHH", 6, 7654, 7654) + b"\0" * 10 + b"\xff\xff" + b"\0" * 4
    script = ("import socket, sys\n"
              "link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
              "link.settimeout(10)\n"
              "link.sendto(bytes.fromhex(sys.argv[1]), ('192.168.1.1', 5351))\n"
              "print(link.recv(1100).hex())")
    answer = bytes.fromhex(subprocess.run(
        host.command([sys.executable, "-c", script, request.hex()]), stdout=subprocess.PIPE, text=True,
        timeout=TIMEOUT, check=True).stdout.strip())
    return struct.unpack("!H", answer[42:44])[0]
