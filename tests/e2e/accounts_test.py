"""Club servers with the real programs: a password for the server, accounts, and no secret in a log,
in a file or in a core dump."""

import os
import pathlib
import re
import resource
import signal
import stat

from case import Case
from programs import BIN
from raw_client import Refused

SERVER_WORD = "open-sesame-17"
ACCOUNT_WORD = "correct-horse-23"
ROOM_WORD = "tell-nobody-42"


class Club(Case):
    def test_the_name_of_an_account_needs_its_password(self):
        self.assertEqual(self.account("add", "ann", "--create").returncode, 0)
        self.start()
        stranger = self.client("ann")
        stranger.expect("Your name here is ann-2")
        stranger.expect("account")
        wrong = self.client("ann", options=("--account-password-file", self.file("wrong", "wrong")))
        wrong.expect("Wrong password for the account")
        self.assertEqual(wrong.status(), 2)
        word = ("--guest", "--account-password-file", self.file("right", ACCOUNT_WORD))
        desk = self.client("ann", options=word)
        desk.expect("^Connected to tictactoe .* as ann")
        desk.type("create den")
        desk.expect("den")
        laptop = self.client("ann", options=word)
        laptop.expect("You are back in your seat in the room \"den\"")
        desk.expect("Another client has connected as ann")

    def test_the_full_screen_asks_for_the_password_until_it_is_right(self):
        self.assertEqual(self.account("add", "ann", "--create").returncode, 0)
        self.start()
        screen = self.screen(command=[f"{BIN}/tictactoe", self.address, "--name", "ann"])
        screen.expect('The name "ann" has a password')
        screen.type("wrong")
        screen.keys_until("Enter", "Wrong password")
        screen.expect("Password for the account ann")  # what is typed before is not heard
        screen.type(ACCOUNT_WORD)
        screen.keys("Enter")
        screen.expect("Connected to .* as ann\\.")

    def test_a_person_is_asked_for_passwords_without_echo(self):
        self.assertEqual(self.account("add", "ann", "--create").returncode, 0)
        self.start("--password-file", self.file("sesame", SERVER_WORD))
        for option, knows in (("--guest", True), ("--alert=none", False)):
            with self.subTest(option):
                ann = self.lines("ann", option, "--command", f"create {option[2:7]}", state=option)
                ann.expect("Password for the server")
                ann.keys("wrong\n")
                ann.expect(r"tictactoe: Wrong password\. Try again\.\r\nPassword for the server .*: ")
                ann.keys(SERVER_WORD + "\n")
                ann.expect('The name "ann" has a password\\.')
                ann.expect("Its password, or Enter to play under another name: ")
                if knows:
                    ann.keys("mistyped\n")
                    ann.expect(r"Wrong password\. Try again\.\r\nPassword for the account ann: ")
                    ann.keys(ACCOUNT_WORD + "\n")
                    ann.expect(r"Connected to tictactoe .* as ann\.")
                else:
                    ann.keys("\n")
                    ann.expect("Your name here is ann-[0-9]")
                ann.expect("Waiting for an opponent")
                for word in (SERVER_WORD, ACCOUNT_WORD, "mistyped"):
                    self.assertNotIn(word, ann.text)
                ann.keys("quit\n")
                self.assertEqual(ann.status(), 0)

    def test_no_secret_is_in_the_log_or_in_a_file_and_files_are_private(self):
        self.addCleanup(os.umask, os.umask(0))
        self.account("add", "ann", "--create")
        server = self.start("--log", "debug", "--password-file", self.file("sesame", SERVER_WORD))
        secrets = [SERVER_WORD.encode(), ACCOUNT_WORD.encode(), ROOM_WORD.encode(), b"guess-room"]
        clients = []
        for name in ("ann", "bob"):
            client = self.raw()
            with self.assertRaises(Refused):
                client.ask("hello", protocol_versions=[1], name=name, server_password="guess-" + name)
            welcome = client.ask("hello", protocol_versions=[1], name=name, server_password=SERVER_WORD,
                                 account_password=ACCOUNT_WORD if name == "ann" else "")
            secrets += [welcome.token, welcome.token.hex().encode(), b"guess-" + name.encode()]
            clients.append(client)
        clients[0].ask("create_room", name="den", password=ROOM_WORD)
        with self.assertRaises(Refused):
            clients[1].ask("join_room", name="den", password="guess-room")
        clients[1].ask("join_room", name="den", password=ROOM_WORD)
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.status(), 0)
        written = {"the log": server.text.encode()}
        self.assertEqual(stat.S_IMODE(self.data.stat().st_mode) & 0o077, 0)
        for path in self.data.iterdir():
            written[str(path)] = path.read_bytes()
            self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o077, 0, path)
        self.assertIn("journal.db", " ".join(written))
        for name, content in written.items():
            for secret in secrets:
                self.assertNotIn(secret, content, name)

    def test_a_crash_leaves_no_core_dump_unless_the_owner_wants_it(self):
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        for options, dumps in ((), False), (("--core-dumps",), True):
            server = self.start(*options)
            limits = pathlib.Path(f"/proc/{server.process.pid}/limits").read_text()
            found = re.search(r"Max core file size +(\S+) +(\S+)", limits)
            expected = "unlimited" if hard == resource.RLIM_INFINITY else str(hard)
            self.assertEqual(found.group(2), expected if dumps else "0")
            server.process.kill()
            server.process.wait()
