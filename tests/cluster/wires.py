"""A real network between the servers, their database and the people: each is in a network namespace of its own,
on one bridge, where packets can be dropped.

That needs root, or the right to make user namespaces. Nothing reaches the machine's own network: this process
moves into a namespace, too, where the people are, and everything is gone when it and its programs end.
Packets are dropped at the bridge by a filter (`tc`, with the classifier `bpf`), so that none of the two ends
knows; `netem`, which would do for losses, is in fewer kernels and has no addresses.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import subprocess
import sys

import places  # noqa: F401  (before what it makes known)
from network import Host, Network

INSIDE = "TICTACTOE_CLUSTER_INSIDE"  # in the environment of a process that has moved already
DATABASES = ("primary", "standby")
FIRST_PORT = 7701  # of the first server; the others have the next ones, since people know servers by ports
PROBE_S = 2.0

# Of `tc`: what a packet from or to a server is, seen from its port of the bridge.
SENT, HEARD = "ingress", "egress"
OFFSET = {SENT: 30, HEARD: 26}  # in a frame, of the other's address


def enter() -> str:
    """Runs this program again in namespaces of its own; there, this returns an empty string. If that is not
    possible, returns the reason."""
    if INSIDE in os.environ:
        return ""
    os.environ["PATH"] += os.pathsep + "/usr/sbin" + os.pathsep + "/sbin"
    rights = [] if os.geteuid() == 0 else ["--user", "--map-current-user", "--keep-caps"]
    # `ip netns` keeps the names there.
    command = ["unshare", *rights, "--net", "--mount", "sh", "-c",
               'mount -t tmpfs tmpfs /run && mkdir /run/netns && exec "$@"', "sh"]
    try:
        _run(*command, "true")
    except (OSError, subprocess.CalledProcessError) as error:
        return _reason(error)
    sys.stdout.flush()
    os.execvpe(command[0], command + sys.orig_argv, os.environ | {INSIDE: "1"})


class Wires:
    """The network, with servers of these names. Use in a `with`, after enter(). If `missing` is not empty, it
    says why there is none."""

    def __init__(self, names: str) -> None:
        self._names = names
        self._network = Network(*names, *DATABASES, here="people")
        self.missing = ""

    def __enter__(self) -> Wires:
        self._network.__enter__()
        self.missing = self._network.missing
        try:
            if not self.missing:
                self._prepare()
        except (OSError, subprocess.CalledProcessError) as error:
            self.missing = _reason(error)
        return self

    def __exit__(self, *_: object) -> None:
        self._network.__exit__()

    @property
    def databases(self) -> tuple[Host, Host]:
        return tuple(self._network[name] for name in DATABASES)

    def host(self, server: str) -> Host:
        return self._network[server]

    def port(self, server: str) -> int:
        return FIRST_PORT + self._names.index(server)

    def to_clients(self, server: str) -> Way:
        return Way(self._network, server, ["people"], opened_by=["people"])

    def to_database(self, server: str) -> Way:
        return Way(self._network, server, [*DATABASES], opened_by=[server])

    def cable(self, server: str) -> Cable:
        return Cable(self._network, server)

    def _prepare(self) -> None:
        """Raises an error if packets can't be dropped, or connections not be broken."""
        for name in self._names:
            port = self._network[name].port
            _tc(self._network, f"qdisc add dev {port} clsact")
            way = self.to_clients(name)
            way.stall()
            way.heal()
        with (socket.create_server(("127.0.0.1", 0)) as listener,
              socket.create_connection(listener.getsockname()) as client):
            client.settimeout(PROBE_S)
            _run("ss", "-K", "-t", "dst", "127.0.0.1")
            try:
                client.recv(1)
            except TimeoutError:
                raise OSError("the kernel does not break connections for `ss -K`") from None
            except OSError:
                pass  # as it should be


class Cable:
    """What a server exchanges with everybody. All functions block for the time of two or three small programs;
    what they do stays until heal()."""

    def __init__(self, network: Network, server: str) -> None:
        self._network, self._server = network, network[server]
        self._filters: list[str] = []
        self._pulled = False

    def pull(self) -> None:
        """Both ends know that they have no network."""
        self._pulled = True
        _run("ip", "-n", self._network.lan, "link", "set", self._server.port, "down")

    def lose(self, share: float) -> None:
        """Drops that share of the packets of either direction, by chance."""
        self._drop(SENT, None, share)
        self._drop(HEARD, None, share)

    def heal(self) -> None:
        if self._pulled:
            _run("ip", "-n", self._network.lan, "link", "set", self._server.port, "up")
        if self._filters:
            _tc(self._network, *(f"filter del {where}" for where in self._filters))
        self._pulled, self._filters = False, []

    def close(self) -> None:
        """Nothing: the network goes with its namespaces."""

    def _drop(self, direction: str, other: Host | None, share: float = 1.0) -> None:
        where = f"dev {self._server.port} {direction} pref {len(self._filters) + 1}"
        code = bytecode(OFFSET[direction], other.ipv4 if other else None, share)
        _tc(self._network, f'filter add {where} bpf da bytecode "{code}"')
        self._filters.append(where)


class Way(Cable):
    """What a server exchanges with its clients, or with the database. See Proxy for what has the same name."""

    def __init__(self, network: Network, server: str, others: list[str], opened_by: list[str]) -> None:
        super().__init__(network, server)
        self._others = [network[name] for name in others]
        self._openers = [network[name] for name in opened_by]
        self._refuses = False

    def cut(self) -> None:
        # Before the ways are gone the other end is told, and what was opened meanwhile comes after.
        self._break()
        self._refuses = True
        self._route("add")
        self._break()

    def stall(self) -> None:
        """Drops everything: what was sent meanwhile arrives when TCP sends it again, if it still does."""
        self.drop_sent()
        self.drop_heard()

    def drop_sent(self) -> None:
        """What the server sends: it hears the others, but none of them hears it."""
        for other in self._others:
            self._drop(SENT, other)

    def drop_heard(self) -> None:
        for other in self._others:
            self._drop(HEARD, other)

    withhold_answers = drop_heard

    def heal(self) -> None:
        if self._refuses:
            self._route("del")
        self._refuses = False
        super().heal()

    def _break(self) -> None:
        which = " or ".join(f"dst {other.ipv4}" for other in self._others).split()
        _run(*self._server.command(["ss", "-K", "-t", *which]))

    def _route(self, verb: str) -> None:
        for opener in self._openers:
            for other in self._others if opener is self._server else [self._server]:
                _run(*opener.command(["ip", "route", verb, "unreachable", f"{other.ipv4}/32"]))


def bytecode(offset: int, address: str | None, share: float) -> str:
    """Of classic BPF, in the form of `tc`: drops that share of all packets, or of IPv4 packets with the address
    at that offset of the frame."""
    code = []  # of operation, jump if true, jump if false, operand; jumps are filled in below
    if address is not None:
        code += [(40, 0, None, 12), (21, 0, None, 0x0800)]  # half a word of the frame, equal
        code += [(32, 0, None, offset), (21, 0, None, int(ipaddress.IPv4Address(address)))]
    if share < 1:
        code += [(32, 0, None, 0xfffff038), (37, None, 0, int(share * 0xffffffff))]  # random, greater
    code += [(6, 0, 0, 2), (6, 0, 0, 0xffffffff)]  # drop it, or leave it to others
    lines = []
    for place, (operation, *jumps, operand) in enumerate(code):
        loads = operation in (32, 40)
        to_end = 0 if loads else len(code) - 2 - place
        lines.append(" ".join(str(to_end if part is None else part) for part in (operation, *jumps, operand)))
    return ",".join([str(len(code)), *lines])


def _tc(network: Network, *lines: str) -> None:
    """In the namespace of the bridge."""
    _run("tc", "-n", network.lan, "-batch", "-", text="".join(f"{line}\n" for line in lines))


def _run(*command: str, text: str = "") -> None:
    subprocess.run(command, check=True, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _reason(error: Exception) -> str:
    return (getattr(error, "output", None) or str(error)).strip().splitlines()[0]
