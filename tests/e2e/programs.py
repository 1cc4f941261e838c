"""The real programs as processes, driven by lines and waited for by what they print."""

import contextlib
import fcntl
import os
import pty
import re
import select
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time

BIN = os.environ.get("TICTACTOE_BIN") or os.path.join(
    os.path.dirname(__file__), os.pardir, os.pardir, "build", "release", "bin")
# Long enough for a build with sanitizers on a busy machine. Only a failing test waits for so long.
TIMEOUT = int(os.environ.get("TICTACTOE_PATIENCE", 60))

# Python would end with status 0.
if len(sys.argv) == 1 and sys.argv[0].endswith("_test.py") and not sys.argv[0].endswith("support/run_test.py"):
    sys.exit(f"start it so: tests/support/run_test.py {sys.argv[0]}")

# Programs must not use the files of the person who runs the tests.
_home = tempfile.TemporaryDirectory(prefix="tictactoe-home-")
os.environ["XDG_DATA_HOME"] = os.path.join(_home.name, "data")
os.environ["XDG_STATE_HOME"] = os.path.join(_home.name, "state")
# Nor that person's configuration. So clients encrypt, as they do for users.
os.environ["XDG_CONFIG_HOME"] = os.path.join(_home.name, "config")
# For a client whose bytes the test reads, or that talks to a script instead of a server.
NO_TLS = "--no-tls"
for _variable in ("TICTACTOE_NAME", "TICTACTOE_SERVER"):
    os.environ.pop(_variable, None)


class Process:
    """A program whose output is collected by a thread. Ended by the end of a `with` at the latest."""

    def __init__(self, command, output, **popen):
        self.command = command
        self.text = ""
        self._seen = 0  # what expect() has gone past
        self._ended = False
        self._changed = threading.Condition()
        self.process = subprocess.Popen(command, **popen)
        self._output = output if output is not None else self.process.stdout.fileno()
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._thread.join(TIMEOUT)
        self._close()

    def _close(self):
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass  # unwritten input is irrelevant

    def _collect(self):
        while True:
            data = self._read()
            with self._changed:
                self.text += data.decode(errors="replace")
                self._ended = not data
                self._changed.notify_all()
            if not data:
                return

    def _read(self):
        try:
            return os.read(self._output, 65536)
        except OSError:  # a pseudo terminal whose other side is gone
            return b""

    def expect(self, pattern):
        """Waits for a match in what was printed after the last one; the match."""
        deadline = time.monotonic() + TIMEOUT
        with self._changed:
            while True:
                match = re.compile(pattern, re.MULTILINE).search(self.text, self._seen)
                if match:
                    self._seen = match.end()
                    return match
                left = deadline - time.monotonic()
                if self._ended or left <= 0:
                    raise AssertionError(
                        f"{'ended' if self._ended else 'time is up'}: no {pattern!r} from "
                        f"{self.command} after:\n{self.text}"
                    )
                self._changed.wait(left)

    def status(self):
        """Waits for the end; the exit status."""
        try:
            status = self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.command} does not end after:\n{self.text}") from None
        self._thread.join(TIMEOUT)
        return status


def free_ports(count):
    """Ports that nothing listens at, for servers that must know theirs before they start. Programs that choose a
    port for themselves get another one, as a rule: the system takes it at random."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in sockets]


def wait_for_port(port):
    """An earlier server has left it, and a connection of another test may use it for a moment."""
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        with socket.socket(socket.AF_INET6) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                return probe.bind(("::", port))
            except OSError:
                time.sleep(0.05)


class Server(Process):
    """A server on a free port, or on that of an earlier one. `host` is a place of network.Network.
    It has a journal only if the options name its directory, and answers discovery only if `found`."""

    def __init__(self, host, *options, port=0, found=False, **popen):
        if "--data-dir" not in options:
            options = ("--no-journal", *options)
        if not found:
            options = ("--no-discovery", *options)
        if port:
            wait_for_port(port)
        command = [f"{BIN}/tictactoe-server", "--port", str(port), "--ai-delay", "0", *options]
        popen.setdefault("stderr", subprocess.STDOUT)
        super().__init__(host.command(command), None, stdout=subprocess.PIPE, **popen)
        self.port = int(self.expect(r"^tictactoe-server \S+ listening on \S+:(\d+)$").group(1))


class Client(Process):
    """A client whose input is a pipe: a script, each line of which waits for its moment. Without a server, it looks
    for one."""

    def __init__(self, host, server, name, *options, **popen):
        command = [f"{BIN}/tictactoe", *(("--server", server) if server else ()), "--name", name, *options]
        popen.setdefault("stdin", subprocess.PIPE)
        popen.setdefault("stdout", subprocess.PIPE)
        super().__init__(host.command(command), None, stderr=subprocess.STDOUT, **popen)

    def type(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        self.process.stdin.flush()

    def end(self):
        """Ends the input; the exit status."""
        self.process.stdin.close()
        return self.status()


class TerminalProcess(Process):
    """A program at a terminal of its own."""

    def __init__(self, command, environment=None):
        self._terminal, terminal = pty.openpty()
        self._woken, self._wake = os.pipe()
        termios.tcsetwinsize(terminal, (24, 80))
        variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        variables.update({"TERM": "xterm"}, **(environment or {}))
        super().__init__(
            command, self._terminal, stdin=terminal, stdout=terminal, stderr=terminal, env=variables,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(terminal)

    def _read(self):
        # A read that waits would keep the terminal open.
        ready, _, _ = select.select([self._terminal, self._woken], [], [])
        return super()._read() if self._woken not in ready else b""

    def _close(self):
        self.hang_up()
        os.close(self._woken)

    def hang_up(self):
        """Closes the terminal, as closing its window does."""
        if self._terminal is None:
            return
        os.close(self._wake)
        self._thread.join(TIMEOUT)
        os.close(self._terminal)
        self._terminal = None

    def keys(self, keys):
        os.write(self._terminal, keys.encode())

    def resize(self, rows, columns):
        termios.tcsetwinsize(self._terminal, (rows, columns))


class TerminalClient(TerminalProcess):
    """A client at a terminal of its own, line by line, which the terminal edits."""

    def __init__(self, host, server, name, *options, environment=None):
        command = [f"{BIN}/tictactoe", "--server", server, "--name", name, "--lines", *options]
        super().__init__(host.command(command), environment)


def run(*command, **options):
    """Runs a program to its end."""
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([f"{BIN}/{command[0]}", *command[1:]], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False,
                          **options)
