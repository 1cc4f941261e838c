"""What a server's owner does by hand: as root beside a server of another user, with mistyped words, and with
a backup in another directory."""

import os
import unittest

from case import Case
from programs import run

NOBODY = 65534


class AsNobody:
    """A host on which the server runs as another user than root."""

    @staticmethod
    def command(command: list[str]) -> list[str]:
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]


class Operation(Case):
    def done(self, *words: str, status: int = 0):
        """What a command of the server's program prints."""
        result = run("tictactoe-server", *words)
        self.assertEqual(result.returncode, status, result)
        return result.stderr if status else result.stdout

    def give_to_nobody(self) -> None:
        self.data.mkdir(mode=0o700)
        for path in (self.folder, self.data):
            os.chown(path, NOBODY, NOBODY)

    def assert_all_are_of_nobody(self, folder) -> None:
        for path in folder.iterdir():
            self.assertEqual(path.stat().st_uid, NOBODY, path)

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to start a server of another user")
    def test_root_adds_an_account_to_the_server_of_another_user(self) -> None:
        self.give_to_nobody()
        server = self.start(host=AsNobody)
        self.assertEqual(self.account("add", "ben").returncode, 0)
        server.expect("1 account$")
        self.client("ben").expect("ben-2")
        self.end(server)
        self.assert_all_are_of_nobody(self.data)
        self.end(self.start(host=AsNobody))
        # What that user can't read, although root can.
        os.chown(self.data / "accounts", 0, 0)
        checked = self.done("--check-config", "--data-dir", str(self.data), status=2)
        self.assertIn(f"--data-dir: Can't read {self.data}/accounts", checked)

    @unittest.skipUnless(os.geteuid() == 0, "needs root, for a directory that only root may enter")
    def test_root_works_below_a_directory_that_only_root_may_enter(self) -> None:
        """As /var/lib/private, where systemd keeps the files of a service with DynamicUser=."""
        self.give_to_nobody()
        self.end(self.start(host=AsNobody))
        os.chown(self.folder, 0, 0)
        os.chmod(self.folder, 0o700)
        added = self.account("add", "ben")
        self.assertEqual((added.returncode, added.stderr), (0, ""))
        self.done("--check-config", "--data-dir", str(self.data))
        backup = str(self.folder / "backup")
        self.done("ctl", "backup", backup, "--data-dir", str(self.data))
        other = self.folder / "other"
        other.mkdir(mode=0o700)
        os.chown(other, NOBODY, NOBODY)
        self.assertIn("accounts, tls.pem.", self.done("ctl", "restore", backup, "--data-dir", str(other)))
        self.assert_all_are_of_nobody(self.data)
        self.assert_all_are_of_nobody(other)

    def test_an_account_is_not_added_where_no_server_is(self) -> None:
        refused = self.account("add", "ann")
        self.assertEqual(refused.returncode, 1)
        self.assertIn(f"No server has used {self.data}.", refused.stderr)
        self.done("import", "--data-dir", str(self.data), "games", status=1)
        self.assertFalse(self.data.exists())
        self.assertIn(f"{self.data}/accounts", self.account("add", "ann", "--create").stdout)

    def test_an_account_gets_another_password_and_is_removed(self) -> None:
        def with_word(word: str) -> tuple[str, ...]:
            return "--account-password-file", self.file(word, word), "--guest"

        server = self.start()
        self.assertEqual(self.account("add", "ann", password="first-word-1").returncode, 0)
        server.expect("1 account$")
        self.assertEqual(self.account("list").stdout, "ann\n")
        self.assertIn("already", self.account("add", "Ann").stderr)
        self.assertIn("needs the name of an account", self.account("add").stderr)
        self.client("ann", options=with_word("first-word-1")).expect("^Connected to tictactoe .* as ann\\.")
        changed = self.account("password", "ann", password="second-word-2")
        self.assertIn('The account "ann" in ', changed.stdout)
        server.expect("1 account$")
        refused = self.client("ann", options=with_word("first-word-1"))
        refused.expect('Wrong password for the account "ann"')
        self.assertEqual(refused.status(), 2)
        self.client("ann", options=with_word("second-word-2")).expect("^Connected to tictactoe .* as ann\\.")
        for action in ("password", "remove"):
            unknown = self.account(action, "bob")
            self.assertEqual(unknown.returncode, 1)
            self.assertIn('"bob"', unknown.stderr)
        self.assertIn("Anyone can use the name now", self.account("remove", "ann").stdout)
        server.expect("0 accounts$")
        self.client("ann", options=with_word("second-word-2")).expect("There is no account with that name")

    def test_records_are_copied_and_a_name_is_forgotten(self) -> None:
        other = self.folder / "other"
        server = self.start()
        self.assertEqual(self.account("add", "ben").returncode, 0)
        self.client("annabel", "create den").expect("Waiting for an opponent")
        self.assertIn("server", self.done("forget", "annabel", "--data-dir", str(self.data), status=1))
        self.end(server)
        copy = ["copy", "--from", str(self.data), "--to", str(other)]
        self.assertRegex(self.done(*copy), "1 player, 1 room .* copied and verified\nSHA-256 .*\n1 account copied")
        self.assertIn("must be empty", self.done(*copy, status=1))
        forget = ["forget", "annabel", "--data-dir", str(other)]
        self.assertRegex(self.done(*forget), "^annabel is now .* Deleted: 1 player")
        for file in other.iterdir():
            if file.is_file():
                self.assertNotIn(b"annabel", file.read_bytes(), file)
        self.assertIn('no player "annabel"', self.done(*forget, status=1))

    def test_people_are_answered_in_text(self) -> None:
        config = self.file("server.toml", 'log-format = "json"')
        answer = self.done("--config", config, "ctl", "status", "--data-dir", str(self.data), status=1)
        self.assertTrue(answer.startswith("tictactoe-server: No server answers"), answer)
