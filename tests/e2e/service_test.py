"""The server as a service: what it tells the service manager, and sockets that it is given.

The tests play the part of systemd, by its documented protocols, so they need no running one.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest

from case import Case
from programs import BIN, TIMEOUT, Process, free_ports

ANALYZE = shutil.which("systemd-analyze")
ACTIVATE = shutil.which("systemd-socket-activate")
# A library with which the disk does not answer as long as the file of that name exists.
STUCK_DISK = os.environ.get("STUCK_DISK_LIBRARY")
FIRST_PASSED_DESCRIPTOR = 3


class NotifySocket:
    """What a service manager receives: the lines of each notification, in order."""

    def __init__(self, folder):
        self.path = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.path)
        self._socket.settimeout(TIMEOUT)

    def close(self):
        self._socket.close()

    def receive(self):
        return self._socket.recv(4096).decode().splitlines()

    def expect(self, line):
        """Waits for a notification with this line; its lines."""
        while True:
            lines = self.receive()
            if line in lines:
                return lines

    def all_until(self, end):
        """Every line that comes until `end`, a monotonic time."""
        lines = []
        while (left := end - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                lines += self.receive()
            except TimeoutError:
                break
        self._socket.settimeout(TIMEOUT)
        return lines


class Service(Process):
    """A server that is started as systemd starts a service."""

    def __init__(self, notify, *options, listeners=(), **environment):
        variables = {**os.environ, "NOTIFY_SOCKET": notify.path, **environment}
        command = [f"{BIN}/tictactoe-server", "--no-discovery", "--ai-delay", "0", *options]
        passed = [listener.fileno() for listener in listeners]
        if passed:
            variables["LISTEN_FDS"] = str(len(passed))
            # The shell has the process id that the program keeps.
            command = ["/bin/sh", "-c", 'LISTEN_PID=$$ exec "$@"', "sh", *command]

        def place_sockets():
            # Far away first, so that none overwrites another.
            for i, descriptor in enumerate(passed):
                os.dup2(descriptor, 100 + i)
            for i in range(len(passed)):
                os.dup2(100 + i, FIRST_PASSED_DESCRIPTOR + i)

        super().__init__(command, None, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         env=variables, close_fds=False, preexec_fn=place_sockets)

    def listening_port(self):
        return int(self.expect(r"^tictactoe-server \S+ listening on \S+:(\d+)$").group(1))


class ServiceTest(Case):
    def setUp(self):
        super().setUp()
        self.notify = NotifySocket(self.folder)
        self.addCleanup(self.notify.close)

    def start(self, *options, **settings):
        self.server = self.enterContext(Service(self.notify, *options, **settings))
        return self.server

    def connect(self, port):
        self.server.port = port
        return self.raw()

    def listener(self, address="127.0.0.1"):
        listener = socket.socket(socket.AF_INET)
        self.addCleanup(listener.close)
        listener.bind((address, 0))
        listener.listen(64)
        return listener


class Notifications(ServiceTest):
    def test_tells_when_it_is_ready_and_when_it_stops(self):
        service = self.start("--no-journal", "--port", "0")
        lines = self.notify.expect("READY=1")
        port = service.listening_port()
        self.assertIn(f"STATUS=listening on [::]:{port}", lines)
        self.connect(port).hello("ann")  # ready means that clients can come
        service.process.send_signal(signal.SIGTERM)
        self.notify.expect("STOPPING=1")
        self.assertEqual(service.status(), 0, service.text)

    def test_is_not_ready_if_it_cannot_listen(self):
        service = self.start("--no-journal", "--listen", "127.0.0.1",
                             "--port", str(self.listener().getsockname()[1]))
        self.assertEqual(service.status(), 1)
        self.assertEqual(self.notify.all_until(time.monotonic() + 0.1), [])

    def test_feeds_the_watchdog_while_the_loop_turns(self):
        service = self.start("--no-journal", "--port", "0", WATCHDOG_USEC="400000")
        self.notify.expect("WATCHDOG=1")
        self.notify.expect("WATCHDOG=1")
        # A process that does not run feeds nothing.
        service.process.send_signal(signal.SIGSTOP)
        self.notify.all_until(time.monotonic() + 0.2)
        self.assertNotIn("WATCHDOG=1", self.notify.all_until(time.monotonic() + 0.6))
        service.process.send_signal(signal.SIGCONT)
        self.notify.expect("WATCHDOG=1")
        self.end(service)

    @unittest.skipUnless(STUCK_DISK, "needs the library stuck_disk, which can't be loaded before a sanitizer's: run it by CTest")
    def test_feeds_nothing_while_the_disk_does_not_answer(self):
        stuck = self.folder / "stuck"
        service = self.start("--data-dir", str(self.data), "--port", "0", WATCHDOG_USEC="400000",
                             LD_PRELOAD=STUCK_DISK, STUCK_DISK=str(stuck))
        client = self.connect(service.listening_port())
        client.hello("ann")
        self.notify.expect("WATCHDOG=1")
        stuck.touch()
        waiting = client.send("create_room", name="den")
        self.notify.all_until(time.monotonic() + 0.2)
        self.assertNotIn("WATCHDOG=1", self.notify.all_until(time.monotonic() + 0.6))
        stuck.unlink()
        self.notify.expect("WATCHDOG=1")
        self.assertEqual(client.answer(waiting).WhichOneof("event"), "snapshot")
        self.end(service)


class PassedSockets(ServiceTest):
    def test_serves_on_them_instead_of_its_own(self):
        first, second = self.listener(), self.listener()
        service = self.start("--no-journal", listeners=(first, second))
        for listener in (first, second):
            self.assertEqual(service.listening_port(), listener.getsockname()[1])
        for number, listener in enumerate((first, second)):
            self.connect(listener.getsockname()[1]).hello(f"guest-{number}")
        self.end(service)

    def test_refuses_a_socket_on_which_it_cannot_accept(self):
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(datagrams.close)
        service = self.start("--no-journal", listeners=(datagrams,))
        self.assertEqual(service.status(), 2)
        self.assertIn("socket 3", service.text)

    def test_the_port_stays_open_over_a_restart(self):
        listener = self.listener()
        port = listener.getsockname()[1]
        self.address = f"127.0.0.1:{port}"
        first = self.start("--data-dir", str(self.data), listeners=(listener,))
        first.listening_port()
        alice = self.client("alice", "create duel")
        alice.expect(r"^You are alice, playing X")
        bob = self.client("bob", "join duel")
        bob.expect(r"^You are bob, playing O")
        alice.type("a1")
        bob.expect(r"^alice plays a1")
        self.end(first)
        # Nobody serves now. A connection succeeds, and its hello waits.
        carol = self.connect(port)
        request = carol.send("hello", protocol_versions=[1], name="carol")
        second = self.start("--data-dir", str(self.data), listeners=(listener,))
        second.listening_port()
        self.assertEqual(carol.answer(request).welcome.player_name, "carol")
        bob.expect(r"^Back on the server as bob\.$")
        alice.expect(r"^Back on the server as alice\.$")
        bob.type("b2")
        bob.expect(r"^You play b2\.")
        alice.type("c1")
        bob.expect(r"^alice plays c1\. Your turn")
        self.end(second)

    @unittest.skipUnless(ACTIVATE, "systemd-socket-activate is not installed (package systemd)")
    def test_is_started_by_the_first_connection(self):
        [port] = free_ports(1)  # it does not take 0
        command = [ACTIVATE, "--listen", f"127.0.0.1:{port}", f"{BIN}/tictactoe-server",
                   "--no-journal", "--no-discovery"]
        with Process(command, None, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as service:
            service.expect(r"Listening on ")
            self.server = service
            self.connect(port).hello("ann")
            service.expect(rf"^tictactoe-server \S+ listening on 127.0.0.1:{port}$")
            service.process.send_signal(signal.SIGTERM)
            self.assertEqual(service.status(), 0)


class Unit(Case):
    """The files for systemd."""

    def setUp(self):
        super().setUp()
        for unit in pathlib.Path(os.environ["TICTACTOE_BUILD"], "server/systemd").glob("tictactoe-server.*"):
            shutil.copy(unit, self.folder)

    @unittest.skipUnless(ANALYZE, "systemd-analyze is not installed (package systemd)")
    def test_is_hardened(self):
        analysis = subprocess.run(
            [ANALYZE, "security", "--offline=true", "--no-pager", "--threshold=15",
             self.folder / "tictactoe-server.service"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(analysis.returncode, 0, analysis.stdout)

    @unittest.skipUnless(ANALYZE, "systemd-analyze is not installed (package systemd)")
    def test_has_no_mistakes(self):
        units = [self.folder / f"tictactoe-server.{kind}" for kind in ("service", "socket")]
        # The program is not installed.
        service = units[0].read_text()
        program = re.search(r"^ExecStart=(\S+)", service, re.MULTILINE).group(1)
        units[0].write_text(service.replace(program, f"{BIN}/tictactoe-server"))
        # As the handbook says for a certificate of Let's Encrypt.
        handbook = pathlib.Path(__file__).resolve().parents[2] / "docs" / "hosting.md"
        example = re.search(r"^    \[Service\]\n(?:    .*\n)+", handbook.read_text(), re.MULTILINE).group(0)
        self.assertIn("LoadCredential=key.pem:", example)
        (self.folder / "tictactoe-server.service.d").mkdir()
        (self.folder / "tictactoe-server.service.d" / "override.conf").write_text(
            re.sub("^    ", "", example, flags=re.MULTILINE))
        check = subprocess.run([ANALYZE, "verify", "--man=no", *units], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual((check.returncode, check.stdout), (0, ""))
