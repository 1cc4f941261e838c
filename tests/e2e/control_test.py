"""`tictactoe-server ctl` with a real server and real clients."""

import json
import os
import pathlib
import signal
import socket
import stat
import unittest

from case import Case, wait_until
from programs import BIN, TIMEOUT, Process

STATUS = b"\x02\x0a\x00"  # the request, with its length before it


class Control(Case):
    def setUp(self):
        super().setUp()
        self.socket = str(self.data / "control")

    def peer(self):
        """A connection to the control socket."""
        peer = self.enterContext(socket.socket(socket.AF_UNIX))
        peer.settimeout(TIMEOUT)
        peer.connect(self.socket)
        return peer

    def is_not_answered(self):
        peer = self.peer()
        try:
            peer.sendall(STATUS)
            return peer.recv(1) == b""
        except ConnectionError:
            return True  # it was closed before

    def test_shows_what_there_is(self):
        self.start("--name", "the den")
        status = self.ask("status")["status"]
        self.assertEqual((status["server_name"], status["players"], status["rooms"]),
                         ("the den", 0, 0))
        self.assertEqual(status["recording"], "RECORDING_GOOD")
        self.assertEqual(self.done("rooms"), "There are no rooms.\n")
        self.assertEqual(self.done("players"), "Nobody is connected.\n")
        ann, ben = self.two_players()
        ann.type("b2")
        ben.expect("^ann plays b2")
        status = self.ask("status")["status"]
        self.assertEqual([status[key] for key in ("players", "rooms", "running_games", "moves")],
                         [2, 1, 1, "1"])
        players = self.ask("players")["players"]["players"]
        self.assertEqual([(player["name"], player["room"], player["address"])
                          for player in players],
                         [("ann", "den", "127.0.0.1"), ("ben", "den", "127.0.0.1")])
        self.assertEqual(self.ask("room", "den")["room"]["summary"]["info"]["o"]["name"], "ben")
        self.assertIn("2 here", self.done("status"))
        self.assertRegex(self.done("rooms"), r"^ROOM +BOARD +X - O +STATE +WATCHERS\n"
                                             r"den +3x3 +ann - ben +playing, 1 move +0 watchers\n$")
        self.assertRegex(self.done("players"), r"^PLAYER +ADDRESS +CONNECTED +ROOM\n"
                                               r"ann +127\.0\.0\.1 +\d+ s +den\nben .*\n$")
        self.assertIn("no room with that name", self.fails("room", "nowhere"))
        # A failure is JSON, too, for who asks for that.
        result = self.ctl("room", "nowhere", "--json")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no room", json.loads(result.stdout)["failure"]["sentence"])

    def test_drain_lets_running_games_finish(self):
        for ends_by_signal in (False, True):
            with self.subTest(ends_by_signal=ends_by_signal):
                self.data = self.folder / str(ends_by_signal)
                server = self.start()
                ann, ben = self.two_players()
                self.done("drain", "600")
                ann.expect("will stop soon")
                self.assertTrue(self.ask("status")["status"]["draining"])
                self.assertIn("already", self.fails("drain"))
                if ends_by_signal:
                    server.process.send_signal(signal.SIGTERM)
                else:
                    ben.type("resign")
                self.assertEqual(server.status(), -signal.SIGTERM if ends_by_signal else 0, server.text)

    def test_a_kicked_player_learns_why_and_does_not_come_back_by_itself(self):
        server = self.start()
        ann, ben = self.two_players()
        self.assertIn("ben", self.done("kick", "ben", "too", "loud"))
        ben.expect("too loud")
        self.assertEqual(ben.status(), 1)
        ann.expect("^ben left seat O")
        self.assertEqual([player["name"] for player in self.ask("players")["players"]["players"]],
                         ["ann"])
        server.expect('command: command=kick answer="Disconnected ben')
        self.assertIn("No player", self.fails("kick", "ben"))
        # It is no ban.
        self.client("ben", "join den").expect("playing O")

    def test_a_stuck_server_at_the_socket_does_not_stop_the_start(self):
        os.mkdir(self.data)
        stuck = self.enterContext(socket.socket(socket.AF_UNIX))
        stuck.bind(self.socket)
        stuck.listen(0)
        waiting = []
        with self.assertRaises(BlockingIOError):  # its queue of connections is full
            while True:
                waiting.append(self.enterContext(socket.socket(socket.AF_UNIX)))
                waiting[-1].setblocking(False)
                waiting[-1].connect(self.socket)
        server = self.start()
        wait_until(lambda: "another server uses it" in server.text, "warning")

    def test_another_file_at_the_place_of_the_socket_is_kept(self):
        os.mkdir(self.data)
        pathlib.Path(self.socket).write_text("mine")
        server = self.start()
        wait_until(lambda: "another file has this name. Remove it" in server.text, "warning")
        self.assertEqual(pathlib.Path(self.socket).read_text(), "mine")

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to become another user")
    def test_another_user_is_not_answered_even_if_the_mode_allows_it(self):
        self.start()
        self.assertEqual(os.stat(self.socket).st_mode, stat.S_IFSOCK | 0o600)
        for path in (self.folder, self.data):
            os.chmod(path, 0o755)
        os.chmod(self.socket, 0o666)
        child = os.fork()
        if child == 0:
            os.setuid(65534)
            os._exit(0 if self.is_not_answered() else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.done("status")

    def test_replaces_the_socket_of_a_killed_server(self):
        server = self.start()
        server.process.kill()
        server.status()
        self.assertTrue(os.path.exists(self.socket))
        self.assertIn("No server answers", self.fails("status"))
        self.start()
        self.done("status")

    def test_bad_bytes_end_only_their_connection(self):
        self.start()
        for data in (b"\xff\xff\xff\xff\xff\xff", b"\x80\x80\x02", b"\x02\xff\xff"):
            peer = self.peer()
            peer.sendall(data)
            self.assertEqual(peer.recv(1), b"", data)
        peer = self.peer()
        peer.sendall(2 * STATUS + b"\x00")  # two at once, and one that this server does not know
        peer.shutdown(socket.SHUT_WR)
        answers = b"".join(iter(lambda: peer.recv(65536), b""))
        fields = []
        while answers:
            fields.append(answers[1] >> 3)  # the number of the answer's field
            answers = answers[1 + answers[0]:]
        self.assertEqual(fields, [2, 2, 1])

    def test_too_many_connections_are_closed(self):
        self.start()
        peers = [self.peer() for _ in range(8)]
        self.assertTrue(self.is_not_answered())
        for peer in peers:
            peer.close()
        self.done("status")

    def test_watch_asks_again(self):
        self.start()
        with Process([f"{BIN}/tictactoe-server", "ctl", "status", "--watch", "--json",
                      "--data-dir", str(self.data)], None, stdout=-1) as watch:
            watch.expect('"players":0')
            self.client("ann", "create den").expect("Waiting for an opponent")
            watch.expect('"players":1')

    def test_a_backup_during_games_has_what_was_there_when_it_began(self):
        self.assertEqual(self.account("add", "eve", "--create").returncode, 0)
        server = self.start("--rate", "0")
        ann, ben = self.two_players()
        ann.type("b2")
        ben.expect("^ann plays b2")
        # Writes meanwhile, as fast as they are answered.
        talking = self.client("cid", "create bar", *(f"say line {i}" for i in range(3000)))
        talking.expect("line 5$")
        copies = [str(self.folder / f"{number}.db") for number in range(2)]
        for copy in copies:
            self.assertIn("verified", self.done("backup", copy))
            self.assertEqual(stat.S_IMODE(os.stat(copy).st_mode), 0o600)
        self.assertNotIn("line 2999", talking.text)
        self.assertIn("File exists", self.fails("backup", copies[0]))
        server.process.kill()
        server.status()
        for number, copy in enumerate(copies):
            with self.subTest(number=number):
                self.data = self.folder / f"restored-{number}"
                self.assertIn("2 rooms", self.done("restore", copy))
                self.assertIn("a journal in", self.fails("restore", copy))
                again = self.start()
                self.assertIn("server", self.fails("restore", copy))
                rooms = {room["info"]["name"]: room["info"]
                         for room in self.ask("rooms")["rooms"]["rooms"]}
                self.assertEqual(set(rooms), {"den", "bar"})
                self.assertEqual((rooms["den"]["x"]["name"], rooms["den"]["o"]["name"]), ("ann", "ben"))
                self.client("eve").expect("eve-2")  # its accounts and its key are the same
                key, = [line for line in server.text.splitlines() if line.startswith("the server's key")]
                self.assertIn(key, again.text)
                self.assertNotIn("damaged", again.text)
                self.end(again)

    def test_a_backup_that_fails_leaves_no_file(self):
        copy = str(self.folder / "copy.db")
        self.assertIn("no journal", self.fails("backup", copy))
        self.data.mkdir()
        (self.data / "journal.db").write_bytes(b"no database" * 1000)
        self.assertIn("not a database", self.fails("backup", copy))
        self.assertFalse(os.path.exists(copy))
        # Without a server.
        (self.data / "journal.db").unlink()
        self.end(self.start())
        self.done("backup", copy)

    def test_a_damaged_backup_is_not_restored(self):
        self.start()
        self.two_players()
        copy = self.folder / "copy.db"
        self.done("backup", str(copy))
        good = copy.read_bytes()
        self.data = self.folder / "new" / "and" / "deep"
        for at, bad in ((4096 * 2, b"\xff" * 4096), (0, b"something else  ")):
            with self.subTest(at=at):
                copy.write_bytes(good[:at] + bad + good[at + len(bad):])
                self.assertIn("Can't restore", self.fails("restore", str(copy)))
                self.assertFalse((self.folder / "new").exists(), "nothing is left")
        copy.write_bytes(b"")
        for wrong, why in ((copy, "not a journal"), (os.devnull, "not a regular file"), (self.folder, "a directory")):
            self.assertIn(why, self.fails("restore", str(wrong)))
        self.data.mkdir(parents=True)
        self.fails("restore", str(copy))
        self.assertEqual(os.listdir(self.data), [])

    def test_a_path_too_long_for_a_socket_costs_only_the_socket(self):
        self.data = self.folder / ("d" * 120)
        server = self.start()
        self.assertIn("too long", self.fails("status"))
        self.end(server)
        self.assertIn("too long for a socket", server.text)
