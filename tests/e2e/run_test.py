"""`./run` at a terminal: its server, its key, and the commands that it passes on.

Each test has a host of its own, because `./run` wants its usual port."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from case import Case, wait_until
from network import LOOPBACK, Network
from programs import BIN, TIMEOUT, TerminalProcess

RUN = str(pathlib.Path(__file__).resolve().parents[2] / "run")
CTRL_C, CTRL_Z = "\x03", "\x1a"


# Targets like the programs, which take no time to build. A glob that CMake checks again at each build,
# as the project has them.
PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(fake NONE)
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/*.source)
foreach(name tictactoe-server tictactoe tictactoe-engine)
  set(program ${CMAKE_BINARY_DIR}/bin/${name})
  add_custom_command(OUTPUT ${program} DEPENDS ${sources} VERBATIM
    COMMAND sh -c "mkdir -p bin && echo 'echo started' > ${program} && chmod +x ${program}")
  add_custom_target(${name} DEPENDS ${program})
endforeach()
"""
PRESETS = """{"version": 3, "configurePresets": [{"name": "release", "generator": "Ninja",
  "binaryDir": "${sourceDir}/build/release"}]}"""


class Build(unittest.TestCase):
    """`./run` in a project that takes no time to build."""

    def setUp(self):
        self.project = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        shutil.copy(RUN, self.project / "run")
        (self.project / "CMakeLists.txt").write_text(PROJECT)
        (self.project / "CMakePresets.json").write_text(PRESETS)
        (self.project / "one.source").touch()
        # Every package is there.
        tools = self.project / "tools"
        tools.mkdir()
        (tools / "dpkg-query").write_text("#!/bin/sh\necho installed\n")
        (tools / "dpkg-query").chmod(0o755)
        self.path = f"{tools}:{os.environ['PATH']}"

    def start(self):
        """What it says before the program runs."""
        variables = {name: value for name, value in os.environ.items() if name != "TICTACTOE_BIN"}
        result = subprocess.run([self.project / "run", "serve"], env={**variables, "PATH": self.path},
                                capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual((result.returncode, result.stdout), (0, "started\n"), result)
        return result.stderr

    def test_is_announced_only_if_there_is_something_to_build(self):
        announced = "Building (this takes a few minutes the first time) ...\n"
        self.assertEqual(self.start(), announced)
        self.assertEqual(self.start(), "")
        self.assertEqual(self.start(), "")
        (self.project / "two.source").touch()  # which the glob finds
        self.assertEqual(self.start(), announced)
        self.assertEqual(self.start(), "")
        os.utime(self.project / "one.source", (time.time() + 5, time.time() + 5))
        self.assertEqual(self.start(), announced)

    def test_the_help_fits_into_80_columns(self):
        result = subprocess.run([RUN, "help"], capture_output=True, text=True, timeout=TIMEOUT, check=True)
        self.assertEqual([line for line in result.stdout.splitlines() if len(line) > 80], [])


class Run(Case):
    def setUp(self):
        super().setUp()
        network = self.enterContext(Network("attic"))
        self.host = network["attic"]
        if self.host is LOOPBACK:
            self.skipTest(f"no network namespaces here: {network.missing}")

    def variables(self):
        return {"HOME": str(self.folder), "USER": "alice", "TICTACTOE_BIN": os.path.realpath(BIN),
                "XDG_DATA_HOME": str(self.data), **self.state()}

    def run_at_terminal(self, *command, **variables):
        return self.enterContext(TerminalProcess(self.host.command(list(command or (RUN,))),
                                                 {**self.variables(), **variables}))

    def answers(self):
        """Whether the server answers a guest."""
        command = [f"{BIN}/tictactoe", "--guest", "--server", "localhost:7654", "--lines", "--command", "rooms"]
        return subprocess.run(self.host.command(command), stdin=subprocess.DEVNULL, check=False,
                              capture_output=True, timeout=TIMEOUT).returncode == 0

    def expect_end_of_server(self):
        wait_until(lambda: not self.answers(), "end of the server")

    def test_plays_with_a_server_whose_key_is_new(self):
        first = self.run_at_terminal()
        first.expect("Your turn: place your X")
        first.process.send_signal(signal.SIGTERM)
        first.hang_up()
        first.status()
        self.expect_end_of_server()
        subprocess.run(["rm", "-r", str(self.data)], check=True)
        second = self.run_at_terminal()
        second.expect("Your turn: place your X")
        self.assertNotIn("has changed", second.text)

    def test_ctrl_c_leaves_the_server_to_its_guests_until_the_player_quits(self):
        player = self.run_at_terminal()
        player.expect("Your turn: place your X")
        player.keys(CTRL_C)
        player.expect("Keep playing")
        self.assertTrue(self.answers())

        def has_ended():
            time.sleep(0.5)  # a dialog takes a key only after 0.3 s without any
            player.keys("2\r")  # to keep the seat and quit
            return not self.answers()
        wait_until(has_ended, "end of the server")
        player.expect("Your server has ended")
        player.status()
        self.assertNotIn("A server is running", player.text)

    def test_a_plain_terminal_is_told_too_that_the_server_ends(self):
        player = self.run_at_terminal(TERM="dumb")
        player.expect("A server is running")
        player.expect("  tictactoe [0-9.]+ --server-key SHA256")
        player.expect(r"  \./run join [0-9.]+ --server-key SHA256")
        player.expect("Your turn: place your X")
        player.keys("quit\n")
        player.expect("The server stops when you quit, and everyone else is disconnected")
        player.expect(r"When the server starts again, the seats of this game will be held for 2 min\.")
        player.expect("`keep` to quit and keep it for 2 min")
        self.assertTrue(self.answers())
        player.keys("keep\n")
        player.expect(r"When it starts again, your seat will be held for 2 min\.")
        player.status()
        self.expect_end_of_server()
        again = self.run_at_terminal(TERM="dumb")
        again.expect("You are back in your seat")
        again.keys("leave\n")
        again.expect("You are no longer in the room")
        self.assertNotIn("Refused", again.text)

    def test_a_stopped_player_does_not_stop_the_server(self):
        # A shell with job control, as a person has it.
        shell = self.run_at_terminal("bash", "--norc", "--noprofile", "-i")
        shell.keys(f"{RUN}\n")
        shell.expect("Your turn: place your X")
        shell.keys(CTRL_Z)
        shell.expect("Stopped")
        self.assertTrue(self.answers())
        shell.keys("kill -KILL %1\n")
        self.expect_end_of_server()

    def test_commands_of_the_client_are_passed_on(self):
        def run(*words):
            return subprocess.run(self.host.command([RUN, *words]), check=False, text=True,
                                  env={**os.environ, **self.variables()}, timeout=TIMEOUT,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
        lan = run("lan")
        self.assertEqual((lan.returncode, lan.stdout), (1, "No server was found on this network.\n"))
        for words in (("join", "localhost:7654", "history"), ("history", "--server", "localhost:7654")):
            self.assertIn("Can't reach a server at localhost:7654", run(*words).stdout)
        unknown = run("rooms")
        self.assertEqual((unknown.returncode, unknown.stdout),
                         (2, 'run: unknown command "rooms". ./run help lists them.\n'))
