"""What a server's owner does by hand: as root beside a server of another user, with mistyped words, and with
a backup in another directory."""

import os
import pathlib
import stat
import tempfile
import unittest

from network import LOOPBACK
from programs import Client, Server, run

NOBODY = 65534


class AsNobody:
    """A host on which the server runs as another user than root."""

    @staticmethod
    def command(command: list[str]) -> list[str]:
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]


class Operation(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="tictactoe-operation-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.data = self.folder / "data"

    def account(self, *words: str, data: pathlib.Path | None = None, password: str = "correct-horse-23",
                **environment: str):
        (self.folder / "word").write_text(password + "\n")
        with open(self.folder / "word", encoding="utf-8") as typed:
            return run("tictactoe-server", "account", *words,
                       *(("--data-dir", str(data)) if data else ()),
                       stdin=typed, env=os.environ | environment)

    def client(self, server: Server, name: str, *options: str) -> Client:
        client = Client(LOOPBACK, f"{LOOPBACK.ipv4}:{server.port}", name, *options)
        self.addCleanup(client.__exit__)
        return client

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to start a server of another user")
    def test_root_adds_an_account_to_the_server_of_another_user(self) -> None:
        self.data.mkdir(mode=0o700)
        for path in (self.folder, self.data):
            os.chown(path, NOBODY, NOBODY)
        with Server(AsNobody, "--listen", LOOPBACK.ipv4, "--data-dir", str(self.data)) as server:
            self.assertEqual(self.account("add", "ben", data=self.data).returncode, 0)
            server.expect("1 account$")
            self.client(server, "ben").expect("ben-2")
        for path in self.data.iterdir():
            self.assertEqual(path.stat().st_uid, NOBODY, path)
        with Server(AsNobody, "--listen", LOOPBACK.ipv4, "--data-dir", str(self.data)):
            pass
        # What that user can't read, although root can.
        os.chown(self.data / "accounts", 0, 0)
        checked = run("tictactoe-server", "--check-config", "--data-dir", str(self.data))
        self.assertEqual(checked.returncode, 2)
        self.assertIn(f"--data-dir: Can't read {self.data}/accounts", checked.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "needs root, for a directory that only root may enter")
    def test_root_works_below_a_directory_that_only_root_may_enter(self) -> None:
        """As /var/lib/private, where systemd keeps the files of a service with DynamicUser=."""
        self.data.mkdir(mode=0o700)
        for path in (self.folder, self.data):
            os.chown(path, NOBODY, NOBODY)
        with Server(AsNobody, "--listen", LOOPBACK.ipv4, "--data-dir", str(self.data)):
            pass
        os.chown(self.folder, 0, 0)
        os.chmod(self.folder, 0o700)
        added = self.account("add", "ben", data=self.data)
        self.assertEqual((added.returncode, added.stderr), (0, ""))
        checked = run("tictactoe-server", "--check-config", "--data-dir", str(self.data))
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))
        backup = self.folder / "backup"
        saved = run("tictactoe-server", "ctl", "backup", str(backup), "--data-dir", str(self.data))
        self.assertEqual((saved.returncode, saved.stderr), (0, ""))
        other = self.folder / "other"
        other.mkdir(mode=0o700)
        os.chown(other, NOBODY, NOBODY)
        restored = run("tictactoe-server", "ctl", "restore", str(backup), "--data-dir", str(other))
        self.assertEqual((restored.returncode, restored.stderr), (0, ""))
        self.assertIn("accounts, tls.pem.", restored.stdout)
        for folder in (self.data, other):
            for path in folder.iterdir():
                self.assertEqual(path.stat().st_uid, NOBODY, path)

    def test_an_account_is_not_added_where_no_server_is(self) -> None:
        refused = self.account("add", "ann", XDG_DATA_HOME=str(self.folder))
        self.assertEqual(refused.returncode, 1)
        self.assertIn(f"{self.folder}/tictactoe", refused.stderr)
        self.assertFalse((self.folder / "tictactoe").exists())
        self.assertEqual(run("tictactoe-server", "import", "--data-dir", str(self.data), "games").returncode, 1)
        self.assertFalse(self.data.exists())
        added = self.account("add", "ann", "--create", data=self.data)
        self.assertIn(f"{self.data}/accounts", added.stdout)

    def test_an_account_gets_another_password_and_is_removed(self) -> None:
        for word in ("first-word-1", "second-word-2"):
            (self.folder / word).write_text(word + "\n")
        old, new = (("--account-password-file", str(self.folder / word), "--guest")
                    for word in ("first-word-1", "second-word-2"))
        with Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--data-dir", str(self.data)) as server:
            self.assertEqual(self.account("add", "ann", data=self.data, password="first-word-1").returncode, 0)
            server.expect("1 account$")
            self.client(server, "ann", *old).expect("^Connected to tictactoe .* as ann\\.")
            changed = self.account("password", "ann", data=self.data, password="second-word-2")
            self.assertIn('The account "ann" in ', changed.stdout)
            server.expect("1 account$")
            refused = self.client(server, "ann", *old)
            refused.expect('Wrong password for the account "ann"')
            self.assertEqual(refused.status(), 2)
            self.client(server, "ann", *new).expect("^Connected to tictactoe .* as ann\\.")
            for action in ("password", "remove"):
                unknown = self.account(action, "bob", data=self.data)
                self.assertEqual(unknown.returncode, 1)
                self.assertIn('"bob"', unknown.stderr)
            self.assertIn("Anyone can use the name now", self.account("remove", "ann", data=self.data).stdout)
            server.expect("0 accounts$")
            self.client(server, "ann", *new).expect("There is no account with that name")

    def test_records_are_copied_and_a_name_is_forgotten(self) -> None:
        other = self.folder / "other"
        with Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--data-dir", str(self.data)) as server:
            self.assertEqual(self.account("add", "ben", data=self.data).returncode, 0)
            annabel = self.client(server, "annabel")
            annabel.type("create den")
            annabel.expect("Waiting for an opponent")
            refused = run("tictactoe-server", "forget", "annabel", "--data-dir", str(self.data))
            self.assertEqual(refused.returncode, 1)
            self.assertIn("server", refused.stderr)
        copy = ["copy", "--from", str(self.data), "--to", str(other)]
        copied = run("tictactoe-server", *copy)
        self.assertEqual(copied.returncode, 0, copied.stderr)
        self.assertRegex(copied.stdout, "1 player, 1 room .* copied and verified\nSHA-256 .*\n1 account copied")
        again = run("tictactoe-server", *copy)
        self.assertEqual(again.returncode, 1)
        self.assertIn("must be empty", again.stderr)
        forget = ["forget", "annabel", "--data-dir", str(other)]
        forgotten = run("tictactoe-server", *forget)
        self.assertEqual(forgotten.returncode, 0, forgotten.stderr)
        self.assertRegex(forgotten.stdout, "^annabel is now .*, 1 player")
        for file in other.iterdir():
            if file.is_file():
                self.assertNotIn(b"annabel", file.read_bytes(), file)
        unknown = run("tictactoe-server", *forget)
        self.assertEqual(unknown.returncode, 1)
        self.assertIn('no player "annabel"', unknown.stderr)

    def test_a_restored_server_is_the_same_to_its_clients(self) -> None:
        with Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--data-dir", str(self.data)) as server:
            self.assertEqual(self.account("add", "ann", data=self.data).returncode, 0)
            server.expect("the server's key is (SHA256:\\S+)")
            backup = str(self.folder / "backup.db")
            done = run("tictactoe-server", "ctl", "backup", backup, "--data-dir", str(self.data))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(stat.S_IMODE(os.stat(backup).st_mode), 0o600)
            other = self.folder / "other"
            done = run("tictactoe-server", "ctl", "restore", backup, "--data-dir", str(other))
            self.assertEqual(done.returncode, 0, done.stderr)
            with Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--data-dir", str(other)) as again:
                again.expect("the server's key is (SHA256:\\S+)")
                key = [line for line in server.text.splitlines() if "the server's key" in line]
                self.assertEqual(key, [line for line in again.text.splitlines()
                                       if "the server's key" in line])
                self.client(again, "ann").expect("ann-2")

    def test_people_are_answered_in_text(self) -> None:
        config = self.folder / "server.toml"
        config.write_text('log-format = "json"\n')
        answer = run("tictactoe-server", "--config", str(config), "ctl", "status",
                     "--data-dir", str(self.data))
        self.assertEqual(answer.returncode, 1)
        self.assertTrue(answer.stderr.startswith("tictactoe-server: No server answers"), answer.stderr)
