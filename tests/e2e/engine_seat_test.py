"""Programs of the Gomocup protocol on a seat of a real server: our own, and programs that crash, hang,
flood, cheat and fork."""

from __future__ import annotations

import ctypes
import os
import pathlib
import tempfile
import time
import unittest
import unittest.mock

from network import LOOPBACK
from programs import BIN, TIMEOUT, Server, run
from wire_case import WireTest

LANDLOCK = ctypes.CDLL(None).syscall(444, None, 0, 1) > 0  # landlock_create_ruleset: its version

# What a well-behaved program does until it is asked for its first move.
READY = """
import os, signal, socket, subprocess, sys, time
def say(text):
    print(text, flush=True)
def ready():
    input()
    say("OK")
    while True:
        line = input()
        if not line.startswith("INFO"):
            return line
"""

# Reads the first bytes of a file of others, or moves to 0,0 if that is refused.
READ = READY + """
def read(*path):
    ready()
    try:
        with open(os.path.join(*path), "rb") as file:
            say("took " + repr(file.read(1)))
    except OSError:
        say("0,0")
    time.sleep(1000)
"""

# Ends with this status if what it tries is refused.
TRY = READY + """
def attempt(what):
    ready()
    try:
        what()
    except (OSError, MemoryError):
        os._exit(41)
    say("it worked")
"""
REFUSED = "exited with status 41"
LATE = "gave no answer in time"
SLOW = "did not start in time"
ILLEGAL = "answered with an illegal move"
NO_MOVE = "gave an answer that is no move"
FLOODED = "wrote too much"

# What each does, and what the room is told.
HOSTILE = {
    "tell": (READY + "ready(); say('the key is 4711'); time.sleep(1000)", NO_MOVE),
    # It can't send itself SIGABRT, so that the C library ends it in another way.
    "crash": (READY + "ready(); os.abort()", "was killed by signal (6|11)"),
    "leave": ("raise SystemExit(5)", "exited with status 5"),
    "hang": (READY + "ready(); time.sleep(1000)", LATE),
    "deaf": ("import time; time.sleep(1000)", SLOW),
    "illegal": (READY + "ready(); say('7,7')\nwhile True: time.sleep(1)", ILLEGAL),
    # A gigabyte.
    "flood": (READY + "ready()\nfor _ in range(1 << 20): print('MESSAGE ' + 'x' * 1000)", FLOODED),
    "fork": (TRY + "attempt(os.fork)", REFUSED),
    "connect": (TRY + "attempt(socket.socket)", REFUSED),
    "write": (TRY + "attempt(lambda: open(sys.argv[1] + '/written', 'w'))", REFUSED),
}


class Hostile(WireTest):
    """The game goes on, the room is told why, and the server is unharmed."""

    @classmethod
    def setUpClass(cls) -> None:
        whole = tempfile.TemporaryDirectory(prefix="tictactoe-engines-")
        cls.addClassCleanup(whole.cleanup)
        cls.folder = os.path.join(whole.name, "engines")
        os.mkdir(cls.folder)
        for name, (script, _) in HOSTILE.items():
            pathlib.Path(cls.folder, name + ".py").write_text(script)

    def setUp(self) -> None:
        pass

    def serve(self, *names: str) -> None:
        options = ["--ai-time", "5000", "--engine-memory", "128", "--ai-threads", "2",
                   "--engine-start", "10"]
        for name in names:
            script = os.path.join(self.folder, name + ".py")
            options += ["--engine", f"{name}=/usr/bin/python3 -S {script} '{self.folder}'"]
        self.server = self.start_server(*options)

    def played_against(self, name: str):
        """What an engine answers to the first move."""
        client = self.connect(name="against " + name)
        client.ask("create_room", name=name, rules={"rows": 15, "cols": 15, "k": 5})
        client.ask("add_ai", seat="MARK_O", level=name)
        client.move(7, 7)
        move = client.find_update("move_played")
        while move.ply < 2:
            move = client.find_update("move_played")
        self.assertEqual(move.ply, 2)
        return client, move

    def test_each_is_replaced_and_the_room_is_told(self) -> None:
        self.serve(*HOSTILE)
        for name in HOSTILE:
            with self.subTest(name):
                client, move = self.played_against(name)
                self.assertRegex(move.engine_fault,
                                 f"^The engine {name} {HOSTILE[name][1]}: the AI level strong "
                                 "has moved in its place.$")
                self.assertNotIn("4711", move.engine_fault)
                self.assertFalse(move.cannot_lose)
                # The server answers others meanwhile, and the game can go on.
                client.ask("ping")
                client.close()
        self.assertEqual(self.processes(), [])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "written")))

    def processes(self):
        """Processes of these engines that are left, once the rooms are gone."""
        end = time.monotonic() + TIMEOUT
        while True:
            left = []
            for entry in os.listdir("/proc"):
                try:
                    words = pathlib.Path("/proc", entry, "cmdline").read_bytes()
                except OSError:
                    continue
                if entry.isdigit() and self.folder.encode() in words and b"--engine" not in words:
                    left.append(words)
            if not left or time.monotonic() > end:
                return left
            time.sleep(0.1)

    @unittest.skipUnless(LANDLOCK, "this kernel has no Landlock")
    def test_a_home_or_data_directory_is_not_the_folder_of_an_engine(self) -> None:
        script = os.path.join(self.folder, "neighbour.py")
        pathlib.Path(script).write_text(READ + "read(os.path.dirname(sys.argv[0]), 'hang.py')")
        command = f"neighbour=/usr/bin/python3 -S {script}"
        self.server = self.start_server("--ai-time", "5000", "--engine", command)
        _, move = self.played_against("neighbour")
        self.assertIn(NO_MOVE, move.engine_fault)
        with unittest.mock.patch.dict(os.environ, HOME=self.folder):
            self.server = self.start_server("--ai-time", "5000", "--engine", command)
        _, move = self.played_against("neighbour")
        self.assertEqual(move.engine_fault, "")
        # The file of options may have the password of a database.
        config = pathlib.Path(self.folder, "server.toml")
        config.write_text("ai-time = 5000\n")
        self.addCleanup(config.unlink)
        self.server = self.start_server("--config", str(config), "--engine", command)
        _, move = self.played_against("neighbour")
        self.assertEqual(move.engine_fault, "")

    def test_one_that_loads_for_longer_than_a_turn_plays(self) -> None:
        script = os.path.join(self.folder, "slow.py")
        pathlib.Path(script).write_text(READY + "time.sleep(1.6); ready(); say('0,0'); input()")
        self.server = self.start_server("--ai-time", "1000", "--engine",
                                        f"slow=/usr/bin/python3 -S {script}")
        _, move = self.played_against("slow")
        self.assertEqual((move.engine_fault, move.cell.row, move.cell.col), ("", 0, 0))

    def engine(self, name: str, script: str) -> tuple[str, str]:
        """The option for an engine that is this script of Python."""
        file = pathlib.Path(self.folder, name + ".py")
        file.write_text(script)
        self.addCleanup(file.unlink)
        return "--engine", f"{name}=/usr/bin/python3 -S {file}"

    def add_engine(self, name: str, side: int = 15):
        client = self.connect(name="against " + name)
        client.ask("create_room", name=name, rules={"rows": side, "cols": side, "k": 5})
        client.ask("add_ai", seat="MARK_O", level=name)
        return client

    def test_a_board_that_it_refuses_is_told_when_it_is_added(self) -> None:
        script = READY + """
size = input().split()[1]
if size != "15":
    say("ERROR unsupported size " + size)
else:
    say("OK")
input()
"""
        self.server = self.start_server(*self.engine("choosy", script))
        note = self.add_engine("choosy", 30).find_update("engine_note")
        self.assertEqual(note.text, "The engine choosy refused to start ('ERROR unsupported size 30'): "
                                    "the AI level strong will move in its place.")
        # In the words of the client.
        console = self.start_console("ann", "create small 5x5x5", "ai o choosy", "3 3", "wait", "leave", "quit")
        self.assertIn("('ERROR unsupported size 5'): the AI level strong will move in its place.",
                      self.output(console))

    def test_one_that_is_late_still_moves_and_the_room_is_told(self) -> None:
        script = READY + "ready(); time.sleep(3); say('0,0'); input()"
        self.server = self.start_server("--ai-time", "500", *self.engine("late", script))
        client = self.add_engine("late")
        client.send("move", cell={"row": 7, "col": 7})
        self.assertEqual(client.find_update("engine_note").text,
                         "The engine late is late: it is still loading, or the machine is busy.")
        move = client.find_update("move_played")
        self.assertEqual((move.engine_fault, move.cell.row, move.cell.col), ("", 0, 0))

    def test_it_has_the_priority_of_the_server(self) -> None:
        self.server = self.start_server(*self.engine("plain", READY + "ready(); say('0,0'); time.sleep(99)"))
        _, move = self.played_against("plain")
        self.assertEqual(move.engine_fault, "")
        [process] = [entry for entry in os.listdir("/proc") if entry.isdigit() and
                     b"plain.py" in self.words_of(entry) and b"--engine" not in self.words_of(entry)]
        self.assertEqual(os.sched_getscheduler(int(process)), os.SCHED_OTHER)

    @staticmethod
    def words_of(process: str) -> bytes:
        try:
            return pathlib.Path("/proc", process, "cmdline").read_bytes()
        except OSError:
            return b""

    def test_the_log_names_each_and_its_standard_error(self) -> None:
        names = ("one", "two", "three", "four")
        options = [word for name in names
                   for word in self.engine(name, f"import os; print('no {name} here', flush=True); "
                                                 f"os.write(2, b'lost {name}\\n'); os._exit(3)")]
        server = self.enterContext(Server(LOOPBACK, "--listen", LOOPBACK.ipv4, "--ai-threads", "2",
                                          *options))
        self.server = server
        for name in names:
            client = self.add_engine(name)
            self.assertEqual(client.find_update("engine_note").text,
                             f"The engine {name} exited with status 3: the AI level strong will move "
                             "in its place.")
        for name in names:
            server.expect(f"the engine {name} exited with status 3; its standard error ends with "
                          f"'lost {name}'. It can't start other programs.* reads only /usr, .*"
                          f"{os.path.basename(self.folder)}")
        self.stop(server)

    def test_others_are_not_held_up_while_an_engine_hangs(self) -> None:
        self.serve("hang")
        bob = self.connect("bob")
        client = self.connect("ann")
        client.ask("create_room", name="den", rules={"rows": 15, "cols": 15, "k": 5})
        client.ask("add_ai", seat="MARK_O", level="hang")
        client.send("move", cell={"row": 7, "col": 7})
        slowest = 0.0
        for _ in range(100):
            began = time.monotonic()
            bob.ask("ping")
            slowest = max(slowest, time.monotonic() - began)
        self.assertLess(slowest, 3)


@unittest.skipIf("TICTACTOE_SANITIZED" in os.environ, "it would need more memory than an engine may have")
class Friendly(WireTest):
    """Our own program on both seats of another server."""

    options = ("--engine", f"robo={BIN}/tictactoe-engine gomocup --nodes 500", "--ai-time", "20000")

    def test_a_whole_game_without_a_fault(self) -> None:
        client = self.connect("ann")
        self.assertIn("robo", client.welcome.limits.ai_levels)
        client.ask("create_room", name="den", rules={"rows": 9, "cols": 9, "k": 5, "exact": True})
        client.ask("add_ai", seat="MARK_O", level="robo")
        client.ask("add_ai", seat="MARK_X", level="robo")
        for ply in range(1, 82):
            move = client.find_update("move_played")
            self.assertEqual((move.ply, move.engine_fault), (ply, ""))
            if move.HasField("outcome"):
                return
        self.fail("the game has no end")


class Options(unittest.TestCase):
    def test_bad_engines_are_refused(self) -> None:
        for engine in ("sh", "=sh", "x=", "x=/no/such/program", "x='sh", "strong=sh",
                       "a name=sh", "x" * 17 + "=sh"):
            with self.subTest(engine):
                result = run("tictactoe-server", "--no-journal", "--engine", engine)
                self.assertEqual(result.returncode, 2, result)
                self.assertIn("--engine", result.stderr)
        result = run("tictactoe-server", "--no-journal", "--engine", "x=sh", "--engine", "x=sh")
        self.assertEqual(result.returncode, 2, result)
