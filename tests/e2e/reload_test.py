"""Options that are read again while the server runs: SIGHUP and `tictactoe-server ctl reload`."""

import http.client
import os
import pathlib
import pty
import signal
import subprocess

from case import Case, wait_until
from programs import BIN, TIMEOUT, Process
from raw_client import Refused


class Reload(Case):
    def write(self, *lines):
        self.config = self.file("server.toml", "\n".join(lines))

    def start_with(self, *lines):
        self.write(*lines)
        return self.start("--config", self.config)

    def test_what_can_change_changes_and_the_rest_is_named(self):
        self.start_with("max-rooms = 1")
        ann = self.client("ann", "create den")
        ann.expect("Waiting for an opponent")
        ben = self.client("ben", "create bar")
        ben.expect("room limit|room")
        self.assertEqual(self.ask("status")["status"]["rooms"], 1)
        self.assertIn("No option has changed.", self.done("reload"))
        self.write("max-rooms = 2", "no-lobby-chat = true", "max-side = 5")
        said = self.done("reload")
        self.assertIn("Changed: --max-rooms, --no-lobby-chat.", said.replace(
            "--no-lobby-chat, --max-rooms", "--max-rooms, --no-lobby-chat"))
        self.assertRegex(said, "These need a restart: --max-side")
        ben.type("create bar")
        ben.expect("Waiting for an opponent")
        # Nobody was disturbed, and what needs a restart is named until there is one.
        ann.type("chat still here")
        self.assertRegex(self.done("reload"), "No option has changed. These need a restart")
        self.write("max-rooms = 1")
        said = self.done("reload")
        self.assertNotIn("restart", said)
        self.assertIn("--max-rooms", said)

    def test_what_needs_a_restart_does_not_change_before(self):
        """What guests were told stays true."""
        def status(host):
            connection = http.client.HTTPConnection(*self.address.rsplit(":", 1), timeout=TIMEOUT)
            connection.request("GET", "/", headers={"Host": host})
            answer = connection.getresponse().status
            connection.close()
            return answer

        self.start_with('public-address = "old.example"')
        self.assertEqual((status("old.example"), status("new.example")), (200, 421))
        self.write('public-address = "new.example"')
        self.assertIn("These need a restart: --public-address", self.done("reload"))
        self.assertEqual((status("old.example"), status("new.example")), (200, 421))

    def test_name_rate_and_time_to_drain_change(self):
        self.start_with('name = "old"', "rate = 0")
        ann = self.raw("ann")
        for _ in range(50):
            ann.ask("ping")
        self.write('name = "new"', "rate = 1", "burst = 3", "drain = 60")
        said = self.done("reload")
        for option in ("--name", "--rate", "--burst", "--drain"):
            self.assertIn(option, said)
        self.assertNotIn("restart", said)
        # Also those of people who are here.
        with self.assertRaisesRegex(Refused, "requests"):
            for _ in range(50):
                ann.ask("ping")
        self.assertEqual(self.ask("status")["status"]["server_name"], "new")
        self.client("cid").expect("^Connected to new")
        self.assertIn("Running games have 60 s", self.done("drain"))

    def test_one_mistake_changes_nothing(self):
        server = self.start_with("max-rooms = 1")
        self.write("max-rooms = 5", "grace = -3", "", 'colour = "red"')
        said = self.fails("reload")
        self.assertRegex(said, r"Nothing was changed\. .*server\.toml, line 2: .*grace")
        self.assertRegex(said, r"line 4: there is no option \"colour\"")
        server.process.send_signal(signal.SIGHUP)
        server.expect("reload: Nothing was changed")
        self.client("ann", "create den").expect("Waiting for an opponent")
        self.client("ben", "create bar")
        self.assertEqual(self.ask("status")["status"]["rooms"], 1)
        os.remove(self.config)
        self.assertIn("Nothing was changed", self.fails("reload"))

    def test_a_signal_reads_the_files_too(self):
        old, new = self.file("old", "old"), self.file("new", "new")
        secret = self.file("password", "old")
        server = self.start_with(f'password-file = "{secret}"', 'log = "info"')
        self.client("ann", options=("--server-password-file", old)).expect("^Connected to")
        self.file("password", "new")
        self.write(f'password-file = "{secret}"', 'log = "debug"', "ai-delay = 5")
        server.process.send_signal(signal.SIGHUP)
        server.expect("reload: Reloaded. Changed: .*--log")
        self.client("ben", options=("--server-password-file", old)).expect("Wrong password")
        self.client("cid", options=("--server-password-file", new)).expect("^Connected to")
        os.remove(secret)
        self.assertIn("Nothing was changed", self.fails("reload"))
        self.client("eve", options=("--server-password-file", new)).expect("^Connected to")
        self.end(server)

    def make_the_file_hang(self):
        """The writing end of a pipe in its place: who reads it waits for what is written."""
        os.remove(self.config)
        os.mkfifo(self.config)
        return open(os.open(self.config, os.O_RDWR), "w")  # does not wait for a reader

    def wait_until_read_by(self, server):
        files = pathlib.Path(f"/proc/{server.process.pid}/fd")

        def is_it(file):
            try:
                return file.samefile(self.config)
            except FileNotFoundError:  # closed meanwhile
                return False

        wait_until(lambda: any(map(is_it, files.iterdir())), "reader")

    def test_a_file_that_hangs_stops_only_the_reload(self):
        server = self.start_with("grace = 10")
        with self.make_the_file_hang() as file:
            server.process.send_signal(signal.SIGHUP)
            self.wait_until_read_by(server)
            self.client("ann", "create den").expect("Waiting for an opponent")
            self.assertEqual(self.ask("status")["status"]["rooms"], 1)
            file.write("grace = 20\n")
        server.expect("reload: Reloaded. Changed: --grace")

    def test_a_server_ends_while_a_file_hangs(self):
        server = self.start_with("grace = 10")
        with self.make_the_file_hang():
            server.process.send_signal(signal.SIGHUP)
            self.wait_until_read_by(server)
            server.process.terminate()
            server.expect("stopping")
        self.assertEqual(server.status(), 0)

    def test_a_signal_at_the_start_waits(self):
        self.write()
        with self.make_the_file_hang() as file:
            server = self.enterContext(Process(
                [f"{BIN}/tictactoe-server", "--config", self.config, "--no-journal", "--no-discovery",
                 "--port", "0"], None, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
            self.wait_until_read_by(server)
            server.process.send_signal(signal.SIGHUP)
            os.replace(self.file("later", "grace = 20"), self.config)
            file.write("grace = 10\n")
        server.expect("reload: Reloaded. Changed: --grace")

    def test_at_a_terminal_the_signal_says_that_it_is_gone(self):
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        server = self.start(stdin=theirs)
        os.close(theirs)
        server.process.send_signal(signal.SIGHUP)
        self.assertEqual(server.status(), -signal.SIGHUP)
