"""The terminal is as it was whatever stops or ends the client, and nothing freezes it."""

import fcntl
import os
import signal
import subprocess
import termios
import time
import unittest

from network import LOOPBACK
from programs import BIN, TIMEOUT, Server, TerminalClient, TerminalProcess
from tmux import Tmux, client


class WithServer(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server(LOOPBACK))
        self.address = LOOPBACK.address4(self.server.port)

    def screen(self, *options, command=None):
        terminal = Tmux(command or client(self.address, "alice", *options))
        self.addCleanup(terminal.close)
        return terminal

    def game(self):
        terminal = self.screen("--command", "create den", "--command", "ai o")
        terminal.expect("Your turn: place your X")
        return terminal

    def lines(self, *options):
        alice = self.enterContext(TerminalClient(LOOPBACK, self.address, "alice", *options))
        alice.expect(r"> ")
        return alice


def is_raw(mode):
    return not mode[3] & (termios.ICANON | termios.ECHO) and not mode[0] & termios.IXON


class FullScreen(WithServer):
    def test_a_terminal_may_have_any_size(self):
        # Curses keeps sizes as shorts.
        for before, after in (((24, 80), (32768, 80)), ((24, 80), (65535, 65535)), ((32768, 80), (24, 80))):
            with self.subTest(before=before, after=after):
                command = [f"{BIN}/tictactoe", "--guest", "--server", self.address, "--name", "alice"]
                with TerminalProcess(["sh", "-c", f"stty rows {before[0]} cols {before[1]}; exec \"$@\"",
                                      "sh", *command]) as alice:
                    alice.expect("No rooms yet")
                    alice.resize(*after)
                    alice.keys("\x0c")  # draws all of it again
                    alice.keys("p")
                    alice.expect("Waiting for")
                    alice.keys("\x03")
                    self.assertEqual(alice.status(), 0)

    def test_ctrl_z_without_a_shell_that_could_continue_it_stops_nothing(self):
        alice = self.game()
        alice.keys("C-z")
        alice.type("b2")
        alice.keys("Enter")
        alice.expect(r"You play b2\.")

    def test_ctrl_z_in_a_shell_with_job_control(self):
        shell = self.screen(command=["bash", "--norc", "-i"])
        shell.type(" ".join(client(self.address, "alice", "--command", "'create den'",
                                   "--command", "'ai o'")))
        shell.keys("Enter")
        shell.expect("Your turn: place your X")
        shell.keys("C-z")
        shell.expect("Stopped")
        self.assertEqual(shell.pane("alternate_on"), "0")
        self.assertEqual(shell.pane("mouse_any_flag"), "0")
        shell.type("fg")
        shell.keys("Enter")
        shell.expect("Your turn: place your X")
        shell.type("b2")
        shell.keys("Enter")
        shell.expect(r"You play b2\.")

    def test_a_stopped_client_takes_the_terminal_again_when_it_goes_on(self):
        alice = self.game()
        program = alice.program_id()
        os.kill(program, signal.SIGSTOP)
        wait_for_state(program, "T")
        subprocess.run(["stty", "-F", alice.pane("pane_tty"), "sane"], check=True)
        self.assertFalse(is_raw(alice.tty_mode()))
        os.kill(program, signal.SIGCONT)
        wait_until(lambda: is_raw(alice.tty_mode()), "the terminal in raw mode")
        alice.type("b2")
        alice.keys("Enter")
        alice.expect(r"You play b2\.")
        self.assertEqual(alice.pane("alternate_on"), "1")

    def test_ctrl_backslash_restores_the_terminal(self):
        alice = self.game()
        alice.keys("C-\\")
        alice.expect(f"ended with {128 + signal.SIGQUIT}")
        self.assertTrue(alice.mode_is_restored())

    def test_ctrl_s_freezes_nothing(self):
        alice = self.game()
        alice.keys("C-s")
        alice.type("b2")
        alice.keys("Enter")
        alice.expect(r"You play b2\.")


class Lines(WithServer):
    def test_the_end_restores_the_terminal_whatever_it_is(self):
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGQUIT, signal.SIGTERM):
            with self.subTest(signal=number.name):
                alice = self.lines()
                self.assertTrue(is_raw(alice.mode()))
                alice.process.send_signal(number)
                alice.process.wait(TIMEOUT)
                self.assertEqual(alice.mode(), alice.mode_before)

    def test_ctrl_z_without_a_shell_that_could_continue_it_stops_nothing(self):
        alice = self.lines()
        alice.keys("\x1a")
        alice.keys("play\r")
        alice.expect("Waiting for somebody")

    def test_a_stopped_client_takes_the_terminal_again_when_it_goes_on(self):
        alice = self.lines()
        alice.process.send_signal(signal.SIGSTOP)
        wait_for_state(alice.process.pid, "T")
        alice.restore_mode()
        alice.process.send_signal(signal.SIGCONT)
        # Input that comes together with the signal may be read first.
        wait_until(lambda: is_raw(alice.mode()), "the terminal in raw mode")
        alice.keys("play\r")
        alice.expect("Waiting for somebody")

    def test_ctrl_s_freezes_nothing(self):
        alice = self.lines()
        alice.keys("\x13play\r")
        alice.expect("Waiting for somebody")


class Output(WithServer):
    def test_one_that_is_full_for_a_while_is_not_closed(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        os.set_blocking(writer, False)  # as another program that shares it may have done
        capacity = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        script = "help\n" * 20 + "say-nothing\nquit\n"
        with subprocess.Popen([f"{BIN}/tictactoe", "--server", self.address, "--name", "alice"],
                              stdin=subprocess.PIPE, stdout=writer) as alice:
            alice.stdin.write(script.encode())
            alice.stdin.close()
            # What it writes next does not fit: the output is several times the capacity.
            wait_until(lambda: waiting(writer) > 0 and is_asleep(alice.pid),
                       "client that waits for space")
            os.close(writer)
            text = b""
            while data := os.read(reader, 65536):
                text += data
            self.assertEqual(alice.wait(TIMEOUT), 0)
        self.assertGreater(len(text), 2 * capacity)
        self.assertEqual(text.count(b"To move, type row and column"), 20)
        self.assertIn(b"There is no command `say-nothing`", text)


def waiting(pipe):
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), "little")


def state(program):
    with open(f"/proc/{program}/stat", encoding="ascii") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


def wait_for_state(program, letter):
    wait_until(lambda: state(program) == letter, f"the state {letter}")


def is_asleep(program):
    """Whether it slept each time in a while: one that works is seen running, or its output grows."""
    for _ in range(10):
        if state(program) != "S":
            return False
        time.sleep(0.02)
    return True


def wait_until(condition, what):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"time is up: no {what}")
        time.sleep(0.02)
