"""The real server and its journal: ended in every way, damaged, in use, on a full disk."""

from __future__ import annotations

import os
import pathlib
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from case import Case, wait_until
from generated import protocol
from network import LOOPBACK
from programs import BIN, Process, Server, run
from raw_client import RawClient, Refused

STUCK_DISK = os.environ.get("STUCK_DISK_LIBRARY")


class JournalTest(Case):
    def refused(self, *options: str, status: int = 1) -> str:
        """The one line that a server says which does not start."""
        result = run("tictactoe-server", "--port", "0", "--data-dir", str(self.data), *options)
        self.assertEqual(result.returncode, status, result)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

    def code(self, name: str) -> int:
        return getattr(protocol.server.Error, f"CODE_{name}")

    def talk_until_games_pause(self, server: Server, client: RawClient) -> None:
        """Pages that the log has already need no more space."""
        for _ in range(6000):
            if "can't write the journal" in server.text:
                return
            self.assertIsNone(server.process.poll(), server.text)
            client.send("chat", text="x" * 300)
            time.sleep(0.01)
        self.fail("the journal is still written")

    def refusal(self, client: RawClient, *request: str, **fields: object) -> int:
        try:
            client.ask(*request, **fields)
        except Refused as refused:
            return refused.error.code
        return 0

    def expect_that_games_go_on(self, server: Server, client: RawClient) -> None:
        """What the server has said is no proof: it may have found space, and used it up, before there was more."""
        server.expect("can be written again")
        while client._unanswered:
            client.receive()
        wait_until(lambda: self.refusal(client, "chat", text="again?") == 0, "record")


class Ending(JournalTest):
    def test_asked_to_end_it_does_so_in_good_order(self) -> None:
        server = self.start()
        ann, _ = self.raw_players()
        ann.move(1, 1)
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.status(), 0, server.text)
        # All of it is in one file now.
        shutil.copy(self.data / "journal.db", self.folder / "copy.db")
        with sqlite3.connect(self.folder / "copy.db") as journal:
            self.assertEqual(journal.execute("SELECT count(*) FROM rooms").fetchall(), [(1,)])
            self.assertEqual(journal.execute("SELECT cell FROM moves").fetchall(), [(4,)])


class Trouble(JournalTest):
    def test_a_folder_in_use(self) -> None:
        self.start()
        self.assertIn("Another server", self.refused())

    def test_a_journal_of_a_newer_version(self) -> None:
        server = self.start()
        self.end(server)
        with sqlite3.connect(self.data / "journal.db") as journal:
            journal.execute("PRAGMA user_version = 9999")
        self.assertIn("schema version 9999", self.refused(status=2))  # stays wrong

    def test_no_journal_keeps_only_the_key(self) -> None:
        self.serve("--no-journal")
        ann = self.raw("ann")
        with self.assertRaises(Refused) as refused:
            ann.ask("list_games")
        self.assertEqual(refused.exception.error.code, self.code("NO_RECORDS"))
        kept = pathlib.Path(os.environ["XDG_DATA_HOME"], "tictactoe")
        self.assertEqual([path.name for path in kept.iterdir()], ["tls.pem"])


GAME = """[X "alice"]
[O "bob"]
[Rules "3x3x3"]
[Date "2020-02-03T04:05:06.007Z"]
[Result "1-0"]
[Termination "line"]

1. a1 a2 2. b1 b2 3. c1 1-0
"""


class Import(JournalTest):
    def add(self, *texts: str) -> subprocess.CompletedProcess:
        self.data.mkdir(exist_ok=True)
        files = []
        for number, text in enumerate(texts):
            files.append(str(self.data / f"{number}.games"))
            pathlib.Path(files[-1]).write_text(text)
        return run("tictactoe-server", "import", "--create", "--data-dir", str(self.data), *files)

    def test_adds_games_while_the_server_runs(self) -> None:
        server = self.start()
        files = GAME + GAME.replace("2020", "2021"), GAME.replace("2020", "2022")
        result = self.add(*files)
        self.assertEqual((result.returncode, result.stdout),
                         (0, f"3 games added to {self.data}\n"), result)
        result = self.add(*files)
        self.assertEqual((result.returncode, result.stdout),
                         (0, f"0 games added to {self.data}; 3 already there\n"), result)
        ann = self.raw("ann")
        games = ann.ask("list_games", player="alice").games
        self.assertEqual([game.id for game in games], [3, 2, 1])
        game = ann.ask("get_game", id=1).game
        self.assertTrue(game.imported)
        self.assertEqual(game.ended_unix_ms, 1_580_702_706_007)
        self.assertEqual(list(game.moves), [0, 3, 1, 4, 2])
        self.assertEqual(len(game.outcome.lines), 1)
        self.assertEqual(len(ann.ask("list_games").games), 3)


@unittest.skipUnless(STUCK_DISK, "needs the library stuck_disk, which can't be loaded before a sanitizer's: run it by CTest")
class FailingDisk(JournalTest):
    def setUp(self) -> None:
        super().setUp()
        self.data.mkdir()
        self.failing = self.folder / "failing"

    def serve_on_it(self) -> Server:
        return self.start(env={**os.environ, "LD_PRELOAD": STUCK_DISK, "FAILING_DISK": str(self.failing)})

    def test_is_reported_if_it_fails_while_the_server_ends(self) -> None:
        server = self.serve_on_it()
        ann, _ = self.raw_players()
        ann.move(1, 1)
        self.failing.touch()
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.status(), 1, server.text)
        self.assertFalse(self.failing.exists())
        self.assertIn("Check the disk before restarting the server.", server.text)

    def test_ends_the_server_which_tells_its_players_and_nothing_else(self) -> None:
        server = self.serve_on_it()
        ann, ben = self.raw_players()
        ann.move(0, 0)
        ben.follow_until(lambda room: room.my_turn)
        self.failing.touch()
        # The next sync would succeed.
        ben.send("move", cell=protocol.types.Cell(row=1, col=1), game=ben.room.state.game, ply=1)
        for client in (ann, ben):
            error = client.receive().error
            self.assertEqual(error.code, self.code("SERVER_STOPPING"))
            self.assertIn("disk has failed", error.message)
            client.expect_end()
        self.assertFalse(self.failing.exists())
        self.assertEqual(server.status(), 1)
        self.assertIn("The disk has failed, so the server has stopped.", server.text)

        again = self.start()
        back = self.raw()
        back.ask("hello", protocol_versions=[1], name="somebody", token=ann.welcome.token)
        self.assertIn(len(back.ask("get_snapshot").moves), (1, 2))


class SizeLimit(JournalTest):
    """`ulimit -f`, or LimitFSIZE= of systemd."""

    def test_is_like_a_full_disk(self) -> None:
        server = self.start()
        ann, ben = self.raw_players()
        limit = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        size = max((self.data / name).stat().st_size for name in ("journal.db", "journal.db-wal"))
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, limit[1]))
        self.talk_until_games_pause(server, ben)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limit)
        self.expect_that_games_go_on(server, ben)
        ann.move(1, 1)
        self.end(server)

    def test_of_a_file_for_standard_error_ends_nothing(self) -> None:
        log = self.folder / "log"
        with open(log, "wb") as file:
            command = ["prlimit", "--fsize=4096", f"{BIN}/tictactoe-server", "--no-journal", "--no-discovery",
                       "--listen", LOOPBACK.ipv4, "--port", "0"]
            server = self.enterContext(Process(command, None, stdout=subprocess.PIPE, stderr=file))
        port = int(server.expect(r"listening on \S+:(\d+)$").group(1))
        for number in range(40):
            client = RawClient(protocol, LOOPBACK.ipv4, port)
            self.addCleanup(client.close)
            client.hello(f"guest-{number}")
            client.ask("create_room", name=f"room-{number}")
            client.close()
        server.process.terminate()
        self.assertEqual(server.status(), 0)
        self.assertGreater(log.stat().st_size, 4000)


class FullDisk(JournalTest):
    """A small disk in memory, in a mount namespace, if mounting is allowed."""

    SIZE = 80 << 20

    def serve_on_small_disk(self) -> Server:
        self.data.mkdir()
        script = f"mount -t tmpfs -o size={self.SIZE} none {self.data} && exec \"$@\""
        unshare = ["unshare", "--mount", "--map-root-user", "--", "sh", "-c", script, "sh"]
        if shutil.which("unshare") is None or subprocess.run(
                [*unshare, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                check=False).returncode != 0:
            self.skipTest("no namespaces of mounts here")

        class SmallDisk:
            """A host whose programs see the small disk."""

            @staticmethod
            def command(command: list[str]) -> list[str]:
                return [*unshare, *command]

        return self.start(host=SmallDisk)

    def test_stops_new_games_then_all_and_goes_on_once_there_is_space(self) -> None:
        server = self.serve_on_small_disk()
        disk = pathlib.Path(f"/proc/{server.process.pid}/root{self.data}")
        ann, ben = self.raw_players()
        cat = self.raw("cat")

        # Nearly full.
        with open(disk / "ballast", "wb") as ballast:
            os.posix_fallocate(ballast.fileno(), 0, 30 << 20)
        wait_until(lambda: ann.ask("chat", text="anybody?") and "no new games" in server.text, "warning")
        self.assertEqual(self.refusal(cat, "create_room", name="hall"), self.code("NO_NEW_GAMES"))
        ann.move(0, 0)

        # Full.
        with open(disk / "more", "wb", buffering=0) as more:
            try:
                while True:
                    more.write(bytes(4096))
            except OSError:
                pass
        ben.follow_until(lambda room: room.my_turn)
        self.talk_until_games_pause(server, ben)

        # Space again.
        (disk / "more").unlink()
        (disk / "ballast").unlink()
        self.expect_that_games_go_on(server, ben)
        ben.follow_until(lambda room: room.my_turn)
        wait_until(lambda: self.refusal(cat, "create_room", name="hall") == 0, "new game")
        ben.move(1, 1)
        ann.follow_until(lambda room: room.my_turn)
        self.assertEqual(len(ann.room.cells), 2)
        self.end(server)
