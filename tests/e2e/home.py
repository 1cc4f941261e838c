"""A home behind a router, and a guest somewhere else on the internet: network namespaces.

    host, other -- lan -- router -- wan -- guest

The router is Debian's miniupnpd over nftables, or, if it has to lie, a script of the test. As in
network.py, nothing of the machine's network changes."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from network import Host, Network, _ip, add_namespace
from programs import TIMEOUT, Process

# miniupnpd takes the addresses that are reserved for documentation to be private.
PUBLIC, SHARED = "11.7.7.2", "100.64.3.7"
LAN = {"router": "192.168.1.1", "host": "192.168.1.10", "other": "192.168.1.11"}
LAN6, WAN6 = "2001:db8:1::", "2001:db8:2::"

RULES = """
table inet filter {
  chain forward {
    type filter hook forward priority 0; policy drop;
    ct state established,related accept
    iifname "lan" accept
    jump miniupnpd
    BY_HAND
  }
  chain miniupnpd { }
  chain input {
    type filter hook input priority 0;
    iifname "lan" udp dport 5351 @th,64,8 { SILENT } drop
  }
  chain prerouting { type nat hook prerouting priority -100; jump prerouting_miniupnpd; }
  chain prerouting_miniupnpd { }
  chain postrouting {
    type nat hook postrouting priority 100;
    jump postrouting_miniupnpd
    ip saddr 192.168.1.0/24 oifname "wan" masquerade
  }
  chain postrouting_miniupnpd { }
}
"""

DAEMON = """
ext_ifname=wan
listening_ip=lan
enable_natpmp={pmp}
enable_upnp={upnp}
system_uptime=no
secure_mode=yes
min_lifetime=1
max_lifetime={lease}
uuid=518a08fc-35e8-4a2f-be47-dd3a43e1c753
serial=1
allow 1024-65535 192.168.1.0/24 1024-65535
deny 0-65535 0.0.0.0/0 0-65535
"""


def missing():
    """The packages that such a home needs and this machine lacks."""
    os.environ["PATH"] += os.pathsep + "/usr/sbin" + os.pathsep + "/sbin"
    return [package for program, package in
            (("miniupnpd", "miniupnpd"), ("nft", "nftables"), ("ip", "iproute2"), ("chromium", "chromium"),
             ("chromedriver", "chromium-driver"))
            if not shutil.which(program)]


class Home:
    """Use in a `with`. `speaks` are protocols of the router: pcp, nat-pmp, upnp; `wan` is the router's
    own address; `lease` is the longest that it gives by PCP, in seconds. Without a daemon a test answers
    in the name of the router."""

    def __init__(self, speaks=(), wan=PUBLIC, ipv6=False, forwarded=None, daemon=True, lease=86400):
        self.speaks, self.wan, self.ipv6, self._forwarded = set(speaks), wan, ipv6, forwarded
        self._lease = lease
        self._namespaces = []
        self._folder = tempfile.TemporaryDirectory()
        self.daemon = None  # the program
        self._has_daemon = daemon and bool(self.speaks)

    def __enter__(self):
        Network._remove_stale()
        self.world, self.router = self._add("world"), self._add("router")
        for segment in ("lan", "wan"):
            _ip("-n", self.world, "link", "add", segment, "type", "bridge")
            _ip("-n", self.world, "link", "set", segment, "up")
        self._plug(self.router, "lan", LAN["router"], LAN6 + "1")
        self._plug(self.router, "wan", self.wan, WAN6 + "1")
        self.host = self._machine("host", "lan", LAN["host"], LAN6 + "10", LAN["router"], LAN6 + "1")
        self.other = self._machine("other", "lan", LAN["other"], LAN6 + "11", LAN["router"], LAN6 + "1")
        guest = "100.64.9.9" if self.wan == SHARED else "11.7.7.50"
        self.guest = self._machine("guest", "wan", guest, WAN6 + "50", None, WAN6 + "1")
        for name in ("net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding"):
            self.on_router("sysctl", "-q", "-w", f"{name}=1")
        rules = RULES.replace("SILENT", self._silent()).replace("BY_HAND", self._by_hand())
        self.on_router("nft", "-f", "-", text=rules)
        if self._forwarded:
            self.on_router("nft", "add", "rule", "inet", "filter", "prerouting", "iifname", "wan",
                           "tcp", "dport", str(self._forwarded), "dnat", "ip", "to",
                           f"{LAN['host']}:{self._forwarded}")
        if self._has_daemon:
            self.start_router()
        return self

    def __exit__(self, *_):
        self.stop_router()
        for namespace in self._namespaces:
            subprocess.run(["ip", "netns", "delete", namespace], check=False)
        self._folder.cleanup()

    def _silent(self):
        """The first bytes of datagrams that the router ignores: the version is 2 in PCP, 0 in NAT-PMP."""
        return ", ".join(["9"] + ["2"] * ("pcp" not in self.speaks) + ["0"] * ("nat-pmp" not in self.speaks))

    def _by_hand(self):
        return f"ip daddr {LAN['host']} tcp dport {self._forwarded} accept" if self._forwarded else ""

    def _add(self, name):
        self._namespaces.append(add_namespace(name))
        return self._namespaces[-1]

    def _plug(self, namespace, segment, ipv4, ipv6):
        port = f"{segment}{len(self._namespaces)}"
        _ip("-n", namespace, "link", "add", segment, "type", "veth", "peer", "name", port, "netns", self.world)
        _ip("-n", self.world, "link", "set", port, "master", segment, "up")
        _ip("-n", namespace, "address", "add", f"{ipv4}/24", "dev", segment)
        if self.ipv6:
            _ip("-n", namespace, "address", "add", f"{ipv6}/64", "dev", segment)
        _ip("-n", namespace, "link", "set", segment, "up")

    def _machine(self, name, segment, ipv4, ipv6, gateway, gateway6):
        namespace = self._add(name)
        self._plug(namespace, segment, ipv4, ipv6)
        if gateway:
            _ip("-n", namespace, "route", "add", "default", "via", gateway)
        if self.ipv6:
            _ip("-n", namespace, "route", "add", "default", "via", gateway6)
        return Host(ipv4, ipv6, namespace)

    def on_router(self, *command, text=None):
        return subprocess.run(["ip", "netns", "exec", self.router, *command], input=text, text=True,
                              check=True, stdout=subprocess.PIPE, timeout=TIMEOUT).stdout

    def start_router(self):
        config = pathlib.Path(self._folder.name, "miniupnpd.conf")
        config.write_text(DAEMON.format(
            pmp="yes" if self.speaks & {"pcp", "nat-pmp"} else "no",
            upnp="yes" if "upnp" in self.speaks else "no", lease=self._lease))
        self.daemon = Process(
            ["ip", "netns", "exec", self.router, "miniupnpd", "-d", "-f", str(config), "-P",
             str(pathlib.Path(self._folder.name, "pid"))], None,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.daemon.expect("HTTP listening on port|Listening for NAT-PMP/PCP")

    def stop_router(self):
        """As when it is switched off: its mappings are gone."""
        if self.daemon:
            self.daemon.__exit__()
            self.daemon = None
            for chain in ("miniupnpd", "prerouting_miniupnpd", "postrouting_miniupnpd"):
                self.on_router("nft", "flush", "chain", "inet", "filter", chain)

    def forwards(self):
        """The rules of ports that the router has opened."""
        return [line.strip() for chain in ("prerouting_miniupnpd", "miniupnpd")
                for line in self.on_router("nft", "list", "chain", "inet", "filter", chain).splitlines()
                if "dport" in line]
