"""Names of hosts: a lookup that never ends delays neither the way back, nor the next server, nor the end."""

import os
import pathlib
import re
import signal
import unittest

from network import LOOPBACK
from programs import BIN, Server, TerminalClient
from case import wait_until
from tmux import Tmux


def catches(program, number):
    caught = re.search(r"SigCgt:\s+(\S+)", pathlib.Path(f"/proc/{program}/status").read_text())
    return int(caught[1], 16) >> (number - 1) & 1


class Lookup(unittest.TestCase):
    def screen(self, *options):
        terminal = Tmux([f"{BIN}/tictactoe", "--name", "alice", "--discovery-port", "1", *options],
                        LD_PRELOAD=os.environ["SLOW_NAMES"])
        self.addCleanup(terminal.close)
        return terminal

    def connect_to_slow_server(self):
        alice = self.screen()
        alice.expect("HOST:PORT")
        alice.type("slow.example")
        alice.keys("Enter")
        alice.expect("Connecting to slow.example")
        return alice

    def test_esc_goes_back_and_another_server_is_joined(self):
        with Server(LOOPBACK) as server:
            alice = self.connect_to_slow_server()
            alice.keys("Escape")
            alice.expect("HOST:PORT")
            alice.keys("C-u")
            alice.type(f"127.0.0.1:{server.port}")
            alice.keys("Enter")
            alice.expect("No rooms yet")
            alice.keys("q")
            alice.expect("ended with 0")

    def test_esc_goes_back_and_ends(self):
        alice = self.connect_to_slow_server()
        alice.keys("Escape")
        alice.expect("HOST:PORT")
        alice.keys("Escape")
        alice.expect("ended with 0")

    def test_esc_ends_a_client_of_one_server(self):
        alice = self.screen("--server", "slow.example")
        alice.expect("Connecting to slow.example")
        alice.keys("Escape")
        alice.expect("ended with 0")

    def test_signals_end_the_line_mode(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with TerminalClient(LOOPBACK, "slow.example", "alice",
                                environment={"LD_PRELOAD": os.environ["SLOW_NAMES"]}) as alice:
                wait_until(lambda: catches(alice.process.pid, number), "client that handles signals")
                alice.process.send_signal(number)
                self.assertEqual(alice.status(), 0)
