"""What the two programs do with options, signals, pipes and each other's absence."""

import shlex
import socket
import subprocess
import tempfile
import unittest

from case import ServerCase
from network import LOOPBACK
from programs import BIN, TIMEOUT, Server, run


class BadOptions(unittest.TestCase):
    def refused(self, program, *options):
        result = run(program, *options)
        self.assertEqual(result.returncode, 2, result)
        self.assertEqual(result.stdout, "")
        self.assertIn("--help", result.stderr)
        return result.stderr

    def test_are_named(self):
        for command, *named in (
                ("tictactoe --colour", "--colour"), ("tictactoe local --seat z", "--seat"),
                ("tictactoe here --server there", "two servers"), ("tictactoe --name", "--name"),
                ("tictactoe --server [::1", "[ADDRESS]:PORT"), ("tictactoe replay", "GAME"),
                ("tictactoe export duel", "not the number of a game"),
                ("tictactoe history --limit 0", "--limit"),
                ("tictactoe --retry soon", "--retry"),
                ("tictactoe --server localhost:port --name ''", "port", "--name"),
                ("tictactoe-server stray", "stray"), ("tictactoe-server --ai-delay soon", "--ai-delay")):
            with self.subTest(command=command):
                problems = self.refused(*shlex.split(command))
                for words in named:
                    self.assertIn(words, problems)

    def test_help_and_version_are_no_mistakes(self):
        for program in ("tictactoe", "tictactoe-server"):
            for option in ("--help", "--version"):
                result = run(program, option)
                self.assertEqual(result.returncode, 0, result)
                self.assertIn("tictactoe", result.stdout)
                self.assertEqual(result.stderr, "")

    def test_a_port_in_use(self):
        with Server(LOOPBACK) as server:
            result = run("tictactoe-server", "--port", str(server.port))
            self.assertEqual(result.returncode, 1)
            self.assertIn(str(server.port), result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_an_address_of_another_machine(self):
        result = run("tictactoe-server", "--listen", "192.0.2.1", "--port", "0")
        self.assertEqual(result.returncode, 1)
        self.assertIn("192.0.2.1", result.stderr)


class NoServer(unittest.TestCase):
    def test_refused(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            address = LOOPBACK.address4(unused.getsockname()[1])
            result = run("tictactoe", "--server", address)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"Can't reach a server at {address}", result.stderr)


class Ends(ServerCase):
    def test_a_server_can_be_ended_as_soon_as_it_says_that_it_listens(self):
        for _ in range(3):
            with Server(LOOPBACK) as server:
                server.process.terminate()
                self.assertEqual(server.status(), 0, server.text)

    def test_no_input_at_all(self):
        result = run("tictactoe", "--server", self.address)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_file_plays(self):
        with tempfile.TemporaryFile() as script:
            script.write(b"# a whole game\ncreate den\nai o\nai x\nwait\nsay done")
            script.seek(0)
            result = run("tictactoe", "--server", self.address, "--name", "ann", stdin=script)
        self.assertEqual(result.returncode, 0)
        self.assertIn("\nann: done\n", result.stdout)
        self.assertNotIn("\033", result.stdout)

    def test_without_standard_streams(self):
        for stream in (0, 1, 2):
            command = f"exec {BIN}/tictactoe --server {self.address} {stream}>&-"
            result = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, timeout=TIMEOUT, check=False)
            self.assertEqual(result.returncode, 0, stream)
            self.assertEqual(b"Connected to" in result.stdout, stream != 1, stream)

    def test_a_line_without_end(self):
        client = self.client("alice", "say " + "x" * 1_000_000, "help")
        client.expect(r"^Line ignored: it is longer than 4096 bytes\.")
        client.expect(r"^To move, type row and column")
        self.assertEqual(client.end(), 0)
