"""Servers that are found by themselves: three hosts on a LAN, two of which have a server.

Skipped where network namespaces are not allowed: whom a client looks for, it asks on every network
of its machine.
"""

import json
import subprocess
import sys
import unittest

from network import LOOPBACK, Network
from programs import BIN, TIMEOUT, Client, Process, Server
from tmux import Tmux, client

LAN = Network("attic", "cellar", "bob")


def setUpModule():
    LAN.__enter__()
    unittest.addModuleCleanup(LAN.__exit__)
    if LAN["attic"] is LOOPBACK:
        raise unittest.SkipTest(f"no network namespaces here: {LAN.missing}")


class Lan(unittest.TestCase):
    def server(self, host, *options):
        return self.enterContext(Server(LAN[host], "--name", f"the {host}", *options, found=True))

    def client(self, host, name, *options):
        """A client without an address."""
        return self.enterContext(Client(LAN[host], None, name, *options))

    def run_lan(self, host, *options):
        command = [f"{BIN}/tictactoe", "lan", *options]
        return subprocess.run(LAN[host].command(command), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False)

    def found(self, host):
        """The servers that this host finds: by name, the output of --json."""
        result = self.run_lan(host, "--json")
        servers = json.loads(result.stdout)["servers"]
        self.assertEqual(result.returncode, 0 if servers else 1)
        return {found["server"]["name"]: found for found in servers}


class Invitation(Lan):
    def fetch(self, host, server, path):
        """The status of the answer, and where it leads or what it says."""
        script = ("import http.client, sys\n"
                  "link = http.client.HTTPConnection(sys.argv[1])\n"
                  "link.request('GET', sys.argv[2])\n"
                  "answer = link.getresponse()\n"
                  "text = answer.read().decode()\n"
                  "print(answer.status, answer.getheader('Location') or text)")
        result = subprocess.run(LAN[host].command([sys.executable, "-c", script, server, path]),
                                stdout=subprocess.PIPE, text=True, timeout=TIMEOUT, check=True)
        return result.stdout.strip()

    def test_the_server_prints_the_address_for_browsers_of_other_machines(self):
        server = self.server("attic", "--qr")
        server.expect(f"^Guests play in a browser or on a phone at "
                      rf"https://{LAN['attic'].ipv4}:{server.port}/#/\?key=SHA256:\S+$")
        server.expect("█▀▀▀▀▀█")
        key = server.expect(r"the server's key is (\S+)").group(1)
        link = f"https://{LAN['attic'].ipv4}:{server.port}/#/?key={key}"
        self.assertIn(f"at {link}\n", server.text)
        self.assertEqual(self.fetch("attic", f"127.0.0.1:{server.port}", "/join.txt"), f"200 {link}")

    def test_browsers_of_other_machines_are_sent_to_https(self):
        server = self.server("attic")
        there = LAN["attic"].address4(server.port)
        self.assertEqual(self.fetch("bob", there, "/page?x"), f"307 https://{there}/page?x")
        self.assertRegex(self.fetch("bob", there, "/ws"), "^403 ")
        self.assertRegex(self.fetch("attic", f"127.0.0.1:{server.port}", "/"), "^200 ")

    def test_the_owner_can_allow_plain_http(self):
        server = self.server("attic", "--qr", "--allow-plain-http")
        there = LAN["attic"].address4(server.port)
        server.expect(f"^Guests play in a browser or on a phone at http://{there}/$")
        self.assertEqual(self.fetch("bob", there, "/join.txt"), f"200 http://{there}/")

    def test_a_server_on_the_loopback_has_none(self):
        server = self.server("attic", "--qr", "--listen", "127.0.0.1")
        printed = server.expect("the server's key is").string
        self.assertNotIn("Guests", printed)
        self.assertRegex(printed, "(?m)^players on this machine join with tictactoe localhost:")

    def on_attic(self, *words):
        subprocess.run(LAN["attic"].command(["ip", *words]), check=True, timeout=TIMEOUT)

    def link(self, name, kind, address, *options):
        """An interface of that kind with an address, for the time of the test."""
        self.on_attic("link", "add", name, *options, "type", *kind)
        self.addCleanup(self.on_attic, "link", "delete", name)
        self.on_attic("address", "add", address, "dev", name)
        self.on_attic("link", "set", name, "up")

    def two_networks(self):
        """Connects the attic to a second network; its addresses, the usual one first."""
        self.link("cable", ["veth", "peer", "name", "cable-end"], "10.78.0.1/24")
        self.on_attic("link", "set", "cable-end", "up")
        self.on_attic("route", "add", "default", "via", "10.78.0.2")
        return ["10.78.0.1", LAN["attic"].ipv4]

    def test_the_full_screen_shows_the_addresses_of_two_networks(self):
        first, second = (f"{one}:" for one in self.two_networks())
        server = self.server("attic")
        ann = Tmux(LAN["attic"].command(client(f"localhost:{server.port}", "ann", "--guest")))
        self.addCleanup(ann.close)
        ann.expect(f"tictactoe {first}{server.port} or {second}{server.port} .a clone: ./run join")
        ann.keys("i")
        ann.expect(f"https://{first}{server.port}/")
        ann.expect(f"tictactoe {second}{server.port}")
        ann.keys_until("Tab", f"https://{second}{server.port}/")


class Finding(Lan):
    def test_two_servers_are_found_with_their_open_rooms(self):
        attic, cellar = self.server("attic"), self.server("cellar")
        alice = self.client("attic", "alice", "--server", f"localhost:{attic.port}")
        alice.type("create duel 15x15x5")
        alice.expect(r"^You are alice, playing X")
        locked = self.client("attic", "eve", "--server", f"localhost:{attic.port}")
        locked.type("create secret 4 password sesame")
        locked.expect(r"^You are eve, playing X")

        found = self.found("bob")
        self.assertEqual(set(found), {"the attic", "the cellar"})
        told = found["the attic"]["server"]
        self.assertEqual((told["players"], told["rooms"], told["openRooms"]), (2, 2, 1))
        self.assertEqual([(room["name"], room["rules"]["k"], room["needsPassword"])
                          for room in told["listed"]], [("duel", 5, False), ("secret", 4, True)])
        self.assertEqual(found["the attic"]["address"], LAN["attic"].address4(attic.port))
        self.assertEqual(found["the cellar"]["address"], LAN["cellar"].address4(cellar.port))
        table = self.run_lan("bob").stdout
        self.assertRegex(table, r"(?m)^the attic +\S+ +2 +2 +duel \(15 x 15, 5 in a row\), "
                                r"secret \(4 x 4, 4 in a row, password\)$")
        self.assertRegex(table, r"(?m)^the cellar +\S+ +0 +0 +-$")

    def test_several_on_one_machine_are_all_found(self):
        names = ["one", "two", "three"]
        servers = [self.enterContext(Server(LAN["attic"], "--name", name, found=True))
                   for name in names]
        for host in ("bob", "attic"):
            with self.subTest(asked_from=host):
                ports = {name: found["server"]["port"] for name, found in self.found(host).items()}
                self.assertEqual(ports, dict(zip(names, [server.port for server in servers])))

    def test_only_where_it_listens(self):
        self.server("attic", "--listen", "127.0.0.1")
        self.assertEqual(set(self.found("attic")), {"the attic"})
        self.assertEqual(self.found("bob"), {})


class AddressFamilies(Lan):
    """Each way of asking by itself."""

    def only_found_at(self, pattern):
        found = self.found("bob")
        self.assertEqual(set(found), {"the attic"})
        address = found["the attic"]["address"]
        self.assertRegex(address, pattern)
        # The address is good for more than being shown.
        client = self.client("bob", "bob", "--server", address)
        client.expect(r"^Connected to the attic ")
        self.assertEqual(client.end(), 0)

    def test_ipv4(self):
        self.server("attic", "--listen", "0.0.0.0")
        self.only_found_at(r"^10\.77\.0\.1:\d+$")

    def test_ipv6_of_the_link(self):
        host = LAN["bob"]
        subprocess.run(host.command(["ip", "address", "flush", "dev", "lan", "scope", "global"]),
                       check=True)
        self.addCleanup(self.restore, host)
        self.server("attic")
        self.only_found_at(r"^\[fe80::[0-9a-f:]+%lan\]:\d+$")

    @staticmethod
    def restore(host):
        for address in (f"{host.ipv4}/24", f"{host.ipv6}/64"):
            subprocess.run(host.command(["ip", "address", "add", address, "dev", "lan",
                                         *(["nodad"] if ":" in address else [])]), check=True)

    def test_ipv4_multicast_where_there_is_no_broadcast(self):
        self.server("attic", "--listen", LAN["attic"].ipv4)
        self.assertTrue(self.asked_alone("239.255.76.54"))
        self.assertTrue(self.asked_alone("10.77.0.255"))
        self.assertFalse(self.asked_alone("239.255.76.55"))

    def asked_alone(self, address):
        """Whether a plain query to that address is answered, by what will not pass a router."""
        script = f"""
import socket
query = bytes.fromhex('0d5454543f1001190807060504030201') + b'\\x22\\xc8\\x01' + bytes(200)
asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asking.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton('{LAN["bob"].ipv4}'))
asking.bind(('{LAN["bob"].ipv4}', 0))
asking.setsockopt(socket.IPPROTO_IP, 12, 1)  # IP_RECVTTL, see ip(7)
asking.settimeout(1)
asking.sendto(query, ('{address}', 7654))
answer, beside, _, _ = asking.recvmsg(2000, 100)
assert beside[0][2][0] == 1, beside
assert answer[:5] == b'\\x0dTTT!', answer
assert len(answer) <= len(query)
"""
        return subprocess.run(LAN["bob"].command(["/usr/bin/python3", "-c", script]), check=False,
                              stderr=subprocess.DEVNULL, timeout=TIMEOUT).returncode == 0


class Joining(Lan):
    def test_a_game_between_two_hosts_without_an_address(self):
        attic, cellar = self.server("attic"), self.server("cellar")
        self.assertEqual(set(self.found("bob")), {"the attic", "the cellar"})
        cellar.process.terminate()
        self.assertEqual(cellar.status(), 0)
        # The other two hosts, without the address of the attic's server.
        alice, bob = self.client("cellar", "alice"), self.client("bob", "bob")
        for client in (alice, bob):
            client.expect(rf"^Found the server \"the attic\" at \S+:{attic.port}\.$")
        alice.type("create duel")
        alice.expect(r"^You are alice, playing X")
        bob.type("play")
        bob.expect(r"^You are bob, playing O in the room \"duel\"")
        alice.type("a1", "b1", "c1")
        bob.type("a2", "b2")
        alice.expect(r"^You win! alice \(X\) wins: row 1\.")
        bob.expect(r"^You lose\. alice \(X\) wins: row 1\.")
        self.assertEqual((alice.end(), bob.end()), (0, 0))

    def test_several_are_listed_and_none_is_joined(self):
        self.server("attic"), self.server("cellar")
        client = self.client("bob", "bob")
        self.assertEqual(client.status(), 1)
        self.assertRegex(client.text, r"^There are several servers on this network:\n"
                                      r"SERVER .*\nthe attic .*\nthe cellar .*\nChoose .*--server")
        self.assertNotIn("Connected", client.text)


class Hostile(Lan):
    def test_a_port_that_is_taken_is_a_warning(self):
        script = ("import socket,sys\n"
                  "taken = [socket.socket(family, socket.SOCK_DGRAM)\n"
                  "         for family in (socket.AF_INET, socket.AF_INET6)]\n"
                  "taken[1].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)\n"
                  "for one, address in zip(taken, ('0.0.0.0', '::')): one.bind((address, 7654))\n"
                  "print('taken', flush=True)\n"
                  "sys.stdin.read()\n")
        taker = self.enterContext(Process(LAN["attic"].command(["/usr/bin/python3", "-c", script]), None,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        taker.expect("^taken$")
        server = self.server("attic")
        for family in ("IPv4", "IPv6"):
            server.expect(rf"\[warning\] discovery does not work over {family}: UDP port 7654: ")
        self.assertEqual(self.found("bob"), {})
        client = self.client("attic", "alice", "--server", f"localhost:{server.port}")
        client.expect(r"^Connected to ")
