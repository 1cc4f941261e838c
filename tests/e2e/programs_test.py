"""What the two programs do with options, signals, pipes and each other's absence."""

import os
import signal
import socket
import subprocess
import tempfile
import unittest

from network import LOOPBACK
from programs import BIN, NO_TLS, TIMEOUT, Client, Server, TerminalClient, run


class BadOptions(unittest.TestCase):
    def refused(self, program, *options):
        result = run(program, *options)
        self.assertEqual(result.returncode, 2, result)
        self.assertEqual(result.stdout, "")
        self.assertIn("--help", result.stderr)
        return result.stderr

    def test_client(self):
        self.assertIn("--colour", self.refused("tictactoe", "--colour"))
        self.assertIn("stray", self.refused("tictactoe", "history", "stray"))
        self.assertIn("tcsh", self.refused("tictactoe", "--completions", "tcsh"))
        self.assertIn("twice", self.refused("tictactoe", "here", "--server", "there"))
        self.assertIn("--name", self.refused("tictactoe", "--name"))
        self.assertIn("[ADDRESS]:PORT", self.refused("tictactoe", "--server", "[::1"))

    def test_client_subcommands(self):
        self.assertIn("GAME", self.refused("tictactoe", "replay"))
        self.assertIn("game's number", self.refused("tictactoe", "export", "duel"))
        self.assertIn("--limit", self.refused("tictactoe", "history", "--limit", "0"))
        self.assertIn("--speed", self.refused("tictactoe", "replay", "1", "--speed", "-1"))
        self.assertIn("--retry", self.refused("tictactoe", "--retry", "soon"))

    def test_client_lists_all_problems(self):
        problems = self.refused("tictactoe", "--server", "localhost:port", "--name", "")
        self.assertIn("port", problems)
        self.assertIn("--name", problems)

    def test_server(self):
        self.assertIn("--colour", self.refused("tictactoe-server", "--colour"))
        self.assertIn("--port", self.refused("tictactoe-server", "--port", "65536"))
        self.assertIn("stray", self.refused("tictactoe-server", "stray"))
        self.assertIn("--ai-delay", self.refused("tictactoe-server", "--ai-delay", "soon"))

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

    def test_something_else_answers(self):
        for options, message in (((), "it does not speak TLS"),
                                 ((NO_TLS,), "Is it a tic-tac-toe server?")):
            with socket.create_server(("127.0.0.1", 0)) as other:
                address = LOOPBACK.address4(other.getsockname()[1])
                with Client(LOOPBACK, address, "alice", *options) as client:
                    connection, _ = other.accept()
                    with connection:
                        connection.sendall(b"SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n"
                                           + b"x" * 200)
                        self.assertEqual(client.status(), 1)
                    self.assertIn(message, client.text)

    def test_lost(self):
        with Server(LOOPBACK) as server:
            with Client(LOOPBACK, LOOPBACK.address4(server.port), "alice", "--retry", "0") as client:
                client.type("play")
                client.expect(r"^Waiting for somebody")
                server.process.kill()
                self.assertEqual(client.status(), 1)
                self.assertRegex(client.text, r"tictactoe: Lost the server 127\.0\.0\.1:\d+: ")

    def test_stopped(self):
        with Server(LOOPBACK) as server:
            with Client(LOOPBACK, LOOPBACK.address6(server.port), "alice", "--retry", "0") as client:
                client.type("play")
                client.expect(r"^Waiting for somebody")
                server.process.terminate()
                self.assertEqual(client.status(), 1)
                self.assertRegex(client.text, r"tictactoe: The server \[::1\]:\d+ stops: ")
                self.assertEqual(server.status(), 0)


class WithServer(unittest.TestCase):
    options = ()

    def setUp(self):
        self.server = Server(LOOPBACK, *self.options).__enter__()
        self.addCleanup(self.server.__exit__)
        self.address = LOOPBACK.address4(self.server.port)


class Ends(WithServer):
    def test_a_server_can_be_ended_as_soon_as_it_says_that_it_listens(self):
        for _ in range(10):
            with Server(LOOPBACK) as server:
                server.process.terminate()
                self.assertEqual(server.status(), 0, server.text)

    def test_a_name_that_the_server_refuses(self):
        result = run("tictactoe", "--server", self.address, "--name", "n" * 1000)
        self.assertEqual(result.returncode, 2)
        self.assertIn("Choose another with --name", result.stderr)

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

    def test_it_begins_with_the_commands_of_its_options(self):
        with Client(LOOPBACK, self.address, "alice", "--command", "create den",
                    "--command", "say first") as client:
            client.type("say second")
            client.expect(r"^alice \(X\): first$")
            client.expect(r"^alice \(X\): second$")
            self.assertEqual(client.end(), 0)

    def test_quit_ends_before_the_end_of_input(self):
        with Client(LOOPBACK, self.address, "alice") as client:
            client.type("play", "quit", "say never")
            self.assertEqual(client.status(), 0)
            self.assertNotIn("never", client.text)

    def test_interrupted(self):
        with Client(LOOPBACK, self.address, "alice") as client:
            client.type("play")
            client.expect(r"^Waiting for somebody")
            client.process.send_signal(signal.SIGINT)
            self.assertEqual(client.status(), 0)

    def test_a_reader_that_goes_away(self):
        command = [f"{BIN}/tictactoe", "--server", self.address]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as client:
            self.assertIn(b"Its key is SHA256:", client.stdout.readline())
            self.assertIn(b"Connected to", client.stdout.readline())
            client.stdout.close()
            client.stdin.write(b"rooms\n")
            client.stdin.flush()
            self.assertEqual(client.wait(TIMEOUT), 0)

    def test_without_standard_streams(self):
        for stream in (0, 1, 2):
            command = f"exec {BIN}/tictactoe --server {self.address} {stream}>&-"
            result = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, timeout=TIMEOUT, check=False)
            self.assertEqual(result.returncode, 0, stream)
            self.assertEqual(b"Connected to" in result.stdout, stream != 1, stream)

    def test_a_line_without_end(self):
        with Client(LOOPBACK, self.address, "alice") as client:
            client.type("say " + "x" * 1_000_000, "help")
            client.expect(r"^That line was not used: it is longer than 4096 bytes\.")
            client.expect(r"^To move, type row and column")
            self.assertEqual(client.end(), 0)

    def test_the_largest_board(self):
        with Client(LOOPBACK, self.address, "alice") as client:
            client.type("create plain 1000", "ai o", "1000 1000", "hint", "board 1 1")
            client.expect(r"^You play all1000\.")
            client.expect(r"^Shown: rows \d+-1000 of 1000, columns \w+-all of a-all")
            client.expect(r"^Hint: ")
            client.expect(r"^Shown: rows 1-\d+ of 1000, columns a-\w+ of a-all")
            self.assertEqual(client.end(), 0)


class RateLimited(WithServer):
    options = ("--rate", "20", "--burst", "3")

    def test_a_script_waits_as_it_is_told(self):
        with Client(LOOPBACK, self.address, "alice") as client:
            client.type("create den", *(f"say {number}" for number in range(10)))
            for number in range(10):
                client.expect(rf"^alice \(X\): {number}$")
            self.assertEqual(client.end(), 0)
            self.assertNotIn("Refused", client.text)


class Terminal(WithServer):
    def terminal(self, *options, **more):
        client = TerminalClient(LOOPBACK, self.address, "alice", *options, **more).__enter__()
        self.addCleanup(client.__exit__)
        return client

    def test_a_game_with_prompts_and_colour(self):
        client = self.terminal()
        client.expect(r"Type `play` to start, or `help`\.")
        client.keys("play\r")
        client.expect(r"Waiting for somebody to take O\.")
        client.keys("ai o\r")
        client.expect(r"your move> ")
        client.keys("b2\r")
        client.expect("\033\\[7m\\[X\\]\033\\[0m")
        client.keys("dance\r")
        client.expect(r"There is no command `dance`")
        client.keys("quit\r")
        client.expect(r"leave, keep or go on> ")
        client.keys("leave\r")
        self.assertEqual(client.status(), 0)

    def test_what_is_being_typed_survives_events(self):
        client = self.terminal()
        client.expect(r"> ")
        client.keys("play\r")
        client.expect(r"Waiting for somebody to take O\.")
        client.keys("say gue")
        client.expect(r"> say gue")
        with Client(LOOPBACK, self.address, "bob") as bob:
            bob.type("play")
            client.expect(r"bob takes the seat O\.")
            client.expect(r"your move> say gue$")
            client.keys("st\x7fs!\r")
            bob.expect(r"^alice \(X\): guess!$")
            self.assertEqual(bob.end(), 0)
        client.expect(r"Waiting for somebody to take O\.")  # during a game, Ctrl-D asks
        client.keys("\x04")
        self.assertEqual(client.status(), 0)

    def test_interrupted(self):
        client = self.terminal()
        client.expect(r"> ")
        client.keys("say half a lin\x03")
        self.assertEqual(client.status(), 0)

    def test_colour_can_be_refused(self):
        for options, environment in (((), {"NO_COLOR": "1"}), (("--plain",), {})):
            client = self.terminal(*options, environment=environment)
            client.expect(r"Type `play`")
            client.keys("create a-" + environment.get("NO_COLOR", "0") + "\r")
            client.expect(r"Waiting for somebody")
            client.keys("ai o\r")
            client.expect(r"Your turn")
            client.keys("b2\r")
            client.expect(r"\[X\]")
            client.keys("quit\rleave\r")
            self.assertEqual(client.status(), 0)
            self.assertNotRegex(client.text, "\033\\[[0-9;]*m")


if __name__ == "__main__":
    unittest.main(verbosity=2)
