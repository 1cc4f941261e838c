"""Club servers with the real programs: a password for the server, accounts, and no secret in a log,
in a file or in a core dump."""

import os
import pathlib
import re
import resource
import signal
import stat
import tempfile
import unittest

from generated import protocol
from network import LOOPBACK
from programs import BIN, TIMEOUT, Client, Server, TerminalClient, run
from raw_client import RawClient, Refused
from tmux import Tmux

SERVER_WORD = "open-sesame-17"
ACCOUNT_WORD = "correct-horse-23"
ROOM_WORD = "tell-nobody-42"


class Club(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="tictactoe-club-"))
        self.folder = pathlib.Path(folder)
        self.data = self.folder / "data"

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text + "\n")
        return str(path)

    def server(self, *options):
        server = self.enterContext(Server(LOOPBACK, "--data-dir", str(self.data), *options))
        return server

    def client(self, server, name, *options):
        client = self.enterContext(Client(LOOPBACK, f"{LOOPBACK.ipv4}:{server.port}", name, *options))
        return client

    def terminal(self, server, name, *options, **more):
        client = self.enterContext(TerminalClient(LOOPBACK, f"{LOOPBACK.ipv4}:{server.port}", name, *options, **more))
        return client

    def account(self, action, *name, word=ACCOUNT_WORD):
        with open(self.file("word", word), encoding="utf-8") as password:
            return run("tictactoe-server", "account", action, *name, "--create", "--data-dir", str(self.data),
                       stdin=password)

    # The server's password ------------------------------------------------------------------------

    def test_a_person_is_asked_without_echo(self):
        server = self.server("--password-file", self.file("sesame", SERVER_WORD))
        ann = self.terminal(server, "ann", environment={"XDG_STATE_HOME": str(self.folder / "state")})
        ann.expect("Password for the server")
        self.assertNotIn("wrong", ann.text)
        ann.keys("wrong\n")
        ann.expect(r"tictactoe: Wrong password\. Try again\.\r\nPassword for the server .*: ")
        ann.keys(SERVER_WORD + "\n")
        ann.expect("Connected to tictactoe")
        self.assertNotIn(SERVER_WORD, ann.text)
        ann.keys("quit\n")
        self.assertEqual(ann.status(), 0)

    # Accounts -------------------------------------------------------------------------------------

    def test_the_name_of_an_account_needs_its_password(self):
        self.assertEqual(self.account("add", "ann").returncode, 0)
        server = self.server()
        stranger = self.client(server, "ann")
        stranger.expect("Your name here is ann-2")
        stranger.expect("account")
        wrong = self.client(server, "ann", "--account-password-file", self.file("wrong", "wrong"))
        wrong.expect("Wrong password for the account")
        self.assertEqual(wrong.status(), 2)
        word = self.file("right", ACCOUNT_WORD)
        desk = self.client(server, "ann", "--guest", "--account-password-file", word)
        desk.expect("^Connected to tictactoe .* as ann")
        desk.type("create den")
        desk.expect("den")
        laptop = self.client(server, "ann", "--guest", "--account-password-file", word)
        laptop.expect("You are back in your seat in the room \"den\"")
        desk.expect("Another client has connected as ann")

    def test_the_full_screen_asks_for_the_password_until_it_is_right(self):
        self.assertEqual(self.account("add", "ann").returncode, 0)
        server = self.server()
        screen = Tmux([f"{BIN}/tictactoe", f"{LOOPBACK.ipv4}:{server.port}", "--name", "ann"])
        self.addCleanup(screen.close)
        screen.expect('The name "ann" has a password')
        screen.type("wrong")
        screen.keys_until("Enter", "Wrong password")
        screen.expect("Password for the account ann")  # what is typed before is not heard
        screen.type(ACCOUNT_WORD)
        screen.keys("Enter")
        screen.expect("Connected to .* as ann\\.")

    def test_a_person_with_the_name_of_an_account_is_asked_for_its_password(self):
        self.assertEqual(self.account("add", "ann").returncode, 0)
        server = self.server()
        for option in ("--guest", "--alert=none"):
            with self.subTest(option):
                ann = self.terminal(server, "ann", option, "--command", f"create {option[2:7]}",
                                    environment={"XDG_STATE_HOME": str(self.folder / option)})
                ann.expect('The name "ann" has a password\\.')
                ann.expect("Its password, or Enter to play under another name: ")
                ann.keys("wrong\n")
                ann.expect(r"Wrong password\. Try again\.\r\nPassword for the account ann: ")
                ann.keys(ACCOUNT_WORD + "\n")
                ann.expect(r"Connected to tictactoe .* as ann\.")
                ann.expect("Waiting for an opponent")
                self.assertNotIn("ann-2", ann.text)
                self.assertNotIn(ACCOUNT_WORD, ann.text)
                ann.keys("quit\n")
                self.assertEqual(ann.status(), 0)

    def test_a_person_may_play_by_another_name_instead(self):
        self.assertEqual(self.account("add", "ann").returncode, 0)
        server = self.server()
        for option in ("--alert=none", "--guest"):
            with self.subTest(option):
                ann = self.terminal(server, "ann", option, "--command", f"create {option[2:7]}",
                                    environment={"XDG_STATE_HOME": str(self.folder / option)})
                ann.expect("Its password, or Enter to play under another name: ")
                ann.keys("\n")
                ann.expect("Your name here is ann-[0-9]")
                ann.expect("Waiting for an opponent")

    def test_accounts_are_listed_and_mistakes_are_told(self):
        self.assertEqual(self.account("add", "ann").returncode, 0)
        self.assertEqual(self.account("add", "bob of the den").returncode, 0)
        self.assertEqual(self.account("list").stdout, "ann\nbob of the den\n")
        again = self.account("add", "Ann")
        self.assertEqual(again.returncode, 1)
        self.assertIn("already", again.stderr)
        self.assertIn("no account", self.account("remove", "carol").stderr)
        self.assertIn("needs the name of an account", self.account("add").stderr)
        self.assertEqual(self.account("add", "dan", word="").returncode, 1)
        self.assertEqual(self.account("list").stdout, "ann\nbob of the den\n")
        self.assertEqual(stat.S_IMODE((self.data / "accounts").stat().st_mode), 0o600)

    # Secrets --------------------------------------------------------------------------------------

    def test_no_token_or_password_is_in_the_log_or_in_a_file(self):
        self.account("add", "ann")
        server = self.server("--log", "debug", "--password-file", self.file("sesame", SERVER_WORD))
        self.addCleanup(server.__exit__)
        secrets = [SERVER_WORD.encode(), ACCOUNT_WORD.encode(), ROOM_WORD.encode()]
        clients = []
        for name in ("ann", "bob"):
            client = RawClient(protocol, LOOPBACK.ipv4, server.port, TIMEOUT)
            self.addCleanup(client.close)
            with self.assertRaises(Refused):
                client.ask("hello", protocol_versions=[1], name=name, server_password="guess-" + name)
            welcome = client.ask("hello", protocol_versions=[1], name=name,
                                 server_password=SERVER_WORD,
                                 account_password=ACCOUNT_WORD if name == "ann" else "")
            secrets += [welcome.token, welcome.token.hex().encode(), b"guess-" + name.encode()]
            clients.append(client)
        clients[0].ask("create_room", name="den", password=ROOM_WORD)
        with self.assertRaises(Refused):
            clients[1].ask("join_room", name="den", password="guess-room")
        clients[1].ask("join_room", name="den", password=ROOM_WORD)
        secrets.append(b"guess-room")
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.status(), 0)
        written = {"the log": server.text.encode()}
        for path in self.data.iterdir():
            written[str(path)] = path.read_bytes()
            self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o077, 0, path)
        self.assertIn("journal.db", " ".join(written))
        for name, content in written.items():
            for secret in secrets:
                self.assertNotIn(secret, content, name)

    def test_files_are_private_whatever_the_umask_was(self):
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        self.account("add", "ann")
        self.server()
        for path in (self.data, *self.data.iterdir()):
            self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o077, 0, path)

    def test_a_crash_leaves_no_core_dump_unless_the_owner_wants_it(self):
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        for options, dumps in ((), False), (("--core-dumps",), True):
            server = self.server(*options)
            limits = pathlib.Path(f"/proc/{server.process.pid}/limits").read_text()
            found = re.search(r"Max core file size +(\S+) +(\S+)", limits)
            expected = "unlimited" if hard == resource.RLIM_INFINITY else str(hard)
            self.assertEqual(found.group(2), expected if dumps else "0")
            server.process.kill()
            server.process.wait()
