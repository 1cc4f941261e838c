"""However the client ends, the seat of its player survives, unless the player gives it up."""

import fcntl
import os
import pty
import signal
import subprocess
import termios
import time

from case import ServerCase, is_asleep, wait_for_state, wait_until
from programs import BIN, TIMEOUT
from tmux import client


class Duel(ServerCase):
    """Alice plays at a terminal against bob, whose client is a script and tells what she does."""

    def alice(self, front_end, room):
        options = ("--command", f"create {room}")
        alice = (self.screen(*options, **self.state("alice")) if front_end == "screen"
                 else self.lines("alice", *options, state="alice"))
        alice.expect("Waiting for an opponent")
        return alice

    def bob(self, alice, room):
        bob = self.client("bob", f"join {room}")
        bob.expect(r"^You are bob, playing O")
        alice.expect("Your turn")
        return bob

    def expect_resumed(self, bob, room):
        """The seat is still alice's, and her next client takes it again."""
        bob.expect(r"^alice is away")
        again = self.client("alice")
        again.expect(rf"^You are back in your seat in the room \"{room}\"\.$")
        again.expect(r"^Your turn")
        again.type("b2")
        bob.expect(r"^alice plays b2\.")
        self.assertEqual(again.end(), 0)  # a script that ends gives the seat up
        bob.expect(r"^alice left seat X")
        self.assertEqual(bob.end(), 0)


class Ends(Duel):
    def test_a_signal_or_the_end_of_the_terminal_keeps_the_seat(self):
        for front_end, number in (("screen", signal.SIGHUP), ("lines", signal.SIGTERM), ("screen", None),
                                  ("lines", None)):
            with self.subTest(front_end=front_end, signal=number):
                room = f"{front_end}{number or 0:d}"
                alice = self.alice(front_end, room)
                bob = self.bob(alice, room)
                program = alice.program_id() if front_end == "screen" else alice.process.pid
                if number is not None:
                    os.kill(program, number)
                elif front_end == "screen":
                    alice.close()
                else:
                    alice.hang_up()
                wait_for_state(program, "Z")
                self.expect_resumed(bob, room)

    def test_a_closed_output_keeps_the_seat(self):
        command = [f"{BIN}/tictactoe", "--server", self.address, "--name", "alice", "--command", "create pipe"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env={**os.environ, **self.state("alice")}) as alice:
            while b"Waiting for an opponent" not in alice.stdout.readline():
                pass
            bob = self.client("bob", "join pipe")
            bob.expect(r"^You are bob, playing O")
            while b"Your turn" not in alice.stdout.readline():
                pass
            alice.stdout.close()
            alice.stdin.write(b"rooms\n")
            alice.stdin.flush()
            self.assertEqual(alice.wait(TIMEOUT), 0)
        self.expect_resumed(bob, "pipe")


class UnreadTerminal:
    """A client at a terminal whose other side is never read."""

    def __init__(self, command, environment, case):
        self.master, terminal = pty.openpty()
        case.addCleanup(os.close, self.master)
        termios.tcsetwinsize(terminal, (24, 80))
        self.mode_before = termios.tcgetattr(self.master)
        self.process = subprocess.Popen(
            command, stdin=terminal, stdout=terminal, stderr=subprocess.DEVNULL,
            env={**environment, "TERM": "xterm"}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(terminal)
        case.addCleanup(self.process.kill)

    def fill(self, keys):
        """Lets the client write much more than the terminal holds, until it waits."""
        for _ in range(50):
            os.write(self.master, keys)
            time.sleep(0.01)  # what comes at once is answered with one picture
        wait_until(lambda: is_asleep(self.process.pid), "client that waits for its terminal")


class Unread(Duel):
    def test_signals_end_a_client_whose_output_nobody_reads(self):
        for front_end, number in (("screen", signal.SIGHUP), ("screen", signal.SIGINT), ("lines", signal.SIGTERM)):
            with self.subTest(front_end=front_end, signal=number.name):
                self.check(front_end, number)

    def check(self, front_end, number):
        name = f"{front_end}-{number.name}"
        command = client(self.address, name, "--command", f"join {name}")
        bob = self.client("bob", f"create {name}")
        bob.expect("Waiting for an opponent")
        alice = UnreadTerminal(command + (["--lines"] if front_end == "lines" else []),
                               {**os.environ, **self.state("alice")}, self)
        bob.expect(rf"^{name} takes seat O\. Your turn")
        alice.fill(b"\x0c" if front_end == "screen" else b"help\r")
        os.kill(alice.process.pid, number)
        self.assertEqual(alice.process.wait(TIMEOUT), 0)
        self.assertEqual(termios.tcgetattr(alice.master), alice.mode_before)
        bob.expect(rf"^{name} is away")
        self.assertEqual(bob.end(), 0)


class Quit(Duel):
    def test_lines_ask_what_becomes_of_the_seat(self):
        alice = self.alice("lines", "den")
        bob = self.bob(alice, "den")
        for way in ("\x03", "quit\r"):  # a signal would overtake the line before it
            alice.keys(way)
            alice.expect("Type `leave`")
            alice.keys("go on\r")
        alice.keys("a1\r")
        bob.expect(r"^alice plays a1\.")
        alice.keys("quit\r")
        alice.expect("Type `leave`")
        alice.keys("keep\r")
        self.assertEqual(alice.status(), 0)
        self.expect_resumed_after_a_move(bob)

    def expect_resumed_after_a_move(self, bob):
        bob.expect(r"^alice is away")
        again = self.alice_again()
        again.keys("\x03")
        again.expect("Type `leave`")
        again.keys("\x03")  # twice: it ends, and the seat is kept
        self.assertEqual(again.status(), 0)
        bob.expect(r"^alice is away")
        again = self.alice_again()
        again.keys("quit\r")
        again.expect("Type `leave`")
        again.keys("leave\r")
        self.assertEqual(again.status(), 0)
        bob.expect(r"^alice left seat X")

    def alice_again(self):
        again = self.lines("alice", state="alice")
        again.expect(r"You are back in your seat in the room")
        again.expect("bob's turn")
        again.keys("board\r")  # waits until all news has come; to quit before that keeps the seat unasked
        again.expect("bob's turn")
        return again

    def test_the_screen_asks_what_becomes_of_the_seat(self):
        alice = self.alice("screen", "den")
        bob = self.bob(alice, "den")
        for way in ("Q", "C-c"):
            alice.keys(way)
            alice.expect("Keep the seat")
            alice.keys_until("Escape", r"\A(?![\s\S]*Keep the seat)")
        alice.keys("Q")
        alice.expect("Keep the seat")
        alice.click_until("Keep the seat", "ended with 0")
        self.expect_resumed(bob, "den")
