"""Programs of the Gomocup protocol on a seat of a real server: our own, and programs that hang, flood, read and cheat.

What the room is told of each fault, and what confinement forbids, is tested in unit_engines_test.
"""

from __future__ import annotations

import ctypes
import os
import pathlib
import unittest
import unittest.mock

from case import Case, wait_until
from programs import BIN

LANDLOCK = ctypes.CDLL(None).syscall(444, None, 0, 1) > 0  # landlock_create_ruleset: its version

# What a well-behaved program does until it is asked for its first move.
READY = """
import os, sys, time
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
ready()
try:
    with open(os.path.join(os.path.dirname(sys.argv[0]), 'neighbour'), "rb") as file:
        say("took " + repr(file.read(1)))
except OSError:
    say("0,0")
time.sleep(1000)
"""
NO_MOVE = "gave an answer that is no move"

# What each does, and what the room is told.
HOSTILE = {
    "tell": (READY + "ready(); say('the key is 4711'); time.sleep(1000)", NO_MOVE),
    "hang": (READY + "ready(); time.sleep(1000)", "gave no answer in time"),
    # A gigabyte.
    "flood": (READY + "ready()\nfor _ in range(1 << 20): print('MESSAGE ' + 'x' * 1000)", "wrote too much"),
}


class Seat(Case):
    def setUp(self) -> None:
        super().setUp()
        self.engines = self.folder / "engines"
        self.engines.mkdir()

    def engine(self, name: str, script: str) -> tuple[str, str]:
        """The option for an engine that is this script of Python."""
        (self.engines / f"{name}.py").write_text(script)
        return "--engine", f"{name}=/usr/bin/python3 -S {self.engines}/{name}.py"

    def serve_engine(self, *options: str):
        return self.serve("--silence", "300", *options)

    def add_engine(self, name: str):
        client = self.raw("against " + name)
        client.ask("create_room", name=name, rules={"rows": 15, "cols": 15, "k": 5})
        client.ask("add_ai", seat="MARK_O", level=name)
        return client

    def played_against(self, name: str):
        """What an engine answers to the first move."""
        client = self.add_engine(name)
        client.move(7, 7)
        move = client.find_update("move_played")
        while move.ply < 2:
            move = client.find_update("move_played")
        self.assertEqual(move.ply, 2)
        return client, move

    def processes(self) -> list[str]:
        """Those of the engines."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if str(self.engines).encode() in words and b"--engine" not in words:
                found.append(entry.name)
        return found

    def test_each_is_replaced_and_the_room_is_told(self) -> None:
        """The game goes on, and nothing of the engine is left."""
        self.serve_engine("--ai-time", "3000", "--ai-threads", "2", "--engine-start", "10",
                          *(word for name, (script, _) in HOSTILE.items() for word in self.engine(name, script)))
        for name, (_, fault) in HOSTILE.items():
            with self.subTest(name):
                client, move = self.played_against(name)
                self.assertEqual(move.engine_fault,
                                 f"The engine {name} {fault}: the AI level strong has moved in its place.")
                self.assertFalse(move.cannot_lose)
                client.ask("ping")
                client.close()
        wait_until(lambda: not self.processes(), "end of all engines")

    @unittest.skipUnless(LANDLOCK, "this kernel has no Landlock")
    def test_a_home_or_data_directory_is_not_the_folder_of_an_engine(self) -> None:
        (self.engines / "neighbour").write_text("1")
        reader = "--ai-time", "5000", *self.engine("reader", READ)
        self.serve_engine(*reader)
        self.assertIn(NO_MOVE, self.played_against("reader")[1].engine_fault)
        with unittest.mock.patch.dict(os.environ, HOME=str(self.engines)):
            self.serve_engine(*reader)
        self.assertEqual(self.played_against("reader")[1].engine_fault, "")
        # The file of options may have the password of a database.
        self.serve_engine("--config", self.file("engines/server.toml", "ai-time = 5000"), *reader[2:])
        self.assertEqual(self.played_against("reader")[1].engine_fault, "")

    def test_one_that_is_late_still_moves_at_the_priority_of_the_server_and_the_room_is_told(self) -> None:
        self.serve_engine("--ai-time", "500", *self.engine("late", READY + "ready(); time.sleep(3); say('0,0'); input()"))
        client = self.add_engine("late")
        client.send("move", cell={"row": 7, "col": 7})
        self.assertEqual(client.find_update("engine_note").text,
                         "The engine late is late: it is still loading, or the machine is busy.")
        [process] = self.processes()
        self.assertEqual(os.sched_getscheduler(int(process)), os.SCHED_OTHER)
        move = client.find_update("move_played")
        self.assertEqual((move.engine_fault, move.cell.row, move.cell.col), ("", 0, 0))

    def test_the_log_names_each_and_its_standard_error(self) -> None:
        names = ("one", "two", "three", "four")
        server = self.serve_engine("--ai-threads", "2", *(
            word for name in names
            for word in self.engine(name, f"import os; print('no {name} here', flush=True); "
                                          f"os.write(2, b'lost {name}\\n'); os._exit(3)")))
        for name in names:
            self.assertEqual(self.add_engine(name).find_update("engine_note").text,
                             f"The engine {name} exited with status 3: the AI level strong will move in its place.")
        for name in names:
            said = f"the engine {name} exited with status 3; its standard error ends with 'lost {name}'. It can't start"
            wait_until(lambda said=said: said in server.text, said)
        self.assertRegex(server.text, f"reads only /usr, .*{self.engines.name}")

    @unittest.skipIf("TICTACTOE_SANITIZED" in os.environ, "it would need more memory than an engine may have")
    def test_our_own_program_plays_a_whole_game_without_a_fault(self) -> None:
        self.serve_engine("--engine", f"robo={BIN}/tictactoe-engine gomocup --nodes 500", "--ai-time", "20000")
        client = self.raw("ann")
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
