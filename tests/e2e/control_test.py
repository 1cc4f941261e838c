"""`tictactoe-server ctl` with a real server and real clients."""

import json
import os
import pathlib
import signal
import socket
import stat
import sys
import unittest

from control_case import ControlCase
from programs import BIN, TIMEOUT, Process


def messages(folder):
    """The messages of the control socket, as protoc makes them of the .proto files."""
    import importlib
    import subprocess
    root = pathlib.Path(__file__).resolve().parents[2] / "proto"
    subprocess.run(["protoc", f"--proto_path={root}", f"--python_out={folder}",
                    "tictactoe/admin/v1/admin.proto", "tictactoe/journal/v1/journal.proto",
                    "tictactoe/v1/types.proto",
                    "tictactoe/v1/discovery.proto", "tictactoe/v1/server.proto",
                    "tictactoe/v1/client.proto"], check=True)
    sys.path.insert(0, folder)
    try:
        return importlib.import_module("tictactoe.admin.v1.admin_pb2")
    finally:
        sys.path.remove(folder)


class Control(ControlCase):
    def test_shows_what_there_is(self):
        self.start("--name", "the den")
        status = self.ask("status")["status"]
        self.assertEqual((status["server_name"], status["players"], status["rooms"]),
                         ("the den", 0, 0))
        self.assertEqual(status["recording"], "RECORDING_GOOD")
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
        self.assertEqual(self.ask("rooms")["rooms"]["rooms"][0]["info"]["name"], "den")
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

    def test_says_that_a_list_is_empty(self):
        self.start()
        for what, sentence in (("rooms", "There are no rooms.\n"), ("players", "Nobody is connected.\n"),
                               ("bans", "Nobody is banned.\n")):
            with self.subTest(what):
                self.assertEqual(self.done(what), sentence)

    def test_drain_lets_running_games_finish(self):
        for ends_by_signal in (False, True):
            with self.subTest(ends_by_signal=ends_by_signal):
                self.data = os.path.join(self.folder, str(ends_by_signal))
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
        server.expect("another server uses it")

    def test_only_the_owner_can_open_the_socket(self):
        self.start()
        mode = os.stat(self.socket)
        self.assertTrue(stat.S_ISSOCK(mode.st_mode))
        self.assertEqual(stat.S_IMODE(mode.st_mode), 0o600)

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to become another user")
    def test_another_user_is_not_answered_even_if_the_mode_allows_it(self):
        self.start()
        for path in (self.folder, self.data):
            os.chmod(path, 0o755)
        os.chmod(self.socket, 0o666)
        child = os.fork()
        if child == 0:
            os.setuid(65534)
            peer = socket.socket(socket.AF_UNIX)
            peer.settimeout(TIMEOUT)
            peer.connect(self.socket)
            os._exit(0 if peer.recv(1) == b"" else 1)
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

    def test_bad_bytes_and_silence_end_only_their_connection(self):
        self.start()
        admin = messages(self.folder)
        for data in (b"\xff\xff\xff\xff\xff\xff", b"\x80\x80\x02", b"\x02\xff\xff"):
            with socket.socket(socket.AF_UNIX) as peer:
                peer.settimeout(TIMEOUT)
                peer.connect(self.socket)
                peer.sendall(data)
                self.assertEqual(peer.recv(1), b"", data)
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(TIMEOUT)
            peer.connect(self.socket)
            request = admin.Request(status={}).SerializeToString()
            # Two requests at once, and one that this server does not know.
            peer.sendall((bytes([len(request)]) + request) * 2 + b"\x00")
            peer.shutdown(socket.SHUT_WR)
            data = b"".join(iter(lambda: peer.recv(65536), b""))
        results = []
        while data:
            self.assertLess(data[0], 128)
            results.append(admin.Response.FromString(data[1:1 + data[0]]).WhichOneof("result"))
            data = data[1 + data[0]:]
        self.assertEqual(results, ["status", "status", "failure"])

    def test_too_many_connections_are_closed(self):
        self.start()
        peers = [self.enterContext(socket.socket(socket.AF_UNIX)) for _ in range(8)]
        for peer in peers:
            peer.connect(self.socket)
        with socket.socket(socket.AF_UNIX) as late:
            late.settimeout(TIMEOUT)
            late.connect(self.socket)
            self.assertEqual(late.recv(1), b"")
        for peer in peers:
            peer.close()
        self.done("status")

    def test_watch_asks_again(self):
        self.start()
        with Process([f"{BIN}/tictactoe-server", "ctl", "status", "--watch", "--json",
                      "--data-dir", self.data], None, stdout=-1) as watch:
            watch.expect('"players":0')
            self.client("ann", "create den").expect("Waiting for an opponent")
            watch.expect('"players":1')

    def test_a_backup_during_games_has_what_was_there_when_it_began(self):
        server = self.start("--rate", "0")
        ann, ben = self.two_players()
        ann.type("b2")
        ben.expect("^ann plays b2")
        # Writes meanwhile, as fast as they are answered.
        talking = self.client("cid", "create bar", *(f"say line {i}" for i in range(3000)))
        talking.expect("line 5$")
        copies = [os.path.join(self.folder, f"{number}.db") for number in range(5)]
        for copy in copies:
            self.assertIn("verified", self.done("backup", copy))
            self.assertEqual(stat.S_IMODE(os.stat(copy).st_mode), 0o600)
        self.assertNotIn("line 2999", talking.text)
        self.assertIn("File exists", self.fails("backup", copies[0]))
        server.process.kill()
        server.status()
        for number, copy in enumerate(copies):
            with self.subTest(number=number):
                self.data = os.path.join(self.folder, f"restored-{number}")
                self.assertIn("2 rooms", self.done("restore", copy))
                self.assertIn("a journal in", self.fails("restore", copy))
                again = self.start()
                self.assertIn("server", self.fails("restore", copy))
                rooms = {room["info"]["name"]: room["info"]
                         for room in self.ask("rooms")["rooms"]["rooms"]}
                self.assertEqual(set(rooms), {"den", "bar"})
                self.assertEqual((rooms["den"]["x"]["name"], rooms["den"]["o"]["name"]),
                                 ("ann", "ben"))
                self.assertNotIn("damaged", again.text)
                again.process.terminate()
                self.assertEqual(again.status(), 0)

    def test_a_backup_that_fails_leaves_no_file(self):
        copy = os.path.join(self.folder, "copy.db")
        self.assertIn("no journal", self.fails("backup", copy))
        os.mkdir(self.data)
        with open(os.path.join(self.data, "journal.db"), "wb") as journal:
            journal.write(b"no database" * 1000)
        self.assertIn("not a database", self.fails("backup", copy))
        self.assertFalse(os.path.exists(copy))
        # Without a server.
        os.remove(os.path.join(self.data, "journal.db"))
        server = self.start()
        server.process.terminate()
        server.status()
        self.done("backup", copy)

    def test_a_damaged_backup_is_not_restored(self):
        self.start()
        ann, _ = self.two_players()
        ann.type("b2")
        copy = os.path.join(self.folder, "copy.db")
        self.done("backup", copy)
        with open(copy, "rb") as file:
            good = file.read()
        self.data = os.path.join(self.folder, "other")
        # The record of the journal that names the player, and whole pages.
        for at, bad in ((good.rindex(b"ann"), b"anx"), (4096 * 2, b"\xff" * 4096),
                        (0, b"something else  ")):
            with self.subTest(at=at):
                with open(copy, "wb") as file:
                    file.write(good[:at] + bad + good[at + len(bad):])
                self.assertIn("Can't restore", self.fails("restore", copy))
                self.assertFalse(os.path.exists(self.data), "nothing is left")
        self.assertIn("Can't", self.fails("restore", os.path.join(self.folder, "nothing")))
        empty = os.path.join(self.folder, "empty")
        open(empty, "wb").close()
        for wrong, why in ((empty, "not a journal"), (os.devnull, "not a file"), (self.folder, "not a file")):
            with self.subTest(wrong=wrong):
                self.assertIn(why, self.fails("restore", wrong))
                self.assertFalse(os.path.exists(self.data))
        # Several folders are missing; or one is there, and stays as it was.
        self.data = os.path.join(self.folder, "new", "and", "deep")
        self.fails("restore", empty)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "new")))
        os.makedirs(self.data)
        self.fails("restore", empty)
        self.assertEqual(os.listdir(self.data), [])

    def test_a_path_too_long_for_a_socket_costs_only_the_socket(self):
        self.data = os.path.join(self.folder, "d" * 120)
        server = self.start()
        self.assertIn("too long", self.fails("status"))
        server.process.terminate()
        self.assertEqual(server.status(), 0)
        self.assertIn("too long for a socket", server.text)
