"""Checks what `cmake --install` installs: programs and man pages."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program_help import PROGRAMS

BUILD = pathlib.Path(os.environ["TICTACTOE_BUILD"])


class Install(unittest.TestCase):
    def test_all_is_where_systems_look_for_it(self):
        with tempfile.TemporaryDirectory() as prefix:
            subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True,
                           stdout=subprocess.PIPE, timeout=60)
            share = pathlib.Path(prefix) / "share"
            for program in PROGRAMS:
                with self.subTest(program=program):
                    result = subprocess.run([pathlib.Path(prefix) / "bin" / program, "--version"],
                                            check=True, text=True, stdout=subprocess.PIPE)
                    self.assertTrue(result.stdout.startswith(f"{program} "), result.stdout)
                    if shutil.which("scdoc"):
                        page = (share / f"man/man1/{program}.1").read_text()
                        self.assertIn("EXIT STATUS", page)
            units = pathlib.Path(prefix) / "lib/systemd/system"
            if units.exists():
                service = (units / "tictactoe-server.service").read_text()
                self.assertRegex(service, r"\nExecStart=/\S+/bin/tictactoe-server ")
                self.assertTrue((units / "tictactoe-server.socket").exists())
