"""Options of the server from the command line and a file of options."""

import pathlib
import tempfile
import unittest

from network import LOOPBACK
from programs import Server, run


class ServerOptions(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="tictactoe-options-"))
        self.path = pathlib.Path(folder, "server.toml")

    def check(self, text, *options):
        self.path.write_text(text)
        return run("tictactoe-server", "--config", str(self.path), "--check-config", *options)

    def test_a_server_takes_its_options_from_the_file(self):
        self.path.write_text('name = "the den"\nlisten = ["127.0.0.1"]\nmax-rooms = 3\n'
                             'trusted-proxy = ["10.0.0.0/8", "192.0.2.1"]\nno-lobby-chat = true\n')
        with Server(LOOPBACK, "--config", str(self.path)) as server:
            self.assertRegex(server.text, r"listening on 127\.0\.0\.1:")
            found = run("tictactoe", "--server", f"127.0.0.1:{server.port}", "--guest", "--name", "a",
                        "--command", "quit")
            self.assertIn("Connected to the den ", found.stdout)

    def test_every_option_can_be_in_the_file(self):
        url = '"postgresql://nobody@nowhere/none"'
        values = {"{debug,info,warn,error,off}": '"info"', "{text,json,journal}": '"json"',
                  "ADDRESS": '"127.0.0.1"', "CIDR": '"10.0.0.0/8"', "NAME": '"den.example"',
                  "ADDRESS:PORT": '"127.0.0.1:0"', "DIR": '"/nowhere"', "URL": url,
                  "TEXT": '"den"', "NAME=COMMAND": '"embryo=/bin/true"',
                  "HOST:PORT": f'"den.example:7654"\nstore = {url}'}
        numbers = {"engine-memory": "64"}
        page = run("tictactoe-server", "--help").stdout
        for line in page.split("Commands:")[0].splitlines():
            words = line.split()
            if not line.startswith("  --") or words[0] in ("--help", "--version", "--config",
                                                           "--check-config"):
                continue
            name = words[0][2:]
            if words[1:2] == ["FILE"] or line.startswith("  " + words[0] + " FILE"):
                continue  # which would have to exist
            is_flag = len(line) > 25 and line[len("  " + words[0]):].startswith("  ")
            value = "true" if is_flag or len(words) == 1 else values.get(words[1],
                                                                            numbers.get(name, "3"))
            with self.subTest(option=name):
                checked = self.check(f"{name} = {value}\n")
                self.assertEqual((checked.returncode, checked.stderr), (0, ""))

    def test_the_command_line_counts_for_more(self):
        checked = self.check('max-side = 2\n', "--max-side", "10")
        self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_all_mistakes_are_listed_with_their_lines(self):
        checked = self.check("""name = "den"
port = 70000
lissten = "::"

listen = ["127.0.0.1", "nowhere"]
qr = "yes"
check-config = true
[account]
size = 3
""", "--grace", "-1")
        self.assertEqual((checked.returncode, checked.stdout), (2, ""))
        lines = checked.stderr.splitlines()
        for line, (number, words) in zip(lines, ((2, "--port"), (3, '"lissten"'), (5, "--listen"),
                                                 (6, "true or false"), (7, "only on the command line"),
                                                 (9, "[account]"))):
            self.assertTrue(line.startswith(f"tictactoe-server: {self.path}, line {number}: "), line)
            self.assertIn(words, line)
        self.assertIn("--grace", lines[6])
        self.assertEqual(len(lines), 8, lines)

    def test_the_files_that_it_names_are_checked(self):
        checked = self.check('password-file = "/nonexistent"\ntls-cert = "/nonexistent"\n'
                             'tls-key = "/nonexistent"\n')
        self.assertEqual((checked.returncode, checked.stdout), (2, ""))
        lines = checked.stderr.splitlines()
        self.assertIn(", line 1: --password-file: ", lines[0])
        self.assertIn(", line 2: --tls-cert: ", lines[1])
        self.assertEqual(self.check("").stdout, "The options are valid.\n")
