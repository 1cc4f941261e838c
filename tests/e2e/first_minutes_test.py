"""The first minutes of a new user at 80x24: `./run`, a game won, a rematch, the window closed, the
game resumed.

The session is real: each frame is what a terminal showed, and an expectation that is not met fails.
Started with a file name, this writes the frames there as an animation: `./run pictures` writes
docs/first-minutes.svg."""

import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

from network import LOOPBACK, Network
from pictures import drawn, opening
from programs import BIN, TIMEOUT
from tmux import Tmux

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS, ROWS = 80, 24
# The suggester looks one move ahead and answers these in the same way each time.
WON_GAME = ("a1", "a2", "b2", "c3")


class Recording:
    """Frames, each with the seconds for which it is shown."""

    def __init__(self):
        self.frames = []

    def take(self, terminal, seconds):
        self.frames.append((terminal.screen(colours=True), seconds))

    def save(self, path):
        """As an SVG that shows one frame after the other, again and again."""
        whole = sum(seconds for _, seconds in self.frames)
        out = [opening(COLUMNS, ROWS)]
        begin = 0.0
        for number, (screen, seconds) in enumerate(self.frames):
            first, last = (100 * time / whole for time in (begin, begin + seconds))
            # Without animations, the last frame is shown.
            hidden = "" if number + 1 == len(self.frames) else ' opacity="0"'
            out.append(f"<style>@keyframes f{number} {{ 0% {{ opacity: 0 }} {first:.2f}% "
                       f"{{ opacity: 1 }} {last:.2f}% {{ opacity: 0 }} 100% {{ opacity: 0 }} }} "
                       f"#f{number} {{ animation: f{number} {whole:.1f}s step-end infinite }}"
                       "</style>")
            out.append(f'<g id="f{number}"{hidden}>')
            out.extend(drawn(screen))
            out.append("</g>")
            begin += seconds
        path.write_text("\n".join([*out, "</svg>", ""]), encoding="utf-8")


def shell(host, home):
    """A window with a shell in the project's directory."""
    variables = {"HOME": home, "USER": "alice", "XDG_STATE_HOME": f"{home}/state",
                 "XDG_DATA_HOME": f"{home}/data", "PS1": "$ ", "PATH": os.environ["PATH"],
                 "TICTACTOE_BIN": os.path.realpath(BIN)}
    terminal = Tmux(host.command(["bash", "--norc", "--noprofile", "-i"]), COLUMNS, ROWS,
                    **variables)
    terminal.expect(r"^\$")
    return terminal


def play(terminal, recording, cell, then):
    terminal.type(cell)
    terminal.expect(f"Move or command: {cell}")
    recording.take(terminal, 0.7)
    terminal.keys("Enter")
    terminal.expect(rf"You play {cell}\.")
    terminal.expect(then)
    recording.take(terminal, 1.2)


def start(terminal, recording):
    terminal.type("./run")
    terminal.expect(r"^\$ \./run$")
    recording.take(terminal, 1.5)
    terminal.keys("Enter")
    terminal.expect("Your turn: place your X")


def wait_for_the_end_of_the_server(host):
    """Its port is free again."""
    deadline = time.monotonic() + TIMEOUT
    while subprocess.run(host.command(["ss", "-Hltn", "sport = :7654"]), check=True,
                         stdout=subprocess.PIPE).stdout:
        assert time.monotonic() < deadline, "the server outlives the window"
        time.sleep(0.02)


def record(host, home):
    """The session, and what it must show."""
    recording = Recording()
    terminal = shell(host, home)
    try:
        start(terminal, recording)
        terminal.expect(r"AI \(3, casual\) plays O")
        # The graded levels play by chance.
        terminal.type(":noai o")
        terminal.keys("Enter")
        terminal.expect("O: +open|Waiting for an opponent")
        terminal.type(":ai o suggester")
        terminal.keys("Enter")
        screen = terminal.expect(r"AI \(suggester\) plays O")
        assert "alice-room" in screen, screen
        recording.take(terminal, 3)
        for number, cell in enumerate(WON_GAME):
            last = number + 1 == len(WON_GAME)
            play(terminal, recording, cell, "You win!" if last else theirs(number + 1))
        screen = terminal.expect(r"X 1, O 0, draws 0")
        assert "diagonal a1-c3" in screen and "R Rematch" in screen, screen
        recording.take(terminal, 3)
        terminal.keys_until("r", "Game 2 begins")
        terminal.expect(r"Game 2 begins(.|\n)*plays a1\.(.|\n)*Your turn")
        recording.take(terminal, 2)
        play(terminal, recording, "b2", r"You play b2\.(.|\n)*plays [abc][123]\.(.|\n)*Your turn")
        recording.take(terminal, 3)
    finally:
        terminal.close()  # as if the window were closed
    wait_for_the_end_of_the_server(host)
    terminal = shell(host, home)
    try:
        start(terminal, recording)
        screen = terminal.expect("You are back in your")
        # The game goes on: its marks, its score, and no command of ./run is refused.
        assert "X 1, O 0, draws 0" in screen and "Refused" not in screen, screen
        assert any(re.match(r" +2 │[^│]*│ +╳ ", line) for line in screen.splitlines()), screen
        recording.take(terminal, 5)
    finally:
        terminal.close()
    wait_for_the_end_of_the_server(host)
    return recording


def theirs(number):
    """The AI's answer to that move is to be seen, and the turn has come back."""
    return rf"(AI \(suggester\) plays [abc][123]\.(.|\n)*){{{number}}}Your turn"


class FirstMinutes(unittest.TestCase):
    def test_a_game_is_won_and_another_one_resumed(self):
        self.recorded()

    def recorded(self):
        """The recording of the whole session."""
        network = self.enterContext(Network("attic"))
        home = self.enterContext(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        host = network["attic"]
        if host is LOOPBACK:
            self.skipTest(f"./run needs its port for itself, and there are no namespaces: {network.missing}")
        self.enterContext(contextlib.chdir(ROOT))
        # As on a network with a router: others can be told this host's address.
        subprocess.run(host.command(["ip", "route", "add", "default", "dev", "lan"]), check=True)
        return record(host, home)


def draw(path):
    test = FirstMinutes()
    try:
        test.recorded().save(path)
    finally:
        test.doCleanups()


if __name__ == "__main__":
    draw(pathlib.Path(sys.argv[1]).resolve())
