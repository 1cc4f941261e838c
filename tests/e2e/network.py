"""Hosts on one LAN: network namespaces on a bridge, or, if these are not allowed, loopback.

Everything is in namespaces of our own, the bridge too, so nothing of the machine's network changes.
Their names hold this process's id; what a run that was killed has left behind is removed by the next.
"""

import os
import re
import subprocess
import sys

PREFIX = "tttest"


def _ip(*arguments):
    return subprocess.run(["ip", *arguments], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True).stdout


def add_namespace(name):
    """Its full name. Addresses can be used at once, without a search for duplicates: a browser takes its end for a
    change of the network, and gives up the page that it loads."""
    namespace = f"{PREFIX}{os.getpid()}-{name}"
    _ip("netns", "add", namespace)
    _ip("-n", namespace, "link", "set", "lo", "up")
    for interfaces in ("all", "default"):
        _ip("netns", "exec", namespace, "sysctl", "-q", "-w", f"net.ipv6.conf.{interfaces}.accept_dad=0")
    return namespace


class Host:
    """A host on which programs run, and its addresses. Its port is the end of its cable at the bridge."""

    def __init__(self, ipv4, ipv6, namespace=None, port=None):
        self.ipv4 = ipv4
        self.ipv6 = ipv6
        self.port = port
        self.namespace = namespace

    def command(self, command):
        if self.namespace is None:
            return command
        return ["ip", "netns", "exec", self.namespace, *command]

    def address4(self, port):
        return f"{self.ipv4}:{port}"


LOOPBACK = Host("127.0.0.1", "::1")


class Network:
    """Hosts by name. Use in a `with`: its end removes them."""

    def __init__(self, *names, here=None):
        """`here` names a host more, on which this process is: only in a namespace of its own."""
        self._names, self._here = names, here
        self._namespaces = []
        self.hosts = {}
        self.lan = None  # the namespace of the bridge
        self.missing = ""  # why there are no namespaces

    def __enter__(self):
        # Debian's `ip` is only in root's PATH.
        os.environ["PATH"] += os.pathsep + "/usr/sbin" + os.pathsep + "/sbin"
        try:
            self._remove_stale()
            self._build()
        except (OSError, subprocess.CalledProcessError) as error:
            self._remove()
            self.missing = (getattr(error, "output", None) or str(error)).strip()
            print(f"NOTE: no network namespaces here ({self.missing}): all hosts are this one, "
                  "on loopback", file=sys.stderr)
            self.hosts = {name: LOOPBACK for name in (*self._names, self._here) if name}
        return self

    def __exit__(self, *_):
        self._remove()

    def __getitem__(self, name):
        return self.hosts[name]

    def _add(self, name):
        self._namespaces.append(add_namespace(name))
        return self._namespaces[-1]

    def _build(self):
        self.lan = self._add("lan")
        _ip("-n", self.lan, "link", "add", "bridge", "type", "bridge")
        _ip("-n", self.lan, "link", "set", "bridge", "up")
        for number, name in enumerate(self._names, start=1):
            namespace = self._add(name)
            self._join(number, name, namespace)
            _ip("netns", "exec", namespace, "true")  # shows whether programs can run there
        if self._here:
            _ip("link", "set", "lo", "up")
            self._join(len(self._names) + 1, self._here, None)

    def _join(self, number, name, namespace):
        """With a cable from the namespace, or from that of this process, to the bridge."""
        where = ["-n", namespace] if namespace else []
        ipv4, ipv6, port = f"10.77.0.{number}", f"fd77::{number}", f"port{number}"
        _ip(*where, "link", "add", "lan", "type", "veth", "peer", "name", port, "netns", self.lan)
        _ip("-n", self.lan, "link", "set", port, "master", "bridge", "up")
        _ip(*where, "address", "add", f"{ipv4}/24", "dev", "lan")
        _ip(*where, "address", "add", f"{ipv6}/64", "dev", "lan", "nodad")
        _ip(*where, "link", "set", "lan", "up")
        self.hosts[name] = Host(ipv4, ipv6, namespace, port)

    def _remove(self):
        for namespace in self._namespaces:
            subprocess.run(["ip", "netns", "delete", namespace], check=False,
                           stderr=subprocess.DEVNULL)
        self._namespaces = []

    @staticmethod
    def _remove_stale():
        for line in _ip("netns", "list").splitlines():
            match = re.match(rf"({PREFIX}(\d+)-\S+)", line)
            if match and not os.path.exists(f"/proc/{match.group(2)}"):
                subprocess.run(["ip", "netns", "delete", match.group(1)], check=False,
                               stderr=subprocess.DEVNULL)
